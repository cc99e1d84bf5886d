"""The priority queue of pairs: lazy, because a pair's count only falls after the round that creates the pair."""

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any

from engine.kernel.base import Mergeable, Pair

Entry = tuple[int, Any, Pair]


class PairQueue:
    """Pops pairs in the order in which they are merged; asked only at the last learned rank.

    An entry keeps the count, and the tie key where that can move, of the moment it was pushed. Both only get worse,
    so an entry that no longer matches is pushed again with its present values, and one that matches wins.
    """

    def __init__(self, counts: Mapping[Pair, int], mergeable: Mergeable, most: int) -> None:
        self._counts = counts
        self._mergeable = mergeable
        self._most = most
        self._rebuild()

    def __len__(self) -> int:
        return len(self._heap)

    def _entries(self, pairs: Iterable[Pair]) -> list[Entry]:
        rules, counts = self._mergeable, self._counts
        return [
            (-counts[pair], rules.key(pair), pair)
            for pair in pairs
            if counts[pair] >= rules.min_count and rules.allows(pair)
        ]

    def _rebuild(self) -> None:
        self._heap = self._entries(self._counts)
        heapify(self._heap)

    def push(self, pairs: Iterable[Pair]) -> None:
        """Add pairs that have just come into being; over the bound, only live pairs are kept."""
        for entry in self._entries(pairs):
            heappush(self._heap, entry)
        if len(self._heap) > self._most:
            self._rebuild()

    def peek(self) -> Pair | None:
        """The pair to be merged next, or None."""
        heap, counts, rules = self._heap, self._counts, self._mergeable
        while heap:
            stored, key, pair = heap[0]
            count = counts.get(pair, 0)
            if count < rules.min_count:
                heappop(heap)
                continue
            now = rules.key(pair) if rules.moving else key
            if stored == -count and now == key:
                return pair
            heapreplace(heap, (-count, now, pair))
        return None

    def pop(self) -> None:
        """Drop the entry that `peek` returned."""
        heappop(self._heap)

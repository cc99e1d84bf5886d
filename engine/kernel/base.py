"""What every kernel is: the merge loop behind one interface, with the evidence of each rank."""

import gc
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, Protocol

from engine.alphabet import Pair as Pair
from engine.alphabet import Token
from engine.errors import LimitRefusal
from engine.kernel.validity import INVALID, joined, kind_of
from engine.limits import Limits
from engine.policy import Policy
from engine.turn import Turn, alone
from engine.units import Units


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that decided one merge, all counts taken just before it.

    Attributes:
        pair: the winner.
        candidate_count: its weighted count, by the policy's way of counting.
        replacements: the weighted number of matches consumed, left to right without overlap.
        tie_size: how many eligible pairs had that count, the winner included.
        runner_up: the pair that would have won without the winner, or None when it stood alone.
        runner_up_count: the runner-up's count, 0 without one.
    """

    pair: Pair
    candidate_count: int
    replacements: int
    tie_size: int
    runner_up: Pair | None
    runner_up_count: int


class Kernel(Protocol):
    """A merge loop over units that can move to any rank it has learned.

    Positions of a unit are counted in base symbols.

    One thread at a time: a call of a second one is a `RunRefusal`. After a `MemoryError` the compiled kernel is as it
    was before the call. Those in Python may have stopped inside a merge: then whatever moves or counts is a
    `RunRefusal` from there on, and `rank`, `evidence`, `pairs`, `replacements` and `vocabulary` say what was learned.
    """

    name: str
    """`python`, `compiled` or `reference`."""

    def __init__(self, units: Units, policy: Policy, limits: Limits) -> None: ...

    def give(self, pairs: Iterable[Pair]) -> None:
        """Merges to apply first, in order, whatever the rules would choose; said before any is learned.

        Each joins tokens that are there by its rank. It may have no occurrence; the runner-up of its evidence is the
        pair that the rules would have chosen among the others.

        Raises:
            ValueError: after a merge is learned, or for a pair of a token that no merge before it makes.
        """
        ...

    @property
    def rank(self) -> int:
        """Merges applied now."""
        ...

    @property
    def tokens(self) -> int:
        """Weighted number of tokens now."""
        ...

    @property
    def evidence(self) -> Sequence[Evidence]:
        """One entry per learned rank."""
        ...

    @property
    def vocabulary(self) -> Sequence[Token]:
        """Base tokens, then one per learned rank."""
        ...

    def pairs(self, start: int = 0) -> list[Pair]:
        """The learned pairs by rank, from `start` on: `evidence` without the rest of it."""
        ...

    def replacements(self, start: int = 0) -> list[int]:
        """How many matches each learned merge consumed, from `start` on."""
        ...

    def travel(self, rank: int, budget_s: float | None = None) -> bool:
        """Towards a rank, learning past the last known one, until it is reached or the time is used.

        Returns:
            False when no pair was left to merge before the rank was reached.

        Raises:
            LimitRefusal: before the merge that would exceed a limit.
        """
        ...

    def learn(self) -> bool:
        """Apply the next merge, at the last learned rank one that is chosen now; False when no pair is left to merge.

        Raises:
            LimitRefusal: before anything changed.
        """
        ...

    def forward(self) -> None:
        """Apply the known merge of the present rank; IndexError after the last one."""
        ...

    def back(self) -> None:
        """Undo the last applied merge; IndexError at rank 0."""
        ...

    def count(self, pair: Pair) -> int:
        """The pair's weighted count now."""
        ...

    def tied(self, count: int) -> int:
        """How many pairs with exactly this count may be merged now."""
        ...

    def live_pairs(self) -> int:
        """How many distinct pairs have a count above zero now."""
        ...

    def top(self, n: int, offset: int = 0) -> list[tuple[Pair, int]]:
        """Live pairs with their counts: highest count first, then by the tie rule; `n` of them from `offset`.

        Pairs that a length bound or the filter keeps from being merged are ordered after all others.
        """
        ...

    def mergeable(self, pair: Pair, count: int) -> bool:
        """Whether a pair of that count may be merged: neither too rare nor a token that the policy forbids."""
        ...

    def frequency(self, token: int) -> int:
        """The weighted number of occurrences of a token now."""
        ...

    def unit_tokens(self, unit: int, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
        """The tokens that cover the positions from `start` to `stop` of a unit: (first position, token id)."""
        ...

    def occurrences(self, pair: Pair, limit: int) -> list[tuple[int, int]]:
        """The first `limit` windows of a pair in unit order: (unit, position of the left token)."""
        ...


class Mergeable:
    """Which pairs may be merged, and in which order: the policy's rules over a growing vocabulary.

    Args:
        policy: supplies the tie rule, the minimum count, the length bound and the filter.
        vocabulary: the kernel's list, which grows as merges are learned.
        first: the first position of a pair in the current text, for the tie rule `first-seen`.
    """

    def __init__(self, policy: Policy, vocabulary: list[Token], first: Callable[[Pair], Any]) -> None:
        self._vocabulary = vocabulary
        self._base = len(vocabulary)
        self._bound = policy.max_token_length
        self._exclusive = policy.length_rule == "exclusive"
        self._characters = policy.alphabet == "characters"
        self.min_count = policy.min_count
        self._filters = policy.piece_filter == "sentencepiece"
        self._kinds: list[int] = []
        self.bounded = self._bound is not None or self._filters
        self.moving = policy.tie_break == "first-seen"
        self.key: Callable[[Pair], Any] = {
            "smallest-ids": lambda pair: pair,
            "first-seen": first,
            "largest-bytes": self._largest_bytes,
            "largest-symbols": self._largest_symbols,
            "smallest-symbols": self._smallest_symbols,
            "shortest-then-smallest-joined": self._joined,
        }[policy.tie_break]

    def allows(self, pair: Pair) -> bool:
        """Whether the length bound and the filter let this pair become a token."""
        return (self._bound is None or self._short(pair, self._bound)) and (not self._filters or self._valid(pair))

    def _short(self, pair: Pair, bound: int) -> bool:
        left, right = self._vocabulary[pair[0]], self._vocabulary[pair[1]]
        length = left.span + right.span if self._characters else len(left.data) + len(right.data)
        if self._exclusive:
            return length < bound or max(pair) < self._base
        return length <= bound

    def _valid(self, pair: Pair) -> bool:
        for token in self._vocabulary[len(self._kinds) :]:
            self._kinds.append(kind_of(token.symbol))
        return joined(self._kinds[pair[0]], self._kinds[pair[1]]) != INVALID

    def order(self, item: tuple[Pair, int]) -> tuple[bool, int, Any]:
        """The sort key of a pair with its count: the smallest is merged next."""
        pair, count = item
        return (not self.allows(pair), -count, self.key(pair))

    def _largest_bytes(self, pair: Pair) -> "Descending":
        left, right = self._vocabulary[pair[0]], self._vocabulary[pair[1]]
        return Descending((left.data, left.ends_word, right.data, right.ends_word))

    def _largest_symbols(self, pair: Pair) -> "Descending":
        return Descending(self._smallest_symbols(pair))

    def _smallest_symbols(self, pair: Pair) -> tuple[str, str] | tuple[bytes, bytes]:
        left, right = self._vocabulary[pair[0]], self._vocabulary[pair[1]]
        return (left.symbol, right.symbol) if self._characters else (left.spelling, right.spelling)

    def _joined(self, pair: Pair) -> tuple[int, bytes]:
        joined = self._vocabulary[pair[0]] + self._vocabulary[pair[1]]
        return joined.span, joined.spelling


class Descending:
    """A sort key turned around: the largest value sorts first."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:  # noqa: ANN401 - any comparable value
        self.value = value

    def __lt__(self, other: "Descending") -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Descending) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


def ranked(mergeable: Mergeable, counts: Iterable[tuple[Pair, int]], n: int, offset: int) -> list[tuple[Pair, int]]:
    """`n` pairs from `offset` on in the order in which they would be merged."""
    return nsmallest(offset + n, counts, key=mergeable.order)[offset:]


@contextmanager
def acyclic() -> Iterator[None]:
    """Without looking for cycles: kernels make many tuples and no cycle, and looking took a quarter of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class PythonKernel(ABC):
    """What the kernels in plain Python share: moving step by step, and what their counts answer."""

    rank: int
    evidence: list[Evidence]
    vocabulary: list[Token]
    _base: int
    _tokens: int
    _counts: dict[Pair, int]
    _mergeable: Mergeable
    _given: Sequence[Pair] = ()

    def __init__(self) -> None:
        self._turn = Turn()

    @alone
    def give(self, pairs: Iterable[Pair]) -> None:
        """Merges to apply first, in order."""
        given = [*pairs]
        if self.evidence:
            raise ValueError("merges are given before any is learned")
        for rank, pair in enumerate(given):
            if not 0 <= min(pair) <= max(pair) < self._base + rank:
                raise ValueError("a given merge joins a token that none before it makes")
        self._given = given

    def _chosen(self, best: Pair | None) -> Pair | None:
        """The given pair of the present rank, else the best one."""
        return self._given[self.rank] if self.rank < len(self._given) else best

    @property
    @alone
    def tokens(self) -> int:
        """Weighted number of tokens now."""
        return self._tokens

    @abstractmethod
    def _learn(self) -> bool:
        """Choose the next merge and apply it; False when no pair is left."""

    @abstractmethod
    def _forward(self) -> None:
        """Apply the known merge of the present rank."""

    @abstractmethod
    def _back(self) -> None:
        """Undo the last applied merge."""

    def learn(self) -> bool:
        """Apply the next merge, known or chosen now; False when no pair is left."""
        if self.rank < len(self.evidence):
            self.forward()
            return True
        return self._turn.whole(self._learn)

    def forward(self) -> None:
        """Apply the known merge of the present rank."""
        if self.rank == len(self.evidence):
            raise IndexError("no merge is known after the last one")
        self._turn.whole(self._forward)

    def back(self) -> None:
        """Undo the last applied merge."""
        if self.rank == 0:
            raise IndexError("no merge is applied at rank 0")
        self._turn.whole(self._back)

    def pairs(self, start: int = 0) -> list[Pair]:
        """The learned pairs by rank."""
        return [known.pair for known in self.evidence[start:]]

    def replacements(self, start: int = 0) -> list[int]:
        """How many matches each learned merge consumed."""
        return [known.replacements for known in self.evidence[start:]]

    @alone
    def travel(self, rank: int, budget_s: float | None = None) -> bool:
        """Towards a rank, step by step."""
        if rank < 0:
            raise ValueError(f"rank {rank} is below 0")
        deadline = None if budget_s is None else time.monotonic() + budget_s
        with acyclic():
            while self.rank != rank:
                if self.rank > rank:
                    self.back()
                elif not self.learn():
                    return False
                if deadline is not None and time.monotonic() >= deadline:
                    break
        return True

    @alone
    def count(self, pair: Pair) -> int:
        """The pair's weighted count now."""
        return self._counts.get(pair, 0)

    @alone
    def live_pairs(self) -> int:
        """Distinct pairs alive now."""
        return len(self._counts)

    @alone
    def top(self, n: int, offset: int = 0) -> list[tuple[Pair, int]]:
        """Live pairs in the order in which they would be merged."""
        return ranked(self._mergeable, self._counts.items(), n, offset)

    @alone
    def mergeable(self, pair: Pair, count: int) -> bool:
        """Whether a pair of that count may be merged."""
        return count >= self._mergeable.min_count and self._mergeable.allows(pair)

    @alone
    def tied(self, count: int) -> int:
        """How many pairs with exactly this count may be merged now."""
        return self._tied(count)

    @abstractmethod
    def _tied(self, count: int) -> int:
        """As `tied`, also inside a merge."""


def check_new_token(limits: Limits, vocabulary: Sequence[Token], vocabulary_bytes: int, pair: Pair) -> int:
    """The length in bytes of the token that a pair would become.

    Raises:
        LimitRefusal: when it, the vocabulary with it, or its id exceeds a limit.
    """
    length = len(vocabulary[pair[0]].data) + len(vocabulary[pair[1]].data)
    limits.check("token_bytes", length, f"the token of rank {len(vocabulary)}'s byte expansion")
    limits.check("vocabulary_bytes", vocabulary_bytes + length, "the vocabulary's byte expansions")
    if len(vocabulary) > 2**32 - 3:
        raise LimitRefusal("the next token id would not fit 32 bits: stop learning here")
    return length

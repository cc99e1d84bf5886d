"""Entries that no text can become: their own bytes, alone and uncut, encode to something else.

In a list that one training run made there are none, whatever its rules (every merge replaces all its matches, so what
happens inside a token depends on its bytes only). One that is there was edited in, or learned under other boundaries.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise

from engine.audit.entries import Entries
from engine.audit.findings import Advance, Finding
from engine.kernel.base import Pair
from engine.limits import Limits
from engine.normalize import prepared
from engine.pretokenize import splitter

Step = tuple[int, int]
"""A merge while encoding: the first base symbol of the token made, and the rank."""

MOST_SPELLED = 6
"""Tokens spelled in a sentence."""


class Reach:
    """Encodes base ids by lowest rank, then leftmost, whatever the order of the list.

    Args:
        entries: the list.
        limits: bounds of the encoder.
        regular: whether no merge is out of order or repeated, so that the ordinary encoder takes the list.
    """

    def __init__(self, entries: Entries, limits: Limits, regular: bool) -> None:
        self._entries = entries
        self._tokenizer = entries.merges.tokenizer(limits) if regular else None
        self._cut = splitter(entries.merges.policy)

    def encode(self, base_ids: list[int]) -> list[int]:
        """The kernel ids that one uncut piece becomes."""
        if self._tokenizer is not None:
            return self._tokenizer.merge(base_ids)
        return walk(base_ids, self._entries.ranks, self._entries.base)[1]

    def content(self, text: bytes) -> list[int] | None:
        """The kernel ids of a text, cut at the boundary; None where the alphabet lacks a character of it."""
        found: list[int] = []
        for _, piece in self._cut(prepared(self._entries.merges.policy, text)):
            base_ids = self._entries.alphabet.encode(piece)
            if base_ids is None:
                return None
            found += self.encode(list(base_ids))
        return found


def walk(base_ids: list[int], ranks: dict[Pair, int], base: int) -> tuple[list[Step], list[int]]:
    """Encode by lowest rank, then leftmost, for lists in any order: every merge on the way, and what is left."""
    ids, size = list(base_ids), len(base_ids)
    following, previous = list(range(1, size + 1)), list(range(-1, size - 1))
    waiting = [(ranks[pair], at) for at, pair in enumerate(pairwise(ids)) if pair in ranks]
    heapify(waiting)
    steps: list[Step] = []
    while waiting:
        rank, at = heappop(waiting)
        other = following[at]
        if other == size or ranks.get((ids[at], ids[other])) != rank:
            continue
        ids[at], ids[other] = base + rank, -1
        steps.append((at, rank))
        after = following[at] = following[other]
        if after < size:
            previous[after] = at
        for left, right in ((previous[at], at), (at, after)):
            if left >= 0 and right < size and (new := ranks.get((ids[left], ids[right]))) is not None:
                heappush(waiting, (new, left))
    return steps, [token for token in ids if token >= 0]


def unreachable(entries: Entries, reach: Reach, advance: Advance) -> Iterator[Finding]:
    """Merged entries whose own bytes encode to something else, with the merge that comes first."""
    for rank, token, _ in entries.merged():
        advance(1)
        base_ids = entries.symbols(token)
        found = reach.encode(base_ids)
        if found != [token]:
            blocker = _blocker(entries, token, base_ids)
            yield entries.finding(
                "unreachable",
                rank,
                f"encodes to {_spelled(entries, found)}: rank {blocker}, {entries.pair(blocker)}, comes before "
                f"{entries.pair(rank)}",
            )


def _blocker(entries: Entries, token: int, base_ids: list[int]) -> int:
    """The first merge, while its bytes are encoded, that makes something which is no part of a token."""
    parts = set(entries.parts(token))
    steps, _ = walk(base_ids, entries.ranks, entries.base)
    return next(rank for at, rank in steps if (at, entries.base + rank) not in parts)


def orphans(entries: Entries, reach: Reach) -> Iterator[Finding]:
    """Entries that no merge makes, with what their bytes encode to."""
    for id, data in entries.merges.orphans:
        base_ids = entries.alphabet.encode(data)
        found = None if base_ids is None else reach.encode(list(base_ids))
        what = "have no encoding" if found is None else f"encode to {_spelled(entries, found)}"
        yield Finding("orphan", id, None, data, f"no merge makes it; its bytes {what}")


def specials(entries: Entries, reach: Reach) -> Iterator[Finding]:
    """Special tokens whose text plain text can hold: as one token of the merges' own, or as several."""
    for text, id in entries.merges.specials:
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # a lone surrogate: no text holds it
            continue
        found = reach.content(data)
        if not found:
            continue
        if len(found) == 1:
            rank = found[0] - entries.base
            made = f"rank {rank} makes it" if rank >= 0 else "it is a base token"
            yield Finding(
                "special-built", id, rank if rank >= 0 else None, data, f"{made}, as id {entries.merges.ids[found[0]]}"
            )
        else:
            yield Finding("special-as-text", id, None, data, f"as text it is {_spelled(entries, found)}")


def _spelled(entries: Entries, tokens: list[int]) -> str:
    """A few tokens with their ids, and how many there are."""
    shown = ", ".join(f"{entries.spelled(token)} {entries.merges.ids[token]}" for token in tokens[:MOST_SPELLED])
    more = ", ..." if len(tokens) > MOST_SPELLED else ""
    return f"{len(tokens)} token{'' if len(tokens) == 1 else 's'} ({shown}{more})"

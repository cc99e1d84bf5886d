"""The entries of a merge list, spelled out even where its merges are out of order."""

from collections.abc import Iterator

from engine.alphabet import Alphabet, Token
from engine.audit.findings import Finding
from engine.kernel.base import Pair
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.quoting import quoted


class Entries:
    """Base tokens and merged entries by kernel id.

    Attributes:
        merges: the list.
        base: how many base tokens there are.
        ranks: the rank of each pair; the first where a pair is repeated.
        tokens: the content of each kernel id; None for one made of itself or of a token that is not there.

    Raises:
        LimitRefusal: when an expansion or the vocabulary exceeds its limit.
    """

    def __init__(self, merges: MergeList, limits: Limits) -> None:
        self.merges = merges
        self.base = len(merges.alphabet)
        self.alphabet: Alphabet = merges.base()
        self.ranks: dict[Pair, int] = {}
        for rank, pair in enumerate(merges.pairs):
            self.ranks.setdefault(pair, rank)
        self.tokens = expansions(merges, limits)

    def merged(self) -> Iterator[tuple[int, int, Token]]:
        """Rank, kernel id and content of each merged entry that has any."""
        for rank, content in enumerate(self.tokens[self.base :]):
            if content is not None:
                yield rank, self.base + rank, content

    def parts(self, token: int) -> Iterator[tuple[int, int]]:
        """A token and everything it is made of: (first base symbol in it, kernel id), from left to right."""
        stack = [(0, token)]
        while stack:
            at, part = stack.pop()
            yield at, part
            if part >= self.base:
                left, right = self.merges.pairs[part - self.base]
                stack += ((at + self.span(left), right), (at, left))

    def span(self, token: int) -> int:
        """How many base symbols a token covers."""
        content = self.tokens[token]
        assert content is not None, "only what has an expansion is part of one"
        return content.span

    def symbols(self, token: int) -> list[int]:
        """The base ids that a token is made of."""
        return [part for _, part in self.parts(token) if part < self.base]

    def spelled(self, token: int) -> str:
        """A token's bytes for a sentence."""
        content = self.tokens[token] if 0 <= token < len(self.tokens) else None
        return f"token {token}" if content is None else quoted(content.data) + ("</w>" if content.ends_word else "")

    def pair(self, rank: int) -> str:
        """A merge's pair for a sentence."""
        return " + ".join(map(self.spelled, self.merges.pairs[rank]))

    def finding(self, kind: str, rank: int, sentence: str) -> Finding:
        """A finding about the entry that a merge makes."""
        token = self.base + rank
        content = self.tokens[token]
        return Finding(kind, self.merges.ids[token], rank, content.data if content else b"", sentence)


def expansions(merges: MergeList, limits: Limits) -> list[Token | None]:
    """The content of each kernel id, whatever the order of the merges; None where there is none.

    Raises:
        LimitRefusal: when an expansion or the vocabulary exceeds its limit.
    """
    base = len(merges.alphabet)
    tokens: list[Token | None] = [*merges.alphabet, *[None] * len(merges.pairs)]
    total = sum(len(token.data) for token in merges.alphabet)
    waiting: dict[int, list[int]] = {}
    for first in range(len(merges.pairs)):
        ready = [first]
        while ready:
            rank = ready.pop()
            sides = [tokens[side] if 0 <= side < len(tokens) else None for side in merges.pairs[rank]]
            left, right = sides
            if left is None or right is None:
                waiting.setdefault(merges.pairs[rank][sides.index(None)], []).append(rank)
                continue
            length = len(left.data) + len(right.data)
            limits.check("token_bytes", length, f"the byte expansion of rank {rank}")
            total += length
            limits.check("vocabulary_bytes", total, f"the vocabulary's byte expansions at rank {rank}")
            tokens[base + rank] = left + right
            ready += waiting.pop(base + rank, ())
    return tokens

"""Merges of a vocabulary that only lists its tokens by rank, as `.tiktoken` and `tekken.json` do.

The pair behind a token is what encoding the token's own bytes with the lower ranks alone leaves of it. This is exact
for every list that plain training made: an occurrence of those bytes that ends as one token was never merged across
its ends, so what happened inside is what happens to the bytes by themselves. Encoding by pairs then equals encoding by
joined bytes (tiktoken's way), but for whole pieces that are looked up at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.alphabet import Token, alphabet_of
from engine.errors import FormatRefusal
from engine.kernel.base import Pair
from engine.kernel.reference import replace_pair
from engine.layout import Layout
from engine.limits import UNLIMITED, Limits
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import MergeTable

_POLICY = Policy()


@dataclass(frozen=True, slots=True)
class Recovered:
    """The merges behind a list of tokens.

    Attributes:
        alphabet: the tokens of one byte, in their order.
        pairs: the merges by rank, in kernel ids.
        order: for each kernel id, where its token stands in the list that was given.
        orphans: where the tokens stand that no two lower ones make.
    """

    alphabet: tuple[Token, ...]
    pairs: tuple[Pair, ...]
    order: tuple[int, ...]
    orphans: tuple[int, ...]


def recover(
    tokens: Sequence[bytes], ranks: Sequence[int] | None = None, *, orphans: bool = False, limits: Limits = UNLIMITED
) -> Recovered:
    """The merges that make these tokens, proven by encoding each with those before it.

    Args:
        tokens: all tokens by rising rank; those of one byte may stand anywhere.
        ranks: their ranks, for messages; by default 0, 1, 2, ...
        orphans: whether a token that no two lower ones make is listed; else it is refused.
        limits: bounds of the expansions.

    Raises:
        FormatRefusal: for an empty or repeated token, or one that lower ranks do not make from two, with its rank.
        LimitRefusal: when an expansion or the vocabulary exceeds its limit.
    """
    ranks = range(len(tokens)) if ranks is None else ranks
    _check_distinct(tokens, ranks)
    singles = [at for at, token in enumerate(tokens) if len(token) == 1]
    alphabet = alphabet_of(_POLICY, [Token(tokens[at]) for at in singles])
    table = MergeTable(alphabet, Layout(_POLICY, len(singles)), limits)
    order, unmade = list(singles), []
    for at, token in enumerate(tokens):
        if len(token) == 1:
            continue
        ids = alphabet.encode(token)
        parts = merged(table, ids) if ids is not None else []
        if len(parts) == 2:
            table.add((parts[0], parts[1]))
            order.append(at)
        elif orphans:
            unmade.append(at)
        else:
            why = f"come to {len(parts)} tokens by the lower ranks" if parts else "hold a byte that is no token"
            raise FormatRefusal(f"rank {ranks[at]} is made by no merge of two: its bytes {quoted(token)} {why}")
    return Recovered(alphabet.tokens, tuple(table.pairs), tuple(order), tuple(unmade))


def _check_distinct(tokens: Sequence[bytes], ranks: Sequence[int]) -> None:
    first: dict[bytes, int] = {}
    for rank, token in zip(ranks, tokens, strict=True):
        if not token:
            raise FormatRefusal(f"rank {rank} is an empty token: every token has at least one byte")
        if token in first:
            raise FormatRefusal(f"rank {rank} repeats the token {quoted(token)} of rank {first[token]}: keep one")
        first[token] = rank


def merged(table: MergeTable, ids: Sequence[int]) -> list[int]:
    """What base ids become by all merges of a table so far, in kernel ids: lowest rank first, then leftmost."""
    encoder = table.encoder()
    if encoder is not None:
        return encoder.merge(ids, len(table.pairs))
    tokens, base, none = list(ids), len(table.alphabet.tokens), len(table.pairs)
    while (rank := min((table.ranks.get(pair, none) for pair in pairwise(tokens)), default=none)) < none:
        tokens = replace_pair(tokens, table.pairs[rank], base + rank)
    return tokens

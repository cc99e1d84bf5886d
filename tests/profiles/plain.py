"""Training written down from a peer's rule, independently of the engine: counts words, picks by a function."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import TypeVar

Symbol = TypeVar("Symbol", bytes, str)
Pick = Callable[[set[tuple[Symbol, Symbol]], list[list[Symbol]], dict[Symbol, int]], tuple[Symbol, Symbol]]
"""Chooses among the pairs of the highest count, from the words as they stand and the ids given so far."""
Count = Callable[[list[Symbol]], Iterable[tuple[Symbol, Symbol]]]


def train(
    words: Mapping[tuple[Symbol, ...], int],
    merges: int,
    pick: Pick[Symbol],
    base: Iterable[Symbol] = (),
    count: Count[Symbol] = pairwise,
    least: int = 1,
    allows: Callable[[tuple[Symbol, Symbol]], bool] = bool,
) -> list[tuple[Symbol, Symbol]]:
    """The merges of distinct words with their numbers; `base` are the base symbols in the order of their ids."""
    spelled, weights = [list(word) for word in words], list(words.values())
    ids = {symbol: i for i, symbol in enumerate(base)}
    total: Counter[tuple[Symbol, Symbol]] = Counter()
    where: defaultdict[tuple[Symbol, Symbol], set[int]] = defaultdict(set)

    def add(number: int, sign: int) -> None:
        for pair, times in Counter(filter(allows, count(spelled[number]))).items():
            total[pair] += sign * times * weights[number]
            if not total[pair]:
                del total[pair]
            where[pair].add(number)

    for number in range(len(spelled)):
        add(number, 1)
    made: list[tuple[Symbol, Symbol]] = []
    while len(made) < merges:
        most = max(total.values(), default=0)
        if most < least:
            break
        best: tuple[Symbol, Symbol] = pick({pair for pair, n in total.items() if n == most}, spelled, ids)
        made.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        for number in [*where[best]]:
            add(number, -1)
            spelled[number] = joined(spelled[number], best)
            add(number, 1)
    return made


def joined(word: list[Symbol], pair: tuple[Symbol, Symbol]) -> list[Symbol]:
    """A word with each match of a pair replaced from left to right."""
    found: list[Symbol] = []
    rest = iter(range(len(word)))
    for at in rest:
        if tuple(word[at : at + 2]) == pair:
            found.append(word[at] + word[at + 1])
            next(rest)
        else:
            found.append(word[at])
    return found


def non_overlapping(word: list[Symbol]) -> Iterable[tuple[Symbol, Symbol]]:
    """The pairs of a word, each run of n equal symbols giving n // 2."""
    run = 0
    for left, right in pairwise(word):
        run = run + 1 if left == right else 0
        if run % 2 or left != right:
            yield left, right


def smallest_ids(
    tied: set[tuple[Symbol, Symbol]], words: list[list[Symbol]], ids: dict[Symbol, int]
) -> tuple[Symbol, Symbol]:
    """The smallest (left id, right id)."""
    return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def first_seen(
    tied: set[tuple[Symbol, Symbol]], words: list[list[Symbol]], ids: dict[Symbol, int]
) -> tuple[Symbol, Symbol]:
    """The pair that comes first in the words as they stand."""
    return next(pair for word in words for pair in pairwise(word) if pair in tied)


def largest(
    tied: set[tuple[Symbol, Symbol]], words: list[list[Symbol]], ids: dict[Symbol, int]
) -> tuple[Symbol, Symbol]:
    """The greatest (left, right)."""
    return max(tied)


def smallest(
    tied: set[tuple[Symbol, Symbol]], words: list[list[Symbol]], ids: dict[Symbol, int]
) -> tuple[Symbol, Symbol]:
    """The smallest (left, right)."""
    return min(tied)


def largest_joined(
    tied: set[tuple[Symbol, Symbol]], words: list[list[Symbol]], ids: dict[Symbol, int]
) -> tuple[Symbol, Symbol]:
    """The greatest joined string; among equal ones the greatest left side."""
    return max(tied, key=lambda pair: (pair[0] + pair[1], pair))


def byte_words(pieces: Iterable[str]) -> Counter[tuple[bytes, ...]]:
    """Pieces of text as sequences of bytes, with how often each occurs, in the order of first appearance."""
    return Counter(tuple(bytes([byte]) for byte in piece.encode()) for piece in pieces)


def marked_words(lines: Iterable[str]) -> Counter[tuple[str, ...]]:
    """Words between spaces as characters, the last one marked, as subword-nmt makes them of lines."""
    words = (word for line in lines for word in line.strip("\r\n ").split(" ") if word)
    return Counter((*word[:-1], word[-1] + "</w>") for word in words)

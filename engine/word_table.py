"""Byte-pair encoding of a word table, as plain functions: words are tuples of ids, each with a frequency.

Rules: the highest weighted count wins, then the smallest pair; learning stops when no pair occurs twice; words that
become equal add their frequencies. Nothing that the caller passes in is changed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.kernel import Pair, reference

Word = tuple[int, ...]
FIRST_NEW_ID = 256
LEAST_COUNT = 2


class WordMerges(NamedTuple):
    """What training on a word table gives.

    Attributes:
        merges: each pair with its count, by rank; rank r makes the id 256 + r.
        words: the table after the last merge.
    """

    merges: list[tuple[Pair, int]]
    words: dict[Word, int]


def count_pairs(words: Mapping[Word, int]) -> dict[Pair, int]:
    """Every adjacent pair with the frequencies of its words summed over its windows."""
    return reference.count_pairs([list(word) for word in words], list(words.values()))


def merge_words(words: Mapping[Word, int], pair: Pair, new_id: int) -> dict[Word, int]:
    """A new table in which `new_id` stands for each match of the pair, left to right without overlap."""
    merged: dict[Word, int] = {}
    for word, frequency in words.items():
        new = tuple(reference.replace_pair(list(word), pair, new_id))
        merged[new] = merged.get(new, 0) + frequency
    return merged


def train(words: Mapping[Word, int], merges: int) -> WordMerges:
    """Up to `merges` merges of a table of byte ids; fewer when no pair occurs twice any more."""
    table = dict(words)
    learned: list[tuple[Pair, int]] = []
    while len(learned) < merges:
        counts = count_pairs(table)
        pair = min(counts, key=lambda p: (-counts[p], p), default=None)
        if pair is None or counts[pair] < LEAST_COUNT:
            break
        table = merge_words(table, pair, FIRST_NEW_ID + len(learned))
        learned.append((pair, counts[pair]))
    return WordMerges(learned, table)

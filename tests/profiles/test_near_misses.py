"""Policies that nearly reproduce a peer: both lists, made twice, part at the rank that the page names.

Each rule is trained by the engine and by the plain trainer of `plain.py`, on half of the English text.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
import regex

from engine.alphabet import BYTE_TO_UNICODE
from engine.pretokenize import CL100K, GPT2
from engine.profiles import PROFILES

from .lists import Bytes, first_difference, pairs_of, symbols_of, trainer_of
from .plain import (
    Count,
    Pick,
    byte_words,
    first_seen,
    largest,
    largest_joined,
    marked_words,
    non_overlapping,
    smallest,
    smallest_ids,
    train,
)
from .texts import english

PAGE = Path(__file__).resolve().parents[2] / "docs" / "profiles.md"
BYTES = tuple(bytes([byte]) for byte in range(256))
BYTEMAP = tuple(sorted(BYTES, key=lambda byte: BYTE_TO_UNICODE[byte[0]]))
TEXT = english()[:100_000]
MERGES = 500
LIMIT = {"max_token_length": 8}
Merges = list[Bytes] | list[tuple[str, str]]


@cache
def pieces(pattern: str, by_line: bool = False) -> Mapping[tuple[bytes, ...], int]:
    """The English text's pieces, cut as a whole or a line at a time."""
    parts = re.findall(r"[^\n]*\n|[^\n]+", TEXT) if by_line else [TEXT]
    return byte_words(piece for part in parts for piece in regex.findall(pattern, part))


@cache
def words() -> Mapping[tuple[str, ...], int]:
    """The English text's words, as subword-nmt reads them."""
    return marked_words(TEXT.split("\n"))


@cache
def started_words() -> Mapping[tuple[str, ...], int]:
    """The English text's words behind the mark that begins each."""
    return Counter(("\u2581", *word) for word in re.findall("[^ \t\r\n]+", TEXT))


def by_frequency() -> list[str]:
    """Their characters, the most frequent first."""
    counts: Counter[str] = Counter()
    for word, number in started_words().items():
        for character in word:
            counts[character] += number
    return sorted(counts, key=lambda character: (-counts[character], character))


def shorter(than: int) -> Callable[[Bytes], bool]:
    """A bound that is not reached, but for pairs of bytes."""
    return lambda pair: len(pair[0] + pair[1]) < max(than, 3)


@cache
def learned_bytes(
    pattern: str,
    pick: Pick[bytes],
    base: tuple[bytes, ...],
    by_line: bool,
    longest: int | None,
) -> list[Bytes]:
    allows = bool if longest is None else shorter(longest)
    return train(pieces(pattern, by_line), MERGES, pick, base, allows=allows)


def of_bytes(
    pattern: str,
    pick: Pick[bytes],
    base: tuple[bytes, ...] = BYTES,
    by_line: bool = False,
    shorter_than: int | None = None,
) -> Callable[[], Merges]:
    return lambda: learned_bytes(pattern, pick, base, by_line, shorter_than)


@cache
def learned_words(pick: Pick[str], count: Count[str] = pairwise) -> list[tuple[str, str]]:
    return train(words(), MERGES, pick, count=count, least=2)


def of_words(pick: Pick[str], count: Count[str] = pairwise) -> Callable[[], Merges]:
    return lambda: learned_words(pick, count)


hugging_face = partial(of_bytes, GPT2, smallest_ids, BYTEMAP, by_line=True)
bpeasy = partial(of_bytes, CL100K, smallest_ids)


class Case(NamedTuple):
    """A peer's rule, and a wrong one.

    Attributes:
        profile: the peer's.
        wrong: how the page names the mistake.
        right_list, wrong_list: both lists by the plain trainer.
        changes: what makes the profile's policy wrong; None where no policy can say it.
        both: what both have besides.
    """

    profile: str
    wrong: str
    right_list: Callable[[], Merges]
    wrong_list: Callable[[], Merges]
    changes: Mapping[str, object] | None
    both: Mapping[str, object] = {}


CASES = [
    Case(
        "huggingface",
        "base_order=byte-value",
        hugging_face(),
        of_bytes(GPT2, smallest_ids, BYTES, by_line=True),
        {"base_order": "byte-value"},
    ),
    Case("huggingface", "boundary=gpt2", hugging_face(), of_bytes(GPT2, smallest_ids, BYTEMAP), {"boundary": "gpt2"}),
    Case(
        "huggingface",
        "length_rule=inclusive",
        hugging_face(shorter_than=8),
        hugging_face(shorter_than=9),
        {"length_rule": "inclusive"},
        LIMIT,
    ),
    Case(
        "rustbpe",
        "tie_break=first-seen",
        of_bytes(CL100K, smallest_ids),
        of_bytes(CL100K, first_seen),
        {"tie_break": "first-seen"},
    ),
    Case(
        "bpeasy",
        "length_rule=inclusive",
        bpeasy(shorter_than=8),
        bpeasy(shorter_than=9),
        {"length_rule": "inclusive"},
        LIMIT,
    ),
    Case(
        "minbpe-regex",
        "tie_break=smallest-ids",
        of_bytes(CL100K, first_seen),
        of_bytes(CL100K, smallest_ids),
        {"tie_break": "smallest-ids"},
    ),
    Case(
        "minbpe-regex",
        "tie_break=largest-bytes",
        of_bytes(CL100K, first_seen),
        of_bytes(CL100K, largest),
        {"tie_break": "largest-bytes"},
    ),
    Case(
        "tiktoken-educational",
        "tie_break=smallest-ids",
        of_bytes(GPT2, first_seen),
        of_bytes(GPT2, smallest_ids),
        {"tie_break": "smallest-ids"},
    ),
    Case(
        "cs336",
        "tie_break=smallest-ids",
        of_bytes(GPT2, largest),
        of_bytes(GPT2, smallest_ids),
        {"tie_break": "smallest-ids"},
    ),
    Case("cs336", "joined bytes compared", of_bytes(GPT2, largest), of_bytes(GPT2, largest_joined), None),
    Case(
        "subword-nmt",
        "counting=non-overlapping",
        of_words(largest),
        of_words(largest, non_overlapping),
        {"counting": "non-overlapping"},
    ),
    Case(
        "subword-nmt",
        "tie_break=smallest-symbols",
        of_words(largest),
        of_words(smallest),
        {"tie_break": "smallest-symbols"},
    ),
    Case(
        "subword-nmt",
        "joined strings compared",
        of_words(largest),
        of_words(largest_joined),
        None,
    ),
    Case(
        "youtokentome",
        "counting=overlapping",
        lambda: train(started_words(), MERGES, smallest_ids, by_frequency(), count=non_overlapping),
        lambda: train(started_words(), MERGES, smallest_ids, by_frequency()),
        {"counting": "overlapping"},
    ),
]  # fmt: skip


def rows() -> dict[tuple[str, str], int]:
    """The page's table of near misses: profile and mistake, and the rank."""
    found = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {(profile, wrong.replace("`", "")): int(rank) for profile, wrong, rank in found}


def ours(case: Case, changes: Mapping[str, object]) -> Merges:
    policy = PROFILES[case.profile].policy.changed(**case.both, **changes)
    trainer = trainer_of(TEXT, policy, MERGES)
    return pairs_of(trainer) if policy.alphabet == "bytes" else symbols_of(trainer)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.profile} {case.wrong}")
def test_lists_part_where_the_page_says(case: Case) -> None:
    right = case.right_list()
    wrong = case.wrong_list()
    assert ours(case, {}) == right
    assert case.changes is None or ours(case, case.changes) == wrong
    assert first_difference(right, wrong) == rows()[case.profile, case.wrong]


def test_the_page_has_these_near_misses() -> None:
    here = {(case.profile, case.wrong) for case in CASES}
    assert here <= set(rows())

"""Patterns in two engines: what passes for equal is equal, what does not differs."""

import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats.oniguruma import loosely, otherwise

PARTS = (
    "a", "b", " ", r"\s", r"\S", r"\d", r"\p{L}", r"\p{N}", r"\P{L}", "[^a]", "[ab]", r"[^\r\n\p{L}]", "[]a]", r"[\[b]",
    ".", "[[:alpha:]]", "(?i:A)", "(?:ab)", "(?=a)", "(?!b)", r"\n", r"\[", r"\(", "[^^]",
)  # fmt: skip
REPEATS = ("", "", "+", "*", "?", "++", "?+", "*+", "{1,3}", "{2}", "+?", "{2}?", "{1,2}?", "{,2}", "{2}+", "{1,2}+")
TEXTS = tuple("".join(random.Random(seed).choices("aAb1 \n\r[](^7é", k=12)) for seed in range(60))


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (r"\p{N}{1,3}+", "{1,3}+"), (r"a{2}+", "{2}+"), (r"\h+", r"\h"), (r"[\H]", r"\H"), ("[a[b]]", "["),
        ("[a-z&&[^b]]", "&&"), ("(?s:.+)", "(?s"), ("(?m)a", "(?m"), ("(?V1)a", "(?V"), ("(?P<n>a)", "(?P"),
        ("[[:alpha:]a[b]]", "["),
    ],
)  # fmt: skip
def test_parts_that_mean_something_else_are_found(pattern: str, part: str) -> None:
    assert otherwise(pattern) == part


@pytest.mark.parametrize(
    "pattern",
    [
        r"\\h",
        r"\{1,3}\+",
        "a{1,3}",
        r"[\[]",
        "[]a]",
        "[^]a]",
        r"\[[a]\[",
        "(?i:a)",
        "(?ix)a",
        "(?<n>a)",
        "a&&b",
        "[[:alpha:]]",
    ],
)
def test_parts_that_mean_the_same_pass(pattern: str) -> None:
    assert otherwise(pattern) is None
    assert not loosely(pattern)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [(r"\w", True), (r"[\w]", True), ("^a", True), ("a$", True), ("[^a]", False), (r"[$^]\$", False)],
)
def test_what_differs_in_places_only_is_told(pattern: str, expected: bool) -> None:
    assert loosely(pattern) is expected


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(REPEATS)), min_size=1, max_size=4))
def test_patterns_that_pass_give_equal_pieces(parts: list[tuple[str, str]]) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    pattern = "".join(part + ("" if part.startswith(("(?=", "(?!")) else repeat) for part, repeat in parts)
    if otherwise(pattern) or regex.match(pattern, ""):
        return
    compiled = regex.compile(pattern)
    if any(match.end() == match.start() for text in TEXTS for match in compiled.finditer(text)):
        return
    split = tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "removed", invert=True)
    for text in TEXTS:
        theirs = [piece for piece, _ in split.pre_tokenize_str(text)]
        assert theirs == [match[0] for match in compiled.finditer(text)], pattern

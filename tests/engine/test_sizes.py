"""Sizes in words, by hand."""

import pytest

from engine.sizes import size_words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (57_912, "57.9 kB"),
        (999_499, "999 kB"),
        (999_956, "1 MB"),
        (1_115_394, "1.12 MB"),
        (25 * 10**8, "2.5 GB"),
        (999_600_000_000, "1 TB"),
    ],
)
def test_a_size_has_three_digits_and_a_unit(size: int, words: str) -> None:
    assert size_words(size) == words

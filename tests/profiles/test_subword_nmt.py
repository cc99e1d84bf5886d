"""subword-nmt: its codes, read from a file as its command line reads it."""

import codecs
import io
from pathlib import Path

import pytest

from engine.profiles import PROFILES

from .lists import MERGES, symbols_of, trainer_of

POLICY = PROFILES["subword-nmt"].policy


def codes(path: Path, merges: int = MERGES) -> list[tuple[str, ...]]:
    """The pairs that it learns from a file."""
    learn = pytest.importorskip("subword_nmt.learn_bpe")
    found = io.StringIO()
    with codecs.open(str(path), encoding="utf-8") as lines:
        learn.learn_bpe(lines, found, merges)
    return [tuple(line.split(" ")) for line in found.getvalue().removesuffix("\n").split("\n")[1:] if line]


def test_codes(text: str, file: Path) -> None:
    assert codes(file) == symbols_of(trainer_of(text, POLICY))


@pytest.mark.parametrize("text", ["\t\t\tb\t\t\t\t\tb\t", "a</w>a</w>a"])
def test_departures(text: str, file: Path) -> None:
    assert codes(file) != symbols_of(trainer_of(text, POLICY))
    assert f"`{text!r}`".replace("'", "") in " ".join(PROFILES["subword-nmt"].departures)

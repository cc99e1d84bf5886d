"""SafeText: made in one place, cut without halves."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looks import looking
from rich.cells import cell_len

from bpe_tui.text.cells import show
from bpe_tui.text.glyphs import Look
from bpe_tui.text.safe import EMPTY, Kind, SafeText, join

ROOT = Path(__file__).resolve().parents[2]


def test_labels_are_our_words_only() -> None:
    assert SafeText.label("512 of 8,192 · by count").pieces == (("512 of 8,192 · by count", Kind.MARK),)
    for foreign in ("é", "\x1b[2J", "a\nb", "日", "\u202e", "␣"):
        with pytest.raises(ValueError, match="not a mark of ours"):
            SafeText.label(foreign)


def test_labels_are_swapped_in_ascii() -> None:
    with looking(Look(ascii=True)):
        assert SafeText.label("▸ a → b · …").plain == "* a > b . ~"


def test_unprintable_text_cannot_be_made_safe_by_construction() -> None:
    for bad in ("\n", "\x1b", "\u200b", "\ue000", "\u2028"):
        with pytest.raises(ValueError, match="not safe to draw"):
            SafeText(((bad, Kind.PLAIN),))


@pytest.mark.parametrize(
    ("data", "width", "cells"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc›"),
        ("abcdef", 1, "›"),
        ("abcdef", 0, ""),
        ("日本語", 5, "日本›"),
        ("日本語", 4, "日 ›"),
        ("a\u200bb", 7, "a     ›"),  # an escape is never cut, so never mistaken
        ("a\u200bb", 8, "a‹200B›b"),
    ],
)
def test_crop(data: str, width: int, cells: str) -> None:
    assert show(data.encode()).crop(width).plain == cells


def test_fit_and_join() -> None:
    text = show("日".encode())
    assert (text.fit(4).plain, text.fit(4, "right").plain, text.fit(1).plain) == ("日  ", "  日", "›")
    assert join([text, text, EMPTY], SafeText.label("+")).plain == "日+日+"
    assert not EMPTY
    assert text + EMPTY == text


@given(st.binary(max_size=30), st.integers(0, 40))
def test_fit_is_exact(data: bytes, width: int) -> None:
    for shown in (show(data).fit(width), show(data).fit(width, "right")):
        assert shown.width == cell_len(shown.plain) == width


def test_nothing_outside_the_text_package_makes_safe_text() -> None:
    makers = []
    for file in (ROOT / "bpe_tui").rglob("*.py"):
        if file.parent.name == "text":
            continue
        calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call) and node.args]
        makers += [file for call in calls if _name(call.func) == "SafeText"]
    assert makers == []


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""

"""Every code point there is, against Unicode's own tables and two width tables."""

import unicodedata

import pytest
import regex
from rich.cells import cell_len

from bpe_tui.text.codepoints import stands_alone
from bpe_tui.text.glyphs import MARKS, Look

EVERY = [chr(c) for c in range(0x110000)]


@pytest.fixture(scope="module")
def raw() -> list[str]:
    """The characters that go to a terminal as they are."""
    return [char for char in EVERY if stands_alone(char, Look())]


def test_each_takes_one_or_two_cells(raw: list[str]) -> None:
    assert {cell_len(char) for char in raw} == {1, 2}


def test_none_forms_a_cluster_with_a_neighbour(raw: list[str]) -> None:
    alone = regex.compile(r"[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}]")
    assert [char for char in raw if not alone.fullmatch(char)] == []


def test_none_is_ignorable_or_changes_an_emoji(raw: list[str]) -> None:
    bad = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Variation_Selector}\p{Bidi_C}]")
    assert [char for char in raw if bad.fullmatch(char)] == []


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the count is of Unicode 14")
def test_how_many_there_are(raw: list[str]) -> None:
    # 141,836 counts the rules as first written, with the 33 control pictures the display makes itself; 140
    # letters that UAX 29 joins to a neighbour and the token edge are escaped besides.
    assert len(raw) == 141_836 - 33 - 140 - 1


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the count is of Unicode 14")
def test_ambiguous_characters(raw: list[str]) -> None:
    # 902 of East-Asian width A, one of which is the token edge.
    narrow = Look(ambiguous_wide=True)
    assert len(raw) - sum(stands_alone(char, narrow) for char in raw) == 901 + 1  # and ASCII's | for the edge


def test_ordinary_writing_stays_readable() -> None:
    text = "Größe, naïve; Ελληνικά Русский 日本語 한국어 עברית عربي हद ไทย 😀 ½ € “q” – x²"
    assert all(stands_alone(char, Look()) for char in text if char != " ")


def test_our_marks_take_one_cell_and_have_an_ascii_twin() -> None:
    assert {cell_len(mark) for mark in MARKS} == {1}
    assert all(len(twin) == 1 and " " < twin <= "~" for twin in MARKS.values())
    swapped = Look(ambiguous_wide=True).mark("".join(MARKS))
    assert "A" not in {unicodedata.east_asian_width(char) for char in swapped}
    with pytest.raises(ValueError, match=r"U\+005B|U\+001B"):
        Look().mark("\x1b[")

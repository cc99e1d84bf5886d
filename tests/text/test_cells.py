"""Bytes to cells, rule by rule. Expected cells are written by hand from the rules and the Unicode charts."""

import ast

import pytest
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from looks import LOOKS, looking
from rich.cells import cell_len

from bpe_tui.text.cells import Mode, NotADisplay, clip, pieces, show, show_str, spell, unshow
from bpe_tui.text.glyphs import Look
from bpe_tui.text.safe import Kind

PLAIN, SPACE, CONTROL = Kind.PLAIN, Kind.SPACE, Kind.CONTROL
BAD, HIDDEN, MARK = Kind.BAD_BYTE, Kind.HIDDEN, Kind.MARK

DATA = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=20).map(lambda s: s.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from([*HOSTILE.values()][:-1]), max_size=3).map(b"".join),
    st.text("␣‹›│<>|_E6A920 ", max_size=20).map(str.encode),
)

RULES = [
    # 1: strictly, piece by piece, inside the token
    (b"caf\xc3\xa9", "café"),
    (b"\xe6\x97", "‹E6›‹97›"),
    (b"\xa5", "‹A5›"),
    (b"\xe6\x97a", "‹E6›‹97›a"),
    (b"\xc0\xaf", "‹C0›‹AF›"),
    (b"\xe0\x80\xaf", "‹E0›‹80›‹AF›"),
    (b"\xed\xa0\x80", "‹ED›‹A0›‹80›"),
    (b"\xf4\x90\x80\x80", "‹F4›‹90›‹80›‹80›"),
    (b"\xff\xfe", "‹FF›‹FE›"),
    # 2: the space, C0 and DEL
    (b" the", "␣the"),
    (b"\x00\t\n\r\x1b[31m\x7f", "␀␉␊␍␛[31m␡"),
    # 3: nothing hidden, joining or disputed
    ("\u0085".encode(), "‹0085›"),
    ("a\u200bb".encode(), "a‹200B›b"),
    ("\u202eabc\u2066".encode(), "‹202E›abc‹2066›"),
    ("\u00ad\ufeff\U000e0041".encode(), "‹00AD›‹FEFF›‹E0041›"),
    ("\u00a0\u3000\u2028\u2029".encode(), "‹00A0›‹3000›‹2028›‹2029›"),
    ("e\u0301".encode(), "e‹0301›"),
    ("👩\u200d👧".encode(), "👩‹200D›👧"),
    ("❤\ufe0f".encode(), "❤‹FE0F›"),
    ("🇩🇪".encode(), "‹1F1E9›‹1F1EA›"),
    ("👍🏽".encode(), "👍‹1F3FD›"),
    ("\u1112\u1161\u11ab한".encode(), "‹1112›‹1161›‹11AB›한"),
    ("\u3164\u2800".encode(), "‹3164›‹2800›"),
    ("\ue000\U0010fffd".encode(), "‹E000›‹10FFFD›"),
    ("\u0378\uffff".encode(), "‹0378›‹FFFF›"),
    ("\u0e01\u0e33".encode(), "ก‹0E33›"),
    # 4: reserved glyphs
    ("␣‹›␊│".encode(), "‹2423›‹2039›‹203A›‹240A›‹2502›"),
    # 5, 6: wide characters and right-to-left letters as they are, in logical order
    ("日本".encode(), "日本"),
    ("😀".encode(), "😀"),
    ("שלום".encode(), "שלום"),
    # markup has no meaning
    (b"[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
    (b"<20>|", "<20>|"),
]


@pytest.mark.parametrize(("data", "cells"), RULES, ids=[cells for _, cells in RULES])
def test_text_mode(data: bytes, cells: str) -> None:
    assert show(data).plain == cells


ASCII_RULES = [
    (b" the\n", "<20>the<0A>"),
    (b"\xc3\xa9", "<00E9>"),
    (b"\xe9", "<E9>"),
    (b"a<b|c>", "a<3C>b<7C>c<3E>"),
    ("日".encode(), "<65E5>"),
    (b"\x7f\x1b", "<7F><1B>"),
]


@pytest.mark.parametrize(("data", "cells"), ASCII_RULES)
def test_text_mode_in_ascii(data: bytes, cells: str) -> None:
    with looking(Look(ascii=True)):
        assert show(data).plain == cells


def test_strict_rtl_escapes_right_to_left_letters_and_digits_only() -> None:
    with looking(Look(strict_rtl=True)):
        assert show("aשم٣é".encode()).plain == "a‹05E9›‹0645›‹0663›é"


def test_a_terminal_with_wide_ambiguous_characters_gets_none() -> None:
    with looking(Look(ambiguous_wide=True)):
        assert show("a§→日|│".encode()).plain == "a‹00A7›‹2192›日‹7C›‹2502›"


def test_other_modes() -> None:
    data = b" a\\\n\xe6'\""
    assert show(data, Mode.ESCAPE).plain == r"""\x20a\\\n\xe6'""" + '"'
    assert show(data, Mode.HEX).plain == "20 61 5C 0A E6 27 22"
    assert show(data, Mode.GPT2).plain == "Ġa\\Ċæ'\""


def test_kinds() -> None:
    assert show(b"ab \n\xe6\xe2\x80\x8b").pieces == (
        ("ab", PLAIN),
        ("␣", SPACE),
        ("␊", CONTROL),
        ("‹E6›", BAD),
        ("‹200B›", HIDDEN),
    )
    assert show(b"a \n", Mode.HEX).pieces == (
        ("61", PLAIN),
        (" ", MARK),
        ("20", SPACE),
        (" ", MARK),
        ("0A", CONTROL),
    )


def test_pieces_know_their_bytes_and_cells() -> None:
    assert pieces("a日\u200b".encode() + b"\xff") == (
        ("a", PLAIN, 0, 1, 1),
        ("日", PLAIN, 1, 4, 2),
        ("‹200B›", HIDDEN, 4, 7, 6),
        ("‹FF›", BAD, 7, 8, 4),
    )


def test_clip_gives_each_character_to_the_part_where_it_starts() -> None:
    cells = pieces("a日b".encode())
    assert [clip(cells, 0, 2).plain, clip(cells, 2, 5).plain] == ["a日", "b"]
    assert [clip(pieces(b"abcd", Mode.HEX), i, i + 2).plain for i in (0, 2)] == ["61 62", "63 64"]


def test_strings_follow_the_same_rules() -> None:
    name = b"r\xe9sum\xc3\xa9 \x1b[2J.txt".decode("utf-8", "surrogateescape")
    assert show_str(name).plain == "r‹E9›sumé␣␛[2J.txt"
    assert show_str("no such\u202e file\n", prose=True).plain == "no such‹202E› file␊"
    assert show_str("\ud800").pieces == (("‹D800›", HIDDEN),)


def test_a_width_cuts_long_data_without_reading_it_all() -> None:
    assert show(b"x" * 5000, width=5).plain == "xxxx›"
    assert show("日本語".encode(), width=4).plain == "日 ›"
    assert show("日本語".encode(), width=6).plain == "日本語"
    assert show_str("x" * 5000, width=3).plain == "xx›"
    assert show(b"abc", width=0).plain == show(b"abc", width=-9).plain == ""


@given(DATA, st.integers(0, 12), st.sampled_from(Mode))
def test_a_width_equals_cropping_the_whole(data: bytes, width: int, mode: Mode) -> None:
    assert show(data, mode, width=width).plain == show(data, mode).crop(width).plain


@given(DATA, st.sampled_from(LOOKS))
def test_text_mode_gives_the_bytes_back(data: bytes, look: Look) -> None:
    with looking(look):
        assert unshow(show(data).plain) == data


@given(st.lists(DATA, max_size=4), st.sampled_from(LOOKS))
def test_a_copied_row_of_tokens_gives_the_bytes_back(tokens: list[bytes], look: Look) -> None:
    with looking(look):
        row = look.mark("│").join(show(token).plain for token in tokens)
        assert unshow(row) == b"".join(tokens)


@given(DATA, DATA, st.sampled_from(LOOKS))
def test_widths_are_rich_s_and_add_up(one: bytes, two: bytes, look: Look) -> None:
    with looking(look):
        left, right = show(one), show(two)
        assert left.width == cell_len(left.plain) == sum(piece.width for piece in pieces(one))
        assert cell_len(left.plain + right.plain) == left.width + right.width


@given(DATA, st.sampled_from(Mode), st.sampled_from(LOOKS))
def test_nothing_hidden_is_ever_drawn(data: bytes, mode: Mode, look: Look) -> None:
    with looking(look):
        plain = show(data, mode).plain
    assert plain.isprintable()
    assert plain.isascii() or not look.ascii
    assert not set(plain) & set("\u0301\u0489\u093f\ufe0f\u200d\u1161\u3164\u2800\u00a0\ue000🇩🏽")


@given(st.binary(max_size=40), st.sampled_from(Mode))
def test_pieces_cover_the_bytes_once(data: bytes, mode: Mode) -> None:
    at = 0
    for piece in pieces(data, mode):
        assert piece.start == at
        at = piece.stop
    assert at == len(data)


@given(st.binary(max_size=12), st.binary(max_size=12), st.sampled_from(Mode), st.sampled_from(LOOKS))
def test_two_tokens_never_look_the_same(one: bytes, two: bytes, mode: Mode, look: Look) -> None:
    with looking(look):
        assert (show(one, mode).plain == show(two, mode).plain) == (one == two)


@given(st.binary(max_size=30))
def test_escape_mode_is_a_python_bytes_literal(data: bytes) -> None:
    literal = show(data, Mode.ESCAPE).plain.replace('"', r"\"")
    assert ast.literal_eval(f'b"{literal}"') == data


@pytest.mark.parametrize("token", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_hostile_tokens(token: bytes, look: Look) -> None:
    with looking(look):
        shown = show(token)
    assert shown.plain.isprintable()
    assert shown.width == cell_len(shown.plain) >= len(token.decode("utf-8", "replace")) > 0


@pytest.mark.parametrize("copied", ["‹", "‹E6", "‹zz›", "‹D800›", "‹110000›", "›", "\ud800", "‹E›"])
def test_what_cannot_come_from_the_display_is_refused(copied: str) -> None:
    with pytest.raises(NotADisplay, match="not copied from the display"):
        unshow(copied)


def test_typed_text_is_spelled_safely() -> None:
    assert spell("a b‹E6›␊") == "a b‹E6›␊"
    assert spell("‹E6 \x1b[31m\u200b│é") == "‹2039›E6 ␛[31m‹200B›‹2502›é"
    with looking(Look(ascii=True)):
        assert spell("<div>|<E6>") == "<3C>div<3E><7C><E6>"


@given(st.text() | DATA.map(lambda data: show(data).plain), st.sampled_from(LOOKS))
def test_whatever_is_typed_can_be_drawn_and_read(typed: str, look: Look) -> None:
    with looking(look):
        assert spell(typed).isprintable()
        assert spell(typed).isascii() or not look.ascii
        if not any("\ud800" <= char < "\udc80" or "\udcff" < char < "\ue000" for char in typed):
            unshow(spell(typed))


@given(DATA, st.sampled_from(LOOKS))
def test_what_is_copied_from_the_display_stays_when_pasted(data: bytes, look: Look) -> None:
    with looking(look):
        assert spell(show(data).plain) == show(data).plain

"""The UTF-8 class of token bytes: by hand, and by putting the bytes where they claim to fit."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.utf8 import Part, PartKind, Place, Utf8Class, code_points, parts, places, utf8_class

BY_HAND = {
    "": Utf8Class.TEXT,
    "41": Utf8Class.TEXT,
    "f09fa680": Utf8Class.TEXT,
    "f48fbfbf": Utf8Class.TEXT,
    "ed9fbf": Utf8Class.TEXT,
    "20d0": Utf8Class.HEAD,
    "d0b0d1": Utf8Class.HEAD,
    "e2": Utf8Class.HEAD,
    "e282": Utf8Class.HEAD,
    "f09fa6": Utf8Class.HEAD,
    "b0": Utf8Class.MIDDLE,
    "97a5": Utf8Class.MIDDLE,
    "808080": Utf8Class.TAIL,
    "b020": Utf8Class.TAIL,
    "82acd0b0": Utf8Class.TAIL,
    "b0d0": Utf8Class.TAIL_HEAD,
    "808080e282": Utf8Class.TAIL_HEAD,
    "80808080": Utf8Class.IMPOSSIBLE,
    "c0": Utf8Class.IMPOSSIBLE,
    "c1bf": Utf8Class.IMPOSSIBLE,
    "f5": Utf8Class.IMPOSSIBLE,
    "ff": Utf8Class.IMPOSSIBLE,
    "e080": Utf8Class.IMPOSSIBLE,
    "e09f": Utf8Class.IMPOSSIBLE,
    "eda0": Utf8Class.IMPOSSIBLE,
    "f080": Utf8Class.IMPOSSIBLE,
    "f490": Utf8Class.IMPOSSIBLE,
    "d0d0b0": Utf8Class.IMPOSSIBLE,
    "e28220": Utf8Class.IMPOSSIBLE,
    "20b0": Utf8Class.IMPOSSIBLE,
    "d0b0b0": Utf8Class.IMPOSSIBLE,
}


@pytest.mark.parametrize(("data", "expected"), BY_HAND.items())
def test_classes(data: str, expected: Utf8Class) -> None:
    assert utf8_class(bytes.fromhex(data)) is expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("b020d0", [(0, 1, "continuation"), (1, 2, "text"), (2, 3, "head")]),
        ("80ffd0", [(0, 1, "continuation"), (1, 2, "impossible"), (2, 3, "head")]),
        ("41b0c0d0b0", [(0, 1, "text"), (1, 3, "impossible"), (3, 5, "text")]),
        ("8080808041", [(0, 4, "impossible"), (4, 5, "text")]),
        ("d0e282", [(0, 1, "impossible"), (1, 3, "head")]),
        ("eda080", [(0, 3, "impossible")]),
    ],
)
def test_parts_by_hand(data: str, expected: list[tuple[int, int, str]]) -> None:
    assert parts(bytes.fromhex(data)) == [Part(start, stop, PartKind(kind)) for start, stop, kind in expected]


@given(st.binary(max_size=12) | st.text(max_size=6).map(str.encode))
def test_parts_cover_all_bytes_in_order_and_text_parts_are_whole(data: bytes) -> None:
    found = parts(data)
    assert b"".join(data[p.start : p.stop] for p in found) == data
    assert all(p.start < p.stop for p in found)
    assert all(a.kind is not b.kind for a, b in pairwise(found))
    for part in found:
        if part.kind is PartKind.TEXT:
            data[part.start : part.stop].decode()
    assert all(p.stop == len(data) for p in found if p.kind is PartKind.HEAD)
    assert all(p.start == 0 for p in found if p.kind is PartKind.CONTINUATION)


LEADS = [b"", b"\xc2", b"\xe1", b"\xe1\x80", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80"]
ENDS = [b"", *(bytes([b, *rest]) for b in (0x80, 0x90, 0xA0) for rest in ([], [0x80], [0x80, 0x80]))]


def fits_somewhere(data: bytes) -> bool:
    for lead in LEADS:
        for end in ENDS:
            try:
                (lead + data + end).decode()
            except UnicodeDecodeError:
                continue
            return True
    return False


@given(st.text(min_size=1, max_size=4).map(str.encode), st.data())
def test_every_cut_of_valid_text_is_possible(text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    assert utf8_class(text[start:stop]) is not Utf8Class.IMPOSSIBLE


@given(
    st.lists(st.sampled_from(list(b"\x41\x80\x9f\xa0\xbf\xc0\xc2\xe0\xe1\xed\xf0\xf1\xf4\xf5")), max_size=6).map(bytes)
)
def test_impossible_is_exactly_what_fits_nowhere(data: bytes) -> None:
    assert (utf8_class(data) is not Utf8Class.IMPOSSIBLE) == fits_somewhere(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("20d0", [(1, 1, 2)]),
        ("e282", [(1, 2, 3)]),
        ("f09fa6", [(1, 3, 4)]),
        ("97a5", [(2, 3, 3), (2, 3, 4), (3, 4, 4)]),
        ("b0", [(2, 2, 2), (2, 2, 3), (3, 3, 3), (2, 2, 4), (3, 3, 4), (4, 4, 4)]),
        ("808080", [(2, 4, 4)]),
        ("b020", [(2, 2, 2), (3, 3, 3), (4, 4, 4)]),
        ("b0d0", [(1, 1, 2)]),
        ("41", []),
        ("", []),
        ("ff", []),
    ],
)
def test_places_of_fragments(data: str, expected: list[tuple[int, int, int]]) -> None:
    assert places(bytes.fromhex(data)) == [Place(*place) for place in expected]


@given(st.characters(exclude_categories=["Cs"], min_codepoint=0x80), st.data())
def test_code_points_of_a_head_hold_every_character_that_begins_so(character: str, data: st.DataObject) -> None:
    encoded = character.encode()
    low, high = code_points(encoded[: data.draw(st.integers(1, len(encoded) - 1))])
    assert low <= ord(character) <= high


@pytest.mark.parametrize(
    ("head", "low", "high"),
    [
        ("d0", 0x400, 0x43F),
        ("e0", 0x800, 0xFFF),
        ("ed", 0xD000, 0xD7FF),
        ("f4", 0x100000, 0x10FFFF),
        ("e282", 0x2080, 0x20BF),
    ],
)
def test_code_points_by_hand(head: str, low: int, high: int) -> None:
    assert code_points(bytes.fromhex(head)) == (low, high)


@pytest.mark.parametrize("data", [b"", b"a", b"\x80", b"\xc0", b"\xd0\xb0", b"a\xd0"])
def test_code_points_need_a_head(data: bytes) -> None:
    with pytest.raises(ValueError, match="does not begin a character"):
        code_points(data)

"""Two encodings side by side: stretches by hand, and what holds for any two ways to cut a text."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.alignment import Stretch, places, stretches


def test_stretches_by_hand() -> None:
    text = b"the cats"
    a, b = places(text, [b"the", b" c", b"at", b"s"]), places(text, [b"the", b" ca", b"t", b"s"])
    assert a == [(0, 3), (3, 5), (5, 7), (7, 8)]
    assert list(stretches(a, b, len(text))) == [
        Stretch(0, 3, ((0, 3),), ((0, 3),)),
        Stretch(3, 7, ((3, 5), (5, 7)), ((3, 6), (6, 7))),
        Stretch(7, 8, ((7, 8),), ((7, 8),)),
    ]


def test_dropped_text_is_a_difference_only_where_one_side_keeps_it() -> None:
    text = b"a b"
    dropping, keeping = places(text, [b"a", b"b"]), places(text, [b"a", b" ", b"b"])
    assert [s.equal for s in stretches(dropping, keeping, 3)] == [True, False, True]
    assert all(s.equal for s in stretches(dropping, dropping, 3))


def test_marks_without_bytes_and_text_that_is_not_there_have_no_place() -> None:
    assert places(b"ab", [b"", b"a", b"zz", b"b"]) == [(0, 1), (1, 2)]


def test_an_empty_text() -> None:
    assert list(stretches([], [], 0)) == []


@st.composite
def cut(draw: st.DrawFn) -> tuple[bytes, list[bytes], list[bytes]]:
    """A text, cut in two ways."""
    text = draw(st.binary(min_size=1, max_size=40))

    def way() -> list[bytes]:
        inner = draw(st.lists(st.integers(0, len(text)), max_size=12))
        return [text[i:j] for i, j in pairwise(sorted({0, len(text), *inner}))]

    return text, way(), way()


@given(cut())
def test_every_token_is_in_one_stretch_and_differences_are_as_short_as_can_be(
    case: tuple[bytes, list[bytes], list[bytes]],
) -> None:
    text, *ways = case
    a, b = (places(text, way) for way in ways)
    found = list(stretches(a, b, len(text)))
    assert b"".join(text[s.start : s.stop] for s in found) == text
    assert [place for s in found for place in s.a] == a
    assert [place for s in found for place in s.b] == b
    for s in found:
        inner = [{edge for place in side for edge in place} - {s.start, s.stop} for side in (s.a, s.b)]
        assert not inner[0] & inner[1]
        assert s.equal == (len(s.a) == len(s.b) == 1)

r"""Queries: plain text as typed or copied, bytes as \xE6, re: and is:."""

import re

import pytest
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.text.cells import show
from bpe_tui.views.search import matcher, needle_of
from engine.errors import Refusal


@pytest.mark.parametrize(
    ("query", "needle"),
    [
        ("the", b"the"),
        (" the", b" the"),
        ("␣the", b" the"),
        (r"\xE6", b"\xe6"),
        (r"\xe6\x97\xa5", "日".encode()),
        (r"a\xE6b", b"a\xe6b"),
        ("‹E6›‹97›", b"\xe6\x97"),
        ("‹200B›", "\u200b".encode()),
        ("␊", b"\n"),
        (r"\n", rb"\n"),
        (r"\xZZ", rb"\xZZ"),
        ("日", "日".encode()),
        ("re", b"re"),
        ("", b""),
        ("\x1b[2J", b"\x1b[2J"),
    ],
)
def test_what_a_plain_query_means(query: str, needle: bytes) -> None:
    assert needle_of(query) == needle


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_whatever_is_shown_can_be_copied_and_found(data: bytes) -> None:
    if rb"\x" not in data and b"\xe2\x94\x82" not in data:
        assert needle_of(show(data).plain) == data


def test_an_expression_is_over_bytes() -> None:
    assert matcher(r"re:^\xe6.$")(b"\xe6\x97")
    assert not matcher(r"re:^\xe6.$")(b"\xe6\x97\xa5")
    assert matcher("re:日")("x日".encode())
    assert matcher("re:")(b"")


def test_a_class_is_by_the_whole_entry() -> None:
    assert matcher("is:head")(b"\xe6\x97")
    assert not matcher("is:head")(b"a")
    assert matcher("is: impossible ")(b"\xff")
    assert matcher("is:text")("日".encode())


@pytest.mark.parametrize(
    "query", ["re:(", "re:[", "re:*", "re:(?P<", "re:\\", "re:a{2,1}", "is:", "is:Text", "is:\x1b[2J"]
)
def test_bad_queries_are_refused_in_one_plain_line(query: str) -> None:
    with pytest.raises(Refusal) as refused:
        matcher(query)
    assert str(refused.value).isprintable()
    assert str(refused.value).isascii()


def test_an_unknown_class_names_the_known_ones() -> None:
    with pytest.raises(Refusal, match=re.escape("choose text, head, middle, tail, tail+head, impossible")):
        matcher("is:words")


@given(st.text(st.sampled_from("re:is \\xE6‹›│␣()[]*?+.|^$a日\x1b\u202e\udce6")))
def test_any_query_is_read_or_refused(query: str) -> None:
    try:
        fits = matcher(query)
    except Refusal:
        return
    assert fits(b"a\xe6") in (True, False)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?R)", "calls a part of the pattern"),
        ("((a{1000}){1000}){1000}", "is too large"),
        ("(" * 1000 + ")" * 1000, "nested too deep"),
    ],
)
def test_an_expression_that_could_take_all_memory_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        matcher(f"re:{pattern}")


def test_an_escaped_parenthesis_calls_nothing() -> None:
    assert matcher(r"re:\(?R\)")(b"(R)")

"""Boundaries: no byte lost, published patterns by hand, invalid UTF-8 and special tokens."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import BYTE_BOUNDARIES
from scanned import awkward_text, random_texts

from engine.errors import PolicyRefusal
from engine.policy import Policy
from engine.pretokenize import splitter

LINE = re.compile(rb"[^\n]*\n|[^\n]+")
texts = st.binary(max_size=40) | st.text(max_size=20).map(lambda t: t.encode("utf-8", "surrogatepass"))


def pieces(boundary: str, text: str | bytes, unmatched: str = "kept", specials: tuple[str, ...] = ()) -> list[str]:
    policy = Policy(boundary=boundary, unmatched=unmatched, special_tokens=specials)
    data = text.encode() if isinstance(text, str) else text
    return [piece.decode("utf-8", "surrogateescape") for _, piece in splitter(policy)(data)]


@given(texts, st.sampled_from([*BYTE_BOUNDARIES, "pattern:a+|\\s", "pattern:(?=b)b"]))
def test_kept_pieces_join_to_the_document_and_know_where_they_start(data: bytes, boundary: str) -> None:
    found = list(splitter(Policy(boundary=boundary))(data))
    assert b"".join(piece for _, piece in found) == data
    at = 0
    for start, piece in found:
        assert start == at
        assert piece
        at += len(piece)


@given(texts, st.sampled_from(BYTE_BOUNDARIES))
def test_dropped_pieces_are_some_of_the_kept_ones(data: bytes, boundary: str) -> None:
    kept = list(splitter(Policy(boundary=boundary))(data))
    dropped = list(splitter(Policy(boundary=boundary, unmatched="dropped"))(data))
    assert set(dropped) <= set(kept)


@given(texts, st.lists(st.sampled_from(["a", "ab", "<|x|>", " "]), max_size=3, unique=True).map(tuple))
def test_special_tokens_give_no_piece_and_move_no_offset(data: bytes, specials: tuple[str, ...]) -> None:
    found = list(splitter(Policy(boundary="whitespace", special_tokens=specials))(data))
    assert all(data[start : start + len(piece)] == piece for start, piece in found)
    assert all(special.encode() not in piece for _, piece in found for special in specials)


@pytest.mark.parametrize(
    ("boundary", "text", "expected"),
    [
        ("document", "a b\nc", ["a b\nc"]),
        ("document", "", []),
        ("line", "a b\n\nc", ["a b\n", "\n", "c"]),
        ("spaces", "a  b\tc ", ["a", "  ", "b\tc", " "]),
        ("ascii-whitespace", "a\t\u00a0b\x1cc d", ["a", "\t", "\u00a0b\x1cc", " ", "d"]),
        ("whitespace", "a\u00a0b\u2003c", ["a", "\u00a0", "b", "\u2003", "c"]),
        ("whitespace", " a ", [" ", "a", " "]),
        ("gpt2", "a1", ["a", "1"]),
        ("gpt2", "Hello world's 2024!!", ["Hello", " world", "'s", " 2024", "!!"]),
        ("gpt2", "we'LL", ["we", "'", "LL"]),
        ("gpt2", "a   b\n\n", ["a", "  ", " b", "\n\n"]),
        ("gpt2", "привет, мир", ["привет", ",", " мир"]),
        ("cl100k", "Hello world's 12345", ["Hello", " world", "'s", " ", "123", "45"]),
        ("cl100k", "we'LL", ["we", "'LL"]),
        ("cl100k", "(name)!\n\nx", ["(name", ")!\n\n", "x"]),
        ("cl100k", "a  b", ["a", " ", " b"]),
        ("o200k", "camelCase HTTPServer", ["camel", "Case", " HTTPServer"]),
        ("o200k", "we'LL don't", ["we'LL", " don't"]),
        ("o200k", "a/b //\n12345", ["a", "/b", " //\n", "123", "45"]),
        ("pattern:[0-9]+", "ab12c3", ["ab", "12", "c", "3"]),
    ],
)
def test_pieces_by_hand(boundary: str, text: str, expected: list[str]) -> None:
    assert pieces(boundary, text) == expected


@pytest.mark.parametrize(
    ("boundary", "text", "expected"),
    [
        ("spaces", "a  b ", ["a", "b"]),
        ("whitespace", "\u2028a\u00a0b", ["a", "b"]),
        ("pattern:[0-9]+", "ab12c3", ["12", "3"]),
    ],
)
def test_unmatched_text_can_be_dropped(boundary: str, text: str, expected: list[str]) -> None:
    assert pieces(boundary, text, "dropped") == expected


def test_offsets_count_bytes() -> None:
    found = list(splitter(Policy(boundary="whitespace", unmatched="dropped"))("é ü 🦀".encode()))
    assert [start for start, _ in found] == [0, 3, 6]


@pytest.mark.parametrize("boundary", ["gpt2", "cl100k", "o200k"])
def test_by_line_each_line_is_cut_by_itself(boundary: str) -> None:
    cut, by_line = splitter(Policy(boundary=boundary)), splitter(Policy(boundary=f"{boundary}-by-line"))
    rolls = random.Random(boundary)
    parted = 0
    for _ in range(random_texts()):
        text = awkward_text(rolls, 24)
        found = [piece for _, piece in by_line(text)]
        assert found == [piece for line in LINE.findall(text) for _, piece in cut(line)], text
        parted += found != [piece for _, piece in cut(text)]
    assert parted > 100


@pytest.mark.parametrize("boundary", ["whitespace", "gpt2", "cl100k", "o200k"])
def test_bytes_that_are_no_utf8_are_neither_letters_nor_space(boundary: str) -> None:
    found = [piece for _, piece in splitter(Policy(boundary=boundary))(b"a \xff\xfe b\xd0")]
    assert b"".join(found) == b"a \xff\xfe b\xd0"
    joined = {"whitespace": [b"a", b" ", b"\xff\xfe", b" ", b"b\xd0"]}
    assert found == joined.get(boundary, [b"a", b" \xff\xfe", b" b", b"\xd0"])


def test_special_tokens_are_cut_out_longest_first() -> None:
    assert pieces("document", "a<|x|>b<|x|>>c", specials=("<|x|>", "<|x|>>")) == ["a", "b", "c"]
    assert pieces("spaces", "a<|x|> b", specials=("<|x|>",)) == ["a", " ", "b"]
    assert pieces("document", "<|x|>", specials=("<|x|>",)) == []
    assert pieces("document", "a.c abc", specials=("a.c",)) == [" abc"]


def test_special_tokens_can_count_as_text() -> None:
    policy = Policy(special_tokens=("<|x|>",), special_tokens_as="text")
    assert list(splitter(policy)(b"a<|x|>b")) == [(0, b"a<|x|>b")]


def test_repeats_that_are_no_more_than_their_pattern_are_compiled() -> None:
    assert pieces(r"pattern:\p{N}{1,3}|a{0,1000000}b|(?:c{2}){3}|\{2", "1234aab{2cccccc") == [
        "123", "4", "aab", "{2", "cccccc",
    ]  # fmt: skip


def test_a_pattern_that_explodes_is_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.pretokenize.PATIENCE_S", 0.05)
    cut = splitter(Policy(boundary="pattern:(a|a)+b"))
    assert list(cut(b"aaab")) == [(0, b"aaab")]
    with pytest.raises(PolicyRefusal, match=r"takes more than 0 s on 41 characters: it tries the same text"):
        list(cut(b"a" * 40 + b"c"))


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", r"boundary pattern '\(' does not compile"),
        ("a*", r"boundary pattern 'a\*' matches the empty string"),
        ("", "boundary pattern '' matches the empty string"),
        ("[" + "\x1b", "does not compile"),
        ("(" * 5000 + ")" * 5000, "does not compile: it is nested too deep"),
        ("a{1000000000}", "is too large"),
        ("(?:(?:a{0001000}){1000,}){1000}", "is too large"),
        ("a{" + "9" * 9000 + "}", "is too large"),
        ("|".join(map(str, range(30_000))), "is too large"),
    ],
)
def test_a_pattern_that_cannot_cut_is_refused_in_one_line(pattern: str, message: str) -> None:
    with pytest.raises(PolicyRefusal, match=message) as caught:
        splitter(Policy(boundary=f"pattern:{pattern}"))
    assert str(caught.value).isprintable()

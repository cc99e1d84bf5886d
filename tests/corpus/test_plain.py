"""Plain text: no byte is changed on the way."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.plain import read_lines, read_separated, read_text
from engine.errors import CorpusRefusal

ODD = b"\xef\xbb\xbfone\r\ntwo\rstill two\x0b\x0c\n\n\xff\xfe\x00three\xe2\x80\xa8"


def test_the_whole_text() -> None:
    corpus = read_text(ODD, "odd.txt")
    assert [(d.id, d.data) for d in corpus.documents] == [("odd.txt", ODD)]
    assert (corpus.sha256, corpus.source_bytes) == (hashlib.sha256(ODD).hexdigest(), len(ODD))
    assert read_text(b"", "empty.txt").documents == ()


def test_lines_end_at_line_feeds_only_and_keep_them() -> None:
    assert [(d.id, d.data) for d in read_lines(ODD, "odd.txt").documents] == [
        ("line 1", b"\xef\xbb\xbfone\r\n"),
        ("line 2", b"two\rstill two\x0b\x0c\n"),
        ("line 3", b"\n"),
        ("line 4", b"\xff\xfe\x00three\xe2\x80\xa8"),
    ]


@given(st.lists(st.sampled_from([b"\n", b"\r", b"a", b"\xc2\x85"])).map(b"".join))
def test_lines_joined_are_the_source(source: bytes) -> None:
    lines = [d.data[:] for d in read_lines(source, "x").documents]
    assert b"".join(lines) == source
    assert all(line.count(b"\n") <= 1 and line.find(b"\n") in (-1, len(line) - 1) and line for line in lines)


def test_separated() -> None:
    corpus = read_separated(b"eins---\nzwei---\n---\ndrei---\n", "x", "---\n")
    assert [(d.id, d.data) for d in corpus.documents] == [("part 1", b"eins"), ("part 2", b"zwei"), ("part 4", b"drei")]
    assert corpus.notes == (r"cut at '---\n' into 3 documents", "dropped 2 empty documents")


def test_a_separator_may_be_any_text() -> None:
    assert [d.data for d in read_separated("a§b".encode(), "x", "§").documents] == [b"a", b"b"]
    assert [d.data for d in read_separated(b"a\xa7b", "x", "\udca7").documents] == [b"a", b"b"]
    assert [d.data for d in read_separated(b"a.b", "x", "..").documents] == [b"a.b"]
    assert read_separated(b"....", "x", "..").documents == ()
    with pytest.raises(CorpusRefusal, match="separator is empty"):
        read_separated(b"a", "x", "")

"""Word-count tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.words import read_words
from engine.errors import CorpusRefusal

MOST = 2**63 - 1


def counts(source: bytes) -> dict[bytes, int]:
    return {d.data[:]: d.weight for d in read_words(source, "x.tsv").documents}


def test_sennrichs_table() -> None:
    corpus = read_words(b"low\t5\nlower\t2\nnewest\t6\nwidest\t3\n", "words.tsv")
    assert [(d.id, d.data, d.weight) for d in corpus.documents] == [
        ("low", b"low", 5),
        ("lower", b"lower", 2),
        ("newest", b"newest", 6),
        ("widest", b"widest", 3),
    ]
    assert corpus.notes == ("4 distinct words on 4 lines; each word is a unit of its own",)


def test_lines_and_tabs() -> None:
    assert counts(b"a\t1\r\nb\tc\t2\nd e\t003") == {b"a": 1, b"b\tc": 2, b"d e": 3}
    assert counts(b"\xff\t1\n\xe2\x80\xa8\t2\na\rb\t3\n") == {b"\xff": 1, "\u2028".encode(): 2, b"a\rb": 3}


def test_equal_words_add_up_at_their_first_place() -> None:
    assert list(counts(b"a\t1\nb\t2\na\t3\n").items()) == [(b"a", 4), (b"b", 2)]
    assert counts(f"a\t{MOST - 1}\na\t1\n".encode()) == {b"a": MOST}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no tab in b''"),
        ("word", "no tab in b'word'"),
        ("word 5", "no tab in b'word 5'"),
        ("\t5", "the word before the tab is empty"),
        ("a\t", "count b'' is not a whole number from 1 to 9223372036854775807"),
        ("a\t0", "count 0 is out of range"),
        ("a\t000", "count 0 is out of range"),
        ("a\t-1", "count b'-1' is not a whole number"),
        ("a\t+1", "count b'+1' is not a whole number"),
        ("a\t1.0", "count b'1.0' is not a whole number"),
        ("a\t1_0", "count b'1_0' is not a whole number"),
        ("a\t 1", "count b' 1' is not a whole number"),
        ("a\tfive", "count b'five' is not a whole number"),
        ("a\t\u0661", "is not a whole number"),
        (f"a\t{MOST + 1}", "count 9223372036854775808 is out of range"),
        ("a\t" + "9" * 10_000, "is not a whole number from 1 to 9223372036854775807"),
        ("a\t1\r\r", r"count b'1\r' is not a whole number"),
        (f"first\t{MOST}", "the counts of b'first' add up to 9223372036854775808, over 9223372036854775807"),
    ],
)
def test_refusals_name_the_line(line: str, why: str) -> None:
    with pytest.raises(CorpusRefusal) as refusal:
        read_words(f"first\t1\n{line}\nlast\t1\n".encode(), "x.tsv")
    message = str(refusal.value)
    assert message.startswith("invalid word counts on line 2: ")
    assert why in message
    assert len(message) < 250


def test_nothing_counted() -> None:
    assert read_words(b"", "x.tsv").documents == ()


words = st.binary(min_size=1).filter(lambda w: b"\n" not in w)


@given(st.dictionaries(words, st.integers(1, MOST), min_size=1), st.sampled_from([b"\n", b"\r\n"]))
def test_a_table_reads_back(table: dict[bytes, int], end: bytes) -> None:
    assert counts(b"".join(b"%b\t%d%b" % (w, c, end) for w, c in table.items())) == table

"""Prepared JSON Lines: the practical course's published reader cases."""

import hashlib
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.document import Document
from engine.corpus.prepared import PreparedReader, ReadLimits, read_training_stream
from engine.errors import CorpusRefusal, IdentityRefusal, LimitRefusal, PolicyRefusal, Refusal


class Pieces(io.RawIOBase):
    """A raw stream that gives at most `width` bytes at a time, and may fail in the end."""

    def __init__(self, data: bytes, width: int, fails: bool = False) -> None:
        self._data = io.BytesIO(data)
        self._width = width
        self._fails = fails

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = self._data.read(min(self._width, len(buffer)))
        if not piece and self._fails:
            raise OSError(5, "Input/output error")
        buffer[: len(piece)] = piece
        return len(piece)


def in_pieces(data: bytes, width: int, fails: bool = False) -> io.BufferedReader:
    return io.BufferedReader(Pieces(data, width, fails), buffer_size=max(1, width))


def reader(data: bytes, **limits: int) -> PreparedReader:
    return PreparedReader(io.BytesIO(data), ReadLimits(**limits))


def record(id: str, text: str) -> bytes:
    return json.dumps({"id": id, "text": text}).encode() + b"\n"


def refusal(documents: PreparedReader) -> Refusal:
    with pytest.raises(Refusal) as caught:
        next(documents)
    return caught.value


def test_text_is_exact_and_other_members_are_kept() -> None:
    data = b'{"id":"source/7","text":"caf\\u00e9\\nfive","n":3,"tags":["a",null],"source":"x"}\n'
    documents = reader(data)
    assert next(documents) == Document(
        "source/7", "café\nfive".encode(), metadata={"n": "3", "tags": '["a",null]', "source": "x"}
    )
    assert (documents.documents, documents.text_bytes) == (1, 10)


def test_line_endings() -> None:
    data = b'{"id":"1","text":"a"}\n{"id":"2","text":"b"}\r\n{"id":"3","text":"c"}'
    documents = PreparedReader(in_pieces(data, 3), ReadLimits())
    assert [d.data for d in documents] == [b"a", b"b", b"c"]
    assert documents.sha256 == hashlib.sha256(data).hexdigest()
    assert documents.source_bytes == len(data)


def test_no_line_separator_but_the_line_feed() -> None:
    text = "a\u2028b\u0085c"
    assert [d.data for d in reader(record("1", text).replace(b"\\u2028", "\u2028".encode()))] == [text.encode()]


def test_empty_input_is_no_documents_twice() -> None:
    documents = reader(b"")
    assert list(documents) == []
    assert list(documents) == []


def test_reading_stops_for_good_at_the_first_refusal() -> None:
    documents = reader(record("a", "one") + b"not-json\n" + record("c", "two"))
    assert next(documents).data == b"one"
    assert str(refusal(documents)).startswith("invalid document JSON on line 2: ")
    assert list(documents) == []
    assert (documents.documents, documents.text_bytes) == (1, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b'{"id":"a","text":"\xff"}',
        b'{"id":"a"}',
        b'{"text":"a"}',
        b'{"id":1,"text":"a"}',
        b'{"id":"a","text":null}',
        b'{"id":"a","id":"a","text":"b"}',
        b'[{"id":"a","text":"b"}]',
        b'["a","b"]',
        b'"a"',
        b'{"id":"a","text":"b"} {"id":"c","text":"d"}',
        b'{"id":"a","text":"\\ud800"}',
        b'{"id":"a","text":"b","n":NaN}',
    ],
)
def test_a_malformed_record(data: bytes) -> None:
    assert str(refusal(reader(data))).startswith("invalid document JSON on line 1: ")


def test_white_space_alone_is_empty_but_never_trimmed() -> None:
    assert str(refusal(reader(record(" ", "a")))).startswith("line 1 has an empty id")
    assert str(refusal(reader(record("a", "\n\t")))).startswith("line 1 has an empty text")
    assert next(reader(record("a", " one \n"))).data == b" one \n"


def test_a_record_of_exactly_the_limit() -> None:
    data = record("a", "one")
    assert next(reader(data, max_record_bytes=len(data))).data == b"one"
    assert next(reader(data.strip(), max_record_bytes=len(data) - 1)).data == b"one"
    over = reader(data, max_record_bytes=len(data) - 1)
    message = refusal(over)
    assert isinstance(message, LimitRefusal)
    assert str(message).startswith(f"line 1 exceeds {len(data) - 1} source bytes")
    assert (over.documents, over.text_bytes) == (0, 0)


def test_a_long_line_is_refused_before_it_is_held() -> None:
    stream = io.BytesIO(b"x" * 4096)
    documents = PreparedReader(stream, ReadLimits(max_record_bytes=256))
    assert str(refusal(documents)).startswith("line 1 exceeds 256 source bytes")
    assert stream.tell() == documents.source_bytes == 257


def test_the_document_limit_needs_one_byte_more() -> None:
    documents = reader(record("a", "one") + b"x", max_documents=1)
    assert next(documents).data == b"one"
    assert str(refusal(documents)).startswith("corpus exceeds the 1-document read limit")
    assert [d.data for d in reader(record("a", "one"), max_documents=1)] == [b"one"]


def test_the_text_budget_counts_decoded_bytes() -> None:
    data = record("a", "one") + record("b", "two")
    documents = reader(data, max_total_text_bytes=5)
    assert next(documents).data == b"one"
    assert str(refusal(documents)).startswith("line 2 exceeds the 5-byte decoded-text budget")
    assert (documents.documents, documents.text_bytes) == (1, 3)
    assert len(list(reader(data, max_total_text_bytes=6, max_documents=2))) == 2
    assert len(list(reader(record("a", "é"), max_total_text_bytes=2))) == 1
    assert isinstance(refusal(reader(record("a", "é"), max_total_text_bytes=1)), LimitRefusal)


def test_a_failing_stream_is_no_end_of_input() -> None:
    documents = PreparedReader(in_pieces(b"", 8, fails=True), ReadLimits())
    assert str(refusal(documents)) == "cannot read line 1: Input/output error"
    documents = PreparedReader(in_pieces(record("a", "one") + b"{", 8, fails=True), ReadLimits())
    assert next(documents).data == b"one"
    assert str(refusal(documents)) == "cannot read line 2: Input/output error"


def test_repeated_records_are_two_documents() -> None:
    first, second = reader(record("a", "one") * 2)
    assert first == second


@pytest.mark.parametrize("name", ["max_record_bytes", "max_documents", "max_total_text_bytes"])
def test_limits_are_checked_before_reading(name: str) -> None:
    for value in (0, -1):
        with pytest.raises(PolicyRefusal, match=f"read limit {name}={value} is out of range"):
            ReadLimits(**{name: value})


def test_the_record_limit_stays_below_the_machines() -> None:
    with pytest.raises(PolicyRefusal, match="max_record_bytes"):
        ReadLimits(max_record_bytes=sys.maxsize)
    assert next(reader(record("a", "one"), max_record_bytes=sys.maxsize - 1)).data == b"one"


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
lines = st.one_of(
    st.builds(lambda id, text: record(id, text), texts, texts),
    st.sampled_from([b"\n", b"{}\n", b"\r\n", b'{"id":"a","text":"\xc3\xa9"}\r\n', b'{"id":"a","text":"b"', b"\xff\n"]),
)


def outcome(documents: PreparedReader) -> tuple[list[Document], str]:
    found = []
    try:
        for document in documents:
            found.append(document)
    except Refusal as e:
        return found, str(e)
    return found, documents.sha256


@given(st.lists(lines, max_size=6).map(b"".join), st.integers(1, 40), st.integers(1, 60))
def test_the_width_of_pieces_changes_nothing(data: bytes, width: int, most: int) -> None:
    limits = ReadLimits(max_record_bytes=most, max_documents=4, max_total_text_bytes=30)
    whole = outcome(PreparedReader(io.BytesIO(data), limits))
    assert outcome(PreparedReader(in_pieces(data, width), limits)) == whole


def test_every_width_of_the_published_sample() -> None:
    data = record("a", "café\nпривет")
    for width in range(1, len(data) + 1):
        corpus = read_training_stream(in_pieces(data, width), "s", input_sha256=hashlib.sha256(data).hexdigest())
        assert corpus.documents[0].data == "café\nпривет".encode()


@pytest.mark.parametrize(
    "split", ['"validation"', '"test"', '"Train"', '"train "', '""', "null", "1", "true", '["train"]']
)
def test_held_out_split_metadata_cannot_supply_training(split: str) -> None:
    data = record("a", "one") + f'{{"id":"b","text":"two","split":{split}}}\n'.encode() + b"not-json\n"
    with pytest.raises(IdentityRefusal, match=r"^line 2: held-out split metadata cannot supply training"):
        read_training_stream(io.BytesIO(data), "s")


def test_split_train_or_none_supplies_training() -> None:
    data = record("a", "one") + b'{"id":"b","text":"two","split":"train"}\n'
    corpus = read_training_stream(io.BytesIO(data), "stream.jsonl")
    assert [d.id for d in corpus.training] == ["a", "b"]
    assert corpus.documents[1].metadata == {"split": "train"}
    assert (corpus.name, corpus.format, corpus.source_bytes) == ("stream.jsonl", "prepared-jsonl", len(data))


def test_a_binding_to_another_input() -> None:
    data = record("a", "one")
    with pytest.raises(IdentityRefusal, match="training stream SHA-256 mismatch"):
        read_training_stream(io.BytesIO(data), "s", input_sha256="0" * 64)
    with pytest.raises(IdentityRefusal, match="not 64 lowercase hexadecimal digits"):
        read_training_stream(io.BytesIO(data), "s", input_sha256=hashlib.sha256(data).hexdigest().upper())
    with pytest.raises(CorpusRefusal, match="invalid document JSON on line 2"):
        read_training_stream(io.BytesIO(data + b"x"), "s", input_sha256="0" * 64)


def test_the_published_streams(learn_llm: Path) -> None:
    folder = learn_llm / "practical-ch02"
    expected = json.loads((folder / "expected.txt").read_bytes())
    with (folder / "prepared.jsonl").open("rb") as stream:
        documents = PreparedReader(stream, ReadLimits())
        found = [{"id": d.id, "metadata_fields": list(d.metadata), "text_utf8_bytes": len(d.data)} for d in documents]
    assert found == expected["first_documents"]
    assert {"documents": documents.documents, "text_bytes": documents.text_bytes} == expected["loaded"]

    receipt = json.loads((learn_llm / "practical-ch03" / "corpus-receipt.json").read_bytes())
    with (learn_llm / "practical-ch03" / "train.jsonl").open("rb") as stream:
        corpus = read_training_stream(stream, "train.jsonl", input_sha256=receipt["input"]["sha256"])
    assert [d.id for d in corpus.documents] == receipt["document_ids"]
    assert [d.data for d in corpus.documents] == [b"abab", b"abac"]

"""Documents inside sessions: columns, and the rows that version 1 wrote; values are spelled by hand."""

import hashlib
import re
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from session_samples import session_of

from engine.corpus.columns import Cuts
from engine.corpus.document import Corpus, Document, Documents, Split, columns_of
from engine.errors import ArtifactRefusal
from sessions.codec import MAGIC, MOST_ROWS, pack, unpack
from sessions.snapshot import Session

ROWS: list[list[Any]] = [
    ["one", b"aaa", 1, "train", {}],
    ["t\udcffwo", b"", 7, "validation", {"language": "en"}],
    ["", b"\xff\x00", 2**63 - 1, "held-out", {}],
]
DOCUMENTS = (
    Document("one", b"aaa"),
    Document("t\udcffwo", b"", 7, Split.VALIDATION, {"language": "en"}),
    Document("", b"\xff\x00", 2**63 - 1, Split.HELD_OUT),
)
COLUMNS: dict[str, bytes | None] = {
    "texts": b"aaa\xff\x00",
    "text_ends": bytes.fromhex("0300000000000000 0300000000000000 0500000000000000"),
    "ids": b"onet\xed\xb3\xbfwo",
    "id_ends": bytes.fromhex("0300000000000000 0900000000000000 0900000000000000"),
    "weights": bytes.fromhex("0100000000000000 0700000000000000 ffffffffffffff7f"),
    "splits": b"\x00\x01\x03",
    "members": b"\x80\x81\xa8language\xa2en\x80",
    "member_ends": bytes.fromhex("0100000000000000 0e00000000000000 0f00000000000000"),
}


def with_documents(documents: Any, version: int = 2) -> bytes:  # noqa: ANN401 - any msgpack value
    """A session's bytes, with these documents in it and a digest that fits."""
    members = msgpack.unpackb(msgpack.unpackb(pack(session_of()))[2])
    members["corpus"]["documents"] = documents
    payload = msgpack.packb(members, unicode_errors="surrogatepass")
    body: bytes = MAGIC + msgpack.packb(version) + msgpack.packb(payload)
    digest: bytes = msgpack.packb(hashlib.sha256(body).digest())
    return body + digest


def corpus_in(session: Session) -> Corpus:
    assert session.corpus is not None
    return session.corpus


@pytest.mark.parametrize(("documents", "version"), [(COLUMNS, 2), (ROWS, 1)])
def test_columns_and_rows_are_the_same_documents(documents: object, version: int) -> None:
    assert corpus_in(unpack(with_documents(documents, version))).documents == DOCUMENTS


def test_documents_are_written_as_columns() -> None:
    session = session_of()
    written = pack(replace(session, corpus=replace(corpus_in(session), documents=columns_of(DOCUMENTS))))
    payload = msgpack.unpackb(msgpack.unpackb(written)[2])
    assert payload["corpus"]["documents"] == COLUMNS


def test_what_is_the_same_for_all_is_nil() -> None:
    session = session_of()
    written = pack(replace(session, corpus=replace(corpus_in(session), documents=columns_of(DOCUMENTS[:1]))))
    found = msgpack.unpackb(msgpack.unpackb(written)[2])["corpus"]["documents"]
    assert [name for name, column in found.items() if column is None] == ["weights", "splits", "members", "member_ends"]


def test_a_million_documents_of_a_byte_are_kept() -> None:
    """As rows they were written and not read back: their values would have taken half a gigabyte."""
    session, size = session_of(), 1_000_000
    texts, ids = Cuts(b"a" * size, array("Q", range(1, size + 1))), [""] * size
    made = replace(corpus_in(session), documents=Documents(texts, ids))
    session = replace(session, corpus=made)
    kept = corpus_in(unpack(pack(session))).documents
    assert len(kept) == size
    assert kept[size - 1] == Document("", b"a")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("text", "document 1 must be an array"),
        (["id", b"x", 1, "train"], "document 1 has 4 fields, not 5"),
        (["id", "aba", 1, "train", {}], "a field of document 1 must be bytes"),
        (["id", b"x", 0, "train", {}], "a field of document 1 must be an integer from 1"),
        (["id", b"x", 1, "secret", {}], "a field of document 1 must be a split"),
        (["id", b"x", 1, "train", {"a": 1}], "'a' in the metadata of document 1 must be a string"),
    ],
)
def test_wrong_rows_are_refused(row: object, why: str) -> None:
    with pytest.raises(ArtifactRefusal, match=why):
        unpack(with_documents([row], 1))


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(ArtifactRefusal, match=f"at most {MOST_ROWS} are read"):
        unpack(with_documents([0] * (MOST_ROWS + 1), 1))


def column(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda columns: columns.update({name: value})


def members_of(value: bytes) -> Callable[[dict[str, Any]], None]:
    """The same packed value, of one byte, as the members of each document."""
    ends = b"".join(end.to_bytes(8, "little") for end in (1, 2, 3))
    return lambda columns: columns.update(members=value * 3, member_ends=ends)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (column("texts", b"aaa"), "the ends of the texts do not fit their 3 bytes"),
        (column("text_ends", bytes(23)), "the column of the texts' ends ends inside a number"),
        (column("text_ends", bytes.fromhex("0500000000000000 0300000000000000 0500000000000000")), "do not fit"),
        (column("text_ends", b""), "do not fit their 5 bytes"),
        (column("id_ends", bytes.fromhex("0900000000000000")), "it has 3 documents, but 1 ids"),
        (column("ids", b"onet\xed\xb3\xfewo"), "the id of a document is not UTF-8"),
        (column("ids", "onetwo..."), "must be bytes"),
        (column("weights", bytes(24)), "a weight of a document is not from 1"),
        (column("weights", b"\xff" * 24), "a weight of a document is not from 1"),
        (column("weights", b"\x01" + bytes(7)), "it has 3 documents, but 1 weights"),
        (column("splits", b"\x00\x01\x04"), "a split is 4: 0 to 3 are known"),
        (column("splits", b"\x00"), "it has 3 documents, but 1 splits"),
        (column("member_ends", None), "must both be bytes, or both nil"),
        (column("members", None), "must both be bytes, or both nil"),
        (members_of(b"\xc0"), "no texts by name"),
        (members_of(b"\x07"), "no texts by name"),
        (members_of(b"\xc3"), "no texts by name"),
        (members_of(b"\x90"), "no texts by name"),
        (members_of(b"\xa0"), "no texts by name"),
        (column("members", b"\x80\x81\x01" + b"\xa2" * 11 + b"\x80"), "the members of a document are malformed"),
        (column("members", b"\x80\x81\xa8language\x02\xc0\xc0\x80"), "the members of a document are malformed"),
        (column("members", b"\x80\x81\xaalanguage..\x02\x80"), "no texts by name"),
        (column("members", b"\x80\xac............\x80"), "no texts by name"),
        (column("members", b"\x80\x82\xa1a\xa3aaa\xa1a\xa3aaa\xc0"), "each name once"),
        (column("surprise", b""), "unknown member 'surprise'"),
        (lambda columns: columns.pop("splits"), "has no member 'splits'"),
    ],
)  # fmt: skip
def test_wrong_columns_are_refused(change: Callable[[dict[str, Any]], None], why: str) -> None:
    columns: dict[str, Any] = dict(COLUMNS)
    change(columns)
    with pytest.raises(ArtifactRefusal, match=re.escape(why)):
        unpack(with_documents(columns))

"""Prepared corpora: JSON Lines of documents, read as a stream under limits.

The rules, and the order in which they are checked, are those of the practical course of learn_llm.
`BinaryIO.readline` with a size does the work: it returns the same records whatever pieces the stream comes
in, and never holds more than one byte beyond the limit of a record.
"""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import BinaryIO

from engine.corpus.collecting import STEP, collected
from engine.corpus.document import Corpus, Document
from engine.corpus.identity import require_sha256
from engine.corpus.reading import Reading
from engine.corpus.strict_json import STRING, StrictJson, as_text
from engine.corpus.unicode_space import is_blank
from engine.errors import CorpusRefusal, IdentityRefusal, LimitRefusal, PolicyRefusal
from engine.quoting import quoted

FORMAT = "prepared-jsonl"
_MEMBERS = {"id": STRING, "text": STRING}


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Bounds on a stream; the defaults are what one training run can address (`engine.limits.Limits`).

    Attributes:
        max_record_bytes: bytes of one record, its line ending included.
        max_documents: records of the stream.
        max_total_text_bytes: all decoded texts together, in UTF-8 bytes.
    """

    max_record_bytes: int = 2**32 - 2
    max_documents: int = 2**32 - 2
    max_total_text_bytes: int = 2**32 - 2

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 1 <= value < sys.maxsize:
                raise PolicyRefusal(f"read limit {field.name}={value} is out of range: give 1 to {sys.maxsize - 1}")


class PreparedReader:
    """Iterates over the documents of a prepared stream; the first refusal ends it for good.

    Attributes:
        documents: documents returned so far.
        text_bytes: their decoded texts together, in UTF-8 bytes.
        source_bytes: bytes read from the stream.
    """

    def __init__(self, stream: BinaryIO, limits: ReadLimits) -> None:
        self.documents = 0
        self.text_bytes = 0
        self.source_bytes = 0
        self._stream = stream
        self._limits = limits
        self._digest = hashlib.sha256()
        self._ended = False

    @property
    def sha256(self) -> str:
        """SHA-256 (hex) of all bytes read so far."""
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        """The next document.

        Raises:
            CorpusRefusal: for a record that is malformed or empty, or a stream that cannot be read.
            LimitRefusal: for a record, or a stream, over a limit.
        """
        if self._ended:
            raise StopIteration
        self._ended = True  # unless this record turns out well
        document = self._document()
        self.documents += 1
        self.text_bytes += len(document.data)
        self._ended = False
        return document

    def _document(self) -> Document:
        line, limits = self.documents + 1, self._limits
        full = self.documents == limits.max_documents
        record = self._read(1 if full else limits.max_record_bytes + 1)
        if not record:
            raise StopIteration
        if full:
            raise LimitRefusal(f"corpus exceeds the {limits.max_documents}-document read limit (max_documents)")
        if len(record) > limits.max_record_bytes:
            raise LimitRefusal(f"line {line} exceeds {limits.max_record_bytes} source bytes (max_record_bytes)")
        document = _parse(record, line)
        if self.text_bytes + len(document.data) > limits.max_total_text_bytes:
            raise LimitRefusal(
                f"line {line} exceeds the {limits.max_total_text_bytes}-byte decoded-text budget "
                f"(max_total_text_bytes): it needs {self.text_bytes + len(document.data)}"
            )
        return document

    def _read(self, size: int) -> bytes:
        try:
            record = self._stream.readline(size)
        except OSError as e:
            raise CorpusRefusal(f"cannot read line {self.documents + 1}: {e.strerror or 'input error'}") from e
        self._digest.update(record)
        self.source_bytes += len(record)
        return record


def read_training_stream(
    stream: BinaryIO,
    name: str,
    limits: ReadLimits | None = None,
    input_sha256: str | None = None,
    reading: Reading | None = None,
    source_bytes: int = 0,
) -> Corpus:
    """The prepared stream as a corpus whose documents all train.

    Args:
        stream: the bytes, from the first record on.
        name: the corpus's name.
        limits: bounds on reading; the defaults of `ReadLimits` if None.
        input_sha256: the SHA-256 that a binding promises, compared after the last record.
        reading: what it is read under.
        source_bytes: how long the stream is, where it lies in memory.

    Raises:
        IdentityRefusal: for a record marked with any split but ``train``, or a stream with another SHA-256.
        Refusal: as `PreparedReader`.
    """
    reading = reading or Reading()
    reader = PreparedReader(stream, limits or ReadLimits())
    documents = collected(_training(reader, reading, source_bytes), reading, source_bytes, lambda index: "")
    if input_sha256 is not None:
        require_sha256(reader.sha256, input_sha256)
    return Corpus(name, FORMAT, documents, reader.sha256, reader.source_bytes)


def _training(reader: PreparedReader, reading: Reading, source_bytes: int) -> Iterator[Document]:
    for document in reader:
        # No other JSON value has this text: they are shown as null, a number, [...] or {...}.
        if document.metadata.get("split", "train") != "train":
            raise IdentityRefusal(
                f"line {reader.documents}: held-out split metadata cannot supply training: "
                f"split is {quoted(document.metadata['split'])}, not 'train'"
            )
        if reader.documents % STEP == 0:
            reading.at(reader.source_bytes, source_bytes)
        yield document


def _parse(record: bytes, line: int) -> Document:
    json = StrictJson(f"invalid document JSON on line {line}")
    members = json.members(json.parse(record.rstrip(b"\r\n")), _MEMBERS, "the document")
    for name in _MEMBERS:
        if is_blank(members[name]):
            raise CorpusRefusal(f"line {line} has an empty {name}: it holds white space only")
    metadata = {name: as_text(value) for name, value in members.items() if name not in _MEMBERS}
    return Document(members["id"], members["text"].encode(), metadata=metadata)

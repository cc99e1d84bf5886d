"""Documents and corpora: what every reader produces and everything after it consumes."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.corpus.file_text import FileText, Text


class Split(StrEnum):
    """The role of a document; only TRAIN documents reach a trainer."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Document:
    """One document.

    Attributes:
        id: the corpus's own name of it, or one made from its position; free text, not trusted on screen.
        data: its bytes, exactly as the source gives them after the format's own decoding; in memory or in a file.
        weight: how often it counts, 1 to 2**63 - 1 (a word-count table's count).
        split: its role.
        metadata: other members of the source record, as text, for display only.
    """

    id: str
    data: Text
    weight: int = 1
    split: Split = Split.TRAIN
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in source order, with the identity of the source they came from.

    Attributes:
        name: file or folder name for titles, without its path.
        format: the reader's name, ``course-json``, ``prepared-jsonl``, ``json``, ``jsonl``, ``text``, ``lines``,
            ``words`` or ``folder``.
        documents: all documents, in source order.
        sha256: SHA-256 (hex) of the source's bytes; for a folder, of its relative names and contents.
        source_bytes: size of the source in bytes.
        checksum: the format's own checksum (``fnv1a64:…`` for course JSON), or an empty string.
        notes: one line each about what was decided on the way (manifest found, hold-out fraction, separator).
    """

    name: str
    format: str
    documents: tuple[Document, ...]
    sha256: str
    source_bytes: int
    checksum: str = ""
    notes: tuple[str, ...] = ()

    @property
    def training(self) -> tuple[Document, ...]:
        """The documents that a trainer may read, in source order."""
        return tuple(d for d in self.documents if d.split is Split.TRAIN)

    @property
    def held_out(self) -> tuple[Document, ...]:
        """Every other document, in source order."""
        return tuple(d for d in self.documents if d.split is not Split.TRAIN)


def as_name(raw: bytes) -> str:
    r"""Bytes of a word or a path as an id or a name: UTF-8, and `\xff` for what is none."""
    return raw.decode("utf-8", "backslashreplace")


def corpus_of(
    source: Text,
    name: str,
    format: str,
    documents: Iterable[Document],
    checksum: str = "",
    notes: tuple[str, ...] = (),
) -> Corpus:
    """The corpus that a reader found in the bytes `source`, with their identity."""
    sha256 = source.sha256() if isinstance(source, FileText) else hashlib.sha256(source).hexdigest()
    return Corpus(name, format, tuple(documents), sha256, len(source), checksum, notes)

"""Documents and corpora: what every reader produces and everything after it consumes."""

import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import compress
from operator import eq
from typing import overload

from engine.corpus.columns import Made, Picked
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


class Documents(Sequence[Document]):
    """Documents in columns: each is made when it is asked for, and equal to the one that was added.

    Args:
        texts: their bytes.
        ids: their names.
        weights: how often each counts.
        splits: their roles; all train if None.
        metadata: their other members; none if None.
    """

    def __init__(
        self,
        texts: Sequence[Text],
        ids: Sequence[str],
        weights: Sequence[int] | None = None,
        splits: Sequence[Split] | None = None,
        metadata: Sequence[Mapping[str, str]] | None = None,
    ) -> None:
        size = len(texts)
        self.texts = texts
        self.ids = ids
        self.weights = Made(lambda index: 1, size) if weights is None else weights
        self.metadata = Made(lambda index: {}, size) if metadata is None else metadata
        self._splits = splits

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Document]:
        return map(Document, self.ids, self.texts, self.weights, self.splits, self.metadata)

    @overload
    def __getitem__(self, index: int) -> Document: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Document, ...]: ...

    def __getitem__(self, index: int | slice) -> Document | tuple[Document, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return Document(
            self.ids[index], self.texts[index], self.weights[index], self.splits[index], self.metadata[index]
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Documents | tuple):
            return NotImplemented
        return len(self) == len(other) and all(
            all(map(eq, one, two)) for one, two in zip(self._columns(), columns_of(other)._columns(), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} documents>"

    @property
    def splits(self) -> Sequence[Split]:
        """Their roles."""
        return Made(lambda index: Split.TRAIN, len(self)) if self._splits is None else self._splits

    def training(self, wanted: bool) -> "Documents":
        """Those that train, or all others."""
        if self._splits is None:
            return self if wanted else Documents((), ())
        chosen = ((split is Split.TRAIN) is wanted for split in self._splits)
        return self._picked(array("Q", compress(range(len(self)), chosen)))

    def split_as(self, splits: Sequence[Split]) -> "Documents":
        """The same documents in other roles."""
        return Documents(self.texts, self.ids, self.weights, splits, self.metadata)

    def reading_as(self, texts: Sequence[Text]) -> "Documents":
        """The same documents with other texts."""
        return Documents(texts, self.ids, self.weights, self._splits, self.metadata)

    def _columns(self) -> tuple[Sequence[object], ...]:
        return self.texts, self.ids, self.weights, self.splits, self.metadata

    def _picked(self, at: "array[int]") -> "Documents":
        return Documents(
            Picked(self.texts, at),
            Picked(self.ids, at),
            Picked(self.weights, at),
            Picked(self.splits, at),
            Picked(self.metadata, at),
        )


def columns_of(documents: Sequence[Document]) -> Documents:
    """Documents in columns; those that are not yet stay the objects that they are."""
    if isinstance(documents, Documents):
        return documents
    return Documents(
        [d.data for d in documents],
        [d.id for d in documents],
        [d.weight for d in documents],
        None if all(d.split is Split.TRAIN for d in documents) else [d.split for d in documents],
        [d.metadata for d in documents],
    )


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
    documents: Sequence[Document]
    sha256: str
    source_bytes: int
    checksum: str = ""
    notes: tuple[str, ...] = ()

    @property
    def training(self) -> Documents:
        """The documents that a trainer may read, in source order."""
        return columns_of(self.documents).training(True)

    @property
    def held_out(self) -> Documents:
        """Every other document, in source order."""
        return columns_of(self.documents).training(False)


def as_name(raw: bytes) -> str:
    r"""Bytes of a word or a path as an id or a name: UTF-8, and `\xff` for what is none."""
    return raw.decode("utf-8", "backslashreplace")


def corpus_of(
    source: Text,
    name: str,
    format: str,
    documents: Sequence[Document],
    checksum: str = "",
    notes: tuple[str, ...] = (),
) -> Corpus:
    """The corpus that a reader found in the bytes `source`, with their identity."""
    sha256 = source.sha256() if isinstance(source, FileText) else hashlib.sha256(source).hexdigest()
    return Corpus(name, format, columns_of(documents), sha256, len(source), checksum, notes)

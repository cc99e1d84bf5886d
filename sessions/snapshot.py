"""What a session is: one immutable value that holds everything needed to go on where the user stopped."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import TypeAlias

from engine.corpus.columns import lengths
from engine.corpus.document import Corpus, columns_of
from engine.corpus.open import CorpusOptions
from engine.given import NOTHING_GIVEN, Given
from engine.kernel import Evidence
from engine.limits import Limits
from engine.policy import Policy

PlainValue: TypeAlias = str | int | bool | None

EMBEDDED_BYTES = 1 << 20
"""A corpus of up to this many source bytes travels inside its session unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a corpus came from and how to know it again.

    Attributes:
        path: as the user gave it; `-` for standard input.
        options: how it was read.
        name: the corpus's name.
        format: the reader that read it.
        sha256: SHA-256 (hex) of the source's bytes.
        outline: SHA-256 (hex) of what the reader and the split made of them, see `outline`.
    """

    path: str
    options: CorpusOptions
    name: str
    format: str
    sha256: str
    outline: str


@dataclass(frozen=True, slots=True)
class Session:
    """A training run as it stands, with what its user added.

    Attributes:
        policy: what makes the tokenizer.
        limits: bounds of the work.
        kernel: the kernel asked for: `auto`, `compiled`, `python` or `reference`.
        source: the corpus's identity.
        corpus: the corpus itself, or None when it must be opened again.
        receipt: the corpus receipt that the run is bound to, as its file's bytes, or None.
        merges: the evidence of every learned rank, in kernel ids.
        exhausted: whether the trainer found that no pair is left to merge.
        rank: merges applied.
        bookmarks: ranks that the user marked, ascending.
        held_out: texts that the user typed.
        view: the screen's state, by names that only the screen knows.
        given: the merges that the run began from, over its own alphabet; empty where it learned all of them.
    """

    policy: Policy
    limits: Limits
    kernel: str
    source: Source
    corpus: Corpus | None
    receipt: bytes | None
    merges: tuple[Evidence, ...]
    exhausted: bool
    rank: int
    bookmarks: tuple[int, ...] = ()
    held_out: tuple[bytes, ...] = ()
    view: Mapping[str, PlainValue] = field(default_factory=lambda: MappingProxyType({}))
    given: Given = NOTHING_GIVEN


def outline(corpus: Corpus) -> str:
    """SHA-256 (hex) over every document's id, split, weight and length in bytes.

    Together with the source's own hash it tells whether a source was read, and split, into the same documents.
    """
    digest, documents = hashlib.sha256(), columns_of(corpus.documents)
    splits = (split.value for split in documents.splits)
    rows = map(repr, zip(documents.ids, splits, documents.weights, lengths(documents.texts), strict=True))
    while some := "".join(islice(rows, 1024)):
        digest.update(some.encode("ascii", "backslashreplace"))
    return digest.hexdigest()

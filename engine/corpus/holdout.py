"""Holding out documents by a hash of their id."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from engine.corpus.document import Corpus, Document, Split, columns_of
from engine.errors import CorpusRefusal


def hold_out(corpus: Corpus, fraction: float) -> Corpus:
    """The corpus with about `fraction` of its documents (not of its bytes) held out.

    A document is held out iff the first 64 bits of the SHA-256 of its id, as a fraction of 2**64, are below
    `fraction`. So no other document's coming or going moves it, and a larger fraction only adds documents.

    A corpus that already holds documents out is refused: its split was made for a reason (a course manifest
    keeps translations of one text together), and a second one would quietly break it.

    Raises:
        CorpusRefusal: for a fraction outside 0 to 1 (exclusive), a corpus that is split already, or one that
            would have nothing left to train on.
    """
    if not 0 < fraction < 1:
        raise CorpusRefusal(f"hold-out fraction {fraction} is out of range: give a number between 0 and 1")
    if corpus.held_out:
        raise CorpusRefusal(
            f"the corpus already holds out {len(corpus.held_out)} documents; leave --holdout out, "
            "or set a split manifest aside with --split none"
        )
    documents = columns_of(corpus.documents)
    least = fraction * 2**64
    splits = [Split.HELD_OUT if _position(id) < least else Split.TRAIN for id in documents.ids]
    result = replace(corpus, documents=documents.split_as(splits))
    if not result.training:
        raise CorpusRefusal(
            f"holding out {fraction} leaves nothing to train on, as all {len(documents)} documents fall to it; "
            "give a smaller fraction or more documents"
        )
    held_out = len(result.held_out)
    notes = [f"held out {held_out} of {len(documents)} documents by a hash of their id (asked for {fraction})"]
    torn = _groups(result.training) & _groups(result.held_out)
    if torn:
        notes.append(f"{len(torn)} provenance groups stand on both sides; a split manifest keeps them together")
    return replace(result, notes=(*corpus.notes, *notes))


def _groups(documents: Iterable[Document]) -> set[str]:
    return {d.metadata["provenance_group"] for d in documents if "provenance_group" in d.metadata}


def _position(id: str) -> int:
    """Where an id falls between 0 and 2**64."""
    return int.from_bytes(hashlib.sha256(id.encode()).digest()[:8])

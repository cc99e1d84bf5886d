"""Plain text: bytes as they are, whole, by line, or cut at a separator. Nothing is decoded or normalised."""

import io
from array import array
from itertools import accumulate

from engine.corpus.columns import Cuts, Made
from engine.corpus.document import Corpus, Documents, corpus_of
from engine.corpus.file_text import Text
from engine.corpus.reading import Reading
from engine.errors import CorpusRefusal
from engine.quoting import quoted

END_BYTES = 9
"""Memory for where a document ends, with the room that an array grows by."""


def read_text(source: Text, name: str) -> Corpus:
    """The whole text as one document named like its file; empty text makes none."""
    texts = [source] if source else []
    return corpus_of(source, name, "text", Documents(texts, [name] * len(texts)))


def read_lines(source: bytes, name: str, reading: Reading | None = None) -> Corpus:
    r"""One document a line. Only `\n` ends a line, and stays with it: the documents joined are the source.

    Raises:
        LimitRefusal: when so many lines take more memory than there may be.
    """
    lines = source.count(b"\n") + 1
    (reading or Reading()).check(len(source) + END_BYTES * lines, f"reading {lines:,} lines")
    ends = array("Q", accumulate(map(len, io.BytesIO(source))))
    documents = Documents(Cuts(source, ends), Made(lambda index: f"line {index + 1}", len(ends)))
    return corpus_of(source, name, "lines", documents)


def read_separated(source: bytes, name: str, separator: str, reading: Reading | None = None) -> Corpus:
    """One document between each two separators, which belong to none; empty documents are dropped.

    Args:
        source: the text.
        name: the corpus's name.
        separator: the exact text to cut at; its UTF-8 bytes are searched.
        reading: what it is read under.

    Raises:
        CorpusRefusal: for an empty separator.
        LimitRefusal: when so many documents take more memory than there may be.
    """
    if not separator:
        raise CorpusRefusal("the separator is empty: give the text that stands between documents")
    mark = separator.encode("utf-8", "surrogateescape")  # as the command line may hold any bytes
    parts = source.count(mark) + 1
    (reading or Reading()).check(2 * len(source) + 2 * END_BYTES * parts, f"reading {parts:,} parts of a text")
    ends, places = array("Q"), array("Q")
    size = at = 0
    for place in range(1, parts + 1):
        end = source.find(mark, at) if place < parts else len(source)
        if end > at:
            size += end - at
            ends.append(size)
            places.append(place)
        at = end + len(mark)
    ids = Made(lambda index: f"part {places[index]}", len(ends))
    notes = [f"cut at {quoted(separator)} into {len(ends)} documents"]
    if len(ends) < parts:
        notes.append(f"dropped {parts - len(ends)} empty documents")
    documents = Documents(Cuts(source.replace(mark, b""), ends), ids)
    return corpus_of(source, name, "text", documents, notes=tuple(notes))

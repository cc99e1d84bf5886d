"""Plain text: bytes as they are, whole, by line, or cut at a separator. Nothing is decoded or normalised."""

import io

from engine.corpus.document import Corpus, Document, corpus_of
from engine.corpus.file_text import Text
from engine.errors import CorpusRefusal
from engine.quoting import quoted


def read_text(source: Text, name: str) -> Corpus:
    """The whole text as one document named like its file; empty text makes none."""
    return corpus_of(source, name, "text", [Document(name, source)] if source else [])


def read_lines(source: bytes, name: str) -> Corpus:
    r"""One document a line. Only `\n` ends a line, and stays with it: the documents joined are the source."""
    lines = io.BytesIO(source)
    return corpus_of(source, name, "lines", (Document(f"line {n}", line) for n, line in enumerate(lines, 1)))


def read_separated(source: bytes, name: str, separator: str) -> Corpus:
    """One document between each two separators, which belong to none; empty documents are dropped.

    Args:
        source: the text.
        name: the corpus's name.
        separator: the exact text to cut at; its UTF-8 bytes are searched.

    Raises:
        CorpusRefusal: for an empty separator.
    """
    if not separator:
        raise CorpusRefusal("the separator is empty: give the text that stands between documents")
    parts = source.split(separator.encode("utf-8", "surrogateescape"))  # as the command line may hold any bytes
    documents = [Document(f"part {n}", part) for n, part in enumerate(parts, 1) if part]
    notes = [f"cut at {quoted(separator)} into {len(documents)} documents"]
    if len(documents) < len(parts):
        notes.append(f"dropped {len(parts) - len(documents)} empty documents")
    return corpus_of(source, name, "text", documents, notes=tuple(notes))

"""Rows of the stream: text lines at fixed byte offsets, so that stepping moves no row."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from engine.corpus.document import Document, columns_of
from engine.corpus.file_text import BLOCK, Text

LONGEST = 4096
"""Bytes of a row; longer lines are cut at a code point."""


class RowPlace(NamedTuple):
    """Where a row lies: a training document and its bytes from `start` to `stop`."""

    document: int
    start: int
    stop: int


class RowIndex:
    """The rows of all training documents, one after another; empty documents have none."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._texts = columns_of(documents).texts
        self._starts = array("Q")
        self._first = array("Q")
        for text in self._texts:
            self._first.append(len(self._starts))
            self._add(text)
        self._first.append(len(self._starts))

    def _add(self, data: Text) -> None:
        start, size = 0, len(data)
        while start < size:
            block = data[start : start + BLOCK]
            # A row that may go on after the block is left to the next one.
            stop = len(block) if start + len(block) == size else len(block) - LONGEST
            at = 0
            while at < stop:
                self._starts.append(start + at)
                newline = block.find(b"\n", at, at + LONGEST)
                at = newline + 1 if newline >= 0 else _cut(block, at + LONGEST)
            start += at

    def bounds(self, document: int | None) -> tuple[int, int]:
        """The first row of a document and the row after its last; of all documents for None."""
        if document is None:
            return 0, len(self._starts)
        return self._first[document], self._first[document + 1]

    def place(self, row: int) -> RowPlace:
        """Where a row lies."""
        document = bisect_right(self._first, row) - 1
        last = row + 1 == self._first[document + 1]
        stop = len(self._texts[document]) if last else self._starts[row + 1]
        return RowPlace(document, self._starts[row], stop)

    def starts_document(self, row: int) -> bool:
        """Whether a row is the first of its document."""
        return self._starts[row] == 0

    def row_of(self, document: int, offset: int) -> int:
        """The row that holds a byte of a document."""
        first, stop = self.bounds(document)
        return bisect_right(self._starts, offset, first, stop) - 1


def _cut(data: bytes, at: int) -> int:
    """The last place up to `at` where no code point is cut; `at` itself where the bytes are not UTF-8."""
    if at >= len(data):
        return len(data)
    for back in range(4):
        if data[at - back] & 0xC0 != 0x80:
            return at - back
    return at

"""Where tokens lie in a document: from the kernel's units back to the bytes that a reader sees."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.corpus.document import Document
from engine.kernel import Kernel
from engine.policy import Policy
from engine.pretokenize import scanner, segments, splitter
from engine.units import Units


class PlacedToken(NamedTuple):
    """A token of a document: its bytes are those from `start` to `stop`.

    Attributes:
        token: kernel id, or -1 for bytes that no unit holds (dropped text, special tokens).
        start: first byte's offset.
        stop: offset after the last byte; equal to `start` for an end-of-word mark of its own.
        opens: whether a unit begins here, so that no merge can cross the token's left edge.
    """

    token: int
    start: int
    stop: int
    opens: bool


OUTSIDE = -1
"""The token id of bytes that are not part of any unit."""


class Placement:
    """Finds the tokens of document ranges.

    A compiled boundary is scanned around the range. For others the pieces of a document are cut once, when it is first
    looked at.
    """

    def __init__(self, documents: Sequence[Document], policy: Policy, units: Units, kernel: Kernel) -> None:
        self._documents = documents
        self._units = units
        self._kernel = kernel
        self._policy = policy
        self._cut = splitter(policy)
        self._scanner = scanner(policy)
        self._segments: dict[int, tuple[array[int], array[int]]] = {}
        self._pieces: dict[int, tuple[array[int], array[int]]] = {}

    def tokens(self, document: int, start: int = 0, stop: int | None = None) -> list[PlacedToken]:
        """The tokens that cover the bytes from `start` to `stop` of a document, in order and without gaps."""
        data = self._documents[document].data
        stop = len(data) if stop is None else min(stop, len(data))
        if stop <= start:
            return []
        placed: list[PlacedToken] = []
        end = start
        for origin, unit in self._pieces_in(document, start, stop):
            tokens = self._unit(unit, origin, start, stop)
            if tokens and tokens[0].start > end:
                placed.append(PlacedToken(OUTSIDE, end, tokens[0].start, True))
            placed += tokens
            end = tokens[-1].stop if tokens else end
        if end < stop:
            placed.append(PlacedToken(OUTSIDE, end, stop, True))
        return placed

    def _pieces_in(self, document: int, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Start offset and unit of the pieces with bytes in a range."""
        if self._scanner is not None:
            text = self._documents[document].data
            for first, end in self._segments_in(document, start, stop):
                inside = max(start, first), min(stop, end)
                for origin, piece in self._scanner.between(text, *inside, (first, end)):
                    for at, unit in self._units.of_piece(piece):
                        yield origin + at, unit
            return
        starts, units = self._pieces_of(document)
        for at in range(max(bisect_right(starts, start) - 1, 0), bisect_left(starts, stop)):
            yield starts[at], units[at]

    def _segments_in(self, document: int, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """The segments of a document with bytes in a range."""
        if document not in self._segments:
            starts, ends = array("Q"), array("Q")
            for first, end in segments(self._policy, self._documents[document].data):
                starts.append(first)
                ends.append(end)
            self._segments[document] = starts, ends
        starts, ends = self._segments[document]
        for at in range(bisect_right(ends, start), bisect_left(starts, stop)):
            yield starts[at], ends[at]

    def _pieces_of(self, document: int) -> tuple["array[int]", "array[int]"]:
        """Start offset and unit of every piece of a document."""
        if document not in self._pieces:
            starts, units = array("Q"), array("Q")
            if self._units.documents:
                unit = self._units.documents[document]
                pieces = [] if unit is None else [(0, unit)]
            else:
                cut = self._cut(self._documents[document].data)
                pieces = [(start + at, unit) for start, piece in cut for at, unit in self._units.of_piece(piece)]
            for start, unit in pieces:
                starts.append(start)
                units.append(unit)
            self._pieces[document] = starts, units
        return self._pieces[document]

    def _unit(self, unit: int, origin: int, start: int, stop: int) -> list[PlacedToken]:
        """The tokens of one piece within a range of bytes; bytes alone are asked for the range only."""
        vocabulary = self._kernel.vocabulary
        if self._units.alphabet.byte_ids is not None:
            if start >= origin + self._units.size(unit):
                return []
            found = self._kernel.unit_tokens(unit, max(start - origin, 0), stop - origin)
            return [PlacedToken(t, origin + p, origin + p + len(vocabulary[t].data), p == 0) for p, t in found]
        placed: list[PlacedToken] = []
        at = origin
        for position, token in self._kernel.unit_tokens(unit):
            end = at + len(vocabulary[token].data)
            if (start < at <= stop) if end == at else (at < stop and end > start):
                placed.append(PlacedToken(token, at, end, position == 0))
            at = end
        return placed

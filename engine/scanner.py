"""Compiled boundaries over texts of any size: no text is looked at in larger parts than a block needs.

Scanning looks forward only, so it may start wherever a piece begins. Some such places show without any text before
them (`begins` in engine/native/scan.hpp); between two of them a text can be scanned by itself.
"""

from collections.abc import Iterator

from engine._pieces import BOUNDARIES, PieceCounts, first_begin, last_begin, pieces
from engine.corpus.file_text import Text

__all__ = ["BOUNDARIES", "Scanner"]

BLOCK = 1 << 20
"""Bytes scanned at once: few enough to stay in a processor's cache."""
LOOK = 4096
"""Bytes first looked at around a place."""
CHARACTER = 4
"""Bytes of the longest character: so much must follow a place to be sure of it."""


class Scanner:
    """A compiled boundary.

    Args:
        boundary: a name that `BOUNDARIES` knows.
        dropped: whether text between matches gives no piece.
    """

    def __init__(self, boundary: str, dropped: bool) -> None:
        self._boundary = boundary
        self._dropped = dropped

    def __call__(self, text: Text) -> Iterator[tuple[int, bytes]]:
        """All pieces of a text with their places."""
        return self.between(text, 0, len(text), (0, len(text)))

    def between(self, text: Text, start: int, stop: int, segment: tuple[int, int]) -> Iterator[tuple[int, bytes]]:
        """The pieces with bytes in a range, in order, each whole; found without scanning what lies far before it.

        Args:
            text: the text.
            start: where the range begins.
            stop: where it ends.
            segment: the part of the text that is cut by itself; it holds the range.
        """
        size = min(max(stop - start, LOOK), BLOCK)
        for at, window, cut in self._blocks(text, self._begin(text, start, segment), stop, segment[1], size):
            for place, piece in pieces(window, self._boundary, self._dropped, min(cut, stop - at), at):
                if place + len(piece) > start:
                    yield place, piece

    def count(self, counts: PieceCounts, text: Text, start: int, stop: int, end: int, weight: int) -> Iterator[int]:
        """Count the pieces of a part that begins and ends where pieces begin; tells the bytes done after each block.

        Args:
            counts: what to add to.
            text: the text.
            start: where the part begins.
            stop: where it ends.
            end: where the text that is cut by itself ends.
            weight: how often each piece counts.
        """
        if end - start <= BLOCK:
            counts.add(text[start:end], stop - start, weight)
            yield stop - start
            return
        for at, window, cut in self._blocks(text, start, stop, end, BLOCK):
            counts.add(window, min(cut, stop - at), weight)
            yield min(cut, stop - at)

    def counts(self) -> PieceCounts:
        """Empty counts for this boundary."""
        return PieceCounts(self._boundary, self._dropped)

    def next_begin(self, text: Text, at: int, end: int) -> int:
        """A place behind `at`, and before `end`, where a piece surely begins; `end` where none is found."""
        size = LOOK
        while True:
            window = text[at : min(at + size, end)]
            last = at + len(window) == end
            found = first_begin(window, self._boundary, len(window) - (1 if last else CHARACTER))
            if found or last:
                return at + found if found else end
            size *= 8

    def _begin(self, text: Text, start: int, segment: tuple[int, int]) -> int:
        """The last place up to `start` where a piece surely begins."""
        first, end = segment
        size = LOOK
        while True:
            low = max(start - size, first)
            found = last_begin(text[low : min(start + CHARACTER, end)], self._boundary, start - low)
            if found or low == first:
                return low + found
            size *= 8

    def _blocks(self, text: Text, start: int, stop: int, end: int, size: int) -> Iterator[tuple[int, bytes, int]]:
        """Windows of a text from where a piece begins until `stop` is passed.

        Yields:
            Where the window lies, its bytes, and where in it a piece begins or the text ends: up to there it can be
            scanned. A window grows until it holds such a place.
        """
        at = start
        while at < stop:
            cut, room = 0, size
            while not cut:
                window = text[at : min(at + room, end)]
                whole = at + len(window) == end
                cut = len(window) if whole else last_begin(window, self._boundary, len(window) - CHARACTER)
                room *= 2
            yield at, window, cut
            at += cut

"""Distinct words without an object for each: their bytes, where each ends, and a hash table of their numbers."""

from array import array

from engine.corpus.columns import Cuts


class WordIndex:
    """Numbers words in the order in which they are first seen.

    Args:
        most: how many words there may be.
    """

    def __init__(self, most: int) -> None:
        self._slots = array("Q", bytes(8 * _size(most)))  # a word's number and one, or 0
        self._data = bytearray()
        self._ends = array("Q")

    @staticmethod
    def need(source_bytes: int, most: int) -> int:
        """Bytes of memory for so many words of so many bytes, with their counts."""
        return source_bytes + 8 * _size(most) + 2 * 8 * most

    def number(self, word: bytes) -> int:
        """The number of a word; a new one gets the next."""
        slots, data, ends = self._slots, self._data, self._ends
        mask = len(slots) - 1
        at = hash(word) & mask  # of bytes it is another in every process, so that nobody chooses words that collide
        while known := slots[at]:
            if data[ends[known - 2] if known > 1 else 0 : ends[known - 1]] == word:
                return known - 1
            at = (at + 1) & mask
        data += word
        ends.append(len(data))
        slots[at] = len(ends)
        return len(ends) - 1

    def cuts(self) -> Cuts:
        """The words by number; none is added afterwards."""
        del self._slots
        return Cuts(bytes(self._data), self._ends)


def _size(most: int) -> int:
    """Slots of which at most two thirds are used, a power of two."""
    return 1 << (most + most // 2).bit_length()

"""Distinct pieces without an object for each: their bytes one behind another, where each ends, and its count."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from engine._pieces import Lookup


@dataclass(frozen=True)
class Packed:
    """Pieces in the order of first appearance.

    Attributes:
        data: all bytes.
        ends: where each piece ends in them.
        counts: how often each occurs, weighted.
        weighted_bytes: the sum of their lengths, each as often as it counts.
    """

    data: bytes
    ends: "array[int]"
    counts: "array[int]"
    weighted_bytes: int

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[bytes]:
        start = 0
        for end in self.ends:
            yield self.data[start:end]
            start = end

    @cached_property
    def lookup(self) -> "Lookup":
        """The number of each piece, by its bytes."""
        from engine._pieces import Lookup

        return Lookup(self.data, self.ends)


class PackedSequences(Sequence[bytes]):
    """Packed pieces as base ids, made when asked for.

    Attributes:
        packed: the pieces.
        table: the base id of each of the 256 bytes.
    """

    def __init__(self, packed: Packed, table: bytes) -> None:
        self.packed = packed
        self.table = table

    def __len__(self) -> int:
        return len(self.packed)

    def __iter__(self) -> Iterator[bytes]:
        return (piece.translate(self.table) for piece in self.packed)

    def size(self, index: int) -> int:
        """How many base ids a piece has."""
        return self.packed.ends[index] - (self.packed.ends[index - 1] if index else 0)

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...

    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        start = self.packed.ends[index - 1] if index else 0
        return self.packed.data[start : self.packed.ends[index]].translate(self.table)

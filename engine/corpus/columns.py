"""Columns: one attribute of all documents of a corpus, without an object for each.

A corpus may have as many documents as bytes, and an object of Python takes fifty bytes and more. So texts lie one
behind another in one bytes object, what is the same everywhere is kept once, and objects are made when asked for.
"""

from array import array
from collections.abc import Callable, Iterator, MutableSequence, Sequence, Sized
from itertools import chain
from operator import sub
from typing import Generic, Protocol, TypeVar, overload

from engine.corpus.file_text import Text

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Column(Sequence[T_co]):
    """A sequence whose items are made when asked for; slices are tuples."""

    def item(self, index: int) -> T_co:
        """The item of an index from 0 on."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> T_co: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...

    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        if isinstance(index, slice):
            return tuple(map(self.item, range(*index.indices(len(self)))))
        size = len(self)
        if not -size <= index < size:
            raise IndexError(index)
        return self.item(index if index >= 0 else size + index)

    def __iter__(self) -> Iterator[T_co]:
        return map(self.item, range(len(self)))


class Made(Column[T]):
    """Items made from their index alone."""

    def __init__(self, make: Callable[[int], T], size: int) -> None:
        self._make = make
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._size))

    def item(self, index: int) -> T:
        """The item of an index."""
        return self._make(index)


class Picked(Column[T]):
    """The items of another column at some indices."""

    def __init__(self, column: Sequence[T], at: "array[int]") -> None:
        self._column = column
        self._at = at

    def __len__(self) -> int:
        return len(self._at)

    def item(self, index: int) -> T:
        """The item that was picked."""
        return self._column[self._at[index]]


class Cuts(Column[bytes]):
    """Byte strings that lie one behind another.

    Attributes:
        data: all of them.
        ends: where each ends.
    """

    def __init__(self, data: bytes, ends: "array[int]") -> None:
        self.data = data
        self.ends = ends

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[bytes]:
        data, start = self.data, 0
        for end in self.ends:
            yield data[start:end]
            start = end

    def item(self, index: int) -> bytes:
        """The string of an index."""
        return self.data[self.ends[index - 1] if index else 0 : self.ends[index]]


class Decoded(Column[T]):
    """What byte strings stand for."""

    def __init__(self, column: Sequence[bytes], decode: Callable[[bytes], T]) -> None:
        self._column = column
        self._decode = decode

    def __len__(self) -> int:
        return len(self._column)

    def __iter__(self) -> Iterator[T]:
        return map(self._decode, self._column)

    def item(self, index: int) -> T:
        """What the string of an index stands for."""
        return self._decode(self._column[index])


def lengths(texts: Sequence[Sized]) -> Iterator[int]:
    """How long each text is; where they are cuts none is made."""
    if isinstance(texts, Cuts):
        return map(sub, texts.ends, chain((0,), texts.ends))
    return map(len, texts)


def joined(texts: Sequence[Text]) -> Cuts:
    """Texts one behind another, empty ones left out; cuts without empty ones are what they are."""
    if isinstance(texts, Cuts) and 0 not in lengths(texts):
        return texts
    strings = Strings[bytes](bytes, bytes)
    for text in texts:
        if text:
            strings.append(text[:])
    return strings.cuts()


# Growing


class Growing(Protocol[T]):
    """A column to which documents are added."""

    def append(self, value: T) -> None:
        """Add a value."""
        ...

    def column(self) -> Sequence[T]:
        """All values; nothing is added afterwards."""
        ...

    def size(self) -> int:
        """Bytes that it takes."""
        ...


class Strings(Generic[T]):
    """Values kept as byte strings.

    Args:
        encode: the bytes of a value.
        decode: the value of bytes.
    """

    def __init__(self, encode: Callable[[T], bytes], decode: Callable[[bytes], T]) -> None:
        self._encode, self._decode = encode, decode
        self._data = bytearray()
        self._ends = array("Q")

    def append(self, value: T) -> None:
        """Add a value."""
        self._data += self._encode(value)
        self._ends.append(len(self._data))

    def column(self) -> Sequence[T]:
        """The values, decoded when asked for."""
        return Decoded(self.cuts(), self._decode)

    def cuts(self) -> Cuts:
        """The byte strings."""
        data, self._data = self._data, bytearray()
        return Cuts(bytes(data), self._ends)

    def size(self) -> int:
        """Bytes that it takes, and those of the copy at the end."""
        return 2 * len(self._data) + 8 * len(self._ends)


class Values(Generic[T]):
    """Values that take eight bytes each: numbers in an array, or references to a few objects."""

    def __init__(self, values: MutableSequence[T]) -> None:
        self._values = values

    def append(self, value: T) -> None:
        """Add a value."""
        self._values.append(value)

    def column(self) -> Sequence[T]:
        """The values."""
        return self._values

    def size(self) -> int:
        """Bytes that it takes."""
        return 8 * len(self._values)


class Unless(Generic[T]):
    """A column that takes no room as long as every value is the usual one of its index.

    Args:
        usual: the usual value of an index.
        full: makes what keeps the values from the first other one on.
    """

    def __init__(self, usual: "Callable[[int], T]", full: Callable[[], Growing[T]]) -> None:
        self._usual, self._make = usual, full
        self._count = 0
        self._full: Growing[T] | None = None

    def append(self, value: T) -> None:
        """Add a value."""
        if self._full is None:
            if value == self._usual(self._count):
                self._count += 1
                return
            self._full = self._make()
            for index in range(self._count):
                self._full.append(self._usual(index))
        self._full.append(value)

    def column(self) -> Sequence[T] | None:
        """All values; None where each is the usual one."""
        return None if self._full is None else self._full.column()

    def size(self) -> int:
        """Bytes that it takes."""
        return 0 if self._full is None else self._full.size()

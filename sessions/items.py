"""What msgpack data will need in memory, told from their headers before a single value is made."""

_CONTAINER, _TEXT, _NUMBER = 88, 64, 40
"""Bytes of an array or map, of a text or bytes besides its own, and of a number, each with its place in an array."""
_PLACE, _MEMBER = 8, 180
"""Bytes of what one byte holds, and of a place in a map while it is checked for repeated names."""
_LENGTHS = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
"""Bytes of the length that stands behind the first byte of bytes, extensions and texts."""
_ARRAYS, _MAPS = {0xDC: 2, 0xDD: 4}, {0xDE: 2, 0xDF: 4}
"""Bytes of the number of items behind the first byte."""
_NUMBERS = {0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}
_EXTENSIONS = {0xD4: 3, 0xD5: 4, 0xD6: 6, 0xD7: 10, 0xD8: 18}

_Shape = tuple[int, int, int]
"""Of a value: its bytes without the values in it, the memory it needs, and the values in it, less itself."""


def memory_of(data: bytes, most: int) -> int:
    """Bytes of memory that the values in msgpack data take, without those inside of texts; over `most` it may be less.

    What is no msgpack is for its reader to refuse.
    """
    need, at, waiting, end = 0, 0, 1, len(data)
    while waiting and at < end and need <= most:
        first = data[at]
        if first in _SHORT_TEXTS and at + 1 < end:
            at += 2 + data[at + 1]
            need += _TEXT
            waiting -= 1
            continue
        size, more, items = _SHAPES[first] or _with_length(data, at)
        at += size
        need += more
        waiting += items
    return need


def _shape(first: int) -> _Shape | None:
    """The shape that a first byte tells; None where a length or a number of items follows."""
    if first in _LENGTHS or first in _ARRAYS or first in _MAPS:
        return None
    if 0x80 <= first < 0xA0:
        return _container(1, first & 15, is_map=first < 0x90)
    if 0xA0 <= first < 0xC0:
        return 1 + (first & 31), _TEXT, -1
    if first in _EXTENSIONS:
        return _EXTENSIONS[first], _TEXT, -1
    return (_NUMBERS[first], _NUMBER, -1) if first in _NUMBERS else (1, _PLACE, -1)


def _container(size: int, items: int, *, is_map: bool) -> _Shape:
    if is_map:
        return size, _CONTAINER + _MEMBER * items, 2 * items - 1
    return size, _CONTAINER + _PLACE * items, items - 1


_SHAPES = [_shape(first) for first in range(256)]
_SHORT_TEXTS = (0xC4, 0xD9)
"""First bytes of what has its length in the next byte: most texts, so that they are looked at without a call."""


def _with_length(data: bytes, at: int) -> _Shape:
    first = data[at]
    size = 1 + (_LENGTHS.get(first) or _ARRAYS.get(first) or _MAPS[first])
    number = int.from_bytes(data[at + 1 : at + size], "big")
    if first in _LENGTHS:
        return size + number + (0xC7 <= first <= 0xC9), _TEXT, -1
    return _container(size, number, is_map=first in _MAPS)

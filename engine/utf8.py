"""What the bytes of a token are in UTF-8: valid text, a fragment of a character, or no part of any text.

A token may begin inside a character and end inside another, so a string of bytes splits into at most four kinds of
parts, in this order: continuation bytes that belong to a character begun earlier, whole characters, and the first bytes
of a character cut off. Whatever else is there can be part of no valid UTF-8 (Unicode 15, table 3-7).
"""

import re
from enum import StrEnum
from typing import NamedTuple


class PartKind(StrEnum):
    """What a range of a token's bytes is."""

    TEXT = "text"
    """Whole characters."""
    CONTINUATION = "continuation"
    """One to three continuation bytes at the token's start, of a character begun in an earlier token."""
    HEAD = "head"
    """The first bytes of a character, at the token's end."""
    IMPOSSIBLE = "impossible"
    """Bytes that no valid text has here, whatever precedes and follows the token."""


class Part(NamedTuple):
    """A range of bytes of one kind, from `start` to before `stop`."""

    start: int
    stop: int
    kind: PartKind


class Utf8Class(StrEnum):
    """What a token's bytes are as a whole."""

    TEXT = "text"
    """Whole characters only (the empty string too): the token can be shown as text."""
    HEAD = "head"
    """Begins with a whole character or a cut-off one, ends inside a character: `20 d0`, `d0b0 d1`, `e2 82`."""
    MIDDLE = "middle"
    """One or two continuation bytes and nothing else: within a character or its end, the bytes alone do not say."""
    TAIL = "tail"
    """Begins inside a character, ends with a whole one: `b0 20`; also three continuation bytes, which must end one."""
    TAIL_HEAD = "tail+head"
    """Begins inside a character and ends inside a later one: `b0 d0`."""
    IMPOSSIBLE = "impossible"
    """Has bytes that no valid text can have there: C0, C1, F5 to FF, overlong forms, surrogates, broken characters."""


class Place(NamedTuple):
    """Where a fragment can lie in a character: bytes `first` to `last` (from 1) of a character of `of` bytes."""

    first: int
    last: int
    of: int


_ESCAPED = re.compile("[\udc80-\udcff]+|[^\udc80-\udcff]+")
_CONTINUATIONS = bytes(range(0x80, 0xC0))
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""Lead bytes whose second byte has a narrower range than 80 to BF."""
_MOST_CONTINUATIONS = 3


def utf8_class(data: bytes) -> Utf8Class:
    """The class of a token's bytes."""
    kinds = [part.kind for part in parts(data)]
    if PartKind.IMPOSSIBLE in kinds:
        return Utf8Class.IMPOSSIBLE
    if kinds == [PartKind.CONTINUATION] and len(data) < _MOST_CONTINUATIONS:
        return Utf8Class.MIDDLE
    match PartKind.CONTINUATION in kinds, PartKind.HEAD in kinds:
        case True, True:
            return Utf8Class.TAIL_HEAD
        case True, False:
            return Utf8Class.TAIL
        case False, True:
            return Utf8Class.HEAD
    return Utf8Class.TEXT


def parts(data: bytes) -> list[Part]:
    """The ranges of a token's bytes by kind, in order, covering all of them."""
    found: list[Part] = []
    at = 0
    for run in _ESCAPED.findall(data.decode("utf-8", "surrogateescape")):
        stop = at + len(run.encode("utf-8", "surrogateescape"))
        if "\udc80" <= run[0] <= "\udcff":
            found += _broken(data, at, stop)
        else:
            found.append(Part(at, stop, PartKind.TEXT))
        at = stop
    return found


def _broken(data: bytes, start: int, stop: int) -> list[Part]:
    """The parts of a run of bytes that belong to no whole character."""
    first, last = start, stop
    if start == 0:
        leading = stop - len(data[:stop].lstrip(_CONTINUATIONS))
        first = leading if leading <= _MOST_CONTINUATIONS else 0
    if stop == len(data):
        last = next((at for at in range(max(first, stop - _MOST_CONTINUATIONS), stop) if _is_head(data[at:])), stop)
    ranges = ((start, first, PartKind.CONTINUATION), (first, last, PartKind.IMPOSSIBLE), (last, stop, PartKind.HEAD))
    return [Part(*part) for part in ranges if part[0] < part[1]]


def _is_head(data: bytes) -> bool:
    """Whether bytes are the beginning, but not the whole, of one character."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start == 0 and error.reason == "unexpected end of data"
    return False


def _length(lead: int) -> int:
    """Bytes of the character that a lead byte begins."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def places(data: bytes) -> list[Place]:
    """Where the fragment at a token's end lies in its character, or else the one at its start; empty for others.

    A head has one place. Continuation bytes have several, since their lead byte is not there.
    """
    found = parts(data)
    if not found or found[-1].kind is PartKind.HEAD:
        return [Place(1, p.stop - p.start, _length(data[p.start])) for p in found[-1:]]
    if found[0].kind is not PartKind.CONTINUATION:
        return []
    size = found[0].stop
    inside = len(found) == 1
    return [
        Place(first, first + size - 1, of)
        for of in range(size + 1, 5)
        for first in range(2 if inside else of - size + 1, of - size + 2)
    ]


def code_points(head: bytes) -> tuple[int, int]:
    """The first and the last code point of the characters that begin with these bytes.

    Raises:
        ValueError: when the bytes are not the beginning of one character.
    """
    if not _is_head(head):
        raise ValueError(f"{head.hex(' ')} does not begin a character")
    lowest, highest = _SECOND.get(head[0], (0x80, 0xBF)) if len(head) == 1 else (0x80, 0xBF)
    more = _length(head[0]) - len(head) - 1
    ends = head + bytes([lowest]) + b"\x80" * more, head + bytes([highest]) + b"\xbf" * more
    return ord(ends[0].decode()), ord(ends[1].decode())

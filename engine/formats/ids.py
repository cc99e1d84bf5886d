"""Token ids as files: NumPy's `.npy`, a JSON array, text.

The `.npy` header is that of version 1.0 (NumPy's `numpy.lib.format`): magic, version, length of the header, then a
Python dict in ASCII, padded with blanks and a newline to a multiple of 64 bytes.
"""

import json
import re
import struct
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.corpus.strict_json import ARRAY, U32, StrictJson
from engine.errors import FormatRefusal
from engine.formats.files import ID_DIGITS
from engine.layout import HIGHEST
from engine.quoting import quoted

_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    rb"\{'descr': '([<|][ui][1248])', 'fortran_order': (?:False|True), 'shape': \((\d{1,12}),\), \} *\n"
)
_CODES = {"<u2": "H", "<u4": "I", "<u8": "Q", "<i2": "h", "<i4": "i", "<i8": "q", "|u1": "B"}
"""Types of one-dimensional arrays that are read, and their letters in `struct` and `array`."""
_ONLY_IDS = ("|u1", "<u2", "<u4")
"""Types whose every value can be an id."""
_BLOCK = 1 << 18
"""Bytes of a list that are taken apart at once: its words need many times their bytes."""


class _Numbers(dict[bytes, int]):
    """Numbers by their digits: a list has millions of ids, and few of their kinds."""

    def __missing__(self, digits: bytes) -> int:
        number = int(digits)
        if len(self) < _BLOCK:
            self[digits] = number
        return number


class _Listed(NamedTuple):
    """How a list of ids is written.

    Attributes:
        between: what stands between two blocks of it.
        block: a block that holds ids of at most `ID_DIGITS` digits and nothing else.
        separator: what stands between two ids, as `bytes.split` takes it.
    """

    between: "re.Pattern[bytes]"
    block: "re.Pattern[bytes]"
    separator: bytes | None


_TEXT = _Listed(re.compile(rb"\s"), re.compile(rb"\s*+(?:[0-9]{1,10}+(?:\s++|\Z))*+"), None)
_ITEM = rb"[ \t\n\r]*+(?:0|[1-9][0-9]{0,9}+)[ \t\n\r]*+"
_JSON = _Listed(re.compile(rb","), re.compile(rb"%b(?:,%b)*+" % (_ITEM, _ITEM)), b",")


def as_npy(ids: Sequence[int]) -> bytes:
    """Ids as a NumPy file: little-endian, 16 bits where all of them fit, else 32."""
    kind = "<u2" if max(ids, default=0) < 1 << 16 else "<u4"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(ids)},), }}"
    start = len(_MAGIC) + 4
    padded = header + " " * (-(start + len(header) + 1) % 64) + "\n"
    return (
        _MAGIC
        + struct.pack("<BBH", 1, 0, len(padded))
        + padded.encode("ascii")
        + struct.pack(f"<{len(ids)}{_CODES[kind]}", *ids)
    )


def as_json(ids: Sequence[int]) -> bytes:
    """Ids as a JSON array on one line."""
    return json.dumps(list(ids), separators=(",", ":")).encode() + b"\n"


def as_text(ids: Sequence[int]) -> bytes:
    """Ids in decimal on one line, with blanks between."""
    return " ".join(map(str, ids)).encode() + b"\n"


WRITERS: dict[str, Callable[[Sequence[int]], bytes]] = {"npy": as_npy, "json": as_json, "text": as_text}
"""What writes ids, by the name of the form."""


def form_of(path: str) -> str:
    """The form that a file's ending asks for: text unless it is one of the others."""
    ending = Path(path).suffix.lower().removeprefix(".")
    return ending if ending in WRITERS else "text"


def read_ids(data: bytes, name: str) -> Sequence[int]:
    """The ids in a file of any of these forms, known by its content.

    Args:
        data: the file's content.
        name: what messages call it.

    Raises:
        FormatRefusal: naming the place, for anything that is no list of whole numbers from 0 to 2^32 - 1.
    """
    if data.startswith(_MAGIC):
        return _npy(data, name)
    if data.lstrip().startswith(b"["):
        listed = data.strip()
        ids = _plain(listed[1:-1], _JSON, name) if listed.endswith(b"]") else None
        if ids is not None:
            return ids
        reader = StrictJson(quoted(name), FormatRefusal)
        found = reader.check(reader.parse(data), ARRAY, "the file")
        assert isinstance(found, list)
        for at, value in enumerate(found):
            reader.check(value, U32, f"position {at}")
        return found
    ids = _plain(data, _TEXT, name)
    assert ids is not None, "what is no id in a text is refused"
    return ids


def ids_of(words: Iterable[str], name: str, first: int = 0) -> list[int]:
    """The ids that words spell, the first of them at a position; refusals as in `read_ids`."""
    return [_id(word, at, name) for at, word in enumerate(words, first)]


def _plain(data: bytes, listed: _Listed, name: str) -> "array[int] | None":
    """The ids of a list that holds nothing else; None for other JSON. What is odd in a text is read word by word."""
    ids, known, start = array("I"), _Numbers(), 0
    while True:
        found = listed.between.search(data, start + _BLOCK)
        block = data[start : found.start() if found else len(data)]
        if listed.block.fullmatch(block) is not None:
            read = [*map(known.__getitem__, block.split(listed.separator))]
            odd = max(read, default=0) > HIGHEST
        else:
            odd = True
        if odd and listed is _JSON:
            return None
        if odd:
            read = ids_of(block.decode("ascii", "backslashreplace").split(), name, len(ids))
        ids.extend(read)
        if found is None:
            return ids
        start = found.end()


def _npy(data: bytes, name: str) -> Sequence[int]:
    start = len(_MAGIC) + 4
    length = int.from_bytes(data[start - 2 : start], "little")
    header = _HEADER.fullmatch(data[start : start + length])
    kind = header[1].decode() if header else ""
    if data[len(_MAGIC) : start - 2] != b"\x01\x00" or header is None or kind not in _CODES:
        raise FormatRefusal(f"{quoted(name)}: its .npy header is not that of one row of whole numbers (version 1.0)")
    body, count = data[start + length :], int(header[2])
    size = int(kind[2:])
    if len(body) != count * size:
        raise FormatRefusal(f"{quoted(name)}: {count} ids need {count * size} bytes, but {len(body)} follow the header")
    ids = array(_CODES[kind], body)
    if sys.byteorder == "big":
        ids.byteswap()
    if kind not in _ONLY_IDS and (min(ids, default=0) < 0 or max(ids, default=0) > HIGHEST):
        at, value = next((at, value) for at, value in enumerate(ids) if not 0 <= value <= HIGHEST)
        raise FormatRefusal(f"{quoted(name)}: {value} at position {at} is no token id")
    return ids


def _id(word: str, at: int, name: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS and int(word) <= HIGHEST):
        raise FormatRefusal(f"{quoted(name)}: {quoted(word)} at position {at} is no token id: give whole numbers")
    return int(word)

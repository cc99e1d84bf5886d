"""Mutations: bytes, lines, JSON and sessions, each changed at one to four places that a seeded generator draws."""

import hashlib
import json
import re
import struct
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import msgpack

from sessions.codec import MAGIC, VERSION

Mutation = Callable[[Random, bytes], bytes]
MOST_BYTES = 1 << 18
"""Bytes of the largest mutated input: many small ones find more than few large ones."""

_NUMBERS = ("0", "-1", "255", "256", "4294967295", "4294967296", "9223372036854775808", "1e999", "1.5", "NaN", "007")
_EDGES = (0, 1, 255, 256, 257, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)
_WORDS = (
    *map(str.encode, _NUMBERS), b"9" * 400, b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u0000", b"\\ud800",
    b"null", b"true", b"[]", b"{}", b"=", b"#version: 0.2", b"</w>", b"\n", b"\r\n", b"\t", b" ", b"\0", b"\x1b[2J",
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", "\x85\u2028\u202e".encode(),
)  # fmt: skip
_DOUBLING = b"".join(struct.pack("<II", *[255 + rank if rank else 97] * 2) for rank in range(45))
"""Pairs of kernel ids, each of which joins what the last one made with itself: 2^45 bytes."""
_ODD: tuple[Any, ...] = (
    None, True, False, -1, *_EDGES, 2**63 - 1, 2**63, 2**64 - 1, 1.5, -0.0, 1e308, "", "a", "é", "Ġ", "\0", "\x1b[2J",
    "\u202e", "\ud800", "a" * 5000, "</w>", "bytes", "characters", "gpt2", "ByteLevel", "Split", "Sequence", "none",
    "pattern:(a+)+$", "(?R)", "((?1)a|b)", "((a{1000}){1000}){1000}", "(", "/dev/zero", "/", [], {}, [[]], ["a", "b"],
)  # fmt: skip
_ODD_BYTES = (b"", b"\0" * 8, b"\xff" * 8, b"a" * 5000, bytes(range(256)), _DOUBLING)


def bytes_mutated(draw: Random, data: bytes) -> bytes:
    """A text or a binary file with some bytes, words, lines or numbers changed."""
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        data = draw.choice(_BYTE_CHANGES)(draw, data)[:MOST_BYTES]
    return data


def json_mutated(draw: Random, data: bytes) -> bytes:
    """A JSON document with parts of its structure changed."""
    value = _value_mutated(draw, json.loads(data), _ODD)
    return json.dumps(value, ensure_ascii=draw.random() < 0.7).encode("utf-8", "surrogatepass")


def line_mutated(draw: Random, data: bytes) -> bytes:
    """JSON Lines with one line changed."""
    lines = data.splitlines(keepends=True)
    at = draw.randrange(len(lines))
    return b"".join((*lines[:at], json_mutated(draw, lines[at]), b"\n", *lines[at + 1 :]))


def session_mutated(draw: Random, data: bytes) -> bytes:
    """A session with its payload changed and signed anew, so that what is in it is reached."""
    inside = payload(data)
    if draw.random() < 0.2:
        return signed(bytes_mutated(draw, inside))
    value = msgpack.unpackb(inside, unicode_errors="surrogatepass")
    if draw.random() < 0.1:
        _cut_columns(draw, value)
    value = _value_mutated(draw, value, _ODD + _ODD_BYTES)
    try:
        return signed(msgpack.packb(value, unicode_errors="surrogatepass"))
    except (OverflowError, ValueError):  # a number over 64 bits, or nested too deep for msgpack to write
        return signed(bytes_mutated(draw, inside))


def payload(session: bytes) -> bytes:
    """What a session's frame holds."""
    inside: bytes = msgpack.unpackb(session)[2]
    return inside


def signed(inside: bytes) -> bytes:
    """A session's frame around a payload, with the digest that belongs to it."""
    body: bytes = MAGIC + msgpack.packb(VERSION) + msgpack.packb(inside)
    digest: bytes = msgpack.packb(hashlib.sha256(body).digest())
    return body + digest


def _cut_columns(draw: Random, session: dict[str, Any]) -> None:
    """Leave the first merges only, in all columns alike."""
    columns: dict[str, bytes] = session["merges"]
    total = len(columns["left"]) // 4
    kept = draw.randint(0, total)
    session["merges"] = {name: column[: len(column) * kept // max(total, 1)] for name, column in columns.items()}
    session["rank"] = min(session["rank"], kept)


# Changes of bytes


def _flipped(draw: Random, data: bytes) -> bytes:
    at = draw.randrange(len(data) or 1)
    return data[:at] + bytes(byte ^ 1 << draw.randrange(8) for byte in data[at : at + 1]) + data[at + 1 :]


def _cut_short(draw: Random, data: bytes) -> bytes:
    return data[: draw.randint(0, len(data))]


def _removed(draw: Random, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _repeated(draw: Random, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:end] * draw.choice((1, 1, 50)) + data[end:]


def _moved(draw: Random, data: bytes) -> bytes:
    start, end = _span(draw, data)
    at = draw.randint(0, len(data))
    return data[:at] + data[start:end] + data[at:]


def _word_inserted(draw: Random, data: bytes) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(_WORDS) * draw.choice((1, 1, 3)) + data[at:]


def _nested(draw: Random, data: bytes) -> bytes:
    at, depth = draw.randint(0, len(data)), draw.choice((3, 130, 2000))
    opening, closing = draw.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
    return data[:at] + opening * depth + closing * draw.choice((0, depth)) + data[at:]


def _number_written(draw: Random, data: bytes) -> bytes:
    """A binary number of four or eight bytes, where one may stand."""
    at, size = 4 * draw.randrange(len(data) // 4 + 1), draw.choice((4, 8))
    return data[:at] + draw.choice(_EDGES).to_bytes(size, "little") + data[at + size :]


def _digits_replaced(draw: Random, data: bytes) -> bytes:
    places = [match.span() for match in re.finditer(rb"\d+", data)]
    if not places:
        return data
    start, end = draw.choice(places)
    return data[:start] + draw.choice(_NUMBERS).encode() + data[end:]


def _line_moved(draw: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    line = draw.choice(lines)
    if draw.random() < 0.5:
        lines.remove(line)
    lines.insert(draw.randint(0, len(lines)), line)
    return b"\n".join(lines)


def _span(draw: Random, data: bytes) -> tuple[int, int]:
    start = draw.randint(0, len(data))
    return start, min(start + draw.choice((1, 2, 4, 16, 64, 1000)), len(data))


_BYTE_CHANGES: tuple[Mutation, ...] = (
    _flipped, _cut_short, _removed, _repeated, _moved, _word_inserted, _nested, _number_written, _digits_replaced,
    _line_moved,
)  # fmt: skip


# Changes of structure


def _value_mutated(draw: Random, value: Any, odd: tuple[Any, ...]) -> Any:  # noqa: ANN401 - any plain value
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if not isinstance(value, dict | list) or not value:
            return draw.choice(odd)
        owner, key = _place(draw, value)
        match draw.randrange(6):
            case 0:
                alike = [value for value in odd if type(value) is type(owner[key])]
                owner[key] = deepcopy(draw.choice(draw.choice((odd, alike or odd))))
            case 1:
                del owner[key]
            case 2:
                other, at = _place(draw, value)
                owner[key] = deepcopy(other[at])
            case 3 if isinstance(owner, list):
                owner[key:key] = [deepcopy(owner[key])] * draw.choice((1, 1, 300))
            case 3:
                owner[draw.choice(("", "x", "type", "id", "\x1b[2J"))] = deepcopy(owner[key])
            case 4:
                for _ in range(draw.choice((1, 3, 130))):
                    owner[key] = [owner[key]]
            case _:
                owner[key] = _altered(draw, owner[key])
    return value


def _place(draw: Random, value: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """A container and a key in it; parts near the top are as likely as all those deep in long lists."""
    while True:
        key = draw.choice(list(value)) if isinstance(value, dict) else draw.randrange(len(value))
        part = value[key]
        if not isinstance(part, dict | list) or not part or draw.random() < 0.3:
            return value, key
        value = part


def _altered(draw: Random, value: Any) -> Any:  # noqa: ANN401
    """The same kind of value, a little different."""
    match value:
        case bool():
            return not value
        case int():
            return value + draw.choice((-1, 1, 2, 256, 2**32))
        case bytes():
            return bytes_mutated(draw, value)
        case str():
            return draw.choice((value[1:], value[:-1], value * 2, value * 50, value[::-1], value + "\0", f"{value} "))
        case list():
            return draw.sample(value, draw.randint(0, len(value)))
        case _:
            return [value]

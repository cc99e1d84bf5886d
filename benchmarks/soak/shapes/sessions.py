"""Sessions: what is large in them is packed by hand, since values of its size would take gigabytes here too."""

import struct
from collections.abc import Callable

import msgpack

from ..mutate import signed
from .shape import FILE, Shape


def sessions(members: dict[str, object]) -> dict[str, Shape]:
    """Sessions by their shape, shown; their other members are those given."""
    document = ["l", b"x", 1, "train", {}]
    longer = ["line 12345", b"x" * 40, 1, "train", {}]
    contents: dict[str, Callable[[int], bytes]] = {
        "empty lists": lambda size: _session(members, "held_out", _array(size, b"\x90")),
        "texts of a byte": lambda size: _session(members, "held_out", _array(size // 3, b"\xc4\x01a")),
        "texts of forty": lambda size: _session(members, "held_out", _array(size // 42, b"\xc4\x28" + b"a" * 40)),
        "one text": lambda size: _session(members, "held_out", _array(1, _long_bytes(size))),
        "numbers": lambda size: _session(members, "bookmarks", _array(size // 3, b"\xcd\x01\x2c")),
        "nested": lambda size: _session(members, "bookmarks", b"\x91" * size + b"\x90"),
        "more items than there are": lambda size: _session(members, "bookmarks", _array(0xFFFFFFFF, b"")[:5]),
        "documents as columns": lambda size: _session_of_columns(members, size // 27),
        "documents": lambda size: _session_of_documents(members, document, size),
        "documents of forty": lambda size: _session_of_documents(members, longer, size),
        "merges": lambda size: _session_of_merges(members, size),
        "a map of names": lambda size: _session(members, "view", _map(size // 9)),
    }
    show = ("show", FILE, "--top", "1")
    return {f"session, {name}": Shape("run.bpes", make, show) for name, make in contents.items()}


def _session(members: dict[str, object], name: str, member: bytes, among: str | None = None) -> bytes:
    """A session with one member replaced by packed bytes, and its digest made anew."""
    place = dict(members) if among is None else {**members, among: {**_mapping(members[among]), name: 7}}
    packed = _packed({**place, name: 7} if among is None else place)
    key = _packed(name) + b"\x07"
    assert packed.count(key) == 1
    return signed(packed.replace(key, _packed(name) + member))


def _session_of_documents(members: dict[str, object], document: list[object], size: int) -> bytes:
    packed = _packed(document)
    return _session(members, "documents", _array(size // len(packed), packed), among="corpus")


def _session_of_columns(members: dict[str, object], number: int) -> bytes:
    """Documents of a byte, each with another id and other members."""
    ends = b"".join(struct.pack("<Q", n + 1) for n in range(number))
    columns = {
        "texts": b"a" * number, "text_ends": ends, "ids": b"b" * number, "id_ends": ends, "weights": None,
        "splits": b"\0" * number, "members": b"\x80" * number, "member_ends": ends,
    }  # fmt: skip
    return _session(members, "documents", _packed(columns), among="corpus")


def _session_of_merges(members: dict[str, object], size: int) -> bytes:
    number = size // 48
    columns = {
        name: (b"\1" + b"\0" * (width - 1)) * number
        for name, width in {
            "left": 4, "right": 4, "candidate_count": 8, "replacements": 8, "tie_size": 8, "runner_up_left": 4,
            "runner_up_right": 4, "runner_up_count": 8,
        }.items()
    }  # fmt: skip
    return _session(members, "merges", _packed(columns))


def _packed(value: object) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


def _mapping(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


def _array(number: int, item: bytes) -> bytes:
    return b"\xdd" + struct.pack(">I", number) + item * (number if item else 0)


def _map(number: int) -> bytes:
    return b"\xdf" + struct.pack(">I", number) + b"".join(b"\xa6%06x\x01" % (n % (1 << 24)) for n in range(number))


def _long_bytes(size: int) -> bytes:
    return b"\xc6" + struct.pack(">I", size) + b"a" * size

"""Pairs, traces and ids."""

import struct

from .shape import FILE, SMALL, TOKENIZER, Shape, pairs, some

_CHECK, _VERIFY = ("check", FILE, "--corpus", SMALL), ("verify", FILE)
_DECODE = ("decode", TOKENIZER, "--file", FILE)
_MERGE_TRACE = b"TRACE bpe-merges-v1 BEGIN\nSTAGE index=0\n"
_APPLY_TRACE = b"TRACE apply-bpe-tokenizer-v1 BEGIN\nLAYOUT\n"


def own() -> dict[str, Shape]:
    """The program's own small formats, and a list that a user wrote."""
    traces = {
        "trace, one long document": lambda size: _MERGE_TRACE + b"DOCUMENT stage=0 id=a tokens=" + b"97," * (size // 3),
        "trace, empty lines": lambda size: _MERGE_TRACE + b"\n" * size,
        "trace, documents": lambda size: (
            _MERGE_TRACE + b"".join(b"DOCUMENT stage=0 id=%d tokens=97\n" % n for n in range(size // 40))
        ),
        "trace, rules": lambda size: (
            _APPLY_TRACE
            + b"".join(b"RULE rank=%d training_pair=%d,%d \n" % (n, *p) for n, p in some(pairs(0), size // 36))
        ),
        "trace, one long case": lambda size: _APPLY_TRACE + b"CASE id=a input_hex=" + b"61," * (size // 3) + b"\n",
    }
    lists = {
        "pairs, ids": lambda size: b"[" + b",".join([b"[97,98]"] * (size // 8)) + b"]",
        "pairs, lists": lambda size: b"[" + b",".join([b"[[97],[98]]"] * (size // 12)) + b"]",
        "pairs, lines": lambda size: b"a b\n" * (size // 4),
        "pairs, empty lines": lambda size: b"a b\n" + b"\n" * size,
    }
    ids = {
        "ids, text": ("ids.txt", lambda size: b"97 " * (size // 3)),
        "ids, digits": ("ids.txt", lambda size: b"9 " * (size // 2)),
        "ids, json": ("ids.json", lambda size: b"[" + b",".join([b"97"] * (size // 3)) + b"]"),
        "ids, npy": ("ids.npy", _npy),
    }
    return (
        {name: Shape("run.trace", make, _VERIFY) for name, make in traces.items()}
        | {name: Shape("pairs.json", make, _CHECK) for name, make in lists.items()}
        | {name: Shape(file, make, _DECODE) for name, (file, make) in ids.items()}
    )


def _npy(size: int) -> bytes:
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({size},), }}"
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"a" * size

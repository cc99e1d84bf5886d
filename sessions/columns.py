"""The evidence of all merges as packed columns: little-endian whole numbers, one column per field."""

import sys
from array import array
from collections.abc import Sequence
from typing import Any

from engine.corpus.strict_json import Kind, StrictJson
from engine.kernel import Evidence, Pair

NO_PAIR = 2**32 - 1
"""Stands for both tokens of a runner-up that there is none of; no kernel id is as high."""

_COLUMNS = {
    "left": "I", "right": "I", "candidate_count": "Q", "replacements": "Q", "tie_size": "Q",
    "runner_up_left": "I", "runner_up_right": "I", "runner_up_count": "Q",
}  # fmt: skip
"""Each column's array type: `I` is u32, `Q` is u64."""

BYTES = Kind("bytes", lambda v: isinstance(v, bytes))


def pack_merges(merges: Sequence[Evidence]) -> dict[str, bytes]:
    """The columns of the merges by name."""
    columns = zip(*map(_row, merges), strict=True) if merges else ((),) * len(_COLUMNS)
    return {
        name: _little_endian(array(code, column)).tobytes()
        for (name, code), column in zip(_COLUMNS.items(), columns, strict=True)
    }


def unpack_merges(reader: StrictJson, value: Any) -> tuple[Evidence, ...]:  # noqa: ANN401 - any msgpack value
    """The merges of packed columns.

    Raises:
        ArtifactRefusal: through `reader`, for a missing or unknown column, or columns of different lengths.
    """
    members = reader.closed_object(value, dict.fromkeys(_COLUMNS, BYTES), "the merges")
    columns = []
    for name, code in _COLUMNS.items():
        column = array(code)
        if len(members[name]) % column.itemsize:
            reader.refuse(f"column {name} of the merges ends inside a number")
        column.frombytes(members[name])
        columns.append(_little_endian(column))
    lengths = set(map(len, columns))
    if len(lengths) > 1:
        reader.refuse(f"the columns of the merges have different lengths: {sorted(lengths)}")
    return tuple(map(_evidence, zip(*columns, strict=True)))


def pack_pairs(pairs: Sequence[Pair]) -> bytes:
    """Pairs one after another, left and right, each a u32."""
    return _little_endian(array("I", (token for pair in pairs for token in pair))).tobytes()


def unpack_pairs(reader: StrictJson, data: bytes, what: str) -> tuple[Pair, ...]:
    """Packed pairs.

    Raises:
        ArtifactRefusal: through `reader`, where a pair is cut short.
    """
    if len(data) % 8:
        reader.refuse(f"{what} end inside a pair")
    numbers = array("I")
    numbers.frombytes(data)
    halves = iter(_little_endian(numbers))
    return tuple(zip(halves, halves, strict=True))


def _row(merge: Evidence) -> tuple[int, ...]:
    runner_up = merge.runner_up or (NO_PAIR, NO_PAIR)
    return (
        *merge.pair, merge.candidate_count, merge.replacements, merge.tie_size, *runner_up, merge.runner_up_count
    )  # fmt: skip


def _evidence(row: tuple[int, ...]) -> Evidence:
    left, right, candidate_count, replacements, tie_size, *runner_up, runner_up_count = row
    pair = None if runner_up[0] == NO_PAIR else (runner_up[0], runner_up[1])
    return Evidence((left, right), candidate_count, replacements, tie_size, pair, runner_up_count)


def _little_endian(column: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        column.byteswap()
    return column

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
        name: packed_numbers(array(code, column))
        for (name, code), column in zip(_COLUMNS.items(), columns, strict=True)
    }


def unpack_merges(reader: StrictJson, value: Any) -> tuple[Evidence, ...]:  # noqa: ANN401 - any msgpack value
    """The merges of packed columns.

    Raises:
        ArtifactRefusal: through `reader`, for a missing or unknown column, or columns of different lengths.
    """
    members = reader.closed_object(value, dict.fromkeys(_COLUMNS, BYTES), "the merges")
    columns = [numbers(reader, members[name], code, f"column {name} of the merges") for name, code in _COLUMNS.items()]
    lengths = set(map(len, columns))
    if len(lengths) > 1:
        reader.refuse(f"the columns of the merges have different lengths: {sorted(lengths)}")
    return tuple(map(_evidence, zip(*columns, strict=True)))


def pack_pairs(pairs: Sequence[Pair]) -> bytes:
    """Pairs one after another, left and right, each a u32."""
    return packed_numbers(array("I", (token for pair in pairs for token in pair)))


def unpack_pairs(reader: StrictJson, data: bytes, what: str) -> tuple[Pair, ...]:
    """Packed pairs.

    Raises:
        ArtifactRefusal: through `reader`, where a pair is cut short.
    """
    if len(data) % 8:
        reader.refuse(f"{what} end inside a pair")
    halves = iter(numbers(reader, data, "I", what))
    return tuple(zip(halves, halves, strict=True))


def packed_numbers(column: "array[int]") -> bytes:
    """Whole numbers, little-endian; the column is not used afterwards."""
    return _little_endian(column).tobytes()


def numbers(reader: StrictJson, data: bytes, code: str, what: str) -> "array[int]":
    """Packed whole numbers of an array type.

    Raises:
        ArtifactRefusal: through `reader`, where a number is cut short.
    """
    column = array(code)
    if len(data) % column.itemsize:
        reader.refuse(f"{what} ends inside a number")
    column.frombytes(data)
    return _little_endian(column)


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

"""Token ids as files: NumPy reads ours, we read NumPy's, and nothing else gets through."""

import io
import json
import struct

import pytest

from engine.errors import FormatRefusal
from engine.formats.ids import WRITERS, as_json, as_npy, as_text, form_of, read_ids

LISTS = [[], [0], [1, 65_535], [65_536], [2**32 - 1, 0, 7], list(range(300))]


@pytest.mark.parametrize("ids", LISTS, ids=lambda ids: str(len(ids)))
@pytest.mark.parametrize("form", WRITERS)
def test_every_form_reads_back(ids: list[int], form: str) -> None:
    assert [*read_ids(WRITERS[form](ids), "x")] == ids


@pytest.mark.parametrize("ids", LISTS, ids=lambda ids: str(len(ids)))
def test_numpy_loads_ours(ids: list[int]) -> None:
    numpy = pytest.importorskip("numpy")
    found = numpy.load(io.BytesIO(as_npy(ids)), allow_pickle=False)
    assert found.tolist() == ids
    assert found.dtype == ("uint16" if max(ids, default=0) < 65_536 else "uint32")


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i2", "i4", "i8"])
def test_numpys_own_files_are_read(kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    file = io.BytesIO()
    numpy.save(file, numpy.array([1, 2, 100], dtype=kind))
    assert [*read_ids(file.getvalue(), "x")] == [1, 2, 100]


def test_equal_bytes_to_numpys() -> None:
    numpy = pytest.importorskip("numpy")
    file = io.BytesIO()
    numpy.save(file, numpy.arange(1000, dtype="<u2"))
    assert as_npy(range(1000)) == file.getvalue()


def test_the_other_forms() -> None:
    assert as_json([1, 2]) == b"[1,2]\n"
    assert json.loads(as_json(range(9))) == [*range(9)]
    assert as_text([1, 2]) == b"1 2\n"
    assert [form_of(p) for p in ("a.npy", "a.JSON", "a.txt", "", "npy")] == ["npy", "json", "text", "text", "text"]


def test_odd_white_space_parts_ids_as_any() -> None:
    assert [*read_ids(b"1\x1c2 " * 100_000, "x")] == [1, 2] * 100_000


def npy(header: str, body: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header.encode() + body


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x93NUMPY", "header"),
        (as_npy([1, 2])[:-1], "2 ids need 4 bytes, but 3 follow"),
        (as_npy([1, 2]) + b"\0", "2 ids need 4 bytes, but 5 follow"),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", b"\0" * 4), "header"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", b"cos\nsystem\n"), "header"),
        (npy("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 1), }\n", b"\0\0"), "header"),
        (npy("{'descr': '<u2', 'fortran_order': False, 'shape': (999999999999,), }\n"), "but 0 follow"),
        (npy("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n", b"\0\0", b"\x09\x00"), "header"),
        (npy("__import__('os')\n"), "header"),
        (npy("{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }\n", b"\xff\xff"), "-1 at position 0 is no"),
        (b"[1, -1]", "position 1"),
        (b"[1, true]", "position 1"),
        (b"[1, 4294967296]", "position 1"),
        (b"[1, 2", "x"),
        (b"[" * 100_000, "x"),
        (b"1 2 x", "'x' at position 2 is no token id"),
        (b"1 4294967296", "'4294967296' at position 1"),
        (b"1 " + b"9" * 5000, "at position 1"),
        (b"10 " * 300_000 + b"x", "'x' at position 300000"),
        (b"10 " * 300_000 + b"4294967296 1", "'4294967296' at position 300000"),
        (b"1 \xff", "at position 1"),
    ],
)
def test_other_data_is_refused_in_one_line(data: bytes, says: str) -> None:
    with pytest.raises(FormatRefusal) as refusal:
        read_ids(data, "x")
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)

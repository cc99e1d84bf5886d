# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled boundaries: `engine/native/scan.hpp` and `count.hpp` for texts in memory."""

from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stddef cimport size_t
from libc.stdint cimport uint64_t
from libcpp cimport bool as cbool

from engine.errors import LimitRefusal, RunRefusal

cdef extern from "packed.hpp" namespace "bpe" nogil:
    void check_ends(const uint64_t*, uint64_t, uint64_t) except +

cdef extern from "count.hpp" namespace "bpe" nogil:
    cdef enum class Boundary:
        gpt2, cl100k, o200k, gpt2_by_line, cl100k_by_line, o200k_by_line, whitespace, line, spaces, ascii_whitespace

    cdef cppclass Scanner:
        @staticmethod
        const unsigned char* next(Boundary, const unsigned char*, const unsigned char*)
        @staticmethod
        cbool separates(Boundary, const unsigned char*, const unsigned char*)
        @staticmethod
        cbool begins(Boundary, const unsigned char*, const unsigned char*)

    cdef cppclass PieceTable:
        PieceTable() except +
        uint64_t size()
        uint64_t bytes()
        uint64_t weighted_bytes()
        void scan(Boundary, cbool, const unsigned char*, const unsigned char*, const unsigned char*, uint64_t) except +
        void merge(const PieceTable&) except +
        void pack(unsigned char*, uint64_t*, uint64_t*) except +

    cdef cppclass PieceKey:
        @staticmethod
        PieceKey of(const unsigned char*, size_t, const unsigned char*)
        uint64_t hash()

    cdef cppclass PieceIndex:
        PieceIndex(const unsigned char*, const uint64_t*, uint64_t) except +
        uint64_t find(const unsigned char*, uint64_t)

BOUNDARIES = {
    "gpt2": Boundary.gpt2,
    "cl100k": Boundary.cl100k,
    "o200k": Boundary.o200k,
    "gpt2-by-line": Boundary.gpt2_by_line,
    "cl100k-by-line": Boundary.cl100k_by_line,
    "o200k-by-line": Boundary.o200k_by_line,
    "whitespace": Boundary.whitespace,
    "line": Boundary.line,
    "spaces": Boundary.spaces,
    "ascii-whitespace": Boundary.ascii_whitespace,
}
MOST = 0xFFFFFFFF
"""Pieces of one table, which numbers them in 32 bits."""
cdef Py_ssize_t SMALL = 1 << 14  # a text as short is not worth giving the interpreter away for


def piece_hash(bytes piece not None):
    """What a piece is looked up by; another in each process, so that nobody can choose pieces that meet."""
    p = <const unsigned char*>PyBytes_AS_STRING(piece)
    return PieceKey.of(p, len(piece), p + len(piece)).hash()


def pieces(bytes data not None, boundary, cbool dropped, Py_ssize_t stop, offset):
    """The pieces that begin before `stop`, each with its place counted from `offset`."""
    cdef Boundary rule = BOUNDARIES[boundary]
    cdef const unsigned char* start = <const unsigned char*>PyBytes_AS_STRING(data)
    cdef const unsigned char* end = start + len(data)
    cdef const unsigned char* p = start
    cdef const unsigned char* q
    if not 0 <= stop <= len(data):
        raise ValueError(f"stop={stop} lies outside the text of {len(data)} bytes")
    found = []
    while p < start + stop:
        q = Scanner.next(rule, p, end)
        if not dropped or not Scanner.separates(rule, p, end):
            found.append((offset + (p - start), PyBytes_FromStringAndSize(<const char*>p, q - p)))
        p = q
    return found


def last_begin(bytes data not None, boundary, Py_ssize_t most):
    """The last place up to `most` where a piece surely begins, whatever stood before the data; 0 where none is known.

    The character at `most` must lie in the data as a whole.
    """
    cdef Boundary rule = BOUNDARIES[boundary]
    cdef const unsigned char* start = <const unsigned char*>PyBytes_AS_STRING(data)
    cdef Py_ssize_t size = len(data), at = min(most, size - 1)
    while at > 0:
        if Scanner.begins(rule, start + at, start + size):
            return at
        at -= 1
    return 0


def first_begin(bytes data not None, boundary, Py_ssize_t most):
    """The first place after 0 and up to `most` where a piece surely begins; 0 where none is known."""
    cdef Boundary rule = BOUNDARIES[boundary]
    cdef const unsigned char* start = <const unsigned char*>PyBytes_AS_STRING(data)
    cdef Py_ssize_t size = len(data), at
    for at in range(1, min(most, size - 1) + 1):
        if Scanner.begins(rule, start + at, start + size):
            return at
    return 0


cdef class PieceCounts:
    """Distinct pieces and how often they occur, weighted, in the order of first appearance.

    One thread at a time; several may each fill their own at once, since long texts are scanned without the GIL. A failure
    in the middle of a text leaves counts of a part of it, and so they are refused from there on.
    """

    cdef PieceTable* _table
    cdef Boundary _boundary
    cdef cbool _dropped
    cdef cbool _busy
    cdef cbool _broken

    def __cinit__(self, boundary, cbool dropped):
        self._boundary = BOUNDARIES[boundary]
        self._dropped = dropped
        self._table = new PieceTable()

    def __dealloc__(self):
        del self._table

    cdef PieceTable* _idle(self) except NULL:
        """The table while nobody changes it."""
        if self._busy:
            raise RunRefusal("these counts are in use by another thread: give each thread counts of its own")
        if self._broken:
            raise RunRefusal("these counts stopped inside a text: count again")
        return self._table

    cdef PieceTable* _take(self, uint64_t pieces) except NULL:
        """The table for this thread alone, with numbers left for so many more pieces, until it is given back."""
        table = self._idle()
        if table.size() + pieces > MOST:
            raise LimitRefusal(f"more than {MOST} distinct pieces: use a smaller corpus")
        self._busy = self._broken = True
        return table

    def __len__(self):
        return self._idle().size()

    def add(self, bytes data not None, Py_ssize_t stop, uint64_t weight):
        """Count the pieces that begin before `stop`, where a piece begins or the data end."""
        cdef Py_ssize_t size = len(data)
        if not 0 <= stop <= size or weight == 0:
            raise ValueError(f"stop={stop} lies outside the text of {size} bytes, or weight={weight} is 0")
        cdef const unsigned char* p = <const unsigned char*>PyBytes_AS_STRING(data)
        cdef PieceTable* table = self._take(stop)
        try:
            if stop < SMALL:
                table.scan(self._boundary, self._dropped, p, p + stop, p + size, weight)
            else:
                with nogil:
                    table.scan(self._boundary, self._dropped, p, p + stop, p + size, weight)
            self._broken = False
        finally:
            self._busy = False

    def merge(self, PieceCounts other not None):
        """Add the counts of texts that stand behind this one's."""
        if other is self:
            raise ValueError("counts cannot be added to themselves")
        cdef PieceTable* added = other._idle()
        cdef PieceTable* table = self._take(added.size())
        other._busy = True
        try:
            with nogil:
                table.merge(added[0])
            self._broken = False
        finally:
            self._busy = other._busy = False

    def packed(self):
        """All pieces' bytes one behind another, where each ends, its count, and the weighted sum of their bytes."""
        cdef PieceTable* table = self._idle()
        self._busy = True
        try:
            return _packed(table)
        finally:
            self._busy = False


cdef _packed(PieceTable* table):
    data = PyBytes_FromStringAndSize(NULL, table.bytes())
    ends, counts = array("Q", bytes(8 * table.size())), array("Q", bytes(8 * table.size()))
    cdef uint64_t[::1] all_ends = ends, all_counts = counts
    cdef unsigned char* bytes_ = <unsigned char*>PyBytes_AS_STRING(data)
    if table.size():
        with nogil:
            table.pack(bytes_, &all_ends[0], &all_counts[0])
    return data, ends, counts, table.weighted_bytes()


cdef class Lookup:
    """The number of each packed piece."""

    cdef PieceIndex* _index
    cdef bytes _data
    cdef const uint64_t[::1] _ends

    def __cinit__(self, bytes data not None, const uint64_t[::1] ends not None):
        self._data, self._ends = data, ends  # the index points into them
        cdef const uint64_t* first = &ends[0] if ends.shape[0] else NULL
        if ends.shape[0] > MOST:
            raise LimitRefusal(f"more than {MOST} distinct pieces: use a smaller corpus")
        check_ends(first, ends.shape[0], len(data))
        self._index = new PieceIndex(<const unsigned char*>PyBytes_AS_STRING(data), first, ends.shape[0])

    def __dealloc__(self):
        del self._index

    def __getitem__(self, bytes piece not None):
        cdef uint64_t found = self._index.find(<const unsigned char*>PyBytes_AS_STRING(piece), len(piece))
        if found == <uint64_t>self._ends.shape[0]:
            raise KeyError(piece)
        return found

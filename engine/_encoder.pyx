# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled encoder: `engine/native/encode.hpp` over a list of merges."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

cdef extern from "encode.hpp" namespace "bpe" nogil:
    cdef enum class Boundary:
        gpt2, cl100k, o200k, gpt2_by_line, cl100k_by_line, o200k_by_line, whitespace, line, spaces, ascii_whitespace

    cdef struct Task:
        cbool whole
        Boundary boundary
        cbool dropped
        uint32_t limit

    cdef struct Text:
        const unsigned char* data
        size_t size

    cdef cppclass Ids:
        Ids()
        uint32_t* data()
        size_t size()
        void push(uint32_t) except +
        void cut(size_t)

    cdef cppclass CEncoder "bpe::Encoder":
        CEncoder(uint32_t, const unsigned char*, uint64_t) except +
        void add(uint32_t, uint32_t) except +
        uint32_t merges()
        void encode(Text, Task, Ids&) except +
        size_t merge(uint32_t*, size_t, uint32_t) except +
        void encode_batch(const vector[Text]&, Task, unsigned, Ids*) except +

cdef extern from * nogil:
    """
    #include <memory>
    using ManyIds = std::unique_ptr<bpe::Ids[]>;
    static ManyIds many_ids(std::size_t count) { return ManyIds(new bpe::Ids[count]); }
    """
    cdef cppclass ManyIds:
        Ids& operator[](size_t)
        Ids* get()
    ManyIds many_ids(size_t) except +

BOUNDARIES = {
    "document": Boundary.gpt2,  # not looked at: the text stays whole
    "line": Boundary.line,
    "spaces": Boundary.spaces,
    "ascii-whitespace": Boundary.ascii_whitespace,
    "whitespace": Boundary.whitespace,
    "gpt2": Boundary.gpt2,
    "cl100k": Boundary.cl100k,
    "o200k": Boundary.o200k,
    "gpt2-by-line": Boundary.gpt2_by_line,
    "cl100k-by-line": Boundary.cl100k_by_line,
    "o200k-by-line": Boundary.o200k_by_line,
}

CACHE_BYTES = 64 << 20
"""How much each thread remembers of the pieces it has met."""


cdef class Encoder:
    """A list of merges that encodes: lowest rank, then leftmost. Safe for many threads; the GIL is released meanwhile.

    Pieces of up to 256 bytes are remembered, for one limit at a time.

    Args:
        base: how many base tokens come before the merges.
        base_ids: the base id of each byte as 256 bytes; None where texts are not cut here but come as base ids.
        offset: how far the ids that come out are shifted.
    """

    cdef CEncoder* _encoder
    cdef uint64_t _base
    cdef uint64_t _offset
    cdef cbool _cuts
    cdef list _numbers

    def __cinit__(self, uint32_t base, base_ids, uint32_t offset):
        cdef bytes table = bytes(256) if base_ids is None else bytes(base_ids)
        if base_ids is not None and (len(table) != 256 or base <= max(table)):
            raise ValueError("base_ids: 256 ids of base tokens are needed")
        self._encoder = new CEncoder(base, <const unsigned char*>PyBytes_AS_STRING(table), CACHE_BYTES)
        self._base = base
        self._offset = offset
        self._cuts = base_ids is not None
        self._numbers = []

    def __dealloc__(self):
        del self._encoder

    def __len__(self):
        return self._encoder.merges()

    def add(self, uint32_t left, uint32_t right):
        """Append a merge of two tokens by their ids without offset; the pair must be new."""
        self._encoder.add(left, right)

    def cuts(self, boundary):
        """Whether texts are cut at this boundary here."""
        return self._cuts and boundary in BOUNDARIES

    cdef Task _task(self, boundary, cbool dropped, uint64_t limit) except *:
        cdef Task task
        if not self.cuts(boundary):
            raise ValueError(f"no compiled scanner for the boundary {boundary}")
        task.whole = boundary == "document"
        task.boundary = BOUNDARIES[boundary]
        task.dropped = dropped
        task.limit = <uint32_t>min(limit, self._encoder.merges())
        return task

    def encode(self, bytes data not None, boundary, dropped, limit):
        """The ids of a text.

        Args:
            data: the text.
            boundary: where it is cut.
            dropped: whether text between matches is left out.
            limit: ranks from here on do not exist.
        """
        cdef Task task = self._task(boundary, dropped, limit)
        cdef Text text = text_of(data)
        cdef Ids ids
        with nogil:
            self._encoder.encode(text, task, ids)
        return self._listed(ids)

    def encode_batch(self, texts, boundary, dropped, limit, unsigned threads):
        """The ids of each text, by this many threads; otherwise as `encode`."""
        cdef Task task = self._task(boundary, dropped, limit)
        cdef list held = list(texts)
        cdef vector[Text] given
        cdef size_t i
        cdef bytes data
        for data in held:
            given.push_back(text_of(data))
        cdef ManyIds found = many_ids(given.size())
        with nogil:
            self._encoder.encode_batch(given, task, threads, found.get())
        listed = []
        for i in range(given.size()):
            listed.append(self._listed(found[i]))
        return listed

    def merge(self, base_ids, limit):
        """The ids of one piece that is given by its base ids, without offset; the result has it."""
        cdef Ids ids
        cdef uint32_t bound = <uint32_t>min(limit, self._encoder.merges())
        cdef uint32_t base_id
        for base_id in base_ids:
            if base_id >= self._base:
                raise ValueError(f"no base token has the id {base_id}")
            ids.push(base_id)
        with nogil:
            ids.cut(self._encoder.merge(ids.data(), ids.size(), bound))
        return self._listed(ids)

    cdef list _listed(self, Ids& ids):
        """A list that shares one number object per id."""
        cdef Py_ssize_t tokens = self._base + self._encoder.merges()
        cdef Py_ssize_t i
        cdef const uint32_t* values = ids.data()
        cdef list numbers = self._numbers
        while len(numbers) < tokens:
            numbers.append(self._offset + len(numbers))
        cdef list listed = PyList_New(ids.size())
        for i in range(<Py_ssize_t>ids.size()):
            number = <object>PyList_GET_ITEM(numbers, values[i])
            Py_INCREF(number)
            PyList_SET_ITEM(listed, i, number)
        return listed


cdef Text text_of(bytes data) except *:
    if data is None:
        raise TypeError("a text is bytes, not None")
    cdef Text text
    text.data = <const unsigned char*>PyBytes_AS_STRING(data)
    text.size = PyBytes_GET_SIZE(data)
    return text

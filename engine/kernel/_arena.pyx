# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled arena kernel: `engine/native/arena.hpp` behind the interface of `engine.kernel.base.Kernel`.

Lists are appended to, here and in the other compiled parts: Cython 3.3 frees an item twice where a list comprehension
finds no memory for it.
"""

from array import array
from collections.abc import Sequence

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.utility cimport pair as cpair
from libcpp.vector cimport vector

from engine.errors import LimitRefusal, RunRefusal
from engine.kernel.base import Evidence
from engine.kernel.validity import ANY_SCRIPT, kind_of
from engine.packed import PackedSequences
from engine.turn import BUSY

cdef extern from "packed.hpp" namespace "bpe" nogil:
    void check_ends(const uint64_t*, uint64_t, uint64_t) except +

cdef extern from "arena.hpp" namespace "bpe" nogil:
    cdef enum class Tie:
        smallest_ids, first_seen, largest_bytes, largest_symbols, smallest_symbols, shortest_joined

    cdef enum class Outcome:
        done, out_of_time, exhausted, pair_types, heap_entries, token_bytes, vocabulary_bytes, ids

    cdef struct Rules:
        Tie tie
        cbool half_runs
        int64_t min_count
        uint64_t bound
        cbool exclusive
        cbool characters
        cbool filtered

    cdef struct Limits:
        uint64_t pair_types, heap_entries, token_bytes, vocabulary_bytes

    cdef struct CEvidence "bpe::Evidence":
        uint32_t left, right
        int64_t count, replacements
        uint64_t tie_size
        uint32_t next_left, next_right
        int64_t next_count

    cdef struct Pair:
        uint32_t left, right
        int64_t count

    cdef cppclass Arena:
        Arena(Rules, Limits) except +
        void add_token(const char*, size_t, cbool, uint32_t) except +
        void reserve(size_t, size_t, cbool) except +
        void add_unit(const unsigned char*, const uint32_t*, size_t, uint64_t) except +
        void give(const vector[cpair[uint32_t, uint32_t]]&) except +
        void start() except +
        Outcome travel(uint64_t, double) except +
        void forward() except +
        void back() except +
        uint64_t rank()
        uint64_t learned()
        int64_t tokens()
        uint64_t live()
        uint64_t queued()
        uint64_t need()
        uint64_t vocabulary_bytes()
        int64_t frequency(uint32_t)
        CEvidence evidence(uint64_t) except +
        int64_t count(uint32_t, uint32_t)
        cbool mergeable(uint32_t, uint32_t, int64_t) except +
        uint64_t tied(int64_t)
        vector[Pair] top(uint64_t, uint64_t) except +
        vector[cpair[uint64_t, uint32_t]] unit_tokens(uint64_t, uint64_t, uint64_t) except +
        vector[cpair[uint64_t, uint64_t]] occurrences(uint32_t, uint32_t, uint64_t) except +
        uint64_t bytes()

MOST_POSITIONS = 2**32 - 4  # each symbol has one, and each unit one more; they are kept in 32 bits
TIES = {
    "smallest-ids": Tie.smallest_ids,
    "first-seen": Tie.first_seen,
    "largest-bytes": Tie.largest_bytes,
    "largest-symbols": Tie.largest_symbols,
    "smallest-symbols": Tie.smallest_symbols,
    "shortest-then-smallest-joined": Tie.shortest_joined,
}


cdef class CompiledKernel:
    """See `engine.kernel.base.Kernel`. The GIL is released while the kernel moves and while it ranks pairs.

    The arena is only reached by `_idle` and `_take`, so that no thread meets another's half-made merge.
    """

    name = "compiled"
    cdef Arena* _arena
    cdef bint _busy
    cdef list _vocabulary
    cdef object _limits
    cdef uint64_t _base
    cdef readonly object evidence

    def __cinit__(self, units, policy, limits):
        cdef Rules rules
        cdef Limits bounds
        rules.tie = TIES[policy.tie_break]
        rules.half_runs = policy.counting == "non-overlapping"
        rules.min_count = policy.min_count
        rules.bound = policy.max_token_length or 0
        rules.exclusive = policy.length_rule == "exclusive"
        rules.characters = policy.alphabet == "characters"
        rules.filtered = policy.piece_filter == "sentencepiece"
        bounds.pair_types = limits.pair_types
        bounds.heap_entries = limits.heap_entries
        bounds.token_bytes = limits.token_bytes
        bounds.vocabulary_bytes = limits.vocabulary_bytes
        self._arena = new Arena(rules, bounds)
        self._limits = limits
        self._vocabulary = list(units.alphabet.tokens)
        self._base = len(self._vocabulary)
        self.evidence = EvidenceView(self)
        for token in self._vocabulary:
            kind = kind_of(token.symbol) if rules.filtered else ANY_SCRIPT
            self._arena.add_token(token.data, len(token.data), token.ends_word, kind)
        self._place(units)
        with nogil:
            self._arena.start()

    def __dealloc__(self):
        del self._arena

    cdef Arena* _idle(self) except NULL:
        """The arena while nobody moves it."""
        if self._busy:
            raise RunRefusal(BUSY)
        return self._arena

    cdef Arena* _take(self) except NULL:
        """The arena for this thread alone, until `_busy` is taken back."""
        arena = self._idle()
        self._busy = True
        return arena

    cdef _place(self, units):
        cdef const unsigned char[::1] narrow
        cdef const uint32_t[::1] wide
        if units.symbols + len(units.sequences) > MOST_POSITIONS:
            raise LimitRefusal(
                f"{units.symbols} base symbols in {len(units.sequences)} units need more than 2**32 - 4 positions: "
                "use a smaller corpus"
            )
        self._arena.reserve(units.symbols, len(units.sequences), any(w != 1 for w in units.weights))
        if isinstance(units.sequences, PackedSequences):
            self._place_packed(units.sequences.packed, units.sequences.table)
            return
        for sequence, weight in zip(units.sequences, units.weights, strict=True):
            if isinstance(sequence, bytes):
                narrow = sequence
                self._arena.add_unit(&narrow[0], NULL, narrow.shape[0], weight)
            else:
                wide = array("I", sequence)
                self._arena.add_unit(NULL, &wide[0], wide.shape[0], weight)

    cdef _place_packed(self, packed, bytes table):
        cdef const unsigned char[::1] ids = packed.data.translate(table)
        cdef const uint64_t[::1] ends = packed.ends, counts = packed.counts
        cdef uint64_t start = 0
        cdef Py_ssize_t unit
        if not ends.shape[0] == counts.shape[0] == len(packed):
            raise ValueError("packed pieces need as many counts as ends")
        if ends.shape[0] == 0:
            return
        check_ends(&ends[0], ends.shape[0], ids.shape[0])
        with nogil:
            for unit in range(ends.shape[0]):
                self._arena.add_unit(&ids[start], NULL, ends[unit] - start, counts[unit])
                start = ends[unit]

    def give(self, pairs):
        """Merges to apply first, in order, whatever the rules would choose."""
        cdef vector[cpair[uint32_t, uint32_t]] given = list(pairs)
        self._idle().give(given)

    # Where it stands

    @property
    def rank(self):
        """Merges applied now."""
        return self._idle().rank()

    @property
    def tokens(self):
        """Weighted number of tokens now."""
        return self._idle().tokens()

    @property
    def vocabulary(self):
        """Base tokens, then one per learned rank."""
        cdef Arena* arena = self._take()  # no other thread appends meanwhile
        cdef uint64_t rank
        cdef CEvidence known
        try:
            for rank in range(len(self._vocabulary) - self._base, arena.learned()):
                known = arena.evidence(rank)
                self._vocabulary.append(self._vocabulary[known.left] + self._vocabulary[known.right])
        finally:
            self._busy = False
        return self._vocabulary

    @property
    def learned(self):
        """Merges known."""
        return self._idle().learned()

    @property
    def memory(self):
        """Bytes that the kernel's arrays take."""
        return self._idle().bytes()

    # Moving

    def travel(self, rank, budget_s=None):
        """Towards a rank; True unless no pair is left to merge before it."""
        cdef uint64_t target = rank
        cdef double seconds = -1.0 if budget_s is None else budget_s
        cdef Outcome outcome
        cdef Arena* arena = self._take()
        try:
            with nogil:
                outcome = arena.travel(target, seconds)
        finally:
            self._busy = False
        return self._checked(outcome)

    def learn(self):
        """Choose the next merge and apply it; False when no pair is left to merge."""
        return self.travel(self._idle().rank() + 1)

    cdef _checked(self, Outcome outcome):
        """Whether the kernel may go on; a limit that stopped it becomes a refusal."""
        limits, rank = self._limits, self._arena.learned()
        if outcome == Outcome.pair_types:
            limits.check("pair_types", self._arena.live(), "the number of live pairs")
        elif outcome == Outcome.heap_entries:
            limits.check("heap_entries", self._arena.queued(), "the priority queue with only live pairs")
        elif outcome == Outcome.token_bytes:
            limits.check("token_bytes", self._arena.need(), f"the byte expansion of rank {rank}")
        elif outcome == Outcome.vocabulary_bytes:
            need = self._arena.vocabulary_bytes() + self._arena.need()
            limits.check("vocabulary_bytes", need, f"the vocabulary's byte expansions at rank {rank}")
        elif outcome == Outcome.ids:
            raise LimitRefusal("the next token id would not fit 32 bits: stop learning here")
        return outcome != Outcome.exhausted

    def forward(self):
        """Apply the known merge of the present rank."""
        cdef Arena* arena = self._take()
        try:
            with nogil:
                arena.forward()
        finally:
            self._busy = False

    def back(self):
        """Undo the last applied merge."""
        cdef Arena* arena = self._take()
        try:
            with nogil:
                arena.back()
        finally:
            self._busy = False

    # Questions

    def count(self, pair):
        """The pair's weighted count now."""
        return self._idle().count(pair[0], pair[1])

    def live_pairs(self):
        """Distinct pairs alive now."""
        return self._idle().live()

    def tied(self, count):
        """How many pairs with exactly this count may be merged now."""
        return self._idle().tied(count)

    def mergeable(self, pair, count):
        """Whether a pair of that count may be merged."""
        return self._idle().mergeable(pair[0], pair[1], count)

    def top(self, n, offset=0):
        """Live pairs in the order in which they would be merged."""
        cdef uint64_t wanted = min(n, self.live_pairs()), start = offset
        cdef vector[Pair] found
        cdef size_t i
        cdef Arena* arena = self._take()
        try:
            with nogil:
                found = arena.top(wanted, start)
        finally:
            self._busy = False
        pairs = []
        for i in range(found.size()):
            pairs.append(((found[i].left, found[i].right), found[i].count))
        return pairs

    def frequency(self, token):
        """The weighted number of occurrences of a token now."""
        return self._idle().frequency(token)

    def unit_tokens(self, unit, start=0, stop=None):
        """The tokens that cover the positions from `start` to `stop` of a unit."""
        cdef uint64_t end = 0xFFFFFFFFFFFFFFFF if stop is None else stop
        cdef vector[cpair[uint64_t, uint32_t]] found = self._idle().unit_tokens(unit, start, end)
        cdef size_t i
        tokens = []
        for i in range(found.size()):
            tokens.append((found[i].first, found[i].second))
        return tokens

    def occurrences(self, pair, limit):
        """The first `limit` windows of a pair in unit order."""
        cdef vector[cpair[uint64_t, uint64_t]] found = self._idle().occurrences(pair[0], pair[1], limit)
        cdef size_t i
        places = []
        for i in range(found.size()):
            places.append((found[i].first, found[i].second))
        return places

    def pairs(self, start=0):
        """The learned pairs by rank, from one on."""
        cdef uint64_t first = start, rank
        cdef CEvidence known
        found = []
        for rank in range(first, self._idle().learned()):
            known = self._idle().evidence(rank)
            found.append((known.left, known.right))
        return found

    def replacements(self, start=0):
        """How many matches each learned merge consumed, from one rank on."""
        cdef uint64_t first = start, rank
        found = []
        for rank in range(first, self._idle().learned()):
            found.append(self._idle().evidence(rank).replacements)
        return found

    def _evidence(self, Py_ssize_t rank):
        """One rank's, from the end where it is below 0."""
        cdef Arena* arena = self._idle()
        if rank < 0:
            rank += arena.learned()
        cdef CEvidence known = arena.evidence(rank)  # refuses what is still below 0 as one of 64 bits
        runner_up = (known.next_left, known.next_right) if known.next_count else None
        return Evidence(
            (known.left, known.right), known.count, known.replacements, known.tie_size, runner_up, known.next_count
        )


class EvidenceView(Sequence):
    """The evidence of the learned ranks, made when asked for."""

    def __init__(self, kernel):
        self._kernel = kernel

    def __len__(self):
        return self._kernel.learned

    def __getitem__(self, index):
        if isinstance(index, slice):
            return list(map(self._kernel._evidence, range(*index.indices(len(self)))))
        return self._kernel._evidence(index)

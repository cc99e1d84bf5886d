"""Units: what a kernel trains on, cut from the training documents by a policy's boundary.

With the boundary `document` each document is one unit. Otherwise equal pieces are one unit whose weight is the number
of times they occur, in the order of first appearance, which leaves every count and every tie rule unchanged. Pieces are
cut again at characters that the alphabet leaves out for their rarity.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from operator import mul
from typing import Protocol

from engine.alphabet import Alphabet, build_alphabet
from engine.corpus.columns import joined, lengths
from engine.corpus.document import Document, Documents, columns_of
from engine.counting import Note, Tell, count_pieces, ignored
from engine.errors import LimitRefusal
from engine.given import NOTHING_GIVEN, Given
from engine.limits import UNBOUNDED, Limits
from engine.memory import check_memory, memory_bound
from engine.packed import Packed, PackedSequences
from engine.policy import Policy

SYMBOL_BYTES, SPELLED_BYTES = 8, 100
"""Memory of a symbol of an alphabet whose symbols are not bytes, and of one of the unit that is being spelled."""
UNIT_BYTES = 40
"""Memory for where a document's unit ends, its weight and its place, with the room that arrays grow by."""


class Index(Protocol):
    """The unit of a piece; KeyError for one that is not there."""

    def __getitem__(self, piece: bytes, /) -> int: ...


@dataclass(frozen=True)
class Units:
    """Sequences of base ids with their weights.

    Attributes:
        alphabet: the base tokens.
        sequences: one sequence of base ids per unit; never empty. Where bytes alone are symbols they are packed.
        weights: how often each unit counts.
        documents: with the boundary `document`, the unit of each training document, or None for an empty one.
        pieces: for other boundaries, the distinct pieces of text in unit order.
    """

    alphabet: Alphabet
    sequences: Sequence[Sequence[int]]
    weights: Sequence[int]
    documents: Sequence[int | None]
    pieces: Packed | Sequence[bytes]

    @cached_property
    def index(self) -> Index:
        """The unit of each distinct piece of text, for boundaries other than `document`."""
        if isinstance(self.pieces, Packed):
            return self.pieces.lookup
        return {piece: i for i, piece in enumerate(self.pieces)}

    def of_piece(self, piece: bytes) -> Iterator[tuple[int, int]]:
        """The units of a piece that the boundary cuts, in order: offset in it, and the unit."""
        for at, part in self.alphabet.covered(piece):
            yield at, self.index[part]

    def size(self, unit: int) -> int:
        """The base symbols of one unit."""
        if isinstance(self.sequences, PackedSequences):
            return self.sequences.size(unit)
        return len(self.sequences[unit])

    def each_once(self) -> "Units":
        """The same units with a weight of 1 each."""
        once, sequences = array("Q", [1]) * len(self.weights), self.sequences
        if isinstance(sequences, PackedSequences):
            packed = replace(sequences.packed, counts=once, weighted_bytes=len(sequences.packed.data))
            sequences = PackedSequences(packed, sequences.table)
        return replace(self, sequences=sequences, weights=once)

    @cached_property
    def symbols(self) -> int:
        """Base symbols over all units, each unit once."""
        if isinstance(self.sequences, PackedSequences):
            return len(self.sequences.packed.data)
        return sum(map(len, self.sequences))

    @cached_property
    def weighted_bytes(self) -> int:
        """Bytes of text over all units, weighted; end-of-word marks have none."""
        if self.alphabet.byte_ids is not None:
            return self.weighted_symbols
        sizes = [len(token.data) for token in self.alphabet.tokens]
        return sum(sum(sizes[i] for i in s) * w for s, w in zip(self.sequences, self.weights, strict=True))

    @cached_property
    def weighted_symbols(self) -> int:
        """Base symbols over all units, each unit as often as its weight says."""
        if isinstance(self.sequences, PackedSequences):
            return self.sequences.packed.weighted_bytes
        return sum(len(s) * w for s, w in zip(self.sequences, self.weights, strict=True))


def build_units(
    documents: Sequence[Document],
    policy: Policy,
    limits: Limits,
    tell: Tell | None = None,
    given: Given = NOTHING_GIVEN,
    note: Note = ignored,
    memory_limit: int | None = None,
) -> Units:
    """The units of the training documents; the base tokens of given merges come first.

    `tell` and `note` are as in `count_pieces`.

    Raises:
        LimitRefusal: when documents, symbols or a weighted total exceed their limits, or too much memory is needed.
    """
    limits.check("documents", len(documents), "this corpus's number of training documents")
    if policy.boundary == "document" and not policy.special_tokens and policy.coverage is None:
        units = _whole_documents(columns_of(documents), policy, given, memory_limit)
    else:
        counts = count_pieces(documents, policy, tell, note=note, memory_limit=memory_limit)
        units = _distinct_pieces(counts, policy, given, memory_limit)
    limits.check("nodes", units.symbols, "this corpus's number of base symbols")
    if units.weighted_symbols > UNBOUNDED:
        raise LimitRefusal(
            f"weighted counts could reach {units.weighted_symbols}, over 2**63 - 1: scale the weights down"
        )
    return units


def _whole_documents(documents: Documents, policy: Policy, given: Given, memory_limit: int | None) -> Units:
    texts, size = documents.texts, sum(lengths(documents.texts))
    check_memory(2 * size + UNIT_BYTES * len(texts), memory_limit, f"training on {size:,} bytes of whole documents")
    found = joined(texts)
    where: Sequence[int | None] = range(len(texts))
    if len(found) < len(texts):
        numbers = iter(where)
        where = [next(numbers) if length else None for length in lengths(texts)]
    weights = array("Q", compress(documents.weights, lengths(texts)))
    packed = Packed(found.data, found.ends, weights, sum(map(mul, lengths(found), weights)))
    alphabet = _alphabet(packed, weights, policy, given, memory_limit)
    return Units(alphabet, _sequences(alphabet, packed), weights, where, ())


def _distinct_pieces(
    counts: Packed | dict[bytes, int], policy: Policy, given: Given, memory_limit: int | None
) -> Units:
    pieces, weights = (counts, counts.counts) if isinstance(counts, Packed) else (list(counts), list(counts.values()))
    alphabet = _alphabet(pieces, weights, policy, given, memory_limit)
    if not alphabet.covers_all:
        known = _covered(alphabet, pieces, weights)
        pieces, weights = list(known), list(known.values())
    return Units(alphabet, _sequences(alphabet, pieces), weights, (), pieces)


def _alphabet(
    units: Packed | Sequence[bytes], weights: Sequence[int], policy: Policy, given: Given, memory_limit: int | None
) -> Alphabet:
    """The alphabet of units whose symbols fit into the memory, behind the base tokens of given merges."""
    _check_symbols(units, policy, memory_limit)
    bound = memory_bound(memory_limit)

    def taken(need: int) -> None:
        check_memory(need, bound, "an alphabet of so many characters")

    return given.extended(policy, build_alphabet(policy, zip(units, weights, strict=True), taken))


def _check_symbols(units: Packed | Sequence[bytes], policy: Policy, memory_limit: int | None) -> None:
    """Refuse units that take too much memory where their symbols are objects, as those of characters are."""
    if policy.alphabet == "bytes" and policy.end_of_word == "none":
        return
    sizes = [*map(len, units)]
    need = SPELLED_BYTES * max(sizes, default=0) + SYMBOL_BYTES * sum(sizes)
    check_memory(need, memory_limit, f"spelling {sum(sizes):,} bytes of distinct units as symbols")


def _sequences(alphabet: Alphabet, pieces: Packed | Sequence[bytes]) -> Sequence[Sequence[int]]:
    if isinstance(pieces, Packed) and alphabet.byte_ids is not None:
        return PackedSequences(pieces, alphabet.byte_ids)
    return [_encoded(alphabet, piece) for piece in pieces]


def _covered(alphabet: Alphabet, pieces: Iterable[bytes], weights: Sequence[int]) -> dict[bytes, int]:
    parts: dict[bytes, int] = {}
    for piece, weight in zip(pieces, weights, strict=True):
        for _, part in alphabet.covered(piece):
            parts[part] = parts.get(part, 0) + weight
    return parts


def _encoded(alphabet: Alphabet, piece: bytes) -> Sequence[int]:
    ids = alphabet.encode(piece)
    assert ids is not None, "an alphabet is built from the very units it encodes"
    return ids

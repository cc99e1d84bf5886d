"""Units: what a kernel trains on, cut from the training documents by a policy's boundary.

With the boundary `document` each document is one unit. Otherwise equal pieces are one unit whose weight is the number
of times they occur, in the order of first appearance, which leaves every count and every tie rule unchanged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.alphabet import Alphabet, build_alphabet
from engine.corpus.document import Document
from engine.errors import LimitRefusal
from engine.limits import UNBOUNDED, Limits
from engine.policy import Policy
from engine.pretokenize import splitter


@dataclass(frozen=True, slots=True)
class Units:
    """Sequences of base ids with their weights.

    Attributes:
        alphabet: the base tokens.
        sequences: one sequence of base ids per unit; never empty.
        weights: how often each unit counts.
        index: the unit of each distinct piece of text, for boundaries other than `document`.
        documents: with the boundary `document`, the unit of each training document, or None for an empty one.
    """

    alphabet: Alphabet
    sequences: Sequence[Sequence[int]]
    weights: Sequence[int]
    index: dict[bytes, int]
    documents: Sequence[int | None]

    @property
    def symbols(self) -> int:
        """Base symbols over all units, each unit once."""
        return sum(map(len, self.sequences))

    @property
    def weighted_bytes(self) -> int:
        """Bytes of text over all units, weighted; end-of-word marks have none."""
        if not self.alphabet.characters:
            return self.weighted_symbols
        sizes = [len(token.data) for token in self.alphabet.tokens]
        return sum(sum(sizes[i] for i in s) * w for s, w in zip(self.sequences, self.weights, strict=True))

    @property
    def weighted_symbols(self) -> int:
        """Base symbols over all units, each unit as often as its weight says."""
        return sum(len(s) * w for s, w in zip(self.sequences, self.weights, strict=True))


def build_units(documents: Sequence[Document], policy: Policy, limits: Limits) -> Units:
    """The units of the training documents.

    Raises:
        LimitRefusal: when documents, symbols or a weighted total exceed their limits.
    """
    limits.check("documents", sum(1 for _ in documents), "this corpus's number of training documents")
    if policy.boundary == "document" and not policy.special_tokens:
        pieces = [d.data for d in documents if d.data]
        weights = [d.weight for d in documents if d.data]
        index: dict[bytes, int] = {}
        numbers = iter(range(len(pieces)))
        where: list[int | None] = [next(numbers) if d.data else None for d in documents]
    else:
        counts = count_pieces(documents, policy)
        pieces, weights = list(counts), list(counts.values())
        index = {piece: i for i, piece in enumerate(pieces)}
        where = []
    alphabet = build_alphabet(policy, zip(pieces, weights, strict=True))
    sequences = [_encoded(alphabet, piece) for piece in pieces]
    units = Units(alphabet, sequences, weights, index, where)
    limits.check("nodes", units.symbols, "this corpus's number of base symbols")
    if units.weighted_symbols > UNBOUNDED:
        raise LimitRefusal(
            f"weighted counts could reach {units.weighted_symbols}, over 2**63 - 1: scale the weights down"
        )
    return units


def count_pieces(documents: Iterable[Document], policy: Policy) -> dict[bytes, int]:
    """How often each distinct piece occurs over weighted documents, in the order of first appearance."""
    cut = splitter(policy)
    counts: dict[bytes, int] = {}
    for document in documents:
        for _, piece in cut(document.data):
            counts[piece] = counts.get(piece, 0) + document.weight
    return counts


def _encoded(alphabet: Alphabet, piece: bytes) -> Sequence[int]:
    ids = alphabet.encode(piece)
    assert ids is not None, "an alphabet is built from the very units it encodes"
    return ids

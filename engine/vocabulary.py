"""Vocabulary: what each entry of a run is made of, and what is made of it."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from engine.kernel import Pair
from engine.trainer import Trainer
from engine.utf8 import Utf8Class, utf8_class


@dataclass(frozen=True, slots=True)
class Entry:
    """One vocabulary entry; ids are kernel ids but for `shown`.

    Attributes:
        token: its kernel id.
        shown: its id in the run's layout.
        data: its byte expansion.
        ends_word: whether it carries the end-of-word mark.
        parents: the two tokens that its merge joined, or None for a base token.
        rank: the rank of that merge, or None for a base token.
        depth: the longest way down to a base token: 0 for one, else 1 more than its deeper parent.
    """

    token: int
    shown: int
    data: bytes
    ends_word: bool
    parents: Pair | None
    rank: int | None
    depth: int

    @property
    def hex(self) -> str:
        """Its bytes as two-digit groups."""
        return self.data.hex(" ")

    @property
    def utf8(self) -> Utf8Class:
        """The UTF-8 class of its bytes."""
        return utf8_class(self.data)


class Vocabulary:
    """The entries of a trainer, learned ones ahead of the present rank included.

    It follows the run: every learned merge is looked at once, when first asked for.
    """

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._base = len(trainer.units.alphabet.tokens)
        self._depths = array("I", bytes(4 * self._base))
        self._children: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._trainer.vocabulary)

    def __getitem__(self, token: int) -> Entry:
        """The entry of a kernel id, from 0 on.

        Raises:
            IndexError: for an id that no base token or learned merge has.
        """
        self._follow()
        if not 0 <= token < len(self):
            raise IndexError(token)
        rank = token - self._base if token >= self._base else None
        parents = None if rank is None else self._trainer.kernel.evidence[rank].pair
        content, shown = self._trainer.vocabulary[token], self._trainer.layout.shown(token)
        return Entry(token, shown, content.data, content.ends_word, parents, rank, self._depths[token])

    def children(self, token: int) -> Sequence[int]:
        """The tokens whose merge joins this one, by rising id, among the learned."""
        self._follow()
        return tuple(self._children.get(token, ()))

    def _follow(self) -> None:
        """Take in what was learned since the last question."""
        evidence = self._trainer.kernel.evidence
        for token in range(len(self._depths), len(self)):
            pair = evidence[token - self._base].pair
            self._depths.append(1 + max(self._depths[pair[0]], self._depths[pair[1]]))
            for parent in {*pair}:
                self._children.setdefault(parent, []).append(token)

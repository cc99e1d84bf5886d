"""Two encodings of one text side by side: where both cut, and where they cut differently."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Place = tuple[int, int]
"""Where a token lies in the text: its first byte and the byte behind its last."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of a text between two places where both encodings cut.

    Attributes:
        start: its first byte.
        stop: the byte behind its last.
        a: the places of A's tokens in it; bytes that an encoding drops are in none.
        b: those of B's.
    """

    start: int
    stop: int
    a: tuple[Place, ...]
    b: tuple[Place, ...]

    @property
    def equal(self) -> bool:
        """Whether both cut it alike."""
        return self.a == self.b


def places(text: bytes, pieces: Iterable[bytes]) -> list[Place]:
    """Where the tokens of an encoding lie, told by their bytes; between them may be text that is dropped.

    A token without bytes, as an end-of-word mark of its own, is left out; so is one that is not in the text, as after
    a normalizer.
    """
    found: list[Place] = []
    at = 0
    for piece in pieces:
        start = text.find(piece, at)
        if piece and start >= 0:
            at = start + len(piece)
            found.append((start, at))
    return found


def stretches(a: Sequence[Place], b: Sequence[Place], size: int) -> Iterator[Stretch]:
    """The stretches of a text of so many bytes, in order and without gaps; equal tokens are one stretch each."""
    cuts = {0, size} | (_cuts(a) & _cuts(b))
    sides = (iter([*a, (size, size)]), iter([*b, (size, size)]))
    waiting = [next(side) for side in sides]
    for start, stop in pairwise(sorted(cuts)):
        inside: list[list[Place]] = [[], []]
        for i, side in enumerate(sides):
            while waiting[i][1] <= stop and waiting[i][0] < size:
                inside[i].append(waiting[i])
                waiting[i] = next(side)
        yield Stretch(start, stop, tuple(inside[0]), tuple(inside[1]))


def _cuts(tokens: Sequence[Place]) -> set[int]:
    return {edge for token in tokens for edge in token}

"""`SafeText`: the only form in which text reaches a widget."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from rich.cells import cell_len

from bpe_tui.text import glyphs

Align = Literal["left", "right"]


class Kind(StrEnum):
    """What a piece of text stands for. Only `PLAIN` and `MARK` may be cut inside a piece."""

    PLAIN = "plain"
    SPACE = "space"
    CONTROL = "control"
    BAD_BYTE = "bad-byte"
    HIDDEN = "hidden"
    MARK = "mark"


@dataclass(frozen=True)
class SafeText:
    """Text that any terminal draws as it is, in a known number of cells.

    Made by `bpe_tui.text.cells` from data and by `SafeText.label` from words of ours. No module outside this
    package calls the constructor; a test watches that.

    Attributes:
        pieces: (text, kind) in order; a piece of data that stands for one byte or code point is never split.
    """

    pieces: tuple[tuple[str, Kind], ...] = ()

    def __post_init__(self) -> None:
        for text, _ in self.pieces:
            if not text.isprintable():
                raise ValueError(f"not safe to draw: {text!a}")

    @classmethod
    def label(cls, text: str) -> "SafeText":
        """Words and marks of our own: printable ASCII and `glyphs.MARKS`, as this terminal needs them.

        Raises:
            ValueError: the text holds anything else, so it is not ours.
        """
        return cls(((glyphs.chosen().mark(text), Kind.MARK),)) if text else EMPTY

    @cached_property
    def plain(self) -> str:
        """The characters drawn, for copying."""
        return "".join(text for text, _ in self.pieces)

    @cached_property
    def width(self) -> int:
        """The cells it takes."""
        return sum(cell_len(text) for text, _ in self.pieces)

    def __add__(self, other: "SafeText") -> "SafeText":
        return SafeText(self.pieces + other.pieces)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def crop(self, width: int) -> "SafeText":
        """At most `width` cells; where something is cut, the last cell is `›` and no character is halved."""
        if self.width <= width:
            return self
        if width <= 0:
            return EMPTY
        pieces = tuple(_head(self.pieces, width - 1))
        used = sum(cell_len(text) for text, _ in pieces)
        gap = ((" " * (width - 1 - used), Kind.MARK),) if used < width - 1 else ()
        return SafeText((*pieces, *gap, (glyphs.chosen().mark(glyphs.CUT), Kind.MARK)))

    def fit(self, width: int, align: Align = "left") -> "SafeText":
        """Exactly `width` cells: cropped, or padded with blanks."""
        if self.width >= width:
            return self.crop(width)
        pad = ((" " * (width - self.width), Kind.MARK),)
        return SafeText(self.pieces + pad if align == "left" else pad + self.pieces)


EMPTY = SafeText()


def join(parts: Iterable[SafeText], between: SafeText = EMPTY) -> SafeText:
    """All parts in a row, with `between` between them."""
    pieces: list[tuple[str, Kind]] = []
    for i, part in enumerate(parts):
        if i:
            pieces.extend(between.pieces)
        pieces.extend(part.pieces)
    return SafeText(tuple(pieces))


def _head(pieces: Iterable[tuple[str, Kind]], room: int) -> Iterator[tuple[str, Kind]]:
    """The pieces that fit into `room` cells, the last one cut where its kind allows."""
    for text, kind in pieces:
        width = cell_len(text)
        if width > room:
            if kind in (Kind.PLAIN, Kind.MARK) and (start := _start(text, room)):
                yield start, kind
            return
        room -= width
        yield text, kind


def _start(text: str, room: int) -> str:
    """The longest start of a string that takes at most `room` cells."""
    for i, char in enumerate(text):
        room -= cell_len(char)
        if room < 0:
            return text[:i]
    return text

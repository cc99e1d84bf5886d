"""The program's own marks, and what the terminal at hand can draw."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from unicodedata import east_asian_width

MARKS = {
    "·": ".", "…": "~", "→": ">", "←": "<", "↑": "^", "↓": "v",
    "│": "|", "─": "-", "┬": "+", "├": "+", "└": "`", "⋮": ":",
    "▶": ">", "▸": "*", "●": "*", "×": "x", "±": "~", "Δ": "d",
    "█": "#", "░": "-", "▐": "[", "▌": "]",
    "▁": "_", "▂": "_", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#",
    "‹": "<", "›": ">",
}  # fmt: skip
"""Every mark of ours, one cell each, and the ASCII character that stands in for it."""

EDGE = "│"
"""Stands between two tokens."""

CUT = "›"
"""Stands where something longer was cut."""


@dataclass(frozen=True)
class Look:
    """What the terminal can be trusted with; one per process, see `choose`.

    Attributes:
        ascii: draw printable ASCII only; our marks are swapped, every other code point is escaped.
        strict_rtl: escape right-to-left letters, for terminals that reorder a line.
        ambiguous_wide: the terminal draws East-Asian ambiguous characters two cells wide; such marks are
            swapped and such characters escaped, since Textual counts one cell for them.
    """

    ascii: bool = False
    strict_rtl: bool = False
    ambiguous_wide: bool = False

    @cached_property
    def structure(self) -> tuple[str, str, str]:
        """What gives displayed data its structure: an escape's two brackets, and the edge between tokens."""
        return self.mark("‹"), self.mark("›"), self.mark(EDGE)

    @cached_property
    def swaps(self) -> dict[int, str]:
        """The marks that this terminal needs swapped, as a table for `str.translate`."""
        return {ord(mark): plain for mark, plain in MARKS.items() if self._swapped(mark)}

    def _swapped(self, mark: str) -> bool:
        return self.ascii or (self.ambiguous_wide and east_asian_width(mark) == "A")

    def mark(self, text: str) -> str:
        """Our own text as this terminal shows it.

        Raises:
            ValueError: a character is neither printable ASCII nor one of `MARKS`.
        """
        for char in text:
            if not (" " <= char <= "~" or char in MARKS):
                raise ValueError(f"not a mark of ours: U+{ord(char):04X}")
        return text.translate(self.swaps)


_chosen = Look()
_for_programs: ContextVar[Look | None] = ContextVar("_for_programs", default=None)


def choose(look: Look) -> None:
    """Settle the look of this process, once, before anything is drawn."""
    global _chosen
    _chosen = look


def chosen() -> Look:
    """The look of this process, or of what is written for programs here."""
    return _for_programs.get() or _chosen


@contextmanager
def for_programs() -> Iterator[None]:
    """What this thread makes here looks the same whatever the terminal: it is data, not drawn."""
    token = _for_programs.set(Look())
    try:
        yield
    finally:
        _for_programs.reset(token)

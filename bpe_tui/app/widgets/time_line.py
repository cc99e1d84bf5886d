"""The time line: where the run stands, how far it is known, and where it may go."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.reactive import reactive

from bpe_tui.app.widgets.ink import KIND_CLASSES
from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.safe import EMPTY, SafeText

_LONG = 120
"""From this width on the line has room for a word in front."""


@dataclass(frozen=True)
class Time:
    """A moment of a run, with 0 <= rank <= learned <= total.

    Attributes:
        rank: merges applied.
        learned: merges known so far.
        total: merges that the run may reach.
        note: stands at the right, a ratio for instance.
    """

    rank: int = 0
    learned: int = 0
    total: int = 0
    note: SafeText = EMPTY


class TimeLine(OneLine):
    """Draws a `Time`: merges applied solid, merges known shaded, the rest dotted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*KIND_CLASSES, "time-line--past", "time-line--rest"}
    DEFAULT_CSS = """
    TimeLine {
        & > .time-line--past { color: $text-primary; }
        & > .time-line--rest { color: $text-muted; }
    }
    """

    time: reactive[Time] = reactive(Time(), init=False)

    @dataclass
    class Sought(Message):
        """A rank was pointed at by a click, or is one step away by the wheel; it may lie past `learned`."""

        rank: int

        def can_replace(self, message: Message) -> bool:
            """Only the last place pointed at matters."""
            return isinstance(message, TimeLine.Sought)

    def _words(self, width: int) -> tuple[SafeText, SafeText]:
        """What stands to the left and to the right of the bar; the bar never moves as the rank grows."""
        total = f"{self.time.total:,}"
        word = "step " if width >= _LONG else ""
        left = SafeText.label(f" {word}{self.time.rank:>{len(total)},}/{total} ")
        return left, (SafeText.label(" ") + self.time.note + SafeText.label(" ") if self.time.note else EMPTY)

    def bar(self, width: int) -> tuple[int, int]:
        """First cell and number of cells inside the bar's caps, in a line of `width` cells."""
        left, right = self._words(width)
        return left.width + 1, max(width - left.width - right.width - 2, 0)

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """Rank, bar and note."""
        left, right = self._words(width)
        _, cells = self.bar(width)
        past, known = (self._cells(merges, cells) for merges in (self.time.rank, self.time.learned))
        yield left, ()
        if cells:
            yield SafeText.label("▐" + "█" * past), ("time-line--past",)
            yield SafeText.label("░" * (known - past) + "·" * (cells - known) + "▌"), ("time-line--rest",)
        yield right, ()

    def _cells(self, merges: int, cells: int) -> int:
        """Cells for a number of merges; the last cell fills with the last merge only."""
        return merges * cells // self.time.total if self.time.total else 0

    def on_click(self, event: Click) -> None:
        """Seek to the place in the bar under the mouse."""
        start, cells = self.bar(self.size.width)
        if cells > 1 and start - 1 <= event.x <= start + cells:
            at = max(0, min(event.x - start, cells - 1))
            self._seek(round(at * self.time.total / (cells - 1)))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """One merge on."""
        event.stop()
        self._seek(self.time.rank + 1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """One merge back."""
        event.stop()
        self._seek(self.time.rank - 1)

    def _seek(self, rank: int) -> None:
        rank = max(0, min(rank, self.time.total))
        if rank != self.time.rank:
            self.post_message(self.Sought(rank))

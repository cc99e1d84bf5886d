"""A widget of one line that draws itself in one pass."""

from collections.abc import Iterator
from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.app.widgets.ink import KIND_CLASSES, KIND_RULES, blank, segments
from bpe_tui.text.safe import SafeText


class OneLine(Widget):
    """A line of `SafeText`; `parts` says what stands on it, each part with its component classes."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = KIND_CLASSES
    DEFAULT_CSS = f"""
    OneLine {{
        height: 1;
        background: $panel;
        color: $foreground;
        {KIND_RULES}
    }}
    """

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """What to draw in `width` cells, from left to right; the rest of the line stays blank."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """The line."""
        width = self.size.width
        line: list[Segment] = []
        for text, classes in self.parts(width):
            line.extend(segments(self, text, *classes))
        return Strip(line).adjust_cell_length(width, blank(self, 0).style)

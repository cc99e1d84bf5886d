"""The stream pane: token sequences as the worker laid them out, with a cursor on a token."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

from rich.segment import Segment
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.app.widgets.ink import KIND_CLASSES, blank, segments
from bpe_tui.app.widgets.pane import Pane
from bpe_tui.text.safe import SafeText
from bpe_tui.views.stream import NUMBER_WIDTH, Place, StreamCell, StreamView

_STYLES = ("even", "odd", "winner", "new", "outside", "title")


class StreamPane(Pane):
    """Draws a `StreamView`. Which rows it holds is the model's affair: scrolling is asked for by a message."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *KIND_CLASSES,
        *(f"stream--{style}" for style in _STYLES),
        "stream--number",
        "stream--edge",
        "stream--cursor",
    }
    DEFAULT_CSS = """
    StreamPane {
        overflow: hidden hidden;
        & > .stream--number { color: $text-muted; }
        & > .stream--edge { color: $text-disabled; }
        & > .stream--even { background: $surface; }
        & > .stream--odd { background: $surface-lighten-1; }
        & > .stream--winner { text-style: underline bold; color: $text-primary; }
        & > .stream--new { text-style: reverse bold; }
        & > .stream--outside { text-style: dim; }
        & > .stream--title { color: $text-accent; text-style: bold; }
        & > .stream--cursor { background: $block-cursor-blurred-background; text-style: underline; }
        &:focus > .stream--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
        &:nocolor > .stream--odd { background: initial; }
        &:nocolor:focus > .stream--cursor { text-style: reverse underline; }
    }
    """

    view: reactive[StreamView] = reactive(StreamView(), init=False, repaint=False)
    cursor: reactive[Place | None] = reactive(None, init=False, repaint=False)
    """The byte whose token is under the cursor."""

    @dataclass
    class Scrolled(Message):
        """The wheel asks for a scroll by screen lines."""

        lines: int

    @dataclass
    class Pointed(Message):
        """A token was clicked; `chosen` on a double click."""

        document: int
        offset: int
        chosen: bool

        @property
        def control(self) -> Widget | None:
            """Sent by the one stream there is."""
            return None

    def watch_view(self, old: StreamView, new: StreamView) -> None:
        """Redraw the lines that changed."""
        for y, (before, now) in enumerate(zip_longest(old.lines, new.lines)):
            if before != now:
                self.refresh_line(y)

    def watch_cursor(self, old: Place | None, new: Place | None) -> None:
        """Redraw the lines of the two tokens."""
        for y, line in enumerate(self.view.lines):
            if any(cell.covers(old) or cell.covers(new) for cell in line.cells):
                self.refresh_line(y)

    def render_line(self, y: int) -> Strip:
        """One screen line: number, cells, edges."""
        width = self.size.width
        lines = self.view.lines
        parts = [*self._parts(y)] if y < len(lines) else []
        return Strip(parts).simplify().adjust_cell_length(width, blank(self, 0).style)

    def _parts(self, y: int) -> Iterator[Segment]:
        line = self.view.lines[y]
        sign = SafeText.label("▶" if line.has_new else " ")
        yield from segments(self, line.number.fit(NUMBER_WIDTH - 1, "right") + sign, "stream--number")
        for cell in line.cells:
            classes = (f"stream--{cell.style}", *(("stream--cursor",) if cell.covers(self.cursor) else ()))
            yield from segments(self, cell.text, *classes)
            yield from segments(self, cell.edge, "stream--winner" if cell.edge.plain == "+" else "stream--edge")

    def cell_at(self, x: int, y: int) -> StreamCell | None:
        """The token at a place of the pane's content."""
        if not 0 <= y < len(self.view.lines):
            return None
        at = NUMBER_WIDTH
        for cell in self.view.lines[y].cells:
            at += cell.text.width + cell.edge.width
            if x < at:
                return cell if cell.document >= 0 else None
        return None

    def on_click(self, event: Click) -> None:
        """Point at a token."""
        offset = event.get_content_offset(self)
        cell = self.cell_at(offset.x, offset.y) if offset else None
        if cell:
            self.post_message(self.Pointed(cell.document, cell.start, event.chain == 2))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Ask for later lines."""
        event.stop()
        self.post_message(self.Scrolled(3))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Ask for earlier lines."""
        event.stop()
        self.post_message(self.Scrolled(-3))

"""A pane of lines that scrolls: the inspector, the held-out text, the numbers, the help."""

from itertools import zip_longest

from textual.reactive import reactive
from textual.strip import Strip

from bpe_tui.app.widgets.ink import blank, segments
from bpe_tui.app.widgets.pane import Pane
from bpe_tui.text.safe import SafeText


class LinesPane(Pane):
    """Shows lines of safe text; the app's actions scroll it."""

    lines: reactive[tuple[SafeText, ...]] = reactive((), init=False, repaint=False)

    def watch_lines(self, old: tuple[SafeText, ...], new: tuple[SafeText, ...]) -> None:
        """Take the new length, and redraw the lines that changed."""
        self.set_length(len(new))
        for y, (before, now) in enumerate(zip_longest(old, new)):
            if before != now:
                self.refresh_line(y)

    def move_cursor(self, delta: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_offset.y + delta, animate=False)

    def page(self, delta: int) -> None:
        """Scroll by screens."""
        self.move_cursor(delta * max(self.size.height - 1, 1))

    def home(self) -> None:
        """Scroll to the first line."""
        self.scroll_to(y=0, animate=False)

    def end(self) -> None:
        """Scroll to the last line."""
        self.scroll_to(y=len(self.lines), animate=False)

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        text = self.lines[at] if at < len(self.lines) else SafeText()
        return Strip([*segments(self, text.crop(width))]).simplify().adjust_cell_length(width, blank(self, 0).style)

"""News: a few lines over the bottom of the screen, for a moment."""

from typing import ClassVar

from textual.events import Resize
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.app.widgets.ink import KIND_CLASSES, KIND_RULES, blank, segments
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.text.wrap import fold


class News(Widget):
    """Shows words over the key bar, and a longer refusal over what stands above it; hidden while there is none."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = KIND_CLASSES
    DEFAULT_CSS = f"""
    News {{
        display: none;
        dock: bottom;
        layer: news;
        background: $panel;
        color: $foreground;
        text-style: bold;
        {KIND_RULES}
        &.-refusal {{ background: $error-muted; color: $text-error; text-style: bold reverse; }}
    }}
    """

    words: reactive[SafeText] = reactive(EMPTY, init=False)

    def watch_words(self) -> None:
        """Take as many lines as the words need."""
        self._lines = fold(self.words, max(self.app.size.width - 2, 1))
        self.styles.height = len(self._lines)
        self.display = bool(self.words)

    def on_resize(self, event: Resize) -> None:
        """Break the lines anew."""
        self.watch_words()

    def render_line(self, y: int) -> Strip:
        """One line of the words."""
        width = self.size.width
        line = [blank(self, 1), *segments(self, self._lines[y] if y < len(self._lines) else EMPTY)]
        return Strip(line).simplify().adjust_cell_length(width, blank(self, 0).style)

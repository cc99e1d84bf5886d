"""A framed view with a cursor's worth of focus: what every pane of the screen is."""

from typing import ClassVar

from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget

from bpe_tui.app.widgets.ink import KIND_CLASSES, KIND_RULES
from bpe_tui.text import glyphs
from bpe_tui.text.safe import EMPTY, SafeText


class Pane(ScrollView, can_focus=True, inherit_bindings=False):
    """A Line-API view in a border that carries its title and totals.

    The border's shape says which pane has the focus: double, else round. Titles are literal text: Textual would
    read markup in a `str`.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = KIND_CLASSES
    DEFAULT_CSS = f"""
    Pane {{
        background: $surface;
        color: $foreground;
        border: round $foreground 35%;
        border-title-color: $foreground;
        border-subtitle-color: $foreground;
        overflow: hidden scroll;
        scrollbar-size-vertical: 1;
        scrollbar-background: $surface;
        {KIND_RULES}
        &:focus {{ border: double $border; border-title-style: bold; }}
        &:nocolor {{ scrollbar-size-vertical: 0; }}
        &.-ascii {{
            border: ascii $foreground 35%;
            scrollbar-size-vertical: 0;
            &:focus {{ border: ascii $border; border-title-style: bold reverse; }}
        }}
    }}
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="-ascii" if glyphs.chosen().ascii else None)
        self._titles = EMPTY, EMPTY

    def set_titles(self, title: SafeText, subtitle: SafeText = EMPTY) -> None:
        """Put a name into the upper border and totals into the lower one, cropped to its width."""
        if self._titles != (title, subtitle):
            self._titles = title, subtitle
            self._draw_titles()

    def set_length(self, lines: int) -> None:
        """Say how many lines there are to scroll over.

        Assigning `virtual_size` would lay out the whole screen on every step; that matters only where scroll bars
        come and go, and a pane's never does.
        """
        size = Size(0, lines)
        self.set_reactive(Widget.virtual_size, size)
        self._scroll_update(size)

    def on_resize(self, event: Resize) -> None:
        """Crop the titles to the new width."""
        self._draw_titles()

    def _draw_titles(self) -> None:
        room = self.outer_size.width - 6  # two corners, two blanks and a bit of border on each side
        title, subtitle = (Content(text.crop(room).plain) or None for text in self._titles)
        self.border_title, self.border_subtitle = title, subtitle

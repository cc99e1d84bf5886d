"""From `SafeText` to styled segments: the one door by which text enters a widget's line."""

from collections.abc import Iterator

from rich.segment import Segment
from textual.widget import Widget

from bpe_tui.text.safe import Kind, SafeText

KIND_CLASSES = {f"text--{kind}" for kind in Kind}
"""Component classes that each drawing widget has, one per kind of piece."""

KIND_RULES = """
    & > .text--space, & > .text--control { color: $text-muted; }
    & > .text--hidden, & > .text--bad-byte { color: $text-warning; }
"""
"""Their default rules. Every kind is told by its glyphs; colour only helps."""


def segments(widget: Widget, text: SafeText, *classes: str) -> Iterator[Segment]:
    """A text in the styles of a widget's component classes, and of each piece's kind below them."""
    for piece, kind in text.pieces:
        yield Segment(piece, widget.get_component_rich_style(f"text--{kind}", *classes))


def blank(widget: Widget, width: int, *classes: str) -> Segment:
    """A run of blanks in the styles of a widget's component classes."""
    return Segment(" " * width, widget.get_component_rich_style(f"text--{Kind.MARK}", *classes))

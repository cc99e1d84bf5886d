"""The line of keys at the bottom: what fits, and always how to get help and how to leave."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.events import Click
from textual.message import Message
from textual.reactive import reactive

from bpe_tui.app.widgets.ink import KIND_CLASSES
from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.safe import SafeText

_BLANK = SafeText.label(" ")


@dataclass(frozen=True)
class Hint:
    """A key worth showing.

    Attributes:
        key: its name, as on the keyboard.
        words: what it does.
        action: the id that a click asks for.
    """

    key: SafeText
    words: SafeText
    action: str

    @property
    def width(self) -> int:
        """Cells, with one blank inside and one on each side."""
        return self.key.width + self.words.width + 3


class KeyBar(OneLine):
    """Hints in order of priority, as many as fit; the pinned ones are laid out first and stand at the right."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*KIND_CLASSES, "key-bar--key"}
    DEFAULT_CSS = """
    KeyBar {
        & > .key-bar--key { text-style: bold; color: $text-accent; }
    }
    """

    hints: reactive[tuple[Hint, ...]] = reactive((), init=False)
    pinned: reactive[tuple[Hint, ...]] = reactive((), init=False)

    @dataclass
    class Pressed(Message):
        """A hint was clicked."""

        action: str

    def placed(self, width: int) -> list[tuple[int, Hint]]:
        """The hints that fit into `width` cells, each with its first cell."""
        width += 1  # the blank after the last hint may fall off the end
        right = [hint for i, hint in enumerate(self.pinned) if sum(h.width for h in self.pinned[: i + 1]) <= width]
        edge = width - sum(hint.width for hint in right)
        places, at = [], 0
        for hint in self.hints:
            if at + hint.width <= edge:
                places.append((at, hint))
                at += hint.width
        for hint in right:
            places.append((edge, hint))
            edge += hint.width
        return places

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """The hints and the blanks between them."""
        at = 0
        for start, hint in self.placed(width):
            yield _BLANK.fit(start - at + 1), ()
            yield hint.key, ("key-bar--key",)
            yield _BLANK + hint.words + _BLANK, ()
            at = start + hint.width

    def on_click(self, event: Click) -> None:
        """Ask for the action of the hint under the mouse."""
        for start, hint in self.placed(self.size.width):
            if start <= event.x < start + hint.width:
                self.post_message(self.Pressed(hint.action))

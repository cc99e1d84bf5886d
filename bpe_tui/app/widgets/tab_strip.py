"""The tab strip: which pane is on screen where only one is, and the numbers of the others."""

from collections.abc import Iterator
from typing import ClassVar

from textual.reactive import reactive

from bpe_tui.app.widgets.ink import KIND_CLASSES
from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.safe import SafeText


class TabStrip(OneLine):
    """Draws numbers, the current one with its name in brackets; hidden while several panes are on screen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*KIND_CLASSES, "tab-strip--current"}
    DEFAULT_CSS = """
    TabStrip {
        display: none;
        & > .tab-strip--current { text-style: bold; }
    }
    """

    names: reactive[tuple[SafeText, ...]] = reactive((), init=False)
    current: reactive[int] = reactive(0, init=False)

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """The numbers."""
        for at, name in enumerate(self.names):
            if at == self.current:
                yield SafeText.label("[") + name + SafeText.label("]"), ("tab-strip--current",)
            else:
                yield SafeText.label(f" {at + 1} "), ()

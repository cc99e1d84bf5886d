"""The line on top: what is open, how it is shown, whether it is saved, and whether time runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.reactive import reactive

from bpe_tui.app.widgets.ink import KIND_CLASSES
from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.safe import EMPTY, SafeText

_GAP = SafeText.label("  ")
_WIDE = 120


@dataclass(frozen=True)
class Status:
    """The state of the program, in words.

    Attributes:
        name: the corpus or session.
        facts: about it, the most important first; the last ones go where the line is short.
        views: how things are shown (display mode, theme), the most important first, likewise.
        unsaved: whether there is something to lose.
        activity: paused, playing, finding, working.
    """

    name: SafeText = EMPTY
    facts: tuple[SafeText, ...] = ()
    views: tuple[SafeText, ...] = ()
    unsaved: bool = False
    activity: SafeText = EMPTY


class StatusLine(OneLine):
    """Draws a `Status`: activity and unsaved work always, then the name, then facts and views as they fit."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*KIND_CLASSES, "status--title", "status--unsaved", "status--activity"}
    DEFAULT_CSS = """
    StatusLine {
        & > .status--title { text-style: bold; }
        & > .status--unsaved { color: $text-warning; }
        & > .status--activity { text-style: bold; }
    }
    """

    status: reactive[Status] = reactive(Status(), init=False)

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """Title and name, facts; views, unsaved and activity at the right."""
        status = self.status
        title = SafeText.label("bpe-tui")
        word = "● unsaved changes" if width >= _WIDE else "● unsaved"
        unsaved = SafeText.label(word) if status.unsaved else EMPTY
        fixed = title.width + _taken(unsaved) + _taken(status.activity) + 1
        name = status.name.crop(max(width - fixed - _GAP.width, 0))
        left, right = self._fitting(width - fixed - _taken(name))
        used = fixed + sum(map(_taken, (name, *left, *right)))
        yield title, ("status--title",)
        for text in (name, *left):
            yield _GAP + text if text else EMPTY, ()
        yield EMPTY.fit(max(width - used, 0)), ()
        for text in right:
            yield _GAP + text, ()
        yield _GAP + unsaved if unsaved else EMPTY, ("status--unsaved",)
        yield _GAP + status.activity if status.activity else EMPTY, ("status--activity",)

    def _fitting(self, room: int) -> tuple[list[SafeText], list[SafeText]]:
        """The facts and views that fit, taken in turn."""
        kept: tuple[list[SafeText], list[SafeText]] = [], []
        longest = max(len(self.status.facts), len(self.status.views))
        for i in range(longest):
            for side, texts in zip(kept, (self.status.views, self.status.facts), strict=True):
                if i < len(texts) and _taken(texts[i]) <= room:
                    room -= _taken(texts[i])
                    side.append(texts[i])
        views, facts = kept
        return facts, views


def _taken(text: SafeText) -> int:
    """Cells of a text with the gap before it; an empty one takes none."""
    return text.width + _GAP.width if text else 0

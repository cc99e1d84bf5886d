"""Compare: this run's merge list beside another, where they part and why, and one text cut by both."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen

from bpe_tui.app.screens.once import Once
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.compare_sides import Told
from bpe_tui.comparison import Compared
from bpe_tui.model import MODES
from bpe_tui.text.cells import Mode, show_str
from bpe_tui.text.safe import SafeText
from bpe_tui.text.wrap import fold
from bpe_tui.views.side_by_side import merge_rows, text_lines, why_lines
from bpe_tui.views.spelling import label
from engine.errors import Refusal

Comparing = Callable[[Told], Compared]
"""Does the work, telling its progress; raises a refusal."""


class _Left(Exception):
    """The screen was left: nobody waits for the work."""


class Compare(Once, Screen[None]):
    """Works in a thread of its own, so that keys are heard; then shows two columns, the reason, and the text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Close", show=False),
        Binding("tab", "next_pane(1)", "Next pane", show=False, priority=True),
        Binding("shift+tab", "next_pane(-1)", "Previous pane", show=False, priority=True),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown,space", "page(1)", "Page down", show=False),
        Binding("pageup,b", "page(-1)", "Page up", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
        Binding("d", "to_difference", "The first difference", show=False),
        Binding("x", "next_mode", "Text, hex", show=False),
    ]
    DEFAULT_CSS = """
    Compare {
        layout: vertical;
        & > #lists { height: 3fr; min-height: 5; }
        & > #why { height: 9; }
        & > #texts { height: 2fr; min-height: 5; }
    }
    """

    @dataclass
    class Progress(Message):
        """So many merges are learned, of so many where that is known."""

        done: int
        total: int | None

        def can_replace(self, message: Message) -> bool:
            """Only the newest matters."""
            return isinstance(message, Compare.Progress)

    @dataclass
    class Finished(Message):
        """The work ended, with a result, a refusal, or a fault of the program."""

        result: Compared | Exception

    def __init__(self, other: SafeText, work: Comparing, mode: Mode) -> None:
        super().__init__()
        self.found: Compared | None = None
        self.thread = Thread(target=self._work, name="bpe-tui compare", daemon=True)
        self._other = other
        self._comparing = work
        self._mode = mode
        self._left = False

    def compose(self) -> ComposeResult:
        """Both lists, the reason, the text."""
        yield VirtualTable(id="lists")
        yield LinesPane(id="why")
        yield LinesPane(id="texts")

    def on_mount(self) -> None:
        """Begin, unless the screen was left before."""
        if not self.children:
            return
        self.query_one("#lists", VirtualTable).focus()
        self._say(label("reading …"))
        self.thread.start()

    def on_unmount(self) -> None:
        """Let the thread end."""
        self._left = True

    # In the thread

    def _work(self) -> None:
        try:
            self.post_message(self.Finished(self._comparing(self._told)))
        except _Left:
            return
        except Exception as error:
            self.post_message(self.Finished(error))

    def _told(self, done: int, total: int | None) -> None:
        if self._left:
            raise _Left
        self.post_message(self.Progress(done, total))

    # What the thread says

    @on(Progress)
    def _progressed(self, event: Progress) -> None:
        if self.children and self.found is None:
            of = f" of {event.total:,}" if event.total is not None else ""
            self._say(label(f"{event.done:,}{of} merges learned …"))

    @on(Finished)
    def _finished(self, event: Finished) -> None:
        if not self.children:
            return
        match event.result:
            case Compared() as found:
                self.found = found
                self._draw()
                self.action_to_difference()
            case Refusal() as refusal:
                self._say(show_str(str(refusal), prose=True))
            case MemoryError():
                self._say(label("not enough memory for a second run of this corpus"))
            case Exception() as error:
                raise error

    # Drawing

    def _say(self, words: SafeText) -> None:
        pane = self.query_one("#why", LinesPane)
        pane.set_titles(label("Comparing with ") + self._other, label("Esc leaves"))
        pane.lines = tuple(fold(words, max(pane.scrollable_content_region.width, 20)))

    def _draw(self) -> None:
        found = self.found
        if found is None:
            return
        table, (why, texts) = self.query_one("#lists", VirtualTable), self.query(LinesPane)
        table.set_titles(
            label("Merges · = equal, x different, ") + label("▶ first difference"),
            label("d to it · Tab pane · Esc closes"),
        )
        self._fill(max(table.scroll_offset.y - table.page_rows, 0), 3 * max(table.page_rows, 1))
        why.set_titles(label("Why"))
        why.lines = why_lines(found, why.scrollable_content_region.width, self._mode)
        texts.set_titles(label("Text · ▐ ▌ enclose what is cut differently"), self._text_foot(found))
        texts.lines = text_lines(found, texts.scrollable_content_region.width, self._mode)

    def _text_foot(self, found: Compared) -> SafeText:
        counts = [
            sum(len(tokens) for tokens in side) for side in ((p.a for p in found.parts), (p.b for p in found.parts))
        ]
        return label(f"{len(found.text):,} bytes · tokens: A {counts[0]:,}, B {counts[1]:,}")

    def _fill(self, offset: int, count: int) -> None:
        if self.found is not None:
            table = self.query_one("#lists", VirtualTable)
            width = table.scrollable_content_region.width
            table.view = merge_rows(self.found, offset, count, width, self._mode)

    def _panes(self) -> list[VirtualTable | LinesPane]:
        return [self.query_one("#lists", VirtualTable), *self.query(LinesPane)]

    @on(VirtualTable.WindowWanted)
    def _window_wanted(self, event: VirtualTable.WindowWanted) -> None:
        self._fill(event.offset, event.count)

    def on_resize(self, event: Resize) -> None:
        """Lay everything out anew."""
        self.call_after_refresh(self._draw)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key works before the panes are there, nor once the screen goes."""
        return bool(self.children)

    def action_leave(self) -> None:
        """Close, and stop the work."""
        self._left = True
        self.dismiss(None)

    def _focused(self) -> VirtualTable | LinesPane:
        panes = self._panes()
        return next((pane for pane in panes if pane.has_focus), panes[0])

    def action_next_pane(self, delta: int) -> None:
        """Move the focus."""
        panes = self._panes()
        panes[(panes.index(self._focused()) + delta) % len(panes)].focus()

    def action_move(self, delta: int) -> None:
        """Move by lines."""
        self._focused().move_cursor(delta)

    def action_page(self, delta: int) -> None:
        """Move by screens."""
        self._focused().page(delta)

    def action_edge(self, edge: int) -> None:
        """Move to the first or the last line."""
        pane = self._focused()
        (pane.home if edge < 0 else pane.end)()

    def action_to_difference(self) -> None:
        """Put the cursor on the first difference."""
        if self.found is not None and self.found.where is not None:
            self.query_one("#lists", VirtualTable).select(self.found.where.rank)

    def action_next_mode(self) -> None:
        """Spell bytes in the next way."""
        self._mode = MODES[(MODES.index(self._mode) + 1) % len(MODES)]
        self._draw()

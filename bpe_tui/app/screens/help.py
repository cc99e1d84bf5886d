"""Help: what the focused pane is, and every key, searchable."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from bpe_tui.app.actions import ACTIONS, keys_of
from bpe_tui.app.screens.once import Once
from bpe_tui.app.widgets.prompt import Prompt
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import EMPTY, join
from bpe_tui.text.wrap import fold
from bpe_tui.views.request import PaneName
from bpe_tui.views.spelling import label
from bpe_tui.views.table_view import Column, Row, TableView

PANE_HELP = {
    PaneName.STREAM: "Stream: tokens of the training text; a bar ends a token, a blank a unit, + is the next merge.",
    PaneName.PAIRS: "Pairs: every adjacent pair and its count; the marked one is merged next.",
    PaneName.MERGES: "Merges: what was merged so far; dim rows are known but not applied.",
    PaneName.VOCAB: "Vocab: every entry's bytes and how often it stands in the text now.",
    PaneName.INSPECT: "Inspect: the row under the cursor, why it won or did not, where it came from.",
    PaneName.HELD_OUT: "Held-out: a text that training never saw, encoded with the merges applied now.",
    PaneName.STATS: "Stats: the numbers and the policy of this run.",
}
ROOM = 42
"""Cells of a row that the frame, the keys and the action's name take."""


class Help(Once, ModalScreen[None]):
    """A table of keys over the explorer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "leave", "Close", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown,space", "page(1)", "Page down", show=False),
        Binding("pageup,b", "page(-1)", "Page up", show=False),
        Binding("slash,f", "search", "Search", show=False),
    ]
    DEFAULT_CSS = """
    Help {
        align: center middle;
        & > VirtualTable { height: 1fr; }
    }
    """

    def __init__(self, pane: PaneName, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._keymap = keymap
        self._pane = pane

    def compose(self) -> ComposeResult:
        """The table and a prompt to search it."""
        yield VirtualTable(id="keys")
        yield Prompt()

    def on_mount(self) -> None:
        """Show all keys, unless the help was left before."""
        if not self.children:
            return
        self._fill("")
        self.query_one(VirtualTable).focus()

    def _fill(self, query: str) -> None:
        rows = [] if query else self._about()
        for action in ACTIONS:
            keys = join(keys_of(action, self._keymap), label(" "))
            if query.lower() in f"{action.id} {action.words} {action.help} {keys.plain}".lower():
                lines = fold(show_str(action.help, prose=True), max(self.app.size.width - ROOM, 20))
                rows.append(Row((keys, label(action.id), lines[0]), action.id))
                rows += [Row((EMPTY, EMPTY, line), (action.id, at)) for at, line in enumerate(lines[1:])]
        columns = (
            Column(label("keys"), 12),
            Column(label("action"), 22, optional=True),
            Column(label("what"), 30, flexible=True),
        )
        table = self.query_one(VirtualTable)
        table.set_titles(label("Keys"), label("/ searches · Esc closes"))
        table.view = TableView(columns, tuple(rows), 0, len(rows), nothing=label("no key matches"))

    def _about(self) -> list[Row]:
        """What the focused pane is."""
        lines = fold(label(PANE_HELP[self._pane]), max(self.app.size.width - ROOM, 20))
        return [Row((EMPTY, EMPTY, line), ("about", at)) for at, line in enumerate(lines)] + [Row((EMPTY,) * 3, "")]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key works before the table is there, nor once the help goes."""
        return bool(self.children)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)

    def action_move(self, delta: int) -> None:
        """Move the cursor."""
        self.query_one(VirtualTable).move_cursor(delta)

    def action_page(self, delta: int) -> None:
        """Move by screens."""
        self.query_one(VirtualTable).page(delta)

    def action_search(self) -> None:
        """Ask for words."""
        self.query_one(Prompt).ask("search", label("search keys: "))

    @on(Prompt.Submitted)
    def _searched(self, event: Prompt.Submitted) -> None:
        self._fill(event.value)

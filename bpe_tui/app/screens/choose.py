"""A choice among a few: the one kind of dialog there is."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen

from bpe_tui.app.screens.once import Once
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.text.wrap import fold
from bpe_tui.views.table_view import Column, Row, TableView


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose.

    Attributes:
        value: what the dialog returns for it.
        words: its name; the first letter chooses it where only one has it.
        about: more words, or none.
        notes: what is shown below the choices while the cursor is on it, one line or more each.
    """

    value: str
    words: SafeText
    about: SafeText = EMPTY
    notes: tuple[SafeText, ...] = ()


class Choose(Once, ModalScreen[str | None]):
    """Shows choices; returns the chosen one's value, or None when left by Esc or q."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Cancel", show=False),
        Binding("enter,space", "choose", "Choose", show=False),
        Binding("down,j,tab,right", "move(1)", "Down", show=False),
        Binding("up,k,shift+tab,left", "move(-1)", "Up", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
    ]
    DEFAULT_CSS = """
    Choose {
        align: center middle;
        & > VirtualTable { width: 76; max-width: 100%; height: auto; max-height: 90%; }
        & > LinesPane { width: 76; max-width: 100%; height: 8; }
    }
    """

    def __init__(self, question: SafeText, choices: list[Choice]) -> None:
        super().__init__()
        self._question = question
        self._choices = choices

    def change(self, choices: list[Choice]) -> None:
        """Show other words for the same choices, unless the dialog was left."""
        self._choices = choices
        if self.is_attached and self.children:
            self._fill()

    def compose(self) -> ComposeResult:
        """The choices as a table, and room for notes where there are any."""
        yield VirtualTable(id="choices")
        if any(choice.notes for choice in self._choices):
            yield LinesPane(id="notes")

    def on_mount(self) -> None:
        """Fill the table, unless the dialog was left before."""
        if not self.children:
            return
        table = self.query_one(VirtualTable)
        table.set_titles(self._question, SafeText.label("Enter chooses · Esc leaves"))
        self._fill()
        table.focus()

    def _fill(self) -> None:
        table = self.query_one(VirtualTable)
        widest = max(choice.words.width for choice in self._choices)
        columns = (Column(EMPTY, min(widest, 40)), Column(EMPTY, 8, flexible=True))
        rows = tuple(Row((choice.words, choice.about), choice.value) for choice in self._choices)
        table.styles.height = min(len(rows), 16) + 2
        table.view = TableView(columns, rows, 0, len(rows))
        self._show_notes()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key works before the table is there, nor once the dialog goes."""
        return bool(self.children)

    def action_leave(self) -> None:
        """Leave without a choice."""
        self.dismiss(None)

    def action_choose(self) -> None:
        """Take the choice under the cursor."""
        self.query_one(VirtualTable).choose()

    def action_move(self, delta: int) -> None:
        """Move the cursor."""
        self.query_one(VirtualTable).move_cursor(delta)

    def action_edge(self, edge: int) -> None:
        """Move to the first or the last choice."""
        table = self.query_one(VirtualTable)
        (table.home if edge < 0 else table.end)()

    @on(VirtualTable.CursorMoved)
    def _show_notes(self) -> None:
        for pane in self.query(LinesPane):
            choice = self._choices[self.query_one(VirtualTable).cursor]
            pane.set_titles(choice.words)
            width = max(pane.scrollable_content_region.width, 20)
            pane.lines = tuple(line for note in choice.notes for line in fold(note, width))

    @on(VirtualTable.Chosen)
    def _chosen(self, event: VirtualTable.Chosen) -> None:
        self.dismiss(str(event.key))

    def on_key(self, event: Key) -> None:
        """A first letter chooses."""
        letter = (event.character or "").lower()
        named = [c for c in self._choices if letter and c.words.plain.lower().startswith(letter)]
        if len(named) == 1:
            event.stop()
            event.prevent_default()
            self.dismiss(named[0].value)

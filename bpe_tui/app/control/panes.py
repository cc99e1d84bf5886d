"""Panes: focus, zoom, cursor, order, filter, find."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bpe_tui.app.screens.choose import Choice, Choose
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.app.widgets.stream import StreamPane
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.model import TABLES
from bpe_tui.run import Run
from bpe_tui.text.cells import show_str
from bpe_tui.views.find import find_in_stream, find_row, next_occurrence
from bpe_tui.views.request import PaneName, PlaceSubject
from bpe_tui.views.spelling import counted, label
from bpe_tui.views.stream import StreamCell

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer


MOST_CHOICES = 1000
"""Documents that the list offers; `d` and find reach the others."""


class Panes:
    """Changes which pane is looked at, and what it shows."""

    def __init__(self, screen: "Explorer") -> None:
        self._screen = screen
        self._pending = 0

    @property
    def name(self) -> PaneName:
        """The focused pane."""
        return self._screen.area.focus_pane

    # Focus

    def focus(self, name: PaneName) -> None:
        """Give a pane the focus, bringing it on screen."""
        area = self._screen.area
        area.show_pane(name, area.zoomed)
        self._screen.set_focus(self._screen.pane(name))  # at once: the next key may open a prompt
        self._screen.panes_changed()

    def focus_next(self, by: int) -> None:
        """The next visible pane; where only one is visible, the next of all."""
        area = self._screen.area
        names = area.visible_panes if len(area.visible_panes) > 1 else tuple(PaneName)
        at = names.index(self.name) if self.name in names else 0
        self.focus(names[(at + by) % len(names)])

    def zoom(self) -> None:
        """Give the focused pane all the room, or take it back."""
        area = self._screen.area
        area.show_pane(self.name, not area.zoomed)
        self._screen.panes_changed()

    # Cursor

    def move(self, delta: int) -> None:
        """Move the cursor by rows."""
        pane = self._screen.pane(self.name)
        if isinstance(pane, StreamPane):
            self._move_line(pane, delta)
        elif isinstance(pane, VirtualTable | LinesPane):
            pane.move_cursor(delta)

    def page(self, delta: int) -> None:
        """Move the cursor by screens."""
        pane = self._screen.pane(self.name)
        if isinstance(pane, StreamPane):
            self.scroll_stream(delta * max(pane.size.height - 1, 1))
        elif isinstance(pane, VirtualTable | LinesPane):
            pane.page(delta)

    def to_edge(self, edge: int) -> None:
        """Move to the first row (-1) or the last (1)."""
        pane = self._screen.pane(self.name)
        desk = self._screen.desk
        if isinstance(pane, StreamPane):
            if edge < 0:
                desk.stream = replace(desk.stream, row=0, line=0)
            else:
                last = max(desk.view.stream.rows - 1, 0)
                desk.stream = replace(desk.stream, row=last, line=2 - pane.size.height)
            desk.cursor = None
            self._screen.ask_view()
        elif isinstance(pane, VirtualTable | LinesPane):
            (pane.home if edge < 0 else pane.end)()

    def scroll_stream(self, lines: int) -> None:
        """Scroll the stream by screen lines."""
        desk = self._screen.desk
        shown = desk.view.stream
        desk.stream = replace(desk.stream, row=shown.row, line=shown.line + lines)
        self._screen.ask_view()

    def move_token(self, delta: int) -> None:
        """In the stream, move the cursor by tokens."""
        if self.name is not PaneName.STREAM:
            self.focus(PaneName.STREAM)
        desk = self._screen.desk
        cells = [c for line in desk.view.stream.lines for c in line.cells if c.document >= 0]
        places = list(dict.fromkeys((c.document, c.start) for c in cells))
        at = next(((c.document, c.start) for c in cells if c.covers(desk.cursor)), None)
        to = places.index(at) + delta if at in places else 0
        if places and 0 <= to < len(places):
            self.point(*places[to])
        elif places:
            self._pending = delta
            self.scroll_stream(delta)

    def _move_line(self, pane: StreamPane, delta: int) -> None:
        lines, cursor = self._screen.desk.view.stream.lines, self._screen.desk.cursor
        at = [(y, line.cells.index(c)) for y, line in enumerate(lines) for c in line.cells if c.covers(cursor)]
        if not at:
            self.move_token(1)
            return
        y = at[0][0] if delta < 0 else at[-1][0]
        x = _cell_start(pane, y, lines[y].cells[at[0][1] if delta < 0 else at[-1][1]])
        target = y + delta
        while 0 <= target < len(lines) and pane.cell_at(x, target) is None and _is_title(pane, target):
            target += delta
        if 0 <= target < len(lines):
            cell = pane.cell_at(x, target) or _last(lines[target].cells)
            if cell:
                self.point(cell.document, cell.start)
        else:
            self._pending = delta
            self.scroll_stream(delta)

    def view_arrived(self) -> None:
        """Finish a move that had to wait for a scroll."""
        if self._pending:
            delta, self._pending = self._pending, 0
            lines = self._screen.desk.view.stream.lines
            edge = lines[-1] if delta > 0 and lines else lines[0] if lines else None
            cell = _last(edge.cells) if edge and delta > 0 else _first(edge.cells) if edge else None
            if cell:
                self.point(cell.document, cell.start)

    def point(self, document: int, offset: int) -> None:
        """Put the stream's cursor on the token that covers a byte."""
        desk = self._screen.desk
        shown = desk.view.stream
        desk.stream = replace(desk.stream, row=shown.row, line=shown.line)
        desk.cursor = document, offset
        self._screen.subject_moved(PlaceSubject(document, offset))

    # Documents and display

    def document(self, by: int) -> None:
        """Show the next document: held-out where that pane has the focus, else of the training text."""
        desk = self._screen.desk
        if self.name is PaneName.HELD_OUT:
            desk.next_held_out(by)
        else:
            desk.next_document(by, len(self._screen.opened.corpus.training))
        self._screen.ask_view()

    def choose_document(self) -> None:
        """Ask which training document the stream shows."""
        documents = self._screen.opened.corpus.training
        everything = Choice("all", label(f"all {counted(len(documents), 'document')}"))
        choices = [Choice(str(i), show_str(d.id, width=40)) for i, d in enumerate(documents[:MOST_CHOICES])]

        def chosen(value: str | None) -> None:
            if value is not None:
                self._screen.desk.choose_document(None if value == "all" else int(value))
                self._screen.ask_view()

        self._screen.app.push_screen(Choose(label("Show in the stream"), [everything, *choices]), chosen)

    def next_mode(self) -> None:
        """Spell bytes in the next way."""
        mode = self._screen.desk.next_mode()
        self._screen.tell(label(f"bytes as {mode}"))
        self._screen.ask_view()

    # Tables

    def sort(self) -> None:
        """Put the focused table into its next order."""
        if self._is_table():
            order = self._screen.desk.next_sort(self.name)
            self._screen.tell(label(f"by {order}"))
            self._screen.ask_view()

    def reverse(self) -> None:
        """Turn the focused table's order around."""
        if self._is_table():
            now = self._screen.desk.tables[self.name].reverse
            self._screen.desk.change_table(self.name, reverse=not now, offset=0)
            self._screen.ask_view()

    def filter(self, query: str) -> None:
        """Keep only the rows of the focused table that match."""
        if self._is_table():
            self._screen.desk.change_table(self.name, filter=query, offset=0)
            self._screen.ask_view()

    def _is_table(self) -> bool:
        if self.name in TABLES:
            return True
        self._screen.tell(label("this pane is no table: 2, 3 and 4 are"))
        return False

    # Find

    def find(self, query: str, direction: int = 1) -> None:
        """Find in the focused pane, from the cursor on, around the end."""
        desk, name = self._screen.desk, self.name
        desk.found[name] = query
        if not query:
            return
        if name in TABLES:
            table = self._screen.pane(name)
            assert isinstance(table, VirtualTable)
            request, at = desk.tables[name], table.cursor
            self._screen.ask_worker(
                "find", lambda run: find_row(run.trainer, name, request, query, at, direction), self._found_row
            )
        elif name is PaneName.STREAM:
            request_, start = desk.stream, desk.cursor
            self._screen.ask_worker(
                "find",
                lambda run: find_in_stream(run.trainer, request_.document, start, query, direction),
                self._found_place,
            )
        else:
            self._screen.tell(label("nothing to find in this pane: 1 to 4 have rows"))

    def find_again(self, direction: int) -> None:
        """The last query of this pane once more."""
        query = self._screen.desk.found.get(self.name, "")
        if query:
            self.find(query, direction)
        else:
            self._screen.tell(label("nothing to find again: / finds"))

    def occurrence(self) -> None:
        """Put the stream's cursor on the next place of what is inspected, or of the next merge."""
        desk = self._screen.desk
        subject, shown, at = desk.subject, desk.stream.document, desk.cursor
        self._screen.ask_worker("find", lambda run: next_occurrence(run.trainer, subject, shown, at), self._found_place)

    def _found_row(self, index: object) -> None:
        table = self._screen.pane(self.name)
        if not isinstance(index, int) or not isinstance(table, VirtualTable):
            self._not_found()
            return
        table.select(index)

    def _found_place(self, place: object) -> None:
        if not isinstance(place, tuple):
            self._not_found()
            return
        document, offset = place
        if self.name is not PaneName.STREAM:
            self.focus(PaneName.STREAM)
        self._screen.ask_worker(
            "row", lambda run: _row(run, self._screen.desk.stream.document, document, offset), self._show_row
        )
        self._screen.desk.cursor = document, offset
        self._screen.subject_moved(PlaceSubject(document, offset))

    def _show_row(self, row: object) -> None:
        assert isinstance(row, int)
        desk = self._screen.desk
        desk.stream = replace(desk.stream, row=row, line=0)
        self._screen.ask_view()

    def _not_found(self) -> None:
        query = self._screen.desk.found.get(self.name, "")
        self._screen.tell(label("not found: ") + show_str(query, width=40))


def _row(run: Run, chosen: int | None, document: int, offset: int) -> int:
    """The row of a place, counted from the first row shown."""
    return run.rows.row_of(document, offset) - run.rows.bounds(chosen)[0]


def _cell_start(pane: StreamPane, y: int, wanted: StreamCell) -> int:
    """The first cell of a token within its line."""
    x = 0
    while (cell := pane.cell_at(x, y)) is not None and cell is not wanted:
        x += 1
    return x


def _is_title(pane: StreamPane, y: int) -> bool:
    return all(c.document < 0 for c in pane.view.lines[y].cells)


def _first(cells: tuple[StreamCell, ...]) -> StreamCell | None:
    return next((c for c in cells if c.document >= 0), None)


def _last(cells: tuple[StreamCell, ...]) -> StreamCell | None:
    return _first(cells[::-1])

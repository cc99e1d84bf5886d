"""A table of any length that draws the visible rows only."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.cache import LRUCache
from textual.events import Click, Resize
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.app.widgets.ink import KIND_CLASSES, blank, segments
from bpe_tui.app.widgets.pane import Pane
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.views.table_view import Row, RowStyle, TableView, lay_out

_ROW_STYLES: tuple[RowStyle, ...] = ("normal", "winner", "new", "future", "dim", "warning")


class VirtualTable(Pane):
    """Shows a `TableView` and moves a cursor over it. Binds no keys; the app's actions call its methods."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *KIND_CLASSES,
        *(f"table--{style}" for style in _ROW_STYLES),
        "table--cursor",
        "table--header",
    }
    DEFAULT_CSS = """
    VirtualTable {
        & > .table--winner { text-style: bold; color: $text-primary; }
        & > .table--new { text-style: bold reverse; }
        & > .table--future { text-style: dim; }
        & > .table--dim { text-style: dim; }
        & > .table--warning { color: $text-warning; }
        & > .table--header { text-style: bold; color: $text-muted; }
        & > .table--cursor {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
        &:nocolor > .table--cursor { text-style: underline; }
        &:focus > .table--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
        &:focus:nocolor > .table--cursor { text-style: underline reverse; }
    }
    """

    view: reactive[TableView] = reactive(TableView(), init=False, repaint=False)
    """What is shown. Set it to a new view at any time; an equal one costs nothing."""

    cursor: reactive[int] = reactive(0, init=False, repaint=False)
    """Index of the row under the cursor; 0 in an empty table."""

    @dataclass
    class CursorMoved(Message):
        """Another row is under the cursor: by a key, a click, or because the data changed."""

        table: "VirtualTable"
        index: int
        key: object

        @property
        def control(self) -> Widget:
            """The table."""
            return self.table

        def can_replace(self, message: Message) -> bool:
            """Only the last move of a table matters."""
            return isinstance(message, VirtualTable.CursorMoved) and message.table is self.table

    @dataclass
    class WindowWanted(Message):
        """The next view should hold these rows: the visible ones and a screen to each side."""

        table: "VirtualTable"
        offset: int
        count: int

        @property
        def control(self) -> Widget:
            """The table."""
            return self.table

        def can_replace(self, message: Message) -> bool:
            """Only the last wish of a table matters."""
            return isinstance(message, VirtualTable.WindowWanted) and message.table is self.table

    @dataclass
    class Chosen(Message):
        """The row under the cursor was chosen, by `choose` or by a double click."""

        table: "VirtualTable"
        index: int
        key: object

        @property
        def control(self) -> Widget:
            """The table."""
            return self.table

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id)
        self._strips: LRUCache[tuple[Row, bool, int], Strip] = LRUCache(512)
        self._told: tuple[int, object] | None = None
        self._wanted: tuple[int, int] | None = None

    # What the app's actions call

    def move_cursor(self, delta: int) -> None:
        """Move the cursor by rows, as far as there are any."""
        self.select(self.cursor + delta)

    def page(self, delta: int) -> None:
        """Move the cursor by screens."""
        self.move_cursor(delta * max(self.page_rows - 1, 1))

    def home(self) -> None:
        """Move the cursor to the first row."""
        self.select(0)

    def end(self) -> None:
        """Move the cursor to the last row."""
        self.select(self.view.total - 1)

    def select(self, index: int) -> None:
        """Put the cursor on a row and bring it into sight; an index outside is clamped."""
        self.cursor = max(0, min(index, self.view.total - 1))
        self._bring_into_sight()
        self._tell()

    def choose(self) -> None:
        """Choose the row under the cursor, if it is held."""
        if row := self.view.row(self.cursor):
            self.post_message(self.Chosen(self, self.cursor, row.key))

    @property
    def page_rows(self) -> int:
        """Rows that are visible at once."""
        return max(self.size.height - self.view.header, 0)

    # Changes

    def watch_view(self, old: TableView, new: TableView) -> None:
        """Keep the cursor on its row, and ask for rows that are visible but not held."""
        self._redraw(old, new)
        cursor = self.cursor
        before, now = old.row(cursor), new.row(cursor)
        if before and not (now and now.key == before.key):
            found = new.find(before.key)
            cursor = cursor if found is None else found
        self.set_length(self.view.total + self.view.header)
        if cursor != self.cursor or cursor >= new.total:
            self.select(cursor)
        self._ask()
        self._tell()

    def _redraw(self, old: TableView, new: TableView) -> None:
        """Redraw the visible rows that changed."""
        if (old.columns, old.header) != (new.columns, new.header):
            self._strips.clear()
            self.refresh()
            return
        top = self.scroll_offset.y
        for index in range(top, top + self.page_rows):
            if _shown(old, index) != _shown(new, index):
                self.refresh_line(index + new.header)

    def watch_cursor(self, old: int, new: int) -> None:
        """Redraw the two rows that changed."""
        for index in (old, new):
            self.refresh_line(index + self.view.header)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Redraw, and ask for rows."""
        super().watch_scroll_y(old_value, new_value)
        self._ask()

    def on_resize(self, event: Resize) -> None:
        """Keep the cursor in sight and ask for what became visible."""
        self.set_length(self.view.total + self.view.header)
        self._bring_into_sight()
        self._ask()

    def on_click(self, event: Click) -> None:
        """Select a row; choose it on a double click."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self.view.header:
            return
        index = offset.y - self.view.header + self.scroll_offset.y
        if index < self.view.total:
            self.select(index)
            if event.chain == 2:
                self.choose()

    def notify_style_update(self) -> None:
        """Forget strips in old styles."""
        super().notify_style_update()
        self._strips.clear()

    def _bring_into_sight(self) -> None:
        top, rows = self.scroll_offset.y, self.page_rows
        if rows and not top <= self.cursor < top + rows:
            self.scroll_to(y=self.cursor if self.cursor < top else self.cursor - rows + 1, animate=False)

    def _tell(self) -> None:
        row = self.view.row(self.cursor)
        if row and self._told != (self.cursor, row.key):
            self._told = self.cursor, row.key
            self.post_message(self.CursorMoved(self, *self._told))

    def _ask(self) -> None:
        """Ask once for a window around the visible rows when less than half a screen around them is held."""
        top, rows, total = self.scroll_offset.y, self.page_rows, self.view.total
        if not rows or self.view.holds(max(0, top - rows // 2), min(total, top + rows + rows // 2)):
            return
        start, stop = max(0, top - rows), min(total, top + 2 * rows)
        if self._wanted != (start, stop):
            self._wanted = start, stop
            self.post_message(self.WindowWanted(self, start, stop - start))

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width, view = self.scrollable_content_region.width, self.view
        if view.header and y == 0:
            return self._draw(tuple(column.title for column in view.columns), None, width, "table--header")
        index = y - view.header + self.scroll_offset.y
        if index >= view.total:
            nothing = view.nothing if index == 0 else EMPTY
            return self._line([*segments(self, nothing.crop(width), "table--dim")], width)
        row = view.row(index)
        if row is None:
            return self._line([*segments(self, SafeText.label(" …").crop(width), "table--dim")], width)
        under = index == self.cursor
        key = row, under, width
        strip = self._strips.get(key)
        if strip is None:
            classes = (f"table--{row.style}", *(("table--cursor",) if under else ()))
            strip = self._draw(row.cells, row.mark, width, *classes)
            self._strips[key] = strip
        return strip

    def _draw(self, cells: tuple[SafeText, ...], mark: SafeText | None, width: int, *classes: str) -> Strip:
        def parts() -> Iterator[Segment]:
            yield from segments(self, (mark or EMPTY).fit(1), *classes)
            for place, (i, room) in enumerate(lay_out(self.view.columns, width - 1)):
                if place:
                    yield blank(self, 1, *classes)
                yield from segments(self, cells[i].fit(room, self.view.columns[i].align), *classes)

        return self._line([*parts()], width, *classes)

    def _line(self, parts: list[Segment], width: int, *classes: str) -> Strip:
        """Exactly `width` cells on the row's own ground, which the framework does not paint for Line-API views."""
        return Strip(parts).adjust_cell_length(width, blank(self, 0, *classes).style).simplify()


def _shown(view: TableView, index: int) -> Row | SafeText | None:
    """What a line shows: a row, None for one that is not held, or that there is nothing."""
    return view.row(index) if index < view.total else view.nothing

"""What a table shows: an immutable window of rows, made by the worker. No Textual in here."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bpe_tui.text.safe import EMPTY, Align, SafeText

RowStyle = Literal["normal", "winner", "new", "future", "dim", "warning"]


@dataclass(frozen=True)
class Column:
    """How the cells of one column are laid out.

    Attributes:
        title: shown in the table's first line, where it has one.
        width: cells; of the flexible column, those that it gets before optional columns get any.
        align: where short cells stand.
        flexible: takes what the other columns leave. At most one column is.
        optional: left out where the table is narrow, the last one first.
    """

    title: SafeText
    width: int = 0
    align: Align = "left"
    flexible: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        cells: one text per column.
        key: what the row is about; the cursor stays with it while it is in the window.
        mark: the sign in the gutter, one cell.
        style: what the row means.
    """

    cells: tuple[SafeText, ...]
    key: object
    mark: SafeText = EMPTY
    style: RowStyle = "normal"


@dataclass(frozen=True)
class TableView:
    """A window of rows out of many.

    Attributes:
        columns: the layout of every row.
        rows: the rows held.
        offset: index of the first row held.
        total: rows in all, held or not.
        header: whether the first line shows the columns' titles.
        nothing: shown instead of rows when there are none.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    offset: int = 0
    total: int = 0
    header: bool = False
    nothing: SafeText = EMPTY

    def row(self, index: int) -> Row | None:
        """The row at an index, or None while it is not held."""
        at = index - self.offset
        return self.rows[at] if 0 <= at < len(self.rows) else None

    def holds(self, start: int, stop: int) -> bool:
        """Whether every row of [start, stop) is held."""
        return start >= stop or self.offset <= start <= stop <= self.offset + len(self.rows)

    def find(self, key: object) -> int | None:
        """The index of the held row with a key."""
        return next((self.offset + i for i, row in enumerate(self.rows) if row.key == key), None)


@lru_cache(maxsize=64)
def lay_out(columns: Sequence[Column], width: int) -> tuple[tuple[int, int], ...]:
    """The columns that fit into `width` cells, one blank apart, as (column index, cells)."""
    shown = list(range(len(columns)))
    while True:
        gaps = max(len(shown) - 1, 0)
        left = width - gaps - sum(columns[i].width for i in shown if not columns[i].flexible)
        need = sum(columns[i].width for i in shown if columns[i].flexible)
        optional = [i for i in shown if columns[i].optional]
        if left >= need or not optional:
            return tuple((i, max(left, 0) if columns[i].flexible else columns[i].width) for i in shown)
        shown.remove(optional[-1])

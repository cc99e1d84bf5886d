"""What a command prints: talk on standard error, tables for people, JSON Lines for programs.

Nothing from a corpus, a file name or an argument is printed as it came: it passes `bpe_tui.text`, or JSON in ASCII.
"""

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from bpe_tui.text import glyphs
from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import Kind, SafeText

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

T = TypeVar("T")
Cell = SafeText | int | str
"""A number is right-aligned; a `str` is ours (see `SafeText.label`)."""

UNLIMITED_WIDTH = 1 << 20
_STYLES = {Kind.BAD_BYTE: "yellow", Kind.CONTROL: "cyan", Kind.HIDDEN: "cyan", Kind.SPACE: "dim"}


def say(text: str) -> None:
    """One line to whoever watches."""
    choose_look(sys.stderr)
    sys.stderr.write(show_str(text, prose=True).plain + "\n")


def print_json(records: Iterable[object]) -> None:
    """One JSON object a line, in ASCII, so that no terminal obeys what a string holds."""
    for record in records:
        sys.stdout.write(json.dumps(record) + "\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table as wide as the terminal, or as wide as it needs where there is none."""
    from rich.table import Table

    choose_look(sys.stdout)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    listed = list(rows)
    for number, name in enumerate(columns):
        numeric = bool(listed) and all(isinstance(row[number], int) for row in listed)
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric, overflow="ellipsis")
    for row in listed:
        table.add_row(*map(_text, row))
    console = _console()
    with console.capture() as drawn:
        console.print(table)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in drawn.get().splitlines()))


def print_line(*parts: Cell) -> None:
    """One line of parts, whole, whatever its length."""
    choose_look(sys.stdout)
    sys.stdout.write("".join(part.plain if isinstance(part, SafeText) else str(part) for part in parts) + "\n")


def with_progress(what: str, steps: Generator[tuple[int, int | None], None, T]) -> T:
    """Run steps that tell (done, total) to their end, with a bar where standard error is a terminal.

    Returns:
        What the steps return.
    """
    with _bar(what) as tell:
        while True:
            try:
                tell(*next(steps))
            except StopIteration as end:
                result: T = end.value
                return result


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int | None], None]]:
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def choose_look(stream: TextIO) -> None:
    """Draw with ASCII only where the stream's encoding is not UTF-8."""
    ascii_only = (stream.encoding or "ascii").lower().replace("-", "") != "utf8"
    if glyphs.chosen().ascii != ascii_only:
        glyphs.choose(glyphs.Look(ascii=ascii_only))


def _console() -> "Console":
    from rich.console import Console

    width = None if sys.stdout.isatty() else UNLIMITED_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def _text(cell: Cell) -> "Text":
    from rich.text import Text

    if isinstance(cell, SafeText):
        return Text.assemble(
            *((text, _STYLES.get(kind, "")) for text, kind in cell.pieces), no_wrap=True, overflow="ellipsis"
        )
    return Text(str(cell), no_wrap=True, overflow="ellipsis")

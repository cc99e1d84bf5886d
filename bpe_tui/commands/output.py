"""What a command prints: talk on standard error, tables for people, JSON Lines for programs.

Nothing from a corpus, a file name or an argument is printed as it came: it passes `bpe_tui.text`, or JSON in ASCII.
"""

import json
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO, TypeVar

from bpe_tui.text import glyphs
from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import Align, Kind, SafeText, join

T = TypeVar("T")
Cell = SafeText | int | str
"""A column of numbers is right-aligned; a `str` is ours (see `SafeText.label`)."""

NARROWEST = 7
"""Cells of the narrowest column of text: a byte's escape and the beginning of something more."""
_GAP = SafeText.label("  ")
_STYLES = {Kind.BAD_BYTE: "yellow", Kind.CONTROL: "cyan", Kind.HIDDEN: "cyan", Kind.SPACE: "dim"}


def say(text: str) -> None:
    """One line to whoever watches; where it cannot be written, nobody does."""
    choose_look(sys.stderr)
    with suppress(OSError):
        sys.stderr.write(show_str(text, prose=True).plain + "\n")


def print_json(records: Iterable[object]) -> None:
    """One JSON object a line, in ASCII, so that no terminal obeys what a string holds; records are made here."""
    with glyphs.for_programs():
        for record in records:
            sys.stdout.write(json.dumps(record) + "\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table as wide as the terminal, or as wide as it needs where there is none."""
    choose_look(sys.stdout)
    write = _writer()
    listed = [tuple(map(_safe, row)) for row in (columns, *rows)]
    by_column = list(zip(*listed, strict=True))
    widths = [max(text.width for text in column) for column in by_column]
    if sys.stdout.isatty():
        _shrink(widths, [i for i, c in enumerate(by_column) if _holds_data(c)], shutil.get_terminal_size().columns)
    aligns: list[Align] = ["right" if all(t.plain.isdecimal() for t in c[1:]) else "left" for c in by_column]
    for row in listed:
        cells = [text.fit(width, align) for text, width, align in zip(row, widths, aligns, strict=True)]
        write(join((*cells[:-1], row[-1].crop(widths[-1])), _GAP))


def print_line(*parts: Cell) -> None:
    """One line of parts, whole, whatever its length."""
    choose_look(sys.stdout)
    sys.stdout.write("".join(part.plain if isinstance(part, SafeText) else str(part) for part in parts) + "\n")


def with_progress(what: str, steps: Generator[tuple[int, int | None], None, T]) -> T:
    """Run steps that tell (done, total) to their end, with a bar where standard error is a terminal.

    Returns:
        What the steps return.
    """
    with progress(what) as tell:
        while True:
            try:
                tell(*next(steps))
            except StopIteration as end:
                result: T = end.value
                return result


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """What to tell (done, total): a bar where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(file=sys.stderr), transient=True)
    try:
        bar.start()
    except RuntimeError:  # no further thread can be started, and a bar has one
        yield lambda done, total: None
        return
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def choose_look(stream: TextIO) -> None:
    """Draw with ASCII only where the stream's encoding is not UTF-8."""
    ascii_only = (stream.encoding or "ascii").lower().replace("-", "") != "utf8"
    if glyphs.chosen().ascii != ascii_only:
        glyphs.choose(glyphs.Look(ascii=ascii_only))


def _shrink(widths: list[int], flexible: Sequence[int], room: int) -> None:
    """Narrow the widest of the flexible columns until all fit into `room` cells, or each is at its narrowest."""
    while (excess := sum(widths) + _GAP.width * (len(widths) - 1) - room) > 0:
        by_width = sorted((widths[i], i) for i in flexible if widths[i] > NARROWEST)
        if not by_width:
            return
        width, widest = by_width[-1]
        next_widest = by_width[-2][0] if len(by_width) > 1 else NARROWEST
        widths[widest] = max(NARROWEST, width - excess, min(next_widest, width - 1))


def _holds_data(column: Iterable[SafeText]) -> bool:
    """Whether a column shows bytes of a corpus, which may be cut, and not only our own marks and numbers."""
    return any(kind is not Kind.MARK for cell in column for _, kind in cell.pieces)


def _writer() -> Callable[[SafeText], None]:
    """Writes lines, with colours where rich finds that standard output shows them."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False, soft_wrap=True)
    if not console.is_terminal or console.no_color:
        return lambda line: print(line.plain.rstrip())
    return lambda line: console.print(Text.assemble(*((text, _STYLES.get(kind, "")) for text, kind in line.pieces)))


def _safe(cell: Cell) -> SafeText:
    return cell if isinstance(cell, SafeText) else SafeText.label(str(cell))

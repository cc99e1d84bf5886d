"""Two merge lists and two encodings side by side. Differences are told by marks; styles only help."""

from collections.abc import Iterator

from bpe_tui.comparison import Compared
from bpe_tui.text.cells import Mode, show, show_str
from bpe_tui.text.glyphs import EDGE
from bpe_tui.text.safe import EMPTY, SafeText, join
from bpe_tui.text.wrap import fold, wrap
from bpe_tui.views.comparing import agreement_lines, joined_text, sentence_text, standing_row
from bpe_tui.views.spelling import label, number
from bpe_tui.views.table_view import Column, Row, TableView
from engine.alignment import Place, Stretch
from engine.parting import LETTERS

RANK, ELSEWHERE, SAME = 9, 10, 1
"""Cells of the columns around the two of merges."""
WIDE = 76
"""Cells of a table that has room for where each merge stands in the other list."""
OPEN, CLOSE = "▐", "▌"
"""Enclose what the two cut differently."""


def merge_rows(found: Compared, offset: int, count: int, width: int, mode: Mode) -> TableView:
    """A window of both lists, aligned by rank.

    Args:
        found: the comparison.
        offset: the first rank.
        count: how many ranks.
        width: cells of the table.
        mode: how bytes are spelled.
    """
    wide = width >= WIDE
    gaps = 5 if wide else 3
    side = max((width - 1 - RANK - SAME - gaps - 2 * ELSEWHERE * wide) // 2, 8)
    names = [
        label(f"{letter}: ") + show_str(name, prose=True) for letter, name in zip(LETTERS, found.names, strict=True)
    ]
    columns = [
        Column(label("rank"), RANK, "right"),
        Column(names[0], side),
        Column(EMPTY, SAME),
        Column(names[1], side, flexible=True),
    ]
    if wide:
        columns += [Column(label("A's in B"), ELSEWHERE), Column(label("B's in A"), ELSEWHERE)]
    total = max(map(len, found.lists))
    stop = min(offset + count, total)
    rows = tuple(_row(found, rank, mode, wide) for rank in range(offset, stop))
    return TableView(tuple(columns), rows, offset, total, header=True, nothing=label("neither list has a merge"))


def _row(found: Compared, rank: int, mode: Mode, wide: bool) -> Row:
    a, b = (merges[rank] if rank < len(merges) else None for merges in found.lists)
    parted = found.where is not None and found.where.rank == rank
    same = label("=" if a == b else "x")
    cells = [number(rank), joined_text(a, mode), same, joined_text(b, mode)]
    if wide:
        for i, pair in enumerate((a, b)):
            elsewhere = None if pair is None else found.ranks[1 - i].get(pair)
            text = EMPTY if pair is None or elsewhere == rank else label("-" if elsewhere is None else f"{elsewhere:,}")
            cells.append(text)
    mark = label("▶") if parted else EMPTY
    return Row(tuple(cells), rank, mark, "winner" if parted else "normal" if a == b else "dim")


def why_lines(found: Compared, width: int, mode: Mode) -> tuple[SafeText, ...]:
    """The sentence, what each side counts there, and how much agrees."""
    lines: list[SafeText] = []
    if found.where is None:
        lines += fold(label("equal to the end"), width)
    else:
        lines += fold(label(f"rank {found.where.rank:,}: ") + sentence_text(found.sentence, mode), width)
        for letter in LETTERS:
            _, _, *counts, highest, ties, first = (
                cell if isinstance(cell, SafeText) else label(cell) for cell in standing_row(letter, found.where, mode)
            )
            parts = [
                label(f"{letter} counts A's "),
                counts[0],
                label(", B's "),
                counts[1],
                label("; highest "),
                highest,
            ]
            parts += [label(", tied "), ties, label(": "), first]
            lines += fold(join(parts), width)
    if found.cut is not None:
        lines += fold(label(f"B's counts fit if {found.cut.words}"), width)
    for line in agreement_lines(found.agreement, found.texts):
        lines += fold(label(line), width)
    return tuple(lines)


def text_lines(found: Compared, width: int, mode: Mode) -> tuple[SafeText, ...]:
    """The text as A and as B cut it, line under line."""
    if found.refusal:
        return tuple(fold(show_str(found.refusal, prose=True), width))
    room = max(width - 2, 8)
    lines: list[SafeText] = []
    for group in _groups(found, room, mode):
        for letter, parts in zip(LETTERS, zip(*group, strict=True), strict=True):
            lines += [label(f"{letter} ") + line for line in wrap(parts, room)]
        lines.append(EMPTY)
    return tuple(lines[:-1])


def _groups(found: Compared, room: int, mode: Mode) -> Iterator[list[tuple[SafeText, SafeText]]]:
    """Stretches that fit into one line on both sides, as (A's, B's)."""
    group: list[tuple[SafeText, SafeText]] = []
    used = [0, 0]
    for stretch in found.parts:
        pair = (_cut(found.text, stretch, stretch.a, mode), _cut(found.text, stretch, stretch.b, mode))
        if group and any(used[i] + pair[i].width > room for i in (0, 1)):
            yield group
            group, used = [], [0, 0]
        group.append(pair)
        used = [used[i] + pair[i].width for i in (0, 1)]
    if group:
        yield group


def _cut(text: bytes, stretch: Stretch, tokens: tuple[Place, ...], mode: Mode) -> SafeText:
    shown = join((show(text[start:stop], mode) for start, stop in tokens), label(EDGE))
    if stretch.equal:
        return shown + label(EDGE) if tokens else EMPTY
    return label(OPEN) + shown + label(CLOSE)

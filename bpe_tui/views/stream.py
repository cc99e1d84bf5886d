"""The stream: live token sequences of the training documents, wrapped into screen lines.

Between two tokens stands `│`, between two units a blank (merges never cross it), and `+` where the next step joins the
two; the tokens that the last step made are marked as new.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Literal

from bpe_tui.text.cells import Mode, Piece, clip, pieces, show_str
from bpe_tui.text.safe import EMPTY, Kind, SafeText
from bpe_tui.views.request import StreamRequest
from bpe_tui.views.rows import LONGEST, RowIndex, RowPlace
from bpe_tui.views.spelling import label
from engine.alphabet import END_OF_WORD
from engine.corpus.file_text import Text
from engine.kernel import Pair
from engine.placement import OUTSIDE, PlacedToken
from engine.trainer import Trainer

CellStyle = Literal["even", "odd", "winner", "new", "outside", "title"]
NUMBER_WIDTH = 6
Place = tuple[int, int]
"""A training document and a byte offset in it."""


@dataclass(frozen=True, slots=True)
class StreamCell:
    """Part of a screen line: a token, or as much of it as fits the row.

    Attributes:
        text: what is drawn, without the edge.
        edge: what stands after it, one cell or none.
        style: what it means.
        document: training document, or -1 for a title.
        start: offset of its first byte.
        stop: offset after its last byte.
    """

    text: SafeText
    edge: SafeText
    style: CellStyle
    document: int = -1
    start: int = 0
    stop: int = 0

    def covers(self, place: Place | None) -> bool:
        """Whether its token covers a byte of a document."""
        return place is not None and self.document == place[0] and self.start <= place[1] < self.stop


@dataclass(frozen=True, slots=True)
class StreamLine:
    """One screen line: the row's number or weight on its first line, then cells."""

    number: SafeText
    cells: tuple[StreamCell, ...]
    has_new: bool


@dataclass(frozen=True, slots=True)
class StreamView:
    """The lines of a window of the stream.

    Attributes:
        lines: at most `height` screen lines.
        row: the first row shown, within the chosen document or documents.
        line: how many of its lines are out of sight.
        rows: rows in all.
        tokens: tokens in the rows shown.
        bytes: bytes of the rows shown.
        title: the document's name, or what is shown.
    """

    lines: tuple[StreamLine, ...] = ()
    row: int = 0
    line: int = 0
    rows: int = 0
    tokens: int = 0
    bytes: int = 0
    title: SafeText = EMPTY


def build_stream(
    trainer: Trainer, rows: RowIndex, request: StreamRequest, mode: Mode, marks: bool = True
) -> StreamView:
    """The lines that a request asks for, at the present rank; with marks also where the next merge applies."""
    first, stop = rows.bounds(request.document)
    title = _title(trainer, request.document)
    if first == stop or request.height <= 0 or request.width <= NUMBER_WIDTH:
        return StreamView(title=title, rows=stop - first)
    painter = _Painter(trainer, rows, request, mode, trainer.next_pair() if marks else None)
    row, line = _settled(painter, first, stop, first + request.row, request.line)
    lines: list[StreamLine] = []
    tokens = size = 0
    at = row
    while at < stop and len(lines) < request.height:
        painted = painter.row(at)
        lines += painted.lines[line if at == row else 0 :]
        tokens += painted.tokens
        size += painted.bytes
        at += 1
    return StreamView(tuple(lines[: request.height]), row - first, line, stop - first, tokens, size, title)


def _settled(painter: "_Painter", first: int, stop: int, row: int, line: int) -> tuple[int, int]:
    """The row and line really shown first: carried over to neighbouring rows, kept within the document."""
    row = max(first, min(row, stop - 1))
    while line < 0 and row > first:
        row -= 1
        line += len(painter.row(row).lines)
    line = max(line, 0)
    while line >= (size := len(painter.row(row).lines)):
        if row + 1 >= stop:
            return row, max(size - 1, 0)
        line -= size
        row += 1
    return row, line


def _title(trainer: Trainer, document: int | None) -> SafeText:
    if document is not None:
        return show_str(trainer.documents[document].id, width=40)
    size = len(trainer.documents)
    return label("the only document" if size == 1 else f"all {size:,} documents")


@dataclass(frozen=True, slots=True)
class _PaintedRow:
    lines: Sequence[StreamLine]
    tokens: int
    bytes: int


class _Painter:
    """Paints rows; what does not change from row to row is looked up once."""

    def __init__(
        self, trainer: Trainer, rows: RowIndex, request: StreamRequest, mode: Mode, next_pair: Pair | None
    ) -> None:
        self._trainer = trainer
        self._rows = rows
        self._request = request
        self._mode = mode
        self._next = next_pair
        self._made = len(trainer.units.alphabet.tokens) + trainer.rank - 1 if trainer.rank else None
        self._words = trainer.corpus.format == "words"
        self._edges = {"token": label("│"), "unit": label(" "), "join": label("+")}
        self._painted: dict[int, _PaintedRow] = {}

    def row(self, row: int) -> _PaintedRow:
        """A row's screen lines."""
        if row not in self._painted:
            place = self._rows.place(row)
            tokens = self._tokens(place)
            inside = [t for t in tokens if t.stop > place.start and t.start < place.stop]
            lines = list(self._wrapped(row, place, self._cells(place, tokens)))
            if self._request.document is None and self._rows.starts_document(row) and not self._words:
                lines.insert(0, self._heading(place.document))
            self._painted[row] = _PaintedRow(lines, len(inside), place.stop - place.start)
        return self._painted[row]

    def _heading(self, document: int) -> StreamLine:
        name = label("─ ") + show_str(self._trainer.documents[document].id)
        weight = self._trainer.documents[document].weight
        if weight > 1:
            name += label(f" ×{weight:,}")
        return StreamLine(EMPTY, (StreamCell(name.crop(self._request.width), EMPTY, "title"),), False)

    def _tokens(self, place: RowPlace) -> list[PlacedToken]:
        """The row's tokens with one neighbour on each side."""
        return self._trainer.document_tokens(place.document, max(place.start - 1, 0), place.stop + 1)

    def _cells(self, place: RowPlace, tokens: list[PlacedToken]) -> Iterator[tuple[StreamCell, tuple[Piece, ...]]]:
        """Cells with their pieces, for tokens that wrap."""
        joins = _joins(self._trainer, place, tokens, self._next)
        data = self._trainer.documents[place.document].data
        for at, placed in enumerate(tokens):
            if not (placed.stop > place.start and placed.start < place.stop) and not (
                placed.start == placed.stop == place.stop
            ):
                continue
            shown = self._pieces(placed, data, place)
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            cell = StreamCell(
                clip(shown, 0, shown[-1].stop),
                self._edge(placed, following, at in joins, place),
                self._style(placed, at, joins),
                place.document,
                placed.start,
                placed.stop,
            )
            yield cell, shown

    def _pieces(self, placed: PlacedToken, data: Text, place: RowPlace) -> tuple[Piece, ...]:
        """What a row shows of a token; rows are cut between characters, so its own bytes say it all."""
        start, stop = max(placed.start, place.start), min(placed.stop, place.stop)
        shown = pieces(data[start:stop], self._mode)
        if stop == placed.stop and placed.token != OUTSIDE and self._trainer.vocabulary[placed.token].ends_word:
            shown += (Piece(END_OF_WORD, Kind.MARK, stop - start, stop - start + 1, len(END_OF_WORD)),)
        return shown

    def _edge(self, placed: PlacedToken, following: PlacedToken | None, joined: bool, place: RowPlace) -> SafeText:
        if placed.stop > place.stop:
            return EMPTY
        if joined:
            return self._edges["join"]
        return self._edges["unit" if following is not None and following.opens else "token"]

    def _style(self, placed: PlacedToken, at: int, joins: frozenset[int]) -> CellStyle:
        if placed.token == OUTSIDE:
            return "outside"
        if at in joins or at - 1 in joins:
            return "winner"
        if placed.token == self._made:
            return "new"
        return "odd" if at % 2 else "even"

    def _wrapped(
        self, row: int, place: RowPlace, cells: Iterator[tuple[StreamCell, tuple[Piece, ...]]]
    ) -> Iterator[StreamLine]:
        """Cells as lines: a cell moves to the next line when it does not fit, and is split when no line holds it."""
        room = self._request.width - NUMBER_WIDTH
        line: list[StreamCell] = []
        used = 0
        number = self._number(row, place)
        for cell in (part for c, shown in cells for part in _split(c, shown, room)):
            width = cell.text.width + cell.edge.width
            if line and used + width > room:
                yield _line(number, line)
                number, line, used = EMPTY, [], 0
            line.append(cell)
            used += width
        yield _line(number, line)

    def _number(self, row: int, place: RowPlace) -> SafeText:
        if self._words:
            return label(f"×{self._trainer.documents[place.document].weight:,}")
        first = self._rows.bounds(self._request.document)[0]
        return label(f"{row - first + 1}")


def _line(number: SafeText, cells: list[StreamCell]) -> StreamLine:
    return StreamLine(number, tuple(cells), any(c.style == "new" for c in cells))


def _split(cell: StreamCell, shown: tuple[Piece, ...], room: int) -> Iterator[StreamCell]:
    """A cell in parts that fit into `room`, cut between pieces; the edge goes with the last part."""
    if cell.text.width + cell.edge.width <= room:
        yield cell
        return
    start, used = shown[0].start if shown else 0, 0
    for piece in shown:
        if used + piece.width >= room and used:
            yield replace(cell, text=clip(shown, start, piece.start), edge=EMPTY)
            start, used = piece.start, 0
        used += piece.width
    yield replace(cell, text=clip(shown, start, shown[-1].stop))


def _joins(trainer: Trainer, place: RowPlace, tokens: Sequence[PlacedToken], pair: Pair | None) -> frozenset[int]:
    """Indices of tokens that the next step joins to the one after them: left to right, without overlap."""
    if pair is None:
        return frozenset()
    found: set[int] = set()
    in_run = _run_before(trainer, place, tokens, pair)
    for at, (left, right) in enumerate(pairwise(tokens)):
        if (left.token, right.token) != pair or right.opens:
            in_run = 0
            continue
        if in_run % 2 == 0:
            found.add(at)
        in_run += pair[0] == pair[1]
    return frozenset(found)


def _run_before(trainer: Trainer, place: RowPlace, tokens: Sequence[PlacedToken], pair: Pair) -> int:
    """How many tokens of a run of equal tokens lie before these: a pair of equal tokens is matched from its start."""
    if pair[0] != pair[1] or not tokens or tokens[0].token != pair[0]:
        return 0
    length = 0
    first = tokens[0]
    while first.start > 0 and not first.opens:
        before = trainer.document_tokens(place.document, max(first.start - LONGEST, 0), first.start)
        run = list(takewhile(lambda t: t.token == pair[0], _back_to_unit(before)))
        length += len(run)
        if len(run) < len(before):
            break
        first = before[0]
    return length


def _back_to_unit(tokens: Sequence[PlacedToken]) -> Iterator[PlacedToken]:
    """Tokens from the last one back to the first of its unit."""
    for token in reversed(tokens):
        yield token
        if token.opens:
            return

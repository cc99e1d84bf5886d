"""The tables: pairs, merges and vocabulary entries, each as a window of rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bpe_tui.text.cells import Mode, show
from bpe_tui.text.safe import EMPTY
from bpe_tui.views.request import MergeSubject, PairSubject, PaneName, TableRequest, TokenSubject
from bpe_tui.views.search import matcher
from bpe_tui.views.spelling import label, number, pair_text, share, token_text
from bpe_tui.views.table_view import Column, Row, RowStyle, TableView
from engine.alphabet import Token
from engine.kernel import Pair
from engine.limits import UNBOUNDED
from engine.trainer import Trainer
from engine.utf8 import Utf8Class, utf8_class

PAIR_SORTS = ("merge order", "ids")
MERGE_SORTS = ("rank", "count", "length")
VOCAB_SORTS = ("id", "frequency", "length", "bytes")
LONGEST_SHOWN = 64
"""Cells that one token may take in a table."""

CLASS_MARKS = {
    Utf8Class.TEXT: "text",
    Utf8Class.HEAD: "head",
    Utf8Class.MIDDLE: "mid",
    Utf8Class.TAIL: "tail",
    Utf8Class.TAIL_HEAD: "t+h",
    Utf8Class.IMPOSSIBLE: "bad",
}

_PAIR_COLUMNS = (
    Column(label("order"), 5, "right", optional=True),
    Column(label("pair"), 15, flexible=True),
    Column(label("count"), 8, "right"),
    Column(label("note"), 4),
    Column(label("share"), 6, "right", optional=True),
    Column(label("of best"), 8, optional=True),
)
_MERGE_COLUMNS = (
    Column(label("rank"), 5, "right"),
    Column(label("pair → token"), 18, flexible=True),
    Column(label("id"), 5, "right"),
    Column(label("count"), 7, "right"),
    Column(label("repl"), 7, "right", optional=True),
    Column(label("tied"), 4, "right", optional=True),
)
_VOCAB_COLUMNS = (
    Column(label("id"), 6, "right"),
    Column(label("token"), 12, flexible=True),
    Column(label("utf8"), 4),
    Column(label("now"), 7, "right"),
    Column(label("len"), 3, "right", optional=True),
    Column(label("hex"), 14, optional=True),
)
_BAR = 8


def rows_data(trainer: Trainer, pane: PaneName, request: TableRequest) -> list[bytes]:
    """The bytes that every row of a table stands for, in the table's order, filtered as it is."""
    everything = replace(request, offset=0, count=UNBOUNDED)
    vocabulary = trainer.vocabulary
    match pane:
        case PaneName.PAIRS:
            pairs = _pairs_window(trainer, everything)[1]
            return [vocabulary[pair[0]].data + vocabulary[pair[1]].data for _, (pair, _) in pairs]
        case PaneName.MERGES:
            return [trainer.merges[rank].content.data for rank in _merges_window(trainer, everything)[1]]
        case _:
            return [vocabulary[token].data for token in _vocab_window(trainer, everything)[1]]


def pairs_view(trainer: Trainer, request: TableRequest, mode: Mode) -> TableView:
    """Live pairs: the next merge marked `▸` and `next`, pairs with its count marked `tie`."""
    kernel = trainer.kernel
    winner = trainer.next_pair()
    best = kernel.count(winner) if winner else 0
    total, window = _pairs_window(trainer, request)
    most = max([best, *(count for _, (_, count) in window)])  # a given merge may have any count
    rows = []
    for order, (pair, count) in window:
        tied = count == best and not trainer.next_is_given and kernel.mergeable(pair, count)
        note = "next" if pair == winner else "tie" if tied else ""
        cells = (
            number(order),
            pair_text(trainer, pair, mode, LONGEST_SHOWN),
            number(count),
            label(note),
            share(count, trainer.windows),
            label("█" * round(_BAR * count / most) if most else ""),
        )
        is_winner = pair == winner
        rows.append(
            Row(cells, PairSubject(pair), label("▸") if is_winner else EMPTY, "winner" if is_winner else "normal")
        )
    nothing = label("no pair left" if not request.filter else "no pair matches the filter")
    return TableView(_PAIR_COLUMNS, tuple(rows), request.offset, total, request.header, nothing)


def _pairs_window(trainer: Trainer, request: TableRequest) -> tuple[int, Sequence[tuple[int, tuple[Pair, int]]]]:
    """How many pairs there are, and the wanted ones with their place in merge order (from 1)."""
    kernel = trainer.kernel
    live = kernel.live_pairs()
    stop = request.offset + request.count
    if not request.filter and request.sort in ("", PAIR_SORTS[0]) and not request.reverse:
        top = kernel.top(request.count, request.offset)
        return live, list(enumerate(top, request.offset + 1))
    ordered = list(enumerate(kernel.top(live), 1))
    if request.filter:
        fits, vocabulary = matcher(request.filter), trainer.vocabulary
        ordered = [o for o in ordered if fits(vocabulary[o[1][0][0]].data + vocabulary[o[1][0][1]].data)]
    if request.sort == "ids":
        ordered.sort(key=lambda o: o[1][0])
    if request.reverse:
        ordered.reverse()
    return len(ordered), ordered[request.offset : stop]


def merges_view(trainer: Trainer, request: TableRequest, mode: Mode) -> TableView:
    """Known merges: `▶` stands at the last one applied, those after it are the known future."""
    merges, shown = trainer.merges, trainer.layout.shown
    total, window = _merges_window(trainer, request)
    rows = []
    for rank in window:
        merge = merges[rank]
        evidence = merge.evidence
        text = pair_text(trainer, evidence.pair, mode, LONGEST_SHOWN)
        text += label(" → ") + token_text(merge.content, mode, LONGEST_SHOWN)
        cells = (
            number(rank),
            text,
            label(str(shown(merge.token))),
            number(evidence.candidate_count),
            number(evidence.replacements),
            number(evidence.tie_size),
        )
        last = rank == trainer.rank - 1
        style: RowStyle = "new" if last else "future" if rank >= trainer.rank else "normal"
        if not last and not evidence.candidate_count:  # given, and without any occurrence
            style = "warning"
        rows.append(Row(cells, MergeSubject(rank), label("▶") if last else EMPTY, style))
    nothing = label("no merge learned yet" if not request.filter else "no merge matches the filter")
    return TableView(_MERGE_COLUMNS, tuple(rows), request.offset, total, request.header, nothing)


def _merges_window(trainer: Trainer, request: TableRequest) -> tuple[int, Sequence[int]]:
    merges = trainer.merges
    keys: dict[str, Callable[[int], Any]] = {
        "count": lambda r: (-merges[r].evidence.candidate_count, r),
        "length": lambda r: (-len(merges[r].content.data), r),
    }
    return _window(len(merges), request, keys.get(request.sort), lambda rank: merges[rank].content.data)


def vocab_view(trainer: Trainer, request: TableRequest, mode: Mode) -> TableView:
    """Vocabulary entries at this rank: the newest first; learned ones that no longer stand in the text are dim."""
    vocabulary, kernel = trainer.vocabulary, trainer.kernel
    total, window = _vocab_window(trainer, request)
    base = len(trainer.units.alphabet.tokens)
    newest = base + trainer.rank - 1 if trainer.rank else None
    rows = []
    for token in window:
        entry = vocabulary[token]
        new = token == newest
        cells = (
            label(str(trainer.layout.shown(token))),
            token_text(entry, mode, LONGEST_SHOWN),
            label(class_mark(entry)),
            number(kernel.frequency(token)),
            number(len(entry.data)),
            show(entry.data, Mode.HEX, width=14),
        )
        dead = not new and token >= base and not kernel.frequency(token)
        style: RowStyle = "new" if new else "dim" if dead else "normal"
        rows.append(Row(cells, TokenSubject(token), label("▶") if new else EMPTY, style))
    return TableView(
        _VOCAB_COLUMNS, tuple(rows), request.offset, total, request.header, label("no entry matches the filter")
    )


def _vocab_window(trainer: Trainer, request: TableRequest) -> tuple[int, Sequence[int]]:
    vocabulary, kernel = trainer.vocabulary, trainer.kernel
    size = len(trainer.units.alphabet.tokens) + trainer.rank
    keys: dict[str, Callable[[int], Any]] = {
        "frequency": lambda t: (-kernel.frequency(t), t),
        "length": lambda t: (-len(vocabulary[t].data), t),
        "bytes": lambda t: vocabulary[t].data,
    }
    return _window(size, request, keys.get(request.sort, lambda t: -t), lambda t: vocabulary[t].data)


def class_mark(token: Token) -> str:
    """The UTF-8 class in at most four letters; `mark` for an end-of-word mark of its own."""
    return CLASS_MARKS[utf8_class(token.data)] if token.data else "mark"


def _window(
    size: int, request: TableRequest, key: Callable[[int], Any] | None, data: Callable[[int], bytes]
) -> tuple[int, Sequence[int]]:
    """How many rows a filter leaves of `size`, and the wanted ones in order."""
    stop = request.offset + request.count
    found: Sequence[int] = range(size)
    if request.filter:
        fits = matcher(request.filter)
        found = [i for i in found if fits(data(i))]
    if key is not None:
        found = sorted(found, key=key)
    if request.reverse:
        found = found[::-1]
    return len(found), found[request.offset : stop]

"""Finding: the next row of a table, or the next place in the training text, that a query matches."""

from collections.abc import Iterator

from bpe_tui.views.request import MergeSubject, PairSubject, PaneName, Subject, TableRequest, TokenSubject
from bpe_tui.views.search import matcher, needle_of
from bpe_tui.views.tables import rows_data
from engine.trainer import Trainer

CHUNK = 65_536
"""Bytes looked at at once."""


def find_row(
    trainer: Trainer, pane: PaneName, request: TableRequest, query: str, at: int, direction: int
) -> int | None:
    """The index of the next row that matches, after (1) or before (-1) a row, around the end; None without one.

    Raises:
        Refusal: when the query cannot be read.
    """
    fits = matcher(query)
    matches = [index for index, data in enumerate(rows_data(trainer, pane, request)) if fits(data)]
    if direction > 0:
        return next((m for m in matches if m > at), matches[0] if matches else None)
    return next((m for m in reversed(matches) if m < at), matches[-1] if matches else None)


def find_in_stream(
    trainer: Trainer, document: int | None, start: tuple[int, int] | None, query: str, direction: int
) -> tuple[int, int] | None:
    """The next place of some bytes in the training text: (document, offset); around the end; None without one.

    Raises:
        Refusal: when the query cannot be read.
    """
    needle = needle_of(query)
    documents = list(range(len(trainer.documents))) if document is None else [document]
    at, offset = start if start is not None and start[0] in documents else (documents[0] if documents else 0, -1)
    first = documents.index(at) if at in documents else 0
    before, after = documents[: first + 1], documents[first:]
    order = after + before if direction > 0 else before[::-1] + after[::-1]
    for turn, number in enumerate(order):
        data = trainer.documents[number].data
        if direction > 0:
            found = data.find(needle, offset + 1 if turn == 0 else 0)
        else:
            found = data.rfind(needle, 0, max(offset + len(needle) - 1, 0) if turn == 0 else len(data))
        if found >= 0:
            return number, found
    return None


def next_occurrence(
    trainer: Trainer, subject: Subject | None, document: int | None, start: tuple[int, int] | None
) -> tuple[int, int] | None:
    """The next place where a pair stands side by side, or a token stands: (document, offset); None without one.

    Args:
        trainer: the run.
        subject: what is looked for; the next merge for anything but a pair, a merge or a token.
        document: the training document to look in, or None for all.
        start: the place to go on from; the search goes around the end.
    """
    wanted = _token_run(trainer, subject)
    documents = list(range(len(trainer.documents))) if document is None else [document]
    if wanted is None or not documents:
        return None
    at, offset = start if start is not None and start[0] in documents else (documents[0], -1)
    first = documents.index(at)
    for turn, number in enumerate(documents[first:] + documents[: first + 1]):
        places = _places(trainer, number, wanted)
        found = next((p for p in places if turn > 0 or p > offset), None)
        if found is not None:
            return number, found
    return None


def _token_run(trainer: Trainer, subject: Subject | None) -> tuple[int, ...] | None:
    """The adjacent tokens that a subject stands for at the present rank."""
    match subject:
        case PairSubject(pair) if trainer.kernel.count(pair):
            return pair
        case MergeSubject(rank) if rank < trainer.rank:
            return (trainer.merges[rank].token,)
        case TokenSubject(token):
            return (token,)
    return trainer.next_pair()


def _places(trainer: Trainer, document: int, wanted: tuple[int, ...]) -> Iterator[int]:
    """Offsets where these tokens stand side by side within one unit."""
    size = len(trainer.documents[document].data)
    for start in range(0, size, CHUNK):
        tokens = trainer.document_tokens(document, start, start + CHUNK)
        # Neighbours past the chunk's end, so that a window over it is not missed.
        tokens += trainer.document_tokens(document, tokens[-1].stop, tokens[-1].stop + 1) if tokens else []
        for window in zip(*(tokens[i:] for i in range(len(wanted))), strict=False):
            inside = all(not t.opens for t in window[1:])
            if inside and window[0].start >= start and tuple(t.token for t in window) == wanted:
                yield window[0].start

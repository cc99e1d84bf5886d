"""Finding: the next row of a table, or the next place in the training text, that a query matches."""

from bpe_tui.views.request import PaneName, TableRequest
from bpe_tui.views.search import matcher, needle_of
from bpe_tui.views.tables import rows_data
from engine.trainer import Trainer


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

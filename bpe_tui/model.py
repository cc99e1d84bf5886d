"""The desk: all state of the screen that is not the run's own, without a widget in sight.

Widgets are views on it and on the worker's `StepView`; actions change it; a request for the next view follows from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bpe_tui.text.cells import Mode
from bpe_tui.views.request import (
    HeldOutRequest,
    MergeSubject,
    PairSubject,
    PaneName,
    PlaceSubject,
    StreamRequest,
    Subject,
    TableRequest,
    TokenSubject,
    ViewRequest,
)
from bpe_tui.views.step_view import StepView
from bpe_tui.views.stream import Place
from bpe_tui.views.tables import MERGE_SORTS, PAIR_SORTS, VOCAB_SORTS

PlainValue: TypeAlias = str | int | bool | None

TABLES: Mapping[PaneName, tuple[str, ...]] = {
    PaneName.PAIRS: PAIR_SORTS,
    PaneName.MERGES: MERGE_SORTS,
    PaneName.VOCAB: VOCAB_SORTS,
}
"""The panes that are tables, with the orders that they know; the first is their own."""
SPEEDS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Steps per second while playing."""
MODES = tuple(Mode)


@dataclass(slots=True)
class Desk:
    """What the user has chosen.

    Attributes:
        wished: the rank that the user wants to be at; the run may still be on its way.
        mode: how bytes are spelled.
        tables: window, order and filter of each table.
        stream: window of the stream.
        cursor: document and byte offset of the token under the stream's cursor.
        held_out: which text is encoded.
        texts: texts of the user's that were encoded, the latest last.
        subject: what the inspector explains; None follows the cursor.
        pinned: whether the subject stays while the cursor moves.
        playing: whether time runs.
        speed: index into `SPEEDS`.
        bookmarks: ranks that the user marked.
        found: the last query of each pane.
        dirty: whether there is work that no session file has.
        view: the latest view.
    """

    wished: int = 0
    mode: Mode = Mode.TEXT
    tables: dict[PaneName, TableRequest] = field(default_factory=lambda: dict.fromkeys(TABLES, TableRequest()))
    stream: StreamRequest = field(default_factory=StreamRequest)
    cursor: Place | None = None
    held_out: HeldOutRequest = field(default_factory=HeldOutRequest)
    texts: list[bytes] = field(default_factory=list)
    subject: Subject | None = None
    pinned: bool = False
    playing: bool = False
    speed: int = 2
    bookmarks: set[int] = field(default_factory=set)
    found: dict[PaneName, str] = field(default_factory=dict)
    dirty: bool = False
    view: StepView = field(default_factory=StepView)

    def request(self, visible: frozenset[PaneName], widths: Mapping[PaneName, int], height: int) -> ViewRequest:
        """The view to ask for.

        Args:
            visible: the panes on screen.
            widths: cells inside each pane that wraps its text.
            height: lines inside the stream.
        """
        return ViewRequest(
            mode=self.mode,
            visible=visible,
            stream=replace(self.stream, width=widths.get(PaneName.STREAM, 0), height=height),
            pairs=self.tables[PaneName.PAIRS],
            merges=self.tables[PaneName.MERGES],
            vocab=self.tables[PaneName.VOCAB],
            held_out=replace(self.held_out, width=widths.get(PaneName.HELD_OUT, 0)),
            subject=self.subject,
            inspect_width=widths.get(PaneName.INSPECT, 0),
            stats_width=widths.get(PaneName.STATS, 0),
        )

    # Tables

    def change_table(self, pane: PaneName, **changes: object) -> None:
        """Change a table's window, order or filter."""
        self.tables[pane] = replace(self.tables[pane], **changes)  # type: ignore[arg-type]

    def next_sort(self, pane: PaneName) -> str:
        """Put a table into the next of its orders, and name it."""
        orders = TABLES[pane]
        now = self.tables[pane].sort or orders[0]
        order = orders[(orders.index(now) + 1) % len(orders)]
        self.change_table(pane, sort=order, offset=0)
        return order

    # Display

    def next_mode(self) -> Mode:
        """The next way to spell bytes."""
        self.mode = MODES[(MODES.index(self.mode) + 1) % len(MODES)]
        return self.mode

    def change_speed(self, by: int) -> float:
        """Play faster or slower; the new speed in steps per second."""
        self.speed = max(0, min(self.speed + by, len(SPEEDS) - 1))
        return SPEEDS[self.speed]

    # Documents

    def next_document(self, by: int, count: int) -> None:
        """Show the next training document in the stream; before the first and after the last stand all of them."""
        if count > 1:
            at = -1 if self.stream.document is None else self.stream.document
            at = (at + 1 + by) % (count + 1) - 1
            self.choose_document(None if at < 0 else at)

    def choose_document(self, document: int | None) -> None:
        """Show one training document in the stream, or all for None."""
        self.stream = replace(self.stream, document=document, row=0, line=0)
        self.cursor = None

    def next_held_out(self, by: int) -> None:
        """Encode the next held-out document; the user's own text comes before the first."""
        count = self.view.held_out.count
        places = count + (1 if self.texts else 0)
        if not places:
            return
        at = (self.held_out.document if self.held_out.text is None else -1) + by
        first = -1 if self.texts else 0
        at = (at - first) % places + first
        text = self.texts[-1] if at < 0 else None
        self.held_out = replace(self.held_out, document=max(at, 0), text=text)

    def encode(self, text: bytes) -> None:
        """Encode a text of the user's from now on."""
        self.texts.append(text)
        self.held_out = replace(self.held_out, text=text)

    # Sessions

    def saved_view(self) -> dict[str, PlainValue]:
        """What a session keeps of the screen, as plain values."""
        cursor = self.cursor
        state: dict[str, PlainValue] = {
            "mode": self.mode.value,
            "document": self.stream.document,
            "row": self.stream.row,
            "cursor_document": cursor[0] if cursor else None,
            "cursor_offset": cursor[1] if cursor else None,
            "held_out_document": self.held_out.document,
            "held_out_own_text": self.held_out.text is not None,
            "pinned": self.pinned,
        }
        match self.subject:
            case PairSubject((left, right)):
                state |= {"subject": "pair", "subject_a": left, "subject_b": right}
            case MergeSubject(rank):
                state |= {"subject": "merge", "subject_a": rank, "subject_b": None}
            case TokenSubject(token):
                state |= {"subject": "token", "subject_a": token, "subject_b": None}
            case PlaceSubject(document, offset):
                state |= {"subject": "place", "subject_a": document, "subject_b": offset}
        return state

    def restore_view(self, state: Mapping[str, PlainValue], texts: tuple[bytes, ...], documents: int) -> None:
        """Take over what `saved_view` kept; what does not fit is left at its default."""

        def whole(name: str) -> int | None:
            value = state.get(name)
            return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None

        mode = state.get("mode")
        self.mode = Mode(mode) if mode in MODES else Mode.TEXT
        self.texts = list(texts)
        document = whole("document")
        document = document if document is not None and document < documents else None
        at, offset = whole("cursor_document"), whole("cursor_offset")
        self.cursor = (at, offset) if at is not None and at < documents and offset is not None else None
        self.stream = replace(self.stream, document=document, row=whole("row") or 0)
        text = self.texts[-1] if self.texts and state.get("held_out_own_text") is True else None
        self.held_out = HeldOutRequest(whole("held_out_document") or 0, text)
        self.pinned = state.get("pinned") is True
        self.subject = _subject(state.get("subject"), whole("subject_a"), whole("subject_b"), documents)


def _subject(kind: PlainValue, a: int | None, b: int | None, documents: int) -> Subject | None:
    match kind, a, b:
        case "pair", int(), int():
            return PairSubject((a, b))
        case "merge", int(), _:
            return MergeSubject(a)
        case "token", int(), _:
            return TokenSubject(a)
        case "place", int(), int() if a < documents:
            return PlaceSubject(a, b)
    return None

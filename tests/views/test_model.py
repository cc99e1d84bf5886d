"""The desk: what the user has chosen, without a widget."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.model import MODES, SPEEDS, TABLES, Desk, PlainValue
from bpe_tui.text.cells import Mode
from bpe_tui.views.held_out import HeldOutView
from bpe_tui.views.request import (
    HeldOutRequest,
    MergeSubject,
    PairSubject,
    PaneName,
    PlaceSubject,
    StreamRequest,
    Subject,
    TokenSubject,
)
from bpe_tui.views.step_view import StepView


def desk_with(held_out: int = 0, **changes: object) -> Desk:
    """A desk whose corpus holds out some documents."""
    return Desk(view=StepView(held_out=HeldOutView(count=held_out)), **changes)  # type: ignore[arg-type]


# Documents


@pytest.mark.parametrize(("by", "walk"), [(1, [0, 1, 2, None, 0]), (-1, [2, 1, 0, None, 2])])
def test_all_documents_stand_before_the_first_and_after_the_last(by: int, walk: list[int | None]) -> None:
    desk = Desk()
    seen = []
    for _ in walk:
        desk.next_document(by, 3)
        seen.append(desk.stream.document)
    assert seen == walk


def test_a_document_is_shown_from_its_first_row_without_a_cursor() -> None:
    desk = Desk(stream=StreamRequest(row=7, line=2), cursor=(0, 9))
    desk.next_document(1, 2)
    assert (desk.stream.document, desk.stream.row, desk.stream.line, desk.cursor) == (0, 0, 0, None)


def test_an_only_document_is_the_only_one_to_show() -> None:
    desk = Desk()
    desk.next_document(1, 1)
    assert desk.stream.document is None


def test_held_out_documents_in_turn() -> None:
    desk = desk_with(3)
    seen = []
    for by in (1, 1, 1, -1):
        desk.next_held_out(by)
        seen.append((desk.held_out.document, desk.held_out.text))
    assert seen == [(1, None), (2, None), (0, None), (2, None)]


def test_the_users_text_comes_before_the_first_held_out_document() -> None:
    desk = desk_with(2)
    desk.encode(b"old")
    desk.encode(b"mine")
    assert desk.held_out.text == b"mine"
    seen = []
    for by in (1, 1, 1, -1, -1):
        desk.next_held_out(by)
        seen.append(desk.held_out.text if desk.held_out.text is not None else desk.held_out.document)
    assert seen == [0, 1, b"mine", 1, 0]


def test_without_held_out_documents_the_users_text_stays() -> None:
    desk = desk_with(0)
    desk.next_held_out(1)
    assert desk.held_out == HeldOutRequest()
    desk.encode(b"mine")
    desk.next_held_out(1)
    assert desk.held_out.text == b"mine"


# Display


def test_modes_and_speeds() -> None:
    desk = Desk()
    assert [desk.next_mode() for _ in MODES] == [*MODES[1:], MODES[0]]
    assert desk.change_speed(99) == SPEEDS[-1]
    assert desk.change_speed(-99) == SPEEDS[0]
    assert desk.change_speed(1) == SPEEDS[1]


def test_orders_of_tables_come_around() -> None:
    for pane, orders in TABLES.items():
        desk = Desk()
        desk.change_table(pane, offset=9)
        assert [desk.next_sort(pane) for _ in orders] == [*orders[1:], orders[0]]
        assert desk.tables[pane].offset == 0


def test_a_request_says_everything_that_is_on_screen() -> None:
    desk = Desk(mode=Mode.HEX, subject=TokenSubject(3))
    desk.change_table(PaneName.MERGES, filter="x", count=7)
    request = desk.request(frozenset({PaneName.STREAM}), {PaneName.STREAM: 40, PaneName.STATS: 30}, 12)
    assert (request.mode, request.visible, request.subject) == (
        Mode.HEX,
        frozenset({PaneName.STREAM}),
        TokenSubject(3),
    )
    assert (request.stream.width, request.stream.height) == (40, 12)
    assert (request.held_out.width, request.inspect_width, request.stats_width) == (0, 0, 30)
    assert (request.merges.filter, request.merges.count) == ("x", 7)
    assert request == desk.request(frozenset({PaneName.STREAM}), {PaneName.STREAM: 40, PaneName.STATS: 30}, 12)


# Sessions

SUBJECTS: list[Subject | None] = [
    None, PairSubject((1, 2)), MergeSubject(3), TokenSubject(4), PlaceSubject(1, 5),
]  # fmt: skip


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_saved_is_restored(subject: Subject | None) -> None:
    desk = Desk(mode=Mode.GPT2, subject=subject, pinned=True)
    desk.stream = replace(desk.stream, document=1, row=7)
    desk.cursor = 1, 30
    desk.encode(b"one")
    desk.encode(b"\xff\x00")
    desk.held_out = replace(desk.held_out, document=2)
    other = Desk()
    other.restore_view(desk.saved_view(), tuple(desk.texts), 2)
    assert (other.mode, other.subject, other.pinned) == (Mode.GPT2, subject, True)
    assert (other.stream.document, other.stream.row, other.cursor) == (1, 7, (1, 30))
    assert (other.held_out, other.texts) == (HeldOutRequest(2, b"\xff\x00"), [b"one", b"\xff\x00"])
    assert other.saved_view() == desk.saved_view()


def test_a_fresh_desk_saves_and_restores_as_a_fresh_desk() -> None:
    desk = Desk()
    desk.restore_view(Desk().saved_view(), (), 3)
    assert desk == Desk()


NAMES = [*Desk().saved_view(), "subject", "subject_a", "subject_b", "unknown"]
VALUES: st.SearchStrategy[PlainValue] = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-2, 3)
    | st.text(max_size=5)
    | st.sampled_from(["text", "hex", "pair", "merge", "token", "place", "[/x]", "\x1b[2J"])
)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES), st.lists(st.binary(max_size=4), max_size=2), st.integers(0, 3))
def test_what_does_not_fit_is_left_at_its_default(
    state: dict[str, PlainValue], texts: list[bytes], documents: int
) -> None:
    desk = Desk()
    desk.restore_view(state, tuple(texts), documents)
    assert desk.mode in MODES
    assert desk.stream.document is None or 0 <= desk.stream.document < documents
    assert desk.cursor is None or (0 <= desk.cursor[0] < documents and desk.cursor[1] >= 0)
    assert desk.stream.row >= 0
    assert desk.held_out.document >= 0
    assert desk.held_out.text is None or desk.held_out.text == texts[-1]
    if isinstance(desk.subject, PlaceSubject):
        assert 0 <= desk.subject.document < documents
    again = Desk()
    again.restore_view(desk.saved_view(), tuple(texts), documents)
    assert again == desk

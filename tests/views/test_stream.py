"""The stream: what stands on each screen line, what the next step joins, and where scrolling and the cursor lead."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_samples import hostile_bytes, policies, run_of, runs

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode, unshow
from bpe_tui.views import rows, stream
from bpe_tui.views.request import StreamRequest
from bpe_tui.views.stream import NUMBER_WIDTH, StreamCell, StreamView, build_stream
from engine.alphabet import END_OF_WORD
from engine.policy import Policy

TALL = StreamRequest(width=60, height=10_000)
WIDEST_PIECE = 9
"""Cells of `‹10FFFF›` and the edge after it."""


def view(run: Run, request: StreamRequest = TALL, mode: Mode = Mode.TEXT) -> StreamView:
    return build_stream(run.trainer, run.rows, request, mode)


def drawn(shown: StreamView) -> list[str]:
    """The screen lines: number, then cells with their edges."""
    return [
        line.number.plain + "|" + "".join(cell.text.plain + cell.edge.plain for cell in line.cells)
        for line in shown.lines
    ]


def cells(shown: StreamView) -> list[StreamCell]:
    return [cell for line in shown.lines for cell in line.cells if cell.document >= 0]


def test_before_a_step_the_winner_is_joined_and_after_it_the_new_token_stands_there() -> None:
    run = run_of(b"aaa", b"aba")
    assert drawn(view(run)) == ["|─ d0", "1|a+a│a│", "|─ d1", "2|a│b│a│"]
    run.trainer.step()
    shown = view(run)
    assert drawn(shown) == ["|─ d0", "1|aa│a│", "|─ d1", "2|a+b│a│"]
    assert [c.style for c in cells(shown)] == ["new", "odd", "winner", "winner", "even"]
    assert [line.has_new for line in shown.lines] == [False, True, False, False]


def test_totals_are_those_of_the_rows_shown() -> None:
    run = run_of(b"aaa\nb", b"aba", merges=1)
    everything = view(run)
    # aa a \n | b | a b a: seven tokens over eight bytes
    assert (everything.rows, everything.tokens, everything.bytes) == (3, 7, 8)
    one = view(run, replace(TALL, document=1))
    assert (one.rows, one.row, one.line, one.tokens, one.bytes, one.title.plain) == (1, 0, 0, 3, 3, "d1")


def test_lines_break_between_tokens_where_the_room_ends() -> None:
    run = run_of(b"abcdefg")
    shown = view(run, StreamRequest(document=0, width=NUMBER_WIDTH + 6, height=9))
    assert drawn(shown) == ["1|a+b│c│", "|d│e│f│", "|g│"]


def test_a_token_wider_than_the_room_is_cut_between_characters_and_keeps_its_edge() -> None:
    run = run_of(b"abcdefgh" * 2, merges=7)
    assert drawn(view(run, StreamRequest(document=0, width=NUMBER_WIDTH + 5, height=9))) == [
        "1|abcd", "|efgh+", "|abcd", "|efgh│",
    ]  # fmt: skip


def test_a_token_over_a_row_end_shows_its_part_in_each_row() -> None:
    run = run_of(b"a\nba\nb", merges=2)
    assert [t.stop - t.start for t in run.trainer.document_tokens(0)] == [3, 3]
    shown = view(run, replace(TALL, document=0))
    assert drawn(shown) == ["1|a␊", "2|b+a␊", "3|b│"]
    assert [(c.start, c.stop) for c in cells(shown)] == [(0, 3), (0, 3), (3, 6), (3, 6)]


def test_a_token_that_is_too_wide_and_spans_rows_is_shown_once() -> None:
    text = b"abcdefghij\nklmnopqrst" * 2
    run = run_of(text, merges=20)
    assert len(run.trainer.document_tokens(0)) == 2
    shown = view(run, StreamRequest(document=0, width=NUMBER_WIDTH + 8, height=99))
    assert unshow("".join(c.text.plain for c in cells(shown))) == text


def test_units_are_set_apart_by_a_blank() -> None:
    run = run_of(b"ab ab", policy=Policy(boundary="ascii-whitespace"))
    assert drawn(view(run, replace(TALL, document=0))) == ["1|a+b ␣ a+b│"]


def test_text_outside_of_all_units_is_marked() -> None:
    run = run_of(b"ab, ab", policy=Policy(boundary="pattern:[a-z]+", unmatched="dropped"))
    shown = view(run, replace(TALL, document=0))
    assert [(c.text.plain, c.style) for c in cells(shown)] == [
        ("a", "winner"), ("b", "winner"), (",␣", "outside"), ("a", "winner"), ("b", "winner"),
    ]  # fmt: skip


@pytest.mark.parametrize("end_of_word", ["fused", "separate"])
def test_ends_of_words_are_shown_even_where_a_word_is_cut(end_of_word: str) -> None:
    policy = Policy(
        alphabet="characters", base_order="code-point", boundary="spaces", unmatched="dropped", end_of_word=end_of_word
    )
    run = run_of(b"abcdefghi abcdefghi", policy=policy, merges=99)
    shown = view(run, StreamRequest(document=0, width=NUMBER_WIDTH + 8, height=99))
    assert "".join(c.text.plain for c in cells(shown)).count(END_OF_WORD) == 2
    assert all(sum(c.text.width + c.edge.width for c in line.cells) <= 8 for line in shown.lines)


def test_words_show_their_counts_instead_of_numbers_and_names() -> None:
    run = run_of(b"low", b"lower", weights=[5, 2], format="words", policy=Policy(min_count=2))
    assert drawn(view(run)) == ["×5|l+o│w│", "×2|l+o│w│e│r│"]


def test_a_document_that_counts_more_than_once_says_so() -> None:
    assert drawn(view(run_of(b"ab", weights=[3]))) == ["|─ d0 ×3", "1|a+b│"]


def test_empty_documents_and_empty_rooms_show_nothing() -> None:
    run = run_of(b"")
    assert view(run).lines == ()
    assert (view(run_of()).rows, view(run_of()).lines) == (0, ())
    run = run_of(b"ab")
    for width, height in [(NUMBER_WIDTH, 9), (0, 9), (60, 0)]:
        assert view(run, StreamRequest(width=width, height=height)).lines == ()


# What the next step joins


def matched(tokens: list[tuple[int, bool]], pair: tuple[int, int]) -> list[int]:
    """Left to right without overlap, from the first token of each unit on: the rule, written down."""
    found, at = [], 0
    while at + 1 < len(tokens):
        if (tokens[at][0], tokens[at + 1][0]) == pair and not tokens[at + 1][1]:
            found.append(at)
            at += 1
        at += 1
    return found


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([b"a", b"a", b"b", b"\n"]), max_size=60).map(b"".join), min_size=1, max_size=3),
    st.sampled_from(["document", "line", "spaces"]),
    st.integers(0, 4),
)
def test_joins_are_those_of_a_match_over_the_whole_document(texts: list[bytes], boundary: str, rank: int) -> None:
    run = run_of(*texts, policy=Policy(boundary=boundary))
    run.trainer.seek(rank)
    pair = run.trainer.next_pair()
    with pytest.MonkeyPatch.context() as patch:  # rows of four bytes, so that runs of equal tokens go over many
        patch.setattr(rows, "LONGEST", 4)
        patch.setattr(stream, "LONGEST", 4)
        short = Run.of(run.trainer)
        shown = view(short)
    joined = [(c.document, c.start) for c in cells(shown) if c.edge.plain == "+"]
    expected = []
    for document in range(len(texts)):
        tokens = run.trainer.document_tokens(document)
        if pair is not None:
            at = matched([(t.token, t.opens) for t in tokens], pair)
            expected += [(document, tokens[i].start) for i in at]
    assert joined == expected
    merge = run.trainer.step()
    assert len(joined) == (merge.evidence.replacements if merge else 0)


def test_a_run_of_equal_letters_over_many_rows_is_joined_from_its_start() -> None:
    size = 3 * rows.LONGEST + 1
    run = run_of(b"b" + b"a" * size)
    last = view(run, StreamRequest(document=0, row=3, width=80, height=99))
    joined = [c.start for c in cells(last) if c.edge.plain == "+"]
    assert joined == list(range(3 * rows.LONGEST + 1, size, 2))


# Wrapping, scrolling and the cursor, over anything


@settings(deadline=None)
@given(runs(), st.integers(NUMBER_WIDTH + WIDEST_PIECE, 70), st.sampled_from(list(Mode)))
def test_lines_fit_and_in_text_mode_their_cells_are_the_documents(run: Run, width: int, mode: Mode) -> None:
    for document, source in enumerate(run.trainer.documents):
        shown = view(run, StreamRequest(document=document, width=width, height=100_000), mode)
        for line in shown.lines:
            assert sum(c.text.width + c.edge.width for c in line.cells) <= width - NUMBER_WIDTH
        if mode is Mode.TEXT:
            text = "".join(c.text.plain for c in cells(shown) if c.start < c.stop)
            if run.trainer.policy.end_of_word == "none":
                assert unshow(text) == source.data
        assert shown.bytes == len(source.data)
        assert shown.tokens >= len([t for t in run.trainer.document_tokens(document) if t.stop > t.start])


@settings(deadline=None, max_examples=50)
@given(st.lists(hostile_bytes(), min_size=1, max_size=3), policies(), st.integers(0, 8), st.data())
def test_scrolling_shows_a_window_of_the_whole(
    texts: list[bytes], policy: Policy, rank: int, data: st.DataObject
) -> None:
    run = run_of(*texts, policy=policy, merges=rank)
    width, height = data.draw(st.integers(NUMBER_WIDTH + 9, 50)), data.draw(st.integers(1, 12))
    whole = view(run, StreamRequest(width=width, height=100_000))
    if not whole.lines:
        return
    row, line = data.draw(st.integers(0, whole.rows + 3)), data.draw(st.integers(-40, 40))
    shown = view(run, StreamRequest(row=row, line=line, width=width, height=height))
    below = view(run, StreamRequest(row=min(row, whole.rows - 1), width=width, height=100_000))
    first = max(0, min(len(whole.lines) - len(below.lines) + line, len(whole.lines) - 1))
    assert shown.lines == whole.lines[first : first + height]
    again = view(run, StreamRequest(row=shown.row, line=shown.line, width=width, height=height))
    assert (again.lines, again.row, again.line) == (shown.lines, shown.row, shown.line)


@settings(deadline=None, max_examples=50)
@given(runs(), st.data())
def test_the_cursor_is_on_the_token_that_covers_its_byte(run: Run, data: st.DataObject) -> None:
    filled = [i for i, d in enumerate(run.trainer.documents) if d.data]
    if not filled:
        return
    document = data.draw(st.sampled_from(filled))
    offset = data.draw(st.integers(0, len(run.trainer.documents[document].data) - 1))
    under = {(c.document, c.start, c.stop) for c in cells(view(run)) if c.covers((document, offset))}
    assert len(under) == 1
    at, start, stop = under.pop()
    assert at == document
    assert start <= offset < stop

"""A whole view of anything: it is built, it fits, and it is of one rank."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from view_samples import requests, run_of, runs

from bpe_tui.text.safe import SafeText
from bpe_tui.views.request import HeldOutRequest, PaneName, StreamRequest, TableRequest, TokenSubject, ViewRequest
from bpe_tui.views.step_view import StepView, build_view


def texts(view: StepView) -> list[SafeText]:
    """Every text of a view."""
    stream = [line.number for line in view.stream.lines]
    stream += [part for line in view.stream.lines for cell in line.cells for part in (cell.text, cell.edge)]
    tables = [
        text for table in (view.pairs, view.merges, view.vocab) for row in table.rows for text in (*row.cells, row.mark)
    ]
    return [view.stream.title, *stream, *tables, *view.inspect, view.held_out.title, *view.held_out.lines, *view.stats]


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_run_can_be_viewed_in_any_way(data: st.DataObject) -> None:
    run = data.draw(runs())
    request = data.draw(requests(run))
    view = build_view(run, request)
    assert (view.rank, view.learned, view.request) == (run.trainer.rank, run.trainer.learned, request)
    assert all(text.plain.isprintable() for text in texts(view))
    for lines, width in [
        (view.inspect, request.inspect_width),
        (view.held_out.lines, request.held_out.width),
        (view.stats, request.stats_width),
    ]:
        assert all(line.width <= max(width, 1) for line in lines)
    assert len(view.stream.lines) <= request.stream.height
    for table, wanted in [(view.pairs, request.pairs), (view.merges, request.merges), (view.vocab, request.vocab)]:
        assert len(table.rows) == max(0, min(wanted.count, table.total - wanted.offset))
        assert len({row.key for row in table.rows}) == len(table.rows)
    again = build_view(run, request)
    assert again == view


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_is_taken_from_an_earlier_view_is_what_would_be_built(data: st.DataObject) -> None:
    run = data.draw(runs())
    first, second = data.draw(requests(run)), data.draw(requests(run))
    kept = data.draw(st.sets(st.sampled_from(["mode", "stream", "pairs", "merges", "vocab", "held_out", "subject"])))
    second = replace(second, **{name: getattr(first, name) for name in kept})
    second = replace(second, visible=data.draw(st.frozensets(st.sampled_from(PaneName))))
    last = build_view(run, first)
    run.trainer.seek(run.trainer.rank + data.draw(st.integers(-1, 1)))
    assert build_view(run, second, last) == build_view(run, second)


def test_only_what_changed_is_built_anew() -> None:
    run = run_of(b"aaa", b"aba", merges=1)
    request = ViewRequest(visible=frozenset(PaneName), stream=StreamRequest(width=40, height=9), inspect_width=40)
    last = build_view(run, request)
    moved = build_view(run, replace(request, subject=TokenSubject(97)), last)
    assert moved.inspect != last.inspect
    assert moved.stream is last.stream
    run.trainer.back()
    assert build_view(run, request, last).stream.lines != last.stream.lines


def test_panes_that_are_not_visible_are_not_built() -> None:
    run = run_of(b"aaa", b"aba", held_out=[b"a"])
    table = TableRequest(count=9)
    everything = ViewRequest(
        visible=frozenset(PaneName),
        stream=StreamRequest(width=40, height=9),
        pairs=table,
        merges=table,
        vocab=table,
        held_out=HeldOutRequest(width=40),
        inspect_width=40,
        stats_width=40,
    )
    parts: dict[PaneName, Callable[[StepView], object]] = {
        PaneName.STREAM: lambda v: v.stream.lines,
        PaneName.PAIRS: lambda v: v.pairs.rows,
        PaneName.VOCAB: lambda v: v.vocab.rows,
        PaneName.INSPECT: lambda v: v.inspect,
        PaneName.HELD_OUT: lambda v: v.held_out.lines,
        PaneName.STATS: lambda v: v.stats,
    }
    for name in parts:
        view = build_view(run, replace(everything, visible=frozenset({name})))
        assert {n for n, part in parts.items() if part(view)} == {name}


def test_totals_are_the_runs() -> None:
    run = run_of(b"aaa", b"aba", merges=1)
    view = build_view(run, ViewRequest())
    assert (view.rank, view.learned, view.budget, view.finished) == (1, 1, None, "")
    assert (view.tokens, view.bytes, view.vocabulary) == (5, 6, 257)

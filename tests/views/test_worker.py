"""The worker, with real threads: the newest wish wins, jobs keep their order, refusals come back, views never mix."""

import threading
from collections.abc import Callable, Iterator
from queue import Queue

import pytest
from view_samples import run_of

import bpe_tui.worker
from bpe_tui.run import Run
from bpe_tui.views.request import PaneName, TableRequest, ViewRequest
from bpe_tui.views.step_view import StepView
from bpe_tui.worker import Done, Event, Opened, Opening, Refused, Viewed, Worker
from engine.errors import Refusal
from engine.limits import Limits
from engine.policy import Policy
from engine.trainer import Trainer

PATIENCE_S = 60
"""A thread that says nothing for so long is stuck."""

TEXT = b"the quick brown fox jumps over the lazy dog and the quick brown dog sleeps " * 4


class Bench:
    """A worker whose events are kept, and can be waited for."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.heard: list[Event] = []
        self.draws = True
        self._queue: Queue[Event] = Queue()
        self.worker = Worker(self._open, self._queue.put)
        self.worker.start()
        self.until(lambda e: isinstance(e, Opened))

    def _open(self, tell: Callable[[Opening], None]) -> tuple[Run, object]:
        tell(Opening("reading", 1, 2))
        return self.run, "result"

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        """The next event of a kind; all before it are kept in `heard`."""
        while True:
            event = self._queue.get(timeout=PATIENCE_S)
            self.heard.append(event)
            if isinstance(event, Viewed) and self.draws:
                self.worker.seen()
            if wanted(event):
                return event

    def view(self, rank: int | None = None) -> Viewed:
        """The next view at rest, at a rank."""

        def wanted(event: Event) -> bool:
            return isinstance(event, Viewed) and event.target is None and rank in (None, event.view.rank)

        event = self.until(wanted)
        assert isinstance(event, Viewed)
        return event

    def hold(self) -> threading.Event:
        """Keep the thread in a job until the event returned is set, so that wishes pile up."""
        begun, release = threading.Event(), threading.Event()

        def job(run: Run) -> None:
            begun.set()
            assert release.wait(PATIENCE_S)

        self.worker.do("hold", job)
        assert begun.wait(PATIENCE_S)
        return release


@pytest.fixture
def bench() -> Iterator[Bench]:
    opened = Bench(run_of(TEXT))
    yield opened
    opened.worker.stop()
    opened.worker._thread.join(PATIENCE_S)
    assert not opened.worker._thread.is_alive()


def request(count: int = 5, filter: str = "") -> ViewRequest:
    table = TableRequest(count=count, filter=filter)
    return ViewRequest(visible=frozenset(PaneName), pairs=table, merges=table, vocab=table)


def test_opening_tells_its_progress_and_its_result(bench: Bench) -> None:
    assert bench.heard == [Opening("reading", 1, 2), Opened("result")]


def test_an_opener_that_refuses_ends_the_thread_with_the_reason() -> None:
    told: Queue[Event] = Queue()

    def refuse(tell: Callable[[Opening], None]) -> tuple[Run, object]:
        raise Refusal("no such corpus")

    worker = Worker(refuse, told.put)
    worker.start()
    assert told.get(timeout=PATIENCE_S) == Refused("open", "no such corpus")
    worker._thread.join(PATIENCE_S)
    assert not worker._thread.is_alive()


def test_a_view_is_of_the_request_and_of_where_the_run_stands(bench: Bench) -> None:
    bench.worker.show(request())
    shown = bench.view()
    assert (shown.view.request, shown.view.rank) == (request(), 0)
    bench.worker.go(7)
    shown = bench.view(7)
    assert (shown.view.learned, shown.view.request) == (7, request())
    bench.worker.go(3)
    assert bench.view(3).view.learned == 7


def test_of_wishes_that_pile_up_only_the_newest_is_done(bench: Bench) -> None:
    release = bench.hold()
    for rank in (900, 20, 4):
        bench.worker.go(rank)
    for count in (1, 2, 3):
        bench.worker.show(request(count))
    release.set()
    shown = bench.view(4)
    assert shown.view.request == request(3)
    assert bench.run.trainer.learned == 4
    assert {e.view.request for e in bench.heard if isinstance(e, Viewed)} == {request(3)}


def test_no_view_is_built_before_the_last_one_is_drawn(bench: Bench) -> None:
    bench.draws = False
    bench.worker.show(request(1))
    bench.view(0)
    bench.worker.go(5)
    bench.worker.show(request(2))
    for _ in range(3):  # it works on meanwhile
        bench.worker.do("rank", lambda run: run.trainer.rank)
    for _ in range(3):
        bench.until(lambda e: isinstance(e, Done))
    bench.worker.go(7)
    bench.worker.show(request(3))
    bench.worker.do("rank", lambda run: run.trainer.rank)
    bench.until(lambda e: isinstance(e, Done))
    assert len([e for e in bench.heard if isinstance(e, Viewed)]) == 1
    bench.worker.seen()
    shown = bench.view(7)
    assert shown.view.request == request(3)


def test_costly_views_leave_most_of_the_time_to_the_way(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])

    def costly(run: Run, request: ViewRequest, last: StepView | None) -> StepView:
        clock[0] += 1.0
        return StepView(request=request, rank=run.trainer.rank)

    monkeypatch.setattr(bpe_tui.worker, "build_view", costly)
    told: list[Event] = []
    worker = Worker(lambda tell: (bench.run, None), told.append)
    worker._target = 1_000
    loop = bpe_tui.worker._Loop(worker, bench.run)
    seen = 0
    for rank in range(100):
        bench.run.trainer.seek(rank % 40)  # there is always something new to show
        loop._view(request(rank))
        if len(told) > seen:
            seen += 1
            clock[0] += 1.0  # drawing it takes as long as building it
            worker.seen()
        clock[0] += 0.25
    assert len(told) == 5  # two seconds for a view, six for the way
    worker._target = None
    loop._view(request())
    assert len(told) == 6  # nothing is waited for where the run stands


def test_no_view_mixes_ranks(bench: Bench) -> None:
    bench.worker.show(request(count=400))
    for rank in (30, 5, 50, 0, 45):
        bench.worker.go(rank)
        bench.view(rank)
    views = [event.view for event in bench.heard if isinstance(event, Viewed)]
    assert len(views) >= 5
    for view in views:
        applied = [row for row in view.merges.rows if row.style != "future"]
        assert len(applied) == min(view.rank, 400)
        assert view.vocab.total == 256 + view.rank
        assert view.vocabulary == 256 + view.rank
        fresh = Trainer(bench.run.trainer.corpus, Policy())
        fresh.seek(view.rank)
        assert view.tokens == fresh.tokens
        assert view.pairs.total == fresh.kernel.live_pairs()


def test_jobs_run_in_order_each_once_at_the_rank_of_their_time(bench: Bench) -> None:
    ranks: list[int] = []

    def rank_of(run: Run) -> int:
        ranks.append(run.trainer.rank)
        return run.trainer.rank

    release = bench.hold()
    for name in ("a", "b", "c"):
        bench.worker.do(name, rank_of)
    release.set()
    bench.until(lambda e: e == Done("c", 0))
    assert [e.name for e in bench.heard if isinstance(e, Done)] == ["hold", "a", "b", "c"]
    assert ranks == [0, 0, 0]


def test_a_job_that_refuses_says_so_and_the_worker_goes_on(bench: Bench) -> None:
    def refuse(run: Run) -> None:
        raise Refusal("not here")

    bench.worker.do("save", refuse)
    bench.until(lambda e: e == Refused("save", "not here"))
    bench.worker.do("next", lambda run: 42)
    bench.until(lambda e: e == Done("next", 42))


def test_a_filter_that_cannot_be_read_is_refused_and_a_better_one_shown(bench: Bench) -> None:
    bench.worker.show(request(filter="re:("))
    refused = bench.until(lambda e: isinstance(e, Refused))
    assert isinstance(refused, Refused)
    assert refused.name == "view"
    bench.worker.show(request(filter="re:q"))
    assert bench.view().view.request.pairs.filter == "re:q"


def test_cancel_stays_where_the_run_is(bench: Bench) -> None:
    bench.worker.show(request())
    bench.view()
    release = bench.hold()
    bench.worker.go(50)
    bench.worker.cancel()
    release.set()
    bench.worker.do("rank", lambda run: run.trainer.rank)
    bench.until(lambda e: e == Done("rank", 0))


def test_cancel_stops_a_long_way_within_a_slice() -> None:
    letters = b"".join(bytes([65 + i % 26, 97 + i * i % 23, 48 + i * 7 % 10]) for i in range(20_000))
    bench = Bench(Run.of(Trainer(run_of(letters).trainer.corpus, Policy(), kernel="python")))
    bench.worker.show(request())
    bench.worker.go(1_000_000)
    bench.until(lambda e: isinstance(e, Viewed) and e.target == 1_000_000)
    bench.worker.cancel()
    stopped = bench.view()
    bench.worker.do("rank", lambda run: run.trainer.rank)
    done = bench.until(lambda e: isinstance(e, Done))
    assert done == Done("rank", stopped.view.rank)
    bench.worker.stop()
    bench.worker._thread.join(PATIENCE_S)


def test_going_past_the_end_stops_at_the_end_and_says_why() -> None:
    bench = Bench(run_of(b"aaa", b"aba"))
    bench.worker.show(request())
    bench.worker.go(1000)
    ended = bench.view(4)
    assert ended.view.finished == "no pair left"
    bench.worker.stop()


def test_a_way_of_many_slices_through_a_finished_run_is_gone_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bpe_tui.worker, "SLICE_S", 0.0)
    bench = Bench(run_of(b"the thin thing that the other thief thinks of", policy=Policy(budget=20)))
    bench.worker.show(request())
    for wished, rank in ((99, 20), (0, 0), (9, 9), (99, 20), (3, 3)):
        bench.worker.go(wished)
        assert bench.view().view.rank == rank
    bench.worker.stop()


def test_a_limit_met_on_the_way_is_refused_and_the_run_stands_there() -> None:
    run = Run.of(Trainer(run_of(b"abcd" * 4).trainer.corpus, Policy(), Limits(token_bytes=2)))
    bench = Bench(run)
    bench.worker.show(request())
    bench.worker.go(10)
    refused = bench.until(lambda e: isinstance(e, Refused))
    assert isinstance(refused, Refused)
    assert refused.name == "move"
    assert "token_bytes" in refused.message
    shown = bench.view()
    assert 0 < shown.view.rank < 10
    bench.worker.stop()


def test_a_stopped_worker_ends_though_wishes_wait(bench: Bench) -> None:
    release = bench.hold()
    bench.worker.go(1_000_000)
    bench.worker.stop()
    release.set()
    bench.worker._thread.join(PATIENCE_S)
    assert not bench.worker._thread.is_alive()

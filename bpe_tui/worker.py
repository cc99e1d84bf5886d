"""The worker: one thread that owns the run, moves it in slices, and hands immutable views to the screen.

The screen tells its wishes (a rank to go to, a window to show, a job to do) and never waits; the newest wish replaces
an older one. What happened comes back as events; the next view is built once the screen says that it has drawn the
last one, so that a slow terminal gets fewer views and not old ones.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bpe_tui.faults import FAULTS, fault_words
from bpe_tui.run import Run
from bpe_tui.views.request import ViewRequest
from bpe_tui.views.step_view import StepView, build_view
from engine.errors import Refusal

SLICE_S = 0.02
"""How long the run moves before wishes are looked at again."""
VIEW_S = 0.1
"""How long is travelled at least between one view and the next."""
VIEW_SHARE = 3
"""How many times as long as a view takes to build and to draw, so that views eat neither the way nor the keys' time."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The corpus or session is being opened: words, how far it is where that is known, and its first rows.

    The preview is the screen's from here on; the worker does not touch it again.
    """

    words: str
    done: int = 0
    total: int = 0
    preview: Run | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The run is there; wishes are heard from now on. `result` is what the opener says about it."""

    result: object


@dataclass(frozen=True, slots=True)
class Viewed:
    """A new view; `target` is the rank still travelled to, or None when the run stands."""

    view: StepView
    target: int | None


@dataclass(frozen=True, slots=True)
class Done:
    """A job ended; `result` is what it returned."""

    name: str
    result: object


@dataclass(frozen=True, slots=True)
class Refused:
    """Something was refused: `open` for opening, `move` for moving, `view` for a filter, `fault`, or a job's name."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """A fault of the program ended the worker; the screen raises it where it is seen."""

    error: Exception


Event = Opening | Opened | Viewed | Done | Refused | Crashed
Opener = Callable[[Callable[[Opening], None]], tuple[Run, object]]
"""Opens the run, telling its progress; raises a refusal."""
Job = Callable[[Run], object]


class Worker:
    """Runs an opener and then everything that touches the run, in one thread of its own."""

    def __init__(self, opener: Opener, tell: Callable[[Event], None]) -> None:
        self._opener = opener
        self._tell = tell
        self._wake = threading.Condition()
        self._stopped = False
        self._target: int | None = None
        self._request: ViewRequest | None = None
        self._jobs: deque[tuple[str, Job]] = deque()
        self.before_crash: Job | None = None
        """What is done with the run when a fault of the program is about to end the worker."""
        self._unseen = False
        self._seen_at = 0.0
        # A daemon, so that leaving never waits for a slice or a long read.
        self._thread = threading.Thread(target=self._main, name="bpe-tui worker", daemon=True)

    def start(self) -> None:
        """Begin opening."""
        try:
            self._thread.start()
        except RuntimeError:
            self._tell(Refused("open", "the system starts no further thread: end other programs, or raise its limit"))

    @property
    def is_alive(self) -> bool:
        """Whether jobs are still done."""
        return self._thread.is_alive()

    # Wishes, from any thread

    def show(self, request: ViewRequest) -> None:
        """Build this view next."""
        with self._wake:
            self._request = request
            self._wake.notify()

    def go(self, rank: int) -> None:
        """Travel to a rank, learning on the way where needed."""
        with self._wake:
            self._target = rank
            self._wake.notify()

    def cancel(self) -> None:
        """Stay where the run is."""
        with self._wake:
            self._target = None
            self._wake.notify()

    def seen(self) -> None:
        """The last view is drawn."""
        with self._wake:
            self._unseen, self._seen_at = False, time.monotonic()
            self._wake.notify()

    def do(self, name: str, job: Job) -> None:
        """Run a job on the run, after those that wait already."""
        with self._wake:
            self._jobs.append((name, job))
            self._wake.notify()

    def stop(self) -> None:
        """End the thread at the next look at the wishes."""
        with self._wake:
            self._stopped = True
            self._wake.notify()

    # In the thread

    def _main(self) -> None:
        run = None
        try:
            run, result = self._opener(self._tell)
            self._tell(Opened(result))
            _Loop(self, run).serve()
        except Refusal as refusal:
            self._tell(Refused("open", str(refusal)))
        except FAULTS as fault:
            self._tell(Refused("open", fault_words(fault)))
        except Exception as error:
            if run is not None and self.before_crash is not None:
                with suppress(Exception):
                    self.before_crash(run)
            self._tell(Crashed(error))


class _Loop:
    """The worker's thread once the run is open."""

    def __init__(self, worker: Worker, run: Run) -> None:
        self._worker = worker
        self._run = run
        self._shown: ViewRequest | None = None
        self._last: StepView | None = None
        self._shown_rank = -1
        self._shown_target: int | None = None
        self._began = 0.0

    def serve(self) -> None:
        """Work until stopped."""
        worker = self._worker
        while True:
            with worker._wake:
                worker._wake.wait_for(self._has_work)
                if worker._stopped:
                    return
                job = worker._jobs.popleft() if worker._jobs else None
                target, request = worker._target, worker._request
            if job is not None:
                self._do(*job)
            if target is not None:
                self._move(target)
            if request is not None:
                self._view(request)

    def _has_work(self) -> bool:
        worker = self._worker
        return bool(
            worker._stopped
            or worker._jobs
            or worker._target is not None
            or (worker._request is not None and not worker._unseen and self._is_stale(worker._request))
        )

    def _is_stale(self, request: ViewRequest) -> bool:
        return (
            request != self._shown
            or self._run.trainer.rank != self._shown_rank
            or self._shown_target != self._worker._target
        )

    def _do(self, name: str, job: Job) -> None:
        try:
            result = job(self._run)
        except Refusal as refusal:
            self._worker._tell(Refused(name, str(refusal)))
        except FAULTS as fault:
            self._worker._tell(Refused(name, fault_words(fault)))
        else:
            self._worker._tell(Done(name, result))
            self._shown = self._last = None

    def _move(self, target: int) -> None:
        """A slice of the way; the wish ends when it is reached, refused, or when learning has ended short of it."""
        trainer = self._run.trainer
        arrived = True
        try:
            trainer.seek(target, SLICE_S)
            arrived = trainer.rank == (min(target, trainer.learned) if trainer.finished else target)
        except Refusal as refusal:
            self._worker._tell(Refused("move", str(refusal)))
        except FAULTS as fault:
            self._worker._tell(Refused("move", fault_words(fault)))
        if arrived:
            self._shown = None  # the wish has ended, be it where the run stood: the screen must hear of it
            with self._worker._wake:
                if self._worker._target == target:
                    self._worker._target = None

    def _view(self, request: ViewRequest) -> None:
        """Build the view when it is due: at once when the run stands, else from time to time."""
        target, seen, now = self._worker._target, self._worker._seen_at, time.monotonic()
        due = target is None or now >= seen + max(VIEW_S, VIEW_SHARE * (seen - self._began))
        if self._worker._unseen or not due or not self._is_stale(request):
            return
        self._began = now
        self._shown, self._shown_rank, self._shown_target = request, self._run.trainer.rank, target
        try:
            view = build_view(self._run, request, self._last)
        except Refusal as refusal:
            self._worker._tell(Refused("view", str(refusal)))
        except FAULTS as fault:
            self._worker._tell(Refused("fault", fault_words(fault)))
        else:
            self._last, self._worker._unseen = view, True
            self._worker._tell(Viewed(view, target))

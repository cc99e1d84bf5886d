"""Opening: from what the command line asked to a run, in the worker's thread, telling its progress."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bpe_tui.request import OpenRequest
from bpe_tui.run import Run
from bpe_tui.views.preview import preview
from bpe_tui.worker import Opener, Opening
from engine.corpus.document import Corpus
from engine.corpus.open import CorpusOptions, open_corpus
from engine.corpus.reading import Reading
from engine.files import Identity, identities, noting_reads, reads_so_far
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.locks import Hold
from sessions.recovery import Recovery
from sessions.restore import corpus_of, restoring
from sessions.snapshot import Session
from sessions.store import load
from sessions.targets import Written, written


@dataclass(frozen=True, slots=True)
class OpenedRun:
    """What the screen must know of a run that was opened.

    Attributes:
        path: where its corpus came from, as the user gave it; `-` for standard input.
        options: how the corpus was read.
        kernel: the kernel asked for.
        receipt: the corpus receipt that the run is bound to, or None.
        session: the session that it goes on from, or None for a new run.
        session_path: that session's file, or None.
        own: that file as it was read, which saving may replace; empty without one.
        hold: says to others that the file is open here; None without a file, or where somebody else has it open.
        read: the files that were read, and the corpus where it lies beside; nothing may be written over them.
        corpus: the corpus, which never changes.
        policy: the run's policy.
        recovery: where this run's recovery snapshots go.
        recoverable: a snapshot that an earlier run of this corpus left behind, and its rank; None without one.
    """

    path: str
    options: CorpusOptions
    kernel: str
    receipt: bytes | None
    session: Session | None
    session_path: str | None
    own: Written
    hold: Hold | None
    read: frozenset[Identity]
    corpus: Corpus
    policy: Policy
    recovery: Recovery
    recoverable: tuple[Path, int] | None


def opener(request: OpenRequest, recovery_folder: Path | None = None) -> Opener:
    """What opens a request; recovery snapshots are kept in the user's state folder unless told otherwise."""

    def open_run(tell: Callable[[Opening], None]) -> tuple[Run, OpenedRun]:
        with noting_reads():
            if request.is_session:
                return _open_session(request, tell, recovery_folder)
            return _open_corpus(request, tell, recovery_folder)

    return open_run


def _open_corpus(request: OpenRequest, tell: Callable[[Opening], None], folder: Path | None) -> tuple[Run, OpenedRun]:
    tell(Opening("reading the corpus"))
    source = Path(request.source) if request.data is None else request.data
    corpus = open_corpus(source, request.options, _reading(request, tell))
    tell(Opening("counting pairs", preview=preview(corpus, request.policy)))

    def counted(done: int, total: int) -> None:
        tell(Opening("counting pieces", done, total))

    trainer = Trainer(
        corpus, request.policy, request.limits, request.kernel, request.memory_limit, counted, request.given
    )
    recovery = Recovery(corpus.sha256, folder)
    return Run.of(trainer), OpenedRun(
        path=request.source,
        options=request.options,
        kernel=request.kernel,
        receipt=request.receipt,
        session=None,
        session_path=None,
        own={},
        hold=None,
        read=reads_so_far() | request.read,
        recoverable=_left_behind(recovery, trainer.policy, None),
        recovery=recovery,
        corpus=corpus,
        policy=trainer.policy,
    )


def _open_session(request: OpenRequest, tell: Callable[[Opening], None], folder: Path | None) -> tuple[Run, OpenedRun]:
    tell(Opening("reading the session"))
    own, hold = written(request.source), _held(request.source)
    session = load(request.source)
    reading = _reading(request, tell)
    given = None if request.corpus is None else open_corpus(Path(request.corpus), session.source.options, reading)
    corpus = corpus_of(session, given, Path(request.source).parent, lambda what: tell(Opening(what)), reading)
    steps = restoring(session, corpus, memory_limit=request.memory_limit, limits=request.file_limits)
    while True:
        try:
            tell(Opening("replaying and checking every merge", *next(steps)))
        except StopIteration as end:
            trainer: Trainer = end.value
            break
    recovery = Recovery(corpus.sha256, folder)
    return Run.of(trainer), OpenedRun(
        path=request.corpus or session.source.path,
        options=session.source.options,
        kernel=session.kernel,
        receipt=session.receipt,
        session=session,
        session_path=request.source,
        own=own,
        hold=hold,
        read=reads_so_far() | request.read | identities(session.source.path),
        recoverable=_left_behind(recovery, trainer.policy, Path(request.source)),
        recovery=recovery,
        corpus=corpus,
        policy=trainer.policy,
    )


def _held(path: str) -> Hold | None:
    try:
        return Hold(path)
    except BlockingIOError:
        return None


def _reading(request: OpenRequest, tell: Callable[[Opening], None]) -> Reading:
    return Reading(
        request.memory_limit,
        lambda done, total: tell(Opening("reading the corpus", done, total)),
        lambda: tell(Opening("waiting for the corpus to be written")),
    )


def _left_behind(recovery: Recovery, policy: Policy, session: Path | None) -> tuple[Path, int] | None:
    """The snapshot of an earlier run under the same policy, and its rank; of a session's only what is newer than it."""
    found = recovery.newest(policy)
    if found is None:
        return None
    path, snapshot = found
    if session is not None and _written_at(path) <= _written_at(session):
        return None
    return path, snapshot.rank


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # gone meanwhile
        return 0

"""One thread at a time in a run, and nobody after a merge that stopped halfway."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

import pytest

from engine.alphabet import Token
from engine.corpus.document import Document, corpus_of
from engine.errors import LimitRefusal, Refusal, RunRefusal
from engine.kernel import has_compiled
from engine.kernel.arena import ArenaKernel
from engine.limits import Limits
from engine.policy import Policy
from engine.trainer import Trainer

KERNELS = ("python", "reference", *(("compiled",) if has_compiled() else ()))
needs_kernel = pytest.mark.skipif(not has_compiled(), reason="the compiled kernel is not built here")
IN_USE = "in use by another thread"
STOPPED = "stopped inside a merge"
MOVES: dict[str, Callable[[Trainer], object]] = {
    "step": lambda t: t.step(),
    "back": lambda t: t.back(),
    "seek": lambda t: t.seek(1),
    "learn": lambda t: t.learn(3),
}
QUESTIONS: dict[str, Callable[[Trainer], object]] = {
    "audit": lambda t: t.audit(),
    "document_tokens": lambda t: t.document_tokens(0),
    "next_pair": lambda t: t.next_pair(),
    "ties": lambda t: t.ties(),
}
KNOWN: dict[str, Callable[[Trainer], object]] = {
    "tokenizer": lambda t: t.tokenizer(1).encode(b"abab"),
    "tokens_at": lambda t: t.tokens_at(1),
}
KERNEL_QUESTIONS: dict[str, Callable[[Trainer], object]] = {
    "count": lambda t: t.kernel.count((97, 98)),
    "frequency": lambda t: t.kernel.frequency(97),
    "live_pairs": lambda t: t.kernel.live_pairs(),
    "mergeable": lambda t: t.kernel.mergeable((97, 98), 2),
    "occurrences": lambda t: t.kernel.occurrences((97, 98), 1),
    "tied": lambda t: t.kernel.tied(2),
    "tokens": lambda t: t.kernel.tokens,
    "top": lambda t: t.kernel.top(1),
    "unit_tokens": lambda t: t.kernel.unit_tokens(0),
}


def trained(kernel: str, merges: int = 2, limits: Limits | None = None) -> Trainer:
    """A run over a text whose first merges are ab, abab and ababc."""
    text = Document("d", b"abababc abab ababc c")
    trainer = Trainer(corpus_of(b"", "t", "text", [text]), Policy(), limits, kernel)
    trainer.seek(merges)
    return trainer


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("call", [*MOVES.values(), *QUESTIONS.values(), *KNOWN.values()])
def test_second_thread_is_refused_in_a_run(kernel: str, call: Callable[[Trainer], object]) -> None:
    trainer = trained(kernel)
    with ThreadPoolExecutor(1) as second, trainer._turn, pytest.raises(RunRefusal, match=IN_USE):
        second.submit(call, trainer).result()
    call(trainer)


@pytest.mark.parametrize("kernel", ["python", "reference"])
@pytest.mark.parametrize("call", [*MOVES.values(), *KERNEL_QUESTIONS.values()])
def test_second_thread_is_refused_in_a_kernel_in_python(kernel: str, call: Callable[[Trainer], object]) -> None:
    trainer = trained(kernel)
    assert isinstance(trainer.kernel, ArenaKernel) or kernel == "reference"
    with ThreadPoolExecutor(1) as second, trainer.kernel._turn, pytest.raises(RunRefusal, match=IN_USE):  # type: ignore[attr-defined]
        second.submit(call, trainer).result()
    call(trainer)


@needs_kernel
@pytest.mark.parametrize("call", [*MOVES.values(), *KERNEL_QUESTIONS.values(), *KNOWN.values()])
def test_compiled_kernel_is_refused_while_it_is_taken(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[Trainer], object]
) -> None:
    trainer = trained("compiled")
    joined = Token.__add__

    def meanwhile(left: Token, right: Token) -> Token:
        with pytest.raises(RunRefusal, match=IN_USE):
            call(trainer)
        return joined(left, right)

    with monkeypatch.context() as patched:
        patched.setattr(Token, "__add__", meanwhile)
        assert trainer.kernel.vocabulary[-1].data == b"abab"  # makes its tokens by adding while it is taken
    call(trainer)


@pytest.mark.parametrize("kernel", KERNELS)
def test_threads_that_meet_leave_exact_counts(kernel: str) -> None:
    chosen = Random(1)
    text = bytes(chosen.choice(b"abcd ") for _ in range(300))
    trainer = Trainer(corpus_of(b"", "t", "text", [Document("d", text)]), Policy(), kernel=kernel)

    def move(seed: int) -> None:
        ranks = Random(seed)
        for _ in range(20):
            with suppress(RunRefusal):
                trainer.kernel.travel(ranks.randrange(12))

    with ThreadPoolExecutor(2) as threads:
        for moved in [threads.submit(move, seed) for seed in (1, 2)]:
            moved.result()
    assert trainer.audit().exact


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("move", MOVES)
def test_run_that_stopped_inside_a_merge_says_so_and_keeps_what_it_learned(
    monkeypatch: pytest.MonkeyPatch, move: str, stop: type[BaseException]
) -> None:
    trainer, whole = trained("python"), trained("python", 3)

    def stopped(*_: object) -> None:
        raise stop

    monkeypatch.setattr(ArenaKernel, "_account", stopped)
    with pytest.raises(stop):
        MOVES[move](trainer)
    monkeypatch.undo()
    for call in [*MOVES.values(), *KERNEL_QUESTIONS.values(), *QUESTIONS.values()]:
        if call is not QUESTIONS["next_pair"]:
            with pytest.raises(RunRefusal, match=STOPPED) as refusal:
                call(trainer)
            assert "\n" not in str(refusal.value)
    assert trainer.merge_list() == whole.merge_list()[: trainer.learned]
    assert list(trainer.kernel.evidence) == list(whole.kernel.evidence)[: trainer.learned]
    assert 0 <= trainer.rank <= trainer.learned
    assert trainer.tokenizer(1).encode(b"abab") == [256, 256]
    assert trainer.tokens_at(2) == whole.tokens_at(2)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("limits", [Limits(token_bytes=3), Limits(vocabulary_bytes=259)])
def test_limit_stops_before_a_merge_and_breaks_nothing(kernel: str, limits: Limits) -> None:
    trainer = trained(kernel, 0, limits)
    for _ in range(2):
        with pytest.raises(LimitRefusal):
            trainer.seek(2)
        assert trainer.rank == 1
        assert trainer.audit().exact
        trainer.seek(0)
        assert trainer.audit().exact


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k != "reference"])
def test_limit_of_the_queue_stops_at_the_same_rank_after_going_back(kernel: str) -> None:
    chosen = Random(1)
    text = bytes(chosen.choice(b"ab") for _ in range(400))
    stopped = 0
    for entries in range(4, 80, 5):
        trainer = Trainer(
            corpus_of(b"", "t", "text", [Document("d", text)]), Policy(), Limits(heap_entries=entries), kernel
        )
        try:
            trainer.seek(30)
        except Refusal as refusal:
            known, message = trainer.merge_list(), str(refusal)
            trainer.seek(0)
            trainer.seek(len(known))
            with pytest.raises(LimitRefusal) as again:
                trainer.seek(30)
            assert (trainer.merge_list(), str(again.value)) == (known, message)
            stopped += len(known) > 0
    assert stopped

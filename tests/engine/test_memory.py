"""Memory is asked for before it is taken."""

import pytest
from runs import corpus

from engine.corpus.document import Document
from engine.counting import count_pieces
from engine.errors import LimitRefusal
from engine.free_memory import free_memory
from engine.kernel import has_compiled
from engine.limits import Limits
from engine.memory import check_memory, kernel_need, within_memory
from engine.policy import Policy
from engine.trainer import Trainer


def test_a_run_that_needs_more_than_the_limit_is_refused_before_it_starts() -> None:
    text = b"ab" * 500
    need = kernel_need("python", 1000, weighted=False)
    assert need == 230_000
    Trainer(corpus(text), Policy(), kernel="python", memory_limit=need)
    with pytest.raises(LimitRefusal, match=r"1,000 base symbols needs about 230 kB of memory, over"):
        Trainer(corpus(text), Policy(), kernel="python", memory_limit=need - 1)


def test_without_a_limit_three_quarters_of_what_is_free_bound_it() -> None:
    free = free_memory()
    if free is None:
        pytest.skip("this system does not tell its free memory")
    check_memory(free // 2, None, "this")
    with pytest.raises(LimitRefusal, match="raise it with --memory-limit"):
        check_memory(2 * free, None, "this")


def test_weights_take_room() -> None:
    assert kernel_need("compiled", 100, weighted=True) > kernel_need("compiled", 100, weighted=False)


@pytest.mark.parametrize("kernel", [name for name in ("compiled", "python") if name == "python" or has_compiled()])
def test_what_learning_adds_counts_too(kernel: str) -> None:
    text = bytes(range(256)) * 4  # 128 tokens of two bytes, then 64 of four, then 32 of eight
    need = kernel_need(kernel, len(text), weighted=False)
    trainer = Trainer(corpus(text), Policy(min_count=1), kernel=kernel, memory_limit=need + 3 * 1_000)
    with pytest.raises(LimitRefusal, match=r"needs 1008, over the 1000 that the memory limit leaves; .*--memory-limit"):
        trainer.learn(10_000)
    assert trainer.learned == 128 + 64 + (1_000 - 3 * 256) // 8
    assert trainer.audit().exact


def test_a_limit_that_was_asked_for_stays_its_own() -> None:
    limits = Limits(vocabulary_bytes=300)
    assert within_memory(limits, 10**9) is limits
    lowered = within_memory(limits, 0)
    assert (lowered.vocabulary_bytes, lowered.nodes) == (256, limits.nodes)


@pytest.mark.parametrize("boundary", ["gpt2", "pattern:\\S+"])
def test_pieces_are_counted_within_the_limit(boundary: str) -> None:
    text = b"".join(b"%d " % n for n in range(20_000))
    with pytest.raises(LimitRefusal, match=r"distinct pieces and more needs about .*, over the limit of 2\.?0* MB"):
        count_pieces([Document("d", text)], Policy(boundary=boundary), memory_limit=2 * 10**6)


def test_whole_documents_are_refused_before_they_are_read() -> None:
    with pytest.raises(LimitRefusal, match=r"training on 1,000 bytes of whole documents needs about"):
        Trainer(corpus(b"ab" * 500), Policy(), memory_limit=100)

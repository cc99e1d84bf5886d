"""Memory is asked for before it is taken."""

import pytest
from runs import corpus

from engine.errors import LimitRefusal
from engine.memory import check_memory, free_memory, kernel_need
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

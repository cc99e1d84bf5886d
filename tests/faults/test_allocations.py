"""Every allocation of an operation fails once: then all is whole, or what broke says so, which the programs assert."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.kernel import has_compiled
from engine.tokenizer import has_compiled as has_encoder

HERE = Path(__file__).parent
Starved = Callable[..., tuple[int, int]]
needs_kernel = pytest.mark.skipif(not has_compiled(), reason="the compiled kernel is not built here")
needs_encoder = pytest.mark.skipif(not has_encoder(), reason="the compiled parts are not built here")
ONCE_OR_FROM_THERE_ON = pytest.mark.parametrize("lasts", ["0", "1"])
RULES = (
    "tie_break=smallest-ids", "tie_break=largest-bytes", "tie_break=largest-symbols", "tie_break=smallest-symbols",
    "tie_break=shortest-then-smallest-joined", "counting=non-overlapping", "boundary=gpt2",
)  # fmt: skip


@pytest.fixture(scope="session")
def nomemory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, built where there is the C library that it stands in front of."""
    compiler = shutil.which("cc")
    if platform.libc_ver()[0] != "glibc" or compiler is None:
        pytest.skip("needs the GNU C library and a C compiler")
    library = tmp_path_factory.mktemp("nomemory") / "nomemory.so"
    source = HERE / "nomemory.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-ftls-model=initial-exec", "-o", library, source], check=True)
    return library


@pytest.fixture
def starved(nomemory: Path) -> Starved:
    """Runs a program of this folder; returns the rounds, and the rounds after which a run or table said that it ended.

    With `every_object` each of Python's objects is an allocation of its own, else only large ones and those of compiled
    parts are.
    """

    def run(program: str, *arguments: str, every_object: bool = False) -> tuple[int, int]:
        environment = os.environ | {"LD_PRELOAD": str(nomemory), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        environment["PYTHONMALLOC"] = "malloc" if every_object else "pymalloc"
        done = subprocess.run(
            [sys.executable, HERE / program, *arguments], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-2000:]
        rounds, ends = map(int, done.stdout.split())
        return rounds, ends

    return run


@needs_kernel
@pytest.mark.parametrize("rule", RULES)
def test_compiled_kernel_learns_as_if_nothing_had_failed(starved: Starved, rule: str) -> None:
    rounds, ends = starved("memory_runs.py", "0", "compiled", "learn", "many-pairs", "40", rule)
    assert rounds > 20
    assert ends == 0


@needs_kernel
@ONCE_OR_FROM_THERE_ON
@pytest.mark.parametrize("operation", ["learn", "ask"])
def test_large_counts_and_moving_ties(starved: Starved, lasts: str, operation: str) -> None:
    rounds, ends = starved("memory_runs.py", lasts, "compiled", operation, "small", "20", "tie_break=first-seen")
    assert rounds > 10
    assert ends == 0


@needs_kernel
@pytest.mark.parametrize("operation", ["build", "learn", "travel", "ask"])
def test_each_object_of_a_compiled_run(starved: Starved, operation: str) -> None:
    rounds, ends = starved("memory_runs.py", "0", "compiled", operation, "small", "3", every_object=True)
    assert rounds > 4
    assert ends == 0


@pytest.mark.parametrize("kernel", ["python", "reference"])
@pytest.mark.parametrize("operation", ["learn", "travel"])
def test_a_kernel_in_python_goes_on_or_says_that_it_ended(starved: Starved, kernel: str, operation: str) -> None:
    rounds, ends = starved("memory_runs.py", "0", kernel, operation, "small", "3", every_object=True)
    assert 0 < ends < rounds


@pytest.mark.parametrize("kernel", ["python", "reference"])
@pytest.mark.parametrize("operation", ["build", "ask"])
def test_questions_end_no_run(starved: Starved, kernel: str, operation: str) -> None:
    rounds, ends = starved("memory_runs.py", "0", kernel, operation, "small", "3", every_object=True)
    assert rounds > 100
    assert ends == 0


@needs_encoder
@ONCE_OR_FROM_THERE_ON
@pytest.mark.parametrize("case", ["count", "merge-counts"])
def test_counts_are_whole_or_refused(starved: Starved, lasts: str, case: str) -> None:
    rounds, ends = starved("memory_parts.py", lasts, case)
    assert 0 < ends <= rounds


@needs_encoder
@ONCE_OR_FROM_THERE_ON
@pytest.mark.parametrize("case", ["index", "encode", "batch"])
def test_encoding_and_lookup_work_again(starved: Starved, lasts: str, case: str) -> None:
    rounds, ends = starved("memory_parts.py", lasts, case)
    assert rounds > 10
    assert ends == 0


@pytest.mark.parametrize("case", ["open", "load", "save"])
def test_files_are_read_and_saved_whole_or_not_at_all(starved: Starved, tmp_path: Path, case: str) -> None:
    rounds, ends = starved("memory_files.py", str(tmp_path), case, every_object=True)
    assert rounds > 100
    assert ends == 0

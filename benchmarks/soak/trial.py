"""One try at the program: it succeeds, or refuses in one printable line, in little time and memory, or is bad."""

import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from types import FrameType

from engine.errors import Refusal

MOST_S = 10.0
"""Seconds that reading a hostile file may take."""
MOST_MEMORY = 200_000_000
"""Bytes that reading it may take besides ten times its size."""
ADDRESS_SPACE = 1 << 30
"""Bytes of addresses that a try gets: what asks for more shall not take the machine."""
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TooLong(BaseException):
    """The time is over; no `Exception`, so that nothing on the way takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a try ended.

    Attributes:
        refused: whether it was refused.
        bad: what was wrong with it, empty if nothing was.
        seconds: what it took.
        memory: bytes by which the process was larger meanwhile, at most.
    """

    refused: bool
    bad: str
    seconds: float
    memory: int


def tried(work: Callable[[], object], size: int, most_s: float | None = MOST_S) -> Outcome:
    """Run some work on a hostile input.

    Args:
        work: reads it and uses what was read.
        size: the input's bytes, which the memory is measured by.
        most_s: seconds it may take; None for no bound.
    """
    _RESET.write_text("5")  # the kernel forgets the largest size so far
    before, start = _kilobytes("VmRSS"), perf_counter()
    refused, bad = False, ""
    try:
        with _address_space(ADDRESS_SPACE + 10 * size), _alarm(most_s):
            work()
    except Refusal as refusal:
        refused, bad = True, not_one_line(refusal)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        bad = words_of(error)
    seconds, memory = perf_counter() - start, 1024 * (_kilobytes("VmHWM") - before)
    if not bad and memory > MOST_MEMORY + 10 * size:
        bad = "more than 10 times its size and 200 MB of memory"
    return Outcome(refused, bad, seconds, memory)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for a while; in memory, so that millions of files wear no disk."""
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@contextmanager
def refusals_allowed() -> Iterator[None]:
    """Go on after a refusal, if it is one printable line."""
    try:
        yield
    except Refusal as refusal:
        if bad := not_one_line(refusal):
            raise AssertionError(bad) from None


def not_one_line(refusal: Refusal) -> str:
    """What is wrong with a refusal's words; nothing where they are one printable line of readable length."""
    words = str(refusal)
    return "" if words.isprintable() and 0 < len(words) < 3000 else f"a refusal that is no line: {words[:200]!r}"


def words_of(error: BaseException) -> str:
    """An error's name, the two innermost places where it arose, and the beginning of its words."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' < '.join(places[:-3:-1])}: {str(error)[:80]!r}"


@contextmanager
def _address_space(more: int) -> Iterator[None]:
    """Bound the addresses to what is there and some more."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1024 * _kilobytes("VmSize") + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TooLong` after some seconds."""

    def over(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds or 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _kilobytes(name: str) -> int:
    return int(_STATUS.read_text().partition(f"{name}:")[2].split()[0])

"""One thread at a time in a run, and nobody in it any more once a merge has stopped halfway."""

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from engine.errors import LimitRefusal, RunRefusal

BUSY = "this run is in use by another thread: let one thread ask for everything, or give each a trainer of its own"
BROKEN = "this run stopped inside a merge and its counts are not whole: open its session again, or train anew"

P = ParamSpec("P")
R = TypeVar("R")


class Turn:
    """Refuses a second thread, where a lock would make it wait for a state that it did not ask for."""

    def __init__(self) -> None:
        try:
            lock = RLock()
        except RuntimeError:  # what locks say where memory ends
            raise MemoryError from None
        self._acquire, self.release = lock.acquire, lock.release
        self._broken = False

    def take(self) -> None:
        """Begin a turn, inside one of the same thread or by itself, until `release`."""
        if not self._acquire(False):
            raise RunRefusal(BUSY)
        if self._broken:
            self.release()
            raise RunRefusal(BROKEN)

    def __enter__(self) -> None:
        self.take()

    def __exit__(self, *_: object) -> None:
        self.release()

    def whole(self, change: Callable[[], R]) -> R:
        """Make a change that must not stop halfway: whatever stops it is the end, but for a limit, met before it."""
        self.take()
        self._broken = True  # said first, so that no interruption can come in between
        try:
            changed = change()
        except LimitRefusal:
            self._broken = False
            raise
        else:
            self._broken = False
            return changed
        finally:
            self.release()


class TakesTurns(Protocol):
    """Something that one thread at a time may use."""

    _turn: Turn


T = TypeVar("T", bound=TakesTurns)


def alone(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """A method that is refused while another thread is in its object, or once the object is broken."""

    @wraps(method)
    def taking_its_turn(self: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        turn = self._turn
        turn.take()
        try:  # a third of the time of a `with`, which single steps would feel
            return method(self, *args, **kwargs)
        finally:
            turn.release()

    return taking_its_turn

"""What goes with the reading of a corpus: the memory it may take, and who hears how far it is."""

from collections.abc import Callable

from engine.files import Waiting
from engine.memory import check_memory, memory_bound

Tell = Callable[[int, int], object]
"""Hears the bytes read so far and in all, now and then; what it raises ends the reading."""


class Reading:
    """A corpus being read.

    Attributes:
        most: bytes of memory that reading may take.
        waiting: is told when a pipe gives nothing.

    Args:
        memory_limit: the limit of the whole run; three quarters of what is free if None.
        tell: hears the progress.
        waiting: as the attribute.
    """

    def __init__(
        self, memory_limit: int | None = None, tell: Tell | None = None, waiting: Waiting | None = None
    ) -> None:
        self.most = memory_bound(memory_limit)
        self.waiting = waiting
        self._tell = tell

    def check(self, need: int, what: str) -> None:
        """Refuse what needs more memory than there may be.

        Raises:
            LimitRefusal: with the need, the limit and the way out.
        """
        check_memory(need, self.most, what, "take a smaller corpus")

    def at(self, done: int, total: int) -> None:
        """Tell how far it is."""
        if self._tell is not None:
            self._tell(done, total)

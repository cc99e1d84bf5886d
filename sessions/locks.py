"""Locks between programs that work on the same files: they go with their holder, however it ends.

They are the system's `flock` on the file itself, so that nothing is left behind. Where the system has none (Windows,
some network file systems) nobody is held up, and `sessions.atomic` still finds what changed.
"""

import contextlib
import errno
import os
import time
from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # Windows; there an open file can be neither replaced nor removed
    fcntl = None  # type: ignore[assignment]

HAVE_LOCKS = fcntl is not None
PATIENCE_S, AGAIN_S = 10.0, 0.01


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file or folder, and keep it until it is closed.

    Locks are held for moments; whoever holds one longer than `PATIENCE_S` is passed over.
    """
    if fcntl is None:
        return
    end = time.monotonic() + PATIENCE_S
    with contextlib.suppress(OSError):  # no locks here
        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    return None
                time.sleep(AGAIN_S)


@contextlib.contextmanager
def lock_at_once(path: str | os.PathLike[str]) -> Iterator[int]:
    """A file open for reading, with its lock.

    Raises:
        BlockingIOError: when somebody else holds the lock.
        OSError: when it cannot be opened, or not be locked at all.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        if fcntl is None:
            raise OSError(errno.ENOTSUP, "no locks here")
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    finally:
        os.close(descriptor)


class Hold:
    """Says that a file is open here, as long as it is not let go; whoever else asks for it is refused.

    A file that takes the name later is another file: it must be held anew.

    Args:
        path: the file.

    Raises:
        BlockingIOError: when another program, or another part of this one, holds it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lock = contextlib.ExitStack()
        try:
            self._lock.enter_context(lock_at_once(path))
        except BlockingIOError:
            raise
        except OSError:  # it is gone, or there are no locks here
            pass

    def let_go(self) -> None:
        """Hold it no longer."""
        self._lock.close()

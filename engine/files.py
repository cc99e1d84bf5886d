"""The one way to open what is read: regular files, and pipes where the caller takes them; devices never.

Reading is bounded as it goes on, and takes no more memory than there are bytes to read. What is read is noted, however
its path was come by, so that nothing is written over it.
"""

import io
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import BinaryIO, NoReturn

from engine.errors import Refusal
from engine.quoting import quoted

BLOCK = 1 << 20
"""Bytes read at once where the size is not known."""
MARGIN = 160 << 20
"""Bytes of memory that the values of a small file may take; compact files of large vocabularies need most of it."""
WAIT_S = 1.0
"""How long a pipe may be silent before its reader hears of it."""

Path = str | os.PathLike[str]
Waiting = Callable[[], object]
"""Is called, in a thread of its own, when a pipe has given nothing for `WAIT_S`."""

Identity = tuple[int, int]
"""Device and inode of a file, whatever leads to it."""
_reads: ContextVar[set[Identity] | None] = ContextVar("_reads", default=None)

_OTHERS = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFIFO: "it is a pipe",
    stat.S_IFCHR: "it is a device",
    stat.S_IFBLK: "it is a device",
    stat.S_IFSOCK: "it is a socket",
}


def read_file(
    path: Path, most: int, give: str, error: type[Refusal], *, pipes: bool = False, waiting: Waiting | None = None
) -> bytes:
    """A file's content.

    Args:
        path: the file.
        most: bytes it may have.
        give: what to give instead, for the refusal: `a session file`.
        error: the refusal's family.
        pipes: whether a pipe may be read; else only a regular file.
        waiting: is told when a pipe is silent.

    Raises:
        Refusal: of the family `error`, when it cannot be read, is neither file nor pipe, or has more than `most` bytes.
    """
    with open_file(path, give, error, pipes=pipes, waiting=waiting) as file:
        return read_open(file, most, path, give, error)


def read_open(file: BinaryIO, most: int, path: Path, give: str, error: type[Refusal]) -> bytes:
    """What is left of an open file; otherwise as `read_file`."""
    with _refused(path, give, error):
        size = _size(file)
        if size <= most:
            data = file.read(size + 1)
            if len(data) <= size:
                return data
            blocks, total = [data], len(data)  # a pipe, a file of the system's, or one that grows
            while total <= most and (block := file.read(min(BLOCK, most + 1 - total))):
                blocks.append(block)
                total += len(block)
            if total <= most:
                return b"".join(blocks)
    raise error(f"cannot read {quoted(os.fspath(path))}: it has more than {most} bytes; give {give}")


def read_head(path: Path, size: int, give: str, error: type[Refusal]) -> bytes:
    """A regular file's first bytes; refusals as in `read_file`."""
    with _opened(path, give, error) as file, _refused(path, give, error):
        return file.read(size)


@contextmanager
def open_file(
    path: Path, give: str, error: type[Refusal], *, pipes: bool = False, waiting: Waiting | None = None
) -> Iterator[io.BufferedReader]:
    """A file open for reading; arguments and refusals as in `read_file`, which reading may raise too."""
    with _opened(path, give, error, pipes=pipes, waiting=waiting) as file:
        note_read(file.fileno())
        yield file


@contextmanager
def _opened(
    path: Path, give: str, error: type[Refusal], *, pipes: bool = False, waiting: Waiting | None = None
) -> Iterator[io.BufferedReader]:
    with _refused(path, give, error):
        kind = stat.S_IFMT(os.stat(path).st_mode)  # before opening: to open a device may do something
        _check(kind, pipes)
        nonblocking = 0 if kind == stat.S_IFIFO else getattr(os, "O_NONBLOCK", 0)  # it may be a pipe by now
        with telling(waiting if kind == stat.S_IFIFO else None):
            file = os.fdopen(os.open(path, os.O_RDONLY | nonblocking | getattr(os, "O_BINARY", 0)), "rb")
            if kind == stat.S_IFIFO:
                file.peek(1)
    with file:
        with _refused(path, give, error):
            _check(stat.S_IFMT(os.fstat(file.fileno()).st_mode), kind == stat.S_IFIFO)
        yield file


@contextmanager
def noting_reads() -> Iterator[set[Identity]]:
    """Notes the files that this thread reads meanwhile; a look at a file's beginning is none."""
    reads: set[Identity] = set()
    token = _reads.set(reads)
    try:
        yield reads
    finally:
        _reads.reset(token)


def note_read(descriptor: int) -> None:
    """Note that an open file is read."""
    reads = _reads.get()
    if reads is not None:
        status = os.fstat(descriptor)
        reads.add((status.st_dev, status.st_ino))


def note_named(*paths: Path) -> None:
    """Note files that are not read, and stand behind what is: a session's corpus."""
    reads = _reads.get()
    if reads is not None:
        reads |= identities(*paths)


def identities(*paths: Path) -> frozenset[Identity]:
    """The files that paths lead to, of those that lead to any."""
    found = set()
    for path in paths:
        with suppress(OSError, ValueError):
            status = os.stat(path)
            found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def reads_so_far() -> frozenset[Identity]:
    """What was noted until now."""
    return frozenset(_reads.get() or ())


def room(size: int) -> int:
    """Bytes of memory that the values in a file of `size` bytes may take.

    Small values need many times their bytes; honest files have large ones, or are small themselves.
    """
    return 8 * size + MARGIN


def is_regular(path: Path) -> bool:
    """Whether a path leads to a regular file."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _size(file: BinaryIO) -> int:
    """Bytes that a file says it has; 0 for a stream without a descriptor."""
    try:
        return os.fstat(file.fileno()).st_size
    except io.UnsupportedOperation:
        return 0


def _check(kind: int, pipes: bool) -> None:
    if kind != stat.S_IFREG and not (pipes and kind == stat.S_IFIFO):
        raise OSError(0, _OTHERS.get(kind, "it is not a regular file"))


@contextmanager
def telling(waiting: Waiting | None) -> Iterator[None]:
    """Call `waiting` when what is done here takes longer than `WAIT_S`."""
    if waiting is None:
        yield
        return
    timer = threading.Timer(WAIT_S, waiting)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _refused(path: Path, give: str, error: type[Refusal]) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as cause:  # ValueError: a null character in the path
        _refuse(path, cause, give, error)


def _refuse(path: Path, cause: OSError | ValueError, give: str, error: type[Refusal]) -> NoReturn:
    why = (getattr(cause, "strerror", None) or "not a usable path").lower()
    raise error(f"cannot read {quoted(os.fspath(path))}: {why}; give {give}") from None

"""Files that are always whole: whoever reads one sees the old content or the new, whatever happens while writing.

1. The new content goes into a temporary file in the same folder and reaches the disk (fsync).
2. It is read back and compared.
3. It takes the old file's owner and mode.
4. It takes the old file's name in one step (`os.replace`), if the old file is still the one that was agreed on.
5. The folder's entry reaches the disk.

Every file this program writes for its user is written here; `sessions.targets` says which may be.
"""

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.errors import ArtifactRefusal
from engine.files import identities, reads_so_far
from engine.quoting import quoted
from sessions.locks import HAVE_LOCKS, lock, lock_at_once

PREFIX, SUFFIX = ".bpe-tui-", ".tmp"
"""Names of temporary files; their writer holds a lock on them, so that one of a dead writer is known and removed."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one content of a path from another: every write of ours makes a new file, other programs' touch it."""

    device: int
    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> "Stamp | None":
        """The stamp of what a path leads to now; None where nothing is there.

        Raises:
            OSError, ValueError: when it cannot be looked at.
        """
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Anything:
    """Stands for whatever is there."""


ANYTHING: Final = Anything()


class Changed(ArtifactRefusal):
    """A file is not what it was when writing it was agreed on; nothing was written."""


@dataclass(frozen=True, slots=True)
class Content:
    """What to write.

    Attributes:
        path: the file; a symbolic link stays one, what it leads to is written.
        data: its new content.
        seen: the file that may be replaced; None for none at all.
    """

    path: str
    data: bytes
    seen: Stamp | Anything | None = ANYTHING


def write_atomically(path: str | os.PathLike[str], data: bytes, seen: Stamp | Anything | None = ANYTHING) -> Stamp:
    """Make `data` the content of a file, all or nothing; see `write_together`."""
    return write_together([Content(os.fspath(path), data, seen)])[0]


def write_together(contents: Sequence[Content]) -> list[Stamp]:
    """Write files, each all or nothing, and none before every one of them lies on the disk.

    Existing files keep their mode, and their owner where the system allows it.

    Returns:
        The stamp of each file as it was written.

    Raises:
        Changed: when a file is not what the caller has seen.
        ArtifactRefusal: when a file cannot be written; the old one is untouched then.
    """
    with contextlib.ExitStack() as temporaries:
        ready = []
        places: dict[Path, str] = {}
        for content in contents:
            with _refused(content.path):
                target = Path(os.path.realpath(content.path))
                if places.setdefault(target, content.path) != content.path:
                    raise ArtifactRefusal(
                        f"{quoted(content.path)} would be one file with {quoted(places[target])}: give another name"
                    )
                ready.append((content, target, temporaries.enter_context(_temporary(target, content.data))))
        return [_put_in_place(*prepared) for prepared in ready]


@contextlib.contextmanager
def _temporary(target: Path, data: bytes) -> Iterator[Path]:
    """The content in a temporary file beside its target, on the disk and read back; removed unless it was renamed."""
    old = status_of(target)
    sweep(target.parent)
    with contextlib.ExitStack() as undone:
        temporary, descriptor = _created(target.parent, 0o666 if old is None else 0o600, undone)
        if HAVE_LOCKS:  # they last as long as any copy of the descriptor
            undone.callback(_close, os.dup(descriptor))
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if old is not None:
                _dress_like(file.fileno(), temporary, old)
            os.fsync(file.fileno())
        if temporary.read_bytes() != data:
            raise OSError(0, "it does not read back as it was written")
        yield temporary


def _created(folder: Path, mode: int, undone: contextlib.ExitStack) -> tuple[Path, int]:
    """A new temporary file, open and locked; `undone` removes it."""
    while True:
        path = folder / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
        undone.callback(_remove, path)  # before it is made, since making it may fail half-way
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with contextlib.ExitStack() as unlocked:
            unlocked.callback(_close, descriptor)
            lock(descriptor)
            # Between its making and its lock another writer may have taken it for a dead one's.
            if os.fstat(descriptor).st_nlink:
                unlocked.pop_all()
                return path, descriptor


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _close(descriptor: int) -> None:
    try:  # noqa: SIM105 - the other way needs memory, and what stays open keeps its lock
        os.close(descriptor)
    except OSError:
        pass


def _dress_like(descriptor: int, temporary: Path, old: os.stat_result) -> None:
    """Give a new file an old one's owner, where that is allowed, and its mode."""
    if hasattr(os, "fchown"):
        for owner in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, *owner)
                break
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _put_in_place(content: Content, target: Path, temporary: Path) -> Stamp:
    with _refused(content.path), _one_writer(target.parent):
        if not isinstance(content.seen, Anything) and Stamp.of(target) != content.seen:
            raise Changed(
                f"{quoted(content.path)} was changed by another program meanwhile: nothing was written; "
                "save again to decide, or choose another name"
            )
        stamp = Stamp.of(temporary)
        if stamp is None:
            raise OSError(0, "its temporary file was removed by another program")
        os.replace(temporary, target)
        return stamp


_OWN_NAME = re.compile(f"{re.escape(PREFIX)}[0-9a-f]{{16}}{re.escape(SUFFIX)}")


def sweep(folder: Path) -> None:
    """Remove the temporary files that writers who died left in a folder, but for those that are read here."""
    read = reads_so_far()
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _OWN_NAME.fullmatch(entry.name) and entry.is_file() and not identities(entry.path) & read:
                with contextlib.suppress(OSError), lock_at_once(entry.path):
                    os.unlink(entry.path)


def status_of(target: Path) -> os.stat_result | None:
    """What is known of a file that is there already, and may be written; None where there is none, and may be one.

    Raises:
        OSError: when something other than a regular file has this name, a file that is not to be written, or its folder
            is not there.
    """
    try:
        found = target.stat()
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise OSError(0, "its folder is not there") from None
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "it is not a regular file")
    # The mode too, since the superuser has access to everything.
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise OSError(0, "it is read-only")
    return found


@contextlib.contextmanager
def _one_writer(folder: Path) -> Iterator[None]:
    """One writer at a time looks at a folder's files and replaces one; then the folder's entry reaches the disk.

    Where a folder can be neither opened nor locked, the file is whole and in place all the same.
    """
    descriptor = None
    try:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            lock(descriptor)
        yield
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.fsync(descriptor)
    finally:
        if descriptor is not None:
            _close(descriptor)


@contextlib.contextmanager
def _refused(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise not_written(path, error) from None


_WAYS = {
    errno.ENOENT: "make its folder",
    errno.EACCES: "change its permissions",
    errno.EPERM: "change its permissions",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
}
"""What else helps, by the error."""


def not_written(path: str, error: OSError | ValueError) -> ArtifactRefusal:
    """The refusal of a file that cannot be written."""
    why = (getattr(error, "strerror", None) or "not a usable path").lower()
    number = getattr(error, "errno", None)
    more = f", or {_WAYS[number]}" if number in _WAYS else ""
    return ArtifactRefusal(f"cannot write {quoted(path)}: {why}; choose another place or name{more}")

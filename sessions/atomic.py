"""Files that are always whole: whoever reads one sees the old content or the new, whatever happens while writing.

The new content goes into a temporary file in the same folder, reaches the disk (fsync), and takes the old file's
name in one step (`os.replace`); then the folder's entry reaches the disk too. Every file this program writes for its
user is written here.
"""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from engine.errors import ArtifactRefusal
from engine.quoting import quoted

TEMPORARY = ".bpe-tui-{}.tmp"
"""Names of temporary files; one that a killed process left behind may be deleted."""


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Make `data` the content of a file, all or nothing.

    A symbolic link stays one: the file it leads to is written. An existing file keeps its mode.

    Raises:
        ArtifactRefusal: when the file cannot be written; the old one is untouched then.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target)
        temporary = target.parent / TEMPORARY.format(secrets.token_hex(8))
        try:
            _write(temporary, data, mode)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        why = (getattr(error, "strerror", None) or "not a usable path").lower()
        raise ArtifactRefusal(
            f"cannot write {quoted(os.fspath(path))}: {why}; choose another place, or make room there"
        ) from None


def _mode(target: Path) -> int | None:
    """The permission bits of a file that is there already.

    Raises:
        OSError: when something other than a regular file has this name.
    """
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        raise OSError(0, "it is not a regular file")
    return stat.S_IMODE(found)


def _write(temporary: Path, data: bytes, mode: int | None) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with open(descriptor, "wb") as file:
        if mode is not None:
            os.chmod(temporary, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Bring the folder's entry to the disk where the system can; the file is whole and in place either way."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Session files: the only doors between a `Session` and the disk."""

import os
from pathlib import Path

from engine.errors import ArtifactRefusal
from engine.quoting import quoted
from sessions.atomic import ANYTHING, Anything, Stamp, write_atomically
from sessions.codec import MAGIC, MOST_BYTES, is_session, pack, unpack
from sessions.snapshot import Session


def save(path: str | os.PathLike[str], session: Session, seen: Stamp | Anything | None = ANYTHING) -> Stamp:
    """Write a session file, whole or not at all, after it was unpacked once and found equal.

    Args:
        path: the file.
        session: what it is to hold.
        seen: the file that may be replaced.

    Returns:
        The file's stamp.

    Raises:
        ArtifactRefusal: when it cannot be written, or could not be read again; an older file is untouched.
        Changed: when the file is not what was seen.
    """
    data = pack(session)
    if unpack(data, os.fspath(path)) != session:
        raise ArtifactRefusal(f"session {quoted(os.fspath(path))} does not read back as it is: please report this")
    return write_atomically(path, data, seen)


def load(path: str | os.PathLike[str]) -> Session:
    """The session in a file.

    Raises:
        ArtifactRefusal: in one line, when the file cannot be read or is no undamaged session of this version.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ArtifactRefusal(f"cannot read {quoted(name)}: {_why(error)}; give a session file") from None
    return unpack(data, name)


def holds_session(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a file that claims to be a session; False for what cannot be read."""
    try:
        if not Path(path).is_file():  # a pipe could wait for ever, and what is read from it would be lost
            return False
        with open(path, "rb") as file:
            return is_session(file.read(len(MAGIC)))
    except (OSError, ValueError):
        return False


def _why(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or "not a usable path").lower()

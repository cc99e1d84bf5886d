"""Session files: the only doors between a `Session` and the disk."""

import os

from engine.errors import ArtifactRefusal
from engine.files import note_named, open_file, read_head, read_open
from engine.quoting import quoted
from sessions.atomic import ANYTHING, Anything, Stamp, write_atomically
from sessions.codec import MAGIC, MOST_BYTES, is_session, pack, unpack
from sessions.snapshot import Session

_GIVE = "a session file"


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
    with open_file(path, _GIVE, ArtifactRefusal) as file:
        head = file.peek(len(MAGIC))  # a film is no session, which its first bytes tell
        data = read_open(file, MOST_BYTES, path, _GIVE, ArtifactRefusal) if is_session(head) else head[: len(MAGIC)]
    session = unpack(data, os.fspath(path))
    source = session.source.path
    note_named(source, os.path.join(os.path.dirname(path), os.path.basename(source)))
    return session


def holds_session(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a file that claims to be a session; False for what cannot be read."""
    try:
        return is_session(read_head(path, len(MAGIC), _GIVE, ArtifactRefusal))
    except ArtifactRefusal:
        return False

"""Which files may be written: the one decision of every command and every dialog."""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from engine.corpus.folder import SNIFFED_BYTES
from engine.corpus.open import NO_SPLIT
from engine.corpus.split import find_manifest
from engine.errors import ArtifactRefusal
from engine.quoting import quoted
from sessions.atomic import Anything, Stamp, not_written, status_of
from sessions.snapshot import Session

Written = Mapping[str, Stamp]
"""The files that are this run's own, by their real paths, as it read or wrote them last."""


class State(Enum):
    """What writing a path would do."""

    FREE = "nothing is there"
    OWN = "it replaces what this run wrote"
    THERE = "it replaces a file that this run knows nothing of"
    CHANGED = "it replaces what another program wrote after this run read or wrote the file"


@dataclass(frozen=True, slots=True)
class Target:
    """A path that may be written, and what lies there now.

    Attributes:
        path: as the user gave it.
        state: what writing would do.
        seen: the file that may be replaced when it is written; None where there is none.
    """

    path: str
    state: State
    seen: Stamp | Anything | None


def corpus_files(corpus: str, split: str | None) -> tuple[str, ...]:
    """The files that are read for a corpus: itself, and its split manifest, given or found beside it."""
    if split == NO_SPLIT:
        return (corpus,)
    manifest = split if split is not None else find_manifest(Path(corpus))
    return (corpus,) if manifest is None else (corpus, str(manifest))


def session_files(path: str, session: Session, moved: str | None) -> tuple[str, ...]:
    """The files that are read for a session: itself, and its corpus where it is or was."""
    source = session.source
    corpus = source.path if moved is None else moved
    beside = os.path.join(os.path.dirname(path), os.path.basename(corpus))
    return path, beside, *corpus_files(corpus, source.options.split)


def written(path: str) -> Written:
    """A path alone, as it is now, as this run's own; nothing where nothing is there."""
    try:
        stamp = Stamp.of(path)
    except (OSError, ValueError):  # opening it says why
        return {}
    return {} if stamp is None else {os.path.realpath(path): stamp}


def target_of(path: str, inputs: Iterable[str | None] = (), own: Written | None = None) -> Target:
    """What writing a path would do.

    Args:
        path: where to write.
        inputs: files and folders that are read; a folder stands for the text files in it. None is passed over.
        own: this run's own files.

    Raises:
        ArtifactRefusal: for a file that is read, or a path that cannot be written as far as that is known before.
    """
    try:
        real, seen = os.path.realpath(path), Stamp.of(path)
        status_of(Path(real))
    except (OSError, ValueError) as error:
        raise not_written(path, error) from None
    known = (own or {}).get(real)
    if seen is None:
        return Target(path, State.FREE if known is None else State.CHANGED, None)
    if known is None:
        for read in inputs:
            if read is not None and _is_read(real, read):
                raise ArtifactRefusal(f"{quoted(path)} is what is read here: write to another file")
        return Target(path, State.THERE, seen)
    return Target(path, State.OWN if known == seen else State.CHANGED, seen)


def _is_read(target: str, read: str) -> bool:
    """Whether writing a file that is there would change what is read from a path."""
    try:
        if not os.path.isdir(read):
            return os.path.samefile(read, target)
        folder = os.path.realpath(read)
        return os.path.commonpath((folder, target)) == folder and _is_text(target)
    except (OSError, ValueError):  # nothing to read there
        return False


def _is_text(path: str) -> bool:
    if not stat.S_ISREG(os.stat(path).st_mode):
        return False
    with open(path, "rb") as file:
        return b"\0" not in file.read(SNIFFED_BYTES)

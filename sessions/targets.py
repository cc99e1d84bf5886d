"""Which files may be written: the one decision of every command and every dialog."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from engine.errors import ArtifactRefusal
from engine.files import Identity
from engine.quoting import quoted
from sessions.atomic import Anything, Stamp, not_written, status_of

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


def written(path: str) -> Written:
    """A path alone, as it is now, as this run's own; nothing where nothing is there."""
    try:
        stamp = Stamp.of(path)
    except (OSError, ValueError):  # opening it says why
        return {}
    return {} if stamp is None else {os.path.realpath(path): stamp}


def target_of(path: str, read: Collection[Identity] = (), own: Written | None = None) -> Target:
    """What writing a path would do.

    Args:
        path: where to write.
        read: the files that this run has read.
        own: of those, the ones that it may replace.

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
    if known is not None:
        return Target(path, State.OWN if known == seen else State.CHANGED, seen)
    if (seen.device, seen.inode) in read:
        raise ArtifactRefusal(f"{quoted(path)} is what is read here: write to another file")
    return Target(path, State.THERE, seen)

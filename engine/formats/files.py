"""How a format's file comes in, and the refusals that name it."""

from pathlib import Path
from typing import NoReturn

from engine import files
from engine.errors import FormatRefusal
from engine.quoting import quoted

MOST_BYTES = 1 << 26
"""Bytes of the largest file that is read; the vocabularies that libraries ship have under 40 million."""
HEAD = 1 << 16
"""Bytes that tell a format."""
ID_DIGITS = 10
"""Digits of the highest id, 2^32 - 1."""
_GIVE = "a tokenizer file"


def read_file(path: Path) -> bytes:
    """A file's content.

    Raises:
        FormatRefusal: when it is no regular file, cannot be read, or has more than `MOST_BYTES`.
    """
    return files.read_file(path, MOST_BYTES, _GIVE, FormatRefusal)


def read_head(path: Path) -> bytes:
    """The first bytes that tell a file's format; refusals as in `read_file`."""
    return files.read_head(path, HEAD, _GIVE, FormatRefusal)


def refuse(path: Path, why: str) -> NoReturn:
    """Refuse a file.

    Raises:
        FormatRefusal: always, naming the file.
    """
    raise FormatRefusal(f"{quoted(str(path))}: {why}")

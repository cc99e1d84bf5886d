"""How a format's file comes in: regular files of a bounded size, and refusals that name them."""

from pathlib import Path
from typing import NoReturn

from engine.errors import FormatRefusal
from engine.limits import UNBOUNDED, Limits
from engine.quoting import quoted

MOST_BYTES = 1 << 26
"""Bytes of the largest file that is read; the vocabularies that libraries ship have under 40 million."""
HEAD = 1 << 16
"""Bytes that tell a format."""
MOST_TOKEN_BYTES = 1 << 28
"""Bytes of all tokens where a file names them by ids: each of forty short lines can double what the last one made."""
ID_DIGITS = 10
"""Digits of the highest id, 2^32 - 1."""


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """A file's content.

    Raises:
        FormatRefusal: when it is no regular file, cannot be read, or has more than `most` bytes.
    """
    data = read_head(path, most + 1)
    if len(data) > most:
        refuse(path, f"it has more than {most} bytes, give a tokenizer file")
    return data


def read_head(path: Path, size: int = HEAD) -> bytes:
    """A file's first bytes; refusals as in `read_file`."""
    try:
        if path.exists() and not path.is_file():  # a pipe could wait for ever
            refuse(path, "it is not a regular file, give a tokenizer file")
        with path.open("rb") as file:
            return file.read(size)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        why = (getattr(error, "strerror", None) or "not a usable path").lower()
        refuse(path, f"it cannot be read ({why}), give a tokenizer file")


def bounded(limits: Limits) -> Limits:
    """Limits with a bound for the tokens' bytes where none was asked for."""
    return limits if limits.vocabulary_bytes != UNBOUNDED else limits.replaced({"vocabulary_bytes": MOST_TOKEN_BYTES})


def refuse(path: Path, why: str) -> NoReturn:
    """Refuse a file.

    Raises:
        FormatRefusal: always, naming the file.
    """
    raise FormatRefusal(f"{quoted(str(path))}: {why}")

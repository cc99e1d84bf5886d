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
MOST_LINES = 525_000
"""Lines, each a merge or a token; the longest published list has 515,000."""
_LINE = 420
"""Bytes of memory for each of them."""
ID_DIGITS = 10
"""Digits of the highest id, 2^32 - 1."""
_GIVE = "a tokenizer file"


def read_file(path: Path) -> bytes:
    """A file's content.

    Raises:
        FormatRefusal: when it is no regular file, cannot be read, or has more than `MOST_BYTES`.
    """
    return files.read_file(path, MOST_BYTES, _GIVE, FormatRefusal)


def read_lines(path: Path, most: int = MOST_LINES) -> bytes:
    """The content of a file with one merge, or one token, a line; refusals as in `read_file`, and for too many lines.

    Each of them becomes bytes, a pair and an entry of several tables.
    """
    data = read_file(path)
    require_few_lines(data, str(path), most)
    return data


def require_few_lines(data: bytes, name: str, most: int = MOST_LINES) -> None:
    """Refuse a file, called `name`, with more lines than become a list in little memory and time.

    Raises:
        FormatRefusal: with the number and the most.
    """
    lines, most = data.count(b"\n"), min(most, files.room(len(data)) // _LINE)
    if lines > most:
        raise FormatRefusal(f"{quoted(name)}: it has {lines} lines: at most {most} are read from a file of its size")


def read_head(path: Path) -> bytes:
    """The first bytes that tell a file's format; refusals as in `read_file`."""
    return files.read_head(path, HEAD, _GIVE, FormatRefusal)


def refuse(path: Path, why: str) -> NoReturn:
    """Refuse a file.

    Raises:
        FormatRefusal: always, naming the file.
    """
    raise FormatRefusal(f"{quoted(str(path))}: {why}")

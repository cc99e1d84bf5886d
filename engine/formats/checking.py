"""Whether what was written reads back as it was: by content and ids, since a file may number its base tokens anew."""

import tempfile
from pathlib import Path

from engine.alphabet import Token
from engine.errors import FormatRefusal
from engine.formats.base import FileFormat, Files
from engine.formats.files import MOST_BYTES
from engine.limits import UNLIMITED, Limits
from engine.merge_list import MergeList
from engine.quoting import quoted


def written(format: FileFormat, merges: MergeList, limits: Limits = UNLIMITED) -> Files:
    """The files of a merge list in a format, read from a folder of their own and compared before they are given.

    Raises:
        FormatRefusal: for a format that is only read, for what it cannot express, where it reads back otherwise, or
            when there is no room to try.
    """
    if format.write is None or format.read is None:
        raise FormatRefusal(f"{format.name} is read here, not written: choose another format")
    files = format.write(merges)
    size = max(map(len, files.values()))
    if size > MOST_BYTES:
        raise FormatRefusal(f"{format.name} needs {size} bytes for this list, and at most {MOST_BYTES} are read back")
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, data in files.items():
                (Path(folder) / (name or format.name)).write_bytes(data)
            found = format.read(Path(folder) / format.name if "" in files else Path(folder), limits)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise FormatRefusal(f"{format.name} cannot be checked: no temporary file there ({why}); make room") from None
    at = difference(merges, found, ids=format.has_ids)
    if at is not None:
        raise FormatRefusal(f"{format.name} cannot hold this list: {at} reads back otherwise; nothing was written")
    return files


def difference(wanted: MergeList, found: MergeList, *, ids: bool) -> str | None:
    """Where two lists part, in words; None where they are equal.

    Args:
        wanted: one list.
        found: the other.
        ids: whether base tokens and ids count as well.
    """
    if ids:
        if _base(wanted) != _base(found):
            return "the base tokens or their ids"
        if sorted(wanted.orphans) != sorted(found.orphans):
            return "the entries that no merge makes"
    for rank, (ours, theirs) in enumerate(zip(_merges(wanted), _merges(found), strict=False)):
        if ours[: 2 + ids] != theirs[: 2 + ids]:
            return f"rank {rank}, {quoted(ours[0].symbol)} and {quoted(ours[1].symbol)},"
    return None if len(wanted.pairs) == len(found.pairs) else f"the number of merges, {len(wanted.pairs)},"


def _base(merges: MergeList) -> dict[Token, int]:
    return dict(zip(merges.alphabet, merges.ids, strict=False))


def _merges(merges: MergeList) -> list[tuple[Token, Token, int]]:
    """The two parts of each rank, and the id that it makes."""
    tokens, base = merges.tokens(), len(merges.alphabet)
    return [(tokens[left], tokens[right], merges.ids[base + r]) for r, (left, right) in enumerate(merges.pairs)]

"""A folder of text files, each a document named by its path inside the folder."""

import hashlib
import os
from collections import Counter
from pathlib import Path

from engine.corpus.document import Corpus, Documents, as_name
from engine.corpus.file_text import Text
from engine.corpus.reading import Reading
from engine.errors import CorpusRefusal
from engine.files import is_regular, open_file, read_head, read_open
from engine.quoting import quoted

SNIFFED_BYTES = 8_000  # as git decides: a NUL byte this near to the start makes a file binary
FILE_BYTES = 400
"""Memory that a file takes beside its content: two objects and a path."""
_READABLE = "a readable one, or move it out of the folder"


def read_folder(folder: Path, name: str, reading: Reading | None = None) -> Corpus:
    """The text files below `folder` as plain text, in the order of their paths' bytes.

    Taken is every regular file, whatever its ending, that is neither hidden, empty nor binary. Links to files
    are followed, links to folders are not, so that no loop can be entered. What was left out is noted.

    Raises:
        CorpusRefusal: if a file or folder cannot be read, or no text is found.
        LimitRefusal: when the texts take more memory than there may be.
    """
    reading = reading or Reading()
    skipped: Counter[str] = Counter()
    ids, texts, size = list[str](), list[Text](), 0
    digest = hashlib.sha256()
    for path in _paths(folder, skipped):
        data = _text(folder / os.fsdecode(path), size + FILE_BYTES * len(texts), reading)
        if not data:
            skipped["empty" if data is not None else "binary"] += 1
            continue
        ids.append(as_name(path))
        texts.append(data)
        size += len(data)
        for part in (path, data):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    if not texts:
        name = quoted(str(folder))
        raise CorpusRefusal(f"folder {name} holds no text file{_left_out(skipped)}; give a folder with some")
    note = f"read {len(texts)} files as plain text, one document each{_left_out(skipped)}"
    return Corpus(name, "folder", Documents(texts, ids), digest.hexdigest(), size, notes=(note,))


def _paths(folder: Path, skipped: Counter[str]) -> list[bytes]:
    """Paths of the files to read, relative to `folder`, with `/` between names, sorted.

    Folders wait on a stack of our own: there may be more of them in each other than functions may call each other.
    """
    found = []
    waiting = [""]
    while waiting:
        parent = waiting.pop()
        for entry in _entries(folder / parent):
            path = f"{parent}/{entry.name}" if parent else entry.name
            if entry.name.startswith("."):
                skipped["hidden"] += 1
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif os.path.isdir(entry.path):
                skipped["linked folder"] += 1
            elif is_regular(entry.path):
                found.append(os.fsencode(path))
            else:
                skipped["not a regular file"] += 1
    return sorted(found)


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(str(folder)) as entries:
            return list(entries)
    except OSError as e:
        why = (e.strerror or "input error").lower()
        raise CorpusRefusal(f"cannot read {quoted(str(folder))}: {why}; give {_READABLE}") from None


def _text(path: Path, held: int, reading: Reading) -> bytes | None:
    """A file's content, None for a binary file's; `held` bytes are taken by the others."""
    if b"\0" in read_head(path, SNIFFED_BYTES, _READABLE, CorpusRefusal):
        return None
    with open_file(path, _READABLE, CorpusRefusal) as file:
        reading.check(held + os.fstat(file.fileno()).st_size, f"reading {quoted(str(path))} and the files before it")
        return read_open(file, reading.most - held, path, "a smaller folder", CorpusRefusal)


def _left_out(skipped: Counter[str]) -> str:
    return f" (left out: {', '.join(f'{n} {why}' for why, n in sorted(skipped.items()))})" if skipped else ""

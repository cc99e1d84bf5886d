"""A folder of text files, each a document named by its path inside the folder."""

import hashlib
import os
from collections import Counter
from pathlib import Path

from engine.corpus.document import Corpus, Document, as_name
from engine.errors import CorpusRefusal
from engine.quoting import quoted

SNIFFED_BYTES = 8_000  # as git decides: a NUL byte this near to the start makes a file binary


def read_folder(folder: Path, name: str) -> Corpus:
    """The text files below `folder` as plain text, in the order of their paths' bytes.

    Taken is every regular file, whatever its ending, that is neither hidden, empty nor binary. Links to files
    are followed, links to folders are not, so that no loop can be entered. What was left out is noted.

    Raises:
        CorpusRefusal: if a file or folder cannot be read, or no text is found.
    """
    skipped: Counter[str] = Counter()
    documents = []
    digest = hashlib.sha256()
    for path in _paths(folder, skipped):
        data = _read(folder / os.fsdecode(path))
        if not data or b"\0" in data[:SNIFFED_BYTES]:
            skipped["binary" if data else "empty"] += 1
            continue
        documents.append(Document(as_name(path), data))
        for part in (path, data):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    if not documents:
        name = quoted(str(folder))
        raise CorpusRefusal(f"folder {name} holds no text file{_left_out(skipped)}; give a folder with some")
    size = sum(len(d.data) for d in documents)
    note = f"read {len(documents)} files as plain text, one document each{_left_out(skipped)}"
    return Corpus(name, "folder", tuple(documents), digest.hexdigest(), size, notes=(note,))


def _paths(folder: Path, skipped: Counter[str]) -> list[bytes]:
    """Paths of the files to read, relative to `folder`, with `/` between names, sorted."""
    found = []
    for parent, folders, files in os.walk(folder, onerror=_refuse):
        for name in folders:
            if name.startswith("."):
                skipped["hidden"] += 1
            elif os.path.islink(os.path.join(parent, name)):
                skipped["linked folder"] += 1
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(parent, name)
            if name.startswith("."):
                skipped["hidden"] += 1
            elif not os.path.isfile(path):
                skipped["not a regular file"] += 1
            else:
                found.append(os.fsencode(path.relative_to(folder).as_posix()))
    return sorted(found)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        _refuse(e)
        raise


def _refuse(error: OSError) -> None:
    where = quoted(os.fsdecode(error.filename or ""))
    raise CorpusRefusal(f"cannot read {where}: {error.strerror}; make it readable, or move it out of the folder")


def _left_out(skipped: Counter[str]) -> str:
    return f" (left out: {', '.join(f'{n} {why}' for why, n in sorted(skipped.items()))})" if skipped else ""

"""The text of a large file, read where it is looked at: it never lies in memory whole."""

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import overload

from engine.errors import CorpusRefusal
from engine.files import open_file
from engine.quoting import quoted

BLOCK = 1 << 20
"""Bytes read at once."""


class FileText:
    """As much of `bytes` as a corpus needs: length, slices without steps, finding. Any thread may read.

    Reading and not mapping, so that a file cut short by somebody else is a refusal and not the end of the program.

    Args:
        path: a regular file.
        give: what to give instead, for the refusal.

    Raises:
        CorpusRefusal: when it cannot be opened; by any read, when the file is no longer what it was.
    """

    def __init__(self, path: Path, give: str = "another file") -> None:
        self._path = path
        self._open = ExitStack()  # as long as the text is used
        self._file = self._open.enter_context(open_file(path, give, CorpusRefusal))
        self._one_at_a_time = threading.Lock()
        self._state = self._stamp()
        self._size = self._state[0]

    def _stamp(self) -> tuple[int, int]:
        status = os.fstat(self._file.fileno())
        return status.st_size, status.st_mtime_ns

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> bytes: ...

    def __getitem__(self, at: int | slice) -> int | bytes:
        if isinstance(at, slice):
            return self._read(*at.indices(self._size)[:2])
        start = range(self._size)[at]
        return self._read(start, start + 1)[0]

    def _read(self, start: int, stop: int) -> bytes:
        size = max(stop - start, 0)
        with self._one_at_a_time:
            self._file.seek(start)
            data = self._file.read(size)
        if len(data) < size or self._stamp() != self._state:
            raise CorpusRefusal(f"{quoted(str(self._path))} changed while it was open: open it again")
        return data

    def find(self, part: bytes, start: int = 0, stop: int | None = None) -> int:
        """The first place of some bytes within a range, or -1."""
        stop = self._size if stop is None else min(stop, self._size)
        for at in range(start, stop, BLOCK):
            found = self[at : min(at + BLOCK + len(part) - 1, stop)].find(part)
            if found >= 0:
                return at + found
        return -1

    def rfind(self, part: bytes, start: int = 0, stop: int | None = None) -> int:
        """The last place of some bytes within a range, or -1."""
        stop = self._size if stop is None else min(stop, self._size)
        for at in reversed(range(start, stop, BLOCK)):
            found = self[at : min(at + BLOCK + len(part) - 1, stop)].rfind(part)
            if found >= 0:
                return at + found
        return -1

    def blocks(self) -> Iterator[bytes]:
        """All bytes, a block at a time."""
        for at in range(0, self._size, BLOCK):
            yield self[at : at + BLOCK]

    def sha256(self) -> str:
        """The SHA-256 (hex) of all bytes."""
        digest = hashlib.sha256()
        for block in self.blocks():
            digest.update(block)
        return digest.hexdigest()


Text = bytes | FileText
"""A document's text: in memory, or in a large file; `text[:]` is its bytes in memory."""

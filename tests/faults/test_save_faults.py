"""Every system call of a save fails once, each in turn: the old file or the new one is left, and nothing else."""

import builtins
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import pytest

from engine.errors import ArtifactRefusal
from sessions.atomic import write_atomically

OLD, NEW = b"old " * 1000, b"new " * 50_000
PURE = {"fspath", "strerror", "getpid", "urandom", "get_terminal_size", "register_at_fork", "lstat"}
"""Functions of `os` that cannot fail; and `lstat`, by which links are resolved: what it cannot look at is no link."""
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EACCES", "EPERM", "EROFS", "EMFILE", "ENOMEM")


class Faults:
    """Counts the system calls of what runs under it, and lets one of them fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failing: int, error: int) -> None:
        self.calls: list[str] = []
        self._failing = failing
        self._error = OSError(error, os.strerror(error))
        for name, function in vars(os).items():
            if isinstance(function, BuiltinFunctionType) and not name.startswith("_") and name not in PURE:
                monkeypatch.setattr(os, name, self._counted(name, function))
        for module in (builtins, io):
            monkeypatch.setattr(module, "open", self._opened)
        monkeypatch.setattr(os, "fdopen", self._opened)

    def fails(self, name: str) -> bool:
        """Count a call, and say whether it is the one."""
        self.calls.append(name)
        return len(self.calls) == self._failing

    def fail(self) -> None:
        raise self._error

    def _counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            if not self.fails(name):
                return function(*args, **kwargs)
            if name == "close":  # what cannot be closed properly is closed all the same
                function(*args, **kwargs)
            return self.fail()

        return call

    def _opened(self, file: str | int, mode: str = "r", *_: object, **__: object) -> io.BufferedIOBase:
        assert "b" in mode, "what is saved are bytes"
        raw = File(self, file, mode.replace("b", ""))
        return io.BufferedWriter(raw) if raw.writable() else io.BufferedReader(raw)


class File(io.FileIO):
    """A file whose writing and closing count as system calls; where writing fails, half was written."""

    def __init__(self, faults: Faults, file: str | int, mode: str) -> None:
        if isinstance(file, str | os.PathLike) and faults.fails("open"):
            faults.fail()
        super().__init__(file, mode)
        self._faults = faults

    def write(self, data: Any) -> int:  # noqa: ANN401
        if self._faults.fails("write"):
            super().write(bytes(data)[: len(data) // 2])
            self._faults.fail()
        return super().write(data)

    def close(self) -> None:
        closing = not self.closed
        super().close()
        if closing and self._faults.fails("close file"):
            self._faults.fail()


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("there", [True, False], ids=["over a file", "as a new file"])
def test_a_save_of_which_one_call_fails(tmp_path: Path, name: str, there: bool) -> None:
    reached: list[str] = []
    for failing in range(1, 1000):
        folder = tmp_path / str(failing)
        folder.mkdir()
        path = folder / "x.bpes"
        if there:
            path.write_bytes(OLD)
        refusal, calls = saved_with_a_fault(path, failing, getattr(errno, name))
        if len(calls) < failing:
            break
        reached.append(calls[failing - 1])
        found = path.read_bytes() if path.exists() else None
        where = f"call {failing}, {calls[failing - 1]}"
        assert found in (NEW, OLD if there else None), where
        assert found == NEW or refusal, f"{where}: it says that it is done"
        assert refusal.isprintable(), where
        assert os.listdir(folder) in ([], ["x.bpes"]), where
    assert found == NEW  # of the last round, in which nothing failed
    assert {"open", "write", "close file"} <= set(reached)
    renamed = reached.index("replace")
    assert "fsync" in reached[:renamed]  # of the content
    assert "fsync" in reached[renamed:]  # of the folder


def saved_with_a_fault(path: Path, failing: int, error: int) -> tuple[str, list[str]]:
    """Save once: the refusal, empty if there was none, and the system calls."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        faults = Faults(monkeypatch, failing, error)
        try:
            write_atomically(path, NEW)
        except ArtifactRefusal as refusal:
            return str(refusal), faults.calls
        return "", faults.calls

"""Recovery snapshots are found by their corpus, newest first, and go when the work is safe."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from session_samples import session_of

from engine.errors import ArtifactRefusal
from sessions.locks import Hold
from sessions.recovery import Recovery, default_folder
from sessions.store import save

SHA = "ab" * 32


def test_write_find_drop(tmp_path: Path) -> None:
    recovery = Recovery(SHA, tmp_path / "state" / "recovery")
    assert recovery.newest(session_of().policy) is None
    recovery.write(session_of())
    recovery.write(replace(session_of(), rank=1))
    later = Recovery(SHA, recovery.folder)
    assert later.path != recovery.path, "a later program may have the same process id"
    assert later.newest(session_of().policy) is None, "its program still runs"
    recovery.let_go()
    assert later.newest(session_of().policy) == (recovery.path, replace(session_of(), rank=1))
    assert os.listdir(recovery.folder) == [recovery.path.name]
    assert recovery.folder.stat().st_mode & 0o077 == 0, "nobody else reads what a user typed"
    recovery.drop()
    assert later.newest(session_of().policy) is None
    recovery.drop()


def test_another_corpus_has_its_own(tmp_path: Path) -> None:
    Recovery(SHA, tmp_path).write(session_of())
    assert Recovery("cd" * 32, tmp_path).newest(session_of().policy) is None


def test_the_newest_undamaged_one_of_a_run_that_died_is_taken_over(tmp_path: Path) -> None:
    recovery = Recovery(SHA, tmp_path)
    paths = [tmp_path / f"{SHA}-{pid}-abcd.bpes" for pid in _ended(3)]
    for rank, path in enumerate(paths):
        save(path, replace(session_of(), rank=rank))
        os.utime(path, ns=(rank * 10**9, rank * 10**9))
    paths[2].write_bytes(paths[2].read_bytes()[:-1])
    os.utime(paths[2], ns=(9 * 10**9, 9 * 10**9))
    found = recovery.newest(session_of().policy)
    assert found is not None
    assert found[0] == paths[1]
    assert found[1].rank == 1
    recovery.write(found[1])
    recovery.drop(found[0])
    assert sorted(os.listdir(tmp_path)) == sorted(p.name for p in (paths[0], paths[2]))


def test_only_snapshots_of_the_same_policy_whose_program_has_ended(tmp_path: Path) -> None:
    recovery = Recovery(SHA, tmp_path)
    (ended,) = _ended(1)
    left = tmp_path / f"{SHA}-{ended}-abcd.bpes"
    save(left, session_of())
    holder = Hold(left)
    assert recovery.newest(session_of().policy) is None, "its program still runs, whatever the number says"
    holder.let_go()
    assert recovery.newest(session_of().policy) is not None
    assert recovery.newest(session_of().policy.changed(min_count=2)) is None


def test_where_nothing_can_be_held_the_process_id_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.locks.fcntl", None)
    recovery = Recovery(SHA, tmp_path)
    save(tmp_path / f"{SHA}-{os.getppid()}-abcd.bpes", session_of())
    assert recovery.newest(session_of().policy) is None
    (ended,) = _ended(1)
    save(tmp_path / f"{SHA}-{ended}-abcd.bpes", session_of())
    assert recovery.newest(session_of().policy) is not None


def test_a_snapshot_that_cannot_be_removed_is_no_fault_of_the_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recovery = Recovery(SHA, tmp_path)
    recovery.write(session_of())

    def fails(*_: object, **__: object) -> None:
        raise NotADirectoryError(20, "Not a directory")

    monkeypatch.setattr(Path, "unlink", fails)
    recovery.drop(tmp_path / "other")
    assert recovery.path.exists()


def _ended(count: int) -> list[int]:
    """Process ids of programs that have ended."""
    ids = []
    for _ in range(count):
        process = subprocess.Popen([sys.executable, "-c", ""])
        process.wait()
        ids.append(process.pid)
    return ids


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ArtifactRefusal, match="cannot keep a recovery snapshot in"):
        Recovery(SHA, tmp_path / "file" / "recovery").write(session_of())


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "bpe-tui" / "recovery"

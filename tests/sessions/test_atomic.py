"""A file that is being written when its writer is killed, or fails, is the old one or the new one, whole."""

import hashlib
import os
import random
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import ArtifactRefusal
from sessions.atomic import Changed, Content, Stamp, write_atomically, write_together
from sessions.locks import Hold

ROOT = Path(__file__).resolve().parents[2]

CONTENT = """
import hashlib
def content(n, size):
    body = b"%d " % n * size
    return body + hashlib.sha256(body).hexdigest().encode()
"""

SAVE_FOR_EVER = f"""{CONTENT}
import sys
from sessions.atomic import write_atomically
path, size = sys.argv[1], int(sys.argv[2])
n = 0
while True:
    n += 1
    data = content(n, size)
    print(n, flush=True)
    write_atomically(path, data)
"""

DIE_AT = f"""{CONTENT}
import os, sys
from sessions.atomic import write_atomically
path, name, call, when = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
original, calls = getattr(os, name), 0
def dying(*args, **kwargs):
    global calls
    calls += 1
    if calls == call and when == "before":
        os._exit(9)
    result = original(*args, **kwargs)
    if calls == call:
        os._exit(9)
    return result
setattr(os, name, dying)
write_atomically(path, content(2, 1000))
"""


def number(data: bytes) -> int:
    """The number that a whole content repeats."""
    body, digest = data[:-64], data[-64:]
    assert hashlib.sha256(body).hexdigest().encode() == digest, "the file is not whole"
    return int(body.split()[0])


def whole(n: int, size: int) -> bytes:
    body = b"%d " % n * size
    return body + hashlib.sha256(body).hexdigest().encode()


def child(script: str, *args: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_a_save_killed_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    draw = random.Random(4)
    path = tmp_path / "x.bpes"
    for round in range(24):
        path.write_bytes(whole(0, 10))
        with child(SAVE_FOR_EVER, path, draw.choice((1, 10_000, 300_000, 2_000_000))) as saver:
            assert saver.stdout is not None
            for _ in range(draw.randint(1, 6)):
                begun = int(saver.stdout.readline())
            saver.kill()
            begun = max(begun, *map(int, saver.stdout.read().split()), 0)
        assert number(path.read_bytes()) in (begun - 1, begun), f"round {round}"


@pytest.mark.parametrize(
    ("name", "call", "when", "left"),
    [
        ("open", 1, "before", 1),
        ("open", 1, "after", 1),
        ("chmod", 1, "before", 1),
        ("chmod", 1, "after", 1),
        ("fsync", 1, "before", 1),
        ("fsync", 1, "after", 1),
        ("open", 2, "before", 1),
        ("open", 2, "after", 1),
        ("replace", 1, "before", 1),
        ("replace", 1, "after", 2),
        ("fsync", 2, "before", 2),
        ("fsync", 2, "after", 2),
        ("close", 1, "after", 2),
    ],
)
def test_death_at_each_step(tmp_path: Path, name: str, call: int, when: str, left: int) -> None:
    path = tmp_path / "x"
    path.write_bytes(whole(1, 10))
    with child(DIE_AT, path, name, call, when) as saver:
        pass
    assert saver.returncode == 9, "the step was never reached"
    assert number(path.read_bytes()) == left


def test_a_full_disk_leaves_the_old_file_and_no_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(ArtifactRefusal, match=r"^cannot write '.*x': file too large; choose another place"):
            write_atomically(path, bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_an_interrupt_leaves_the_old_file_and_no_temporary_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_temporary_files_of_dead_writers_are_swept_and_of_living_ones_are_not(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(whole(1, 10))
    with child(DIE_AT, path, "replace", 1, "before"):
        pass
    (left,) = (name for name in os.listdir(tmp_path) if name != "x")
    living = tmp_path / left.replace(left[9:25], "f" * 16)
    living.write_bytes(b"in the making")
    holder = Hold(living)
    write_atomically(tmp_path / "y", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted((living.name, "x", "y"))
    holder.let_go()
    others = [".bpe-tui-00aa.tmp", f".bpe-tui-{'x' * 16}.tmp"]
    for name in others:
        (tmp_path / name).write_bytes(b"somebody's, by chance of such a name")
    write_atomically(tmp_path / "y", b"newer")
    assert sorted(os.listdir(tmp_path)) == [*others, "x", "y"]


def test_a_file_that_is_not_what_was_seen_is_left(tmp_path: Path) -> None:
    path = tmp_path / "x"
    stamp = write_atomically(path, b"one", None)
    assert Stamp.of(path) == stamp
    stamp = write_atomically(path, b"two", stamp)
    path.write_bytes(b"somebody else's")
    for seen in (stamp, None):
        with pytest.raises(Changed, match=r"x' was changed by another program meanwhile: nothing was written"):
            write_atomically(path, b"three", seen)
    assert path.read_bytes() == b"somebody else's"
    assert os.listdir(tmp_path) == ["x"]


def test_of_several_files_none_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(ArtifactRefusal, match="missing/b"):
        write_together([Content(str(tmp_path / "a"), b"new"), Content(str(tmp_path / "missing/b"), b"new")])
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_read_only_file_is_left_even_by_the_superuser(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(ArtifactRefusal, match=r"^cannot write '.*x': it is read-only; choose another place or name"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_what_does_not_read_back_is_not_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(Path, "read_bytes", lambda self: b"something else")
    with pytest.raises(ArtifactRefusal, match="it does not read back as it was written"):
        write_atomically(tmp_path / "x", b"new")
    monkeypatch.undo()
    assert (tmp_path / "x").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may give files away")
def test_the_owner_stays_where_it_may(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    os.chown(path, 12345, 54321)
    path.chmod(0o664)
    write_atomically(path, b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 54321, 0o664)


def test_mode_and_link_stay(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "target"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to("deep/target")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_atomically(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_that_leads_nowhere_is_filled(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    write_atomically(tmp_path / "link", b"x")
    assert (tmp_path / "later").read_bytes() == b"x"


def test_a_name_of_full_length_can_be_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("n" * 255), b"x")
    assert os.listdir(tmp_path) == ["n" * 255]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing/x", "its folder is not there"),
        ("", "it is not a regular file"),
        ("a\0b", "not a usable path"),
        ("n" * 256, "file name too long"),
        ("pipe", "it is not a regular file"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(tmp_path: Path, name: str, why: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ArtifactRefusal) as refusal:
        write_atomically(f"{tmp_path}/{name}", b"x")
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert os.listdir(tmp_path) == ["pipe"]

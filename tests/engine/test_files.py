"""Reading: regular files of a bounded size, pipes where they are taken, devices never."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.errors import CorpusRefusal
from engine.files import read_file, read_head


def read(path: Path | str, most: int = 100, pipes: bool = False) -> bytes:
    return read_file(path, most, "a text", CorpusRefusal, pipes=pipes)


def test_a_file_of_just_the_most_bytes_is_read_and_one_more_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 100)
    assert read(file) == b"x" * 100
    with pytest.raises(CorpusRefusal, match=r"cannot read '.*a': it has more than 99 bytes; give a text$"):
        read(file, 99)


def test_files_of_the_system_that_tell_no_size_are_read_and_bounded() -> None:
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("no /proc here")
    assert status.stat().st_size == 0
    assert read(status, 1 << 20).startswith(b"Name:")
    with pytest.raises(CorpusRefusal, match="more than 10 bytes"):
        read(status, 10)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/dev/zero", "it is a device"),
        ("/dev/null", "it is a device"),
        ("/", "it is a folder"),
        ("no/such", "no such file or directory"),
        ("a\0b", "not a usable path"),
    ],
)
def test_what_is_no_file_is_refused_by_its_kind(path: str, why: str) -> None:
    with pytest.raises(CorpusRefusal, match=rf"cannot read .*: {why}; give a text$"):
        read(path)
    with pytest.raises(CorpusRefusal, match=why):
        read_head(path, 10, "a text", CorpusRefusal)


def test_a_pipe_is_refused_at_once_or_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(CorpusRefusal, match="it is a pipe; give a text"):
        read(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"y" * 70_000))
    writer.start()
    assert read(pipe, 70_000, pipes=True) == b"y" * 70_000
    writer.join()


def test_whoever_waits_for_a_silent_pipe_is_told(tmp_path: Path) -> None:
    pipe, told = tmp_path / "pipe", threading.Event()
    os.mkfifo(pipe)

    def write_once_told() -> None:
        told.wait()
        pipe.write_bytes(b"late")

    writer = threading.Thread(target=write_once_told)
    writer.start()
    assert read_file(pipe, 10, "a text", CorpusRefusal, pipes=True, waiting=told.set) == b"late"
    writer.join()


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="its shadow memory needs all addresses")
def test_reading_takes_no_more_memory_than_there_are_bytes(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "a"
    file.write_bytes(b"z" * 1000)
    program = (
        "import resource, sys; from engine.errors import Refusal; from engine.files import read_file\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\n"
        "assert read_file(sys.argv[1], 1 << 40, 'a text', Refusal) == b'z' * 1000"
    )
    assert resource
    subprocess.run([sys.executable, "-c", program, str(file)], check=True)

"""What is no file to read: devices, pipes, folders without a bottom, films beside texts."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.files
from engine.corpus.file_text import FileText
from engine.corpus.folder import read_folder
from engine.corpus.open import CorpusOptions, open_corpus
from engine.corpus.reading import Reading
from engine.errors import CorpusRefusal, LimitRefusal

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="devices and pipes of Unix")

ZERO = Path("/dev/zero")
COURSE = b'[{"id":"a","language":"en","provenance_group":"g","text":"x"}]'


def test_a_device_is_refused_as_a_corpus_and_as_a_split() -> None:
    with pytest.raises(CorpusRefusal, match=r"cannot read '/dev/zero': it is a device; give a file, a folder"):
        open_corpus(ZERO)
    with pytest.raises(CorpusRefusal, match=r"cannot read '/dev/zero': it is a device; give another split manifest"):
        open_corpus(COURSE, CorpusOptions(split=str(ZERO)))
    with pytest.raises(CorpusRefusal, match="it is a device"):
        FileText(ZERO)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_a_pipe_is_read_to_its_end_and_waiting_for_it_is_told(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.files, "WAIT_S", 0.001)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"one\ntwo\n"))  # is written once its reader was told
    corpus = open_corpus(pipe, CorpusOptions(format="lines"), Reading(waiting=writer.start))
    writer.join()
    assert [d.data for d in corpus.documents] == [b"one\n", b"two\n"]


def test_a_pipe_of_more_than_fits_is_refused(pipe: Path) -> None:
    def write() -> None:
        with pytest.raises(BrokenPipeError):
            pipe.write_bytes(b"x" * 10_000_000)

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(CorpusRefusal, match=r"more than 1000000 bytes; give .*raise the limit with --memory-limit"):
        open_corpus(pipe, reading=Reading(2_000_000))
    writer.join()


def test_a_file_of_more_than_fits_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(LimitRefusal, match=r"reading '.*/large.json' needs about 2.2 TB of memory, over"):
        open_corpus(path, reading=Reading(10**9))


def test_a_text_that_does_not_fit_stays_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"words and words " * 1000)
    corpus = open_corpus(path, reading=Reading(20_000))
    assert isinstance(corpus.documents[0].data, FileText)
    assert corpus.documents[0].data[:] == path.read_bytes()


def test_a_folder_looks_at_the_beginning_of_a_film_only(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes(b"fifteen letters")
    (tmp_path / "film.mp4").touch()
    os.truncate(tmp_path / "film.mp4", 1 << 40)
    corpus = read_folder(tmp_path, "x", Reading(10**6))
    assert [d.data for d in corpus.documents] == [b"fifteen letters"]
    assert corpus.notes[0].endswith("(left out: 1 binary)")


def test_a_folder_of_more_than_fits_is_refused(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(b"x" * 1000)
    with pytest.raises(LimitRefusal, match=r"reading '.*/c' and the files before it needs about"):
        read_folder(tmp_path, "x", Reading(3500))


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder 1,500 deep, taken away again since removing it calls itself as often."""
    folders = [tmp_path]
    for _ in range(1500):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "x.txt").write_bytes(b"deep")
    yield tmp_path
    (folders[-1] / "x.txt").unlink()
    for folder in reversed(folders[1:]):
        folder.rmdir()


def test_a_folder_deeper_than_functions_may_call_each_other(deep: Path) -> None:
    corpus = read_folder(deep, "x")
    assert [(d.id, d.data) for d in corpus.documents] == [("d/" * 1500 + "x.txt", b"deep")]

"""A program: reading and saving while allocations fail, one in each round; what is read or left is whole.

memory_files.py FOLDER CASE
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from allocations import loop

from engine.corpus.document import Corpus
from engine.corpus.open import CorpusOptions, open_corpus
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.atomic import write_atomically
from sessions.restore import capture
from sessions.snapshot import Session
from sessions.store import load, save

T = TypeVar("T")
RECORDS = b'{"id":"a","text":"aaa","n":1}\n{"id":"b","text":"","split":"test"}\n'


def failing(operate: Callable[[T], object]) -> Callable[[T], None]:
    """The operation, which failed whatever it raised: the interpreter makes a TypeError of some failures."""

    def operated(subject: T) -> None:
        try:
            operate(subject)
        except Exception as error:
            raise MemoryError from error

    return operated


class Reading:
    """A corpus and a session in files."""

    def __init__(self, folder: Path) -> None:
        self.path, self.saved = folder / "corpus.jsonl", folder / "saved.bpes"
        self.path.write_bytes(RECORDS)
        self.corpus = self.opened()
        self.session = session_of(self.corpus, 2)
        save(self.saved, self.session)

    def opened(self) -> Corpus:
        return open_corpus(self.path, CorpusOptions(format="jsonl"))

    def make(self) -> list[object]:
        return []

    def open(self, found: list[object]) -> None:
        found.append(self.opened())

    def load(self, found: list[object]) -> None:
        found.append(load(self.saved))

    def check(self, found: list[object]) -> bool:
        assert found in ([], [self.corpus], [self.session])
        assert self.opened() == self.corpus
        return False


class Saving:
    """A file that takes another one's place."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder / "written", folder / "written" / "run.bpes"
        self.folder.mkdir()

    def make(self) -> Path:
        self.path.write_bytes(b"old")
        return self.path

    def save(self, path: Path) -> None:
        write_atomically(path, b"new")

    def check(self, path: Path) -> bool:
        assert [*self.folder.iterdir()] == [path], "a temporary file is left"
        assert path.read_bytes() in (b"old", b"new")
        return False


def session_of(corpus: Corpus, rank: int) -> Session:
    """A session of a run, with its corpus inside."""
    trainer = Trainer(corpus, Policy())
    trainer.seek(rank)
    return capture(trainer, "corpus.jsonl", CorpusOptions(), embed=True)


def main(folder: Path, case: str) -> None:
    reading, saving = Reading(folder), Saving(folder)
    print(
        *{
            "open": lambda: loop(reading.make, failing(reading.open), reading.check),
            "load": lambda: loop(reading.make, failing(reading.load), reading.check),
            "save": lambda: loop(saving.make, failing(saving.save), saving.check),
        }[case]()
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

"""A system that starts no more threads: the counts are those of fewer, and one line says so."""

from threading import Thread

import pytest

from engine.corpus.document import Document, corpus_of
from engine.counting import LEAST_PART, count_pieces
from engine.packed import Packed
from engine.policy import Policy
from engine.trainer import Trainer

pytest.importorskip("engine._pieces")
TEXT = b"some words and some more\n" * (4 * LEAST_PART // 25)
POLICY = Policy(boundary="gpt2")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Set the first item: so many threads start, and no more."""
    room = [0]
    start = Thread.start

    def at_most(thread: Thread) -> None:
        if room[0] == 0:
            raise RuntimeError("can't start new thread")
        room[0] -= 1
        start(thread)

    monkeypatch.setattr(Thread, "start", at_most)
    return room


@pytest.mark.parametrize(("room", "note"), [(0, "1 of 3"), (1, "1 of 3"), (2, "2 of 3"), (3, "")])
def test_fewer_threads_count_the_same(started: list[int], room: int, note: str) -> None:
    started[0] = room
    notes: list[str] = []
    found = count_pieces([Document("d", TEXT, 2)], POLICY, threads=3, note=notes.append)
    assert isinstance(found, Packed)
    lines = TEXT.count(b"\n")
    assert dict(zip(found, found.counts, strict=True)) == {
        b"some": 2 * lines, b" words": 2 * lines, b" and": 2 * lines, b" some": 2 * lines, b" more": 2 * lines,
        b"\n": 2 * lines,
    }  # fmt: skip
    assert notes == ([f"counted with {note} threads: the system starts no more"] if note else [])


def test_a_run_keeps_the_note(started: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.counting._processors", lambda: 2)
    trainer = Trainer(corpus_of(b"", "t", "text", [Document("d", TEXT)]), POLICY)
    assert trainer.notes == ("counted with 1 of 2 threads: the system starts no more",)

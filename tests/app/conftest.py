"""Every app test has state and configuration folders of its own, and hears the worker."""

from pathlib import Path
from random import Random

import pytest

from bpe_tui.app.explorer import Explorer

from . import exploring


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of recovery snapshots."""
    folder = tmp_path / "state"
    monkeypatch.setattr("sessions.recovery.default_folder", lambda: folder)
    return folder


@pytest.fixture(autouse=True)
def listening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every `exploring.WatchedApp` know of every word from the worker."""
    hear = Explorer.on_explorer_said

    def hear_and_tell(self: Explorer, message: Explorer.Said) -> None:
        hear(self, message)
        if isinstance(self.app, exploring.WatchedApp):
            self.app.heard.set()

    monkeypatch.setattr(Explorer, "on_explorer_said", hear_and_tell)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """`aaa` and `aba` to train on, `acac` held out."""
    return exploring.corpus_file(tmp_path, "aaa", "aba", held_out=["acac", "ba"])


@pytest.fixture
def long_corpus(tmp_path: Path) -> Path:
    """Text with more than three hundred merges in it."""
    chance = Random(7)
    words = [f"{a}{b}{c}" for a in "pqrst" for b in "aeiou" for c in "bdklmn"]
    text = " ".join(chance.choice(words) for _ in range(900))
    return exploring.corpus_file(tmp_path, text[:2500], text[2500:], held_out=["paul and susan"])

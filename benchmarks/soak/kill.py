"""SIGKILL at random moments while a file is saved; after each the file must be whole, the old one or the new one."""

import argparse
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from terminal import Terminal

from engine.corpus.open import CorpusOptions, open_corpus
from engine.errors import Refusal
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.restore import capture
from sessions.store import load, save

from .figures import Report, Row
from .trial import scratch

WORDS, DISTINCT = 400_000, 5_000
"""Of the corpus: large enough that writing a session that holds it takes a while."""
MOST_WAIT = 4000
"""Looks at the folder, of a millisecond each, until it is killed although nothing is written."""


@dataclass(frozen=True, slots=True)
class Save:
    """A way to save.

    Attributes:
        folder: where the file comes to lie, and nothing else does.
        begin: starts the program, by the number of the round, and brings it to where it will save at once.
    """

    folder: Path
    begin: Callable[[int], Terminal]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many kills."""
    parser.add_argument("--number", metavar="N", type=int, default=100, help="kills of each save (default: 100)")


def run(args: argparse.Namespace) -> Report:
    """Kill each way of saving."""
    report = Report()
    with scratch() as folder:
        for name, way in _saves(folder).items():
            row, torn = _kill(name, way, args.number, Random(f"{args.seed} {name}"))
            report.add(row, torn)
    return report


def _saves(folder: Path) -> dict[str, Save]:
    """`train -o`, saving in the explorer, and the snapshots that it keeps by itself."""
    draw, corpus, state = Random(1), folder / "corpus.txt", folder / "state"
    snapshots = state / "bpe-tui" / "recovery"
    words = [f"{draw.getrandbits(32):x}" for _ in range(DISTINCT)]
    corpus.write_text(" ".join(draw.choices(words, k=WORDS)))
    commanded, explored = folder / "commanded", folder / "explored"
    for made in (commanded, explored):
        made.mkdir()
        _first_session(corpus, made / "run.bpes")

    def command(number: int) -> Terminal:
        merges = str(200 + number % 2 * 100)
        return Terminal(
            "train", str(corpus), "--boundary", "gpt2", "--merges", merges, "--embed", "--force", "-o",
            str(commanded / "run.bpes"), state=state,
        )  # fmt: skip

    def save_by_hand(number: int) -> Terminal:
        terminal = _opened(str(explored / "run.bpes"), state=state)
        terminal.press("m")
        terminal.until(b"unsaved")
        terminal.press("W")
        return terminal

    def autosave(number: int) -> Terminal:
        for snapshot in snapshots.glob("*.bpes"):
            snapshot.unlink()  # else the explorer asks what to do with it
        terminal = _opened(str(corpus), "--boundary", "gpt2", state=state)
        terminal.press("]]]]")
        return terminal

    return {
        "train -o": Save(commanded, command),
        "explorer": Save(explored, save_by_hand),
        "snapshot": Save(snapshots, autosave),
    }


def _first_session(corpus: Path, path: Path) -> None:
    trainer = Trainer(open_corpus(corpus), Policy(boundary="gpt2", budget=200))
    trainer.seek(200)
    save(path, capture(trainer, str(corpus), CorpusOptions(), embed=True))


def _opened(*arguments: str, state: Path) -> Terminal:
    """The explorer, when it has opened what it shall."""
    terminal = Terminal(*arguments, state=state)
    terminal.until(b"PAUSED")
    return terminal


def _kill(name: str, way: Save, number: int, draw: Random) -> tuple[Row, dict[str, int]]:
    """The figures of so many kills, and what was torn."""
    row: Row = {"save": name}
    counts = dict.fromkeys(("tried", "while writing", "old", "new", "torn", "temporaries left", "swept"), 0)
    torn: dict[str, int] = {}
    temporaries = _temporaries(way.folder)
    for round in range(number):
        terminal = way.begin(round)
        files = _files(way.folder)
        _wait(terminal, way.folder, temporaries, draw)
        counts["while writing"] += bool(_temporaries(way.folder) - temporaries) and terminal.process.poll() is None
        terminal.close()
        found, left = _files(way.folder), _temporaries(way.folder)
        counts["tried"] += 1
        counts["temporaries left"] += len(left - temporaries)
        counts["swept"] += len(temporaries - left)
        if words := _torn(way.folder, files):
            counts["torn"] += 1
            torn[f"{name}: {words}"] = torn.get(f"{name}: {words}", 0) + 1
        else:
            counts["old" if found == files else "new"] += 1
        temporaries = left
    return row | counts | {"bad": counts["torn"]}, torn


def _wait(terminal: Terminal, folder: Path, before: set[str], draw: Random) -> None:
    """Wait for a temporary file and then a little, or else for any time."""
    looks = MOST_WAIT if draw.random() < 0.8 else draw.randrange(MOST_WAIT // 4)
    for _ in range(looks):
        if _temporaries(folder) - before or terminal.process.poll() is not None:
            break
        terminal.read(0.001)
    for _ in range(draw.choice((0, 0, draw.randrange(30)))):
        terminal.read(0.001)


def _torn(folder: Path, before: dict[str, str]) -> str:
    """What is wrong with the files now, in words; empty if nothing."""
    for path in folder.glob("*.bpes"):
        try:
            load(path)
        except Refusal as refusal:
            return f"torn: {refusal}"
    gone = before.keys() - _files(folder).keys()
    return f"{sorted(gone)} are gone" if gone else ""


def _files(folder: Path) -> dict[str, str]:
    """SHA-256 of each session by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.bpes")}


def _temporaries(folder: Path) -> set[str]:
    return {path.name for path in folder.glob(".*.tmp")}

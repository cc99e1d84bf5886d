"""Measure the explorer on a pseudo-terminal: `python benchmarks/interactive.py`. See benchmarks/README.md."""

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from clocks import Figures
from corpora import corpora_in
from environment import HERE, WORK, Environment, commit, machine, prepare
from report import number, table

SIZES = ((80, 24), (200, 50))
SESSIONS = (("english_10mb.txt", "gpt2"), ("english_100mb.txt", "gpt2"), ("english_100mb.txt", "document"))
RESULTS = HERE / "INTERACTIVE.md"
ROWS = {
    "first_rows_s": "start to the corpus's first row, s",
    "open_s": "start to the first pair counts, s",
    "cursor_median_ms": "cursor key to paint, ms: median",
    "cursor_p90_ms": "… one in ten is above",
    "focus_median_ms": "pane key to paint, ms: median",
    "focus_p90_ms": "… one in ten is above",
    "cursor_while_learning_median_ms": "cursor key to paint while learning, ms: median",
    "cursor_while_learning_p90_ms": "… one in ten is above",
    "cursor_while_learning_keys": "… keys pressed while it learned",
    "step_median_ms": "step key to the new rank in every pane, ms: median",
    "step_p90_ms": "… one in ten is above",
    "unseen_keys": "keys drawn together with the next one",
    "progress_ms": "go to the last rank: until it says so, ms",
    "learn_s": "… until it is learned and shown, s",
    "cancel_ms": "Esc on the way to rank 0: until it stands, ms",
    "to_start_s": "go to rank 0, s",
    "to_middle_s": "go to the middle, s",
    "to_end_s": "go to the end, s",
    "idle_bytes": "bytes written in three idle seconds",
    "question_ms": "q to the question about unsaved work, ms",
    "quit_ms": "answer to the end of the program, ms",
}
BARS = {
    "first_rows_s": (1.0, 1.0),
    "cursor_while_learning_median_ms": (15.0, 30.0),
    "idle_bytes": (0.0, 0.0),
    "quit_ms": (500.0, 500.0),
}
"""The most that a figure may be at each size."""


def main() -> None:
    """Run every session, print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", metavar="DIR", type=Path, default=WORK / "corpora", help="built where missing")
    parser.add_argument("--venv", metavar="DIR", type=Path, help="the environment to install into")
    args = parser.parse_args()
    corpora = corpora_in(args.corpora.resolve())
    environment = prepare(args.venv and args.venv.resolve())
    found = []
    for corpus, boundary in SESSIONS:
        for size in SIZES:
            name = f"{corpus.removesuffix('.txt')}, {boundary}, {size[0]}×{size[1]}"
            print(name, file=sys.stderr)
            found.append((name, size, _session(environment, corpora / corpus, boundary, size)))
    rows = [
        (words, *(_cell(figures.get(figure), figure, size) for _, size, figures in found))
        for figure, words in ROWS.items()
    ]
    head = ("", *(name for name, _, _ in found))
    page = f"""\
# The explorer on a pseudo-terminal

* {datetime.now(UTC):%Y-%m-%d}, commit {commit()}, `python benchmarks/interactive.py`
* {machine()}
* 32,768 entries; a figure over its bar is marked ✗, one that keeps it ✓

{table(head, "l" + "r" * len(found), rows)}
"""
    print(page)
    RESULTS.write_text(page)


def _session(environment: Environment, corpus: Path, boundary: str, size: tuple[int, int]) -> Figures:
    """The figures of one session, in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        question, answer = Path(folder) / "specification.json", Path(folder) / "figures.json"
        question.write_text(json.dumps({"corpus": str(corpus), "boundary": boundary, "size": size}))
        subprocess.run([environment.python, HERE / "session.py", question, answer], check=True)
        figures: Figures = json.loads(answer.read_text())
        return figures


def _cell(value: float | None, figure: str, size: tuple[int, int]) -> str:
    if value is None:
        return "–"
    if figure not in BARS:
        return number(value)
    return f"{number(value)} {'✓' if value <= BARS[figure][SIZES.index(size)] else '✗'}"


if __name__ == "__main__":
    main()

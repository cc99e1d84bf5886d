"""Random command lines, run in this process: every one ends with 0, 1 or 2 and says why without a control byte."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from shutil import copytree

from bpe_tui.cli import COMMANDS, main
from bpe_tui.exports import ENDINGS, Format
from engine.formats.ids import WRITERS
from engine.policy import CHOICES
from engine.profiles import PROFILES

from . import seeds
from .figures import Report, Row
from .trial import scratch, tried

ROOM = 100_000_000
"""A command's work has room as if its input had so many bytes."""
_FILES = (
    *Format, "tekken", *(f"ids.{form}" for form in WRITERS), "hostile.txt", "empty", seeds.CORPUS, seeds.WORDS,
    "splits.json", "receipt.json", ".", "missing", "\x1b[2J", "\udcff", "-",
)  # fmt: skip
_OUTPUTS = (*(f"out{ending}" for ending in ENDINGS), "out.npy", "out.x", "out", "missing/out.json", "", "empty")
_VALUES = (
    "0", "1", "5", "-1", "99999999999", "18446744073709551616", "all", "none", "", " ", "\x1b[31m", "é", "1.5", "nan",
    "0.1", "8GB", "1kB", "97", "97 98", "256", "pattern:[a-z]+", "pattern:(", "pattern:a*", "pattern:(?R)", "nodes=5",
    "pair_types=3", "vocabulary_bytes=256", "x=1", "python", "compiled", "reference", "auto", "bpe budget=3",
    "unreachable", *Format, *WRITERS, *PROFILES, *(choice for choices in CHOICES.values() for choice in choices),
)  # fmt: skip
_LIKELY = ("1", "5", "97", "0.1", "none", "gpt2", "nodes=99", "incremental", "1GB", seeds.CORPUS, "receipt.json")
"""Values that many options take."""
_USUAL = {"--merges": ("3", "20"), "--corpus": (seeds.CORPUS, seeds.WORDS)}
"""Options without which most commands would only say that they are missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many."""
    parser.add_argument("--number", metavar="N", type=int, default=5000, help="command lines (default: 5000)")


def run(args: argparse.Namespace) -> Report:
    """Run command lines over a folder of files of all kinds, which is made anew every fifty."""
    draw = Random(args.seed)
    parsers = {name: _parser(name) for name in COMMANDS}
    counts = {name: [0, 0, 0] for name in COMMANDS}
    bad: dict[str, dict[str, int]] = {name: {} for name in COMMANDS}
    with scratch() as made, scratch() as folder, chdir(folder):
        seeds.write_all(made)
        for number in range(args.number):
            if number % 50 == 0:
                copytree(made, folder, dirs_exist_ok=True)
            name = draw.choice(list(COMMANDS))
            line = [name, *_arguments(draw, parsers[name])]
            outcome = tried(partial(_run, line, counts[name]), ROOM)
            if outcome.bad:
                words = f"{outcome.bad} (first by {line})"
                same = next((known for known in bad[name] if known.startswith(outcome.bad)), words)
                bad[name][same] = bad[name].get(same, 0) + 1
    report = Report()
    for name, (done, refused, misunderstood) in counts.items():
        failed = sum(bad[name].values())
        row: Row = {"command": name, "done": done, "refused": refused, "not understood": misunderstood, "bad": failed}
        report.add(row, bad[name])
    return report


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    import_module(f"bpe_tui.commands.{name}").add_arguments(parser)
    return parser


def _arguments(draw: Random, parser: argparse.ArgumentParser) -> list[str]:
    """Files, about as many as are asked for, and some options with values that may be theirs."""
    options = [action for action in parser._actions if action.option_strings]
    wanted = len(parser._actions) - len(options) + draw.choice((-1, 0, 0, 0, 0, 0, 1))
    line = draw.choices(_FILES, k=max(wanted, 0))
    for action in draw.choices(options, k=draw.choice((0, 0, 1, 2, 4))):
        line.append(draw.choice(action.option_strings))
        if action.dest == "output":
            line.append(draw.choice(_OUTPUTS))
        elif action.nargs != 0:
            likely = [*(action.choices or _LIKELY)]
            line.append(draw.choice(draw.choice((_VALUES, _FILES, likely, likely, likely))))
    for flag, values in _USUAL.items():
        if flag in parser._option_string_actions and flag not in line and draw.random() < 0.8:
            line += [flag, draw.choice(values)]
    return line


def _run(line: list[str], counts: list[int]) -> None:
    """Run a command line with streams of its own, look at what it said, and count its exit code."""
    with _streams() as (out, err):
        code = main(line)
    said, shown = err.read_bytes(), out.read_bytes()
    assert code in (0, 1, 2), f"exit code {code}"
    assert code == 0 or said or shown, f"exit code {code} without a word"
    controls = [byte for byte in said if (byte < 0x20 and byte != 0x0A) or byte == 0x7F]
    assert not controls, f"control bytes {controls} on standard error"
    counts[code] += 1


@contextmanager
def _streams() -> Iterator[tuple[Path, Path]]:
    """Standard streams for a while: nothing to read, and two files that are written."""
    kept, paths = (sys.stdin, sys.stdout, sys.stderr), (Path("/dev/null"), Path("stdout"), Path("stderr"))
    try:
        with paths[0].open() as sys.stdin, paths[1].open("w") as sys.stdout, paths[2].open("w") as sys.stderr:
            yield paths[1], paths[2]
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept

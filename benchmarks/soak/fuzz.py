"""Mutated files through every reader, and the use of what was read; the drawn inputs depend on the seed alone."""

import argparse
import faulthandler
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from random import Random
from time import monotonic

from . import KEPT
from .figures import Report, Row
from .readers import Reader, readers
from .trial import MOST_S, scratch, tried


@dataclass(slots=True)
class Tally:
    """What the tries of one reader gave; `bad` maps words to the number of tries, `inputs` to the first of them."""

    tried: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    memory: int = 0
    bad: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, bytes] = field(default_factory=dict)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long, and which reader."""
    parser.add_argument("--seconds", metavar="N", type=float, default=60, help="for each reader (default: 60)")
    parser.add_argument("--reader", metavar="NAME", help="one reader instead of all")


def run(args: argparse.Namespace) -> Report:
    """Try every reader, each in a process of its own, so that one that dies is a finding like any other."""
    report = Report()
    for name in chosen(args.reader):
        with ProcessPoolExecutor(1, get_context("spawn"), faulthandler.enable) as process:
            try:
                tally = process.submit(_fuzz_for, name, args.seed, args.seconds).result()
            except BrokenProcessPool:
                tally = Tally(bad={"the process died": 1})
        report.add(_row(name, tally), {f"{name}: {w}{_kept(name, w, tally)}": times for w, times in tally.bad.items()})
    return report


def chosen(name: str | None) -> list[str]:
    """The names of the readers to try.

    Raises:
        SystemExit: for an unknown name, with the known ones.
    """
    with scratch() as folder:
        known = list(readers(folder))
    if name is not None and name not in known:
        raise SystemExit(f"no reader {name!r}: choose {', '.join(known)}")
    return known if name is None else [name]


def fuzz(name: str, reader: Reader, seed: int, more: Callable[[int], bool], most_s: float | None = MOST_S) -> Tally:
    """Try mutated seeds while `more`, which gets the number of tries so far, wants it; `most_s` as for `tried`."""
    draw, tally = Random(f"{seed} {name}"), Tally()
    while more(tally.tried):
        data = draw.choice(reader.mutations)(draw, draw.choice(reader.seeds))
        outcome = tried(partial(reader.use, data), len(data), most_s)
        tally.tried += 1
        tally.refused += outcome.refused
        tally.slowest_s = max(tally.slowest_s, outcome.seconds)
        tally.memory = max(tally.memory, outcome.memory)
        if outcome.bad:
            tally.bad[outcome.bad] = tally.bad.get(outcome.bad, 0) + 1
            tally.inputs.setdefault(outcome.bad, data)
    return tally


def _fuzz_for(name: str, seed: int, seconds: float) -> Tally:
    with scratch() as folder:
        reader = readers(folder)[name]
        end = monotonic() + seconds
        return fuzz(name, reader, seed, lambda _: monotonic() < end)


def _row(name: str, tally: Tally) -> Row:
    return {
        "reader": name, "tried": tally.tried, "refused": tally.refused, "most s": tally.slowest_s,
        "most MB": tally.memory / 1e6, "bad": sum(tally.bad.values()),
    }  # fmt: skip


def _kept(name: str, words: str, tally: Tally) -> str:
    """Where the first input with these words lies now, as words."""
    if words not in tally.inputs:
        return ""
    KEPT.mkdir(parents=True, exist_ok=True)
    number = list(tally.inputs).index(words)
    path = KEPT / f"{name.replace(' ', '-')}-{number}"
    path.write_bytes(tally.inputs[words])
    return f" ({path})"

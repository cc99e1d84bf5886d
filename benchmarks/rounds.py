"""Rounds: every contender in turn, A B C A B C, each in a fresh process on the same cores, and its merges compared."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clocks import Figures
from environment import HERE, WORK, Environment

Round = dict[str, Figures]
"""The figures of each contender."""
TIMEOUT_S = 900


@dataclass(frozen=True, slots=True)
class Contender:
    """One row of a job.

    Attributes:
        name: as the table calls it.
        task: what is measured: `train`, `encode`, `seek`, `steps` or `top`.
        by: `ours`, `floor` or a peer.
        details: everything else that the task needs (see `measure.py`); `corpus` is a name.
        equals: the contender whose merges, or ids, these must be; none where the peer is not exact or follows no rule
            of ours.
        threads: worker threads, each with a core of its own.
        once: measured in the first round only: it is there to be compared with, or too slow for more.
        pure: whether it runs without compiled parts.
    """

    name: str
    task: str
    by: str
    details: Mapping[str, Any] = field(default_factory=dict)
    equals: str = ""
    threads: int = 1
    once: bool = False
    pure: bool = False


@dataclass(slots=True)
class Results:
    """What a job gave.

    Attributes:
        rounds: figures by contender, one entry per round.
        compared: for each contender, how many of its merges were compared; 1 for ids, which are compared as a whole.
        differences: what differed, in words.
        failed: contenders that did not finish, and why.
    """

    rounds: list[Round] = field(default_factory=list)
    compared: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def of(self, contender: str, figure: str) -> list[float]:
        """A figure of a contender in every round in which it was measured."""
        return [r[contender][figure] for r in self.rounds if figure in r.get(contender, {})]


class Runner:
    """Measures contenders.

    Args:
        environment: where they are installed.
        corpora: the folder of the corpora.
        tell: hears of each figure.
    """

    def __init__(self, environment: Environment, corpora: Path, tell: Callable[[str], object]) -> None:
        self._environment = environment
        self._corpora = corpora
        self._tell = tell

    def run(self, contenders: tuple[Contender, ...], runs: int) -> Results:
        """Some rounds of contenders; one that fails is left out of the later ones."""
        results = Results()
        with tempfile.TemporaryDirectory() as folder:
            for number in range(runs):
                figures: Round = {}
                for contender in contenders:
                    if contender.name in results.failed or (contender.once and number):
                        continue
                    try:
                        figures[contender.name] = self._measured(contender, Path(folder))
                    except subprocess.SubprocessError as error:
                        results.failed[contender.name] = _why(error)
                    self._tell(f"{number + 1} {contender.name}: {_said(figures.get(contender.name))}")
                results.rounds.append(figures)
                for contender in contenders:
                    if contender.name in figures and contender.equals:
                        _compare(contender, Path(folder), results)
        return results

    def _measured(self, contender: Contender, folder: Path) -> Figures:
        """The figures of one fresh process."""
        spec: dict[str, Any] = {"task": contender.task, "by": contender.by, "threads": contender.threads}
        spec |= contender.details
        spec |= {
            "corpus": str(self._corpora / spec["corpus"]),
            "tokens": str(_tokens(folder, contender.name)),
            "floor": str(self._environment.floor),
            "classes": str(self._environment.classes),
        }
        if contender.task == "encode":
            spec["model"] = str(self._model())
        return self._process(spec, contender)

    def _process(self, spec: dict[str, Any], contender: Contender) -> Figures:
        with tempfile.TemporaryDirectory() as folder, _cores(contender.threads):
            question, answer = Path(folder) / "specification.json", Path(folder) / "figures.json"
            question.write_text(json.dumps(spec))
            command = [self._environment.python, HERE / "measure.py", question, answer]
            subprocess.run(command, check=True, capture_output=True, env=self._variables(contender), timeout=TIMEOUT_S)
            figures: Figures = json.loads(answer.read_text())
            return figures

    def _variables(self, contender: Contender) -> dict[str, str]:
        threads = str(contender.threads)
        return {
            **os.environ,
            "PYTHONPATH": str(self._environment.pure) if contender.pure else "",
            "PYTHONHASHSEED": "0",
            "RAYON_NUM_THREADS": threads,
            "GIGATOKEN_THREADS": threads,
            "OMP_NUM_THREADS": threads,
            "TOKENIZERS_PARALLELISM": "false" if contender.threads == 1 else "true",
        }

    def _model(self) -> Path:
        """The vocabulary that all encoders are given, trained when it is first asked for."""
        path = WORK / "tokenizer.json"
        if not path.exists():
            details = {"model": str(path), "corpus": str(self._corpora / "english_10mb.txt"), "size": 32_768}
            self._process({"task": "model", **details}, Contender("tokenizer.json", "model", "tokenizers"))
        return path


@contextmanager
def _cores(number: int) -> Iterator[None]:
    """The last cores of the machine, for the processes started here."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-number:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _tokens(folder: Path, contender: str) -> Path:
    return folder / f"{contender.replace(' ', '-').replace('/', '-')}.tokens"


def _compare(contender: Contender, folder: Path, results: Results) -> None:
    """Hold what a contender learned against another; it may have learned more.

    In a plain run no two merges give the same bytes, so equal tokens in equal order are equal merges.
    """
    ours, theirs = (_learned(_tokens(folder, name)) for name in (contender.equals, contender.name))
    same = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    results.compared[contender.name] = same
    if same < len(ours):
        results.differences.append(f"{contender.name} leaves {contender.equals} at {same:,} of {len(ours):,}")


def _learned(path: Path) -> list[str]:
    return [token for token in path.read_text().split() if len(token) > 2]


def _said(figures: Figures | None) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in figures.items()) if figures else "failed"


def _why(error: subprocess.SubprocessError) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"not done after {TIMEOUT_S} s"
    said = error.stderr.decode(errors="replace").strip() if isinstance(error, subprocess.CalledProcessError) else ""
    return said.splitlines()[-1][:160] if said else str(error)

"""Our side: the public interface, from a file to the merge list in Python, with the whole history and all evidence."""

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from clocks import Figures, timed
from letters import spelled

from engine.alphabet import build_alphabet
from engine.corpus.open import CorpusOptions, open_corpus
from engine.kernel import kernel_class
from engine.policy import Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

TEXT = CorpusOptions(format="text")
TOP_PAIRS, TOP_LOOKS = 100, 20
BY_LINE = r"pattern:'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|[^\S\n]*\n|[^\S\n]+(?!\S)|[^\S\n]+"
"""GPT-2's pattern for a text whose lines are documents of their own, as some peers read it."""


def policy(boundary: str, size: int, order: str = "byte-value") -> Policy:
    """The rule that every exact peer follows: pairs that occur twice, ties to the smallest ids."""
    boundary = BY_LINE if boundary == "gpt2-by-line" else boundary
    return Policy(boundary=boundary, base_order=order, min_count=2, budget=size, budget_unit="vocabulary")


def train(
    path: Path, boundary: str, size: int, threads: int, order: str = "byte-value", kernel: str = "auto"
) -> tuple[Callable[[], Trainer], Callable[[Trainer], list[bytes]]]:
    """Learning to the vocabulary size, and the tokens that came of it."""
    rule = policy(boundary, size, order)
    kernel_class(kernel)  # imports it, as the peers' libraries are imported before the clock starts

    def work() -> Trainer:
        trainer = learned(path, rule, kernel)
        trainer.merge_list()
        trainer.vocabulary  # noqa: B018 - made when asked for
        return trainer

    return work, lambda trainer: [token.data for token in trainer.vocabulary]


def learned(path: Path, rule: Policy, kernel: str = "auto") -> Trainer:
    """A trainer that has learned all that its budget allows."""
    trainer = Trainer(open_corpus(path, TEXT), rule, kernel=kernel)
    trainer.seek(trainer.budget or 0)
    return trainer


def seek(path: Path, boundary: str, size: int) -> Figures:
    """Learn, go back to rank 0, and forward again."""
    trainer = Trainer(open_corpus(path, TEXT), policy(boundary, size))
    start = trainer.tokens, trainer.kernel.top(TOP_PAIRS)
    budget = trainer.budget or 0
    _, learning = timed(lambda: trainer.seek(budget))
    end = trainer.tokens, trainer.kernel.top(TOP_PAIRS)
    _, back = timed(lambda: trainer.seek(0))
    assert (trainer.tokens, trainer.kernel.top(TOP_PAIRS)) == start, "going back changed the counts"
    _, forward = timed(lambda: trainer.seek(budget))
    assert (trainer.tokens, trainer.kernel.top(TOP_PAIRS)) == end, "going forward changed the counts"
    return {
        "learn_s": learning["cpu_s"],
        "back_s": back["cpu_s"],
        "forward_s": forward["cpu_s"],
        "merges": trainer.learned,
    }


def steps(path: Path, boundary: str, size: int) -> Figures:
    """The same way in single steps: each step that learns, each one back, each one forward again."""
    trainer = Trainer(open_corpus(path, TEXT), policy(boundary, size))
    budget = trainer.budget or 0
    ways = {
        "learn": _single(trainer.step, budget),
        "back": _single(trainer.back, trainer.learned),
        "forward": _single(trainer.step, trainer.learned),
    }
    middle = {f"{way}_median_ms": statistics.median(found) for way, found in ways.items()}
    return middle | {f"{way}_longest_ms": max(found) for way, found in ways.items()}


def _single(move: Callable[[], object], times: int) -> list[float]:
    found = []
    for _ in range(times):
        start = time.thread_time()
        move()
        found.append(1000 * (time.thread_time() - start))
    return found


def top(path: Path, boundary: str, size: int, least: int) -> Figures:
    """The first pairs by count at ranks where at least so many pairs are alive, the last of them first."""
    trainer = Trainer(open_corpus(path, TEXT), policy(boundary, size))
    rank = trainer.seek(trainer.budget or 0)
    found: list[float] = []
    most = trainer.kernel.live_pairs()
    while trainer.kernel.live_pairs() >= least and rank:
        for _ in range(TOP_LOOKS):
            pairs, figures = timed(lambda: trainer.kernel.top(TOP_PAIRS))
            assert len(pairs) == TOP_PAIRS
            found.append(1000 * figures["cpu_s"])
        rank = trainer.seek(rank - 500)
    return {"live_pairs": most, "median_ms": statistics.median(found), "longest_ms": max(found), "looks": len(found)}


def encode(model: Path) -> Callable[[str], list[int]]:
    """Our encoder with the vocabulary of a tokenizer.json."""
    spec = json.loads(model.read_text())["model"]
    ids = {spelled(token): i for token, i in spec["vocab"].items()}
    halves = (merge if isinstance(merge, list) else merge.split(" ") for merge in spec["merges"])
    pairs = [(ids[spelled(left)], ids[spelled(right)]) for left, right in halves]
    rule = policy("gpt2", len(ids), "bytemap")
    tokenizer = Tokenizer.from_pairs(rule, build_alphabet(rule, []), pairs)
    return lambda text: tokenizer.encode(text.encode())

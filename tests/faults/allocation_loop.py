"""A program: an operation again and again, each time with the next of its allocations failed, below nomemory.c.

After every failure what was operated on must be whole, by a full recount and by the reference kernel's merges, or say
that it is not. Prints how many failures there were and how many ended a run.
"""

import ctypes
import random
import sys
from collections.abc import Callable
from typing import TypeVar

from engine.corpus.document import Corpus, Document, corpus_of
from engine.errors import RunRefusal
from engine.policy import Policy
from engine.trainer import Trainer

T = TypeVar("T")
SYMBOLS = ctypes.CDLL(None)
LEFT = ctypes.c_long.in_dll(SYMBOLS, "allocations_left")
FAILED = ctypes.c_long.in_dll(SYMBOLS, "allocations_failed")
LASTS = ctypes.c_int.in_dll(SYMBOLS, "failure_lasts")


def loop(make: Callable[[], T], operate: Callable[[T], object], check: Callable[[T], bool]) -> tuple[int, int]:
    """Each allocation of an operation failed once; the number of rounds, and of those that `check` calls the end."""
    operate(make())  # what is made on first use is made now
    rounds = ends = 0
    while True:
        subject = make()
        FAILED.value = 0
        LEFT.value = rounds + 1
        try:
            operate(subject)
        except MemoryError:
            pass
        finally:
            LEFT.value = 0
        ends += check(subject)
        if FAILED.value == 0:
            return rounds, ends
        rounds += 1


def small() -> Corpus:
    """Words with runs; weights that make counts small and large."""
    words = (b"abab aaaa", b"aaab abc", b"bcbcbc aa", b"\xd0\xb8\xd0\xb8a")
    return corpus_of(b"", "t", "text", [Document(str(i), w, 9_000 * i + 1) for i, w in enumerate(words)])


def many_pairs() -> Corpus:
    """So many pairs that the tables grow while learning."""
    chosen = random.Random(1)
    text = bytes(chosen.choice(range(40, 104)) for _ in range(4_000)) + b"abcab" * 200
    return corpus_of(b"", "t", "text", [Document("d", text)])


class Runs:
    """Runs of one kernel, held against one of the reference kernel."""

    def __init__(self, corpus: Corpus, policy: Policy, kernel: str, merges: int) -> None:
        self._corpus, self._policy, self._kernel = corpus, policy, kernel
        undisturbed = Trainer(corpus, policy, kernel="reference")
        undisturbed.seek(merges)
        self.merges = undisturbed.learned
        self._evidence = list(undisturbed.kernel.evidence)
        self._tokens = list(undisturbed.vocabulary)
        self._ids = undisturbed.tokenizer().encode(b"abab aaaa abc")

    def fresh(self) -> Trainer:
        return Trainer(self._corpus, self._policy, kernel=self._kernel)

    def learned(self) -> Trainer:
        trainer = self.fresh()
        trainer.seek(self.merges)
        return trainer

    def learn(self, trainer: Trainer) -> None:
        trainer.seek(self.merges)

    def travel(self, trainer: Trainer) -> None:
        trainer.seek(0)
        trainer.seek(self.merges)

    def ask(self, trainer: Trainer) -> None:
        trainer.kernel.top(5)
        trainer.ties()
        trainer.tokens_at(trainer.learned)
        trainer.tokenizer().encode(b"abab")
        trainer.document_tokens(0)
        trainer.kernel.occurrences(trainer.kernel.pairs()[0], 3)
        trainer.merges[:]

    def check(self, trainer: Trainer) -> bool:
        """Whether the run says that it has ended; else it is exact, at every end of the way, and learns what it should."""
        learned = trainer.learned
        self._known(trainer)
        try:
            trainer.kernel.live_pairs()
        except RunRefusal:
            assert trainer.rank <= learned
            return True
        assert trainer.audit().exact
        trainer.seek(self.merges)
        self._known(trainer)
        assert trainer.learned == self.merges
        assert trainer.audit().exact
        assert trainer.tokenizer().encode(b"abab aaaa abc") == self._ids
        assert trainer.tokens_at(self.merges) == trainer.tokens
        trainer.seek(0)
        assert trainer.audit().exact
        return False

    def _known(self, trainer: Trainer) -> None:
        known = len(trainer.kernel.evidence)
        assert list(trainer.kernel.evidence) == self._evidence[:known]
        assert (
            list(trainer.vocabulary)[: len(self._tokens) - self.merges + known]
            == (self._tokens[: len(self._tokens) - self.merges + known])
        )


def main(kernel: str, operation: str, corpus: str, merges: str, lasts: str, *fields: str) -> None:
    LASTS.value = int(lasts)
    policy = Policy(**dict(field.split("=") for field in fields))  # type: ignore[arg-type]
    runs = Runs({"small": small, "many_pairs": many_pairs}[corpus](), policy, kernel, int(merges))
    make = runs.fresh if operation == "learn" else runs.learned
    print(*loop(make, getattr(runs, operation), runs.check))


if __name__ == "__main__":
    main(*sys.argv[1:])

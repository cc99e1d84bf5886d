"""A program: runs whose allocations fail, one in each round, held against the reference kernel and a full recount.

memory_runs.py LASTS KERNEL OPERATION CORPUS MERGES FIELD=VALUE...
"""

import random
import sys

from allocations import LASTS, loop

from engine.corpus.document import Corpus, Document, corpus_of
from engine.errors import RunRefusal
from engine.policy import Policy
from engine.trainer import Trainer


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
        return Trainer(self._corpus, self._policy, kernel=self._kernel, memory_limit=1 << 30)

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
        """Whether the run says that it has ended; else it is exact wherever it goes, and learns what it should."""
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

    def build(self, made: list[Trainer]) -> None:
        made.append(self.fresh())

    def check_built(self, made: list[Trainer]) -> bool:
        return any(map(self.check, made))


def main(lasts: str, kernel: str, operation: str, corpus: str, merges: str, *fields: str) -> None:
    LASTS.value = int(lasts)
    policy = Policy(**dict(field.split("=") for field in fields))  # type: ignore[arg-type]
    runs = Runs({"small": small, "many-pairs": many_pairs}[corpus](), policy, kernel, int(merges))
    if operation == "build":
        print(*loop(list[Trainer], runs.build, runs.check_built))
    else:
        print(*loop(runs.fresh if operation == "learn" else runs.learned, getattr(runs, operation), runs.check))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Findings that need a corpus: the list replayed on it, with the true count of every merge at its turn.

A greedy trainer takes a pair that no other exceeds, so its counts never rise; which ties it took tells its rule. A list
that breaks this was made from another corpus, by other boundaries, or not by exact counting.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from engine.alphabet import Token
from engine.audit.entries import Entries
from engine.audit.findings import Advance, Finding, Replay, TieRule
from engine.corpus.document import Corpus
from engine.kernel import Evidence, Pair
from engine.kernel.base import Mergeable
from engine.limits import Limits
from engine.policy import CHOICES, Policy
from engine.quoting import quoted
from engine.trainer import Trainer

SLICE_S = 0.1
RUNS = len(CHOICES["counting"]) * (1 + len(CHOICES["tie_break"]))
"""Replays of the list at most: under each way of counting one for the counts and one for each tie rule."""


@dataclass(frozen=True, slots=True)
class _Replayer:
    """What all replays share."""

    entries: Entries
    corpus: Corpus
    limits: Limits
    advance: Advance

    def whole(self, policy: Policy) -> Trainer:
        """The whole list replayed."""
        trainer = self._trainer(policy)
        while (done := trainer.learned) < self._merges:
            self.advance(trainer.learn(self._merges, SLICE_S) - done)
        return trainer

    def refuted(self, policy: Policy, ties: list[int]) -> int | None:
        """The first rank that took one of several maxima, and not the one of the policy's tie rule.

        Args:
            policy: the tie rule, and the way of counting.
            ties: the ranks at which the pair taken was one of several maxima.
        """
        trainer = self._trainer(policy)
        found: int | None = None
        for rank in ties:
            while (done := trainer.learned) <= rank:
                self.advance(trainer.learn(rank + 1, SLICE_S) - done)
            if _refuting(trainer, rank):
                found = rank
                break
        self.advance(self._merges - trainer.learned)
        return found

    @property
    def _merges(self) -> int:
        return len(self.entries.merges.pairs)

    def _trainer(self, policy: Policy) -> Trainer:
        return Trainer(self.corpus, policy, self.limits, given=self.entries.merges.given)


def replay(entries: Entries, corpus: Corpus, limits: Limits, advance: Advance) -> tuple[Replay, list[Finding]]:
    """Replay a list on a corpus's training documents.

    Raises:
        TokenizerRefusal: for a list whose merges are out of order or repeated.
        LimitRefusal: when the corpus exceeds a limit, or would need too much memory.
    """
    replayer = _Replayer(entries, corpus, limits, advance)
    policy = entries.merges.policy.changed(budget=None, exact=False, special_tokens=(), id_layout="raw")
    trainer = replayer.whole(policy)
    findings = list(_findings(entries, trainer))
    base = len(trainer.units.alphabet.tokens)
    kept = [*range(entries.base), *range(base, base + trainer.learned)]
    used = sum(trainer.kernel.frequency(token) > 0 for token in kept)
    counts = tuple(trainer.kernel.evidence[rank].candidate_count for rank in range(trainer.learned))
    fired = sum(count > 0 for count in counts)
    maxima: dict[str, int] = {}
    tied: dict[str, int] = {}
    rules: list[TieRule] = []
    for counting in sorted(CHOICES["counting"], key=lambda choice: choice != policy.counting):
        counted = policy.changed(counting=counting)
        if counting != policy.counting:
            trainer = replayer.whole(counted)
        maxima[counting], ties = _maxima(trainer)
        tied[counting] = len(ties)
        del trainer  # the next ones need its memory
        for rule in CHOICES["tie_break"]:
            refuted = replayer.refuted(counted.changed(tie_break=rule), ties) if ties else None
            rules.append(TieRule(counting, rule, refuted))
    return Replay(corpus.name, counts, fired, used, len(kept), maxima, tied, tuple(rules)), findings


def _refuting(trainer: Trainer, rank: int) -> bool:
    """Whether the policy's tie rule would have taken the runner-up of a rank."""
    taken = trainer.kernel.evidence[rank]
    vocabulary = cast(list[Token], trainer.vocabulary)
    mergeable = Mergeable(trainer.policy, vocabulary, lambda pair: trainer.kernel.occurrences(pair, 1)[0])
    if mergeable.moving:
        trainer.seek(rank)
    assert taken.runner_up is not None, "one of several maxima leaves another"
    return bool(mergeable.key(taken.runner_up) < mergeable.key(taken.pair))


def _maxima(trainer: Trainer) -> tuple[int, list[int]]:
    """How many merges took a maximum, and the ranks at which it was one of several."""
    maxima, ties = 0, []
    for rank in range(trainer.learned):
        taken = trainer.kernel.evidence[rank]
        maxima += _is_maximum(taken)
        if _is_maximum(taken) and taken.candidate_count == taken.runner_up_count:
            ties.append(rank)
    return maxima, ties


def _is_maximum(taken: Evidence) -> bool:
    return taken.candidate_count > 0 and taken.candidate_count >= taken.runner_up_count


def _findings(entries: Entries, trainer: Trainer) -> Iterator[Finding]:
    """What each merge's counts say; one that never fires says nothing more."""
    base = len(trainer.units.alphabet.tokens)
    before: int | None = None
    for rank in range(trainer.learned):
        taken = trainer.kernel.evidence[rank]
        count = taken.candidate_count
        if count == 0:
            yield entries.finding("never-fires", rank, f"{entries.pair(rank)} does not occur at its turn")
        elif not _is_maximum(taken) and taken.runner_up is not None:
            better = _spelled(trainer, taken.runner_up)
            yield entries.finding("not-maximum", rank, f"counts {count}, where {better} counts {taken.runner_up_count}")
        if before is not None and count > before:
            yield entries.finding("rising", rank, f"counts {count}, rank {rank - 1} before it {before}")
        if count and trainer.kernel.frequency(base + rank) == 0:
            yield entries.finding("intermediate", rank, f"made {taken.replacements} times, all used by later merges")
        before = count


def _spelled(trainer: Trainer, pair: Pair) -> str:
    """A pair of the run, which may have base tokens that only the corpus has."""
    return " + ".join(quoted(trainer.vocabulary[side].data) for side in pair)

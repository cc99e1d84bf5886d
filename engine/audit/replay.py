"""Findings that need a corpus: the list replayed on it, with the true count of every merge at its turn.

A greedy trainer takes a pair that no other exceeds, so its counts never rise; which ties it took tells its rule. A list
that breaks this was made from another corpus, by another boundary, or not by exact counting.
"""

from collections.abc import Iterator, Sequence

from engine.audit.entries import Entries
from engine.audit.findings import Advance, Explained, Finding, Replay, TieRule
from engine.corpus.document import Corpus
from engine.cuts import explaining_cut
from engine.errors import LimitRefusal
from engine.kernel import Kernel, Pair
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.orders import TIES, Order
from engine.policy import CHOICES, Policy
from engine.quoting import quoted
from engine.replayer import Replayer, is_maximum, untold
from engine.trainer import Trainer

RUNS = len(CHOICES["counting"]) * (1 + len(CHOICES["tie_break"]))
"""Replays of the list by its own boundary: under each way of counting one for the counts and one for each tie rule."""


def replay(
    entries: Entries, corpus: Corpus, limits: Limits, advance: Advance, memory_limit: int | None
) -> tuple[Replay, list[Finding]]:
    """Replay a list on a corpus's training documents.

    Raises:
        TokenizerRefusal: for a list whose merges are out of order or repeated.
        LimitRefusal: when the corpus exceeds a limit, or would need too much memory.
    """
    merges = entries.merges
    policy = merges.policy.changed(budget=None, exact=False, special_tokens=(), id_layout="raw")
    replayer = _replayer(merges, policy, corpus, limits, memory_limit)
    kernel, base = replayer.whole(policy, advance), len(replayer.units.alphabet.tokens)
    findings = list(_findings(entries, kernel, base))
    kept = [*range(entries.base), *range(base, base + len(merges.pairs))]
    used = sum(kernel.frequency(token) > 0 for token in kept)
    counts = tuple(taken.candidate_count for taken in kernel.evidence)
    fired = sum(count > 0 for count in counts)
    maxima: dict[str, int] = {}
    tied: dict[str, int] = {}
    rules: list[TieRule] = []
    for counting in sorted(CHOICES["counting"], key=lambda choice: choice != policy.counting):
        counted = policy.changed(counting=counting)
        if counting != policy.counting:
            kernel = replayer.whole(counted, advance)
        maxima[counting], ties = _maxima(kernel)
        tied[counting] = len(ties)
        del kernel  # the next ones need its memory
        rules += _rules(replayer, counted, ties, advance)
    explained = None
    if max(maxima.values()) < len(merges.pairs):
        explained = _explained(merges, policy, corpus, limits, memory_limit)
    return Replay(corpus.name, counts, fired, used, len(kept), maxima, tied, tuple(rules), explained), findings


def _replayer(merges: MergeList, policy: Policy, corpus: Corpus, limits: Limits, memory_limit: int | None) -> Replayer:
    return Replayer.of(Trainer(corpus, policy, limits, memory_limit=memory_limit, given=merges.given))


def _maxima(kernel: Kernel) -> tuple[int, list[int]]:
    """How many merges took a maximum, and the ranks at which it was one of several."""
    maxima, ties = 0, []
    for rank, taken in enumerate(kernel.evidence):
        if is_maximum(taken):
            maxima += 1
            if taken.candidate_count == taken.runner_up_count:
                ties.append(rank)
    return maxima, ties


def _rules(replayer: Replayer, policy: Policy, ties: Sequence[int], advance: Advance) -> Iterator[TieRule]:
    for rule in CHOICES["tie_break"]:
        yield TieRule(policy.counting, rule, replayer.refuted(policy, Order(rule, TIES[rule]), ties, advance))


def _explained(
    merges: MergeList, policy: Policy, corpus: Corpus, limits: Limits, memory_limit: int | None
) -> Explained | None:
    """Another way to cut under which every merge takes a maximum, where the limits allow to look for it."""
    cut = explaining_cut(merges, policy, corpus, limits, memory_limit=memory_limit)
    if cut is None:
        return None
    policy = cut.of(policy)
    try:
        replayer = _replayer(merges, policy, corpus, limits, memory_limit)
        _, ties = _maxima(replayer.whole(policy))
        return Explained(cut, len(ties), tuple(_rules(replayer, policy, ties, untold)))
    except LimitRefusal:
        return None


def _findings(entries: Entries, kernel: Kernel, base: int) -> Iterator[Finding]:
    """What each merge's counts say; one that never fires says nothing more."""
    before: int | None = None
    for rank, taken in enumerate(kernel.evidence):
        count = taken.candidate_count
        if count == 0:
            yield entries.finding("never-fires", rank, f"{entries.pair(rank)} does not occur at its turn")
        elif not is_maximum(taken) and taken.runner_up is not None:
            better = _spelled(kernel, taken.runner_up)
            yield entries.finding("not-maximum", rank, f"counts {count}, where {better} counts {taken.runner_up_count}")
        if before is not None and count > before:
            yield entries.finding("rising", rank, f"counts {count}, rank {rank - 1} before it {before}")
        if count and kernel.frequency(base + rank) == 0:
            yield entries.finding("intermediate", rank, f"made {taken.replacements} times, all used by later merges")
        before = count


def _spelled(kernel: Kernel, pair: Pair) -> str:
    """A pair of the run, which may have base tokens that only the corpus has."""
    return " + ".join(quoted(kernel.vocabulary[side].data) for side in pair)

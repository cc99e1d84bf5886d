"""What is wrong, odd or worth knowing about a merge list, whoever trained it."""

from collections.abc import Callable, Iterable

from engine.audit import boundary, reach, structure
from engine.audit.entries import Entries
from engine.audit.findings import CORPUS_KINDS, KINDS, LIST_KINDS, Finding, Report
from engine.audit.replay import RUNS, replay
from engine.corpus.document import Corpus
from engine.limits import Limits
from engine.merge_list import MergeList

AUDIT_LIMITS = Limits(token_bytes=1 << 20, vocabulary_bytes=1 << 25)
"""Bounds of the vocabulary that is spelled out: o200k_base, the largest published, needs 1.4 MB."""
Tell = Callable[[int, int | None], None]


def audit(
    merges: MergeList,
    corpus: Corpus | None = None,
    limits: Limits = AUDIT_LIMITS,
    tell: Tell | None = None,
    memory_limit: int | None = None,
) -> Report:
    """Look at a list, and at what it does on a corpus's training documents.

    Args:
        merges: the list; its merges may be out of order, repeat each other, or name tokens that are not there.
        corpus: what to replay it on.
        limits: bounds of the vocabulary, of encoding and of the replay.
        tell: hears the steps of work done and in all.
        memory_limit: as for `Trainer`.

    Raises:
        LimitRefusal: when the vocabulary or the corpus exceeds a limit.
        PolicyRefusal: when the list's boundary pattern cannot be used.
    """
    entries = Entries(merges, limits)
    advance = _counter(tell, len(merges.pairs) * (2 if corpus is None else 2 + RUNS))
    found: dict[str, list[Finding]] = {kind: [] for kind in (LIST_KINDS if corpus is None else KINDS)}

    def take(findings: Iterable[Finding]) -> None:
        for finding in findings:
            found[finding.kind].append(finding)

    for look in (
        structure.remarks,
        structure.out_of_order,
        structure.repeated,
        structure.equal,
        structure.shared_ids,
        structure.missing_ids,
        structure.partial,
        boundary.idle_pattern,
    ):
        take(look(entries))
    regular = not found["out-of-order"] and not found["repeated"]
    encoder = reach.Reach(entries, limits, regular)
    take(reach.unreachable(entries, encoder, advance))
    take(reach.orphans(entries, encoder))
    take(reach.specials(entries, encoder))
    take(boundary.cut(entries, advance))
    replayed = None
    if corpus is not None and regular:
        replayed, findings = replay(entries, corpus, limits, advance, memory_limit)
        take(findings)
    elif corpus is not None:
        why = "the list is not replayed on the corpus, since merges are out of order or repeated"
        take([Finding("remark", None, None, b"", why)])
    return Report(merges, found, structure.utf8(entries), replayed)


def _counter(tell: Tell | None, total: int) -> Callable[[int], None]:
    done = 0

    def advance(steps: int) -> None:
        nonlocal done
        before, done = done, done + steps
        if tell is not None and before >> 10 != done >> 10:  # not at every step: a bar costs more than many steps
            tell(done, total)

    return advance


__all__ = ["AUDIT_LIMITS", "CORPUS_KINDS", "KINDS", "LIST_KINDS", "Finding", "Report", "audit"]

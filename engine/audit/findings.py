"""What an audit says: findings by kind, and numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.cuts import Cut
from engine.merge_list import MergeList
from engine.utf8 import Utf8Class

Advance = Callable[[int], None]
"""Hears how many more steps of work are done."""

LIST_KINDS = {
    "remark": "what the file says that is not honoured",
    "out-of-order": "merges of a token that is made later, or never",
    "repeated": "merges of a pair that an earlier merge joins already",
    "equal": "entries with the bytes of an earlier entry",
    "unreachable": "merged entries whose own bytes encode to something else",
    "orphan": "entries that no merge makes",
    "shared-id": "ids that more than one entry has",
    "missing-id": "ids between the lowest and the highest that no entry has",
    "pattern": "a boundary pattern that matches nothing",
    "cut": "merged entries that the boundary cuts in every context tried",
    "partial-utf8": "merged entries that are not whole characters",
    "special-built": "special tokens whose text the merges make one token",
    "special-as-text": "special tokens whose text also encodes to content",
}
"""Kinds that need no corpus, and what they hold."""
CORPUS_KINDS = {
    "never-fires": "merges whose pair does not occur at their turn",
    "not-maximum": "merges of a pair that another exceeds at their turn",
    "rising": "merges that count more than the merge before them",
    "intermediate": "entries that later merges use up wholly",
}
"""Kinds that need a corpus, and what they hold."""
KINDS = {**LIST_KINDS, **CORPUS_KINDS}
STRUCTURAL = ("out-of-order", "repeated", "equal", "unreachable", "orphan", "shared-id", "missing-id")
"""Kinds that no list has which one training run made: every merge replaces all its matches, left to right."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found.

    Attributes:
        kind: one of `KINDS`.
        id: the outside id of the entry concerned; None where it is no entry.
        rank: the merge concerned; None where it is no merge.
        data: the entry's byte expansion.
        sentence: what was found, in printable ASCII.
    """

    kind: str
    id: int | None
    rank: int | None
    data: bytes
    sentence: str


@dataclass(frozen=True, slots=True)
class TieRule:
    """Whether a tie rule can have made the list.

    Attributes:
        counting: the way of counting under which ties were looked for.
        rule: a value of the policy's `tie_break`.
        refuted: the first rank that takes a maximum which this rule would not have taken; None while it is possible.
    """

    counting: str
    rule: str
    refuted: int | None


@dataclass(frozen=True, slots=True)
class Explained:
    """Another boundary than the list's, under which every merge takes a maximum.

    Attributes:
        cut: the way to cut.
        tied: merges that take one of several maxima.
        rules: every tie rule, under the list's way of counting.
    """

    cut: Cut
    tied: int
    rules: tuple[TieRule, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """The list replayed on a corpus.

    Attributes:
        corpus: its name.
        counts: the candidate count of each merge at its turn.
        fired: merges whose pair occurred at their turn.
        used: base tokens and merged entries that occur when the corpus is encoded.
        entries: base tokens and merged entries in all.
        maxima: for each way of counting, merges whose pair no other exceeds at their turn.
        tied: those of them that had others with the same count: only these tell tie rules apart.
        rules: every tie rule under every way of counting.
        explained: another boundary that explains the list; None where no known one does, or none is needed.
    """

    corpus: str
    counts: tuple[int, ...]
    fired: int
    used: int
    entries: int
    maxima: dict[str, int]
    tied: dict[str, int]
    rules: tuple[TieRule, ...]
    explained: Explained | None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an audit.

    Attributes:
        merges: what was looked at.
        findings: of every kind that was looked for, in order of rank or id; empty where nothing was found.
        utf8: merged entries by the class of their bytes.
        replay: None without a corpus, or where the list cannot be replayed (see the kind `remark`).
    """

    merges: MergeList
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    utf8: dict[Utf8Class, int] = field(default_factory=dict)
    replay: Replay | None = None

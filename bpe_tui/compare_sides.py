"""What stands on a side of a comparison: a profile or a policy line trained on the corpus, or a list from a file."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bpe_tui.merge_sources import merge_list_from
from engine.compare import Side, recut, replayed, trained
from engine.corpus.document import Corpus, Document
from engine.errors import FormatRefusal
from engine.limits import FILE_LIMITS, UNLIMITED, Limits
from engine.merge_list import MergeList
from engine.policy import Policy, parse_policy
from engine.profiles import PROFILES, profile
from engine.quoting import quoted
from engine.replayer import SLICE_S
from engine.trainer import Trainer
from sessions.restore import Tell, no_one

KNOWN_FORMATS = ("run", "artifact")
"""Formats of ours: their policy is the whole rule that chose the merges."""
Told = Callable[[int, int | None], None]
"""Hears (merges learned, merges asked for); what it raises ends the work."""
MOST_TEXT = 1 << 24
"""Bytes of text that are encoded by both sides; a second or two of work."""


@dataclass(frozen=True, slots=True)
class Source:
    """A side before its work: either a list, or a policy to train by."""

    name: str
    merges: MergeList | None
    policy: Policy
    limits: Limits

    @property
    def budget(self) -> int | None:
        """The merges that it says by itself."""
        return self.policy.budget if self.merges is None else len(self.merges.pairs)


def source_of(name: str, tell: Tell = no_one, limits: Limits = FILE_LIMITS) -> Source:
    """What a name stands for: a policy line, a profile, else a file; a file that is named like a profile is `./NAME`.

    `tell` hears where a session's corpus is read from; `limits` are ours for what a file says.

    Raises:
        Refusal: for a line or a file that cannot be read, or a name that is nothing of these.
    """
    if name.startswith("bpe "):
        return Source(name, None, parse_policy(name), UNLIMITED)
    if name in PROFILES:
        found = profile(name)
        return Source(name, None, found.policy, found.limits)
    if not os.path.exists(name):
        raise FormatRefusal(f"{quoted(name)} is neither a profile nor a file: the profiles are {', '.join(PROFILES)}")
    merges = merge_list_from(name, limits, tell=tell)
    return Source(name, merges, merges.policy, UNLIMITED)


def merges_of_each(asked: int | None, *sources: Source) -> list[int | None] | None:
    """How many merges each side learns: those asked for, else its own, else as many as the other side's list has.

    Returns:
        Per source a number, or None where the source says it by itself; None when one has nothing to go by.
    """
    if asked is not None:
        return [asked] * len(sources)
    lists = [source.budget for source in sources if source.merges is not None]
    if not lists and any(source.budget is None for source in sources):
        return None
    return [None if source.budget is not None else lists[0] for source in sources]


def side_of(
    source: Source,
    corpus: Corpus,
    budget: int | None,
    told: Told,
    kernel: str = "auto",
    memory_limit: int | None = None,
) -> Side:
    """The side, trained where it is a policy.

    Args:
        source: what to train or replay.
        corpus: the corpus of the comparison.
        budget: merges to learn where the source is a policy; None as the policy says.
        told: hears of the progress.
        kernel: as for `Trainer`.
        memory_limit: as for `Trainer`.

    Raises:
        Refusal: as `Trainer`.
    """
    if source.merges is not None:
        known = source.merges.format in KNOWN_FORMATS
        side = replayed(source.name, source.merges, corpus, known=known, kernel=kernel, memory_limit=memory_limit)
        return side if known else recut(side, lambda ranks: told(side.trainer.learned, None), memory_limit)
    policy = source.policy
    if budget is not None:
        policy = policy.changed(budget=budget, budget_unit="merges")
    trainer = Trainer(corpus, policy, source.limits, kernel, memory_limit)
    learn(trainer, told)
    return trained(source.name, trainer)


def learn(trainer: Trainer, told: Told) -> None:
    """Learn until the budget is used or no pair is left."""
    for learned, budget in trainer.learning(SLICE_S):
        told(learned, budget)


@dataclass(frozen=True, slots=True)
class Texts:
    """What both sides encode: held-out documents, or the training documents where none is held out.

    Attributes:
        documents: them.
        kind: what one of them is called.
        taken: the bytes that are encoded, of the first documents.
        size: all their bytes.
    """

    documents: Sequence[Document]
    kind: str
    taken: int
    size: int

    def __iter__(self) -> Iterator[bytes]:
        """The texts; the last one may be the start of a document."""
        left = self.taken
        for document in self.documents:
            text = document.data[:left]
            if len(text) < len(document.data) and not text:
                return
            left -= len(text)
            yield text

    @property
    def remark(self) -> str:
        """What is left out, in words; empty where nothing is."""
        return "" if self.taken == self.size else f"encoded are the first {self.taken:,} of {self.size:,} bytes"


def compared_texts(corpus: Corpus, most: int = MOST_TEXT) -> Texts:
    """The texts of a corpus that both sides encode, up to so many bytes."""
    documents, kind = corpus.held_out, "held-out document"
    if not documents:
        documents, kind = corpus.training, "training document"
    size = sum(len(document.data) for document in documents)
    return Texts(documents, kind, min(size, most), size)

"""A run against another list: everything that the compare screen shows, made in a thread of its own."""

from dataclasses import dataclass

from bpe_tui.compare_sides import Texts, Told, compared_texts, merges_of_each, side_of, source_of
from engine.alignment import Stretch, places, stretches
from engine.compare import Agreement, Divergence, Joined, Side, agreement, divergence, joined, replayed
from engine.corpus.document import Corpus
from engine.cuts import Cut
from engine.errors import Refusal
from engine.limits import Limits
from engine.merge_list import MergeList, merge_list_of
from engine.parting import Sentence, parting
from engine.policy import Policy
from engine.trainer import Trainer

OWN_NAME = "this run"
MOST_ALIGNED = 4_096
"""Bytes of the text that is drawn side by side."""
MOST_COMPARED = 1 << 22
"""Bytes of the documents that both encode."""


@dataclass(frozen=True, slots=True)
class OwnRun:
    """What a comparison needs of a run; nothing of it is the trainer's own, so that the run can go on."""

    merges: MergeList
    policy: Policy
    limits: Limits
    kernel: str
    corpus: Corpus

    @classmethod
    def of(cls, trainer: Trainer) -> "OwnRun":
        """All that a trainer has learned."""
        merges = merge_list_of(trainer, trainer.learned)
        return cls(merges, trainer.policy, trainer.limits, trainer.kernel.name, trainer.corpus)


@dataclass(frozen=True, slots=True)
class Compared:
    """What came out.

    Attributes:
        names: what A and B are called.
        lists: the merges of both by rank.
        ranks: for each list, the rank of each merge.
        where: where they part; None where they are equal to the end.
        sentence: which rule parted them.
        cut: what counting found of how B's text is cut; None where its file tells it.
        agreement: how much is equal.
        texts: what was encoded for that.
        text: the text that is drawn side by side.
        parts: its stretches.
        refusal: why it cannot be encoded by both; empty where it can.
    """

    names: tuple[str, str]
    lists: tuple[list[Joined], list[Joined]]
    ranks: tuple[dict[Joined, int], dict[Joined, int]]
    where: Divergence | None
    sentence: Sentence
    cut: Cut | None
    agreement: Agreement
    texts: Texts
    text: bytes
    parts: tuple[Stretch, ...]
    refusal: str


def compare_with(own: OwnRun, name: str, text: bytes, told: Told, memory_limit: int | None = None) -> Compared:
    """Compare a run with a profile, a policy line or a file.

    Args:
        own: the run.
        name: the other side, as in `source_of`.
        text: what is drawn side by side; its first bytes are taken.
        told: hears of the progress all the time; what it raises ends the work.
        memory_limit: as for `Trainer`.

    Raises:
        Refusal: as `source_of` and `side_of`.
    """
    source = source_of(name)
    asked = len(own.merges.pairs)
    budget = (merges_of_each(None, source) or [asked])[0]
    b = side_of(source, own.corpus, budget, told, own.kernel, memory_limit)
    a = replayed(
        OWN_NAME,
        own.merges,
        own.corpus,
        known=True,
        limits=own.limits,
        kernel=own.kernel,
        memory_limit=memory_limit,
        policy=own.policy,
    )

    def pause() -> None:
        told(b.trainer.learned, None)

    where = divergence(a, b, pause)
    texts = compared_texts(own.corpus, MOST_COMPARED)
    found = agreement(a.merges, b.merges, texts, pause)
    lists = joined(a.merges), joined(b.merges)
    parts, refusal = _side_by_side(a, b, text[:MOST_ALIGNED])
    return Compared(
        names=(a.name, b.name),
        lists=lists,
        ranks=(_ranks(lists[0]), _ranks(lists[1])),
        where=where,
        sentence=parting(a, b, where, lambda ranks: pause()).sentence if where else (),
        cut=b.cut,
        agreement=found,
        texts=texts,
        text=text[:MOST_ALIGNED],
        parts=parts,
        refusal=refusal,
    )


def _ranks(merges: list[Joined]) -> dict[Joined, int]:
    return {pair: rank for rank, pair in enumerate(merges)}


def _side_by_side(a: Side, b: Side, text: bytes) -> tuple[tuple[Stretch, ...], str]:
    found = []
    for side in (a, b):
        tokenizer = side.merges.tokenizer()
        try:
            found.append(places(text, tokenizer.pieces(tokenizer.encode(text))))
        except Refusal as refusal:
            return (), str(refusal)
    return tuple(stretches(found[0], found[1], len(text))), ""

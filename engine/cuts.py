"""Known ways to cut a text, and which of them explains a merge list whose file does not say it, or says another."""

from dataclasses import dataclass

from engine.corpus.document import Corpus
from engine.errors import LimitRefusal, PolicyRefusal
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.profiles import PROFILES
from engine.replayer import SLICE_S, Told, is_maximum, untold
from engine.trainer import Trainer

MOST = 1 << 24
"""Bytes of the largest text on which slow cuts are tried."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to cut a text.

    Attributes:
        boundary: as in the policy.
        words: what is done, in words.
        unmatched: as in the policy.
        slow: whether a large text takes long and much memory, since its pieces hardly repeat.
    """

    boundary: str
    words: str
    unmatched: str = "kept"
    slow: bool = False

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles that cut so."""
        return tuple(profile.name for profile in PROFILES.values() if profile.policy.boundary == self.boundary)

    def of(self, policy: Policy) -> Policy:
        """Another's policy with this cut.

        Raises:
            PolicyRefusal: where it contradicts another field.
        """
        return policy.changed(boundary=self.boundary, unmatched=self.unmatched)


KNOWN_CUTS = (
    Cut("gpt2", "text is cut by GPT-2's pattern"),
    Cut("cl100k", "text is cut by cl100k's pattern"),
    Cut("o200k", "text is cut by o200k's pattern"),
    Cut("whitespace", "text is split at white space, which is lost", "dropped"),
    Cut("gpt2-by-line", "text is read line by line, and each line cut by GPT-2's pattern"),
    Cut("cl100k-by-line", "text is read line by line, and each line cut by cl100k's pattern"),
    Cut("o200k-by-line", "text is read line by line, and each line cut by o200k's pattern"),
    Cut("line", "text is cut at line ends only", slow=True),
    Cut("document", "text is not cut: pairs reach from one pre-token into the next", slow=True),
)
"""In the order in which they are tried, the fast ones first."""


def explaining_cut(
    merges: MergeList,
    policy: Policy,
    corpus: Corpus,
    limits: Limits,
    told: Told = untold,
    memory_limit: int | None = None,
) -> Cut | None:
    """The first known cut of a corpus under which every merge of a list takes a maximum; None where there is none.

    Args:
        merges: the list.
        policy: its rules, under which not every merge takes one.
        corpus: what it may have been learned from.
        limits: bounds of the work; what exceeds them is not tried.
        told: hears of the ranks that are replayed; what it raises ends the work.
        memory_limit: as in `Trainer`; a cut that needs more is not tried.
    """
    size = sum(len(document.data) for document in corpus.training)
    for cut in KNOWN_CUTS:
        if cut.boundary == policy.boundary or (cut.slow and size > MOST):
            continue
        try:
            trainer = Trainer(corpus, cut.of(policy), limits, memory_limit=memory_limit, given=merges.given)
            if takes_maxima(trainer, told):
                return cut
        except (LimitRefusal, PolicyRefusal):  # too large, or words with a mark at their end and no words
            continue
    return None


def takes_maxima(trainer: Trainer, told: Told = untold) -> bool:
    """Whether every merge of the list that a trainer was given takes a maximum; learned as far as that holds."""
    wanted = len(trainer.given.pairs)
    while (done := trainer.learned) < wanted:
        told(trainer.learn(wanted, SLICE_S) - done)
        if not all(is_maximum(trainer.kernel.evidence[rank]) for rank in range(done, trainer.learned)):
            return False
    return True

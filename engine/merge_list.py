"""A tokenizer as data: what every file format holds, whoever trained it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.alphabet import Alphabet, Token, alphabet_of, build_alphabet
from engine.given import Given
from engine.kernel.base import Pair
from engine.layout import CONTROLS, Layout
from engine.limits import Limits
from engine.policy import Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

CONTROL_TEXTS = ("<|bos|>", "<|eos|>")
"""What BOS and EOS are called in files that need a text for them: here they have none."""


@dataclass(frozen=True, slots=True)
class MergeList:
    """Base tokens, merges, and the ids that the outside world knows them by.

    Kernel ids, which `pairs` are made of, count the base tokens in their order and then one per merge.

    Attributes:
        name: what messages call it: a file's name, or the run's corpus.
        format: the format it was read from, or `run`.
        policy: what is known of how it was trained and how it cuts a text; raw id layout, no special tokens.
        alphabet: the base tokens.
        pairs: the merges by rank.
        ids: the outside id of each kernel id.
        specials: special and added tokens, each with its outside id.
        orphans: entries that are neither base tokens nor special nor made by a merge: outside id and bytes.
        remarks: what the file says that is not honoured, in words.
        framed: whether its special tokens of ids 0 and 1 are BOS and EOS, which stand around every text.
    """

    name: str
    format: str
    policy: Policy
    alphabet: tuple[Token, ...]
    pairs: tuple[Pair, ...]
    ids: Sequence[int]
    specials: tuple[tuple[str, int], ...] = ()
    orphans: tuple[tuple[int, bytes], ...] = ()
    remarks: tuple[str, ...] = ()
    framed: bool = False

    @property
    def given(self) -> Given:
        """Its merges as those that a trainer starts from."""
        return Given(self.alphabet, self.pairs, self.name)

    @property
    def run_policy(self) -> Policy:
        """The policy of a run over its merges, whose ids are the outside ones where a layout says so.

        Special tokens are the policy's where their ids lie before all others but BOS and EOS; where the
        ids are those of no layout, a run counts from 0. Where bytes are missing, only the corpus's own come behind.
        """
        specials = [(text, i) for text, i in self._specials_by_id() if not (self.framed and i in CONTROLS)]
        policy = self.policy.changed(budget=len(self.pairs), budget_unit="merges")
        if policy.alphabet == "bytes" and not {*build_alphabet(policy, ()).tokens} <= {*self.alphabet}:
            policy = policy.changed(base_bytes="seen")
        for before, layout in ((0, "raw"), (len(CONTROLS), "framed")):
            first = before + len(specials)
            if [i for _, i in specials] == [*range(before, first)] and [*self.ids[:1]] == [first]:
                return policy.changed(special_tokens=tuple(text for text, _ in specials), id_layout=layout)
        return policy

    @property
    def frames(self) -> bool:
        """Whether a run over it frames documents by BOS and EOS, and nothing else has their ids."""
        return self.run_policy.id_layout == "framed" and not any(i in CONTROLS for i, _ in self.orphans)

    def special_tokens(self, names: Collection[str] = ()) -> list[tuple[str, int]]:
        """Special tokens by id, BOS and EOS among them where documents are framed.

        Args:
            names: what BOS and EOS must not be called.
        """
        specials = self._specials_by_id()
        if self.framed or not self.frames:
            return specials
        taken = {*names, *(text for text, _ in specials)}
        return [*((_free(text, taken), i) for text, i in zip(CONTROL_TEXTS, CONTROLS, strict=True)), *specials]

    def _specials_by_id(self) -> list[tuple[str, int]]:
        return sorted(self.specials, key=lambda special: special[1])

    def base(self) -> Alphabet:
        """The base tokens as an alphabet."""
        return alphabet_of(self.policy, self.alphabet)

    def tokenizer(self, limits: Limits | None = None) -> Tokenizer:
        """An encoder whose ids are kernel ids; `ids` gives the outside ones.

        Raises:
            TokenizerRefusal: for a merge of an unknown token, or one that repeats an earlier one.
            LimitRefusal: when an expansion or the vocabulary exceeds its limit.
        """
        return Tokenizer.from_pairs(self.policy, self.base(), self.pairs, limits)

    def tokens(self) -> list[Token]:
        """The content of each kernel id."""
        found = list(self.alphabet)
        for left, right in self.pairs:
            found.append(found[left] + found[right])
        return found


def _free(text: str, taken: Collection[str]) -> str:
    """A control's text that nothing else has."""
    while text in taken:
        text = text.replace("|>", "_|>")
    return text


def merge_list_of(trainer: Trainer, rank: int | None = None) -> MergeList:
    """The first merges of a run, by default those applied now, with the ids of its layout."""
    merges = trainer.rank if rank is None else rank
    tokens = trainer.units.alphabet.tokens
    return learned_list(trainer.corpus.name, trainer.policy, tokens, trainer.merge_list()[:merges])


def learned_list(name: str, policy: Policy, alphabet: tuple[Token, ...], pairs: Sequence[Pair]) -> MergeList:
    """Merges learned under a policy, with the ids of its layout."""
    layout = Layout(policy, len(alphabet))
    first = layout.offset - len(layout.specials)
    return MergeList(
        name=name,
        format="run",
        policy=policy.changed(special_tokens=(), id_layout="raw"),
        alphabet=alphabet,
        pairs=tuple(pairs),
        ids=range(layout.offset, layout.size(len(pairs))),
        specials=tuple((text, first + at) for at, text in enumerate(layout.specials)),
    )

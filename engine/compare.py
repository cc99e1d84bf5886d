"""Two merge lists over one corpus: where they part, what each counts there, and how much of them agrees.

Lists are compared by content, since ids differ from trainer to trainer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from engine.alphabet import Token
from engine.corpus.document import Corpus
from engine.cuts import Cut, explaining_cut, takes_maxima
from engine.errors import LimitRefusal, TokenizerRefusal
from engine.kernel import Pair
from engine.limits import Limits
from engine.merge_list import MergeList, merge_list_of
from engine.policy import Policy
from engine.replayer import SLICE_S, Told, untold
from engine.trainer import Trainer

Joined = tuple[Token, Token]
"""What a merge joins, by content: bytes and end-of-word marks, whatever base symbols they cover."""
FIRST_TIES = 8
"""Members of a tie set that are named."""


def content(token: Token) -> Token:
    """A token by what it stands for alone."""
    return Token(token.data, token.ends_word)


def joined(merges: MergeList) -> list[Joined]:
    """What each merge joins, by rank."""
    tokens = [content(token) for token in merges.tokens()]
    return [(tokens[left], tokens[right]) for left, right in merges.pairs]


@dataclass(frozen=True, slots=True)
class Side:
    """One of two lists.

    Attributes:
        name: what the user called it.
        merges: the list.
        trainer: its own run over the corpus, or a replay of the list on it.
        known: whether the policy is what chose the merges; a foreign file only tells a part of it.
        cut: how the text is cut, where counting found another way than the file tells.
    """

    name: str
    merges: MergeList
    trainer: Trainer
    known: bool
    cut: Cut | None = None

    @property
    def ending(self) -> str:
        """Why the list ends, in words."""
        return self.trainer.stop_reason or f"its list has {len(self.merges.pairs):,} merges"


def trained(name: str, trainer: Trainer) -> Side:
    """The side of a run: everything that it has learned."""
    return Side(name, merge_list_of(trainer, trainer.learned), trainer, known=True)


def replayed(
    name: str,
    merges: MergeList,
    corpus: Corpus,
    *,
    known: bool,
    limits: Limits | None = None,
    kernel: str = "auto",
    memory_limit: int | None = None,
    policy: Policy | None = None,
) -> Side:
    """The side of a list that was made elsewhere, by its own policy or another; refusals as in `Trainer`.

    The special tokens of a list of ours were cut out of its corpus, wherever their ids stand.
    """
    if policy is None:
        own = merges.policy.changed(special_tokens=tuple(text for text, _ in merges.specials))
        policy = own if known else merges.run_policy
    policy = policy.changed(budget=None, exact=False)
    trainer = Trainer(corpus, policy, limits, kernel, memory_limit, given=merges.given)
    return Side(name, merges, trainer, known)


def recut(side: Side, told: Told = untold, memory_limit: int | None = None) -> Side:
    """The side of a foreign list, replayed by a known cut where its file's does not explain the list and that does.

    Cuts that need more memory than the limit are not tried.
    """
    trainer = side.trainer
    try:
        if takes_maxima(trainer, told):
            return side
    except LimitRefusal:  # behind what can be looked at; where the lists part may lie before it
        return side
    cut = explaining_cut(side.merges, trainer.policy, trainer.corpus, trainer.limits, told, memory_limit)
    if cut is None:
        return side
    policy, kernel = cut.of(trainer.policy), trainer.kernel.name
    again = Trainer(trainer.corpus, policy, trainer.limits, kernel, memory_limit, given=side.merges.given)
    return replace(side, trainer=again, cut=cut)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one side counts where the lists part, before either merge.

    Attributes:
        counts: the true counts of A's and of B's candidate; None for one that is missing, there or in this alphabet.
        best: the highest count of a pair that may be merged; 0 where none is left.
        ties: how many pairs that may be merged have it.
        first: the first of them, the one that the side's rule takes in front.
        maximal: for each candidate, whether it is among them.
    """

    counts: tuple[int | None, int | None]
    best: int
    ties: int
    first: tuple[Joined, ...]
    maximal: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two lists part.

    Attributes:
        rank: the first rank at which they differ.
        pairs: what A and B merge there; None where a list has ended.
        standings: what A's and what B's rules count there.
    """

    rank: int
    pairs: tuple[Joined | None, Joined | None]
    standings: tuple[Standing, Standing]


def first_difference(a: Sequence[Joined], b: Sequence[Joined]) -> int | None:
    """The first rank at which two lists differ; None where they are equal to the end."""
    return next((rank for rank, (left, right) in enumerate(zip_longest(a, b)) if left != right), None)


def divergence(a: Side, b: Side, pause: Callable[[], None] = lambda: None) -> Divergence | None:
    """Where two lists part, with the counts of both sides; None where they are equal to the end.

    Both trainers stand at that rank afterwards.

    Args:
        a: one side.
        b: the other.
        pause: called now and then; what it raises ends the work.
    """
    lists = joined(a.merges), joined(b.merges)
    rank = first_difference(*lists)
    if rank is None:
        return None
    at_a, at_b = (pairs[rank] if rank < len(pairs) else None for pairs in lists)
    for side in (a, b):
        while side.trainer.seek(rank, SLICE_S) != rank:
            pause()
    pairs = at_a, at_b
    return Divergence(rank, pairs, (standing(a.trainer, pairs), standing(b.trainer, pairs)))


def standing(trainer: Trainer, pairs: tuple[Joined | None, Joined | None]) -> Standing:
    """What a trainer counts at its present rank."""
    kernel = trainer.kernel
    a, b = (find(trainer, pair) for pair in pairs)
    top = [(pair, count) for pair, count in kernel.top(1) if kernel.mergeable(pair, count)]
    best = top[0][1] if top else 0
    ties = kernel.tied(best) if top else 0
    tokens = trainer.vocabulary
    first = [(content(tokens[left]), content(tokens[right])) for (left, right), _ in kernel.top(min(ties, FIRST_TIES))]
    counts = tuple(None if pair is None else kernel.count(pair) for pair in (a, b))
    maximal = tuple(
        pair is not None and count == best and kernel.mergeable(pair, best)
        for pair, count in zip((a, b), counts, strict=True)
    )
    return Standing((counts[0], counts[1]), best, ties, tuple(first), (maximal[0], maximal[1]))


def find(trainer: Trainer, pair: Joined | None) -> Pair | None:
    """A pair's ids at the trainer's present rank; None where a token is missing."""
    if pair is None:
        return None
    known = len(trainer.units.alphabet.tokens) + trainer.rank
    ids: dict[Token, int] = {}
    for token in range(known):
        ids.setdefault(content(trainer.vocabulary[token]), token)
    left, right = (ids.get(content(token)) for token in pair)
    return None if left is None or right is None else (left, right)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How much of two lists is the same.

    Attributes:
        merges: the lengths of A's and B's list.
        prefix: merges before the first difference.
        common: merges in both, whatever their ranks.
        either: merges in at least one: the denominator of the Jaccard index, whose numerator is `common`.
        texts: texts encoded by both.
        equal: those whose tokens are the same bytes.
        refused: texts that one of them cannot encode, not counted in `texts`.
        tokens: tokens of A's and of B's encodings.
    """

    merges: tuple[int, int]
    prefix: int
    common: int
    either: int
    texts: int
    equal: int
    refused: int
    tokens: tuple[int, int]


def agreement(
    a: MergeList, b: MergeList, texts: Iterable[bytes], pause: Callable[[], None] = lambda: None
) -> Agreement:
    """Compare two lists as sets, and as encoders of texts; `pause` as in `divergence`.

    Raises:
        TokenizerRefusal: for a list that has a merge of an unknown token or one that repeats an earlier one.
    """
    lists = joined(a), joined(b)
    sets = set(lists[0]), set(lists[1])
    rank = first_difference(*lists)
    encoders, numbers = (a.tokenizer(), b.tokenizer()), _numbers(a, b)
    encoded = equal = refused = tokens_a = tokens_b = 0
    for text in texts:
        pause()
        try:
            ids = [encoder.encode(text) for encoder in encoders]
        except TokenizerRefusal:  # a character or byte that an alphabet lacks
            refused += 1
            continue
        encoded += 1
        tokens_a += len(ids[0])
        tokens_b += len(ids[1])
        equal += [numbers[0][i] for i in ids[0]] == [numbers[1][i] for i in ids[1]]
    return Agreement(
        merges=(len(lists[0]), len(lists[1])),
        prefix=len(lists[0]) if rank is None else rank,
        common=len(sets[0] & sets[1]),
        either=len(sets[0] | sets[1]),
        texts=encoded,
        equal=equal,
        refused=refused,
        tokens=(tokens_a, tokens_b),
    )


def _numbers(*lists: MergeList) -> list[list[int]]:
    """For each list, a number for each of its ids: equal for equal content, whatever the list."""
    numbers: dict[Token, int] = {}
    return [[numbers.setdefault(content(token), len(numbers)) for token in merges.tokens()] for merges in lists]

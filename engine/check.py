"""A merge list of somebody's own against a profile: the first wrong merge, and the mistakes that explain the list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.alphabet import Alphabet, Token
from engine.compare import Joined, Standing, content, find, first_difference, standing
from engine.errors import LimitRefusal
from engine.kernel import Kernel, Pair, kernel_class
from engine.mistakes import Mistake, known_mistakes
from engine.orders import TIES
from engine.parting import Sentence, spelled
from engine.replayer import SLICE_S, Replayer, greedy
from engine.trainer import Trainer

MOST_SLIPPED = 1 << 22
"""Base symbols up to which a kernel in Python is tried."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How far a mistake reproduces a list.

    Attributes:
        mistake: the mistake.
        merges: merges that it reproduces from the first on; more than the right ones.
        whole: whether that is the whole list.
    """

    mistake: Mistake
    merges: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first wrong merge.

    Attributes:
        rank: its rank.
        pairs: the right merge and the list's; None where either has ended.
        standing: the true counts of both there.
        sentence: what is wrong.
    """

    rank: int
    pairs: tuple[Joined | None, Joined | None]
    standing: Standing
    sentence: Sentence


def check(trainer: Trainer, wanted: Sequence[Joined]) -> Wrong | None:
    """Compare a list with all that a trainer has learned under the right policy; None where it is right."""
    right = learned(trainer.kernel)
    rank = first_difference(right, wanted)
    if rank is None:
        return None
    trainer.seek(rank)
    pairs = (right[rank] if rank < len(right) else None, wanted[rank] if rank < len(wanted) else None)
    found = standing(trainer, pairs)
    return Wrong(rank, pairs, found, _sentence(trainer, right, wanted, found))


def learned(kernel: Kernel, start: int = 0) -> list[Joined]:
    """What each learned merge joins, from a rank on."""
    tokens = kernel.vocabulary
    return [(content(tokens[left]), content(tokens[right])) for left, right in kernel.pairs(start)]


def _sentence(trainer: Trainer, right: list[Joined], wanted: Sequence[Joined], here: Standing) -> Sentence:
    """What is wrong at the trainer's rank."""
    rank, policy = trainer.rank, trainer.policy
    expected = right[rank] if rank < len(right) else None
    if rank == len(wanted):
        assert expected is not None, "one of two lists that differ goes on"
        return (f"the list ends before {trainer.learned:,} merges; next comes ", *spelled(expected),
                f", which counts {here.counts[0]:,}")  # fmt: skip
    own, mine = wanted[rank], here.counts[1]
    merges = ("the list merges ", *spelled(own))
    if own in wanted[:rank]:
        return (*merges, f", which is already merged at rank {wanted.index(own):,}")
    if mine is None:
        return (*merges, ", but ", *_missing(trainer, wanted, own))
    if expected is None:
        why = f"min_count is {policy.min_count}" if mine < policy.min_count else trainer.stop_reason
        return (*merges, f", which counts {mine:,}, but training has ended: {why}")
    if here.maximal[1]:
        return (f"both count {mine:,}; the tie goes to {TIES[policy.tie_break]}: ", *spelled(expected),
                ", not ", *spelled(own))  # fmt: skip
    turn = f" (its turn is rank {right.index(own):,})" if own in right else ""
    return (*merges, f", which counts {mine:,}{turn}; ", *spelled(expected), f" counts {here.counts[0]:,}")


def _missing(trainer: Trainer, wanted: Sequence[Joined], own: Joined) -> Sentence:
    """Which token of a merge is not there at the trainer's rank, and where the list makes it."""
    token = next(side for side in own if find(trainer, (side, side)) is None)
    makes = (at for at, (left, right) in enumerate(wanted) if content(left + right) == token)
    rank = next(makes, None)
    return (token, " is no base token and no merge makes it" if rank is None else f" is made only at rank {rank:,}")


# Trying them


def findings(
    right: Trainer, wanted: Sequence[Joined], wrong: Wrong, told: Callable[[int, int | None], None]
) -> list[Finding]:
    """The mistakes that give the wrong merge too, the one that reproduces most of the list first.

    Args:
        right: the trainer under the right policy.
        wanted: the list.
        wrong: its first wrong merge.
        told: hears (mistakes tried, mistakes there are) now and then; what it raises ends the work.
    """
    policy = right.policy.changed(budget=None, exact=False)
    replayer = Replayer(right.units, linked(wanted, right.units.alphabet), right.limits, right.kernel.name)
    stop, ties = greedy(replayer.whole(policy))
    mistakes = [m for m in known_mistakes(policy) if m.kernel is None or right.units.symbols <= MOST_SLIPPED]
    found = []
    for at, mistake in enumerate(mistakes):

        def pause(ranks: int = 0, at: int = at) -> None:
            told(at, len(mistakes))

        pause()
        try:
            if mistake.order is None:
                merges = _trained(mistake, right, wanted, wrong, pause)
            else:
                refuted = replayer.refuted(policy, mistake.order, ties, pause) if stop > wrong.rank else None
                merges = stop if refuted is None else refuted
        except LimitRefusal:  # a boundary that is crossed needs more memory than one that is kept
            continue
        if merges > wrong.rank:
            found.append(Finding(mistake, min(merges, len(wanted)), merges >= len(wanted)))
    return sorted(found, key=lambda finding: -finding.merges)


def _trained(
    mistake: Mistake, right: Trainer, wanted: Sequence[Joined], wrong: Wrong, pause: Callable[[], None]
) -> int:
    """Merges of the list that a mistake gives from the first on; one more where it also ends as the list does."""
    kernel = _kernel(mistake, right)
    equal, more = 0, True
    while more and equal < len(wanted):
        more = kernel.travel(len(wanted), SLICE_S)
        pause()
        for own in learned(kernel, equal):
            if own != wanted[equal]:
                return equal
            equal += 1
    ends = equal == len(wanted) and not any(kernel.mergeable(*best) for best in kernel.top(1))
    return equal + (ends and wrong.pairs[1] is None)


def _kernel(mistake: Mistake, right: Trainer) -> Kernel:
    """A kernel that makes the mistake, before its first merge."""
    kernel, units = kernel_class(right.kernel.name), right.units
    if mistake.kernel is not None:
        return mistake.kernel(units, mistake.policy, right.limits)
    if not mistake.weighted:
        return kernel(units.each_once(), mistake.policy, right.limits)
    return Trainer(right.corpus, mistake.policy, right.limits, kernel.name).kernel


def linked(wanted: Sequence[Joined], alphabet: Alphabet) -> list[Pair]:
    """The ids of a list's merges, up to the first that joins a token not made before, or repeats an earlier one."""
    ids = {content(token): i for i, token in enumerate(alphabet.tokens)}
    pairs: dict[Pair, None] = {}
    for left, right in wanted:
        first, second = ids.get(left), ids.get(right)
        if first is None or second is None or (first, second) in pairs:
            break
        ids.setdefault(Token(left.data + right.data, right.ends_word), len(alphabet.tokens) + len(pairs))
        pairs[first, second] = None
    return list(pairs)

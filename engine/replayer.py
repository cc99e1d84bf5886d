"""A merge list replayed with true counts: which merges took a maximum, and which orders chose at every tie."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from engine.alphabet import Token
from engine.kernel import Evidence, Kernel, Pair, kernel_class
from engine.kernel.base import Mergeable
from engine.limits import Limits
from engine.memory import check_memory, kernel_need
from engine.orders import Order, known_orders
from engine.policy import Policy
from engine.trainer import Trainer
from engine.units import Units

SLICE_S = 0.05
"""Seconds of travel between two tells."""
MOST_SEARCHED = 2_000
"""Ties at which an order is looked for that no kernel follows: all tied pairs are read there, a millisecond each."""
Told = Callable[[int], None]
"""Hears how many more ranks are done; what it raises ends the work."""


def untold(ranks: int) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Replayer:
    """A list over the units of a corpus: cut once, replayed by any rules that leave the cut alone.

    Attributes:
        units: the corpus.
        pairs: the list, over the units' alphabet.
        limits: bounds of the work.
        kernel: the name of the kernel.
    """

    units: Units
    pairs: Sequence[Pair]
    limits: Limits
    kernel: str

    @classmethod
    def of(cls, trainer: Trainer) -> "Replayer":
        """The list that a trainer was given, on its corpus."""
        return cls(trainer.units, trainer.given.pairs, trainer.limits, trainer.kernel.name)

    def whole(self, policy: Policy, told: Told = untold) -> Kernel:
        """A kernel that has replayed the list.

        Raises:
            LimitRefusal: when that would exceed a limit, or need too much memory.
        """
        kernel = self._fresh(policy)
        self._learn(kernel, len(self.pairs), told)
        return kernel

    def refuted(self, policy: Policy, order: Order, ties: Sequence[int], told: Told = untold) -> int | None:
        """The first of some tied ranks at which an order takes another pair than the list; None where there is none.

        Args:
            policy: the other rules.
            order: what is held against the list.
            ties: ranks at which the list takes one of several maxima.
            told: hears of the progress, of as many ranks as the list has.

        Raises:
            LimitRefusal: as `whole`.
        """
        if not ties:
            told(len(self.pairs))
            return None
        if order.key is None:
            policy = policy.changed(tie_break=order.name)
        kernel, found = self._fresh(policy), None
        for rank in ties:
            self._learn(kernel, rank + 1, told)
            if not _takes(kernel, policy, order, rank):
                found = rank
                break
        told(len(self.pairs) - len(kernel.evidence))
        return found

    def _fresh(self, policy: Policy) -> Kernel:
        units = self.units
        need = kernel_need(self.kernel, units.symbols, any(weight != 1 for weight in units.weights))
        check_memory(need, None, f"replaying on {units.symbols:,} base symbols")
        kernel = kernel_class(self.kernel)(units, policy, self.limits)
        kernel.give(self.pairs)
        return kernel

    def _learn(self, kernel: Kernel, to: int, told: Told) -> None:
        while (done := len(kernel.evidence)) < to:
            kernel.travel(to, SLICE_S)
            told(len(kernel.evidence) - done)


def _takes(kernel: Kernel, policy: Policy, order: Order, rank: int) -> bool:
    """Whether an order takes the list's pair at a tied rank that a kernel has replayed by it, or by any for a key."""
    taken, vocabulary = kernel.evidence[rank], cast(list[Token], kernel.vocabulary)
    if order.key is None:
        rules = Mergeable(policy, vocabulary, lambda pair: kernel.occurrences(pair, 1)[0])
        if rules.moving:
            kernel.travel(rank)
        assert taken.runner_up is not None, "one of several maxima leaves another"
        return not rules.key(taken.runner_up) < rules.key(taken.pair)
    kernel.travel(rank)
    tied = kernel.top(kernel.tied(taken.candidate_count))
    keys = {pair: order.key(pair, vocabulary[pair[0]], vocabulary[pair[1]]) for pair, _ in tied}
    return taken.pair in keys and keys[taken.pair] == (max if order.greatest else min)(keys.values())


def is_maximum(taken: Evidence) -> bool:
    """Whether no other pair exceeded the one that was merged."""
    return taken.candidate_count > 0 and taken.candidate_count >= taken.runner_up_count


def greedy(kernel: Kernel, start: int = 0) -> tuple[int, list[int]]:
    """How far a replayed list is greedy: the first rank from `start` on that takes no maximum, and the ties before it.

    A maximum is a pair that may be merged and that no other exceeds; a tie is a rank that takes one of several.
    """
    ties: list[int] = []
    for rank, taken in enumerate(kernel.evidence):
        maximum = is_maximum(taken) and kernel.mergeable(taken.pair, taken.candidate_count)
        if rank >= start and not maximum:
            return rank, ties
        if maximum and taken.candidate_count == taken.runner_up_count:
            ties.append(rank)
    return len(kernel.evidence), ties


# What ties tell


@dataclass(frozen=True, slots=True)
class Inferred:
    """What the ties of a list tell of the rule that broke them.

    Attributes:
        ties: how many of them, the first ones, were looked at.
        orders: the known orders that take the list's pair at each.
    """

    ties: int
    orders: tuple[Order, ...]


def inferred(trainer: Trainer, rank: int, told: Told = untold) -> Inferred:
    """The known orders that chose at the ties of a list that a trainer was given.

    Ties count as far as every merge from a rank on takes a maximum: behind that the list follows other counts. Orders
    that no policy has are tried where no tie rule of a policy fits.

    Raises:
        LimitRefusal: as `Replayer.whole`.
    """
    replayer, policy = Replayer.of(trainer), trainer.policy
    _, ties = greedy(replayer.whole(policy, told), rank)
    orders = known_orders(policy)
    for some, most in ((True, len(ties)), (False, MOST_SEARCHED)):
        seen = ties[:most]
        fitting = tuple(
            order
            for order in orders
            if (order.key is None) is some and replayer.refuted(policy, order, seen, told) is None
        )
        if fitting:
            break
    return Inferred(len(seen), fitting)

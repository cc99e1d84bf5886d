"""Kernels that count wrongly on purpose, as trainers do that keep their counts up to date by hand."""

from collections.abc import Iterable

from engine.kernel import Pair
from engine.kernel.arena import ArenaKernel, Edges


class NeverLowered(ArenaKernel):
    """Counts the pairs that a merge makes, and does not take back those that it breaks; only its own pair goes."""

    def _change(self, changes: Iterable[tuple[Pair, int]]) -> None:
        merged = self.evidence[self.rank].pair
        super()._change((pair, change) for pair, change in changes if change > 0 or pair == merged)

    def _first(self, pair: Pair) -> int:
        """Where a pair stands first; behind everything where it only has a count."""
        try:
            return super()._first(pair)
        except StopIteration:
            return len(self._symbols)


class CountedOnce(NeverLowered):
    """Counts the pairs of base tokens, and never again."""

    def _change(self, changes: Iterable[tuple[Pair, int]]) -> None:
        merged = self.evidence[self.rank].pair
        super()._change((pair, change) for pair, change in changes if pair == merged)

    def _list_edges(self, token: int, before: Edges, after: Edges, chained: list[int]) -> dict[Pair, list[int]]:
        """No pair comes into being."""
        return {}

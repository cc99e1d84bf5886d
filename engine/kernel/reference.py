"""The reference kernel: a full recount at every rank. Obviously right, and slow; the others are held against it."""

from collections.abc import Iterator
from itertools import pairwise

from engine.alphabet import Token
from engine.kernel.base import Evidence, Mergeable, Pair, PythonKernel, check_new_token, ranked
from engine.limits import Limits
from engine.policy import Policy
from engine.turn import alone
from engine.units import Units


def count_pairs(sequences: list[list[int]], weights: list[int], counting: str = "overlapping") -> dict[Pair, int]:
    """Every pair's weighted count over sequences of token ids.

    `overlapping` counts each adjacent window; `non-overlapping` counts a run of n equal symbols n // 2 times
    (YouTokenToMe's way).
    """
    counts: dict[Pair, int] = {}
    for sequence, weight in zip(sequences, weights, strict=True):
        run = 0
        for pair in pairwise(sequence):
            run = run + 1 if pair[0] == pair[1] else 0
            if counting == "overlapping" or run % 2 == 1 or pair[0] != pair[1]:
                counts[pair] = counts.get(pair, 0) + weight
    return counts


def replace_pair(sequence: list[int], pair: Pair, token: int) -> list[int]:
    """The sequence with each match of the pair replaced, left to right without overlap."""
    merged: list[int] = []
    at = 0
    while at < len(sequence):
        if tuple(sequence[at : at + 2]) == pair:
            merged.append(token)
            at += 2
        else:
            merged.append(sequence[at])
            at += 1
    return merged


def _merged(sequences: list[list[int]], pair: Pair, token: int) -> list[list[int]]:
    return [replace_pair(s, pair, token) for s in sequences]


class ReferenceKernel(PythonKernel):
    """Recounts at every rank; see `engine.kernel.base.Kernel` for the interface."""

    name = "reference"

    def __init__(self, units: Units, policy: Policy, limits: Limits) -> None:
        super().__init__()
        self.rank = 0
        self.evidence: list[Evidence] = []
        self.vocabulary: list[Token] = list(units.alphabet.tokens)
        self._base = len(self.vocabulary)
        self._counting = policy.counting
        self._limits = limits
        self._weights = list(units.weights)
        self._initial = [list(s) for s in units.sequences]
        self._mergeable = Mergeable(policy, self.vocabulary, self._first)
        self._set(self._initial)

    def _set(self, sequences: list[list[int]]) -> None:
        self._sequences = sequences
        self._counts = count_pairs(sequences, self._weights, self._counting)
        self._tokens = self._weighted(sequences)

    def _weighted(self, sequences: list[list[int]]) -> int:
        return sum(len(s) * w for s, w in zip(sequences, self._weights, strict=True))

    def _first(self, pair: Pair) -> tuple[int, int]:
        return self._occurrences(pair, 1)[0]

    def _learn(self) -> bool:
        """Choose the winner among all pairs and apply it."""
        self._limits.check("pair_types", len(self._counts), "the number of live pairs")
        rules = self._mergeable
        candidates = [(p, c) for p, c in self._counts.items() if rules.allows(p) and c >= rules.min_count]
        self._limits.check("heap_entries", len(candidates), "the priority queue with only live pairs")
        best = ranked(rules, candidates, 2, 0)
        pair = self._chosen(best[0][0] if best else None)
        if pair is None:
            return False
        count = self._counts.get(pair, 0)
        check_new_token(self._limits, self.vocabulary, sum(len(t.data) for t in self.vocabulary), pair)
        runner_up, runner_up_count = next(((p, c) for p, c in best if p != pair), (None, 0))
        ties = self._tied(count)
        merged = _merged(self._sequences, pair, self._base + self.rank)
        replacements = self._tokens - self._weighted(merged)
        self.vocabulary.append(self.vocabulary[pair[0]] + self.vocabulary[pair[1]])
        self.evidence.append(Evidence(pair, count, replacements, ties, runner_up, runner_up_count))
        self._forward()
        return True

    def _forward(self) -> None:
        """Apply the known merge of the present rank."""
        self._set(_merged(self._sequences, self.evidence[self.rank].pair, self._base + self.rank))
        self.rank += 1

    def _back(self) -> None:
        """Start over and apply one merge less."""
        sequences = self._initial
        for rank, known in enumerate(self.evidence[: self.rank - 1]):
            sequences = _merged(sequences, known.pair, self._base + rank)
        self._set(sequences)
        self.rank -= 1

    def _tied(self, count: int) -> int:
        rules = self._mergeable
        return sum(1 for pair, c in self._counts.items() if c == count >= rules.min_count and rules.allows(pair))

    @alone
    def frequency(self, token: int) -> int:
        """The weighted number of occurrences of a token now."""
        return sum(s.count(token) * w for s, w in zip(self._sequences, self._weights, strict=True))

    @alone
    def unit_tokens(self, unit: int, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
        """The tokens that cover the positions from `start` to `stop` of a unit."""
        stop = len(self._initial[unit]) if stop is None else stop
        return [(p, t) for p, t in self._placed(unit) if p < stop and p + self.vocabulary[t].span > start]

    def _placed(self, unit: int) -> Iterator[tuple[int, int]]:
        position = 0
        for token in self._sequences[unit]:
            yield position, token
            position += self.vocabulary[token].span

    @alone
    def occurrences(self, pair: Pair, limit: int) -> list[tuple[int, int]]:
        """The first `limit` windows of a pair in unit order."""
        return self._occurrences(pair, limit)

    def _occurrences(self, pair: Pair, limit: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for unit, sequence in enumerate(self._sequences):
            placed = list(self._placed(unit))
            for at, window in enumerate(pairwise(sequence)):
                if len(found) == limit:
                    return found
                if window == pair:
                    found.append((unit, placed[at][0]))
        return found

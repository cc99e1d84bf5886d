"""The arena kernel in plain Python: local updates over one flat array, reversible at every rank.

All units lie in one list of symbols with a wall before, between and after them. A token that spans several positions
stores its id at its first and its last position, so the next token starts at `p + span` and the previous token's
id stands at `p - 1`. A pair's list of start positions is written once, in the round that makes the younger of its two
tokens; later rounds only make entries stale, and going back makes them live again.
"""

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from engine.alphabet import Token
from engine.kernel.base import Evidence, Mergeable, Pair, PythonKernel, acyclic, check_new_token
from engine.kernel.queue import PairQueue
from engine.limits import Limits
from engine.policy import Policy
from engine.turn import alone
from engine.units import Units

WALL = -1
"""The symbol before, between and after units."""
INNER = -2
"""The symbol inside a token, between its first and its last position."""

Edges = dict[int, list[int]]
"""Start positions of the edges to a neighbouring token, by that token's id."""


class ArenaKernel(PythonKernel):
    """Exact counts by local updates; see `engine.kernel.base.Kernel` for the interface."""

    name = "python"

    def __init__(self, units: Units, policy: Policy, limits: Limits) -> None:
        super().__init__()
        self.rank = 0
        self.evidence: list[Evidence] = []
        self.vocabulary: list[Token] = list(units.alphabet.tokens)
        self._tokens = units.weighted_symbols
        self._base = len(self.vocabulary)
        self._limits = limits
        self._spans = [t.span for t in self.vocabulary]
        self._bytes = sum(len(t.data) for t in self.vocabulary)
        self._runs_count_half = policy.counting == "non-overlapping"
        self._frequencies = [0] * self._base
        with acyclic():
            self._place(units)
            self._count_everything()
        # Matches of all ranks, one after another; rank r's are those from _starts[r] to _starts[r + 1].
        self._matches = array("I")
        self._starts = array("Q", [0])
        self._mergeable = Mergeable(policy, self.vocabulary, self._first)
        self._queue = PairQueue(self._counts, self._mergeable, limits.heap_entries)

    # Setting up

    def _place(self, units: Units) -> None:
        self._symbols: list[int] = [WALL]
        self._unit_starts = array("Q")
        for sequence in units.sequences:
            self._unit_starts.append(len(self._symbols))
            self._symbols.extend(sequence)
            self._symbols.append(WALL)
        self._weights: list[int] | None = None
        if any(w != 1 for w in units.weights):
            weights = [0]
            for sequence, weight in zip(units.sequences, units.weights, strict=True):
                weights.extend([weight] * (len(sequence) + 1))
            self._weights = weights

    def _count_everything(self) -> None:
        lists: defaultdict[Pair, list[int]] = defaultdict(list)
        weights = self._weights
        left = WALL
        for p, right in enumerate(self._symbols):
            if right >= 0:
                self._frequencies[right] += 1 if weights is None else weights[p]
                if left >= 0:
                    lists[left, right].append(p - 1)
            left = right
        self._positions: dict[Pair, list[int]] = dict(lists)
        self._counts: dict[Pair, int] = {}
        self._histogram: defaultdict[int, int] = defaultdict(int)
        for pair, at in lists.items():
            self._counts[pair] = self._weight(self._unoverlapped(pair, at))
        for count in self._counts.values():
            self._histogram[count] += 1

    def _unoverlapped(self, pair: Pair, at: list[int]) -> list[int]:
        """Of a run of equal base symbols, every second window, where the policy counts so."""
        if not self._runs_count_half or pair[0] != pair[1]:
            return at
        return _apart(at, 2)

    def _weight(self, at: Sequence[int]) -> int:
        """The weighted number of positions."""
        weights = self._weights
        if weights is None:
            return len(at)
        return weights[at[0]] if len(at) == 1 else sum(map(weights.__getitem__, at))

    # Learning and travelling

    def _learn(self) -> bool:
        """Choose the next merge by the queue and apply it."""
        self._limits.check("pair_types", len(self._counts), "the number of live pairs")
        self._limits.check("heap_entries", len(self._queue), "the priority queue with only live pairs")
        best = self._queue.peek()
        pair = self._chosen(best)
        if pair is None:
            return False
        length = check_new_token(self._limits, self.vocabulary, self._bytes, pair)
        if pair == best:
            self._queue.pop()
        runner_up = self._queue.peek()
        count = self._counts.get(pair, 0)
        ties = self._tied(count)
        edges = self._edges(pair, self._positions.get(pair, ()), stale=True)
        matches = edges[0]
        self._matches.extend(matches)
        self._starts.append(len(self._matches))
        self.vocabulary.append(self.vocabulary[pair[0]] + self.vocabulary[pair[1]])
        self._spans.append(self.vocabulary[-1].span)
        self._frequencies.append(0)
        self._bytes += length
        replacements = self._weight(matches)
        behind = 0 if runner_up is None else self._counts[runner_up]
        self.evidence.append(Evidence(pair, count, replacements, ties, runner_up, behind))
        self._queue.push(self._apply(*edges, new=True))
        return True

    def _forward(self) -> None:
        """Apply the known merge of the present rank at its known matches."""
        self._apply(*self._edges(self.evidence[self.rank].pair, self._matches_of(self.rank)), new=False)

    def _apply(self, matches: Sequence[int], before: Edges, after: Edges, chained: list[int], new: bool) -> list[Pair]:
        """Apply the present rank's merge; returns the pairs that came into being."""
        pair, token = self.evidence[self.rank].pair, self._base + self.rank
        self._count_edges(pair, token, before, after, chained, 1)
        created = self._list_edges(token, before, after, chained) if new else {}
        self._write(pair, token, matches)
        self._account(pair, token, 1)
        self.rank += 1
        return list(created)

    def _back(self) -> None:
        """Restore the tokens that the last merge joined, then take its counts back."""
        self.rank -= 1
        pair, matches = self.evidence[self.rank].pair, self._matches_of(self.rank)
        token = self._base + self.rank
        self._restore(pair, matches)
        _, before, after, chained = self._edges(pair, matches)
        self._count_edges(pair, token, before, after, chained, -1)
        self._account(pair, token, -1)

    def _matches_of(self, rank: int) -> "array[int]":
        return self._matches[self._starts[rank] : self._starts[rank + 1]]

    def _write(self, pair: Pair, token: int, matches: Sequence[int]) -> None:
        symbols, step = self._symbols, self._spans[pair[0]]
        last = step + self._spans[pair[1]] - 1
        for p in matches:
            symbols[p + step - 1] = symbols[p + step] = INNER
            symbols[p] = symbols[p + last] = token

    def _restore(self, pair: Pair, matches: Sequence[int]) -> None:
        left, right = pair
        symbols, step = self._symbols, self._spans[left]
        last = step + self._spans[right] - 1
        for p in matches:
            symbols[p] = symbols[p + step - 1] = left
            symbols[p + step] = symbols[p + last] = right

    def _account(self, pair: Pair, token: int, sign: int) -> None:
        replaced = sign * self.evidence[self.rank].replacements
        self._frequencies[token] += replaced
        self._frequencies[pair[0]] -= replaced
        self._frequencies[pair[1]] -= replaced
        self._tokens -= replaced

    # Counting

    def _edges(
        self, pair: Pair, positions: Sequence[int], stale: bool = False
    ) -> tuple[Sequence[int], Edges, Edges, list[int]]:
        """The matches of a pair and their neighbours, read before the merge is written.

        Args:
            pair: the pair.
            positions: its matches, or its list.
            stale: whether it is the list, of which the live entries that do not overlap are the matches.

        Returns:
            The matches; those with each left neighbour, and with each right neighbour; and those that touch the next.
        """
        left, right = pair
        symbols, step = self._symbols, self._spans[left]
        length = step + self._spans[right]
        matches = positions
        if stale:
            matches = [p for p in positions if symbols[p] == left and symbols[p + step] == right]
            if left == right:
                matches = _apart(matches, length)
        before: Edges = defaultdict(list)
        after: Edges = defaultdict(list)
        for p in matches:
            before[symbols[p - 1]].append(p)
            after[symbols[p + length]].append(p)
        before.pop(WALL, None)
        after.pop(WALL, None)
        chained = _take_chained(before, after, pair, length) if right in before and left in after else []
        return matches, before, after, chained

    def _count_edges(self, pair: Pair, token: int, before: Edges, after: Edges, chained: list[int], sign: int) -> None:
        """Move the counts of all edges from the merged pair's tokens to the new token (sign 1), or back (sign -1)."""
        left, right = pair
        changes = [(pair, -sign * self.evidence[self.rank].candidate_count)]
        for neighbour, at in before.items():
            weight = sign * self._weight(at)
            if neighbour != left or left != right:
                changes.append(((neighbour, left), -weight))
            changes.append(((neighbour, token), weight))
        for neighbour, at in after.items():
            weight = sign * self._weight(at)
            if neighbour != right or left != right:
                changes.append(((right, neighbour), -weight))
            changes.append(((token, neighbour), weight))
        if chained:
            weight = sign * self._weight(chained)
            if left != right:
                changes.append(((right, left), -weight))
            changes.append(((token, token), weight))
        if self._runs_count_half:
            changes += self._runs(pair, token, before, after, chained, sign)
        self._change(changes)

    def _list_edges(self, token: int, before: Edges, after: Edges, chained: list[int]) -> dict[Pair, list[int]]:
        """Keep the list of every pair that the new token is part of; an edge starts at its left token."""
        spans = self._spans
        created: dict[Pair, list[int]] = {}
        for neighbour, at in before.items():
            span = spans[neighbour]
            created[neighbour, token] = [p - span for p in at] if len(at) > 1 else [at[0] - span]
        for neighbour, at in after.items():
            created[token, neighbour] = at
        if chained:
            created[token, token] = chained
        self._positions.update(created)
        return created

    def _change(self, changes: Iterable[tuple[Pair, int]]) -> None:
        counts, histogram = self._counts, self._histogram
        for pair, delta in changes:
            old = counts.get(pair, 0)
            new = old + delta
            if old:
                histogram[old] -= 1
            if new:
                counts[pair] = new
                histogram[new] += 1
            elif old:
                del counts[pair]

    def _runs(
        self, pair: Pair, token: int, before: Edges, after: Edges, chained: list[int], sign: int
    ) -> Iterator[tuple[Pair, int]]:
        """What turns overlapping into non-overlapping changes of pairs of equal tokens.

        Of a run of n equal tokens only n // 2 windows count, so a run that gets one shorter loses a count only
        when n was even, and a chain of new tokens gains one at each even length.
        """
        left, right = pair
        if left != right:
            odd = [p for p in before.get(left, ()) if self._run_before(p, left) % 2]
            yield (left, left), sign * self._weight(odd)
            step = self._spans[left]
            odd = [p for p in after.get(right, ()) if self._run_after(p + step, right) % 2]
            yield (right, right), sign * self._weight(odd)
        length = self._spans[left] + self._spans[right]
        odd, size, last = [], 0, -1
        for p in chained:
            size = size + 1 if p == last + length else 1
            last = p
            if size % 2 == 0:
                odd.append(p)
        yield (token, token), -sign * self._weight(odd)

    def _run_before(self, p: int, token: int) -> int:
        """How many equal tokens end with the one that starts at p."""
        symbols, span, length = self._symbols, self._spans[token], 1
        while symbols[p - 1] == token:
            length += 1
            p -= span
        return length

    def _run_after(self, p: int, token: int) -> int:
        """How many equal tokens begin with the one that starts at p."""
        symbols, span, length = self._symbols, self._spans[token], 0
        while symbols[p] == token:
            length += 1
            p += span
        return length

    # Questions

    def _first(self, pair: Pair) -> int:
        left, right = pair
        symbols, step = self._symbols, self._spans[left]
        return next(p for p in self._positions[pair] if symbols[p] == left and symbols[p + step] == right)

    def _tied(self, count: int) -> int:
        if count < self._mergeable.min_count:
            return 0
        if not self._mergeable.bounded:
            return self._histogram.get(count, 0)
        return sum(1 for pair, c in self._counts.items() if c == count and self._mergeable.allows(pair))

    @alone
    def frequency(self, token: int) -> int:
        """The weighted number of occurrences of a token now."""
        return self._frequencies[token]

    @alone
    def unit_tokens(self, unit: int, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
        """The tokens that cover the positions from `start` to `stop` of a unit."""
        symbols, spans, origin = self._symbols, self._spans, self._unit_starts[unit]
        end = len(symbols) if stop is None else origin + stop
        if stop is not None and stop <= start:
            return []
        p = self._token_start(origin + start)
        found: list[tuple[int, int]] = []
        while p < end and symbols[p] != WALL:
            found.append((p - origin, symbols[p]))
            p += spans[symbols[p]]
        return found

    def _token_start(self, p: int) -> int:
        """The first position of the token that covers p."""
        symbols = self._symbols
        token = symbols[p]
        if token == INNER:
            while symbols[p] == INNER:
                p -= 1
            return p
        span = 1 if token == WALL else self._spans[token]
        if span == 2:
            run = p
            while symbols[run - 1] == token:
                run -= 1
            return p - (p - run) % 2
        return p if span == 1 or symbols[p + 1] == INNER else p - span + 1

    @alone
    def occurrences(self, pair: Pair, limit: int) -> list[tuple[int, int]]:
        """The first `limit` windows of a pair in unit order."""
        left, right = pair
        symbols, step = self._symbols, self._spans[left]
        found: list[tuple[int, int]] = []
        for p in self._positions.get(pair, ()):
            if len(found) == limit:
                break
            if symbols[p] == left and symbols[p + step] == right:
                unit = bisect_right(self._unit_starts, p) - 1
                found.append((unit, p - self._unit_starts[unit]))
        return found


def _apart(positions: Sequence[int], length: int) -> list[int]:
    """Those that do not overlap, from the left."""
    kept: list[int] = []
    end = 0
    for p in positions:
        if p >= end:
            kept.append(p)
            end = p + length
    return kept


def _take_chained(before: Edges, after: Edges, pair: Pair, length: int) -> list[int]:
    """Take the edges between two matches of a pair out of the others: those matches that touch the next one."""
    left, right = pair
    starts = set(before[right])
    chained = [p for p in after[left] if p + length in starts]
    if chained:
        inner = set(chained)
        _keep(before, right, [p for p in before[right] if p - length not in inner])
        _keep(after, left, [p for p in after[left] if p not in inner])
    return chained


def _keep(edges: Edges, neighbour: int, at: list[int]) -> None:
    if at:
        edges[neighbour] = at
    else:
        del edges[neighbour]

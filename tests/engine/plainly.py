"""Training written down plainly, on byte strings: lists for tests of what explains a list."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

from engine.alphabet import BYTE_TO_UNICODE, Token
from engine.compare import Joined

TEXT = (
    "the cat sat on the mat; aaaa bbbb aaaa!!\nthe rat, the hat: 'twas banana, ananas, cabana\n"
    "naïve café — über straße, aaaa; 2024 2025 2024... well well well\n\n\n    indented    twice\n"
    * 2
    + "zebra zygote zigzag; <s> and <s> again <s>"
)
WORDS = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

Pair = tuple[bytes, bytes]
Choice = Callable[[list[Pair]], Pair]
Counts = dict[Pair, int]


def plain(
    words: list[str],
    merges: int,
    choose: Choice = max,
    *,
    runs: bool = False,
    least: int = 1,
    weighted: bool = True,
    known: Callable[[Counts, Counts], Counts] = lambda kept, true: true,
) -> list[Joined]:
    """Training on byte strings.

    Args:
        words: the pieces.
        merges: how many are learned.
        choose: takes one of the pairs with the highest count, in the order first met.
        runs: whether a run of equal tokens counts in twos.
        least: the least count that is merged.
        weighted: whether equal pieces count as often as they occur.
        known: what the trainer takes for the counts, from what it took before and the true ones.
    """
    sequences = [([bytes([b]) for b in word.encode()], times) for word, times in Counter(words).items()]
    learned: list[Joined] = []
    kept: Counts = {}
    while len(learned) < merges:
        true: Counter[Pair] = Counter()
        for sequence, times in sequences:
            run = 0
            for pair in pairwise(sequence):
                run = run + 1 if pair[0] == pair[1] else 0
                if not runs or run % 2 or pair[0] != pair[1]:
                    true[pair] += times if weighted else 1
        kept = known(kept, true)
        best = max(kept.values(), default=0)
        if best < least:
            break
        left, right = choose([pair for pair, count in kept.items() if count == best])
        learned.append((Token(left), Token(right)))
        kept = {pair: count for pair, count in kept.items() if pair != (left, right)}
        for sequence, _ in sequences:
            at = 0
            while at < len(sequence) - 1:
                if (sequence[at], sequence[at + 1]) == (left, right):
                    sequence[at : at + 2] = [left + right]
                at += 1
    return learned


def letters(pair: Pair) -> tuple[str, str]:
    left, right = ("".join(BYTE_TO_UNICODE[byte] for byte in side) for side in pair)
    return left, right


def by_ids(order: Iterable[int] = range(256), greatest: bool = False) -> Choice:
    """Chooses by ids: bytes in an order, then tokens as they are made."""
    ids = {bytes([byte]): number for number, byte in enumerate(order)}

    def choose(tied: list[Pair]) -> Pair:
        best = (max if greatest else min)(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        ids.setdefault(best[0] + best[1], len(ids))
        return best

    return choose

"""Words chosen to meet in one slot of a hash without a secret, against as many others of the same lengths.

    python benchmarks/floods.py

Prints processor times in milliseconds, medians of five rounds that alternate; ends with 1 where chosen words take more
than twice the time of others.
"""

import random
import sys
import time
from collections.abc import Callable
from statistics import median

from engine._encoder import Encoder
from engine._pieces import PieceCounts

ROUNDS = 5
MOST = 2.0
FIRST, SECOND = 0x9E3779B97F4A7C15, 0x94D049BB133111EB
"""Constants of the hash as it was before it had a secret."""
Word = Callable[[bytes], bytes]


def absorbed(start: bytes) -> bytes:
    """A word that once had the hash 0, whatever its second half."""
    return FIRST.to_bytes(8, "little") + start[:7]


def cancelled(start: bytes) -> bytes:
    """A word that once had the key 0: its second half cancels what the first one leaves."""
    product = (16 ^ int.from_bytes(start, "little")) * SECOND
    return start + ((product ^ product >> 64) & (2**64 - 1)).to_bytes(8, "little")


def text(word: Word, words: int) -> bytes:
    """So many different words that hold no white space, one a line."""
    chosen = random.Random(1)
    found: set[bytes] = set()
    while len(found) < words:
        made = word(bytes(chosen.choices(range(33, 127), k=8)))
        if len(made.split()) == 1:
            found.add(made)
    return b"\n".join(sorted(found)) + b"\n"


def other(size: int) -> Word:
    """Words of that many bytes that nobody chose."""
    chosen = random.Random(2)
    return lambda start: start + bytes(chosen.choices(range(33, 127), k=size - 8))


def count(data: bytes) -> None:
    """Counts the words."""
    PieceCounts("ascii-whitespace", True).add(data, len(data), 1)


def encode(data: bytes) -> None:
    """Encodes the words, each of which is remembered."""
    Encoder(256, bytes(range(256)), 0).encode(data, "ascii-whitespace", True, 0)


JOBS: tuple[tuple[str, Callable[[bytes], None], Word, int, int], ...] = (
    ("count, equal hashes", count, absorbed, 15, 80_000),
    ("count, equal keys", count, cancelled, 16, 80_000),
    ("encode, equal hashes", encode, absorbed, 15, 40_000),
    ("encode, equal keys", encode, cancelled, 16, 40_000),
)


def used(job: Callable[[bytes], None], data: bytes) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    job(data)
    return 1000 * (time.process_time() - start)


def main() -> int:
    """The table; 1 where a ratio is too large."""
    worst = 0.0
    print(f"{'job':24}{'words':>8}{'chosen':>10}{'others':>10}{'ratio':>8}")
    for name, job, word, size, words in JOBS:
        chosen, others = text(word, words), text(other(size), words)
        rounds = [(used(job, chosen), used(job, others)) for _ in range(ROUNDS)]
        ratio = median(a / b for a, b in rounds)
        worst = max(worst, ratio)
        times = "".join(f"{median(side):10.1f}" for side in zip(*rounds, strict=True))
        print(f"{name:24}{words:8,}{times}{ratio:8.2f}")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())

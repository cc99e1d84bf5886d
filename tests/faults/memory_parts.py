"""A program: the other compiled parts while their allocations fail, one in each round, held against plain Python.

memory_parts.py LASTS CASE
"""

import re
import sys
from array import array
from collections import Counter
from functools import cached_property
from itertools import accumulate

from allocations import LASTS, loop

from engine._encoder import Encoder
from engine._pieces import Lookup, PieceCounts
from engine.errors import RunRefusal
from engine.kernel.reference import replace_pair
from engine.packed import Packed


class Counting:
    """Counts of one text added to those of another; each step is done, not done, or says that it stopped."""

    words = b" ".join(b"%d" % (i * i) for i in range(3_000)) + b" " + b"long" * 9 + b" 16 " + b"long" * 300
    before = b"16 25 many bytes"

    def make(self) -> PieceCounts:
        counts = PieceCounts("whitespace", True)
        counts.add(self.before, len(self.before), 2)
        return counts

    def add(self, counts: PieceCounts) -> None:
        counts.add(self.words, len(self.words), 3)

    def merge(self, counts: PieceCounts) -> None:
        other = PieceCounts("whitespace", True)
        other.add(self.words, len(self.words), 3)
        counts.merge(other)

    def check(self, counts: PieceCounts) -> bool:
        try:
            found = dict(zip(Packed(*counts.packed()), counts.packed()[2], strict=True))
        except RunRefusal:
            return True
        undone = dict.fromkeys(self.before.split(), 2)
        done = Counter(undone) + Counter({word: 3 * n for word, n in Counter(self.words.split()).items()})
        assert found in (undone, dict(done))
        return False


class Reading:
    """Packed pieces that are looked up."""

    pieces = tuple(b"%d" % (i * i) for i in range(3_000))

    def make(self) -> list[Lookup]:
        return []

    def index(self, made: list[Lookup]) -> None:
        ends = array("Q", accumulate(map(len, self.pieces)))
        made.append(Lookup(b"".join(self.pieces), ends))

    def check(self, made: list[Lookup]) -> bool:
        assert all(made[0][piece] == i for i, piece in enumerate(self.pieces)) if made else True
        return False


class Encoding:
    """An encoder that gets merges and encodes with them, held against replaying them in order."""

    merges = tuple((97 + i // 5, 97 + i % 5) for i in range(25)) + tuple(
        (256 + i // 25, 256 + i % 25) for i in range(600)
    )
    text = b" ".join(bytes(97 + (i * j) % 5 for j in range(i % 60 + 1)) for i in range(400)) + b" " + b"ab" * 300

    def make(self) -> Encoder:
        encoder = Encoder(256, bytes(range(256)), 0)
        for merge in self.merges[:3]:
            encoder.add(*merge)
        return encoder

    def encode(self, encoder: Encoder) -> None:
        for merge in self.merges[len(encoder) :]:
            encoder.add(*merge)
        encoder.encode(self.text, "spaces", False, len(encoder))
        encoder.encode(self.text, "document", False, len(encoder))
        encoder.merge(self.text, len(encoder))

    def batch(self, encoder: Encoder) -> None:
        encoder.encode_batch([self.text] * 4, "spaces", False, len(encoder), 3)

    def check(self, encoder: Encoder) -> bool:
        for merge in self.merges[len(encoder) :]:
            encoder.add(*merge)
        assert encoder.encode_batch([self.text] * 4, "spaces", False, len(encoder), 2) == [self.expected] * 4
        return False

    @cached_property
    def expected(self) -> list[int]:
        ids: list[int] = []
        for word in re.findall(b" +|[^ ]+", self.text):
            piece = list(word)
            for rank, merge in enumerate(self.merges):
                piece = replace_pair(piece, merge, 256 + rank)
            ids += piece
        return ids


def main(lasts: str, case: str) -> None:
    LASTS.value = int(lasts)
    counting, reading, encoding = Counting(), Reading(), Encoding()
    print(
        *{
            "count": lambda: loop(counting.make, counting.add, counting.check),
            "merge-counts": lambda: loop(counting.make, counting.merge, counting.check),
            "index": lambda: loop(reading.make, reading.index, reading.check),
            "encode": lambda: loop(encoding.make, encoding.encode, encoding.check),
            "batch": lambda: loop(encoding.make, encoding.batch, encoding.check),
        }[case]()
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

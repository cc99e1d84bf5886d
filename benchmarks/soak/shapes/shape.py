"""What a shape is, and what several of them are made of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

FILE, SMALL, TOKENIZER, ROOM = "{file}", "{small}", "{tokenizer}", "{room}"
"""Places in a command: the hostile file, a small corpus, a small tokenizer, and the memory that is promised."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A file and the command that meets it.

    Attributes:
        name: the file's name, which may tell its format.
        make: its content, of about so many bytes.
        command: arguments of the program.
        timed: whether the bound of seconds holds; a corpus takes as long as it has documents, and can be stopped.
    """

    name: str
    make: Callable[[int], bytes]
    command: tuple[str, ...]
    timed: bool = True


def pairs(least: int) -> Iterator[tuple[int, int]]:
    """All pairs of ids from `least` on, those of small ids first, so that each id is there when it is used."""
    for largest in count(least):
        for left in range(least, largest + 1):
            yield from [(left, largest)] if left < largest else ((left, right) for right in range(least, largest + 1))


def some(given: Iterator[tuple[int, int]], number: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """So many pairs with their ranks."""
    return enumerate(islice(given, number))


def until(size: int, line: Callable[[int], bytes]) -> bytes:
    """Lines until there are so many bytes."""
    lines, total = list[bytes](), 0
    for number in count():
        if total >= size:
            break
        lines.append(line(number))
        total += len(lines[-1])
    return b"".join(lines)

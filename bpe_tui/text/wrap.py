"""Breaking safe text into lines of a known width."""

import re
from collections.abc import Iterable, Iterator

from bpe_tui.text.safe import Kind, SafeText

_WORD = re.compile(r"[^ ]+ *| +")


def wrap(parts: Iterable[SafeText], width: int) -> list[SafeText]:
    """Parts in a row, broken between parts; a part wider than a line is folded."""
    lines: list[list[SafeText]] = []
    used = width
    for part in parts:
        for piece in [part] if part.width <= width else fold(part, width):
            if used + piece.width > width:
                lines.append([])
                used = 0
            lines[-1].append(piece)
            used += piece.width
    return [_joined(line) for line in lines]


def fold(text: SafeText, width: int) -> list[SafeText]:
    """A text over as many lines as it needs: broken at blanks, inside a word only where no line holds it."""
    return wrap(_atoms(text, max(width, 1)), max(width, 1))


def flow(facts: Iterable[SafeText], width: int) -> list[SafeText]:
    """Facts side by side where two fit on a line, else each folded on lines of its own."""
    between = SafeText.label(" · ")
    lines: list[SafeText] = []
    for fact in facts:
        if lines and lines[-1].width + between.width + fact.width <= width:
            lines[-1] = lines[-1] + between + fact
        else:
            lines += fold(fact, width)
    return lines


def _atoms(text: SafeText, width: int) -> Iterator[SafeText]:
    for piece, kind in text.pieces:
        for word in _WORD.findall(piece) if kind in (Kind.PLAIN, Kind.MARK) else [piece]:
            atom = SafeText(((word, kind),))
            if atom.width <= width or kind not in (Kind.PLAIN, Kind.MARK):
                yield atom.crop(width)
            else:
                yield from (SafeText(((char, kind),)).crop(width) for char in word)


def _joined(parts: list[SafeText]) -> SafeText:
    return SafeText(tuple(piece for part in parts for piece in part.pieces))

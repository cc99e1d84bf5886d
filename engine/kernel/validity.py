"""Sentencepiece's rule for what may be a piece, as a number per token that joining two tokens updates.

The rule (sentencepiece 0.2.3, `TrainerInterface::IsValidSentencePiece` at its defaults; its bound on length is the
policy's `max_token_length`): U+2581 is the first character or absent; all characters are of one Unicode script, where
Hiragana, Katakana and U+30FC count as Han, Inherited characters take the script before them, Common is a script of its
own, and U+2581 has none; U+0000, U+001F, U+0020, U+2585 and what is no character stand in no piece.

A piece with an invalid part is invalid, so one number, its kind, says all that joining needs to know of a piece.
"""

from collections.abc import Iterable
from functools import cache

from engine.kernel.scripts import INHERITED, script_of

MARK = "\u2581"
"""What sentencepiece puts in front of a word, in place of the space."""
INVALID = 0
"""The kind of what is part of no piece."""
ANY_SCRIPT = 1
"""The kind of a piece whose characters have no script of their own; above it, one number per script."""
MARKED = 1 << 16
"""Added to the kind of a piece that begins with the mark."""

_NEVER = frozenset("\0\x1f \u2585")
_numbers: dict[str, int] = {INHERITED: ANY_SCRIPT}


@cache
def _kind(character: str) -> int:
    if character == MARK:
        return ANY_SCRIPT | MARKED
    if character in _NEVER or "\ud800" <= character <= "\udfff":
        return INVALID
    script = script_of(character)
    han = script in ("Hira", "Kana") or character == "\u30fc"
    return _numbers.setdefault("Hani" if han else script, len(_numbers) + 1)


def joined(left: int, right: int) -> int:
    """The kind of the piece that two pieces of these kinds become; `INVALID` where they may not."""
    if left == INVALID or right == INVALID or right & MARKED:
        return INVALID
    mark = left & MARKED
    script = left & ~MARKED
    if script in (ANY_SCRIPT, right):
        return right | mark
    return left if right == ANY_SCRIPT else INVALID


def kind_of(characters: Iterable[str]) -> int:
    """The kind of the piece of these characters."""
    kinds = map(_kind, characters)
    kind = next(kinds, ANY_SCRIPT)
    for other in kinds:
        kind = joined(kind, other)
    return kind

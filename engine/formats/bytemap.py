"""Names of byte-level tokens: their bytes by GPT-2's byte-to-unicode map, and back."""

from engine.alphabet import BYTE_TO_UNICODE

_LETTERS = dict(enumerate(BYTE_TO_UNICODE))
_BYTES = dict.fromkeys(range(256), "\uffff") | {ord(letter): chr(byte) for byte, letter in _LETTERS.items()}
"""The byte of each letter as a character of Latin-1, which has none for what is no letter."""


def mapped(data: bytes) -> str:
    """The name of a token of these bytes: one letter for each byte."""
    return data.decode("latin-1").translate(_LETTERS)


def unmapped(name: str) -> bytes | None:
    """The bytes that a name stands for; None when a character of it is no byte's letter."""
    try:
        return name.translate(_BYTES).encode("latin-1")
    except UnicodeEncodeError:
        return None

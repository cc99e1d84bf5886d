"""Names of byte-level tokens: their bytes by GPT-2's byte-to-unicode map, and back."""

from engine.alphabet import BYTE_TO_UNICODE

_LETTERS = dict(enumerate(BYTE_TO_UNICODE))
_BYTES = {ord(letter): byte for byte, letter in _LETTERS.items()}


def mapped(data: bytes) -> str:
    """The name of a token of these bytes: one letter for each byte."""
    return data.decode("latin-1").translate(_LETTERS)


def unmapped(name: str) -> bytes | None:
    """The bytes that a name stands for; None when a character of it is no byte's letter."""
    values = [_BYTES.get(ord(letter)) for letter in name]
    return None if None in values else bytes(value for value in values if value is not None)

"""GPT-2's pattern and letters: how byte-level vocabularies are written in other libraries' files."""

PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""

_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
BYTE_OF = {chr(b): b for b in _PRINTABLE} | {chr(0x100 + i): b for i, b in enumerate(_OTHERS)}
"""The byte that each letter stands for."""


def spelled(token: str) -> bytes:
    """The bytes that a token's letters stand for."""
    return bytes(BYTE_OF[letter] for letter in token)


def by_id(vocabulary: dict[str, int]) -> list[bytes]:
    """The tokens of a vocabulary in the order of their ids."""
    return [spelled(token) for token, _ in sorted(vocabulary.items(), key=lambda entry: entry[1])]

"""Texts that try boundaries, and what the `regex` package makes of them: the measure of the compiled scanners."""

import os
import random
from collections import Counter
from collections.abc import Iterable

import regex

from engine.policy import Policy
from engine.pretokenize import PATTERNS as PUBLISHED
from engine.pretokenize import pattern_splitter

BY_LINE = ("gpt2-by-line", "cl100k-by-line", "o200k-by-line")
PATTERNS = ("gpt2", "cl100k", "o200k", *BY_LINE, "whitespace")
"""The boundaries that look at characters and not only at bytes."""
SCANNED = (*PATTERNS, "line", "spaces", "ascii-whitespace")
CONTEXTS = "%\na%b A%% 1%2 %  %\r\n'%s!%/"
"""A code point between letters, digits, spaces, line ends and others, beside itself and in a contraction."""
_EVERY = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
ASSIGNED = regex.findall(r"[^\p{Cn}\p{Co}]", _EVERY)
"""Every character, as the `regex` package knows them."""
UNASSIGNED = "".join(regex.findall(r"[\p{Cn}\p{Co}]", _EVERY)).encode()
"""All other code points; to every pattern they are one piece."""
AWKWARD = (
    *" \n\r\t\v\f'’sStTmMdDlLvVeErRaAzZ019/!?.-_\u00a0\u3000\u2028ſKßéЖжДzǅʰªअा\u0301ا中٣½²\u200b\u200d😀\x00\x1c\x85",
    *("'s", "'LL", "\r\n", "  ", " a", "\n\n", "/\n"),
)
"""Of every class that a pattern tells apart, and what they treat in ways of their own."""
BROKEN = b"\x80\xbf\xc0\xc3\xe2\xe0\xed\xf0\xf4\xf5\xff\x85\xa0"


def in_contexts(characters: Iterable[str]) -> bytes:
    """Characters in all contexts; a number keeps them apart."""
    return "0".join(CONTEXTS.replace("%", c) for c in characters).encode()


def at_once(data: bytes, boundary: str) -> list[bytes]:
    """The pieces of a valid text by one call of the `regex` package."""
    pattern = PUBLISHED[boundary] + r"|\s+" * (boundary == "whitespace")
    return "\ue000".join(regex.findall(pattern, data.decode())).encode().split("\ue000".encode())


def awkward_text(rolls: random.Random, most: int) -> bytes:
    """A random text of awkward characters, one in three with bytes that are no UTF-8."""
    data = bytearray("".join(rolls.choices(AWKWARD, k=rolls.randint(1, most))).encode())
    if rolls.random() < 0.33:
        for _ in range(rolls.randint(1, 4)):
            data.insert(rolls.randint(0, len(data)), rolls.choice(BROKEN))
    return bytes(data)


def by_regex(data: bytes, boundary: str, unmatched: str = "kept") -> list[tuple[int, bytes]]:
    """The pieces by the `regex` package."""
    return list(pattern_splitter(Policy(boundary=boundary, unmatched=unmatched))(data))


def counted(texts: Iterable[bytes], boundary: str, unmatched: str = "kept") -> list[tuple[bytes, int]]:
    """Distinct pieces with their counts by the `regex` package, in the order of first appearance."""
    return list(Counter(piece for text in texts for _, piece in by_regex(text, boundary, unmatched)).items())


def random_texts() -> int:
    """How many random texts to try: BPE_TUI_RANDOM_TEXTS, or a few."""
    return int(os.environ.get("BPE_TUI_RANDOM_TEXTS", "2000"))

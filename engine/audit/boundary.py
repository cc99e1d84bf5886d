"""Entries that the pre-tokenizer never lets through, and patterns that match nothing.

An entry counts as cut when no piece covers it in any of the contexts tried: in an entry made of it that is not cut;
alone; between each of `BEFORE` and each of `AFTER`; and, where it begins or ends inside a character, with that
character completed to one of each Unicode category that has such bytes. So a boundary that asks for more than the kinds
of its neighbours may still let it through.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from unicodedata import category

import regex

from engine.alphabet import Token
from engine.audit.entries import Entries
from engine.audit.findings import Advance, Finding
from engine.policy import PATTERN
from engine.pretokenize import PATIENCE_S, Splitter, splitter, users_pattern
from engine.quoting import quoted
from engine.utf8 import PartKind, parts

BEFORE = tuple(text.encode() for text in ("", " ", "\n", "a", "A", "1", ".", "'"))
AFTER = tuple(text.encode() for text in ("", " ", "\n", "s", "S", "e", "E", "l", "L", "1", "."))
"""What stands around an entry, in turn: the ends of the text, white space, a line end, letters (those that end English
contractions, which the published patterns know), a digit, marks."""
PROBE = (
    "The quick brown fox, isn't it?\n\n  1234567\t\r\n_-/\\(){}[]<>=+*&^%$#@!~`|\";:. ÄÖü éß Ωя "
    "\u4e2d\u6587 \u304b\u306a \ud55c\uad6d \u0639\u0631\u0628 \u0939\u093f\u0928 \u00b2\u00bd \U0001f980"
)
"""A text with something of every kind that a boundary looks for."""


def cut(entries: Entries, advance: Advance) -> Iterator[Finding]:
    """Merged entries that no piece covers in any context tried."""
    policy = entries.merges.policy
    if policy.boundary == "document":
        return
    pieces = splitter(policy)
    passed: set[int] = set()
    found: list[Finding] = []
    for rank, token, content in reversed([*entries.merged()]):
        advance(1)
        tried = 0 if token in passed or not content.data else _tried_in_vain(pieces, content)
        if not tried:
            passed.update(entries.merges.pairs[rank])
        else:
            how = f"{quoted(policy.boundary)} {_first_cut(pieces, content.data)}"
            found.append(entries.finding("cut", rank, f"the boundary {how}, and in {tried - 1} other contexts too"))
    yield from reversed(found)


def _tried_in_vain(pieces: Splitter, content: Token) -> int:
    """In how many contexts an entry was tried, alone first; 0 when one piece covers it in one of them."""
    if _covered(pieces, content, b"", b""):
        return 0
    around = [edges for edges in _contexts(content.data) if edges != (b"", b"")]
    return 0 if any(_covered(pieces, content, *edges) for edges in around) else 1 + len(around)


def _covered(pieces: Splitter, content: Token, before: bytes, after: bytes) -> bool:
    """Whether one piece holds the entry's bytes between others; one that ends a word must end the piece."""
    start, stop = len(before), len(before) + len(content.data)
    for at, piece in pieces(before + content.data + after):
        if at > start:
            return False
        end = at + len(piece)
        if end >= stop:
            return end == stop or not content.ends_word
    return False


def _first_cut(pieces: Splitter, data: bytes) -> str:
    """What becomes of an entry's bytes alone."""
    at, piece = next(pieces(data), (0, b""))
    if at > 0 or not piece:
        return f"drops its first {at or len(data)} bytes alone"
    return f"cuts it after byte {len(piece)} of {len(data)} alone"


def _contexts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """What to put before and after an entry."""
    found = parts(data)
    starts_inside, ends_inside = found[0].kind is PartKind.CONTINUATION, found[-1].kind is PartKind.HEAD
    if starts_inside and len(found) == 1:
        yield from _completions()[0].get(data, {}).values()
        return
    before = [b for b, _ in _completions()[1].get(data[: found[0].stop], {}).values()] if starts_inside else BEFORE
    after = [a for _, a in _completions()[2].get(data[found[-1].start :], {}).values()] if ends_inside else AFTER
    yield from product(before or BEFORE, after or AFTER)


Completions = dict[bytes, dict[str, tuple[bytes, bytes]]]
"""What a character has before and behind some of its bytes: one example of each category."""


@cache
def _completions() -> tuple[Completions, Completions, Completions]:
    """Of continuation bytes anywhere in a character, at its end, and of bytes at its beginning.

    Planes 0 and 1: what lies beyond is ideographs, which plane 0 has as well.
    """
    inside: Completions = {}
    ends: Completions = {}
    begins: Completions = {}
    for code in range(0x80, 0x20000):
        kind = category(char := chr(code))
        if kind in ("Cn", "Co", "Cs"):
            continue
        data = char.encode()
        for start, stop in combinations(range(len(data) + 1), 2):
            for table, fits in (
                (inside, start > 0),
                (ends, start > 0 and stop == len(data)),
                (begins, start == 0 and stop < len(data)),
            ):
                if fits:
                    table.setdefault(data[start:stop], {}).setdefault(kind, (data[:start], data[stop:]))
    return inside, ends, begins


def idle_pattern(entries: Entries) -> Iterator[Finding]:
    r"""A user's pattern that matches in no entry and not in `PROBE`, such as the plain text `\s+`.

    Raises:
        PolicyRefusal: when the pattern does not compile.
    """
    policy = entries.merges.policy
    if not policy.boundary.startswith(PATTERN):
        return
    pattern = users_pattern(policy.boundary)
    texts = (content.data.decode("utf-8", "surrogateescape") for _, _, content in entries.merged())
    if not any(_matches(pattern, one) for one in (PROBE, *texts)):
        result = "kept whole" if policy.unmatched == "kept" else "dropped"
        yield Finding(
            "pattern",
            None,
            None,
            b"",
            f"{quoted(pattern.pattern)} matches in no entry and in no text tried, so that every text is {result}; "
            "is it a regular expression given as plain text?",
        )


def _matches(pattern: "regex.Pattern[str]", text: str) -> bool:
    """Whether a pattern matches; one that takes too long counts as if it did."""
    try:
        return pattern.search(text, timeout=PATIENCE_S) is not None
    except TimeoutError:
        return True

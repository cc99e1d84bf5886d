r"""Queries: what find and filter understand, the same in every pane.

Plain text (as typed, or copied from the display), bytes as `\xE6`, `re:` with a regular expression over bytes, and
`is:head` and the like for the UTF-8 class of a vocabulary entry.
"""

from collections.abc import Callable

import regex

from bpe_tui.text.cells import spell, unshow
from engine.errors import Refusal
from engine.patterns import compiled
from engine.quoting import quoted
from engine.utf8 import Utf8Class, utf8_class

Matcher = Callable[[bytes], bool]
TIME_LIMIT_S = 0.5
"""How long an expression may look at one row."""
_ESCAPE = regex.compile(r"\\x([0-9A-Fa-f]{2})|(?s:.)")


def matcher(query: str) -> Matcher:
    """The test of a query.

    Raises:
        Refusal: for an expression that is too large, calls itself or does not compile, or an unknown class.
    """
    if query.startswith("is:"):
        wanted = _class(query.removeprefix("is:").strip())
        return lambda data: utf8_class(data) is wanted
    if query.startswith("re:"):
        return _expression(query.removeprefix("re:"))
    needle = needle_of(query)
    return lambda data: needle in data


def needle_of(query: str) -> bytes:
    r"""The bytes of a plain query: `\xE6` is a byte, everything else is read as the display writes it."""
    out = bytearray()
    text = ""
    for match in _ESCAPE.finditer(query):
        if match[1]:
            out += unshow(spell(text)) + bytes([int(match[1], 16)])
            text = ""
        else:
            text += match[0]
    return bytes(out + unshow(spell(text)))


def _expression(text: str) -> Matcher:
    pattern = compiled(text.encode("utf-8", "surrogateescape"), "the expression")

    def fits(data: bytes) -> bool:
        try:
            return pattern.search(data, timeout=TIME_LIMIT_S) is not None
        except TimeoutError:
            raise Refusal(f"the expression {quoted(text)} takes too long: make it simpler") from None

    return fits


def _class(name: str) -> Utf8Class:
    for known in Utf8Class:
        if name == known.value:
            return known
    raise Refusal(f"unknown class {quoted(name)}: choose {', '.join(k.value for k in Utf8Class)}")

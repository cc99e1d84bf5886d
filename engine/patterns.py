"""Regular expressions of others, from files, flags and filters: small ones are compiled, and none may call itself.

How long one may then look at a text is for those who run it to say.
"""

from collections.abc import Iterable
from typing import AnyStr

import regex

from engine.errors import PolicyRefusal
from engine.quoting import quoted

LARGEST = 100_000
"""Characters of the largest pattern with its repeats written out; the longest published ones have under a thousand."""
_LEAST_REPEATS = regex.compile(r"\{0*([0-9]+)")
_CALL = regex.compile(r"\\(?s:.)|(\(\?(?:R|[0-9]|&|P[>&]|[+-][0-9]))")
"""An escaped character, or how a call begins: `(?R)`, `(?1)`, `(?-1)`, `(?&name)`, `(?P>name)`."""


def compiled(pattern: AnyStr, what: str) -> "regex.Pattern[AnyStr]":
    """A pattern that can be run under a time limit.

    A call can hold as much memory as the package ever takes before any time limit is reached.

    Args:
        pattern: of text or of bytes.
        what: what refusals call it: `boundary pattern`.

    Raises:
        PolicyRefusal: when it is too large, calls itself or one of its groups, or does not compile.
    """
    text = pattern if isinstance(pattern, str) else pattern.decode("utf-8", "surrogateescape")
    if _is_too_large(text):
        raise PolicyRefusal(
            f"{what} {quoted(text)} is too large: with its repeats written out, as compiling does, it could have over "
            f"{LARGEST} characters"
        )
    call = next((match[1] for match in _CALL.finditer(text) if match[1]), None)
    if call is not None:
        raise PolicyRefusal(
            rf"{what} {quoted(text)} has {call}, which calls a part of the pattern: write that part out (a plain "
            r"parenthesis is \( inside a set too)"
        )
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise PolicyRefusal(f"{what} {quoted(text)} does not compile: {why}") from None


def longest_of(texts: Iterable[bytes]) -> "regex.Pattern[bytes]":
    """A pattern that matches the longest of some texts.

    Raises:
        PolicyRefusal: when they are too many to be compiled soon.
    """
    longest_first = sorted(texts, key=len, reverse=True)
    size = sum(map(len, longest_first))
    if size > LARGEST:
        raise PolicyRefusal(
            f"{len(longest_first)} special tokens have {size} bytes: at most {LARGEST} are looked for in a text"
        )
    return regex.compile(b"|".join(map(regex.escape, longest_first)))


def _is_too_large(pattern: str) -> bool:
    """Whether a pattern could grow over its bound with its least repeats written out: `(a{9}){9}` has 81 letters."""
    size = len(pattern)
    for match in _LEAST_REPEATS.finditer(pattern):
        if size > LARGEST:
            break
        size *= max(1, int(match[1][:18]))
    return size > LARGEST

r"""Where Oniguruma, which runs Hugging Face's patterns (onig 6.9, Ruby syntax), and the `regex` package part.

Found by running both: `{n,m}+` repeats a group there and is possessive here, `{n}?` may be left out there and is
reluctant here; `\h` is a hexadecimal digit there and a blank here; `[` and `&&` inside a set make sets there, plain
characters here; of the flags only `i` and `x` mean the same; `^` and `$` stand at every line there; `\w` and
`\b` hold some other characters.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\.|\[:\^?\w+:\]|\{\d*,?\d*\}\+|\{\d+\}\?|\(\?[A-Za-z]+|&&|.", re.DOTALL | re.ASCII)
_SAME_FLAGS = re.compile(r"\(\?[ix]+")
_LOOSE = frozenset((r"\w", r"\W", r"\b", r"\B", "^", "$"))
_SIGNS = ("(?", "{")


def otherwise(pattern: str) -> str | None:
    """A part of a pattern that means one thing there and another here; None without one."""
    for token, inside in _tokens(pattern):
        if token in (r"\h", r"\H") or (inside and token in ("[", "&&")):
            return token
        if not inside and len(token) > 1 and token.startswith(_SIGNS) and not _SAME_FLAGS.fullmatch(token):
            return token
    return None


def loosely(pattern: str) -> bool:
    """Whether a pattern has a part whose meaning differs in some places only."""
    return any(token in _LOOSE and (not inside or token[0] == "\\") for token, inside in _tokens(pattern))


def _tokens(pattern: str) -> Iterator[tuple[str, bool]]:
    """The parts of a pattern, and whether each lies inside a set; brackets and signs of sets are none."""
    first = None  # where the first character of the set stands that the scan is in
    for match in _TOKEN.finditer(pattern):
        token, at = match[0], match.start()
        if first is None and token == "[":
            first = at + 2 if pattern.startswith("^", at + 1) else at + 1
        elif first is not None and at < first:
            continue  # the sign of a set that is turned round
        elif first is not None and token == "]" and at > first:
            first = None
        else:
            yield token, first is not None

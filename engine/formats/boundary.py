r"""Boundaries as regular expressions, for formats that hold one: every match is a piece, and no piece is anything else.

Text between matches is lost to readers that take matches only (minbpe, tiktoken), so where a policy keeps it the
expression matches it too. `[\s\S]+` is one piece in every reader (tiktoken, Oniguruma, `regex`, `re`).
"""

from engine.errors import FormatRefusal
from engine.policy import PATTERN, Policy
from engine.pretokenize import BY_LINE, CL100K, GPT2, O200K
from engine.quoting import quoted

WHOLE = r"[\s\S]+"
_COVERING = {
    "document": WHOLE, "line": r"[^\n]*\n|[^\n]+", "gpt2": GPT2, "cl100k": CL100K, "o200k": O200K, **BY_LINE,
}  # fmt: skip
"""Boundaries that leave nothing between their matches."""
_WORDS = {
    "spaces": ("[^ ]+", " +"),
    "ascii-whitespace": (r"[^ \t-\r]+", r"[ \t-\r]+"),
    "whitespace": (r"\S+", r"\s+"),
}
"""Boundaries with white space between their matches: the words, and what lies between."""
_READ = {
    "": ("document", "kept"),
    "(?s:.+)": ("document", "kept"),
    **{pattern: (name, "kept") for name, pattern in _COVERING.items()},
    **{word: (name, "dropped") for name, (word, _) in _WORDS.items()},
    **{f"{word}|{gap}": (name, "kept") for name, (word, gap) in _WORDS.items()},
}


def pattern_of(policy: Policy) -> str:
    """The expression whose matches are the pieces of a policy's boundary, in the syntax of the `regex` package.

    Raises:
        FormatRefusal: for a boundary that is no expression.
    """
    name, kept = policy.boundary, policy.unmatched == "kept"
    if name in _COVERING:
        return _COVERING[name]
    if name in _WORDS:
        word, gap = _WORDS[name]
        return f"{word}|{gap}" if kept else word
    if not name.startswith(PATTERN):
        raise FormatRefusal(f"boundary={quoted(name)} is no regular expression: choose a format that does not hold one")
    own = name.removeprefix(PATTERN)
    return rf"(?:{own})|(?:(?!{own})[\s\S])+" if kept else own


def boundary_of(pattern: str) -> tuple[str, str]:
    """The policy's `boundary` and `unmatched` of an expression of which a reader takes all matches."""
    return _READ.get(pattern, (PATTERN + pattern, "dropped"))

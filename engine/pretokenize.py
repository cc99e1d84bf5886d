r"""Boundaries: how a document's bytes are cut into the units that merges cannot leave.

Patterns are the published ones: GPT-2 (`encoder.py`), cl100k and o200k (tiktoken 0.14, `openai_public.py`), run by the
`regex` package. Bytes that are no UTF-8 travel as single code points that are neither letter, number nor white space,
so that nothing is lost and every piece keeps its exact bytes.
"""

from collections.abc import Callable, Iterator

import regex

from engine.errors import PolicyRefusal
from engine.policy import PATTERN, Policy
from engine.quoting import quoted

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
O200K = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
PATTERNS = {"whitespace": r"\S+", "gpt2": GPT2, "cl100k": CL100K, "o200k": O200K}
BYTE_PATTERNS = {"line": rb"[^\n]*\n|[^\n]+", "spaces": rb"[^ ]+", "ascii-whitespace": rb"[^ \t\n\r\v\f]+"}

Piece = tuple[int, bytes]
"""A unit of a document: the byte offset where it starts, and its bytes."""
Splitter = Callable[[bytes], Iterator[Piece]]


def splitter(policy: Policy) -> Splitter:
    """The function that cuts a document's bytes into pieces, in order.

    Special tokens are cut out first (longest first where they overlap) and give no piece. White space between the
    pieces of `spaces`, `ascii-whitespace` and `whitespace` follows `unmatched` like any other text between matches.

    Raises:
        PolicyRefusal: when the user's pattern does not compile or matches the empty string.
    """
    cut = _boundary(policy)
    if not policy.special_tokens or policy.special_tokens_as == "text":
        return cut
    ordered = sorted((s.encode("utf-8", "surrogateescape") for s in policy.special_tokens), key=len, reverse=True)
    return _around(regex.compile(b"|".join(map(regex.escape, ordered))), cut)


def _boundary(policy: Policy) -> Splitter:
    kept = policy.unmatched == "kept"
    name = policy.boundary
    if name == "document":
        return _whole
    if name in BYTE_PATTERNS:
        return _byte_matches(regex.compile(BYTE_PATTERNS[name]), kept)
    if name in PATTERNS:
        return _text_matches(regex.compile(PATTERNS[name]), kept)
    return _text_matches(_users_pattern(name.removeprefix(PATTERN)), kept)


def _users_pattern(text: str) -> "regex.Pattern[str]":
    try:
        pattern = regex.compile(text)
    except (regex.error, RecursionError) as error:
        raise PolicyRefusal(f"boundary pattern {quoted(text)} does not compile: {error}") from None
    if pattern.match(""):
        raise PolicyRefusal(f"boundary pattern {quoted(text)} matches the empty string: use + where it has *")
    return pattern


def _whole(data: bytes) -> Iterator[Piece]:
    if data:
        yield 0, data


def _byte_matches(pattern: "regex.Pattern[bytes]", kept: bool) -> Splitter:
    def cut(data: bytes) -> Iterator[Piece]:
        end = 0
        for match in pattern.finditer(data):
            start, stop = match.span()
            if kept and start > end:
                yield end, data[end:start]
            yield start, data[start:stop]
            end = stop
        if kept and end < len(data):
            yield end, data[end:]

    return cut


def _text_matches(pattern: "regex.Pattern[str]", kept: bool) -> Splitter:
    def cut(data: bytes) -> Iterator[Piece]:
        text = data.decode("utf-8", "surrogateescape")
        end = offset = 0
        for match in pattern.finditer(text):
            start, stop = match.span()
            if start > end:
                between = text[end:start].encode("utf-8", "surrogateescape")
                if kept:
                    yield offset, between
                offset += len(between)
            if stop > start:
                piece = text[start:stop].encode("utf-8", "surrogateescape")
                yield offset, piece
                offset += len(piece)
            end = stop
        if kept and end < len(text):
            yield offset, text[end:].encode("utf-8", "surrogateescape")

    return cut


def _around(specials: "regex.Pattern[bytes]", cut: Splitter) -> Splitter:
    def around(data: bytes) -> Iterator[Piece]:
        start = 0
        for match in specials.finditer(data):
            yield from _shifted(cut(data[start : match.start()]), start)
            start = match.end()
        yield from _shifted(cut(data[start:]), start)

    return around


def _shifted(pieces: Iterator[Piece], by: int) -> Iterator[Piece]:
    return ((start + by, piece) for start, piece in pieces)

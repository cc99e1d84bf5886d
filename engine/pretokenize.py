r"""Boundaries: how a document's bytes are cut into the units that merges cannot leave.

Patterns are the published ones: GPT-2 (`encoder.py`), cl100k and o200k (tiktoken 0.14, `openai_public.py`), run by
compiled scanners where they were built, else by the `regex` package; both give the same pieces. A byte that belongs
to no character counts as a character of its own that is neither letter, number nor white space, so that nothing is
lost and every piece keeps its exact bytes.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import regex

from engine.corpus.file_text import Text
from engine.errors import PolicyRefusal
from engine.patterns import compiled, longest_of
from engine.policy import PATTERN, Policy
from engine.quoting import quoted

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
_O200K_WORDS = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
    )
)
O200K = _O200K_WORDS + r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BY_LINE = {
    "gpt2-by-line": (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|[^\S\n]*\n|[^\S\n]+(?!\S)|[^\S\n]+"),
    "cl100k-by-line": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++\r*\n?|[^\S\n]*\n"
        r"|[^\S\n]++(?![\s\S])|[^\S\n]*\r|[^\S\n]+(?!\S)|[^\S\n]"
    ),
    "o200k-by-line": (_O200K_WORDS + r"| ?[^\s\p{L}\p{N}]+[\r/]*\n?|[^\S\n]*\n|[^\S\n]*\r+|[^\S\n]+(?!\S)|[^\S\n]+"),
}
"""What the published patterns do where each line, with its newline, is a text of its own."""
PATTERNS = {"whitespace": r"\S+", "gpt2": GPT2, "cl100k": CL100K, "o200k": O200K, **BY_LINE}
BYTE_PATTERNS = {"line": rb"[^\n]*\n|[^\n]+", "spaces": rb"[^ ]+", "ascii-whitespace": rb"[^ \t\n\r\v\f]+"}
MARKED_WORDS = {
    "sp-words": "\u2581[^\u2581\n\0\x1f\u2585]*|[^\u2581\n\0\x1f\u2585]+",
    "yttm-words": "\u2581[^\u2581\n]*|[^\u2581\n]+",
}
"""Words that begin at U+2581. Line ends stand between them; for sentencepiece U+0000, U+001F and U+2585 too."""

Piece = tuple[int, bytes]
"""A unit of a document: the byte offset where it starts, and its bytes."""
Splitter = Callable[[Text], Iterator[Piece]]


Matcher = Callable[["regex.Pattern[str]", str], Iterator[tuple[int, int]]]
PATIENCE_S, SLOWEST = 5.0, 100_000
"""A user's pattern has so many seconds, and one more for each so many characters: simple ones take a tenth of that."""
SEARCHED = 1 << 20
"""Bytes searched for special tokens at once."""

if TYPE_CHECKING:
    from engine.scanner import Scanner


def splitter(policy: Policy) -> Splitter:
    """The function that cuts a document's bytes into pieces, in order.

    Special tokens are cut out first (longest first where they overlap) and give no piece. White space between the
    pieces of `spaces`, `ascii-whitespace` and `whitespace` follows `unmatched` like any other text between matches.

    Raises:
        PolicyRefusal: when the user's pattern does not compile or matches the empty string.
    """
    cut = scanner(policy) or pattern_splitter(policy)
    return _around(policy, cut) if cuts_specials(policy) else cut


def scanner(policy: Policy) -> "Scanner | None":
    """The compiled boundary of a policy, special tokens aside; None where there is none."""
    if find_spec("engine._pieces") is None:
        return None
    from engine.scanner import BOUNDARIES, Scanner

    return Scanner(policy.boundary, policy.unmatched == "dropped") if policy.boundary in BOUNDARIES else None


def cuts_specials(policy: Policy) -> bool:
    """Whether special tokens cut a text into segments."""
    return bool(policy.special_tokens) and policy.special_tokens_as == "cut"


def segments(policy: Policy, text: Text) -> Iterable[tuple[int, int]]:
    """Where the parts of a text lie that are cut by themselves: between special tokens, never empty."""
    if not cuts_specials(policy):
        return ((0, len(text)),) if text else ()
    return _between_specials(policy, text)


def _between_specials(policy: Policy, text: Text) -> Iterator[tuple[int, int]]:
    start = 0
    for found, end in _specials(policy, text):
        if start < found:
            yield start, found
        start = end
    if start < len(text):
        yield start, len(text)


def _specials(policy: Policy, text: Text) -> Iterator[tuple[int, int]]:
    """Where special tokens stand. A window is looked at as far as every token that begins there lies in it."""
    tokens = [s.encode("utf-8", "surrogateescape") for s in policy.special_tokens]
    pattern = longest_of(tokens)
    at, longest = 0, max(map(len, tokens))
    while at < len(text):
        window = text[at : at + SEARCHED + longest]
        done = len(window) if at + len(window) == len(text) else SEARCHED
        end = 0
        for match in pattern.finditer(window):
            if match.start() >= done:
                break
            end = match.end()
            yield at + match.start(), at + end
        at += max(done, end)


def pattern_splitter(policy: Policy) -> Splitter:
    """A boundary by the `regex` package, special tokens aside; `splitter` says when it is used and what it raises."""
    kept = policy.unmatched == "kept"
    name = policy.boundary
    if name == "document":
        return _whole
    if name in BYTE_PATTERNS:
        return _byte_matches(regex.compile(BYTE_PATTERNS[name]), kept)
    if name in PATTERNS:
        return _text_matches(regex.compile(PATTERNS[name]), kept)
    if name in MARKED_WORDS:
        return _text_matches(regex.compile(MARKED_WORDS[name]), kept)
    return _text_matches(users_pattern(name), kept, _bounded)


def whole_pattern(policy: Policy) -> "regex.Pattern[str]":
    """A published pattern whose matches are all pieces, those between its own matches included where they are kept."""
    pattern = PATTERNS[policy.boundary]
    return regex.compile(pattern + r"|\s+" if policy.unmatched == "kept" else pattern)


def users_pattern(boundary: str) -> "regex.Pattern[str]":
    """The pattern of a boundary `pattern:...`.

    Raises:
        PolicyRefusal: as `engine.patterns.compiled`, and when it matches the empty string.
    """
    text = boundary.removeprefix(PATTERN)
    pattern = compiled(text, "boundary pattern")
    if pattern.match(""):
        raise PolicyRefusal(f"boundary pattern {quoted(text)} matches the empty string: use + where it has *")
    return pattern


def _whole(text: Text) -> Iterator[Piece]:
    if text:
        yield 0, text[:]


def _byte_matches(pattern: "regex.Pattern[bytes]", kept: bool) -> Splitter:
    def cut(text: Text) -> Iterator[Piece]:
        data, end = text[:], 0
        for match in pattern.finditer(data):
            start, stop = match.span()
            if kept and start > end:
                yield end, data[end:start]
            yield start, data[start:stop]
            end = stop
        if kept and end < len(data):
            yield end, data[end:]

    return cut


def _plain(pattern: "regex.Pattern[str]", text: str) -> Iterator[tuple[int, int]]:
    """Where a pattern matches."""
    return (match.span() for match in pattern.finditer(text))


def _bounded(pattern: "regex.Pattern[str]", text: str) -> Iterator[tuple[int, int]]:
    """Where a user's pattern matches, all found before the first is told: who listens must not use up the time."""
    seconds = PATIENCE_S + len(text) / SLOWEST
    spans = array("I" if len(text) < 1 << 32 else "Q")
    try:
        for match in pattern.finditer(text, timeout=seconds):
            spans.extend(match.span())
    except TimeoutError:
        raise PolicyRefusal(
            f"boundary pattern {quoted(pattern.pattern)} takes more than {seconds:.0f} s on {len(text):,} characters: "
            "it tries the same text in too many ways; write + and * so that only one of them can take a character"
        ) from None
    ends = iter(spans)
    return zip(ends, ends, strict=True)


def _text_matches(pattern: "regex.Pattern[str]", kept: bool, matches: Matcher = _plain) -> Splitter:
    def cut(data: Text) -> Iterator[Piece]:
        text = data[:].decode("utf-8", "surrogateescape")
        end = offset = 0
        for start, stop in matches(pattern, text):
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


def _around(policy: Policy, cut: Splitter) -> Splitter:
    def around(text: Text) -> Iterator[Piece]:
        for start, stop in segments(policy, text):
            for at, piece in cut(text[start:stop]):
                yield start + at, piece

    return around

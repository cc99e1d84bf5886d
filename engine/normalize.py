r"""What a text becomes before it is cut into units: the one place where a policy changes a text.

Training documents and held-out text go the same way, and what is shown afterwards is the text that came out: positions
count its bytes. Three things are done, the first two a line at a time (lines end with U+000A, which stays):

* The normalizer `nmt-nfkc` is sentencepiece 0.2.3's default, `nmt_nfkc`: NFKC by rules for single characters and for
  the sequences that one composed character stands for, so that combining marks are never reordered; and the rules of a
  translation system, which take control characters out and turn odd white space into spaces.
* The boundary `sp-words` needs its words marked as sentencepiece marks them: runs of spaces become one U+2581, spaces
  at a line's ends are dropped, each line that has anything begins with U+2581, and a byte of no character
  becomes U+FFFD. `yttm-words` marks them as YouTokenToMe 1.0.6 does: a word is what no ASCII white space and no U+2581
  is in, and U+2581 begins each.
* The normalizer `prefix-space` puts U+0020 in front of a text that has anything and does not begin with it, as the
  `ByteLevel` of tokenizers 0.23 does with `add_prefix_space`; other white space counts for nothing.
"""

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from engine.corpus.columns import Strings, lengths
from engine.corpus.document import Document, Documents, columns_of
from engine.corpus.file_text import Text
from engine.kernel.validity import MARK
from engine.memory import Taken, check_memory, memory_bound, unheard
from engine.policy import Policy

PREFIX_SPACE = "prefix-space"
"""The normalizer that readers can do themselves, since it only puts something in front of a text."""
_SPACES = "\t\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
"""What NMT's rules take for a space, beside what NFKC does (`Builder::BuildNmtNFKCMap`)."""
_REMOVED = [*range(1, 9), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F]
"""Control characters that these rules remove."""
_KEPT = "\uff5e"
"""FULLWIDTH TILDE, which NFKC would change."""
_ASCII_WORDS = re.compile(f"[^ \\t\\r\\v\\f{MARK}]+")
_NO_WORD_BEGINS = re.compile(f"[ \\t\\r\\v\\f{MARK}]")
_SPACES_BEGIN = re.compile("(?<! ) ")
BLOCK = 1 << 16
"""Characters of a line that are looked at together."""
DECODED, MARKED = 6, 5
"""Bytes of memory for a byte of a line while it is decoded and normalised, and for one of it while it is marked."""
_NO_CHARACTER = dict.fromkeys(range(0xDC80, 0xDD00), "\ufffd")
"""The surrogates that stand for single bytes (`surrogateescape`)."""


class Rules(NamedTuple):
    """The rules of `nmt-nfkc`.

    Attributes:
        single: what a code point becomes, where it changes.
        decomposed: the full decomposition of characters that have one, by character.
        sequences: decompositions, of more than one character, that one character stands for.
        longest: characters in the longest of them.
        runs: finds what can be such a sequence, in any spelling.
        beginnings: finds a character that no run goes on with.
    """

    single: dict[int, str]
    decomposed: dict[str, str]
    sequences: frozenset[str]
    longest: int
    runs: "re.Pattern[str]"
    beginnings: "re.Pattern[str]"


def prepared(policy: Policy, text: Text, taken: Taken = unheard) -> Text:
    """The text that a policy cuts and learns from; the very same where the policy changes none.

    Args:
        policy: says what is done.
        text: any bytes.
        taken: hears the bytes of memory that this takes, line by line; what it raises ends the work.
    """
    mark = MARKERS.get(policy.boundary)
    if policy.normalizer == PREFIX_SPACE and text[:1] not in (b"", b" "):
        text = b" " + text[:]
    if policy.normalizer != "nmt-nfkc" and mark is None:
        return text
    changed = io.BytesIO()

    def taking(more: int) -> None:
        taken(2 * changed.tell() + more)

    for line in io.BytesIO(text[:]):  # one at a time: so many strings would take fifty times the text's size
        taking(DECODED * len(line))
        body = line.removesuffix(b"\n").decode("utf-8", "surrogateescape")
        if policy.normalizer == "nmt-nfkc":
            body = _normalised(body, taking)
        if mark is not None:
            taking(MARKED * sys.getsizeof(body))
            body = mark(body)
        changed.write(body.encode("utf-8", "surrogateescape"))
        if line.endswith(b"\n"):
            changed.write(b"\n")
    return changed.getvalue()


def prepared_documents(policy: Policy, documents: Sequence[Document], memory_limit: int | None = None) -> Documents:
    """The documents as a policy sees them, with everything but their texts unchanged.

    Raises:
        LimitRefusal: when they take more memory than the limit, or than three quarters of what is free.
    """
    columns = columns_of(documents)
    if policy.normalizer == "none" and policy.boundary not in MARKERS:
        return columns
    most = memory_bound(memory_limit)
    source = done = sum(lengths(columns.texts))

    def taken(more: int) -> None:
        check_memory(done + more, most, "preparing the texts")

    strings = Strings[bytes](bytes, bytes)
    for text in columns.texts:
        strings.append(prepared(policy, text, taken)[:])
        done = source + strings.size()
        taken(0)
    return columns.reading_as(strings.cuts())


def mark_words(line: str) -> str:
    """A line with U+2581 in front of each word, in place of the spaces; empty where it holds nothing else."""
    words = "".join(re.sub(" +", MARK, block) for block in _blocks(line.strip(" "), _SPACES_BEGIN))
    return (MARK + words.translate(_NO_CHARACTER)).rstrip(MARK)


def mark_ascii_words(line: str) -> str:
    """A line's words between ASCII white space and U+2581, each behind a U+2581."""
    found = map(_ASCII_WORDS.findall, _blocks(line, _NO_WORD_BEGINS))
    return "".join("".join(MARK + word for word in words) for words in found)


MARKERS: dict[str, Callable[[str], str]] = {"sp-words": mark_words, "yttm-words": mark_ascii_words}
"""The boundaries whose words are marked, and what marks a line's."""


def _normalised(line: str, taken: Taken) -> str:
    parts, size = list[str](), 0
    for block in _blocks(line, _rules().beginnings):
        parts.append(nmt_nfkc(block))
        size += 2 * sys.getsizeof(parts[-1])
        taken(size)
    return "".join(parts)


def _blocks(line: str, begins: "re.Pattern[str]") -> Iterator[str]:
    """A line in parts, each but the first beginning where the pattern matches.

    What is found in a whole line at once lies in memory as a string each, fifty times the line's size.
    """
    start = 0
    while found := begins.search(line, start + BLOCK):
        yield line[start : found.start()]
        start = found.start()
    yield line[start:]


def nmt_nfkc(line: str) -> str:
    """A line by the rules of `nmt_nfkc`, spaces at its ends and runs of them included."""
    rules = _rules()
    parts: list[str] = []
    end = 0
    for run in rules.runs.finditer(line):
        parts += line[end : run.start()].translate(rules.single), _composed(rules, run[0])
        end = run.end()
    return "".join((*parts, line[end:].translate(rules.single)))


def _composed(rules: Rules, run: str) -> str:
    """A run of characters by the longest rule at each place."""
    parts: list[str] = []
    at = 0
    while at < len(run):
        size, composed = next(_sequences_at(rules, run, at), (1, ""))
        parts.append(composed or run[at].translate(rules.single))
        at += size
    return "".join(parts)


def _sequences_at(rules: Rules, run: str, at: int) -> Iterator[tuple[int, str]]:
    """The sequences of two characters or more that begin at a place, the longest first: size and what it becomes."""
    for size in range(min(rules.longest, len(run) - at), 1, -1):
        spelled = [rules.decomposed.get(c, c) for c in run[at : at + size]]
        if all(len(c) == 1 for c in spelled) and (key := "".join(spelled)) in rules.sequences:
            yield size, normalize("NFC", key)


def _characters() -> Iterator[str]:
    return (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


@cache
def _rules() -> Rules:
    single = {ord(c): n for c in _characters() if (n := normalize("NFKC", c)) != c}
    single |= dict.fromkeys(map(ord, _SPACES), " ") | dict.fromkeys(_REMOVED, "")
    del single[ord(_KEPT)]
    decomposed = {c: d for c in _characters() if (d := normalize("NFKD", c)) != c}
    sequences = frozenset(d for d in decomposed.values() if len(d) > 1 and len(normalize("NFC", d)) == 1)
    inner = {c for sequence in sequences for c in sequence[1:]}
    inner |= {c for c, d in decomposed.items() if d in inner}
    going_on = "".join(map(re.escape, sorted(inner)))
    runs, beginnings = re.compile(f".[{going_on}]+", re.DOTALL), re.compile(f"[^{going_on}]")
    return Rules(single, decomposed, sequences, max(map(len, sequences)), runs, beginnings)

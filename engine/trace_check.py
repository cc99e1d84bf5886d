"""Checking a trace: read what it starts from, do the work again, and compare line by line.

So whatever is skipped, repeated, out of order or miscounted anywhere in it is found, and named by its line.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile, zip_longest
from urllib.parse import unquote

from engine.alphabet import build_alphabet
from engine.corpus.document import Document, corpus_of
from engine.errors import ArtifactRefusal, TokenizerRefusal
from engine.limits import FILE_LIMITS, Limits
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trace import write_apply_trace, write_trace
from engine.trainer import Trainer

TRACE_LIMITS = FILE_LIMITS.replaced({"nodes": 1 << 19, "documents": 1 << 17})
"""For traces of files: each stage is written again, which takes a hundred times the memory of its tokens."""
_DOCUMENT = re.compile(r"DOCUMENT stage=0 id=(\S+) tokens=([0-9,]*)")
_RULE = re.compile(r"RULE rank=[0-9]+ training_pair=([0-9]{1,10}),([0-9]{1,10}) .*")
_CASE = re.compile(r"CASE id=(\S+) input_hex=([0-9a-f,]*)")
_HEAD = 2
"""Lines before the documents of stage 0, and before the rules."""
_LOOKS = 1 << 26
"""Tokens looked at while cases are encoded step by step; some seconds of work."""
_AT_ONCE = 1 << 16
"""Characters of a document's tokens that are taken apart at once: numbers by themselves need ten times their text."""


def check_merge_trace(data: bytes, limits: Limits = TRACE_LIMITS) -> int:
    """Train again from the documents of stage 0 and compare every line.

    Args:
        data: a trace `bpe-merges-v1` from BEGIN to END.
        limits: bounds of the work.

    Returns:
        How many merges the trace holds.

    Raises:
        ArtifactRefusal: naming the first line that differs, or what cannot be read.
        LimitRefusal: when the training exceeds a limit.
    """
    first = takewhile(lambda line: line.startswith("DOCUMENT "), islice(_lines(data), _HEAD, None))
    found = islice(filter(None, map(_DOCUMENT.fullmatch, first)), limits.documents + 1)
    documents = [Document(_name(match[1]), _tokens(match[2], limits)) for match in found]
    trainer = Trainer(corpus_of(b"", "trace", "text", documents), Policy(), limits)
    merges = data.count(b"\nMERGE ")
    _learn(trainer, merges, len(data))
    _compare(write_trace(trainer), _lines(data))
    return merges


def _learn(trainer: Trainer, merges: int, size: int) -> None:
    """Learn the merges of a trace; no more than one of `size` bytes can hold, since a longer one differs anyway."""
    printed = trainer.tokens
    while trainer.rank < merges and printed <= size and trainer.step() is not None:
        printed += trainer.tokens


def check_apply_trace(data: bytes, limits: Limits = TRACE_LIMITS) -> int:
    """Encode the cases again with the rules of the trace and compare every line.

    Args:
        data: a trace `apply-bpe-tokenizer-v1` from BEGIN to END.
        limits: bounds of the work.

    Returns:
        How many cases the trace holds.

    Raises:
        ArtifactRefusal: naming the first line that differs, or the rule that cannot be.
        LimitRefusal: when rules or cases exceed a limit.
    """
    limits.check("nodes", data.count(b"\nRULE "), "this trace's number of rules")
    policy = Policy(id_layout="framed")
    rules = takewhile(lambda line: line.startswith("RULE "), islice(_lines(data), _HEAD, None))
    pairs = ((int(match[1]), int(match[2])) for match in map(_RULE.fullmatch, rules) if match)
    try:
        tokenizer = Tokenizer.from_pairs(policy, build_alphabet(policy, ()), pairs, limits)
    except TokenizerRefusal as error:
        raise ArtifactRefusal(f"invalid trace: {error}") from None
    _compare(write_apply_trace(tokenizer, _cases(data, tokenizer.merges)), _lines(data))
    return data.count(b"\nCASE ")


def _cases(data: bytes, rules: int) -> Iterator[tuple[str, bytes]]:
    """Each case's name and text, as long as looking at every token once for each rule that can apply is soon done."""
    looks = 0
    for match in map(_CASE.fullmatch, _lines(data)):
        if match:
            name, text = _name(match[1]), _bytes(match[2])
            looks += len(text) * min(len(text), rules)
            if looks > _LOOKS:
                raise ArtifactRefusal(
                    f"cases up to {quoted(name)} have too many bytes to check with {rules} rules: write shorter cases"
                )
            yield name, text


def _lines(data: bytes) -> Iterator[str]:
    """A trace's lines without their ends, one at a time: a list of short ones needs many times their bytes."""
    start, end = 0, len(data) - data.endswith(b"\n")
    while start <= end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        yield data[start:stop].decode("ascii", "backslashreplace")
        start = stop + 1


def _name(word: str) -> str:
    return unquote(word, errors="surrogateescape")


def _tokens(numbers: str, limits: Limits) -> bytes:
    """The bytes that a document's tokens are at stage 0."""
    limits.check("nodes", numbers.count(","), "this trace's number of base symbols")
    found, start = bytearray(), 0
    while start < len(numbers):
        stop = numbers.find(",", start + _AT_ONCE)
        stop = len(numbers) if stop < 0 else stop
        found += bytes(map(_byte, numbers[start:stop].split(",")))
        start = stop + 1
    return bytes(found)


def _byte(number: str) -> int:
    if not number or len(number) > 3 or int(number) > 255:
        raise ArtifactRefusal(f"invalid trace: stage 0 has token {number[:10] or 'none'}, which is no byte")
    return int(number)


def _bytes(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits.replace(",", ""))
    except ValueError:
        raise ArtifactRefusal(f"invalid trace: a case has {quoted(digits)}, which is no bytes in hex") from None


def _compare(expected: Iterable[str], lines: Iterable[str]) -> None:
    for number, (right, found) in enumerate(zip_longest(expected, lines), 1):
        if right is None:
            raise ArtifactRefusal(f"invalid trace: line {number} {quoted(found)} is behind its end")
        if found is None:
            raise ArtifactRefusal(f"invalid trace: it ends before line {number}, expected {quoted(right)}")
        if right != found:
            at = next(i for i, (a, b) in enumerate(zip_longest(right, found)) if a != b)
            word = found.rfind(" ", 0, at) + 1
            raise ArtifactRefusal(
                f"invalid trace: line {number} has {quoted(found[word:])} at column {word + 1}, "
                f"expected {quoted(right[word:])}"
            )

"""Checking a trace: read what it starts from, do the work again, and compare line by line.

So whatever is skipped, repeated, out of order or miscounted anywhere in it is found, and named by its line.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from urllib.parse import unquote

from engine.alphabet import build_alphabet
from engine.corpus.document import Document, corpus_of
from engine.errors import ArtifactRefusal, TokenizerRefusal
from engine.limits import UNLIMITED, Limits
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trace import write_apply_trace, write_trace
from engine.trainer import Trainer

_DOCUMENT = re.compile(r"DOCUMENT stage=0 id=(\S+) tokens=((?:[0-9]{1,3}(?:,[0-9]{1,3})*)?)")
_RULE = re.compile(r"RULE rank=[0-9]+ training_pair=([0-9]{1,10}),([0-9]{1,10}) .*")
_CASE = re.compile(r"CASE id=(\S+) input_hex=((?:[0-9a-f]{2}(?:,[0-9a-f]{2})*)?)")


def check_merge_trace(lines: Sequence[str], limits: Limits = UNLIMITED) -> int:
    """Train again from the documents of stage 0 and compare every line.

    Args:
        lines: a trace `bpe-merges-v1` from BEGIN to END, without line ends.
        limits: bounds of the work.

    Returns:
        How many merges the trace holds.

    Raises:
        ArtifactRefusal: naming the first line that differs, or what cannot be read.
        LimitRefusal: when the training exceeds a limit.
    """
    found = [match for match in map(_DOCUMENT.fullmatch, lines) if match]
    documents = [Document(_name(match[1]), _bytes(match[2], 10)) for match in found]
    trainer = Trainer(corpus_of(b"", "trace", "text", documents), Policy(), limits)
    merges = sum(line.startswith("MERGE ") for line in lines)
    trainer.seek(merges)
    _compare(write_trace(trainer), lines)
    return merges


def check_apply_trace(lines: Sequence[str], limits: Limits = UNLIMITED) -> int:
    """Encode the cases again with the rules of the trace and compare every line.

    Args:
        lines: a trace `apply-bpe-tokenizer-v1` from BEGIN to END, without line ends.
        limits: bounds of the work.

    Returns:
        How many cases the trace holds.

    Raises:
        ArtifactRefusal: naming the first line that differs, or the rule that cannot be.
        LimitRefusal: when rules or cases exceed a limit.
    """
    policy = Policy(id_layout="framed")
    pairs = [(int(match[1]), int(match[2])) for match in map(_RULE.fullmatch, lines) if match]
    try:
        tokenizer = Tokenizer.from_pairs(policy, build_alphabet(policy, ()), pairs, limits)
    except TokenizerRefusal as error:
        raise ArtifactRefusal(f"invalid trace: {error}") from None
    cases = [(_name(match[1]), _bytes(match[2], 16)) for match in map(_CASE.fullmatch, lines) if match]
    _compare(write_apply_trace(tokenizer, cases), lines)
    return len(cases)


def _name(word: str) -> str:
    return unquote(word, errors="surrogateescape")


def _bytes(numbers: str, base: int) -> bytes:
    values = [int(number, base) for number in numbers.split(",")] if numbers else []
    if max(values, default=0) > 255:
        raise ArtifactRefusal(f"invalid trace: stage 0 has token {max(values)}, which is no byte")
    return bytes(values)


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

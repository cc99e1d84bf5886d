"""minbpe's `.model`, version 1: `minbpe v1`, the pattern, the special tokens, then one merge a line.

The rules are those of `Tokenizer.save` and `load` (karpathy/minbpe, base.py): ids are counted, never stored, so the
base tokens are the bytes 0 to 255 in order and rank r makes 256 + r.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import regex

from engine.alphabet import build_alphabet
from engine.errors import FormatRefusal, Refusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, require_bytes_alone, require_plain_texts, space_left
from engine.formats.boundary import boundary_of, pattern_of
from engine.formats.files import ID_DIGITS, read_lines, refuse
from engine.kernel.base import Pair
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.quoting import quoted

NAME = "minbpe"
VERSION = "minbpe v1"
BASE = 256
_BYTES = build_alphabet(Policy(), ()).tokens


def _recognises(path: Path, head: bytes) -> bool:
    return head.startswith(VERSION[:-1].encode())


def _read(path: Path, limits: Limits) -> MergeList:
    try:
        lines = read_lines(path).decode().removesuffix("\n").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        refuse(path, f"byte {error.start} is not UTF-8, give a file that minbpe wrote")
    if lines[0] != VERSION:
        refuse(path, f"line 1 is {quoted(lines[0])}, this program reads {VERSION} only")
    if len(lines) < 3:
        refuse(path, "it is cut short: it has no number of special tokens in line 3")
    policy = _policy(path, lines[1])
    count = _number(path, 3, lines[2])
    if count > len(lines) - 3:
        refuse(path, f"line 3 promises {count} special tokens, but {len(lines) - 3} lines follow")
    merges = MergeList(path.name, NAME, policy, _BYTES, tuple(_pairs(path, lines, 3 + count)), ())
    merges = replace(merges, ids=range(BASE + len(merges.pairs)), specials=tuple(_specials(path, lines[: 3 + count])))
    try:
        merges.tokenizer(limits)
    except Refusal as error:
        refuse(path, str(error))
    for text, number in merges.specials:
        if number < len(merges.ids):
            refuse(path, f"special token {quoted(text)} has id {number}, which a byte or a merge has already")
    return merges


def _policy(path: Path, pattern: str) -> Policy:
    boundary, unmatched = boundary_of(pattern.strip())
    policy = Policy(boundary=boundary, unmatched=unmatched, tie_break="first-seen")
    try:
        splitter(policy)
    except Refusal as error:
        refuse(path, f"line 2: {error}")
    if _groups(policy):
        refuse(path, f"line 2: the pattern {quoted(pattern)} has capture groups, which minbpe takes for its pieces")
    return policy


def _groups(policy: Policy) -> int:
    return regex.compile(pattern_of(policy)).groups


def _specials(path: Path, lines: list[str]) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for at, line in enumerate(islice(lines, 3, None), 4):
        words = line.split()
        if len(words) != 2:
            refuse(path, f"line {at} is {quoted(line)}: a special token is a text without white space, and its id")
        if words[0] in seen:
            refuse(path, f"line {at} gives special token {quoted(words[0])} again")
        seen.add(words[0])
        yield words[0], _number(path, at, words[1])


def _pairs(path: Path, lines: list[str], first: int) -> Iterator[Pair]:
    for at, line in enumerate(islice(lines, first, None), first + 1):
        words = line.split()
        if len(words) != 2:
            refuse(path, f"line {at} is {quoted(line)}: a merge is two token ids")
        yield _number(path, at, words[0]), _number(path, at, words[1])


def _number(path: Path, at: int, word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS):
        refuse(path, f"line {at} has {quoted(word)}, which is no whole number of up to {ID_DIGITS} digits")
    return int(word)


def _losses(merges: MergeList) -> tuple[str, ...]:
    _require(merges)
    losses = [HOW_CHOSEN, *space_left(merges.policy)]
    if merges.policy.boundary != "document":
        losses.append(
            "minbpe's load does not compile the pattern again: make the RegexTokenizer with it before loading"
        )
    if merges.orphans:
        losses.append(f"{len(merges.orphans)} entries that no merge makes are left out")
    return tuple(losses)


def _require(merges: MergeList) -> None:
    """Refuse what no such file says."""
    require_plain_texts(merges.policy)
    require_bytes_alone(merges.policy)
    if merges.alphabet != _BYTES:
        raise FormatRefusal(f"{NAME} counts the 256 bytes in order as ids 0 to 255: this run has other base tokens")
    if list(merges.ids) != [*range(len(merges.ids))]:
        raise FormatRefusal(
            f"{NAME} stores no ids, it counts bytes from 0 and merges from {BASE}: this run has other ids "
            f"(its first is {merges.ids[0]}), and ids are never renumbered silently"
        )
    for text, number in merges.specials:
        if text.split() != [text]:
            raise FormatRefusal(f"{NAME} cannot hold special token {quoted(text)}: its reader splits at white space")
        if number < len(merges.ids):
            raise FormatRefusal(f"{NAME} has no id {number} for special token {quoted(text)}: it is below the merges'")
    pattern = _pattern(merges.policy)
    if "\n" in pattern or "\r" in pattern:
        raise FormatRefusal(f"{NAME} cannot hold a pattern of several lines: {quoted(pattern)}")
    if _groups(merges.policy):
        raise FormatRefusal(f"{NAME} cannot hold a pattern with capture groups: {quoted(pattern)}; use (?:...)")


def _pattern(policy: Policy) -> str:
    r"""The pattern line: empty stands for no splitting; white space at its ends would be stripped."""
    if policy.boundary == "document":
        return ""
    pattern = pattern_of(policy)
    return pattern if pattern.strip() == pattern else f"(?:{pattern})"


def _write(merges: MergeList) -> Files:
    _require(merges)
    lines = [VERSION, _pattern(merges.policy), str(len(merges.specials))]
    lines += [f"{text} {number}" for text, number in merges.specials]
    lines += [f"{left} {right}" for left, right in merges.pairs]
    return {"": "".join(f"{line}\n" for line in lines).encode()}


MINBPE = FileFormat(
    name=NAME,
    about="minbpe's .model: pattern, special tokens, merges; ids are counted from 0",
    endings=(".model",),
    recognises=_recognises,
    read=_read,
    losses=_losses,
    write=_write,
)

r"""tiktoken's rank file: one line `base64 SP rank LF` a token, by rank; a token's rank is its id and its priority.

The rules are those of `load_tiktoken_bpe` (tiktoken 0.14, `load.py`). Pattern and special tokens are given in code,
and merges are not stored: a token's parents are recovered from its bytes and the lower ranks.
"""

import base64
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from engine.alphabet import byte_order
from engine.errors import FormatRefusal, Refusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, require_bytes_alone, require_plain_texts, space_left
from engine.formats.boundary import pattern_of
from engine.formats.files import ID_DIGITS, read_lines, refuse
from engine.formats.recover import Recovered, recover
from engine.layout import HIGHEST
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.quoting import quoted

NAME = "tiktoken"
_LINE = re.compile(rb"\s*[A-Za-z0-9+/]+={0,2}[ \t]+\d+\s*(\n|\Z)")
_NO_PATTERN = "the file holds no pattern: text is cut at document ends only, unless a boundary is given"


def _recognises(path: Path, head: bytes) -> bool:
    return _LINE.match(head) is not None


def _read(path: Path, limits: Limits) -> MergeList:
    by_rank = dict(sorted(_entries(path, read_lines(path))))
    tokens, ranks = list(by_rank.values()), list(by_rank)
    missing = {*range(256)} - {token[0] for token in tokens if len(token) == 1}
    if missing:
        refuse(path, f"it has no token for byte {min(missing)}: all 256 bytes are needed, or encoding fails")
    try:
        found = recover(tokens, ranks, orphans=True, limits=limits)
    except Refusal as error:
        refuse(path, str(error))
    remarks = [_NO_PATTERN]
    if found.orphans:
        remarks.append(
            f"{len(found.orphans)} entries that no two lower ranks make: tiktoken gives them to whole pieces"
        )
    return MergeList(
        name=path.name,
        format=NAME,
        policy=Policy(base_order=_base_order(found)),
        alphabet=found.alphabet,
        pairs=found.pairs,
        ids=tuple(ranks[at] for at in found.order),
        orphans=tuple((ranks[at], tokens[at]) for at in found.orphans),
        remarks=tuple(remarks),
    )


def _base_order(found: Recovered) -> str:
    bytemap = b"".join(token.data for token in found.alphabet) == byte_order("bytemap")
    return "bytemap" if bytemap else "byte-value"


def _entries(path: Path, data: bytes) -> Iterator[tuple[int, bytes]]:
    seen: set[int] = set()
    for at, line in enumerate(data.splitlines(), 1):  # of bytes: at LF, CR and CRLF only, as tiktoken does
        words = line.split()
        if not words:
            continue
        if len(words) != 2:
            refuse(path, f"line {at} is {quoted(line)}: a token in base64 and its rank are needed")
        rank = _rank(path, at, words[1])
        if rank in seen:
            refuse(path, f"line {at} gives rank {rank} again: keep one")
        seen.add(rank)
        try:
            yield rank, base64.b64decode(words[0], validate=True)
        except ValueError:
            refuse(path, f"line {at} has {quoted(words[0])}, which is not base64")


def _rank(path: Path, at: int, word: bytes) -> int:
    if not (word.isdigit() and len(word) <= ID_DIGITS and int(word) <= HIGHEST):
        refuse(path, f"line {at} has rank {quoted(word)}: a whole number from 0 to {HIGHEST} is needed")
    return int(word)


def _losses(merges: MergeList) -> tuple[str, ...]:
    _sorted(merges)
    pattern = pattern_of(merges.policy)
    losses = [HOW_CHOSEN, f"the boundary {merges.policy.boundary}: give pat_str={pattern!r} when loading"]
    losses += space_left(merges.policy)
    if specials := merges.special_tokens():
        named = ", ".join(f"{quoted(text)}: {number}" for text, number in specials)
        losses.append(f"{len(specials)} special tokens: give special_tokens={{{named}}} when loading")
    if merges.frames:
        losses.append("that documents are framed: put BOS 0 and EOS 1 around encoded texts yourself")
    return tuple(losses)


def _sorted(merges: MergeList) -> list[tuple[int, bytes]]:
    """All entries by rank.

    Raises:
        FormatRefusal: where ids are no ranks, a byte is missing, or two entries have one content.
    """
    require_plain_texts(merges.policy)
    require_bytes_alone(merges.policy)
    if merges.policy.alphabet != "bytes":
        raise FormatRefusal(f"{NAME} holds tokens of bytes: this run has characters as base tokens")
    tokens = [token.data for token in merges.tokens()]
    base = len(merges.alphabet)
    missing = {*range(256)} - {token[0] for token in tokens[:base] if token}
    if missing:
        raise FormatRefusal(f"{NAME} needs a token for every byte: this list has none for byte {min(missing)}")
    learned = merges.ids[base:]
    for rank, (before, after) in enumerate(pairwise(learned)):
        if before >= after:
            raise FormatRefusal(
                f"{NAME} takes ids for ranks: merge {rank} has id {before}, but merge {rank + 1} has {after}, and ids "
                "are never renumbered silently"
            )
    entries = sorted([*zip(merges.ids, tokens, strict=True), *merges.orphans])
    first: dict[bytes, int] = {}
    for number, token in entries:
        if not token or token in first:
            raise FormatRefusal(f"{NAME} cannot hold id {number}: its bytes {quoted(token)} are empty or another id's")
        first[token] = number
    return entries


def _write(merges: MergeList) -> Files:
    lines = (b"%s %d\n" % (base64.b64encode(token), number) for number, token in _sorted(merges))
    return {"": b"".join(lines)}


TIKTOKEN = FileFormat(
    name=NAME,
    about="tiktoken's rank file: tokens by rank; the pattern is given in code",
    endings=(".tiktoken",),
    recognises=_recognises,
    read=_read,
    losses=_losses,
    write=_write,
)

"""Our own records of merges, JSON Lines and CSV, read as a merge list; they are written where the counts are.

Records give shown ids and each token's bytes. Base tokens are the 256 bytes: their order, and the shift of the ids,
follow from the policy in the last line of JSON Lines, else from what the bytes of the merges agree with.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from engine.alphabet import Token, build_alphabet
from engine.corpus.strict_json import ARRAY, STRING, U64, StrictJson
from engine.errors import FormatRefusal, Refusal
from engine.formats.base import FileFormat
from engine.formats.files import read_lines, refuse
from engine.formats.tables import table_rows
from engine.layout import Layout
from engine.limits import Limits
from engine.merge_list import MergeList, learned_list
from engine.policy import BYTE_ORDERS, Policy, parse_policy
from engine.quoting import quoted

HEADER = b"rank,left,right,token_id,"
_RECORD = {"rank": U64, "pair": ARRAY, "token_id": U64, "bytes_hex": STRING}
MOST_RECORDS = 300_000
"""Lines, each a record of its own; the largest published vocabulary has 262,000 entries."""


@dataclass(frozen=True, slots=True)
class _Merge:
    """A record: its line, the shown ids of operands and result, and the result's bytes as hex."""

    line: int
    left: int
    right: int
    token: int
    hex: str


def _read_jsonl(path: Path, limits: Limits) -> MergeList:
    reader = StrictJson(f"{quoted(path.name)} is no record of merges", FormatRefusal)
    merges: list[_Merge] = []
    policy: Policy | None = None
    for number, line in enumerate(read_lines(path, MOST_RECORDS).split(b"\n"), 1):
        if not line:
            continue
        value = reader.parse(line)
        if isinstance(value, dict) and "summary" in value:
            summary = reader.members(value["summary"], {"policy": STRING}, f"the summary in line {number}")
            policy = parse_policy(summary["policy"])
            continue
        found = reader.members(value, _RECORD, f"line {number}")
        if found["rank"] != len(merges):
            refuse(path, f"line {number} has rank {found['rank']}, expected {len(merges)}")
        if len(found["pair"]) != 2:
            refuse(path, f"line {number} has a pair of {len(found['pair'])}")
        left, right = (reader.check(half, U64, f"the pair of line {number}") for half in found["pair"])
        merges.append(_Merge(number, left, right, found["token_id"], found["bytes_hex"]))
    return _merge_list(path, "jsonl", merges, policy, limits)


def _read_csv(path: Path, limits: Limits) -> MergeList:
    try:
        merges = [
            _merge(path, *row) for row in enumerate(islice(table_rows(read_lines(path, MOST_RECORDS)), 1, None), 2)
        ]
    except (UnicodeDecodeError, csv.Error) as error:
        refuse(path, f"it is no table of merges ({error})")
    return _merge_list(path, "csv", merges, None, limits)


def _merge(path: Path, number: int, row: list[str]) -> _Merge:
    """The merge in a row of a table."""
    if len(row) < 7 or not all(map(_is_whole, row[:4])) or int(row[0]) != number - 2:
        refuse(path, f"row {number} is no merge of rank {number - 2}: {quoted(', '.join(row[:4] + row[6:7]))}")
    return _Merge(number, int(row[1]), int(row[2]), int(row[3]), row[6])


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 11


def _merge_list(path: Path, format: str, merges: Sequence[_Merge], policy: Policy | None, limits: Limits) -> MergeList:
    if policy is not None and policy.alphabet_is_seen:
        refuse(
            path, f"its base tokens are the {policy.alphabet} of its corpus, which it does not hold: give the session"
        )
    for tried in _policies(path, merges, policy):
        tokens = build_alphabet(tried, ()).tokens
        offset = Layout(tried, len(tokens)).offset
        wrong = _first_wrong(tokens, offset, merges)
        if wrong is None:
            pairs = [(merge.left - offset, merge.right - offset) for merge in merges]
            found = replace(learned_list(path.name, tried, tokens, pairs), format=format)
            try:
                found.tokenizer(limits)
            except Refusal as error:
                refuse(path, str(error))
            return found
    assert wrong is not None
    refuse(path, f"line {wrong.line} gives token {wrong.token} the bytes {quoted(wrong.hex)}, which its pair has not")


def _policies(path: Path, merges: Sequence[_Merge], policy: Policy | None) -> Iterator[Policy]:
    """The policies that the records may follow."""
    if policy is not None:
        yield policy
        return
    if not merges:
        refuse(path, "it has no merge")
    first = merges[0].token - 256
    layouts = {0: "raw", 2: "framed"}
    if first not in layouts:
        refuse(path, f"line {merges[0].line} makes token {merges[0].token}: expected 256, or 258 with BOS and EOS")
    for order in BYTE_ORDERS:
        yield Policy(base_order=order, id_layout=layouts[first])


def _first_wrong(tokens: Sequence[Token], offset: int, merges: Sequence[_Merge]) -> _Merge | None:
    """The first record whose bytes are not those of its pair, or whose id is not the next."""
    hexes = [token.data.hex() for token in tokens]
    for merge in merges:
        halves = [half - offset for half in (merge.left, merge.right)]
        if not all(0 <= half < len(hexes) for half in halves) or merge.token - offset != len(hexes):
            return merge
        # What a forged record claims is compared before it is kept: sizes stay those of the file.
        if len(merge.hex) != sum(len(hexes[half]) for half in halves):
            return merge
        if hexes[halves[0]] + hexes[halves[1]] != merge.hex:
            return merge
        hexes.append(merge.hex)
    return None


JSONL = FileFormat(
    name="jsonl",
    about="this program's merges with their evidence, one JSON object a line",
    endings=(),
    recognises=lambda path, head: head.startswith((b'{"rank": 0,', b'{"rank":0,')),
    read=_read_jsonl,
    losses=None,
    write=None,
)
CSV = FileFormat(
    name="csv",
    about="this program's merges with their evidence, as a table",
    endings=(),
    recognises=lambda path, head: head.startswith(HEADER),
    read=_read_csv,
    losses=None,
    write=None,
)

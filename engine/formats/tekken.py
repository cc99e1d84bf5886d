"""Mistral's `tekken.json` (mistral-common 1.8): tokens in base64 by rank, a pattern, and special tokens before all.

A token's id is its rank and the number of special tokens, given or reserved. The vocabulary is cut at
`default_vocab_size`; what comes behind has no id. Merges are not stored but recovered, as for `.tiktoken`.
"""

import base64
import re
from pathlib import Path
from typing import Any

from engine.corpus.strict_json import ARRAY, OBJECT, STRING, U32, JsonValue, StrictJson, integer
from engine.errors import Refusal
from engine.formats.base import FileFormat
from engine.formats.boundary import boundary_of
from engine.formats.json_in import file_in, member, parse_file, policy_in, recogniser
from engine.formats.recover import recover
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.quoting import quoted

NAME = "tekken"
FILE = "tekken.json"
_MEMBERS = re.compile(
    rb'\s*\{.*?"(?:config"\s*:\s*\{.*?"pattern|default_num_special_tokens|token_bytes)"\s*:', re.DOTALL
)
_CONFIG = {"pattern": STRING, "default_vocab_size": U32, "default_num_special_tokens": U32}
_TOKEN = {"rank": U32, "token_bytes": STRING}
_SPECIAL = {"rank": U32, "token_str": STRING}
_FIRST_SPECIALS = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip
"""The special tokens of files that list none, which are those before version 8 (mistral-common 1.13)."""


def _read(path: Path, limits: Limits) -> MergeList:
    reader, value = parse_file(file_in(path, FILE))
    top = reader.members(value, {"config": OBJECT, "vocab": ARRAY}, "the file")
    config = reader.members(top["config"], _CONFIG, "config")
    first, size = config["default_num_special_tokens"], config["default_vocab_size"]
    specials = _specials(reader, member(reader, top, "special_tokens", ARRAY, ""), first)
    tokens = _tokens(reader, top["vocab"])
    if not first < size <= first + len(tokens):
        reader.refuse(
            f"config.default_vocab_size is {size}: {first} special tokens and up to {len(tokens)} of vocab are needed"
        )
    boundary, unmatched = boundary_of(config["pattern"])  # tiktoken, where it runs, leaves out what it does not match
    policy = policy_in(reader, "config.pattern", boundary, unmatched=unmatched)
    used = tokens[: size - first]
    try:
        found = recover(used, orphans=True, limits=limits)
    except Refusal as error:
        reader.refuse(f"vocab: {error}")
    remarks = (
        (len(tokens) - len(used), "entries of vocab lie behind default_vocab_size: they have no id"),
        (first - len(specials), "ids of special tokens are reserved without a text"),
        (len(found.orphans), "entries that no two lower ranks make: the library gives them to whole pieces"),
    )
    return MergeList(
        name=path.name,
        format=NAME,
        policy=policy,
        alphabet=found.alphabet,
        pairs=found.pairs,
        ids=tuple(first + at for at in found.order),
        specials=specials,
        orphans=tuple((first + at, used[at]) for at in found.orphans),
        remarks=tuple(f"{count} {what}" for count, what in remarks if count),
    )


def _tokens(reader: StrictJson, vocab: list[Any]) -> list[bytes]:
    """The bytes of all tokens; ranks count up from 0, the first 256 are the bytes in order."""
    tokens: list[bytes] = []
    for at, entry in enumerate(vocab):
        token = reader.members(entry, _TOKEN, f"vocab[{at}]")
        if token["rank"] != at:
            reader.refuse(f"vocab[{at}].rank is {token['rank']}: ranks count up from 0")
        try:
            data = base64.b64decode(token["token_bytes"], validate=True)
        except ValueError:
            reader.refuse(f"vocab[{at}].token_bytes is {quoted(token['token_bytes'])}: it must be base64")
        if at < 256 and data != bytes([at]):
            reader.refuse(f"vocab[{at}].token_bytes is {quoted(data)}: the first 256 ranks are the bytes in order")
        tokens.append(data)
    if len(tokens) < 256:
        reader.refuse(f"vocab has {len(tokens)} entries: at least the 256 bytes are needed")
    return tokens


def _specials(reader: StrictJson, entries: JsonValue, number: int) -> tuple[tuple[str, int], ...]:
    """The special tokens that have a text, by id."""
    if not isinstance(entries, list):
        return tuple((text, rank) for rank, text in enumerate(_FIRST_SPECIALS[:number]))
    texts: dict[int, str] = {}
    kinds = {**_SPECIAL, "rank": integer(0, number - 1)}
    for at, entry in enumerate(entries):
        token = reader.members(entry, kinds, f"special_tokens[{at}]")
        rank, text = token["rank"], token["token_str"]
        if rank in texts or not text:
            reader.refuse(f"special_tokens[{at}] has rank {rank} and text {quoted(text)}: one is empty or repeated")
        texts[rank] = text
    return tuple((text, rank) for rank, text in sorted(texts.items()))


TEKKEN = FileFormat(
    name=NAME,
    about="Mistral's tekken.json: tokens by rank, pattern, special tokens first; read only",
    endings=(),
    recognises=recogniser(FILE, _MEMBERS),
    read=_read,
    losses=None,
    write=None,
)

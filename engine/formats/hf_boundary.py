r"""Pre-tokenizers of `tokenizer.json` as boundaries, and back (tokenizers 0.23).

Its `Split` runs Oniguruma: patterns that it takes otherwise than `regex` are refused, and cl100k's is written in a
spelling of its own. Several splits are refused too, since a boundary is one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex

from engine.corpus.strict_json import ARRAY, BOOL, OBJECT, STRING, JsonValue, StrictJson
from engine.errors import FormatRefusal
from engine.formats.boundary import boundary_of, pattern_of
from engine.formats.json_in import member
from engine.formats.oniguruma import loosely, otherwise
from engine.normalize import PREFIX_SPACE
from engine.policy import PATTERN, Policy
from engine.quoting import quoted

CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s++\z|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
"""cl100k as Oniguruma takes it."""
_FIRST_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_SPELLINGS = {CL100K: "cl100k", _FIRST_GPT2: "gpt2"}
"""Expressions with the pieces of a published one: cl100k for Oniguruma, GPT-2 as `encoder.py` has it."""
_CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
"""CLIP's words. GPT-2's pattern, by which its files cut them again, leaves each of them whole."""
_WORDS = r"\w+|[^\w\s]+"
"""What the pre-tokenizer `Whitespace` keeps."""
_STEPS = "ByteLevel, Split, Whitespace, WhitespaceSplit, or Split before ByteLevel"


@dataclass(frozen=True, slots=True)
class Cut:
    """What a pre-tokenizer does.

    Attributes:
        boundary: as in the policy.
        unmatched: as in the policy.
        byte_level: whether texts become letters of bytes.
        spaced: whether texts get a space in front that have none.
        remarks: what is not honoured, in words.
    """

    boundary: str = "document"
    unmatched: str = "kept"
    byte_level: bool = False
    spaced: bool = False
    remarks: tuple[str, ...] = ()


def cut_of(reader: StrictJson, value: JsonValue) -> Cut:
    """The boundary of a file's `pre_tokenizer`.

    Raises:
        FormatRefusal: for one that is not known here, or cuts a text more than once.
    """
    steps = [_step(reader, *found) for found in steps_of(reader, value, "pre_tokenizer", "pretokenizers")]
    levels = [at for at, step in enumerate(steps) if step.byte_level]
    if len(levels) > 1 or (levels and levels[0] != len(steps) - 1):
        reader.refuse("pre_tokenizer must have ByteLevel once and last")
    cutting = [step for step in steps if step.boundary != "document"]
    if [step.boundary for step in cutting] == [PATTERN + _CLIP, "gpt2"]:
        cutting.pop()
    if len(cutting) > 1:
        reader.refuse(f"pre_tokenizer cuts a text {len(cutting)} times: only one boundary can be followed ({_STEPS})")
    one = cutting[0] if cutting else Cut()
    remarks = [remark for step in steps for remark in step.remarks]
    spaced = any(step.spaced for step in steps)
    if spaced and len(steps) > 1:
        remarks.append("the library puts a space before every piece that has none (add_prefix_space): not done here")
    return Cut(one.boundary, one.unmatched, bool(levels), spaced and len(steps) == 1, tuple(remarks))


def steps_of(reader: StrictJson, value: JsonValue, where: str, inner: str) -> list[tuple[dict[str, Any], str]]:
    """The steps of a part of the file with their places; a Sequence stands for its own, which it calls `inner`."""
    if value is None:
        return []
    step: dict[str, Any] = reader.members(value, {"type": STRING}, where)
    if step["type"] != "Sequence":
        return [(step, where)]
    found: list[tuple[dict[str, Any], str]] = []
    reader.members(step, {inner: ARRAY}, where)
    for at, own in enumerate(step[inner]):
        found += steps_of(reader, own, f"{where}.{inner}[{at}]", inner)
    return found


def _step(reader: StrictJson, step: dict[str, Any], where: str) -> Cut:
    known: dict[str, Callable[[StrictJson, dict[str, Any], str], Cut]] = {
        "ByteLevel": _byte_level,
        "Split": _split,
        "Whitespace": lambda *_: Cut(PATTERN + _WORDS, "dropped"),
        "WhitespaceSplit": lambda *_: Cut("whitespace", "dropped"),
    }
    if step["type"] not in known:
        reader.refuse(f"{where} {quoted(step['type'])} cannot be followed here, only {_STEPS}")
    return known[step["type"]](reader, step, where)


def _byte_level(reader: StrictJson, step: dict[str, Any], where: str) -> Cut:
    """`use_regex` that is absent means true; so does `add_prefix_space` (tokenizers 0.23)."""
    cuts = member(reader, step, "use_regex", BOOL, where)
    spaced = member(reader, step, "add_prefix_space", BOOL, where)
    return Cut("document" if cuts is False else "gpt2", "kept", True, spaced is not False)


def _split(reader: StrictJson, step: dict[str, Any], where: str) -> Cut:
    reader.members(step, {"pattern": OBJECT, "behavior": STRING, "invert": BOOL}, where)
    pattern, behavior = step["pattern"], (step["behavior"], step["invert"])
    if behavior[0] != "Isolated" and behavior != ("Removed", True):
        reader.refuse(f"{where} has behavior {quoted(behavior[0])}: only Isolated, or Removed with invert, is followed")
    text = member(reader, pattern, "Regex", STRING, f"{where}.pattern")
    literal = member(reader, pattern, "String", STRING, f"{where}.pattern")
    given = text if text is not None else literal
    if not isinstance(given, str) or not given:
        reader.refuse(f"{where}.pattern must be a Regex or a String that is not empty")
    kept = behavior[0] == "Isolated"
    if text is None:
        return Cut(PATTERN + regex.escape(given, literal_spaces=True), "kept" if kept else "dropped")
    return _expression(reader, given, kept, where)


def _expression(reader: StrictJson, text: str, kept: bool, where: str) -> Cut:
    if text in _SPELLINGS:
        return Cut(_SPELLINGS[text])
    if part := otherwise(text):
        reader.refuse(f"{where} has {quoted(part)} in its pattern, which means one thing to Oniguruma and another here")
    boundary, unmatched = boundary_of(text)
    return Cut(boundary, "kept" if kept else unmatched, remarks=differences(boundary))


def differences(boundary: str) -> tuple[str, ...]:
    """What of a user's pattern the library may take otherwise, in words."""
    if boundary.startswith(PATTERN) and loosely(boundary.removeprefix(PATTERN)):
        return (
            r"the pattern's \w and \b hold some characters more or less in the library (Oniguruma) than here, and its "
            "^ and $ stand at every line there",
        )
    return ()


def holds_space(policy: Policy) -> bool:
    """Whether ByteLevel alone cuts as a policy does, so that its `add_prefix_space` puts one space before a text."""
    return policy.alphabet == "bytes" and policy.boundary in ("document", "gpt2")


def pre_tokenizer_of(policy: Policy) -> dict[str, Any] | None:
    """The `pre_tokenizer` that cuts as a policy does.

    Raises:
        FormatRefusal: for a boundary that is no expression, or one that Oniguruma takes otherwise.
    """
    byte_level = policy.alphabet == "bytes"
    if holds_space(policy):
        return _level(policy.boundary == "gpt2", policy.normalizer == PREFIX_SPACE)
    split = _split_of(policy)
    if not byte_level or split is None:
        return split
    return {"type": "Sequence", "pretokenizers": [split, _level(False, False)]}


def _level(cuts: bool, spaced: bool) -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": spaced, "trim_offsets": False, "use_regex": cuts}


def _split_of(policy: Policy) -> dict[str, Any] | None:
    kept = policy.unmatched == "kept"
    if policy.boundary == "document":
        return None
    if policy.boundary == "whitespace" and not kept:
        return {"type": "WhitespaceSplit"}
    if policy.boundary == PATTERN + _WORDS and not kept:
        return {"type": "Whitespace"}
    own = policy.boundary.removeprefix(PATTERN)
    text = own if own != policy.boundary else CL100K if own == "cl100k" else pattern_of(policy)
    part = otherwise(text)
    if own != policy.boundary and part:
        raise FormatRefusal(
            f"the pattern has {quoted(part)}, which the library's Oniguruma takes otherwise: write it in another way"
        )
    behavior = "Isolated" if kept else "Removed"
    return {"type": "Split", "pattern": {"Regex": text}, "behavior": behavior, "invert": not kept}

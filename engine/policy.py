"""Policy: every choice that can change a merge list, as one value that prints as one line and parses back.

The line is `name=value` words in field order after the word `bpe`; the fields that decide every run are always there,
the others only where they differ from their defaults. A value with a space, a quote or a backslash is a JSON string.
Which trainer needs which field is said in docs/policy.md.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, replace

from engine.errors import PolicyRefusal
from engine.quoting import quoted

CHOICES: dict[str, tuple[str, ...]] = {
    "normalizer": ("none", "nmt-nfkc", "prefix-space"),
    "alphabet": ("bytes", "characters"),
    "base_bytes": ("all", "seen"),
    "end_of_word": ("none", "fused", "separate"),
    "base_order": ("byte-value", "bytemap", "code-point", "by-frequency", "as-given"),
    "boundary": (
        "document", "line", "spaces", "ascii-whitespace", "whitespace", "sp-words", "yttm-words", "gpt2", "cl100k",
        "o200k", "gpt2-by-line", "cl100k-by-line", "o200k-by-line", "pattern:REGEX",
    ),
    "unmatched": ("kept", "dropped"),
    "counting": ("overlapping", "non-overlapping"),
    "tie_break": (
        "smallest-ids", "first-seen", "largest-bytes", "largest-symbols", "smallest-symbols",
        "shortest-then-smallest-joined",
    ),
    "budget_unit": ("merges", "vocabulary"),
    "length_rule": ("inclusive", "exclusive"),
    "piece_filter": ("none", "sentencepiece"),
    "special_tokens_as": ("cut", "text"),
    "id_layout": ("raw", "framed"),
}  # fmt: skip
"""The values of every field that is a choice; `pattern:` is followed by the user's own expression."""

BYTE_ORDERS = ("byte-value", "bytemap")
PATTERN = "pattern:"
LONGEST_NUMBER = 20
"""Digits of a number in a policy line; the longest value has 19."""
_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates but for those that stand for single bytes (`surrogateescape`)."""
ALWAYS_SAID = ("alphabet", "boundary", "counting", "tie_break", "min_count", "id_layout")
"""Fields that the line gives even at their defaults: they decide every run, so they are never hidden."""
MILLION = 1_000_000
"""Characters of which `coverage` counts the covered ones."""
MOST_MERGES = 2**32 - 256
"""Ids of the trainer fit 32 bits: 256 bytes and this many merges (course, chapter 3)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What makes a tokenizer.

    Attributes:
        normalizer: what is done to every text first; `none` leaves its bytes alone.
        alphabet: `bytes` (256 base tokens) or `characters` (those that the corpus holds).
        base_bytes: for bytes, which are base tokens: all 256, or those that the corpus holds.
        end_of_word: the mark `</w>`: none, fused with the last character or byte of a word, or a symbol of its own.
        base_order: the order of base ids.
        coverage: for characters, how many of a million of the corpus's characters, the most frequent ones first, are
            in the alphabet; the rest is cut out. None for all of them.
        boundary: what merges cannot cross, besides document ends.
        unmatched: whether text between a boundary's pieces is kept as pieces of its own or dropped.
        counting: every adjacent window, or a run of n equal symbols counting n // 2.
        tie_break: which of the pairs with the highest count is merged.
        min_count: learning stops below this count.
        budget: how many merges, or how large a vocabulary; None learns until told to stop.
        budget_unit: whether the budget counts merges or vocabulary entries (controls and specials included).
        exact: whether a budget that cannot be reached is a refusal.
        max_token_length: longest token that may be learned, or None; in bytes or characters, as the alphabet.
        length_rule: whether that bound itself is allowed; with `exclusive`, pairs of base tokens are exempt.
        piece_filter: which tokens may be learned at all.
        special_tokens: strings that are never merged.
        special_tokens_as: whether training text is cut at them, or counts them as text (as some trainers do).
        id_layout: `raw` (base ids from 0, rank r follows) or `framed` (BOS 0, EOS 1, everything shifted by two).
    """

    normalizer: str = "none"
    alphabet: str = "bytes"
    base_bytes: str = "all"
    end_of_word: str = "none"
    base_order: str = "byte-value"
    coverage: int | None = None
    boundary: str = "document"
    unmatched: str = "kept"
    counting: str = "overlapping"
    tie_break: str = "smallest-ids"
    min_count: int = 1
    budget: int | None = None
    budget_unit: str = "merges"
    exact: bool = False
    max_token_length: int | None = None
    length_rule: str = "inclusive"
    piece_filter: str = "none"
    special_tokens: tuple[str, ...] = ()
    special_tokens_as: str = "cut"
    id_layout: str = "raw"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices and not (name == "boundary" and value.startswith(PATTERN)):
                raise PolicyRefusal(f"policy {name}={quoted(value)} is unknown: choose {', '.join(choices)}")
        _whole(self.min_count, "min_count", 1, 2**63 - 1)
        if self.budget is not None:
            _whole(self.budget, "budget", 0, MOST_MERGES)
        if self.max_token_length is not None:
            _whole(self.max_token_length, "max_token_length", 1, 2**32 - 1)
        if (self.alphabet == "bytes") != (self.base_order in BYTE_ORDERS):
            fit = BYTE_ORDERS if self.alphabet == "bytes" else ("code-point", "by-frequency", "as-given")
            raise PolicyRefusal(
                f"policy base_order={self.base_order} does not fit alphabet={self.alphabet}: choose {', '.join(fit)}"
            )
        if self.alphabet != "bytes" and self.base_bytes != "all":
            raise PolicyRefusal(
                f"policy base_bytes={self.base_bytes} needs alphabet=bytes: characters are those of the corpus anyway"
            )
        if self.end_of_word != "none" and self.boundary == "document":
            raise PolicyRefusal(
                f"policy end_of_word={self.end_of_word} needs words: choose a boundary such as whitespace"
            )
        if self.coverage is not None:
            _whole(self.coverage, "coverage", 1, MILLION)
        for name in ("coverage", "piece_filter"):
            if getattr(self, name) in (None, "none"):
                continue
            if self.alphabet == "bytes" or self.end_of_word != "none":
                raise PolicyRefusal(
                    f"policy {name} needs alphabet=characters and end_of_word=none: its words have no mark"
                )
        if self.exact and self.budget is None:
            raise PolicyRefusal("policy exact needs a budget: give the number of merges")
        if any(not special for special in self.special_tokens):
            raise PolicyRefusal("policy special_tokens holds an empty string: every special token needs a text")
        for special in self.special_tokens:
            if _NO_BYTES.search(special):
                raise PolicyRefusal(
                    f"policy special_tokens holds {quoted(special)}: no bytes stand for a lone surrogate"
                )

    def __str__(self) -> str:
        shown = (f for f in fields(self) if f.name in ALWAYS_SAID or getattr(self, f.name) != f.default)
        words = (f"{f.name}={_written(getattr(self, f.name))}" for f in shown)
        return " ".join(("bpe", *words))

    @property
    def alphabet_is_seen(self) -> bool:
        """Whether the base tokens depend on the corpus."""
        return self.alphabet == "characters" or self.base_bytes == "seen"

    def changed(self, **changes: object) -> "Policy":
        """This policy with some fields changed.

        Raises:
            PolicyRefusal: for an unknown value or a contradiction.
        """
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """All fields by name, as plain values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Policy":
        """The policy of plain values, as `to_dict` gives them; a list serves for a tuple.

        Raises:
            PolicyRefusal: for unknown names, wrong types and unknown values.
        """
        known = {f.name: f for f in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise PolicyRefusal(f"policy has no field {quoted(name)}: the fields are {', '.join(known)}")
            if not _fits(known[name], value):
                raise PolicyRefusal(f"policy {name} cannot be {quoted(value)}: {_kind(known[name])} is needed")
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})  # type: ignore[arg-type]


def parse_policy(line: str) -> Policy:
    """The policy that prints as this line.

    Raises:
        PolicyRefusal: naming the word that cannot be read.
    """
    values: dict[str, object] = {}
    for name, value in _assignments(line):
        if name in values:
            raise PolicyRefusal(f"policy line gives {name} twice: keep one")
        values[name] = value
    return Policy.from_dict(values)


def _assignments(line: str) -> Iterator[tuple[str, object]]:
    """The names and values of a policy line; a space ends a value unless it stands inside a JSON string."""
    known = {f.name: f for f in fields(Policy)}
    head, _, rest = line.partition(" ")
    if head != "bpe":
        raise PolicyRefusal(f"policy line starts with {quoted(head)}: a policy line starts with the word bpe")
    at = 0
    while at < len(rest):
        stop = rest.find(" ", at) % (len(rest) + 1)  # the end where no space is left
        word = rest[at:stop]
        name, equals, text = word.partition("=")
        if word and (not equals or name not in known):
            raise PolicyRefusal(f"policy line has {quoted(word)}: expected NAME=VALUE with {', '.join(known)}")
        if text.startswith(('"', "[")):
            value, stop = _json_value(name, rest, at + len(name) + 1)
            yield name, value
        elif word:
            yield name, _read(known[name], text)
        at = stop + 1


def _json_value(name: str, text: str, at: int) -> tuple[object, int]:
    """The JSON value that begins at a position, and where it ends."""
    try:
        value, stop = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        raise PolicyRefusal(f"policy {name}={quoted(text[at:])} is not a JSON value: {error}") from None
    if text[stop : stop + 1] not in ("", " "):
        raise PolicyRefusal(f"policy {name} has {quoted(text[stop:])} behind its JSON value: put a space there")
    return value, stop


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return json.dumps(value)
    text = str(value)
    plain = text.isascii() and text.isprintable() and not any(c in text for c in " \"\\'") and text[:1] != "["
    return text if plain else json.dumps(text)


def _read(field: "Field[object]", text: str) -> object:
    """A field's value from its written form; what does not read stays text and is refused by type."""
    if _kind(field) == "yes or no":
        return {"yes": True, "no": False}.get(text, text)
    if "number" in _kind(field) and text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER:
        return int(text)
    return text


def _kind(field: "Field[object]") -> str:
    kinds = {str: "a word", int: "a whole number", bool: "yes or no", tuple[str, ...]: "a list of strings"}
    return kinds.get(field.type, "a whole number")  # type: ignore[arg-type]


def _fits(field: "Field[object]", value: object) -> bool:
    match _kind(field):
        case "a word":
            return isinstance(value, str)
        case "yes or no":
            return isinstance(value, bool)
        case "a list of strings":
            return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
    return (value is None and field.type is not int) or (isinstance(value, int) and not isinstance(value, bool))


def _whole(value: int, name: str, least: int, most: int) -> None:
    if not least <= value <= most:
        raise PolicyRefusal(f"policy {name}={quoted(value)} is out of range: give {least} to {most}")

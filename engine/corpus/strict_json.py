"""Strict JSON: what Python's `json` lets through and the corpus and artifact formats refuse.

Refused beyond malformed text: bytes that are not UTF-8, a byte order mark, repeated members, `NaN` and
`Infinity`, numbers outside a double's range, unpaired surrogate escapes, and nesting deeper than 128.
`-0` is a float, as in other strict readers, so it is no integer of any kind.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from engine.errors import CorpusRefusal, Refusal
from engine.files import room
from engine.json_room import SMALL, memory_of_values
from engine.quoting import quoted

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

DEEPEST = 128
LONGEST_INTEGER = 308  # digits; a double ends at 1.8e308
_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a member's value must be: a name for messages, and the test."""

    name: str
    accepts: Callable[[JsonValue], bool]


def integer(least: int, most: int) -> Kind:
    """The kind of whole numbers from `least` to `most`; neither `true` nor `3.0` is one."""
    return Kind(f"an integer from {least} to {most}", lambda v: type(v) is int and least <= v <= most)


STRING = Kind("a string", lambda v: type(v) is str)
BOOL = Kind("true or false", lambda v: type(v) is bool)
ARRAY = Kind("an array", lambda v: type(v) is list)
OBJECT = Kind("an object", lambda v: type(v) is dict)
STRINGS = Kind("an array of strings", lambda v: type(v) is list and all(type(item) is str for item in v))
U32 = integer(0, 2**32 - 1)
U64 = integer(0, 2**64 - 1)


@dataclass(frozen=True, slots=True)
class StrictJson:
    """A strict reader whose every refusal starts with the same words.

    Attributes:
        prefix: those words, without the colon: ``invalid corpus JSON``.
        error: the family of the refusals.
    """

    prefix: str
    error: type[Refusal] = CorpusRefusal

    def refuse(self, why: str) -> NoReturn:
        """Raise this reader's refusal."""
        raise self.error(f"{self.prefix}: {why}")

    def parse(self, data: bytes) -> JsonValue:
        """The one JSON value that `data` holds.

        Raises:
            Refusal: of the family `error`, for everything the module's first lines name, and for far more memory than
                there are bytes.
        """
        self._check_room(data)
        try:
            text = _text(data)
            value: JsonValue = _DECODER.decode(text)
            if _may_be_deep(data):
                _check_depth(value, DEEPEST)
            if _SURROGATE_ESCAPE.search(text):
                _check_surrogates(value)
        except (ValueError, RecursionError) as error:
            self._refuse_for(error)
        return value

    def items(self, data: bytes, where: str) -> Iterator[JsonValue]:
        """The items of the one JSON array that `data` holds, each parsed when it is asked for.

        Raises:
            Refusal: as `parse`, when the first malformed item is come to; for any other value, naming `where`.
        """
        try:
            text = _text(data)
            at = _space(text, 0)
            if text[at : at + 1] != "[":
                self.check({} if text[at : at + 1] == "{" else self.parse(data), ARRAY, where)
            deep, escapes = _may_be_deep(data), _SURROGATE_ESCAPE.search(text) is not None
            at = _space(text, at + 1)
            more = text[at : at + 1] != "]"
            while more:
                value, at = _DECODER.raw_decode(text, at)
                if deep:
                    _check_depth(value, DEEPEST - 1)
                if escapes:
                    _check_surrogates(value)
                yield value
                comma = _COMMA.match(text, at)
                at, more = (comma.end(), True) if comma else (_space(text, at), False)
            if text[at : at + 1] != "]":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            if (end := _space(text, at + 1)) < len(text):
                raise json.JSONDecodeError("Extra data", text, end)
        except (ValueError, RecursionError) as error:
            self._refuse_for(error)

    def _check_room(self, data: bytes) -> None:
        if len(data) <= SMALL:
            return
        need, most = memory_of_values(data), room(len(data))
        if need > most:
            self.refuse(f"its small values would take {need} bytes of memory: at most {most} for a file of its size")

    def _refuse_for(self, error: ValueError | RecursionError) -> NoReturn:
        """Raise this reader's refusal for what reading JSON raised."""
        if isinstance(error, UnicodeDecodeError):
            self.refuse(f"byte {error.start} is not UTF-8 ({error.reason})")
        if isinstance(error, UnicodeEncodeError):
            self.refuse(f"unpaired surrogate escape {quoted(error.object[error.start])}")
        if isinstance(error, json.JSONDecodeError):
            line = f"line {error.lineno} " if "\n" in error.doc else ""
            self.refuse(f"{error.msg[:1].lower()}{error.msg[1:].removesuffix(' at')} at {line}column {error.colno}")
        if isinstance(error, RecursionError):
            self.refuse(f"nested deeper than {DEEPEST} levels")
        self.refuse(str(error))

    def check(self, value: JsonValue, kind: Kind, where: str) -> Any:  # noqa: ANN401
        """`value` itself, known to be of `kind`.

        Raises:
            Refusal: naming `where`, the kind asked for and the value found.
        """
        if not kind.accepts(value):
            self.refuse(f"{where} must be {kind.name}, found {_shown(value)}")
        return value

    def members(self, value: JsonValue, kinds: Mapping[str, Kind], where: str) -> dict[str, Any]:
        """The object `value`, which has at least the members `kinds`, each of its kind.

        Raises:
            Refusal: naming `where` and the member that is missing or of another kind.
        """
        found: dict[str, Any] = self.check(value, OBJECT, where)
        for name, kind in kinds.items():
            if name not in found:
                self.refuse(f"{where} has no member {quoted(name)}")
            if not kind.accepts(found[name]):  # words only where they are needed: there may be a million records
                self.check(found[name], kind, f"member {quoted(name)} of {where}")
        return found

    def closed_object(self, value: JsonValue, kinds: Mapping[str, Kind], where: str) -> dict[str, Any]:
        """The object `value`, which has exactly the members `kinds`, each of its kind.

        Raises:
            Refusal: as `members`, and for an unknown member.
        """
        found = self.members(value, kinds, where)
        for name in found:
            if name not in kinds:
                self.refuse(f"{where} has an unknown member {quoted(name)}; it takes {', '.join(kinds)} only")
        return found


def as_text(value: JsonValue) -> str:
    """A value for display: a string as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shown(value: JsonValue) -> str:
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list) else quoted(value)


def _text(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        raise ValueError("it starts with a byte order mark; save it as UTF-8 without one")
    return data.decode("utf-8")


def _space(text: str, at: int) -> int:
    """The place behind the white space that begins at one."""
    match = _SPACE.match(text, at)
    assert match is not None, "it matches nothing, too"
    return match.end()


def _may_be_deep(data: bytes) -> bool:
    return data.count(b"[") + data.count(b"{") > DEEPEST


def _check_depth(value: JsonValue, deepest: int) -> None:
    level = _containers([value])
    for _ in range(deepest):
        level = [inner for container in level for inner in _containers(container)]
        if not level:
            return
    raise RecursionError


def _check_surrogates(value: JsonValue) -> None:
    json.dumps(value, ensure_ascii=False).encode("utf-8")


def _containers(
    value: list[JsonValue] | dict[str, JsonValue],
) -> list[list[JsonValue] | dict[str, JsonValue]]:
    """The arrays and objects directly inside an array or object."""
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, list | dict)]


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {}
    for name, value in pairs:
        if name in result:
            raise ValueError(f"repeated member {quoted(name)}")
        result[name] = value
    return result


def _integer(digits: str) -> int | float:
    if digits == "-0":
        return -0.0
    if len(digits) > LONGEST_INTEGER:
        raise ValueError(f"number out of range: {quoted(digits)}")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"number out of range: {quoted(digits)}")
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_constant)

"""JSON files of other libraries: strict, of bounded size, every refusal with the file's name and the place."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from engine.corpus.strict_json import JsonValue, Kind, StrictJson
from engine.errors import FormatRefusal, PolicyRefusal
from engine.formats.files import read_file
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.quoting import quoted

LONGEST_PATTERN = 10_000
"""Characters of a boundary's pattern; compiling takes seconds for a million. Published ones have under a thousand."""


def file_in(path: Path, name: str) -> Path:
    """The file itself, or the one of this name in a folder."""
    return path / name if os.path.isdir(path) else path


def recogniser(name: str, members: "re.Pattern[bytes]") -> Callable[[Path, bytes], bool]:
    """Recognises a folder with a file of this name, and a file that begins with such members."""

    def recognises(path: Path, head: bytes) -> bool:
        return os.path.isfile(file_in(path, name)) if os.path.isdir(path) else members.match(head) is not None

    return recognises


def parse_file(path: Path) -> tuple[StrictJson, JsonValue]:
    """A reader whose refusals name the file, and the value that the file holds.

    Raises:
        FormatRefusal: when it cannot be read, is too large, has too many small values, or is no strict JSON.
    """
    reader = StrictJson(quoted(str(path)), FormatRefusal)
    data = read_file(path)
    return reader, reader.parse(data)


def member(reader: StrictJson, owner: dict[str, JsonValue], name: str, kind: Kind, where: str) -> JsonValue:
    """A member that may be absent or null, else of a kind; `where` is its owner's path, empty for the whole file."""
    value = owner.get(name)
    return None if value is None else reader.check(value, kind, f"{where}.{name}" if where else name)


def policy_in(reader: StrictJson, where: str, boundary: str, **fields: str) -> Policy:
    """The policy of a file whose pattern stands at `where`.

    Raises:
        FormatRefusal: when the pattern is too long, does not compile or matches nothing, or fields contradict.
    """
    if len(boundary) > LONGEST_PATTERN:
        reader.refuse(f"{where} has {len(boundary)} characters: at most {LONGEST_PATTERN} are read")
    try:
        policy = Policy().changed(boundary=boundary, **fields)
        splitter(policy)
    except PolicyRefusal as error:
        reader.refuse(f"{where}: {error}")
    return policy

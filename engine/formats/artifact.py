"""Our canonical artifact as one format among others; it is written where the counts are, by `engine.artifact`."""

import re
from dataclasses import replace
from pathlib import Path

from engine.artifact import load
from engine.errors import Refusal
from engine.formats.base import FileFormat
from engine.formats.files import read_file, refuse
from engine.limits import Limits
from engine.merge_list import MergeList, learned_list

_FIRST_MEMBER = re.compile(
    rb'[ \t\r\n]*\{[ \t\r\n]*"(counters|layout_version|merges|policy|schema_version|trainer_semantics|training)"'
)


def _recognises(path: Path, head: bytes) -> bool:
    return _FIRST_MEMBER.match(head) is not None


def _read(path: Path, limits: Limits) -> MergeList:
    try:
        artifact = load(read_file(path), limits)
    except Refusal as error:
        refuse(path, str(error))
    table = artifact.table
    found = learned_list(path.name, artifact.policy, table.alphabet.tokens, table.pairs)
    return replace(found, format=ARTIFACT.name)


ARTIFACT = FileFormat(
    name="artifact",
    about="this program's canonical tokenizer",
    endings=(),
    recognises=_recognises,
    read=_read,
    losses=None,
    write=None,
)

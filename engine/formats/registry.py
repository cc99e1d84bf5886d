"""All formats by name, and which of them a file has."""

import os
from pathlib import Path

from engine.errors import FormatRefusal
from engine.formats.artifact import ARTIFACT
from engine.formats.base import FileFormat
from engine.formats.files import read_head
from engine.formats.gpt2 import GPT2
from engine.formats.huggingface import HUGGINGFACE
from engine.formats.minbpe import MINBPE
from engine.formats.records import CSV, JSONL
from engine.formats.subword_nmt import SUBWORD_NMT
from engine.formats.tekken import TEKKEN
from engine.formats.tiktoken import TIKTOKEN
from engine.limits import FILE_LIMITS, Limits
from engine.merge_list import MergeList
from engine.quoting import quoted

_IN_ORDER = ARTIFACT, HUGGINGFACE, TEKKEN, GPT2, TIKTOKEN, MINBPE, SUBWORD_NMT, JSONL, CSV
FORMATS: dict[str, FileFormat] = {format.name: format for format in _IN_ORDER}
"""Every format; a file is tried against them in this order."""


def format_of(path: Path) -> FileFormat:
    """The format of a file, by its content first; of a folder, by what lies in it.

    Raises:
        FormatRefusal: when it cannot be read, or has none of the formats.
    """
    head = b"" if os.path.isdir(path) else read_head(path)
    for format in FORMATS.values():
        if format.read is not None and format.recognises(path, head):
            return format
    known = ", ".join(name for name, format in FORMATS.items() if format.read is not None)
    raise FormatRefusal(f"{quoted(str(path))} is no tokenizer file that this program reads: it looked for {known}")


def read_any(path: Path, limits: Limits = FILE_LIMITS) -> MergeList:
    """The tokenizer in a file of any format.

    Raises:
        FormatRefusal: when it has none of the formats, or breaks the rules of its own.
        LimitRefusal: when its merges or their expansions exceed a limit.
    """
    format = format_of(path)
    assert format.read is not None
    return format.read(path, limits)

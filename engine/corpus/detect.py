"""Which reader fits a source, and why: the rules of the format ``auto``.

* a separator is given: ``text``;
* by the name's ending: ``.json`` is JSON, ``.jsonl`` and ``.ndjson`` JSON Lines, ``.tsv`` and ``.counts``
  ``words``, any other ending ``text``;
* without an ending, as on standard input: a start of ``[{``, ``["`` or ``[]`` is JSON, of ``{"`` JSON Lines,
  white space aside; all else is ``text``;
* JSON of which any record has a `provenance_group`, or a `language` and an `id`, is ``course-json``, else ``json``;
* JSON Lines whose first record has an `id` are ``prepared-jsonl``, else ``jsonl``.
"""

import re
from collections.abc import Iterable

from engine.corpus.strict_json import JsonValue, StrictJson
from engine.errors import CorpusRefusal

_ENDINGS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "words", ".counts": "words"}
_JSON_START = re.compile(rb'[ \t\r\n]*\[[ \t\r\n]*[\]{"]')
_JSON_LINES_START = re.compile(rb'[ \t\r\n]*\{[ \t]*"')


def detect(data: bytes, ending: str, separator: str | None) -> tuple[str, str]:
    """The format of a source and the reason; ``json`` may still turn out as ``course-json`` (`is_course`).

    Args:
        data: the source's bytes.
        ending: its name's ending in lower case with the dot, or an empty string.
        separator: the separator asked for, if any.
    """
    if separator is not None:
        return "text", "a separator is given"
    if ending:
        format, why = _ENDINGS.get(ending, "text"), f"its name ends in {ending}"
    elif _JSON_START.match(data):
        format, why = "json", "it starts like a JSON array"
    elif _JSON_LINES_START.match(data):
        format, why = "jsonl", "it starts like a JSON object"
    else:
        format, why = "text", "it does not start like JSON"
    if format == "jsonl" and _first_record_has_id(data):
        return "prepared-jsonl", f"{why} and its first record has an id"
    return format, why


def is_plain(ending: str) -> bool:
    """Whether a name's ending says plain text, so that nothing of the source need be looked at."""
    return ending not in _ENDINGS


def is_course(records: Iterable[JsonValue]) -> bool:
    """Whether JSON holds records that only a course corpus has, so that the course's rules must hold.

    All records are looked at, so that malformed JSON is refused before any rule.
    """
    found = False
    for record in records:
        found = found or (
            isinstance(record, dict) and ("provenance_group" in record or ("language" in record and "id" in record))
        )
    return found


def _first_record_has_id(data: bytes) -> bool:
    first, _, _ = data.partition(b"\n")
    try:
        record = StrictJson("").parse(first)
    except CorpusRefusal:
        return False  # the reader says what is wrong
    return isinstance(record, dict) and "id" in record

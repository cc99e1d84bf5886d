"""JSON and JSON Lines of any making: strings, or objects with a `text`, and maybe an `id` and a `split`.

Other members are kept as metadata. Records without an id are named by their position.
"""

import io
from collections.abc import Iterable, Iterator

from engine.corpus.collecting import STEP, collected
from engine.corpus.course import CORPUS_JSON
from engine.corpus.document import Corpus, Document, Split, corpus_of
from engine.corpus.reading import Reading
from engine.corpus.strict_json import STRING, JsonValue, Kind, StrictJson, as_text
from engine.quoting import quoted

_ID = Kind("a string or an integer", lambda v: type(v) in (str, int))
_RECORD = Kind("a string or an object with a text", lambda v: isinstance(v, str | dict))
_OWN_MEMBERS = {"id", "text", "split"}


def read_json(records: Iterable[JsonValue], source: bytes, name: str, reading: Reading | None = None) -> Corpus:
    """The corpus of the `records` that the JSON array `source` holds.

    Raises:
        CorpusRefusal: naming the document and the member that is missing or wrong.
        LimitRefusal: when the documents take more memory than there may be.
    """
    found = (_document(record, f"document {n}", CORPUS_JSON) for n, record in enumerate(records, 1))
    documents = collected(found, reading or Reading(), len(source), lambda index: f"document {index + 1}")
    return corpus_of(source, name, "json", documents)


def read_json_lines(source: bytes, name: str, reading: Reading | None = None) -> Corpus:
    """The corpus that JSON Lines hold, one record a line; blank lines are passed over.

    Raises:
        CorpusRefusal: naming the line and what is wrong with it.
        LimitRefusal: when the documents take more memory than there may be.
    """
    reading = reading or Reading()
    lines = _Lines(source, reading)
    documents = collected(lines, reading, len(source), lambda index: f"line {index + 1}")
    notes = (f"passed over {lines.blank} blank lines",) if documents and lines.blank else ()
    return corpus_of(source, name, "jsonl", documents, notes=notes)


class _Lines:
    """The documents of lines, and how many lines were blank."""

    def __init__(self, source: bytes, reading: Reading) -> None:
        self._source, self._reading = source, reading
        self.blank = 0

    def __iter__(self) -> Iterator[Document]:
        lines, size = io.BytesIO(self._source), len(self._source)
        for number, line in enumerate(lines, 1):
            if number % STEP == 0:
                self._reading.at(lines.tell(), size)
            line = line.removesuffix(b"\n")
            if not line.strip(b" \t\r"):
                self.blank += 1
                continue
            json = StrictJson(f"invalid document JSON on line {number}")
            yield _document(json.parse(line), f"line {number}", json)


def _document(record: JsonValue, where: str, json: StrictJson) -> Document:
    json.check(record, _RECORD, where)
    if isinstance(record, str):
        return Document(where, record.encode())
    members = json.members(record, {"text": STRING}, where)
    return Document(
        id=str(json.check(members.get("id", where), _ID, f"member 'id' of {where}")),
        data=members["text"].encode(),
        split=_split(members["split"], where, json) if "split" in members else Split.TRAIN,
        metadata={name: as_text(value) for name, value in members.items() if name not in _OWN_MEMBERS},
    )


def _split(value: JsonValue, where: str, json: StrictJson) -> Split:
    if value not in list(Split):
        json.refuse(f"{where} has the unknown split {quoted(value)}: give {', '.join(Split)}, or leave it out")
    return Split(value)

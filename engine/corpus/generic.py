"""JSON and JSON Lines of any making: strings, or objects with a `text`, and maybe an `id` and a `split`.

Other members are kept as metadata. Records without an id are named by their position.
"""

from engine.corpus.course import CORPUS_JSON
from engine.corpus.document import Corpus, Document, Split, corpus_of
from engine.corpus.strict_json import ARRAY, STRING, JsonValue, Kind, StrictJson, as_text
from engine.quoting import quoted

_ID = Kind("a string or an integer", lambda v: type(v) in (str, int))
_RECORD = Kind("a string or an object with a text", lambda v: isinstance(v, str | dict))
_OWN_MEMBERS = {"id", "text", "split"}


def read_json(value: JsonValue, source: bytes, name: str) -> Corpus:
    """The corpus that a JSON array `value`, parsed from `source`, holds.

    Raises:
        CorpusRefusal: naming the document and the member that is missing or wrong.
    """
    records: list[JsonValue] = CORPUS_JSON.check(value, ARRAY, "the corpus")
    documents = [_document(record, f"document {n}", CORPUS_JSON) for n, record in enumerate(records, 1)]
    return corpus_of(source, name, "json", documents)


def read_json_lines(source: bytes, name: str) -> Corpus:
    """The corpus that JSON Lines hold, one record a line; blank lines are passed over.

    Raises:
        CorpusRefusal: naming the line and what is wrong with it.
    """
    documents = []
    blank = 0
    for number, line in enumerate(source.removesuffix(b"\n").split(b"\n"), 1):
        if not line.strip(b" \t\r"):
            blank += 1
            continue
        json = StrictJson(f"invalid document JSON on line {number}")
        documents.append(_document(json.parse(line), f"line {number}", json))
    notes = (f"passed over {blank} blank lines",) if documents and blank else ()
    return corpus_of(source, name, "jsonl", documents, notes=notes)


def _document(record: JsonValue, where: str, json: StrictJson) -> Document:
    json.check(record, _RECORD, where)
    if isinstance(record, str):
        return Document(where, record.encode())
    members = json.members(record, {"text": STRING}, where)
    return Document(
        id=str(json.check(members.get("id", where), _ID, f"member 'id' of {where}")),
        data=members["text"].encode(),
        split=_split(members.get("split", Split.TRAIN), where, json),
        metadata={name: as_text(value) for name, value in members.items() if name not in _OWN_MEMBERS},
    )


def _split(value: JsonValue, where: str, json: StrictJson) -> Split:
    if value not in list(Split):
        json.refuse(f"{where} has the unknown split {quoted(value)}: give {', '.join(Split)}, or leave it out")
    return Split(value)

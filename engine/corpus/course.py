"""Course corpora: a JSON array of documents in several languages, held together by provenance groups.

The rules, and the order in which they are checked, are those of chapter 2 of the course learn_llm.
"""

import re
from collections.abc import Iterable

from engine.corpus.collecting import collected
from engine.corpus.document import Corpus, Document, Documents, corpus_of
from engine.corpus.reading import Reading
from engine.corpus.strict_json import STRING, JsonValue, StrictJson
from engine.corpus.unicode_space import is_blank
from engine.errors import CorpusRefusal
from engine.quoting import quoted

FORMAT = "course-json"
CORPUS_JSON = StrictJson("invalid corpus JSON")
_MEMBERS = dict.fromkeys(("id", "language", "provenance_group", "text"), STRING)
_KEBAB_CASE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def read_course(records: Iterable[JsonValue], source: bytes, name: str, reading: Reading | None = None) -> Corpus:
    """The course corpus of the `records` that the JSON array `source` holds; all its documents train.

    Raises:
        CorpusRefusal: for the first broken rule; the shape of every record comes before any rule on values.
    """
    found = (_document(record, number) for number, record in enumerate(records, 1))
    documents = collected(found, reading or Reading(), len(source), lambda index: "")
    _check_values(documents)
    return corpus_of(source, name, FORMAT, documents, fnv1a64(source))


def fnv1a64(data: bytes) -> str:
    """The course's drift detector, no protection against intent: ``fnv1a64:`` and 16 digits of 64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"fnv1a64:{value:016x}"


def _document(record: JsonValue, number: int) -> Document:
    members = CORPUS_JSON.closed_object(record, _MEMBERS, f"document {number}")
    metadata = {"language": members["language"], "provenance_group": members["provenance_group"]}
    return Document(members["id"], members["text"].encode(), metadata=metadata)


def _check_values(documents: Documents) -> None:
    if not documents:
        raise CorpusRefusal("corpus contains no documents")
    ids: set[str] = set()
    texts: dict[bytes, str] = {}
    for number, document in enumerate(documents, 1):
        for field, value in {"id": document.id, **document.metadata}.items():
            if not _KEBAB_CASE.fullmatch(value):
                raise CorpusRefusal(
                    f"document {number}: {field} {quoted(value)} must be lowercase ASCII kebab case (en-us)"
                )
        if is_blank(document.data[:].decode()):
            raise CorpusRefusal(f"document {number}: text is empty")
        if document.id in ids:
            raise CorpusRefusal(f"document {number}: duplicate document ID {quoted(document.id)}")
        text = document.data[:]
        if text in texts:
            raise CorpusRefusal(
                f"document {number}: duplicate document text, the same as {quoted(texts[text])}; "
                "it would leak between partitions"
            )
        ids.add(document.id)
        texts[text] = document.id

"""The course's corpus format: its published cases and its published corpus."""

from pathlib import Path
from typing import Any

import pytest

from engine.corpus.course import fnv1a64
from engine.corpus.document import Split
from engine.corpus.unicode_space import WHITE_SPACE, is_blank
from engine.errors import CorpusRefusal

from .cases import base_documents, read, source_of


def test_the_base_corpus_reads_in_source_order() -> None:
    source = source_of(base_documents())
    corpus = read(source)
    assert [d.id for d in corpus.documents] == ["en-one", "ru-one", "en-two", "ru-two", "en-three", "ru-three"]
    assert corpus.documents[1].data == b"ru text one"
    assert corpus.documents[1].metadata == {"language": "ru", "provenance_group": "pair-one"}
    assert {d.split for d in corpus.documents} == {Split.TRAIN}
    assert corpus.source_bytes == len(source)


@pytest.mark.parametrize(
    "source",
    [
        b"[",
        b"{}",
        b"null",
        b'["text"]',
        b'[{"id":"a","language":"en","provenance_group":"g","text":"t","extra":1}]',
        b'[{"id":"a","id":"a","language":"en","provenance_group":"g","text":"t"}]',
        b'[{"id":"a","language":"en","provenance_group":"g"}]',
        b'[{"id":"a","language":1,"provenance_group":"g","text":"t"}]',
        b'[{"id":"a","language":"en","provenance_group":"g","text":null}]',
        b'[{"id":"a","language":"en","provenance_group":"g","text":"t"}] trailing',
        b'[{"id":"a","language":"en","provenance_group":"g","text":"\\ud800"}]',
        b'[{"id":"a","language":"en","provenance_group":"g","text":"\xff"}]',
    ],
)
def test_another_shape_is_invalid_corpus_json(source: bytes) -> None:
    with pytest.raises(CorpusRefusal, match=r"^invalid corpus JSON: "):
        read(source)


def test_an_escaped_id_is_the_same_id() -> None:
    source = source_of(base_documents()).replace(b"en-one", b"en\\u002done")
    assert read(source).documents[0].id == "en-one"


def test_no_documents() -> None:
    with pytest.raises(CorpusRefusal, match=r"^corpus contains no documents$"):
        read(b"[]")


@pytest.mark.parametrize(
    ("number", "changes", "message"),
    [
        (1, {"id": "EN-one"}, "document 1: id 'EN-one' must be lowercase ASCII kebab case"),
        (2, {"id": "1a"}, "document 2: id '1a' must be"),
        (2, {"id": ""}, "document 2: id '' must be"),
        (2, {"id": "a--b"}, "document 2: id 'a--b' must be"),
        (2, {"id": "a-"}, "document 2: id 'a-' must be"),
        (2, {"id": "a\n"}, r"document 2: id 'a\n' must be"),
        (2, {"id": "\u00e9t\u00e9"}, r"document 2: id '\xe9t\xe9' must be"),
        (2, {"id": "a\u0661"}, r"document 2: id 'a\u0661' must be"),
        (3, {"language": "en-US"}, "document 3: language 'en-US' must be"),
        (4, {"provenance_group": "pair_two"}, "document 4: provenance_group 'pair_two' must be"),
        (4, {"id": "A", "language": "B", "provenance_group": "C", "text": ""}, "document 4: id 'A'"),
        (4, {"language": "B", "provenance_group": "C", "text": ""}, "document 4: language 'B'"),
        (4, {"provenance_group": "C", "text": ""}, "document 4: provenance_group 'C'"),
        (5, {"text": "  "}, "document 5: text is empty"),
        (5, {"text": "\u3000\u0085\u2028"}, "document 5: text is empty"),
        (5, {"text": " ", "id": "en-one"}, "document 5: text is empty"),
        (6, {"id": "en-one"}, "document 6: duplicate document ID 'en-one'"),
        (6, {"id": "en-one", "text": "en text one"}, "document 6: duplicate document ID 'en-one'"),
        (6, {"text": "en text one"}, "document 6: duplicate document text, the same as 'en-one'"),
    ],
)
def test_the_first_broken_rule_is_named(number: int, changes: dict[str, Any], message: str) -> None:
    documents = base_documents()
    documents[number - 1] |= changes
    with pytest.raises(CorpusRefusal) as refusal:
        read(source_of(documents))
    assert str(refusal.value).startswith(message)


def test_an_earlier_document_comes_before_a_later_one_and_shape_before_values() -> None:
    documents = base_documents()
    documents[1]["text"] = " "
    documents[2]["id"] = "BAD"
    with pytest.raises(CorpusRefusal, match="document 2: text is empty"):
        read(source_of(documents))
    del documents[5]["text"]
    with pytest.raises(CorpusRefusal, match="invalid corpus JSON: document 6 has no member 'text'"):
        read(source_of(documents))


def test_legal_oddities() -> None:
    documents = base_documents()
    documents[0] |= {"language": "en-us", "id": "a1-2b", "text": "\u001c"}  # a separator control, no White_Space
    documents[1]["text"] = documents[2]["text"] + " "
    assert read(source_of(documents)).documents[0].data == b"\x1c"


def test_white_space_is_unicodes() -> None:
    # PropList.txt: 0009..000D 0020 0085 00A0 1680 2000..200A 2028 2029 202F 205F 3000
    ranges = [(9, 13), (32, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)]
    ranges += [(0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)]
    expected = {chr(c) for first, last in ranges for c in range(first, last + 1)}
    assert set(WHITE_SPACE) == expected
    assert len(WHITE_SPACE) == len(expected) == 25
    assert is_blank("")
    assert not is_blank("\u200b\ufeff")


@pytest.mark.parametrize(
    ("data", "digits"),
    [  # `hello` is published by the course; the others are the reference vectors of FNV (Noll)
        (b"hello", "a430d84680aabd0b"),
        (b"", "cbf29ce484222325"),
        (b"a", "af63dc4c8601ec8c"),
        (b"foobar", "85944171f73967e8"),
    ],
)
def test_checksum_vectors(data: bytes, digits: str) -> None:
    assert fnv1a64(data) == f"fnv1a64:{digits}"


def test_the_published_corpus(learn_llm: Path) -> None:
    source = (learn_llm / "course1" / "tiny-bilingual-corpus.json").read_bytes()
    corpus = read(source)
    assert corpus.checksum == "fnv1a64:723b071980ae8a22"
    languages = [d.metadata["language"] for d in corpus.documents]
    assert (len(languages), languages.count("en"), languages.count("ru")) == (12, 6, 6)
    assert len({d.metadata["provenance_group"] for d in corpus.documents}) == 6

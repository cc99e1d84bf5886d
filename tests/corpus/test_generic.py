"""JSON and JSON Lines of any making."""

import json

import pytest

from engine.corpus.course import CORPUS_JSON
from engine.corpus.document import Corpus, Document, Split
from engine.corpus.generic import read_json, read_json_lines
from engine.errors import CorpusRefusal


def array(source: bytes) -> Corpus:
    return read_json(CORPUS_JSON.items(source, "the corpus"), source, "x.json")


RECORDS = [
    "a\nb",
    {"text": ""},
    {"text": "\u00e9", "id": "x", "split": "validation", "n": 1, "deep": {"a": [None]}},
    {"text": "b", "id": 7, "split": "test"},
    {"text": "b", "id": "x", "split": "held-out"},
    {"text": "b", "split": "train"},
]


def expected(place: str) -> list[Document]:
    return [
        Document(f"{place} 1", b"a\nb"),
        Document(f"{place} 2", b""),
        Document("x", b"\xc3\xa9", split=Split.VALIDATION, metadata={"n": "1", "deep": '{"a":[null]}'}),
        Document("7", b"b", split=Split.TEST),
        Document("x", b"b", split=Split.HELD_OUT),
        Document(f"{place} 6", b"b"),
    ]


def test_an_array_of_strings_and_objects() -> None:
    assert list(array(json.dumps(RECORDS).encode()).documents) == expected("document")


def test_json_lines() -> None:
    corpus = read_json_lines("\r\n".join(map(json.dumps, RECORDS)).encode(), "x.jsonl")
    assert list(corpus.documents) == expected("line")
    assert corpus.notes == ()


def test_blank_lines_are_passed_over_and_said() -> None:
    corpus = read_json_lines(b'"a"\n\n \r\n"b"\n\n', "x.jsonl")
    assert [d.id for d in corpus.documents] == ["line 1", "line 4"]
    assert corpus.notes == ("passed over 3 blank lines",)
    assert read_json_lines(b"", "x.jsonl").documents == ()


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("1", "must be a string or an object with a text, found 1"),
        ("null", "must be a string or an object with a text, found None"),
        ('["a"]', "must be a string or an object with a text, found an array"),
        ("{}", "has no member 'text'"),
        ('{"text":1}', "member 'text' of {} must be a string, found 1"),
        ('{"text":"a","id":true}', "member 'id' of {} must be a string or an integer, found True"),
        ('{"text":"a","id":1.0}', "member 'id' of {} must be a string or an integer, found 1.0"),
        ('{"text":"a","split":"dev"}', "unknown split 'dev': give train, validation, test, held-out"),
        ('{"text":"a","split":null}', "unknown split None"),
        ('{"text":"a","split":["train"]}', "unknown split ['train']"),
        ('{"text":"a","text":"b"}', "repeated member 'text'"),
    ],
)
def test_refusals_name_the_record(record: str, why: str) -> None:
    with pytest.raises(CorpusRefusal) as refusal:
        array(f'["a",{record}]'.encode())
    assert str(refusal.value).startswith("invalid corpus JSON: ")
    assert why.format("document 2") in str(refusal.value)
    with pytest.raises(CorpusRefusal) as refusal:
        read_json_lines(f'"a"\n{record}\n'.encode(), "x.jsonl")
    assert str(refusal.value).startswith("invalid document JSON on line 2: ")
    assert why.format("line 2") in str(refusal.value)


def test_a_record_of_many_small_values_is_refused_before_it_is_parsed() -> None:
    """Seven million empty arrays would take 650 MB."""
    record = b'{"text":"a","x":[' + b"[]," * 7_000_000 + b"[]]}\n"
    with pytest.raises(CorpusRefusal, match="on line 1: its small values would take"):
        read_json_lines(record, "x")

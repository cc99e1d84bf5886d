"""Bindings and receipts: what ties an artifact to its data."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from runs import corpus

from engine.artifact import canonical_bytes
from engine.binding import binding_of, corpus_receipt, receipt_binding
from engine.corpus.document import Split
from engine.corpus.identity import weighted_bytes_sha256
from engine.corpus.open import CorpusOptions, open_corpus
from engine.errors import IdentityRefusal
from engine.policy import Policy
from engine.receipt import Producer, producer_receipt
from engine.trainer import Trainer

TWO = corpus(b"abab", b"abac")


def test_a_corpus_without_a_receipt_gets_one_of_its_own() -> None:
    binding = binding_of(TWO)
    assert binding == receipt_binding(corpus_receipt(TWO), TWO)
    assert binding.corpus_receipt_sha256 == hashlib.sha256(corpus_receipt(TWO)).hexdigest()
    assert (binding.input_encoding, binding.scope, binding.split) == ("weighted-bytes-v1", "fixture", "train")
    by_hand = b"".join((4).to_bytes(8, "little") + (1).to_bytes(8, "little") + text for text in (b"abab", b"abac"))
    assert binding.input_sha256 == hashlib.sha256(by_hand).hexdigest() == weighted_bytes_sha256(TWO.training)
    assert json.loads(corpus_receipt(TWO))["documents"] == 2


def test_a_prepared_stream_is_bound_by_its_own_hash(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b'{"id":"a","text":"abab"}\n{"id":"b","text":"abac"}\n')
    texts = open_corpus(path)
    binding = binding_of(texts)
    assert binding.input_encoding == "prepared-jsonl"
    assert binding.input_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    first, second = texts.documents
    some = replace(texts, documents=(first, replace(second, split=Split.HELD_OUT)))
    assert binding_of(some).input_encoding == "weighted-bytes-v1"
    assert binding_of(some).input_sha256 == weighted_bytes_sha256([first])
    with pytest.raises(
        IdentityRefusal, match="the receipt binds the whole stream, but 1 of its documents are held out"
    ):
        receipt_binding(corpus_receipt(texts), some)


def receipt(**changes: object) -> bytes:
    value: dict[str, object] = {
        "schema_version": 1,
        "scope": "fixture",
        "split": "train",
        "input": {"encoding": "weighted-bytes-v1", "sha256": weighted_bytes_sha256(TWO.training)},
        "provenance": "written by hand",
    }
    return json.dumps(value | changes).encode()


def test_a_receipt_names_itself_and_may_say_more() -> None:
    binding = receipt_binding(receipt(), TWO)
    assert binding.corpus_receipt_sha256 == hashlib.sha256(receipt()).hexdigest()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "invalid corpus receipt: "),
        (receipt(schema_version=2), "invalid corpus receipt: member 'schema_version' of the receipt must be"),
        (receipt(input="x"), "invalid corpus receipt: member 'input' of the receipt must be an object"),
        (receipt(input={"encoding": "weighted-bytes-v1"}), "member 'input' has no member 'sha256'"),
        (receipt(split="validation"), "binding split='validation' is unknown: it can be train"),
        (receipt(scope="world"), "binding scope='world' is unknown: it can be fixture, prepared-corpus"),
        (receipt(scope="prepared-corpus"), "input_encoding=weighted-bytes-v1 needs scope=fixture"),
        (receipt(input={"encoding": "weighted-bytes-v1", "sha256": "0" * 64}), "training stream SHA-256 mismatch"),
        (receipt(input={"encoding": "weighted-bytes-v1", "sha256": "0" * 63}), "64 lowercase hexadecimal digits"),
        (receipt(input={"encoding": "prepared-jsonl", "sha256": "0" * 64}), "the corpus was read as text"),
    ],
)
def test_a_receipt_that_does_not_bind_the_corpus_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(IdentityRefusal, match=message):
        receipt_binding(data, TWO)


def test_the_published_receipt_binds_no_other_stream(learn_llm: Path, tmp_path: Path) -> None:
    folder = learn_llm / "practical-ch03"
    other = tmp_path / "train.jsonl"
    other.write_bytes((folder / "train.jsonl").read_bytes().replace(b"abac", b"abad"))
    texts = open_corpus(other, CorpusOptions(format="prepared-jsonl"))
    with pytest.raises(IdentityRefusal, match="mismatch: the receipt names d72804e2"):
        receipt_binding((folder / "corpus-receipt.json").read_bytes(), texts)


def test_the_producer_receipt_names_the_artifact_and_keeps_the_corpus_receipt_checkable() -> None:
    data, evidence = canonical_bytes(Trainer(TWO, Policy()), binding_of(TWO)), corpus_receipt(TWO)
    made = producer_receipt(data, evidence, Producer("bpe-tui 0.1.0", "python", "CPython 3.11", "2026-01-02T03:04:05Z"))
    value = json.loads(made)
    assert value["artifact"] == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    assert value["corpus_receipt"].encode() == evidence
    assert value["producer"]["time"] == "2026-01-02T03:04:05Z"
    assert b"2026" not in data

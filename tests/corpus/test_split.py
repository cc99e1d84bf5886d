"""Split manifests: the course's published cases and its published manifest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.corpus.document import Corpus, Split
from engine.corpus.split import apply_manifest, find_manifest, parse_manifest
from engine.errors import CorpusRefusal, IdentityRefusal, Refusal

from .cases import base_documents, base_manifest, read, source_of

SOURCE = source_of(base_documents())


def applied(manifest: dict[str, Any], source: bytes = SOURCE) -> Corpus:
    return apply_manifest(read(source), parse_manifest(json.dumps(manifest).encode()))


def ids(corpus: Corpus, split: Split) -> list[str]:
    return [d.id for d in corpus.documents if d.split is split]


def test_the_base_manifest() -> None:
    corpus = applied(base_manifest(SOURCE))
    assert ids(corpus, Split.TRAIN) == ["en-one", "ru-one"]
    assert ids(corpus, Split.VALIDATION) == ["en-two", "ru-two"]
    assert ids(corpus, Split.TEST) == ["en-three", "ru-three"]
    assert [d.id for d in corpus.training] == ["en-one", "ru-one"]
    assert [d.id for d in corpus.held_out] == ["en-two", "ru-two", "en-three", "ru-three"]


def test_an_escaped_id_in_the_manifest() -> None:
    data = json.dumps(base_manifest(SOURCE)).encode().replace(b"en-one", b"en\\u002done")
    assert ids(apply_manifest(read(SOURCE), parse_manifest(data)), Split.TRAIN) == ["en-one", "ru-one"]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"schema_version": 2}, CorpusRefusal, "unsupported split schema version 2"),
        ({"strategy": "random-excerpts"}, CorpusRefusal, "unsupported split strategy 'random-excerpts'"),
        ({"corpus_checksum": "fnv1a64:" + "0" * 16}, IdentityRefusal, "corpus checksum mismatch: "),
        ({"train": []}, CorpusRefusal, "train partition is empty"),
        ({"validation": []}, CorpusRefusal, "validation partition is empty"),
        ({"test": []}, CorpusRefusal, "test partition is empty"),
        (
            {"train": ["ru-one", "en-one"]},
            CorpusRefusal,
            "train partition ids do not preserve corpus source order: 'en-one'",
        ),
        ({"train": ["en-one", "en-one"]}, CorpusRefusal, "train partition ids do not preserve corpus source order"),
        (
            {"test": ["en-one", "en-three", "ru-three"]},
            CorpusRefusal,
            "document 'en-one' appears in more than one manifest position: train and test",
        ),
        ({"test": ["en-three", "ghost"]}, CorpusRefusal, "test partition contains unknown document 'ghost'"),
        ({"test": ["en-three"]}, CorpusRefusal, "the manifest does not cover corpus document 'ru-three'"),
        (
            {"validation": ["en-two", "ru-three"], "test": ["ru-two", "en-three"]},
            CorpusRefusal,
            "provenance group 'pair-two' is split between validation and test",
        ),
    ],
)
def test_rules_on_values(changes: dict[str, Any], error: type[Refusal], message: str) -> None:
    with pytest.raises(error) as refusal:
        applied(base_manifest(SOURCE) | changes)
    assert str(refusal.value).startswith(message)


def test_an_empty_partition_is_said_exactly() -> None:
    with pytest.raises(CorpusRefusal, match=r"^test partition is empty$"):
        applied(base_manifest(SOURCE) | {"test": []})


BREAKS: list[tuple[str, dict[str, Any]]] = [
    ("schema version", {"schema_version": 3}),
    ("strategy", {"strategy": "other"}),
    ("checksum", {"corpus_checksum": "fnv1a64:0000000000000000"}),
    ("train partition is empty", {"train": []}),
    ("source order", {"validation": ["ru-two", "ghost", "en-two"]}),
    ("unknown document", {"test": ["ghost", "en-three"]}),
    ("does not cover", {"test": ["en-three"]}),
]


@pytest.mark.parametrize("earlier", range(len(BREAKS) - 1))
def test_rules_run_in_order(earlier: int) -> None:
    manifest = base_manifest(SOURCE)
    for _, changes in reversed(BREAKS[earlier:]):
        manifest |= changes
    with pytest.raises(Refusal, match=BREAKS[earlier][0]):
        applied(manifest)


def text_with(change: Callable[[str], str]) -> bytes:
    return change(json.dumps(base_manifest(SOURCE))).encode()


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({k: v for k, v in base_manifest(SOURCE).items() if k != "test"}).encode(),
        text_with(lambda t: t.replace('"schema_version": 1', '"schema_version": 1, "schema_version": 1')),
        json.dumps(base_manifest(SOURCE) | {"extra": 1}).encode(),
        text_with(lambda t: t.replace('"schema_version": 1', '"schema_version": 01')),
        text_with(lambda t: t.replace('"ru-three"]', '"ru-three",]')),
        text_with(lambda t: t[:-1] + ",}"),
        text_with(lambda t: t + " trailing"),
        text_with(lambda t: "\v" + t),
        json.dumps(base_manifest(SOURCE) | {"schema_version": "1"}).encode(),
        json.dumps(base_manifest(SOURCE) | {"schema_version": True}).encode(),
        json.dumps(base_manifest(SOURCE) | {"schema_version": 1.0}).encode(),
        json.dumps(base_manifest(SOURCE) | {"schema_version": 2**32}).encode(),
        json.dumps(base_manifest(SOURCE) | {"test": ["en-three", 3]}).encode(),
        json.dumps([base_manifest(SOURCE)]).encode(),
        b"",
    ],
)
def test_another_shape_is_invalid_manifest_json(data: bytes) -> None:
    with pytest.raises(CorpusRefusal, match=r"^invalid split manifest JSON: "):
        parse_manifest(data)


def test_the_published_manifest(learn_llm: Path) -> None:
    source = (learn_llm / "course1" / "tiny-bilingual-corpus.json").read_bytes()
    manifest = json.loads((learn_llm / "course1" / "splits.json").read_bytes())
    corpus = applied(manifest, source)
    assert [len(ids(corpus, s)) for s in (Split.TRAIN, Split.VALIDATION, Split.TEST)] == [8, 2, 2]
    expected = (learn_llm / "course1" / "ch02-expected.txt").read_text()
    assert f"train: {json.dumps(ids(corpus, Split.TRAIN))}\n" in expected
    assert f"validation: {json.dumps(ids(corpus, Split.VALIDATION))}\n" in expected
    assert f"test: {json.dumps(ids(corpus, Split.TEST))}\n" in expected

    with pytest.raises(IdentityRefusal, match="corpus checksum mismatch"):
        applied(manifest, source.replace(b"three boats", b"seven boats"))
    moved = manifest | {"train": [*manifest["train"], "ru-night-station"], "validation": ["en-night-station"]}
    with pytest.raises(CorpusRefusal, match="provenance group 'pair-night-station' is split"):
        applied(moved, source)


def test_a_manifest_is_found_beside_its_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "my.corpus.json"
    assert find_manifest(corpus) is None
    general = tmp_path / "splits.json"
    general.touch()
    assert find_manifest(corpus) == general
    own = tmp_path / "my.corpus.splits.json"
    own.touch()
    assert find_manifest(corpus) == own
    assert find_manifest(general) is None

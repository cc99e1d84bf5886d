"""The one way in: detection, splits, and the refusals of sources that cannot be opened."""

import dataclasses
import hashlib
import json
import os
from pathlib import Path

import pytest

from engine.corpus.document import Split
from engine.corpus.open import CorpusOptions, open_corpus
from engine.errors import CorpusRefusal, IdentityRefusal

from .cases import base_documents, base_manifest, source_of

COURSE = source_of(base_documents())
PREPARED = b'{"id":"a","text":"one"}\n'


@pytest.mark.parametrize(
    ("name", "source", "format"),
    [
        ("c.json", COURSE, "course-json"),
        ("C.JSON", COURSE, "course-json"),
        ("c.json", b'["one","two"]', "json"),
        ("c.json", b'[{"id":"a","text":"one"}]', "json"),
        ("c.json", b'[{"language":"en","text":"one"}]', "json"),
        ("c.jsonl", PREPARED, "prepared-jsonl"),
        ("c.ndjson", PREPARED, "prepared-jsonl"),
        ("c.jsonl", b'{"text":"one"}\n', "jsonl"),
        ("c.jsonl", b'"one"\n', "jsonl"),
        ("c.tsv", b"a\t1\n", "words"),
        ("c.counts", b"a\t1\n", "words"),
        ("c.txt", b'["one"]', "text"),
        ("c.md", b"# one", "text"),
        ("c.toml", b'["a"]\n', "text"),
        ("c", b"plain", "text"),
        ("c", b"[link](x)", "text"),
        ("c", b"{x", "text"),
        ("c", b'\n [ "one"]', "json"),
        ("c", COURSE, "course-json"),
        ("c", PREPARED, "prepared-jsonl"),
        ("c", b'{"text":"one"}\n', "jsonl"),
    ],
)
def test_detection(tmp_path: Path, name: str, source: bytes, format: str) -> None:
    path = tmp_path / name
    path.write_bytes(source)
    corpus = open_corpus(path)
    assert corpus.format == format
    assert corpus.notes[0].startswith(f"read as {format}: it")
    assert corpus.name == name
    assert (corpus.sha256, corpus.source_bytes) == (hashlib.sha256(source).hexdigest(), len(source))
    if "." not in name:
        from_input = open_corpus(source)
        assert from_input.format == format
        assert from_input.name == "standard input"
    else:
        asked = open_corpus(path, CorpusOptions(format=format))
        assert asked.documents == corpus.documents
        assert not any(note.startswith("read as") for note in asked.notes)


def test_a_course_corpus_is_held_to_the_courses_rules(tmp_path: Path) -> None:
    for record in ({"provenance_group": "g", "text": "one"}, {"id": "A", "language": "en", "text": "one"}):
        source = json.dumps([{"text": "zero"}, record]).encode()
        with pytest.raises(CorpusRefusal, match=r"^invalid corpus JSON: .*--format json reads it without"):
            open_corpus(source)
        assert len(open_corpus(source, CorpusOptions(format="json")).documents) == 2


def test_options_are_plain_values() -> None:
    options = CorpusOptions(format="text", separator="--", split="none", holdout=0.5)
    assert CorpusOptions(**json.loads(json.dumps(dataclasses.asdict(options)))) == options


def test_a_separator_means_text(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(b"[1]--[2]")
    corpus = open_corpus(path, CorpusOptions(separator="--"))
    assert [d.data for d in corpus.documents] == [b"[1]", b"[2]"]
    assert corpus.notes == ("read as text: a separator is given", "cut at '--' into 2 documents")


def test_a_manifest_beside_the_corpus_is_taken_and_said(tmp_path: Path) -> None:
    corpus, manifest = tmp_path / "c.json", tmp_path / "splits.json"
    corpus.write_bytes(COURSE)
    manifest.write_text(json.dumps(base_manifest(COURSE)))
    found = open_corpus(corpus)
    assert [len(found.training), len(found.held_out)] == [2, 4]
    assert found.notes[-1] == "split by the manifest 'splits.json' (found beside the corpus)"
    other = tmp_path / "elsewhere.json"
    manifest.rename(other)
    assert open_corpus(corpus).notes[-1] == "no split manifest: every document trains"
    assert open_corpus(corpus, CorpusOptions(split=str(other))).documents == found.documents
    assert open_corpus(COURSE, CorpusOptions(split=str(other))).documents == found.documents


@pytest.mark.parametrize("name", ["splits.json", "c.splits.json"])
def test_a_manifest_of_another_corpus_is_refused_with_a_way_out(tmp_path: Path, name: str) -> None:
    corpus, manifest = tmp_path / "c.json", tmp_path / name
    corpus.write_bytes(COURSE + b" ")
    manifest.write_text(json.dumps(base_manifest(COURSE)))
    with pytest.raises(IdentityRefusal) as refusal:
        open_corpus(corpus)
    message = str(refusal.value)
    assert message.startswith("corpus checksum mismatch: ")
    assert message.endswith(f"(split manifest '{name}'; --split none opens the corpus without it)")
    opened = open_corpus(corpus, CorpusOptions(split="none"))
    assert len(opened.training) == 6
    assert len(opened.notes) == 1


def test_a_manifest_that_is_none(tmp_path: Path) -> None:
    corpus = tmp_path / "c.json"
    corpus.write_bytes(COURSE)
    (tmp_path / "splits.json").write_text('{"group_field": "x"}')
    with pytest.raises(CorpusRefusal, match=r"^invalid split manifest JSON: .*splits.json'; --split none"):
        open_corpus(corpus)
    with pytest.raises(CorpusRefusal, match=r"^cannot read 'gone.json': .*; give another split manifest, or"):
        open_corpus(corpus, CorpusOptions(split="gone.json"))


def test_only_course_corpora_take_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "splits.json").write_text("{}")
    (tmp_path / "c.json").write_text('["one"]')
    assert len(open_corpus(tmp_path / "c.json").training) == 1
    with pytest.raises(CorpusRefusal, match="splits course-json, not text: leave out --split"):
        open_corpus(b"text", CorpusOptions(split="splits.json"))


def test_holding_out(tmp_path: Path) -> None:
    source = b"".join(b"%d\n" % n for n in range(100))
    corpus = open_corpus(source, CorpusOptions(format="lines", holdout=0.2))
    assert 0 < len(corpus.held_out) < 50
    assert corpus.notes[-1].startswith(f"held out {len(corpus.held_out)} of 100 documents")
    (tmp_path / "c.json").write_bytes(COURSE)
    (tmp_path / "splits.json").write_text(json.dumps(base_manifest(COURSE)))
    with pytest.raises(CorpusRefusal, match="already holds out 4 documents"):
        open_corpus(tmp_path / "c.json", CorpusOptions(holdout=0.5))
    assert open_corpus(tmp_path / "c.json", CorpusOptions(holdout=0.1, split="none")).training


def test_held_out_records_of_a_prepared_stream() -> None:
    source = PREPARED + b'{"id":"b","text":"two","split":"test"}\n'
    with pytest.raises(IdentityRefusal, match=r"^line 2: held-out split .*--format jsonl"):
        open_corpus(source)
    assert [d.split for d in open_corpus(source, CorpusOptions(format="jsonl")).documents] == [Split.TRAIN, Split.TEST]


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "c.json").write_bytes(COURSE)
    corpus = open_corpus(folder)
    assert (corpus.name, corpus.format) == ("texts", "folder")
    assert [d.id for d in corpus.documents] == ["c.json"]
    for options in (CorpusOptions(format="lines"), CorpusOptions(separator="x")):
        with pytest.raises(CorpusRefusal, match="is a folder"):
            open_corpus(folder, options)
    with pytest.raises(CorpusRefusal, match="--format folder reads a folder"):
        open_corpus(folder / "c.json", CorpusOptions(format="folder"))
    with pytest.raises(CorpusRefusal, match="--format folder reads a folder"):
        open_corpus(b"text", CorpusOptions(format="folder"))


def test_the_working_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    monkeypatch.chdir(tmp_path)
    assert open_corpus(Path()).name == tmp_path.name


@pytest.mark.parametrize(
    ("source", "options", "why"),
    [
        (b"", {}, "'standard input' holds no text"),
        (b"", {"format": "lines"}, "holds no text"),
        (b"", {"format": "words"}, "holds no text"),
        (b"", {"format": "jsonl"}, "holds no text"),
        (b"", {"format": "prepared-jsonl"}, "holds no text"),
        (b"----", {"separator": "--"}, "holds no text"),
        (b"[]", {"format": "json"}, "holds no text"),
        (b"[]", {"format": "course-json"}, "corpus contains no documents (in 'standard input'"),
        (b'[{"text":"a","split":"test"}]', {}, "has nothing to train on: all 1 documents are held out"),
        (b"a\t0\n", {"format": "words"}, "line 1: count 0 is out of range: give 1 to 9223372036854775807 (in"),
        (b"[1", {"format": "json"}, "--format jsonl reads one record a line, --format text any bytes"),
    ],
)
def test_nothing_to_train_on(source: bytes, options: dict[str, str], why: str) -> None:
    with pytest.raises(CorpusRefusal) as refusal:
        open_corpus(source, CorpusOptions(format=options.get("format", "auto"), separator=options.get("separator")))
    assert why in str(refusal.value)


def test_a_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.txt")
    path.write_bytes(b"one\ntwo\n")
    corpus = open_corpus(path, CorpusOptions(holdout=0.01))
    assert corpus.name == corpus.documents[0].id == r"a\xff.txt"


def test_empty_documents_are_legal_and_said() -> None:
    corpus = open_corpus(b'["",""]')
    assert len(corpus.training) == 2
    assert corpus.notes[-1] == "every training document is empty: there is no pair to learn"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.json", "no such file or directory; give a file, a folder of text files, or - for standard input"),
        ("gone/\x1b[31m.json", r"cannot read 'gone/\x1b[31m.json'"),
        ("x" * 300, "file name too long"),
        ("a\0b", "not a usable path"),
    ],
)
def test_a_path_that_cannot_be_opened(path: str, why: str) -> None:
    with pytest.raises(CorpusRefusal) as refusal:
        open_corpus(Path(path))
    assert why in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (
            PermissionError(13, "Permission denied"),
            "permission denied; give a file, a folder of text files, or - for standard input",
        ),
        (OSError(5, "Input/output error"), "input/output error"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, why: str) -> None:
    def fails(path: str, flags: int) -> int:
        raise error

    path = tmp_path / "c.txt"
    path.touch()
    monkeypatch.setattr(os, "open", fails)
    with pytest.raises(CorpusRefusal, match=f"cannot read '.*/c.txt': {why}"):
        open_corpus(path)


def test_contradicting_options() -> None:
    with pytest.raises(CorpusRefusal, match=r"unknown corpus format 'xml': choose auto, course-json, "):
        CorpusOptions(format="xml")
    with pytest.raises(CorpusRefusal, match="a separator cuts text, not lines"):
        CorpusOptions(format="lines", separator="x")


def test_the_published_corpora(learn_llm: Path) -> None:
    corpus = open_corpus(learn_llm / "course1" / "tiny-bilingual-corpus.json")
    assert corpus.checksum == "fnv1a64:723b071980ae8a22"
    assert [len(corpus.documents), len(corpus.training), len(corpus.held_out)] == [12, 8, 4]
    train = open_corpus(learn_llm / "practical-ch03" / "train.jsonl")
    assert train.sha256 == "d72804e22c9be2b8f8f51bf235040265f967308f3d62e77096b35d78f6628c6e"
    assert [d.data for d in train.training] == [b"abab", b"abac"]
    assert len(open_corpus(learn_llm / "practical-ch02" / "prepared.jsonl").documents) == 3

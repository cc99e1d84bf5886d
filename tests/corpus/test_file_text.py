"""A large text in its file is the text in memory, and says when the file is no longer the same."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine.corpus.file_text
import engine.corpus.open
from engine.corpus.file_text import FileText
from engine.corpus.open import CorpusOptions, open_corpus
from engine.errors import CorpusRefusal
from engine.policy import Policy
from engine.trainer import Trainer

DATA = "one two\nthree, ещё немного текста\n".encode() * 50


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(engine.corpus.file_text, "BLOCK", 7)
    monkeypatch.setattr(engine.corpus.open, "LARGE", 100)
    path = tmp_path / "text.txt"
    path.write_bytes(DATA)
    return path


edges = st.none() | st.integers(-2000, 2500)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges, edges, st.sampled_from([b"t", b"two\nthree", b"\xd0", b"nothing", b"\n", b"text"]))
def test_it_reads_like_bytes(path: Path, start: int | None, stop: int | None, part: bytes) -> None:
    text = FileText(path)
    assert len(text) == len(DATA)
    assert text[start:stop] == DATA[start:stop]
    low, high = max(start or 0, 0), stop if stop is None else max(stop, 0)
    assert text.find(part, low, high) == DATA.find(part, low, high)
    assert text.rfind(part, low, high) == DATA.rfind(part, low, high)
    assert text.sha256() == hashlib.sha256(DATA).hexdigest()


def test_single_bytes(path: Path) -> None:
    text = FileText(path)
    assert [text[0], text[-1], text[10]] == [DATA[0], DATA[-1], DATA[10]]
    with pytest.raises(IndexError):
        text[len(DATA)]


@pytest.mark.parametrize("change", [b"", b"other", DATA + b"more"])
def test_a_file_that_changed_is_refused(path: Path, change: bytes) -> None:
    text = FileText(path)
    path.write_bytes(change)
    os.utime(path, ns=(1, 1))
    with pytest.raises(CorpusRefusal, match=r"text\.txt' changed while it was open: open it again"):
        text[5:9]


@pytest.mark.parametrize("format", ["auto", "text"])
def test_a_large_text_is_the_same_corpus_left_in_its_file(
    path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = open_corpus(path, CorpusOptions(format=format))
    monkeypatch.setattr(engine.corpus.open, "LARGE", len(DATA) + 1)
    small = open_corpus(path, CorpusOptions(format=format))
    assert isinstance(large.documents[0].data, FileText)
    assert small.documents[0].data == DATA
    assert (large.sha256, large.notes, large.source_bytes) == (small.sha256, small.notes, small.source_bytes)
    for boundary in ("document", "gpt2", "pattern:[a-z]+"):
        trainers = [Trainer(corpus, Policy(boundary=boundary)) for corpus in (large, small)]
        for trainer in trainers:
            trainer.seek(20)
        assert list(trainers[0].merges) == list(trainers[1].merges)
        assert trainers[0].document_tokens(0, 100, 200) == trainers[1].document_tokens(0, 100, 200)


@pytest.mark.parametrize("options", [CorpusOptions(format="lines"), CorpusOptions(separator="\n")])
def test_a_text_of_many_documents_is_read(path: Path, options: CorpusOptions) -> None:
    assert all(isinstance(d.data, bytes) for d in open_corpus(path, options).documents)

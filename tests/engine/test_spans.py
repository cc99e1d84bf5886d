"""Spans: each distinct one is cut once, and the counts are those of cutting the whole text with the pattern."""

import random
from pathlib import Path

import pytest
from scanned import ASSIGNED, PATTERNS, at_once, awkward_text, counted, in_contexts, random_texts

import engine.spans
from engine.corpus.document import Document
from engine.corpus.file_text import FileText
from engine.counting import count_pieces
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.spans import spans


@pytest.fixture(autouse=True)
def without_compiled_boundaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.pretokenize.find_spec", lambda name: None)


def parts(data: bytes) -> list[str]:
    return [span for _, found in spans(data, 0, len(data)) for span in found]


def test_spans_by_hand() -> None:
    text = "\n  The  cat sat,\non the\n/mat \n x\r\ny\u00a0z\n\nend\n"
    assert parts(text.encode()) == ["\n  The  cat", " sat,\n", "on", " the\n/mat \n x\r\ny\u00a0z\n\nend\n"]
    assert parts(b"a b\xff c\xe2\x82 d") == ["a", " b\udcff", " c\udce2\udc82", " d"]
    assert parts(b" a") == [" a"]
    assert parts(b"") == []


@pytest.mark.parametrize("boundary", PATTERNS)
def test_every_character_in_context(boundary: str) -> None:
    cut = splitter(Policy(boundary=boundary))
    awkward = [c for c in ASSIGNED if not c.isalnum()]  # all that could end or begin a span, and some of the rest
    data = in_contexts([*awkward, *ASSIGNED[::40]])
    found = [piece for span in parts(data) for _, piece in cut(span.encode())]
    assert found == at_once(data, boundary)


@pytest.mark.parametrize("unmatched", ["kept", "dropped"])
@pytest.mark.parametrize("boundary", PATTERNS)
def test_counts_and_their_order_over_awkward_texts_in_blocks(
    boundary: str, unmatched: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls = random.Random(boundary)
    policy = Policy(boundary=boundary, unmatched=unmatched)
    for _ in range(random_texts() // 4):
        monkeypatch.setattr(engine.spans, "BLOCK", rolls.randint(1, 40))
        texts = [awkward_text(rolls, 60) for _ in range(3)]
        found = count_pieces([Document("", text) for text in texts], policy)
        assert isinstance(found, dict)
        assert list(found.items()) == counted(texts, boundary, unmatched), texts


def test_weights_special_tokens_files_and_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engine.spans, "BLOCK", 16)
    monkeypatch.setattr("engine.counting.TELL_S", 0.0)
    (tmp_path / "text.txt").write_bytes(b"to be<|end|> or not to be or to be")
    documents = [Document("", FileText(tmp_path / "text.txt"), 3), Document("", b"to be", 2)]
    told: list[tuple[int, int]] = []
    policy = Policy(boundary="gpt2", special_tokens=("<|end|>",))
    found = count_pieces(documents, policy, lambda *done: told.append(done))
    assert found == {b"to": 5, b" be": 11, b" or": 6, b" not": 3, b" to": 6}
    assert told[-1] == (39 - 7, 39)
    assert len(told) > 2

"""Compiled boundaries give the pieces of the `regex` package: for every code point, awkward texts, broken bytes."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

_pieces: ModuleType = pytest.importorskip("engine._pieces", reason="the compiled boundaries were not built")

from scanned import (
    ASSIGNED,
    PATTERNS,
    SCANNED,
    UNASSIGNED,
    at_once,
    awkward_text,
    by_regex,
    counted,
    in_contexts,
    random_texts,
)

import engine.counting
import engine.scanner
from engine.corpus.document import Document
from engine.corpus.file_text import FileText
from engine.counting import count_pieces
from engine.packed import Packed
from engine.policy import Policy
from engine.pretokenize import scanner, splitter
from engine.scanner import Scanner
from engine.trainer import Trainer

from runs import corpus  # isort: skip

ROOT = Path(__file__).parents[2]


def scanned(data: bytes, boundary: str, unmatched: str = "kept") -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = _pieces.pieces(data, boundary, unmatched == "dropped", len(data), 0)
    return found


@pytest.mark.parametrize("boundary", PATTERNS)
def test_every_code_point_is_cut_as_by_the_published_pattern(boundary: str) -> None:
    data = in_contexts(ASSIGNED)
    found, expected = [piece for _, piece in scanned(data, boundary)], at_once(data, boundary)
    if found != expected:
        wrong = next(at for at, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1])
        pytest.fail(f"{expected[wrong - 9 : wrong + 9]} became {found[wrong - 9 : wrong + 9]}")
    assert scanned(UNASSIGNED, boundary) == by_regex(UNASSIGNED, boundary) == [(0, UNASSIGNED)]


@pytest.mark.parametrize("unmatched", ["kept", "dropped"])
@pytest.mark.parametrize("boundary", SCANNED)
def test_awkward_texts_and_broken_bytes(boundary: str, unmatched: str) -> None:
    rolls = random.Random(f"{boundary} {unmatched}")
    for _ in range(random_texts()):
        data = awkward_text(rolls, 24)
        assert scanned(data, boundary, unmatched) == by_regex(data, boundary, unmatched), data


@pytest.mark.parametrize("boundary", SCANNED)
def test_a_sure_begin_is_one_whatever_stands_before(boundary: str) -> None:
    rolls = random.Random(boundary)
    seen = 0
    for _ in range(random_texts()):
        data = awkward_text(rolls, 30)
        starts = {start for start, _ in by_regex(data, boundary)}
        sure = [at for at in range(1, len(data)) if _pieces.last_begin(data[at - 1 :], boundary, 1)]
        assert starts.issuperset(sure), data
        for at in sure:
            assert scanned(data[at:], boundary) == [(s - at, p) for s, p in scanned(data, boundary) if s >= at]
        seen += len(sure)
    assert seen > 100


@pytest.mark.parametrize("boundary", SCANNED)
def test_pieces_of_a_range_without_what_lies_before(boundary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.scanner, "LOOK", 8)
    monkeypatch.setattr(engine.scanner, "BLOCK", 16)
    rolls = random.Random(boundary)
    cut = scanner(Policy(boundary=boundary))
    assert cut is not None
    for _ in range(300):
        data = awkward_text(rolls, 60)
        whole = by_regex(data, boundary)
        assert list(cut(data)) == whole
        start, stop = sorted((rolls.randint(0, len(data)), rolls.randint(0, len(data))))
        inside = [(at, piece) for at, piece in whole if at < stop and at + len(piece) > start]
        assert list(cut.between(data, start, stop, (0, len(data)))) == inside, (data, start, stop)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("boundary", SCANNED)
def test_counts_of_threads_and_blocks(
    boundary: str, threads: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engine.scanner, "LOOK", 8)
    monkeypatch.setattr(engine.scanner, "BLOCK", 64)
    monkeypatch.setattr(engine.counting, "LEAST_PART", 100)
    monkeypatch.setattr(engine.counting, "TELL_S", 0.0)
    rolls = random.Random(boundary)
    texts = [awkward_text(rolls, size) for size in (3, 2000, 50, 7, 900, 0 + 1)]
    (tmp_path / "text.txt").write_bytes(texts[1])
    documents = [Document("", t) for t in texts]
    documents[1] = Document("", FileText(tmp_path / "text.txt"))
    told: list[tuple[int, int]] = []
    found = count_pieces(documents, Policy(boundary=boundary), lambda *done: told.append(done), threads)
    assert isinstance(found, Packed)
    assert list(zip(found, found.counts, strict=True)) == counted(texts, boundary)
    assert found.weighted_bytes == sum(map(len, texts))
    if threads == 1:
        assert told[-1] == (sum(map(len, texts)), sum(map(len, texts)))
    assert [found.lookup[piece] for piece in found] == list(range(len(found)))
    with pytest.raises(KeyError):
        found.lookup[b"not there"]


def test_weights_and_dropped_text() -> None:
    documents = [Document("", b"a b  a", 3), Document("", b"b\xff", 2**40)]
    found = count_pieces(documents, Policy(boundary="spaces", unmatched="dropped"))
    assert isinstance(found, Packed)
    assert list(zip(found, found.counts, strict=True)) == [(b"a", 6), (b"b", 3), (b"b\xff", 2**40)]
    assert found.weighted_bytes == 9 + 2**41


def test_weights_past_63_bits_are_counted_exactly() -> None:
    documents = [Document("", b"ab", 2**62), Document("", b"ab", 2**62)]
    assert count_pieces(documents, Policy(boundary="gpt2")) == {b"ab": 2**63}


@pytest.mark.parametrize("threads", [1, 2])
def test_what_the_listener_raises_ends_the_counting(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.counting, "TELL_S", 0.0)

    def stop(done: int, total: int) -> None:
        raise TimeoutError

    documents = [Document("", b"some words and more " * 600_000)]
    with pytest.raises(TimeoutError):
        count_pieces(documents, Policy(boundary="gpt2"), stop, threads)


@pytest.mark.parametrize("boundary", ["gpt2", "spaces", "document"])
def test_special_tokens_are_found_across_windows(boundary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy(boundary=boundary, special_tokens=("<|x|>", "<|x|>>", "ab", "b"))
    rolls = random.Random(boundary)
    texts = ["".join(rolls.choices(["<|x|>", ">", "a", "b", " ", "<|", "x|>", "c"], k=40)).encode() for _ in range(200)]
    whole = [list(splitter(policy)(text)) for text in texts]
    monkeypatch.setattr("engine.pretokenize.SEARCHED", 3)
    assert [list(splitter(policy)(text)) for text in texts] == whole


def test_tokens_of_a_document_around_special_tokens() -> None:
    policy = Policy(boundary="gpt2", special_tokens=("<|x|>",))
    text = b"one two<|x|> three<|x|><|x|>four\n"
    trainer = Trainer(corpus(text), policy)
    trainer.seek(3)
    everything = trainer.document_tokens(0)
    assert b"".join(text[t.start : t.stop] for t in everything) == text
    assert [text[t.start : t.stop] for t in everything if t.token < 0] == [b"<|x|>", b"<|x|><|x|>"]
    for start in range(len(text)):
        for stop in range(start + 1, len(text) + 1):
            inside = [t for t in everything if t.token >= 0 and t.start < stop and t.stop > start]
            assert [t for t in trainer.document_tokens(0, start, stop) if t.token >= 0] == inside


@pytest.mark.parametrize("path", ["classes.hpp"])
def test_the_classes_are_those_of_the_installed_regex_package(path: str) -> None:
    script = ROOT / "engine" / "native" / "make_classes.py"
    subprocess.run([sys.executable, str(script), "--check"], check=True)
    assert (script.parent / path).is_file()


def test_an_unknown_boundary_has_no_scanner() -> None:
    assert scanner(Policy(boundary="pattern:a")) is None
    assert scanner(Policy()) is None


Cut = Callable[[bytes], list[tuple[int, bytes]]]


def test_a_long_piece_grows_the_window() -> None:
    data = b"x" * 3_000_000 + " 中".encode() * 3
    cut = Scanner("gpt2", False)
    assert [len(piece) for _, piece in cut(data)] == [3_000_000, 4, 4, 4]
    assert [at for at, _ in cut.between(data, 2_999_999, 3_000_001, (0, len(data)))] == [0, 3_000_000]


@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
@pytest.mark.parametrize("boundary", SCANNED)
def test_a_run_without_compiled_boundaries_is_the_same(
    boundary: str, alphabet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls = random.Random(boundary)
    texts = [awkward_text(rolls, 200) for _ in range(4)]
    policy = Policy(
        boundary=boundary, alphabet=alphabet, base_order="as-given" if alphabet == "characters" else "bytemap"
    )
    compiled = Trainer(corpus(*texts), policy)
    monkeypatch.setattr("engine.pretokenize.find_spec", lambda name: None)
    plain = Trainer(corpus(*texts), policy, kernel="python")
    for trainer in (compiled, plain):
        trainer.seek(40)
    assert isinstance(compiled.units.pieces, Packed)
    assert isinstance(plain.units.pieces, list)
    assert [list(s) for s in compiled.units.sequences] == [list(s) for s in plain.units.sequences]
    assert list(compiled.units.weights) == list(plain.units.weights)
    assert list(compiled.merges) == list(plain.merges)
    assert compiled.audit().exact
    for document, text in enumerate(texts):
        for _ in range(20):
            start, stop = sorted((rolls.randint(0, len(text)), rolls.randint(0, len(text))))
            assert compiled.document_tokens(document, start, stop) == plain.document_tokens(document, start, stop)


def test_many_documents_are_shared_by_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    rolls = random.Random("many")
    documents = [Document(str(n), awkward_text(rolls, 20), rolls.randint(1, 3)) for n in range(50)]
    whole = count_pieces(documents, Policy(boundary="gpt2"), threads=1)
    monkeypatch.setattr(engine.counting, "LEAST_PART", 1)
    monkeypatch.setattr(engine.counting, "MANY", 10)
    assert count_pieces(documents, Policy(boundary="gpt2"), threads=7) == whole

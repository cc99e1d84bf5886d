"""Calls of the compiled parts that are out of bounds: an exception, and what was called goes on."""

import sys
from array import array
from collections.abc import Callable

import pytest

pytest.importorskip("engine._pieces")
pytest.importorskip("engine._encoder")
pytest.importorskip("engine.kernel._arena")

from engine import _pieces
from engine._encoder import Encoder
from engine._pieces import Lookup, PieceCounts, pieces
from engine.corpus.document import Document, corpus_of
from engine.errors import LimitRefusal
from engine.kernel._arena import CompiledKernel
from engine.limits import Limits
from engine.packed import Packed, PackedSequences
from engine.policy import Policy
from engine.trainer import Trainer
from engine.units import Units

OUT_OF_BOUNDS = (IndexError, OverflowError, ValueError)
KERNEL_CALLS: dict[str, Callable[[CompiledKernel], object]] = {
    "back at 0": lambda k: [*map(CompiledKernel.back, [k] * 9)],
    "forward at the end": lambda k: [*map(CompiledKernel.forward, [k] * 9)],
    "travel below 0": lambda k: k.travel(-1),
    "travel past all": lambda k: k.travel(2**64),
    "unit": lambda k: k.unit_tokens(10**9),
    "unit after the last": lambda k: k.unit_tokens(1),
    "unit of 64 bits": lambda k: k.unit_tokens(2**64 - 1),
    "unit below 0": lambda k: k.unit_tokens(-1),
    "start below 0": lambda k: k.unit_tokens(0, -1),
    "top below 0": lambda k: k.top(-1),
    "offset below 0": lambda k: k.top(5, -1),
    "id below 0": lambda k: k.count((-1, 5)),
    "id of 33 bits": lambda k: k.count((2**32, 5)),
    "mergeable ids": lambda k: k.mergeable((2**31, 5), 9),
    "mergeable next id": lambda k: k.mergeable((258, 5), 9),
    "frequency": lambda k: k.frequency(-1),
    "pairs": lambda k: k.pairs(-1),
    "replacements": lambda k: k.replacements(-1),
    "evidence": lambda k: k.evidence[2],
    "evidence from the end": lambda k: k.evidence[-3],
    "evidence by rank": lambda k: k._evidence(2),  # type: ignore[attr-defined]
    "limit": lambda k: k.occurrences((97, 98), -1),
    "give after learning": lambda k: k.give([(97, 98)]),
}


def kernel(merges: int = 2) -> CompiledKernel:
    trainer = Trainer(corpus_of(b"", "t", "text", [Document("d", b"abababc abab")]), Policy(), kernel="compiled")
    trainer.seek(merges)
    assert isinstance(trainer.kernel, CompiledKernel)
    return trainer.kernel


@pytest.mark.parametrize("call", KERNEL_CALLS.values(), ids=KERNEL_CALLS)
def test_kernel(call: Callable[[CompiledKernel], object]) -> None:
    compiled = kernel()
    with pytest.raises(OUT_OF_BOUNDS):
        call(compiled)
    compiled.travel(2)
    assert compiled.unit_tokens(0) == [(0, 257), (4, 256), (6, 99), (7, 32), (8, 257)]  # abab ab c _ abab
    assert compiled.pairs() == [(97, 98), (256, 256)]


def test_kernel_answers_nothing_for_what_is_not_there() -> None:
    compiled = kernel()
    assert compiled.count((2**32 - 1, 2**32 - 1)) == 0
    assert compiled.frequency(2**32 - 1) == 0
    assert compiled.occurrences((2**32 - 1, 1), 5) == []
    assert compiled.top(5, 2**64 - 1) == []
    assert compiled.unit_tokens(0, 5, 2) == []
    assert compiled.unit_tokens(0, 10**12) == []
    assert compiled.pairs(99) == []
    assert compiled.replacements(99) == []
    assert compiled.tied(-1) == 0


@pytest.mark.parametrize("pairs", [[(97, 256)], [(97, 98), (257, 97)], [(2**32 - 1, 97)]])
def test_given_merge_of_no_token(pairs: list[tuple[int, int]]) -> None:
    compiled = kernel(0)
    with pytest.raises(ValueError, match="none before it makes"):
        compiled.give(pairs)
    compiled.travel(1)
    assert compiled.pairs() == [(97, 98)]


@pytest.mark.parametrize(
    ("ends", "counts", "ids"),
    [
        ([4, 2], [1, 1], bytes(256)),
        ([2, 2**63], [1, 1], bytes(256)),
        ([2, 4], [1], bytes(256)),
        ([2, 4], [1, 0], bytes(256)),
        ([2, 4], [1, 1], bytes(4)),
        ([2, 4], [1, 1], bytes(range(256))),  # the base tokens are a and b alone
    ],
)
def test_units_that_were_put_together_by_hand(ends: list[int], counts: list[int], ids: bytes) -> None:
    policy = Policy(base_bytes="seen")
    units = Trainer(corpus_of(b"", "t", "text", [Document("d", b"abab")]), policy).units
    packed = Packed(b"abab", array("Q", ends), array("Q", counts), 4)
    with pytest.raises(ValueError):  # noqa: PT011 - the kernel's or, for the table, Python's
        CompiledKernel(Units(units.alphabet, PackedSequences(packed, ids), counts, (), packed), policy, Limits())


@pytest.mark.parametrize("stop", [-5, 4, 10**6, 2**62])
def test_stop_outside_a_text(stop: int) -> None:
    counts = PieceCounts("gpt2", False)
    with pytest.raises(ValueError, match="outside the text"):
        counts.add(b"abc", stop, 1)
    with pytest.raises(ValueError, match="outside the text"):
        pieces(b"abc", "gpt2", False, stop, 0)
    counts.add(b"abc", 3, 1)
    assert list(Packed(*counts.packed())) == [b"abc"]


def test_counts_refuse_no_weight_and_themselves() -> None:
    counts = PieceCounts("gpt2", False)
    with pytest.raises(ValueError, match="weight=0"):
        counts.add(b"a b a", 5, 0)
    with pytest.raises(ValueError, match="themselves"):
        counts.merge(counts)
    assert len(counts) == 0


def test_pieces_have_numbers_of_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, other = PieceCounts("spaces", True), PieceCounts("spaces", True)
    monkeypatch.setattr(_pieces, "MOST", 5)
    counts.add(b"a b", 3, 1)
    other.add(b"c d e", 5, 1)
    with pytest.raises(LimitRefusal, match="distinct pieces"):
        counts.add(b"fghi", 4, 1)
    other.merge(counts)
    with pytest.raises(LimitRefusal, match="distinct pieces"):
        counts.merge(other)
    with pytest.raises(LimitRefusal, match="distinct pieces"):
        Lookup(b"abcdef", array("Q", range(1, 7)))
    assert list(Packed(*other.packed())) == [b"c", b"d", b"e", b"a", b"b"]


@pytest.mark.parametrize("ends", [[10**9, 5], [4], [3, 1], [2**64 - 1]])
def test_lookup_of_ends_outside_its_bytes(ends: list[int]) -> None:
    with pytest.raises(ValueError, match="within their bytes"):
        Lookup(b"abc", array("Q", ends))


def test_encoder() -> None:
    encoder = Encoder(256, bytes(range(256)), 0)
    encoder.add(97, 97)
    for pair in ((257, 97), (97, 2**32 - 1), (97, 97)):
        with pytest.raises(ValueError, match="merge"):
            encoder.add(*pair)
    for wrong in (-1, 2**32):
        with pytest.raises(OverflowError):
            encoder.add(wrong, 97)
    for offset in (-1, 2**64 - 1):
        with pytest.raises(OverflowError):
            Encoder(256, bytes(range(256)), offset)
    with pytest.raises(OverflowError):
        encoder.encode(b"aaa", "document", False, -1)
    with pytest.raises(ValueError, match="base token"):
        encoder.merge([256], 1)
    with pytest.raises(ValueError, match="scanner"):
        Encoder(0, None, 0).encode(b"a", "document", False, 1)
    assert encoder.encode(b"aaa", "document", False, sys.maxsize) == [256, 97]
    assert encoder.encode_batch([b"aaa"], "gpt2", False, 1, 0) == [[256, 97]]

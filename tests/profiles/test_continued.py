"""Growing a list that is there already: equal to one run over the same text, ids kept; the peer is bpe-continue."""

import json
from pathlib import Path

import pytest

from engine.alphabet import Token
from engine.given import Given
from engine.profiles import PROFILES

from .lists import MERGES, pairs_of, trainer_of
from .test_huggingface import assert_equal, byte_level, learn, letters, merges_of, vocabulary_of

POLICY = PROFILES["huggingface"].policy


def half_of(file: Path) -> Given:
    """Half of a Hugging Face list, as merges to start from."""
    model = learn(byte_level(), file, 256 + MERGES // 2, **letters())
    tokens = vocabulary_of(model)
    ids = {token: i for i, token in enumerate(tokens)}
    pairs = tuple((ids[left], ids[right]) for left, right in merges_of(model))
    assert len(pairs) == MERGES // 2
    return Given(tuple(map(Token, tokens[:256])), pairs)


def test_the_second_half_is_that_of_one_run(text: str, file: Path) -> None:
    grown = trainer_of(text, POLICY, given=half_of(file))
    assert_equal(grown, learn(byte_level(), file, **letters()))
    assert grown.merges[:] == trainer_of(text, POLICY).merges[:]


def test_bpe_continue_grows_the_same_list(text: str, file: Path) -> None:
    peer = pytest.importorskip("bpe_continue")
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = byte_level()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=256 + MERGES // 2, show_progress=False, **letters())
    tokenizer.train([str(file)], trainer)
    longer = peer.continue_training(tokenizer, files=[str(file)], vocab_size=256 + MERGES, show_progress=False)
    assert_equal(trainer_of(text, POLICY, given=half_of(file)), json.loads(longer.to_str())["model"])


def test_on_another_text_the_given_merges_come_first(text: str, file: Path, tmp_path: Path) -> None:
    peer = pytest.importorskip("bpe_continue")
    tokenizers = pytest.importorskip("tokenizers")
    given = half_of(file)
    other = " ".join(reversed(text.split(" "))).upper()
    (tmp_path / "other").write_bytes(other.encode())
    grown = trainer_of(other, POLICY, 700, given=given)
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = byte_level()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=256 + len(given.pairs), show_progress=False, **letters())
    tokenizer.train([str(file)], trainer)
    longer = peer.continue_training(tokenizer, files=[str(tmp_path / "other")], vocab_size=956, show_progress=False)
    model = json.loads(longer.to_str())["model"]
    assert_equal(grown, model)
    assert pairs_of(grown)[:500] != pairs_of(trainer_of(other, POLICY, 500))

"""rustbpe, bpeasy, ffbpe and tiktoken's educational trainer: their tokens in the order of their ids."""

from collections.abc import Iterable

import pytest

from engine.pretokenize import CL100K, GPT2
from engine.profiles import PROFILES

from .lists import MERGES, learned, trainer_of


def in_order(vocabulary: Iterable[tuple[bytes, int]]) -> list[bytes]:
    """The tokens by id."""
    return [bytes(token) for token, _ in sorted(vocabulary, key=lambda entry: entry[1])]


def test_rustbpe(text: str) -> None:
    tokenizer = pytest.importorskip("rustbpe").Tokenizer()
    tokenizer.train_from_iterator(iter([text]), 256 + MERGES)
    ours = trainer_of(text, PROFILES["rustbpe"].policy)
    ranks = tokenizer.get_mergeable_ranks()
    assert [token.data for token in ours.vocabulary] == in_order((bytes(token), rank) for token, rank in ranks)
    assert len(ranks) == 256 + MERGES


@pytest.mark.parametrize("longest", [None, 8])
def test_bpeasy(text: str, longest: int | None) -> None:
    bpeasy = pytest.importorskip("bpeasy")
    found = bpeasy.train_bpe(iter([text]), CL100K, longest or 10**6, 256 + MERGES)
    ours = trainer_of(text, PROFILES["bpeasy"].policy.changed(max_token_length=longest))
    assert [token.data for token in ours.vocabulary] == in_order(found.items())
    assert ours.learned == MERGES
    assert longest is None or max(map(len, learned(ours))) == longest - 1


@pytest.mark.parametrize(
    ("name", "tie"), [("ffbpe", None), ("ffbpe", "smallest_pair_id"), ("ffbpe-largest", "largest_content")]
)
@pytest.mark.parametrize(("letters", "order"), [(None, "byte-value"), ("raw", "byte-value"), ("byte_level", "bytemap")])
def test_ffbpe(text: str, name: str, tie: str | None, letters: str | None, order: str) -> None:
    ffbpe = pytest.importorskip("ffbpe")
    words = ffbpe.PreTokenizer([]).word_counter()
    words.add_source(iter([text]), prefetch=0)
    trainer = ffbpe.BpeTrainer([], initial_alphabet=letters, tie_break=tie)
    trainer.add_word_counter(words)
    trainer.train(256 + MERGES)
    ours = trainer_of(text, PROFILES[name].policy.changed(base_order=order))
    assert [token.data for token in ours.vocabulary] == in_order(trainer.vocab.items())
    assert ours.learned == MERGES


def test_tiktoken_educational(text: str) -> None:
    educational = pytest.importorskip("tiktoken._educational")
    part = text.encode()[:10_000].decode(errors="ignore")
    ranks = educational.bpe_train(part, 256 + 300, GPT2, visualise=None)
    ours = trainer_of(part, PROFILES["tiktoken-educational"].policy, 300)
    assert [token.data for token in ours.vocabulary] == in_order(ranks.items())
    assert ours.learned == 300

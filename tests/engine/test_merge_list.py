"""Merge lists: the policy of a run over one, and its ids."""

import pytest
from runs import corpus

from engine.alphabet import Token
from engine.merge_list import MergeList, merge_list_of
from engine.policy import Policy
from engine.trainer import Trainer


@pytest.mark.parametrize("layout", ["raw", "framed"])
@pytest.mark.parametrize("specials", [(), ("<a>", "<b>")])
def test_a_run_over_a_runs_own_list_has_its_ids(layout: str, specials: tuple[str, ...]) -> None:
    texts = corpus(b"abab<a>ab", b"bab")
    trainer = Trainer(texts, Policy(id_layout=layout, special_tokens=specials, budget=3))
    trainer.seek(3)
    merges = merge_list_of(trainer)
    again = Trainer(texts, merges.run_policy, given=merges.given)
    again.seek(3)
    assert again.layout.offset == trainer.layout.offset == (2 if layout == "framed" else 0) + len(specials)
    assert again.policy.special_tokens == specials
    assert [m.evidence for m in again.merges] == [m.evidence for m in trainer.merges]


def test_bytes_that_a_list_lacks_come_behind_only_where_the_corpus_has_them() -> None:
    seen = merge_list_of(Trainer(corpus(b"ba"), Policy(base_bytes="seen")))
    foreign = MergeList("x", "huggingface", Policy(), seen.alphabet, ((1, 0),), range(3))
    assert Trainer(corpus(b"ab"), foreign.run_policy, given=foreign.given).vocabulary == [*seen.alphabet]
    behind = Trainer(corpus(b"abc"), foreign.run_policy, given=foreign.given)
    behind.seek(1)
    assert [token.data for token in behind.vocabulary] == [b"a", b"b", b"c", b"ba"]


def test_bytes_that_end_words_stay_the_ones_seen() -> None:
    """All 256 bytes, but only one that ends words: with all of those the ids of merges would move."""
    policy = Policy(boundary="whitespace", unmatched="dropped", end_of_word="fused")
    alphabet = (*(Token(bytes([byte])) for byte in range(256)), Token(b"b", ends_word=True))
    merges = MergeList("x", "huggingface", policy, alphabet, ((97, 256),), range(258))
    assert merges.run_policy.base_bytes == "seen"
    again = Trainer(corpus(b"ab ab"), merges.run_policy, given=merges.given)
    again.seek(1)
    assert again.tokenizer().encode(b"ab") == [257]
    marked = (*alphabet[:256], *(Token(bytes([byte]), ends_word=True) for byte in range(256)))
    assert MergeList("x", "huggingface", policy, marked, (), range(512)).run_policy.base_bytes == "all"


def test_special_tokens_behind_all_others_leave_the_ids_from_0() -> None:
    merges = merge_list_of(Trainer(corpus(b"ab"), Policy()))
    behind = MergeList("x", "gpt2", merges.policy, merges.alphabet, (), range(256), (("<end>", 256),))
    assert (behind.run_policy.special_tokens, behind.run_policy.id_layout, behind.run_policy.budget) == ((), "raw", 0)

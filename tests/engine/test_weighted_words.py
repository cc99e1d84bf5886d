"""The word-table specification, as functions and as a profile."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import KERNELS, corpus

from engine.profiles import PROFILES
from engine.trainer import Trainer
from engine.word_table import Word, count_pairs, merge_words, train

tables = st.dictionaries(
    st.lists(st.integers(97, 99), min_size=1, max_size=8).map(tuple), st.integers(1, 9), max_size=5
)


def test_counts_are_weighted_by_frequency() -> None:
    assert count_pairs({(97, 98, 97): 3, (97, 98): 2, (99,): 7}) == {(97, 98): 5, (98, 97): 3}
    assert count_pairs({(97, 97, 97): 2}) == {(97, 97): 4}


def test_words_that_become_equal_add_their_frequencies() -> None:
    assert merge_words({(256,): 4, (97, 98): 3, (97,): 1}, (97, 98), 256) == {(256,): 7, (97,): 1}


def test_matches_are_replaced_left_to_right_without_overlap() -> None:
    assert merge_words({(97, 97, 97): 1}, (97, 97), 256) == {(256, 97): 1}


def test_training_by_hand() -> None:
    """(101, 102) occurs once, so it is never learned."""
    words: dict[Word, int] = {(97, 98, 99): 3, (97, 98, 100): 2, (101, 102): 1}
    result = train(words, 9)
    assert result.merges == [((97, 98), 5), ((256, 99), 3), ((256, 100), 2)]
    assert result.words == {(257,): 3, (258,): 2, (101, 102): 1}
    assert train(words, 1).words == {(256, 99): 3, (256, 100): 2, (101, 102): 1}
    assert train(words, 0) == ([], words)


def test_ties_take_the_smallest_pair_and_count_one_is_not_learned() -> None:
    assert train({(99, 100): 2, (97, 98): 2}, 1).merges == [((97, 98), 2)]
    assert train({(97, 98): 1, (98, 99): 1}, 9).merges == []
    assert train({}, 9) == ([], {})


@given(tables)
def test_the_callers_table_stays_as_it_was(words: dict[Word, int]) -> None:
    before = copy.deepcopy(words)
    result = train(words, 9)
    merge_words(words, (97, 98), 256)
    assert words == before
    assert result.words is not words
    assert sum(result.words.values()) == sum(words.values())


@settings(deadline=None)
@given(tables, st.sampled_from(KERNELS))
def test_the_profile_makes_the_same_merges(words: dict[Word, int], kernel: str) -> None:
    texts = corpus(*map(bytes, words), weights=list(words.values()))
    trainer = Trainer(texts, PROFILES["weighted-words"].policy, kernel=kernel)
    trainer.seek(9)
    assert [(m.evidence.pair, m.evidence.candidate_count) for m in trainer.merges] == train(words, 9).merges


def test_the_profile_stops_below_two() -> None:
    trainer = Trainer(corpus(b"ab ac ab"), PROFILES["weighted-words"].policy)
    trainer.seek(9)
    assert trainer.learned == 1
    assert trainer.stop_reason == "no pair left that occurs 2 times"


@pytest.mark.parametrize("text", [b"ab ab ac", b"ab\tac\nab", "ab\u00a0ab ac".encode()])
def test_running_text_is_cut_at_white_space(text: bytes) -> None:
    trainer = Trainer(corpus(text), PROFILES["weighted-words"].policy)
    assert dict(zip(map(bytes, trainer.units.sequences), trainer.units.weights, strict=True)) == {b"ab": 2, b"ac": 1}

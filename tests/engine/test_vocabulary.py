"""Vocabulary entries: parents, depth and children by hand and against their definition."""

import pytest
from hypothesis import given, settings
from runs import corpus, trained, weighted_corpora

from engine.corpus.document import Corpus
from engine.policy import Policy
from engine.profiles import PROFILES
from engine.trainer import Trainer
from engine.utf8 import Utf8Class
from engine.vocabulary import Entry, Vocabulary


def test_entries_by_hand() -> None:
    trainer = trained(b"abab", b"abac", merges=3, policy=Policy(id_layout="framed"))
    vocabulary = Vocabulary(trainer)
    assert len(vocabulary) == 259
    assert vocabulary[97] == Entry(97, 99, b"a", False, None, None, 0)
    assert vocabulary[256] == Entry(256, 258, b"ab", False, (97, 98), 0, 1)
    assert vocabulary[258] == Entry(258, 260, b"abab", False, (256, 256), 2, 2)
    assert (vocabulary[258].hex, vocabulary[258].utf8) == ("61 62 61 62", Utf8Class.TEXT)
    assert vocabulary[0xD0].utf8 is Utf8Class.HEAD
    assert [vocabulary.children(i) for i in (97, 98, 256, 258)] == [(256, 257), (256,), (258,), ()]


def test_it_follows_the_run_and_keeps_what_lies_ahead() -> None:
    trainer = Trainer(corpus(b"abab", b"abac"), Policy())
    vocabulary = Vocabulary(trainer)
    with pytest.raises(IndexError):
        vocabulary[256]
    assert vocabulary.children(97) == ()
    trainer.seek(3)
    trainer.seek(0)
    assert vocabulary[258].depth == 2
    assert vocabulary.children(97) == (256, 257)
    with pytest.raises(IndexError):
        vocabulary[-1]


def test_the_mark_has_no_bytes() -> None:
    trainer = Trainer(corpus(b"ab"), PROFILES["sennrich"].policy)
    vocabulary = Vocabulary(trainer)
    mark = next(vocabulary[i] for i in range(len(vocabulary)) if vocabulary[i].ends_word)
    assert (mark.data, mark.utf8, mark.depth) == (b"", Utf8Class.TEXT, 0)


@settings(max_examples=50, deadline=None)
@given(weighted_corpora())
def test_depth_parents_and_children_by_definition(texts: Corpus) -> None:
    trainer = Trainer(texts, Policy())
    vocabulary = Vocabulary(trainer)

    def depth(token: int) -> int:
        parents = vocabulary[token].parents
        return 0 if parents is None else 1 + max(map(depth, parents))

    for _ in range(20):
        trainer.step()
        token = len(vocabulary) - 1
        assert vocabulary[token].depth == depth(token)
    for token in range(len(vocabulary)):
        entry = vocabulary[token]
        made = [m.token for m in trainer.merges if token in m.evidence.pair]
        assert list(vocabulary.children(token)) == made
        if entry.parents is not None:
            assert b"".join(vocabulary[p].data for p in entry.parents) == entry.data

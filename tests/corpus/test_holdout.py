"""Holding documents out by a hash of their id."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.corpus.document import Corpus, Document, Split
from engine.corpus.holdout import hold_out
from engine.corpus.words import read_words
from engine.errors import CorpusRefusal


def corpus_of_ids(ids: list[str]) -> Corpus:
    return Corpus("x", "lines", tuple(Document(i, i.encode()) for i in ids), "", 0)


def held_ids(corpus: Corpus) -> set[str]:
    return {d.id for d in corpus.held_out}


THOUSAND = [f"line {n}" for n in range(1000)]


def test_a_document_falls_by_its_hash_alone() -> None:
    # printf 'line 7' | sha256sum begins with 5d705f9b94666f3d
    below, above = 0x5D705F / 2**24, 0x5D7060 / 2**24
    assert "line 7" not in held_ids(hold_out(corpus_of_ids(THOUSAND), below))
    assert "line 7" in held_ids(hold_out(corpus_of_ids(THOUSAND), above))


@given(st.sets(st.sampled_from(THOUSAND), min_size=5), st.sampled_from([0.1, 0.5]))
def test_other_documents_move_nobody(ids: set[str], fraction: float) -> None:
    everybody = held_ids(hold_out(corpus_of_ids(THOUSAND), fraction))
    assume(not ids <= everybody)
    assert held_ids(hold_out(corpus_of_ids(sorted(ids)), fraction)) == everybody & ids


def test_the_share_is_about_the_fraction_and_grows_with_it() -> None:
    tenth, fifth = (held_ids(hold_out(corpus_of_ids(THOUSAND), f)) for f in (0.1, 0.2))
    assert abs(len(tenth) - 100) < 4 * math.sqrt(1000 * 0.1 * 0.9)
    assert tenth < fifth


def test_order_data_and_the_rest_stay() -> None:
    corpus = replace(corpus_of_ids(THOUSAND), notes=("before",))
    result = hold_out(corpus, 0.1)
    assert [replace(d, split=Split.TRAIN) for d in result.documents] == list(corpus.documents)
    assert {d.split for d in result.held_out} == {Split.HELD_OUT}
    held = len(result.held_out)
    assert result.notes == ("before", f"held out {held} of 1000 documents by a hash of their id (asked for 0.1)")


def test_words_too() -> None:
    corpus = hold_out(read_words(b"".join(b"w%d\t3\n" % n for n in range(100)), "w.tsv"), 0.3)
    assert 0 < len(corpus.held_out) < 100
    assert {d.weight for d in corpus.documents} == {3}


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 1.5, math.nan, math.inf])
def test_the_fraction_lies_between_0_and_1(fraction: float) -> None:
    with pytest.raises(CorpusRefusal, match="give a number between 0 and 1"):
        hold_out(corpus_of_ids(THOUSAND), fraction)


def test_something_must_be_left() -> None:
    with pytest.raises(CorpusRefusal, match="leaves nothing to train on"):
        hold_out(corpus_of_ids(["a", "b"]), 1 - 2**-53)


def test_a_split_corpus_is_not_split_again() -> None:
    corpus = corpus_of_ids(THOUSAND)
    documents = (replace(corpus.documents[0], split=Split.TEST), *corpus.documents[1:])
    with pytest.raises(CorpusRefusal, match=r"already holds out 1 documents; .* --split none"):
        hold_out(replace(corpus, documents=documents), 0.1)


def test_torn_provenance_groups_are_said() -> None:
    documents = tuple(Document(i, b"x", metadata={"provenance_group": "one"}) for i in THOUSAND)
    result = hold_out(Corpus("x", "course-json", documents, "", 0), 0.1)
    assert result.notes[-1] == "1 provenance groups stand on both sides; a split manifest keeps them together"

"""Documents in columns are the documents that were added."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.collecting import collected
from engine.corpus.columns import Cuts, joined
from engine.corpus.document import Corpus, Document, Documents, Split, columns_of
from engine.corpus.reading import Reading

names = st.sampled_from(["line 1", "line 2", "line 3", "", "é", "\udcff"]) | st.text()
documents = st.lists(
    st.builds(
        Document,
        names,
        st.binary(max_size=5),
        st.sampled_from([1, 1, 1, 2, 2**63 - 1]),
        st.sampled_from([Split.TRAIN, *Split]),
        st.dictionaries(names, names, max_size=2),
    )
)


def named(index: int) -> str:
    return f"line {index + 1}"


@given(documents)
def test_what_is_added_comes_back(wanted: list[Document]) -> None:
    for found in (collected(wanted, Reading(), 0, named), columns_of(wanted)):
        assert list(found) == wanted
        assert [found[i] for i in range(-len(wanted), len(wanted))] == [*wanted, *wanted]
        assert found[1:3] == tuple(wanted[1:3])
        assert found == tuple(wanted)
        assert found != (*wanted, Document("one more", b""))


@given(documents)
def test_the_training_part_and_the_rest(wanted: list[Document]) -> None:
    corpus = Corpus("x", "json", collected(wanted, Reading(), 0, named), "", 0)
    assert list(corpus.training) == [d for d in wanted if d.split is Split.TRAIN]
    assert list(corpus.held_out) == [d for d in wanted if d.split is not Split.TRAIN]


@given(documents, st.sampled_from(["texts", "splits"]))
def test_one_column_is_changed_alone(wanted: list[Document], column: str) -> None:
    found = collected(wanted, Reading(), 0, named)
    if column == "texts":
        texts = [d.data[:] + b"!" for d in wanted]
        changed = [dataclasses.replace(d, data=t) for d, t in zip(wanted, texts, strict=True)]
        assert list(found.reading_as(texts)) == changed
    else:
        splits = [Split.TEST] * len(wanted)
        assert list(found.split_as(splits)) == [dataclasses.replace(d, split=Split.TEST) for d in wanted]


def test_what_is_usual_takes_no_room() -> None:
    usual = collected((Document(named(i), b"ab") for i in range(1000)), Reading(), 0, named)
    assert isinstance(usual.texts, Cuts)
    assert usual.texts.data == b"ab" * 1000
    assert usual.training(True) is usual
    assert len(usual.training(False)) == 0


@given(st.lists(st.binary(max_size=3)))
def test_joined_texts(texts: list[bytes]) -> None:
    found = joined(texts)
    assert found.data == b"".join(texts)
    assert list(found) == [text for text in texts if text]
    assert joined(found) is found


def test_outside_there_is_none() -> None:
    found = Documents([b"a"], ["x"])
    for index in (1, -2):
        with pytest.raises(IndexError):
            found[index]

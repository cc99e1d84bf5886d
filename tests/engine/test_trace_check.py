"""Checking traces: the published ones pass, and every change to them is refused with its line."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import corpus, framed, weighted_corpora

from engine.corpus.document import Corpus, Document, corpus_of
from engine.errors import ArtifactRefusal, LimitRefusal
from engine.limits import Limits
from engine.policy import Policy
from engine.trace import write_apply_trace, write_trace
from engine.trace_check import check_apply_trace, check_merge_trace
from engine.trainer import Trainer


def text(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode()


def published(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").split("\n")
    first, last = (next(i for i, line in enumerate(lines) if line.endswith(end)) for end in (" BEGIN", " END"))
    return lines[first : last + 1]


def merge_trace() -> list[str]:
    documents = [Document("train-aaa", b"aaa"), Document("train-aba", b"aba")]
    trainer = Trainer(corpus_of(b"", "test", "text", documents), Policy())
    trainer.seek(2)
    return list(write_trace(trainer))


def apply_trace() -> list[str]:
    return list(write_apply_trace(framed((97, 98), (256, 99)), [("one", b"abcab"), ("two", b"")]))


def test_the_published_traces_pass(learn_llm: Path) -> None:
    assert check_merge_trace(text(published(learn_llm / "course1" / "ch03-expected.txt"))) == 2
    assert check_apply_trace(text(published(learn_llm / "course1" / "ch04-expected.txt"))) == 2


@settings(deadline=None, max_examples=30)
@given(weighted_corpora(), st.integers(0, 9))
def test_what_is_written_passes(texts: Corpus, rank: int) -> None:
    trainer = Trainer(corpus(*(d.data[:] for d in texts.documents)), Policy())
    trainer.seek(rank)
    assert check_merge_trace(text(list(write_trace(trainer)))) == trainer.rank


@pytest.mark.parametrize("check", ["merges", "apply"])
@given(st.data())
def test_no_line_can_be_left_out_doubled_or_moved(check: str, data: st.DataObject) -> None:
    lines = merge_trace() if check == "merges" else apply_trace()
    at = data.draw(st.integers(0, len(lines) - 1))
    to = data.draw(st.integers(0, len(lines) - 1).filter(lambda i: i != at))
    moved = [*lines[:at], *lines[at + 1 :]]
    moved.insert(to, lines[at])
    for bad in (lines[:at] + lines[at + 1 :], [*lines[: at + 1], *lines[at:]], moved):
        with pytest.raises(ArtifactRefusal, match=r"invalid trace|is there twice"):
            (check_merge_trace if check == "merges" else check_apply_trace)(text(bad))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TRACE bpe-merges-v1 BEGIN", "TRACE bpe-merges-v2 BEGIN", "line 1 has 'bpe-merges-v2 BEGIN' at column 7"),
        ("STAGE index=1", "STAGE index=2", "line 9 has 'index=2' at column 7, expected 'index=1'"),
        ("DOCUMENT stage=1 id=train-aaa", "DOCUMENT stage=1 id=train-bbb", "has 'id=train-bbb tokens=256,97'"),
        ("left=97 right=97 count=2 winner=yes", "left=97 right=97 count=1 winner=yes", "'count=1 winner=yes'"),
        ("left=97 right=98 count=1 winner=no", "left=97 right=98 count=1 winner=yes", "expected 'winner=no'"),
        ("count=2 replacements=1", "count=2 replacements=3", "'replacements=3"),
        ("token=256 bytes_hex=61,61", "token=257 bytes_hex=61,61", "'token=257"),
        ("bytes_hex=61,61", "bytes_hex=61,62", "'bytes_hex=61,62'"),
        ("stage=2 id=train-aba tokens=257,97", "stage=2 id=train-aba tokens=258,97", "'tokens=258,97'"),
        (
            "stage=0 id=train-aaa tokens=97,97,97",
            "stage=0 id=train-aaa tokens=97,97,297",
            "token 297, which is no byte",
        ),
        ("stage=0 id=train-aba", "stage=0 id=train-aaa", "'train-aaa' is there twice"),
    ],
)
def test_each_kind_of_wrong_merge_line_is_named(old: str, new: str, message: str) -> None:
    trace = text(merge_trace()).decode()
    assert old in trace
    with pytest.raises(ArtifactRefusal, match=message):
        check_merge_trace(trace.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LAYOUT version=1", "LAYOUT version=2", "line 2 has 'version=2"),
        ("content_pair=99,100", "content_pair=97,98", "'content_pair=97,98"),
        ("training_pair=256,99", "training_pair=257,99", "merge rank 1 uses unknown token 259"),
        ("training_pair=256,99", "training_pair=97,98", "repeats the pair"),
        ("APPLIED case=one ranks=0,1", "APPLIED case=one ranks=1,0", "'ranks=1,0'"),
        ("APPLIED case=one ranks=0,1", "APPLIED case=one ranks=1", "'ranks=1'"),
        ("CONTENT case=one tokens=259,258", "CONTENT case=one tokens=259,0", "'tokens=259,0'"),
        ("DOCUMENT case=one tokens=0,259,258,1", "DOCUMENT case=one tokens=0,259,258", "'tokens=0,259,258'"),
        ("PIECE case=one index=0", "PIECE case=one index=1", "'index=1"),
        ("DECODED case=one bytes_hex=61", "DECODED case=one bytes_hex=62", "'bytes_hex=62"),
    ],
)
def test_each_kind_of_wrong_encoding_line_is_named(old: str, new: str, message: str) -> None:
    trace = text(apply_trace()).decode()
    assert old in trace
    with pytest.raises(ArtifactRefusal, match=message):
        check_apply_trace(trace.replace(old, new, 1).encode())


@pytest.mark.parametrize("lines", [[], [""], ["TRACE bpe-merges-v1 END", "TRACE bpe-merges-v1 BEGIN"]])
def test_nothing_is_no_trace(lines: list[str]) -> None:
    for check in (check_merge_trace, check_apply_trace):
        with pytest.raises(ArtifactRefusal, match="invalid trace"):
            check(text(lines))


def test_checking_is_limited() -> None:
    with pytest.raises(LimitRefusal, match="nodes=5"):
        check_merge_trace(text(merge_trace()), Limits(nodes=5))
    with pytest.raises(LimitRefusal, match="token_bytes=1"):
        check_apply_trace(text(apply_trace()), Limits(token_bytes=1))

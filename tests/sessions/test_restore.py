"""A restored session stands where it stood, and any difference to its corpus is found."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from session_samples import TWO, session_of, trainer_of

from engine.alphabet import Token
from engine.corpus.open import CorpusOptions, open_corpus
from engine.corpus.strict_json import StrictJson
from engine.errors import ArtifactRefusal, CorpusRefusal, IdentityRefusal
from engine.given import NOTHING_GIVEN, Given
from engine.kernel import Evidence
from engine.limits import UNBOUNDED, Limits
from engine.policy import Policy
from engine.profiles import PROFILES
from engine.trainer import Trainer
from sessions import codec
from sessions.codec import pack, unpack
from sessions.restore import capture, corpus_of, restore, restoring
from sessions.snapshot import Session


@pytest.mark.parametrize("rank", range(5))
def test_every_rank_comes_back(rank: int) -> None:
    trainer = trainer_of()
    trainer.seek(rank)
    restored = restore(unpack(pack(capture(trainer, "-", CorpusOptions()))))
    assert (restored.rank, restored.learned, restored.exhausted) == (rank, 4, trainer.exhausted)
    assert restored.audit().exact
    assert [restored.document_tokens(d) for d in (0, 1)] == [trainer.document_tokens(d) for d in (0, 1)]


def test_a_run_from_a_list_comes_back_with_the_list_and_goes_on() -> None:
    merges = Given((Token(b"b"), Token(b"a"), Token(b"z")), ((1, 1), (0, 1), (2, 2)), "list.json")
    policy = Policy(alphabet="characters", base_order="as-given")
    trainer = Trainer(open_corpus(TWO), policy, given=merges)
    trainer.seek(2)
    session = unpack(pack(capture(trainer, "-", CorpusOptions())))
    assert session.given == trainer.given
    restored = restore(session)
    assert (restored.given.name, restored.rank, restored.learned) == ("list.json", 2, 2)
    for run in (trainer, restored):
        run.seek(99)
    assert list(restored.merges) == list(trainer.merges)
    assert restored.merge_list()[2] == (2, 2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": "x", "alphabet": [[b"a", False]], "pairs": b"1234567"}, "the given merges end inside a pair"),
        ({"name": "x", "alphabet": [[b"a", False]], "pairs": b""}, "the given merges are none"),
        ({"name": "x", "alphabet": [[b"a"]], "pairs": b""}, "base token 1 of the given merges has 1 fields, not 2"),
        ({"name": 1, "alphabet": [], "pairs": b""}, "member 'name' of the given merges"),
    ],
)
def test_given_merges_that_are_none_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ArtifactRefusal, match=message):
        codec._given(StrictJson("session", ArtifactRefusal), given)


def test_the_sequences_of_the_issue_come_back() -> None:
    """`aaa | aba` after two merges reads [256,97] and [257,97]."""
    trainer = trainer_of(merges=2)
    restored = restore(capture(trainer, "-", CorpusOptions()))
    assert [[t.token for t in restored.document_tokens(d)] for d in (0, 1)] == [[256, 97], [257, 97]]


@given(
    st.lists(st.text("ab ", min_size=1, max_size=12), min_size=1, max_size=4),
    st.sampled_from(sorted(PROFILES)),
    st.integers(0, 12),
    st.integers(0, 12),
)
@settings(deadline=None, max_examples=60)
def test_restored_counts_are_the_counts(texts: list[str], name: str, merges: int, rank: int) -> None:
    source = repr(texts).replace("'", '"').encode()
    trainer = trainer_of(source, PROFILES[name].policy, merges)
    trainer.seek(min(rank, trainer.learned))
    restored = restore(unpack(pack(capture(trainer, "-", CorpusOptions()))))
    assert list(restored.kernel.evidence) == list(trainer.kernel.evidence)
    assert restored.rank == trainer.rank
    assert restored.kernel.top(1000) == trainer.kernel.top(1000)
    assert (restored.finished, restored.stop_reason) == (trainer.finished, trainer.stop_reason)
    assert restored.step() == trainer.step()


def test_a_restored_run_learns_on_as_if_never_stopped() -> None:
    trainer = trainer_of(b'["low lower lowest slow"]', merges=3)
    restored = restore(capture(trainer, "-", CorpusOptions()))
    assert restored.learn(9) == trainer.learn(9)
    assert list(restored.kernel.evidence) == list(trainer.kernel.evidence)


def test_an_exact_run_without_pairs_comes_back() -> None:
    trainer = Trainer(open_corpus(b'["ab"]'), Policy(budget=1, exact=True))
    trainer.learn(1)
    assert restore(capture(trainer, "-", CorpusOptions())).learned == 1


def test_a_corpus_on_disk_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_bytes(TWO)
    session = capture(trainer_of(path), str(path), CorpusOptions(), embed=False)
    assert session.corpus is None
    assert restore(session).learned == 4


def test_a_corpus_that_moved_with_its_session_is_found(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_bytes(TWO)
    session = capture(trainer_of(path), "elsewhere/two.json", CorpusOptions(), embed=False)
    assert restore(session, folder=tmp_path).learned == 4
    with pytest.raises(CorpusRefusal, match=r"'elsewhere/two\.json' is not there: give its new place with --corpus"):
        restore(session)


def test_small_corpora_travel_inside_and_large_ones_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"a b " * (1 << 18))
    trainer = Trainer(open_corpus(path), Policy())
    assert capture(trainer, str(path), CorpusOptions()).corpus == trainer.corpus, "exactly 1 MiB"
    path.write_bytes(b"a b " * (1 << 18) + b"!")
    trainer = Trainer(open_corpus(path), Policy())
    assert capture(trainer, str(path), CorpusOptions()).corpus is None
    assert capture(trainer, str(path), CorpusOptions(), embed=True).corpus == trainer.corpus
    assert capture(trainer, "-", CorpusOptions()).corpus == trainer.corpus, "standard input cannot be read again"


def test_a_changed_corpus_is_refused_with_both_hashes(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_bytes(TWO)
    session = capture(trainer_of(path), str(path), CorpusOptions(), embed=False)
    path.write_bytes(TWO.replace(b"aba", b"abb"))
    with pytest.raises(IdentityRefusal) as refusal:
        restore(session)
    for sha256 in (session.source.sha256, open_corpus(path).sha256):
        assert sha256 in str(refusal.value)
    assert "restore the old file" in str(refusal.value)
    with pytest.raises(IdentityRefusal):
        restore(session_of(TWO), open_corpus(path))


def test_another_split_of_the_same_corpus_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    options = CorpusOptions(format="lines")
    session = capture(Trainer(open_corpus(path, options), Policy()), str(path), options)
    other = open_corpus(path, CorpusOptions(format="lines", holdout=0.5))
    with pytest.raises(IdentityRefusal, match="reads as other documents"):
        corpus_of(session, other)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pair", (97, 98)),
        ("candidate_count", 3),
        ("replacements", 2),
        ("tie_size", 2),
        ("runner_up", None),
        ("runner_up_count", 0),
    ],
)
def test_one_wrong_count_is_found(field: str, value: object) -> None:
    session = session_of()
    altered: Evidence = replace(session.merges[0], **{field: value})  # type: ignore[arg-type]
    with pytest.raises(IdentityRefusal, match=f"rank 0 does not replay: the session has {field} "):
        restore(replace(session, merges=(altered, *session.merges[1:])))


def test_merges_that_the_corpus_does_not_have_are_found() -> None:
    session = session_of()
    with pytest.raises(IdentityRefusal, match="rank 4 does not replay: no pair left, the session has 5"):
        restore(replace(session, merges=(*session.merges, session.merges[0])))


def test_an_end_that_is_none_is_found() -> None:
    session = capture(trainer_of(merges=2), "-", CorpusOptions())
    with pytest.raises(IdentityRefusal, match="says that no pair is left after 2 merges"):
        restore(replace(session, exhausted=True))


def test_progress_ends_at_its_total_and_can_be_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.restore.SLICE_S", 0.0)  # one merge a slice
    session = replace(session_of(), rank=1)
    assert session.corpus is not None
    seen = list(restoring(session, session.corpus))
    assert seen == [(1, 7), (2, 7), (3, 7), (4, 7), (5, 7), (6, 7), (7, 7)]
    steps = restoring(session, session.corpus)
    assert next(steps) == (1, 7)
    steps.close()


LIMITS = st.builds(
    Limits,
    nodes=st.integers(100, 2**32 - 2),
    vocabulary_bytes=st.integers(1000, UNBOUNDED),
    token_bytes=st.integers(100, UNBOUNDED),
)


@given(
    session=st.builds(
        lambda given, limits, embed, rank, bookmarks, held_out, receipt: replace(
            _captured(given, limits, rank),
            corpus=open_corpus(TWO) if embed else None,
            bookmarks=tuple(sorted(bookmarks)),
            held_out=tuple(held_out),
            receipt=receipt,
            view={"mode": "hex", "document": rank},
        ),
        st.sampled_from([NOTHING_GIVEN, Given((), ((98, 97), (97, 97)), "list.json")]),
        LIMITS,
        st.booleans(),
        st.integers(0, 4),
        st.sets(st.integers(0, 4)),
        st.lists(st.binary(max_size=5), max_size=3),
        st.none() | st.binary(max_size=5),
    )
)
@settings(max_examples=50)
def test_what_a_session_held_it_keeps(session: Session) -> None:
    opened = unpack(pack(session))
    trainer = restore(opened, open_corpus(TWO))
    source = opened.source
    again = capture(
        trainer, source.path, source.options, kernel=opened.kernel, receipt=opened.receipt,
        bookmarks=opened.bookmarks, held_out=opened.held_out, view=opened.view, before=opened,
    )  # fmt: skip
    kept = replace(again, corpus=again.corpus if session.corpus else None)  # a small corpus may come inside
    assert kept == session


def _captured(given: Given, limits: Limits, rank: int) -> Session:
    trainer = Trainer(open_corpus(TWO), Policy(), limits, given=given)
    trainer.seek(4)
    trainer.seek(rank)
    return capture(trainer, "two.json", CorpusOptions())


@pytest.mark.parametrize("name", ["n" * 300, "a\0b", "no/such/folder/x"])
def test_a_corpus_path_that_no_system_takes_is_not_there(name: str) -> None:
    session = replace(session_of(), corpus=None)
    session = replace(session, source=replace(session.source, path=name))
    with pytest.raises(CorpusRefusal, match="is not there: give its new place with --corpus PATH"):
        corpus_of(session, folder=Path("."))


def test_a_text_that_was_renamed_or_piped_is_its_sessions_corpus(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("hello hello hello")
    for source in (old, old.read_bytes()):
        trainer = Trainer(open_corpus(source), Policy())
        trainer.seek(3)
        session = capture(trainer, "-" if isinstance(source, bytes) else str(source), CorpusOptions(), embed=False)
        new.write_bytes(old.read_bytes())
        restored = restore(session, open_corpus(new))
        assert (restored.rank, restored.corpus.name) == (3, session.source.name)

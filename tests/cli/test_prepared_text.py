"""A run whose policy changes its texts: trained, saved, learned again, and used for encoding."""

from pathlib import Path

import pytest

from .cli_run import Run

LINE = (
    "bpe normalizer=nmt-nfkc alphabet=characters base_order=by-frequency coverage=990000 boundary=sp-words "
    "unmatched=dropped tie_break=shortest-then-smallest-joined piece_filter=sentencepiece"
)


@pytest.fixture
def session(run: Run, tmp_path: Path) -> Path:
    """A session over full-width letters and a rare character."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\uff21\uff22  ab\n" * 200 + "\u0436")
    path = tmp_path / "run.bpes"
    assert run("train", corpus, "--policy", LINE, "--merges", "all", "-o", path).code == 0
    return path


def test_it_is_learned_again_from_its_session(run: Run, session: Path) -> None:
    result = run("verify", session)
    assert result.code == 0
    assert "4 merges learned again" in result.out + result.err


def test_a_text_is_encoded_as_training_saw_its_own(run: Run, session: Path) -> None:
    ids = run("encode", session, " ab  \uff21B ").out.split()
    assert len(ids) == 2
    assert run("decode", session, *ids).out == "\u2581ab\u2581AB"


def test_a_character_that_is_not_covered_is_refused(run: Run, session: Path) -> None:
    # three bytes of the mark and one of a stand before it in the prepared text
    result = run("encode", session, "a\u0436")
    assert result.code == 1
    assert r"'\u0436' in the text at byte 4 is not in this tokenizer's alphabet of 5 characters" in result.err


def test_the_corpus_is_shown_as_training_saw_it(run: Run, session: Path) -> None:
    shown = run("show", session).out
    assert "\u2581AB" in shown
    assert "\uff21" not in shown

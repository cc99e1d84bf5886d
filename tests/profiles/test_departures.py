"""Where a peer leaves the exact rule: the smallest input that its profile names, and that it still does."""

from pathlib import Path

import pytest

from engine.pretokenize import CL100K, GPT2
from engine.profiles import PROFILES

from .lists import learned, trainer_of
from .test_byte_level import in_order
from .test_huggingface import byte_level, learn, letters, merges_of

NEW_LETTER = "a\ua7cf"


def ours(name: str, text: str) -> list[bytes]:
    return learned(trainer_of(text, PROFILES[name].policy))


def test_a_letter_of_unicode_17_is_a_letter_here() -> None:
    for name, profile in PROFILES.items():
        if any("U+A7CF" in departure for departure in profile.departures):
            assert ours(name, NEW_LETTER)[-1] == NEW_LETTER.encode()


def test_rustbpe_does_not_know_the_letter() -> None:
    tokenizer = pytest.importorskip("rustbpe").Tokenizer()
    tokenizer.train_from_iterator(iter([NEW_LETTER]), 300)
    assert (
        in_order((bytes(token), rank) for token, rank in tokenizer.get_mergeable_ranks())[-1] == NEW_LETTER[1].encode()
    )


def test_bpeasy_does_not_know_the_letter() -> None:
    found = pytest.importorskip("bpeasy").train_bpe(iter([NEW_LETTER]), CL100K, 100, 300)
    assert in_order(found.items())[-1] == NEW_LETTER[1].encode()


def test_ffbpe_does_not_know_the_letter() -> None:
    assert pytest.importorskip("ffbpe").PreTokenizer([]).get_words(NEW_LETTER) == {"a": 1, NEW_LETTER[1]: 1}


def test_hugging_face_does_not_know_the_letter() -> None:
    assert merges_of(learn(byte_level(), [NEW_LETTER], **letters())) == [(b"\xea", b"\x9f"), (b"\xea\x9f", b"\x8f")]


def test_gigabpe_does_not_know_the_letter_and_leaves_out_missing_bytes(tmp_path: Path) -> None:
    gigabpe = pytest.importorskip("gigabpe")
    (tmp_path / "text").write_text(NEW_LETTER, encoding="utf-8")
    _, merges = gigabpe.train_bpe([str(tmp_path / "text")], 300, special_tokens=[], pretokenizer="bytelevel")
    assert len(merges) == 2
    (tmp_path / "text").write_text("a")
    assert gigabpe.train_bpe([str(tmp_path / "text")], 300, special_tokens=[], pretokenizer="bytelevel")[0] == {"a": 0}


def test_hugging_face_gives_a_token_that_spells_a_special_one_its_id() -> None:
    model = learn(byte_level(), ["ab"], special_tokens=["ab"], **letters())
    assert merges_of(model) == [(b"a", b"b")]
    assert len(model["vocab"]) == 257
    assert model["vocab"]["ab"] == 0


def test_hugging_face_reads_a_possessive_bound_as_groups() -> None:
    assert merges_of(learn(byte_level(CL100K), ["1234"], **letters()))[-1] == (b"12", b"34")
    assert ours("huggingface-cl100k", "1234") == [b"12", b"123"]


def test_tiktoken_educational_raises_where_no_pair_is_left() -> None:
    educational = pytest.importorskip("tiktoken._educational")
    with pytest.raises(ValueError, match="empty"):
        educational.bpe_train("a", 257, GPT2, visualise=None)
    assert ours("tiktoken-educational", "a") == []

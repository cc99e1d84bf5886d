"""The two contrasts of the course: whole words, and GPT-2's boundary."""

import json
from pathlib import Path

import pytest
from runs import corpus

from engine.contrast import WholeWords, boundary_contrast
from engine.errors import PolicyRefusal, TokenizerRefusal


def test_whole_words_as_published(learn_llm: Path) -> None:
    words = WholeWords([b"low lower", b"new newest"])
    printed = (learn_llm / "course1" / "ch03-expected.txt").read_text(encoding="utf-8")
    assert f"historical whole-word types: {len(words)}\n" in printed
    assert f"historical lookup lower: {words.look_up(b'lower')}\n" in printed
    assert f"historical lookup lowering: {words.look_up(b'lowering')} (unknown)\n" in printed
    encoded = (learn_llm / "course1" / "ch04-expected.txt").read_text(encoding="utf-8")
    assert f"historical ids: {words.encode(b'lowering')}\n" in encoded
    assert f"historical decoded: {words.decode([0]).decode()} (original bytes lost)\n" in encoded


def test_whole_words_lose_unknown_words_and_white_space() -> None:
    words = WholeWords([b"low lower", b"new low  newest"])
    assert [words.look_up(w) for w in (b"low", b"lower", b"new", b"newest", b"lowest", b"lowering")] == [
        1, 2, 3, 4, 0, 0,
    ]  # fmt: skip
    assert words.decode(words.encode("low\tlowest\u00a0new".encode())) == b"low <UNK> new"
    with pytest.raises(TokenizerRefusal, match="unknown word id 5 at position 1: 0 to 4 exist"):
        words.decode([1, 5])


def test_the_boundary_contrast_as_published(learn_llm: Path) -> None:
    trace = json.loads((learn_llm / "practical-ch03" / "scalable-bpe-tokenizer-trace.json").read_bytes())
    published = trace["gpt2_policy_contrast"]
    documents = [bytes.fromhex(d["bytes_hex"]) for d in published["training_documents"]]
    weights = [d["weight"] for d in published["training_documents"]]
    found = boundary_contrast(corpus(*documents, weights=weights), published["input"].encode())
    assert [side.hex() for side in found.merge] == published["proposed_merge_bytes"]
    for encoded, name in ((found.raw_bytes, "course_raw_bytes"), (found.gpt2, "gpt2_policy_demo")):
        expected = published[name]
        assert list(encoded.content_tokens) == expected["content_tokens"]
        assert [fragment.hex() for fragment in encoded.fragments] == expected["token_byte_fragments_hex"]
        assert b"".join(encoded.fragments).decode() == expected["decoded"]
    assert [piece.decode() for piece in found.gpt2.pretokens] == published["gpt2_policy_demo"]["pretokens"]
    assert found.raw_bytes.pretokens == (b"a1",)


def test_a_merge_inside_a_piece_is_made_on_both_sides() -> None:
    found = boundary_contrast(corpus(b"abab"), b"ab1")
    assert found.raw_bytes.fragments == found.gpt2.fragments == (b"ab", b"1")


def test_a_contrast_needs_a_pair() -> None:
    with pytest.raises(PolicyRefusal, match="exhausted pairs"):
        boundary_contrast(corpus(b"a"), b"a")

"""Base tokens of bytes: all or those seen, and the marks of words' ends; all values by hand."""

import pytest
from runs import corpus, trained

from engine.alphabet import Token
from engine.errors import ArtifactRefusal, FormatRefusal, TokenizerRefusal
from engine.formats.checking import written
from engine.formats.registry import FORMATS
from engine.merge_list import merge_list_of
from engine.policy import Policy
from engine.trainer import Trainer

SEEN = Policy(base_bytes="seen")
WORDS = Policy(base_bytes="seen", boundary="spaces", unmatched="dropped", end_of_word="fused")


def spellings(policy: Policy, *texts: bytes) -> list[bytes]:
    return [token.spelling for token in Trainer(corpus(*texts), policy).units.alphabet.tokens]


def test_seen_bytes_keep_their_order() -> None:
    assert spellings(SEEN, b"b\xffa ", b"!") == [b" ", b"!", b"a", b"b", b"\xff"]
    assert spellings(SEEN.changed(base_order="bytemap"), b"b\xffa ", b"!") == [b"!", b"a", b"b", b"\xff", b" "]
    assert spellings(SEEN, b"") == []
    assert spellings(SEEN.changed(special_tokens=("<x>",)), b"a<x>b") == [b"a", b"b"]


def test_marked_bytes_follow_the_others() -> None:
    assert spellings(WORDS, b"ba a b\xff") == [b"b", b"a</w>", b"\xff</w>"]
    assert spellings(WORDS.changed(end_of_word="separate"), b"ba a") == [b"a", b"b", b"</w>"]
    every = Trainer(corpus(b"a"), WORDS.changed(base_bytes="all")).units.alphabet.tokens
    assert every == tuple(Token(bytes([byte]), ends) for ends in (False, True) for byte in range(256))


def test_a_byte_that_was_not_seen_cannot_be_encoded() -> None:
    tokenizer = trained(b"abab", merges=1, policy=SEEN).tokenizer()
    assert tokenizer.encode(b"abb") == [2, 1]
    with pytest.raises(TokenizerRefusal, match=r"'c' in the text at byte 2 is not in this tokenizer's alphabet of 2 "):
        tokenizer.encode(b"abcb")


def test_marked_bytes_encode_and_decode_words() -> None:
    trainer = trained(b"aba aba ab\xff", merges=2, policy=WORDS)
    tokenizer = trainer.tokenizer()
    assert [tokenizer.token(i) for i in tokenizer.encode(b"aba b\xff")] == [
        Token(b"aba", True, 3), Token(b"b"), Token(b"\xff", True),
    ]  # fmt: skip
    assert tokenizer.decode(tokenizer.encode(b" aba  b\xff")) == b"aba b\xff"


def test_every_place_is_shown_with_a_mark_of_its_own() -> None:
    trainer = trained(b"ab b", merges=1, policy=WORDS.changed(end_of_word="separate"))
    assert [(p.token, p.start, p.stop) for p in trainer.document_tokens(0)] == [
        (0, 0, 1), (3, 1, 2), (-1, 2, 3), (3, 3, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("end_of_word", ["fused", "separate"])
def test_formats_without_marked_bytes_refuse_them(end_of_word: str) -> None:
    trainer = trained(b"ab ab", merges=1, policy=WORDS.changed(end_of_word=end_of_word, base_bytes="all"))
    merges = merge_list_of(trainer)
    for form in FORMATS.values():
        if form.write is None or (form.name in ("subword-nmt", "huggingface") and end_of_word == "fused"):
            continue
        with pytest.raises((FormatRefusal, ArtifactRefusal), match="end_of_word"):
            written(form, merges)

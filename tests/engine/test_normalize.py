"""What a policy makes of a text first: sentencepiece's normalizer and marked words; values by hand from its rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import corpus, trained

from engine import normalize
from engine.normalize import MARKERS, mark_ascii_words, mark_words, nmt_nfkc, prepared, prepared_documents
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.trainer import Trainer

WORDS = Policy(alphabet="characters", base_order="code-point", boundary="sp-words", unmatched="dropped")
NORMALIZED = WORDS.changed(normalizer="nmt-nfkc")


@pytest.mark.parametrize(
    ("line", "normalized"),
    [
        ("", ""),
        ("plain text, kept  as it is ", "plain text, kept  as it is "),
        ("\t|\f|\r|\u061c|\u1680|\u200b|\u200c|\u200e|\u200f|\u2028|\u2029|\u2581|\ufeff|\ufffd|", " |" * 14),
        ("a\x01b\x0bc\x1fd\x7fe\x8ff\x9fg", "abcdefg"),
        ("\x80\x85\u200d", "\x80\x85\u200d"),
        ("\u3000\xa0", "  "),
        ("\uff21\uff11\uff5e\u2167\ufb01\u3392", "A1\uff5eVIIIfiMHz"),
        ("e\u0301 \u1100\u1161\u11a8 \uff76\uff9e \u3131\uffc2", "\xe9 \uac01 \u30ac \uac00"),
        ("\u0344", "\u0308\u0301"),
        ("e\u0301\u0323", "\xe9\u0323"),
        ("\u1e0b\u0323", "\u1e0b\u0323"),
        ("a\udcffb", "a\udcffb"),
    ],
)
def test_nmt_nfkc_by_its_rules(line: str, normalized: str) -> None:
    """The last but two: NFKC would move U+0323 to the front; rules that look at what stands there do not."""
    assert nmt_nfkc(line) == normalized


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("", ""),
        ("   ", ""),
        ("\u2581", ""),
        ("a", "_a"),
        ("  a   b ", "_a_b"),
        ("a\tb\r", "_a\tb\r"),
        ("a \u2581 b\u2581", "_a___b"),
        ("a\udcff\udc80", "_a\ufffd\ufffd"),
    ],
)
def test_words_are_marked_in_place_of_spaces(line: str, marked: str) -> None:
    assert mark_words(line) == marked.replace("_", "\u2581")


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("", ""),
        (" \t\r\v\f\u2581", ""),
        ("a", "_a"),
        ("  a \t\u2581 b\r", "_a_b"),
        ("a\0b\x1c\x1f\x85\xa0\u2585\u3000", "_a\0b\x1c\x1f\x85\xa0\u2585\u3000"),
        ("a\udcff b", "_a\udcff_b"),
    ],
)
def test_words_are_marked_in_place_of_ascii_white_space(line: str, marked: str) -> None:
    assert mark_ascii_words(line) == marked.replace("_", "\u2581")


def test_only_policies_that_say_so_change_a_text_and_lines_stay_lines() -> None:
    text = "\u3000\uff21  b\n\n c\xff".encode("latin-1", "replace")
    assert prepared(Policy(), text) is text
    assert prepared(WORDS, b" a  b \n\n\xff") == "\u2581a\u2581b\n\n\u2581\ufffd".encode()
    ascii_words = WORDS.changed(boundary="yttm-words")
    assert prepared(ascii_words, b"a\tb\r\n\n c") == "\u2581a\u2581b\n\n\u2581c".encode()
    assert prepared(NORMALIZED, "\uff21\u3000b\nc".encode()) == "\u2581A\u2581b\n\u2581c".encode()
    assert prepared(Policy(normalizer="nmt-nfkc"), "\uff21\u3000 b\n".encode() + b"\xff") == b"A  b\n\xff"
    documents = corpus(b"a b", b"c").training
    assert prepared_documents(Policy(), documents) == documents
    assert [d.id for d in prepared_documents(WORDS, documents)] == ["d0", "d1"]


def test_a_word_begins_at_its_mark_and_reserved_characters_part_words() -> None:
    def words(text: str, policy: Policy = WORDS) -> list[str]:
        return [piece.decode() for _, piece in splitter(policy)(text.encode())]

    assert words("_ab_c\n_d__e".replace("_", "\u2581")) == ["\u2581ab", "\u2581c", "\u2581d", "\u2581", "\u2581e"]
    assert words("\u2581a\0b\x1fc\u2585d\u2582\u2550") == ["\u2581a", "b", "c", "d\u2582\u2550"]
    kept = words("a\u2585b\n", WORDS.changed(unmatched="kept"))
    assert kept == ["a", "\u2585", "b", "\n"]


def test_documents_are_shown_as_training_sees_them() -> None:
    trainer = trained("\uff21\uff22  ab\nab".encode(), merges=9, policy=NORMALIZED)
    shown = "\u2581AB\u2581ab\n\u2581ab".encode()
    assert trainer.documents[0].data == shown
    assert trainer.corpus.training[0].data == "\uff21\uff22  ab\nab".encode()
    placed = trainer.document_tokens(0)
    assert b"".join(shown[p.start : p.stop] for p in placed) == shown
    assert [shown[p.start : p.stop].decode() for p in placed] == ["\u2581AB", "\u2581ab", "\n", "\u2581ab"]
    assert [p.token < 0 for p in placed] == [False, False, True, False]


SPACED = Policy(normalizer="prefix-space")


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        (b"", b""),
        (b"a b", b" a b"),
        (b" a", b" a"),
        (b"  a", b"  a"),
        (b"\ta", b" \ta"),
        (b"\n", b" \n"),
        (b"\xff", b" \xff"),
    ],
)
def test_a_space_stands_in_front_of_what_has_none(text: bytes, spaced: bytes) -> None:
    """Values that `ByteLevel(add_prefix_space=True)` of tokenizers 0.23.3 gives."""
    assert prepared(SPACED, text) == spaced
    assert trained(text, merges=0, policy=SPACED).documents[0].data == spaced
    assert trained(b"", merges=0, policy=SPACED).tokenizer().encode(text) == list(spaced)


def test_a_space_in_front_counts_in_training_and_in_every_encoding() -> None:
    trainer = trained(b"ab ab", b"ab", merges=3, policy=SPACED.changed(boundary="gpt2"))
    assert [(m.content.data, m.evidence.candidate_count) for m in trainer.merges] == [(b" a", 3), (b" ab", 3)]
    assert trainer.audit().exact
    tokenizer = trainer.tokenizer()
    assert tokenizer.encode(b"ab") == [257]
    assert tokenizer.encode_batch([b"ab", b" ab", b""]) == [[257], [257], []]
    assert tokenizer.trace(b"ab")[1][-1].after == (257,)
    assert tokenizer.decode([257]) == b" ab"


def test_a_text_to_encode_goes_the_way_of_training() -> None:
    tokenizer = trained("\uff21\uff22  ab\nab".encode(), merges=9, policy=NORMALIZED).tokenizer()
    ids = tokenizer.encode(" ab \uff21\uff22".encode())
    assert tokenizer.decode(ids) == "\u2581ab\u2581AB".encode()
    assert len(ids) == 2
    assert tokenizer.encode_batch([" ab \uff21\uff22".encode()]) == [ids]
    assert tokenizer.trace(" ab \uff21\uff22".encode())[1][-1].after == tuple(ids)


COVERAGE = [(980_000, "ab"), (985_000, "abc"), (990_000, "abcd"), (994_000, "abcd"), (995_000, "abcde")]


@pytest.mark.parametrize(("coverage", "characters"), [*COVERAGE, (1_000_000, "abcdef\u2581")])
def test_coverage_takes_characters_until_the_share_of_those_before_reaches_it(coverage: int, characters: str) -> None:
    """Of 999 characters: 979 a, five each of b, c and d, three e, one f and one mark, which come last in this order."""
    text = b"a" * 979 + b"bbbbbccccc" + b"dddddeeef"
    policy = WORDS.changed(coverage=coverage, base_order="by-frequency")
    trainer = Trainer(corpus(text), policy)
    assert "".join(t.symbol for t in trainer.units.alphabet.tokens) == characters


@pytest.mark.parametrize("boundary", ["document", "gpt2", "spaces", "sp-words", "yttm-words"])
def test_characters_that_are_not_covered_cut_units_and_stand_outside(boundary: str) -> None:
    text = b"ab" * 500 + b"xabyab ab"
    policy = WORDS.changed(boundary=boundary, coverage=990_000)
    trainer = trained(text, text, merges=1, policy=policy)
    assert {t.symbol for t in trainer.units.alphabet.tokens} == {"a", "b"}
    assert trainer.audit().exact
    data = trainer.documents[0].data[:]
    for document in (0, 1):
        placed = trainer.document_tokens(document)
        assert b"".join(data[p.start : p.stop] for p in placed) == data
        outside = b"".join(data[p.start : p.stop] for p in placed if p.token < 0)
        assert outside == (b"\xe2\x96\x81xy\xe2\x96\x81" if boundary in MARKERS else b"xy ")


@given(st.lists(st.sampled_from([b"a b", b"\n", b"\r", b" ", b"\xe2", b"\x96\x81", "ﬁ é".encode(), b"\xff"])))
def test_a_text_is_prepared_as_its_lines_are(parts: list[bytes]) -> None:
    text = b"".join(parts)
    lines = text.decode("utf-8", "surrogateescape").split("\n")
    wanted = "\n".join(mark_words(nmt_nfkc(line)) for line in lines).encode("utf-8", "surrogateescape")
    assert prepared(NORMALIZED, text) == wanted


@given(st.text(st.sampled_from(" a\u0301\u1100\u1161\u3000\u2581\t\ufdfa\udcff"), max_size=30))
def test_long_lines_are_prepared_in_blocks_as_in_one(line: str) -> None:
    """A line longer than a block is taken apart; where it is cut must not show."""
    policies = (NORMALIZED, WORDS, WORDS.changed(boundary="yttm-words"))
    whole = [prepared(policy, line.encode("utf-8", "surrogateescape")) for policy in policies]
    for size in (1, 2, 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(normalize, "BLOCK", size)
            cut = [prepared(policy, line.encode("utf-8", "surrogateescape")) for policy in policies]
        assert cut == whole

"""Audits: each kind of finding on a list made by hand, and none on lists that one training run made."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from runs import corpus, training_policies, weighted_corpora

from engine import pretokenize
from engine.alphabet import Token
from engine.audit import CORPUS_KINDS, KINDS, Report, audit
from engine.audit.findings import STRUCTURAL
from engine.audit.reach import walk
from engine.corpus.document import Corpus
from engine.errors import LimitRefusal, PolicyRefusal
from engine.kernel import Pair
from engine.merge_list import MergeList, merge_list_of
from engine.policy import Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer
from engine.utf8 import Utf8Class

BYTES = tuple(Token(bytes([byte])) for byte in range(256))


def listed(*pairs: Pair, policy: Policy | None = None, ids: Sequence[int] | None = None) -> MergeList:
    """A list over all bytes in order, by kernel ids: bytes from 0, the first merge is 256."""
    ids = range(256 + len(pairs)) if ids is None else ids
    return MergeList("made", "run", policy or Policy(), BYTES, pairs, ids)


def joined(*pairs: tuple[bytes, bytes], policy: Policy | None = None) -> MergeList:
    """A list of merges given by the bytes of their sides; the first entry of those bytes is meant."""
    known = {token.data: at for at, token in enumerate(BYTES)}
    found = []
    for left, right in pairs:
        found.append((known[left], known[right]))
        known.setdefault(left + right, 255 + len(found))
    return listed(*found, policy=policy)


def ranks(report: Report, kind: str) -> list[int | None]:
    """The ranks of the findings of a kind."""
    return [finding.rank for finding in report.findings[kind]]


def sentences(report: Report, kind: str) -> list[str]:
    """What the findings of a kind say."""
    return [finding.sentence for finding in report.findings[kind]]


def of_kinds(report: Report, kinds: Sequence[str]) -> dict[str, list[str]]:
    """The findings of some kinds, without those that have none."""
    return {kind: sentences(report, kind) for kind in kinds if report.findings[kind]}


# The list alone


def test_an_unreachable_entry_names_the_merge_that_blocks_it() -> None:
    """`abc` is made of a + bc, but ab comes first and leaves c over."""
    report = audit(joined((b"a", b"b"), (b"b", b"c"), (b"a", b"bc")))
    (finding,) = report.findings["unreachable"]
    assert (finding.id, finding.rank, finding.data) == (258, 2, b"abc")
    assert finding.sentence == (
        "encodes to 2 tokens (b'ab' 256, b'c' 99): rank 0, b'a' + b'b', comes before b'a' + b'bc'"
    )
    assert of_kinds(report, STRUCTURAL).keys() == {"unreachable"}


def test_a_run_blocks_from_the_left() -> None:
    """`aaa` as a + aa: the first two symbols are joined, not the last two."""
    report = audit(joined((b"a", b"a"), (b"a", b"aa")))
    assert sentences(report, "unreachable") == [
        "encodes to 2 tokens (b'aa' 256, b'a' 97): rank 0, b'a' + b'a', comes before b'a' + b'aa'"
    ]


def test_equal_expansions() -> None:
    report = audit(joined((b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"a", b"bc")))
    assert ranks(report, "equal") == ranks(report, "unreachable") == [3]
    assert sentences(report, "equal") == ["has the bytes of rank 2, id 258"]
    assert sentences(report, "unreachable") == [
        "encodes to 1 token (b'abc' 258): rank 0, b'a' + b'b', comes before b'a' + b'bc'"
    ]


def test_an_operand_made_later_is_out_of_order_but_can_be_reached() -> None:
    """Rank 0 joins ab + c, rank 1 makes ab: by lowest rank first, abc becomes ab c and then abc."""
    report = audit(listed((257, 99), (97, 98)))
    assert sentences(report, "out-of-order") == ["joins b'ab', which rank 1 makes"]
    assert [f.data for f in report.findings["out-of-order"]] == [b"abc"]
    assert of_kinds(report, STRUCTURAL).keys() == {"out-of-order"}


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(256, 97)], ["joins token 256, which rank 0 makes"]),
        ([(257, 97), (256, 97)], ["joins token 257, which rank 1 makes"]),
        ([(97, 9999)], ["joins token 9999, which nothing makes"]),
        ([(-1, 97)], ["joins token -1, which nothing makes"]),
    ],
)
def test_what_has_no_expansion_is_said_and_left(pairs: list[Pair], said: list[str]) -> None:
    report = audit(listed(*pairs), corpus(b"aa"))
    assert sentences(report, "out-of-order") == said
    assert [f.data for f in report.findings["out-of-order"]] == [b""]
    assert sentences(report, "remark") == [
        "the list is not replayed on the corpus, since merges are out of order or repeated"
    ]
    assert report.replay is None


def test_a_repeated_pair_is_never_reached_again() -> None:
    report = audit(joined((b"a", b"b"), (b"a", b"b")))
    assert sentences(report, "repeated") == ["joins b'a' + b'b', as rank 0 does"]
    assert ranks(report, "equal") == ranks(report, "unreachable") == [1]


def test_ids() -> None:
    """Bytes 0 to 255, then 256 twice, a gap of one, 258, a gap of three, 262."""
    ids = [*range(256), 256, 256, 258]
    merges = replace(listed((97, 98), (98, 99), (99, 100), ids=ids), specials=(("<s>", 262),))
    report = audit(merges)
    assert sentences(report, "shared-id") == ["2 entries have the id 256"]
    assert sentences(report, "missing-id") == ["no entry has the id 257", "no entry has an id from 259 to 261"]


def test_orphans_say_what_their_bytes_encode_to() -> None:
    report = audit(replace(joined((b"a", b"b")), orphans=((257, b"abc"), (258, b"ab"))))
    assert sentences(report, "orphan") == [
        "no merge makes it; its bytes encode to 2 tokens (b'ab' 256, b'c' 99)",
        "no merge makes it; its bytes encode to 1 token (b'ab' 256)",
    ]
    assert [(f.id, f.sentence) for f in report.findings["equal"]] == [(258, "has the bytes of rank 0, id 256")]


def test_special_tokens_in_plain_text() -> None:
    """The merges build `<x>`; `</x>` is four tokens of text; the reader's remark is passed on."""
    merges = replace(
        joined((b"<", b"x"), (b"<x", b">")), specials=(("<x>", 258), ("</x>", 259)), remarks=("no decoder",)
    )
    report = audit(merges)
    assert [(f.id, f.rank, f.sentence) for f in report.findings["special-built"]] == [
        (258, 1, "rank 1 makes it, as id 257")
    ]
    assert [(f.id, f.sentence) for f in report.findings["special-as-text"]] == [
        (259, "as text it is 4 tokens (b'<' 60, b'/' 47, b'x' 120, b'>' 62)")
    ]
    assert sentences(report, "remark") == ["no decoder"]


def test_a_special_token_that_no_bytes_stand_for_is_no_text() -> None:
    report = audit(replace(joined((b"a", b"b")), specials=(("\ud800", 257), ("", 258))))
    assert report.findings["special-built"] == report.findings["special-as-text"] == []


def test_a_special_token_of_unknown_characters_is_no_text() -> None:
    merges = MergeList(
        "made", "run", Policy(alphabet="characters", base_order="as-given"), (Token(b"a"), Token(b"b")),
        ((0, 1),), range(3), specials=(("<a>", 3), ("ab", 4)),
    )  # fmt: skip
    report = audit(merges)
    assert report.findings["special-as-text"] == []
    assert sentences(report, "special-built") == ["rank 0 makes it, as id 2"]


def test_characters_cut_apart_are_counted() -> None:
    """D0 B8 is one character, 20 D0 ends inside one, B8 20 starts inside, B8 D0 both; 98 B8 lies inside; FF never."""
    pairs = ((0xD0, 0xB8), (0x20, 0xD0), (0xB8, 0x20), (0xB8, 0xD0), (0x98, 0xB8), (0xFF, 0xFF))
    report = audit(listed(*pairs))
    assert report.utf8 == dict.fromkeys(Utf8Class, 1)
    assert list(zip(ranks(report, "partial-utf8"), sentences(report, "partial-utf8"), strict=True)) == [
        (1, "ends inside a character"),
        (2, "starts inside a character"),
        (3, "starts and ends inside characters"),
        (4, "lies inside a character"),
        (5, "holds bytes that no valid text can have there"),
    ]


def test_doublings_are_refused_before_they_are_made() -> None:
    """After 21 doublings of two bytes a token would have 2^21 bytes, over the limit of 2^20."""
    doublings = [(97, 97), *((256 + rank, 256 + rank) for rank in range(200))]
    with pytest.raises(LimitRefusal, match="the byte expansion of rank 20 needs 2097152, over the limit token_bytes"):
        audit(listed(*doublings))


def test_a_long_chain_takes_no_recursion() -> None:
    """Rank r makes `a` times r + 2 by adding one: beyond three, the run is joined in twos first."""
    chain = [(97, 97), *((256 + rank, 97) for rank in range(1200))]
    assert ranks(audit(listed(*chain)), "unreachable") == list(range(2, 1201))


# The boundary


def test_entries_that_the_boundary_cuts() -> None:
    """GPT-2's pattern joins a space to the word behind it, never to the one before; letters stay apart from digits."""
    gpt2 = Policy(boundary="gpt2")
    report = audit(joined((b"a", b" "), (b" ", b"a"), (b"a", b"1"), (b"\n", b"a"), policy=gpt2))
    assert ranks(report, "cut") == [0, 2, 3]
    assert sentences(report, "cut")[0] == (
        "the boundary 'gpt2' cuts it after byte 1 of 2 alone, and in 87 other contexts too"
    )
    assert audit(joined((b"a", b" "), policy=Policy())).findings["cut"] == []


@pytest.mark.parametrize(
    ("pair", "cut"),
    [
        ((0xB8, 0x61), False),  # the end of и and a: two letters
        ((0x61, 0xD0), False),  # a and the beginning of и
        ((0x31, 0xD0), True),  # a digit and the beginning of U+0400 to U+043F, which are letters
        ((0x31, 0xC2), False),  # a digit and the beginning of ², which is a number
        ((0x98, 0xB8), False),  # within one character
    ],
)
def test_characters_are_completed(pair: Pair, cut: bool) -> None:
    assert bool(audit(listed(pair, policy=Policy(boundary="gpt2"))).findings["cut"]) is cut


def test_an_entry_may_need_its_context() -> None:
    """`'r` is cut alone by GPT-2's pattern, but is part of `'re`."""
    assert audit(joined((b"'", b"r"), policy=Policy(boundary="gpt2"))).findings["cut"] == []
    pattern = Policy(boundary="pattern:(?<=A)x1|[\\s\\S]")
    assert audit(joined((b"x", b"1"), policy=pattern)).findings["cut"] == []


def test_an_entry_inside_one_that_is_not_cut_is_not_cut() -> None:
    """`(q` is cut alone and between all that is tried, but `(qu)` is one piece."""
    pattern = Policy(boundary="pattern:[(]qu[)]|[\\s\\S]")
    outer = ((b"(", b"q"), (b"u", b")"), (b"(q", b"u)"))
    assert audit(joined(*outer, policy=pattern)).findings["cut"] == []
    assert ranks(audit(joined(*outer[:2], policy=pattern)), "cut") == [0, 1]


def test_dropped_text_is_in_no_piece() -> None:
    words = Policy(boundary="whitespace", unmatched="dropped")
    report = audit(joined((b" ", b"a"), (b"a", b"b"), policy=words))
    assert sentences(report, "cut") == [
        "the boundary 'whitespace' drops its first 1 bytes alone, and in 87 other contexts too"
    ]


def test_an_end_of_word_ends_its_piece() -> None:
    """With `</w>` fused: `ow</w>` may stand before a space."""
    policy = Policy(
        alphabet="characters", base_order="as-given", end_of_word="fused", boundary="whitespace", unmatched="dropped"
    )
    alphabet = (Token(b"o"), Token(b"w", ends_word=True))
    report = audit(MergeList("made", "run", policy, alphabet, ((0, 1),), range(3)))
    assert {kind for kind, found in report.findings.items() if found} == set()


def test_a_pattern_given_as_plain_text_matches_nothing() -> None:
    r"""`\s+` as a literal: the issue 1565 of huggingface/tokenizers."""
    literal = Policy(boundary=r"pattern:\\s\+")
    assert sentences(audit(joined((b"a", b"b"), policy=literal)), "pattern") == [
        r"'\\\\s\\+' matches in no entry and in no text tried, so that every text is kept whole; is it a regular "
        "expression given as plain text?"
    ]
    for fine in (r"pattern:\s+", "pattern:ab"):
        assert audit(joined((b"a", b"b"), policy=Policy(boundary=fine))).findings["pattern"] == []


def test_a_pattern_that_explodes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 64 letters can be matched in two ways, and all of 2^64 are tried before it fails."""
    monkeypatch.setattr(pretokenize, "PATIENCE_S", 0.05)
    doublings = [(97, 97), *((256 + rank, 256 + rank) for rank in range(5))]
    with pytest.raises(PolicyRefusal, match=r"boundary pattern '\(a\|a\)\+b' takes more than 0 s on"):
        audit(listed(*doublings, policy=Policy(boundary="pattern:(a|a)+b")))


# On a corpus


def on_ababac(*pairs: tuple[bytes, bytes]) -> Report:
    return audit(joined(*pairs), corpus(b"ababac"))


def test_the_counts_of_a_foreign_list() -> None:
    """In `ababac` ab counts 2, ba 2, ac 1; after ac and ab: ab ab ac, where (ab, ab) and (ab, ac) count 1 each."""
    report = on_ababac((b"a", b"c"), (b"a", b"b"), (b"x", b"y"), (b"ab", b"ab"))
    assert of_kinds(report, tuple(CORPUS_KINDS)) == {
        "never-fires": ["b'x' + b'y' does not occur at its turn"],
        "not-maximum": ["counts 1, where b'a' + b'b' counts 2"],
        "rising": ["counts 2, rank 0 before it 1", "counts 1, rank 2 before it 0"],
        "intermediate": ["made 2 times, all used by later merges"],
    }
    assert [ranks(report, kind) for kind in CORPUS_KINDS] == [[2], [0], [1, 3], [1]]
    assert report.replay is not None
    assert (report.replay.fired, report.replay.used, report.replay.entries) == (3, 2, 260)
    assert report.replay.counts == (1, 2, 0, 1)
    assert report.replay.maxima == {"overlapping": 2, "non-overlapping": 2}
    assert report.replay.tied == {"overlapping": 1, "non-overlapping": 1}


def test_which_tie_rules_are_possible() -> None:
    """(ab, ab) is taken before (ab, ac): first in the text and smaller as symbols, but ac has the smaller id."""
    report = on_ababac((b"a", b"c"), (b"a", b"b"), (b"x", b"y"), (b"ab", b"ab"))
    assert report.replay is not None
    assert {tie.rule: tie.refuted for tie in report.replay.rules if tie.counting == "overlapping"} == {
        "smallest-ids": 3,
        "first-seen": None,
        "largest-bytes": 3,
        "largest-symbols": 3,
        "smallest-symbols": None,
        "shortest-then-smallest-joined": None,
    }


def test_counting_tells_runs_apart() -> None:
    """`aaabcbc`: aa counts 2 by overlapping windows, 1 as a run; so only the first makes it a maximum beside bc."""
    report = audit(joined((b"a", b"a"), (b"b", b"c")), corpus(b"aaabcbc"))
    assert report.replay is not None
    assert report.replay.maxima == {"overlapping": 2, "non-overlapping": 1}


def test_base_tokens_that_only_the_corpus_has() -> None:
    """The list knows a and b; the corpus has c too, which shifts the run's ids but not the list's."""
    policy = Policy(alphabet="characters", base_order="as-given")
    merges = MergeList("made", "run", policy, (Token(b"a"), Token(b"b")), ((0, 1),), range(3))
    report = audit(merges, corpus(b"abcab"))
    assert of_kinds(report, tuple(KINDS)) == {}
    assert report.replay is not None
    assert (report.replay.used, report.replay.entries) == (1, 3)


# Lists that one run made


WORDS = Policy(alphabet="characters", base_order="code-point", unmatched="dropped")


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), training_policies())
@example(corpus(b"aaaa"), WORDS.changed(boundary="sp-words", end_of_word="fused"))
@example(corpus(b"aaaa"), WORDS.changed(boundary="yttm-words", end_of_word="fused"))
def test_a_trained_list_is_sound(texts: Corpus, policy: Policy) -> None:
    trainer = Trainer(texts, policy)
    trainer.seek(12)
    report = audit(merge_list_of(trainer), texts)
    assert of_kinds(report, (*STRUCTURAL, "cut", "never-fires", "not-maximum", "rising")) == {}
    assert report.replay is not None
    assert report.replay.fired == report.replay.maxima[policy.counting] == trainer.rank
    own = next(t for t in report.replay.rules if (t.counting, t.rule) == (policy.counting, policy.tie_break))
    assert own.refuted is None


@st.composite
def edited_lists(draw: st.DrawFn) -> MergeList:
    """Distinct merges of any tokens made before them."""
    pairs: list[Pair] = []
    for _ in range(draw(st.integers(1, 8))):
        operands = st.sampled_from([97, 98, *range(256, 256 + len(pairs))])
        pair = draw(st.tuples(operands, operands))
        if pair not in pairs:
            pairs.append(pair)
    return listed(*pairs)


@settings(deadline=None)
@given(edited_lists(), st.text("ab", max_size=30).map(str.encode))
def test_walking_encodes_as_the_tokenizer_does(merges: MergeList, text: bytes) -> None:
    order = {pair: rank for rank, pair in enumerate(merges.pairs)}
    assert walk(list(text), order, 256)[1] == merges.tokenizer().encode(text)


@settings(deadline=None)
@given(edited_lists())
def test_unreachable_are_those_that_do_not_encode_to_themselves(merges: MergeList) -> None:
    tokenizer: Tokenizer = merges.tokenizer()
    others = [token for token, content in enumerate(merges.tokens()) if tokenizer.encode(content.data) != [token]]
    assert [finding.id for finding in audit(merges).findings["unreachable"]] == others

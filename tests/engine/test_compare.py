"""Where two lists part: ranks, counts and sentences computed by hand, and an independent trainer for each tie rule."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import corpus, training_policies, weighted_corpora

from engine import memory
from engine.alphabet import Token
from engine.compare import Divergence, Side, agreement, divergence, first_difference, joined, recut, replayed, trained
from engine.corpus.document import Corpus
from engine.merge_list import MergeList, merge_list_of
from engine.parting import parting
from engine.policy import Policy
from engine.trainer import Trainer


def side(texts: Corpus, policy: Policy, merges: int = 100) -> Side:
    trainer = Trainer(texts, policy)
    trainer.learn(merges)
    return trained("it", trainer)


def said(a: Side, b: Side) -> tuple[Divergence, str]:
    where = divergence(a, b)
    assert where is not None
    parts = parting(a, b, where).sentence
    return where, "".join(part.symbol if isinstance(part, Token) else part for part in parts)


def pairs(side: Side) -> list[tuple[bytes, bytes]]:
    return [(left.data, right.data) for left, right in joined(side.merges)]


def test_a_tie() -> None:
    texts = corpus(b"ab", b"cd")
    where, sentence = said(side(texts, Policy()), side(texts, Policy(tie_break="largest-bytes")))
    assert sentence == "both count 1; A takes the smaller ids, B the greater bytes"
    assert where.rank == 0
    assert [(s.counts, s.best, s.ties, s.maximal) for s in where.standings] == [((1, 1), 1, 2, (True, True))] * 2
    assert [[(left.data, right.data) for left, right in s.first] for s in where.standings] == [
        [(b"a", b"b"), (b"c", b"d")],
        [(b"c", b"d"), (b"a", b"b")],
    ]


def test_two_orders_of_the_same_bytes() -> None:
    texts = corpus(b" a", b"ba")
    where, sentence = said(side(texts, Policy()), side(texts, Policy(base_order="bytemap")))
    assert sentence == ("both count 1; A takes the smaller ids in byte-value order, B the smaller ids in bytemap order")
    assert where.rank == 0


def test_two_ways_of_counting_a_run() -> None:
    texts = corpus(b"aaaa", b"bc", b"bc", b"bc")
    where, sentence = said(side(texts, Policy()), side(texts, Policy(counting="non-overlapping")))
    assert sentence == "of a + a, A counts overlapping windows (3), B runs of two (2)"
    assert (where.rank, where.standings[0].counts, where.standings[1].counts) == (0, (3, 3), (2, 3))
    assert (where.standings[0].ties, where.standings[1].ties) == (2, 1)


def test_only_the_field_that_decides_is_named() -> None:
    texts = corpus(b"aaaa", b"bc", b"bc", b"bc")
    b = Policy(counting="non-overlapping", boundary="line")
    assert said(side(texts, Policy()), side(texts, b))[1].startswith("of a + a, A counts overlapping windows")


def test_fields_that_decide_only_together_are_all_named() -> None:
    # Windows of aaaa: 4 - 1. Runs of two: 4 // 2. Windows of aaa and a: 2. Runs of two of aaa and a: 1.
    texts = corpus(b"aaaa", b"bc", b"bc")
    b = Policy(counting="non-overlapping", boundary="pattern:.{3}")
    assert said(side(texts, Policy()), side(texts, b))[1] == (
        "of a + a, A counts 3 (counting=overlapping boundary=document unmatched=kept), "
        "B counts 1 (counting=non-overlapping boundary=pattern:.{3} unmatched=kept)"
    )


def test_a_boundary() -> None:
    texts = corpus(b"a b", b"a b", b"a b", b"cd", b"cd")
    where, sentence = said(side(texts, Policy()), side(texts, Policy(boundary="whitespace")))
    assert sentence == "B's boundary whitespace cuts between   and b where A's document does not: A counts 3, B 0"
    assert (where.standings[0].counts, where.standings[1].counts) == ((3, 2), (0, 2))


def test_a_least_count() -> None:
    texts = corpus(b"ababc")
    where, sentence = said(side(texts, Policy()), side(texts, Policy(min_count=2)))
    # ab (2) is common; then ab ab c: A takes (ab, c) with 1 by smaller right id, B has nothing that occurs twice.
    assert sentence == "B stops: min_count 2, and ab + c counts 1"
    assert (where.rank, where.pairs[1], where.standings[1].best) == (1, None, 0)


@pytest.mark.parametrize(
    ("rule", "words"), [("inclusive", "length bound of 2"), ("exclusive", "length bound of 2 (exclusive)")]
)
def test_a_length_bound(rule: str, words: str) -> None:
    texts = corpus(b"abcabc")
    bounded = Policy(max_token_length=2, length_rule=rule)
    where, sentence = said(side(texts, Policy()), side(texts, bounded))
    assert sentence == f"B's {words} excludes abc"
    assert (where.rank, where.standings[1].counts) == (1, (2, None))


def test_a_filter_of_pieces() -> None:
    # Words begin with U+2581, which the filter allows in front only.
    words = Policy(alphabet="characters", base_order="code-point", normalizer="none", boundary="document")
    texts = corpus("a▁a▁".encode())
    filtered = words.changed(piece_filter="sentencepiece")
    assert said(side(texts, words), side(texts, filtered))[1] == "B's piece filter sentencepiece excludes a▁"


def test_a_list_that_only_ends() -> None:
    texts = corpus(b"abcabc")
    where, sentence = said(side(texts, Policy(budget=1)), side(texts, Policy()))
    assert (where.rank, where.pairs[0], sentence) == (1, None, "A ends: budget of 1 merge used")


def test_other_base_tokens() -> None:
    texts = corpus("яя".encode())
    sentence = said(side(texts, Policy()), side(texts, Policy(alphabet="characters", base_order="code-point")))[1]
    assert sentence == "A has no token я: its base tokens are bytes"


def foreign(texts: Corpus, policy: Policy, merges: int) -> MergeList:
    """The list of a run, as a file that says nothing of its tie rule."""
    trainer = Trainer(texts, policy)
    trainer.seek(merges)
    return replace(merge_list_of(trainer), format="tiktoken", policy=Policy())


def test_the_tie_rule_of_a_file_is_found_by_its_ties() -> None:
    """Three ties: all of ab, cd, ef, gh once; then three of them, then two; only the greater bytes take gh, ef, cd."""
    texts = corpus(b"ab", b"cd", b"ef", b"gh")
    merges = foreign(texts, Policy(tie_break="largest-bytes"), 4)
    file, rules = replayed("f", merges, texts, known=False), side(texts, Policy())
    assert said(rules, file)[1] == "both count 1; A takes the smaller ids, B (by its first 3 ties) the greater bytes"
    assert said(file, rules)[1] == "both count 1; A (by its first 3 ties) takes the greater bytes, B the smaller ids"


def test_one_tie_may_leave_several_rules() -> None:
    texts = corpus(b"cd", b"ab")
    file = replayed("f", foreign(texts, Policy(tie_break="largest-bytes"), 1), texts, known=False)
    assert said(side(texts, Policy()), file)[1] == (
        "both count 1; A takes the smaller ids, "
        "B (by its first tie) the pair that stands first in the text or the greater bytes"
    )


def test_a_tie_that_no_known_rule_takes() -> None:
    texts = corpus(b"ab", b"cd", b"ef")
    merges = foreign(texts, Policy(), 3)
    middle = replace(merges, pairs=(merges.pairs[1],))
    file = replayed("f", middle, texts, known=False)
    assert said(side(texts, Policy()), file)[1] == (
        "both count 1; A takes the smaller ids, no rule known here fits B's first tie"
    )
    greatest = replayed("g", foreign(texts, Policy(tie_break="largest-bytes"), 3), texts, known=False)
    assert said(file, greatest)[1] == (
        "both count 1; no rule known here fits A's first tie, B (by its first 2 ties) takes the greater bytes"
    )


def test_ids_follow_the_order_of_bytes_in_the_file() -> None:
    """In a file that numbers the bytes from 255 down, the smaller ids of ab, cd and ef are those of ef."""
    texts = corpus(b"ab", b"cd", b"ef")
    down = tuple(Token(bytes([byte])) for byte in reversed(range(256)))
    number = {token.data: i for i, token in enumerate(down)}
    pairs = tuple((number[left], number[right]) for left, right in ((b"e", b"f"), (b"c", b"d"), (b"a", b"b")))
    merges = MergeList("f", "tiktoken", Policy(), down, pairs, range(259))
    where, sentence = said(side(texts, Policy()), replayed("f", merges, texts, known=False))
    assert sentence == (
        "both count 1; A takes the smaller ids in byte-value order, "
        "B (by its first 2 ties) the smaller ids in its file's order or the greater bytes"
    )
    assert where.rank == 0


def test_a_rule_is_not_looked_for_beyond_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = corpus(b"ab", b"cd")
    a = side(texts, Policy())
    b = replayed("f", foreign(texts, Policy(tie_break="largest-bytes"), 2), texts, known=False)
    monkeypatch.setattr(memory, "free_memory", lambda: 0)
    assert said(a, b)[1] == "both count 1; A takes the smaller ids, B's file names no tie rule"


def test_a_list_is_replayed_by_the_cut_that_explains_it() -> None:
    """In lines ab, ac and b + LF count 2 each; across them LF + a counts 3. Then ac and a + bLF count 2 each."""
    texts = corpus(b"ab\nab\nac\nac")
    merges = foreign(texts, Policy(boundary="line", tie_break="largest-bytes"), 3)
    a, file = side(texts, Policy(boundary="line")), replayed("f", merges, texts, known=False)
    assert said(a, file)[1] == (
        "B's list was not made from this corpus by what its file tells of its rule: it merges b + \n, which counts 2 "
        "where the corpus counts \n + a 3"
    )
    again = recut(file)
    assert again.cut is not None
    assert (again.cut.boundary, again.trainer.policy.boundary) == ("line", "line")
    assert said(a, again)[1] == "both count 2; A takes the smaller ids, B (by its first 2 ties) the greater bytes"
    assert recut(again).cut == again.cut
    assert recut(file, memory_limit=1).cut is None


def test_a_list_of_another_corpus() -> None:
    texts = corpus(b"ab", b"ab", b"cd")
    b = replayed("f", foreign(corpus(b"cd"), Policy(), 1), texts, known=False)
    where, sentence = said(side(texts, Policy()), b)
    assert sentence == (
        "B's list was not made from this corpus by what its file tells of its rule: it merges c + d, which counts 1 "
        "where the corpus counts a + b 2"
    )
    assert where.standings[1].maximal == (True, False)


@pytest.mark.parametrize("layout", ["raw", "framed"])
def test_special_tokens_of_a_list_are_cut_out_of_the_corpus_again(layout: str) -> None:
    policy = Policy(special_tokens=("<s>",), boundary="line", id_layout=layout)
    texts = corpus(b"ab<s>ab<s>", b"<s>")
    a = side(texts, policy)
    again = replayed("same", a.merges, texts, known=True)
    assert divergence(a, again) is None
    assert again.trainer.kernel.count((ord("<"), ord("s"))) == 0
    assert a.trainer.kernel.count((ord("<"), ord("s"))) == 0


def test_agreement_counts_what_is_named() -> None:
    texts = corpus(b"ab", b"cd")
    a, b = side(texts, Policy(), 1).merges, side(texts, Policy(tie_break="largest-bytes"), 2).merges
    found = agreement(a, b, [b"ab", b"cd", b"x", b""])
    assert (found.merges, found.prefix, found.common, found.either) == ((1, 2), 0, 1, 2)
    assert (found.texts, found.equal, found.refused, found.tokens) == (4, 3, 0, (4, 3))


def test_a_text_that_an_alphabet_lacks_is_told_apart() -> None:
    texts = corpus(b"ab")
    a, b = side(texts, Policy()), side(texts, Policy(alphabet="characters", base_order="code-point"))
    found = agreement(a.merges, b.merges, [b"ab", b"z"])
    assert (found.texts, found.equal, found.refused) == (1, 1, 1)


@given(weighted_corpora(), st.sampled_from(["smallest-ids", "first-seen", "largest-bytes"]))
def test_a_list_equals_itself_to_the_end(texts: Corpus, tie: str) -> None:
    a = side(texts, Policy(tie_break=tie), 12)
    b = replayed("again", a.merges, texts, known=True)
    assert divergence(a, b) is None
    found = agreement(a.merges, b.merges, [d.data[:] for d in texts.training])
    assert (found.common, found.equal, found.tokens[0]) == (found.either, found.texts, found.tokens[1])


def plain_training(
    texts: list[list[bytes]], weights: list[int], merges: int, smaller: bool
) -> list[tuple[bytes, bytes]]:
    """Training by joining byte strings, ties by the smaller age of the operands or by the greater bytes."""
    ages = {bytes([b]): b for b in range(256)}
    learned: list[tuple[bytes, bytes]] = []
    while len(learned) < merges:
        counts: Counter[tuple[bytes, bytes]] = Counter()
        for text, weight in zip(texts, weights, strict=True):
            for pair in pairwise(text):
                counts[pair] += weight
        if not counts:
            break
        tied = [pair for pair, count in counts.items() if count == max(counts.values())]
        left, right = min(tied, key=lambda p: (ages[p[0]], ages[p[1]])) if smaller else max(tied)
        learned.append((left, right))
        ages.setdefault(left + right, 256 + len(ages))
        for text in texts:
            at = 0
            while at < len(text) - 1:
                if (text[at], text[at + 1]) == (left, right):
                    text[at : at + 2] = [left + right]
                at += 1
    return learned


@given(weighted_corpora())
def test_tie_rules_part_where_an_independent_trainer_parts(texts: Corpus) -> None:
    documents = [d.data[:] for d in texts.training]
    weights = [d.weight for d in texts.training]

    def independent(smaller: bool) -> list[tuple[bytes, bytes]]:
        return plain_training([[bytes([b]) for b in d] for d in documents], weights, 10, smaller)

    a, b = side(texts, Policy(), 10), side(texts, Policy(tie_break="largest-bytes"), 10)
    expected = independent(True), independent(False)
    rank = next((r for r, (x, y) in enumerate(zip(*expected, strict=True)) if x != y), None)
    assert (pairs(a), pairs(b)) == expected
    assert first_difference(joined(a.merges), joined(b.merges)) == rank
    where = divergence(a, b)
    assert (where.rank if where else None) == rank
    if where is not None:
        assert parting(a, b, where).sentence[0] == (
            f"both count {where.standings[0].best}; A takes the smaller ids, B the greater bytes"
        )


def test_a_list_that_its_rule_ends_is_told_from_one_that_only_ends() -> None:
    texts = corpus(b"ababc")
    ended = side(texts, Policy(min_count=2))
    again = replayed("again", ended.merges, texts, known=True)
    assert said(side(texts, Policy()), again)[1] == "B stops: min_count 2, and ab + c counts 1"


@given(weighted_corpora(), training_policies(), training_policies())
def test_any_two_policies_are_compared_with_true_counts(texts: Corpus, first: Policy, second: Policy) -> None:
    a, b = side(texts, first, 8), side(texts, second, 8)
    where = divergence(a, b)
    assert (where is None) == (joined(a.merges) == joined(b.merges))
    if where is None:
        return
    assert joined(a.merges)[: where.rank] == joined(b.merges)[: where.rank]
    assert parting(a, b, where)
    for one, own, here in zip((a, b), where.pairs, where.standings, strict=True):
        recount = Trainer(texts, one.trainer.policy, kernel="reference")
        recount.seek(where.rank)
        names = [Token(token.data, token.ends_word) for token in recount.vocabulary]
        counts = {(names[x], names[y]): count for (x, y), count in recount.kernel.top(recount.kernel.live_pairs())}
        for pair, count in zip(where.pairs, here.counts, strict=True):
            assert (count or 0) == (counts.get(pair, 0) if pair else 0)
        assert (here.best, here.ties) == (next((c for _, c in recount.ties()), 0), len(recount.ties()))
        if own is not None:
            assert here.maximal[where.pairs.index(own)]

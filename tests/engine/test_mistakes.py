"""Wrong lists made by an independent trainer that makes one known mistake: each is found, with counts by hand."""

import pytest
import regex
from hypothesis import given
from plainly import TEXT, WORDS, Choice, Counts, Pair, letters, plain
from runs import corpus, training_policies, weighted_corpora

from engine.alphabet import Token
from engine.check import Finding, Wrong, check, findings, learned
from engine.compare import Joined
from engine.corpus.document import Corpus
from engine.mistakes import known_mistakes
from engine.policy import Policy
from engine.trainer import Trainer

RIGHT = Policy(boundary="gpt2", tie_break="largest-bytes")
"""The rule of Stanford's CS336, without a special token."""


LINES = TEXT.splitlines(keepends=True)


def never_lowered(kept: Counts, true: Counts) -> Counts:
    """A pair keeps its highest count; those that were merged have none."""
    return {pair: max(kept.get(pair, 0), count) for pair, count in (kept | true).items()}


def judged(texts: Corpus, policy: Policy, wanted: list[Joined]) -> tuple[Wrong | None, list[Finding]]:
    trainer = Trainer(texts, policy.changed(budget=policy.budget or len(wanted)))
    trainer.learn(trainer.budget or 0)
    wrong = check(trainer, wanted)
    return wrong, findings(trainer, wanted, wrong, lambda done, total: None) if wrong else []


def test_a_right_list() -> None:
    wanted = plain(regex.findall(WORDS, TEXT), 120)
    assert judged(corpus(TEXT.encode()), RIGHT, wanted) == (None, [])


@pytest.mark.parametrize(
    ("name", "choose"),
    [
        ("tie:first-seen", lambda tied: tied[0]),
        ("tie:largest-joined", lambda tied: max(tied, key=lambda pair: pair[0] + pair[1])),
        ("tie:largest-letters", lambda tied: max(tied, key=letters)),
        ("tie:smallest-bytes", min),
    ],
)
def test_ties_that_went_wrong(name: str, choose: Choice) -> None:
    wanted = plain(regex.findall(WORDS, TEXT), 60, choose)
    right = plain(regex.findall(WORDS, TEXT), 60)
    rank = next(at for at, (a, b) in enumerate(zip(wanted, right, strict=True)) if a != b)
    wrong, found = judged(corpus(TEXT.encode()), RIGHT, wanted)
    assert wrong is not None
    assert (wrong.rank, wrong.pairs) == (rank, (right[rank], wanted[rank]))
    assert wrong.standing.counts[0] == wrong.standing.counts[1] == wrong.standing.best
    assert name in [finding.mistake.name for finding in found if finding.whole]
    assert [finding.merges for finding in found] == sorted((f.merges for f in found), reverse=True)
    assert all(finding.merges > rank for finding in found)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("counting", plain(regex.findall(WORDS, TEXT), 60, runs=True)),
        ("boundary:document", plain([TEXT], 60)),
        ("boundary:line", plain(LINES, 60)),
        ("boundary:whitespace", plain(TEXT.split(), 60)),
        ("boundary:gpt2-by-line", plain([w for line in LINES for w in regex.findall(WORDS, line)], 60)),
        ("weights", plain(regex.findall(WORDS, TEXT), 60, weighted=False)),
        ("counts:never-lowered", plain(regex.findall(WORDS, TEXT), 60, known=never_lowered)),
        ("counts:once", plain(regex.findall(WORDS, TEXT), 60, known=lambda kept, true: kept or true)),
    ],
)
def test_counts_that_went_wrong(name: str, wanted: list[Joined]) -> None:
    wrong, found = judged(corpus(TEXT.encode()), RIGHT, wanted)
    assert wrong is not None
    assert (found[0].mistake.name, found[0].whole, found[0].merges) == (name, True, 60)


def test_special_tokens_counted_as_text() -> None:
    policy = RIGHT.changed(special_tokens=("<s>",))
    wanted = plain(regex.findall(WORDS, TEXT), 80)
    wrong, found = judged(corpus(TEXT.encode()), policy, wanted)
    assert wrong is not None
    assert (found[0].mistake.name, found[0].whole) == ("specials", True)


def test_special_tokens_that_were_used_as_patterns() -> None:
    text = "pass<|s|>grass || mass<|s|>class || <b> brass"
    parts = regex.split("<|s|>", text)
    wanted = plain([word for part in parts for word in regex.findall(WORDS, part)], 12)
    wrong, found = judged(corpus(text.encode()), RIGHT.changed(special_tokens=("<|s|>",)), wanted)
    assert wrong is not None
    assert ("specials:unescaped", True) in [(finding.mistake.name, finding.whole) for finding in found]


def test_a_least_count_off_by_one() -> None:
    # ab ab: two pairs stand twice, a b; then only " ab" + ... which stands once.
    texts = corpus(b"xab", b"yab")
    one, two = Policy(), Policy(min_count=2)
    goes_on = [(Token(b"a"), Token(b"b")), (Token(b"x"), Token(b"ab")), (Token(b"y"), Token(b"ab"))]
    wrong, found = judged(texts, two, goes_on)
    assert wrong is not None
    assert said(wrong) == "the list merges x + ab, which counts 1, but training has ended: min_count is 2"
    assert next((f.mistake.name, f.merges, f.whole) for f in found) == ("min_count:1", 3, True)
    wrong, found = judged(texts, one.changed(budget=3), goes_on[:1])
    assert wrong is not None
    assert said(wrong) == "the list ends before 3 merges; next comes x + ab, which counts 1"
    assert [(f.mistake.name, f.merges, f.whole) for f in found] == [("min_count:2", 1, True)]


def said(wrong: Wrong) -> str:
    return "".join(part.symbol if isinstance(part, Token) else part for part in wrong.sentence)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ((b"ab", b"zz"), "the list merges ab + zz, but zz is no base token and no merge makes it"),
        ((b"a", b"b"), "the list merges a + b, which is already merged at rank 0"),
        ((b"c", b"d"), "the list merges c + d, which counts 1; ab + ab counts 3"),
        ((b"a", b"d"), "the list merges a + d, which counts 0; ab + ab counts 3"),
    ],
)
def test_a_merge_that_no_mistake_gives(second: Pair, words: str) -> None:
    # abab abab: ab counts 4 in all, then ab + ab three times (abababab).
    wanted = [(Token(b"a"), Token(b"b")), (Token(second[0]), Token(second[1]))]
    wrong, found = judged(corpus(b"abababab", b"cd"), Policy(), wanted)
    assert wrong is not None
    assert (wrong.rank, said(wrong).startswith(words)) == (1, True)
    assert found == []


def test_a_merge_that_comes_before_its_turn() -> None:
    # After ab and ab + ab: c + d and abab + abab count 1 each, and c has the smaller id.
    wanted = [(Token(b"a"), Token(b"b")), (Token(b"c"), Token(b"d")), (Token(b"ab"), Token(b"ab"))]
    wrong, _ = judged(corpus(b"abababab", b"cd"), Policy(), wanted)
    assert wrong is not None
    assert said(wrong) == "the list merges c + d, which counts 1 (its turn is rank 2); ab + ab counts 3"


def test_a_merge_that_comes_before_what_it_joins() -> None:
    wanted = [(Token(b"ab"), Token(b"ab")), (Token(b"c"), Token(b"d")), (Token(b"a"), Token(b"b"))]
    wrong, _ = judged(corpus(b"abababab", b"cd"), Policy(), wanted)
    assert wrong is not None
    assert said(wrong) == "the list merges ab + ab, but ab is made only at rank 2"


def test_a_tie_is_told_with_its_rule() -> None:
    wrong, _ = judged(corpus(b"ab", b"cd"), Policy(), [(Token(b"c"), Token(b"d"))])
    assert wrong is not None
    assert said(wrong) == "both count 1; the tie goes to the smaller ids: a + b, not c + d"


def test_words_of_characters() -> None:
    policy = Policy(
        alphabet="characters", end_of_word="fused", base_order="code-point", boundary="spaces", unmatched="dropped",
        tie_break="largest-symbols", min_count=2,
    )  # fmt: skip
    # o+w</w> and l+o stand twice each; the greater pair of strings is (o, w</w>), the greater joined one too.
    wanted = [(Token(b"l"), Token(b"o"))]
    wrong, found = judged(corpus(b"low low"), policy, wanted)
    assert wrong is not None
    assert wrong.pairs[0] == (Token(b"o"), Token(b"w", ends_word=True))
    assert {"tie:smallest-ids", "tie:first-seen", "tie:smallest-joined"} <= {f.mistake.name for f in found}


def test_every_mistake_changes_something_and_has_its_own_name() -> None:
    for policy in (Policy(), RIGHT.changed(special_tokens=("<s>",), min_count=2, max_token_length=8)):
        mistakes = list(known_mistakes(policy))
        assert len({m.name for m in mistakes}) == len(mistakes)
        assert all(m.policy != policy or m.order or m.kernel or not m.weighted for m in mistakes)


@given(weighted_corpora(), training_policies(), training_policies())
def test_what_is_found_reproduces_the_list_as_far_as_it_says(texts: Corpus, right: Policy, other: Policy) -> None:
    source = Trainer(texts, other)
    source.learn(6)
    wanted = learned(source.kernel)
    wrong, found = judged(texts, right, wanted)
    if wrong is None:
        return
    assert said(wrong)
    for finding in found:
        assert wrong.rank < finding.merges or (finding.whole and wrong.pairs[1] is None)
        if finding.mistake.order is None and finding.mistake.kernel is None and finding.mistake.weighted:
            trainer = Trainer(texts, finding.mistake.policy, kernel="reference")
            trainer.learn(len(wanted))
            assert learned(trainer.kernel)[: finding.merges] == wanted[: finding.merges]
            assert finding.whole or learned(trainer.kernel) != wanted

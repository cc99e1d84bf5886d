"""Policies: one line that parses back, every contradiction refused, and the four profiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import corpus, training_policies

from engine.errors import PolicyRefusal, TokenizerRefusal
from engine.layout import Layout
from engine.limits import COURSE_LIMITS, Limits
from engine.policy import MOST_MERGES, Policy, parse_policy
from engine.profiles import PROFILES, profile
from engine.trainer import Trainer

specials = st.lists(st.text(min_size=1), max_size=3).map(tuple)


@given(training_policies(), specials, st.none() | st.text(), st.none() | st.integers(0, MOST_MERGES), st.booleans())
def test_a_policy_prints_as_one_line_and_parses_back(
    policy: Policy, special_tokens: tuple[str, ...], pattern: str | None, budget: int | None, exact: bool
) -> None:
    policy = policy.changed(special_tokens=special_tokens, budget=budget, exact=exact and budget is not None)
    if pattern is not None:
        policy = policy.changed(boundary=f"pattern:{pattern}")
    line = str(policy)
    assert line.isascii()
    assert line.isprintable()
    assert parse_policy(line) == policy
    assert Policy.from_dict(policy.to_dict()) == policy


def test_the_line_names_what_differs_from_the_default() -> None:
    policy = Policy(boundary="gpt2", budget=300, special_tokens=("<|end of text|>",))
    words = str(policy).split(" ")
    assert words[0] == "bpe"
    assert {"boundary=gpt2", "budget=300"} <= set(words)
    assert str(policy).count('"<|end of text|>"') == 1


def test_words_may_come_in_any_order_with_any_spaces() -> None:
    assert parse_policy("bpe  exact=yes   budget=3 ") == Policy(budget=3, exact=True)
    assert parse_policy("bpe") == Policy()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("", "the word bpe"),
        ("ppe budget=1", "'ppe'"),
        ("bpe budget", "'budget'"),
        ("bpe colour=red", "'colour=red'"),
        ("bpe budget=1 budget=2", "budget twice"),
        ("bpe budget=-1", "budget cannot be '-1'"),
        ("bpe budget=1.5", "budget cannot be '1.5'"),
        ("bpe budget=٣", "budget cannot be"),
        ("bpe budget=" + "9" * 5000, "budget cannot be '999"),
        ("bpe exact=true budget=1", "exact cannot be 'true': yes or no"),
        ("bpe tie_break=random", "tie_break='random' is unknown: choose smallest-ids"),
        ("bpe boundary=words", "boundary='words' is unknown"),
        ('bpe boundary="pattern:a', "not a JSON value"),
        ('bpe boundary="gpt2"x', "put a space there"),
        ("bpe special_tokens=[1]", "special_tokens cannot be [1]: a list of strings"),
        ("bpe special_tokens=" + "[" * 9999, "not a JSON value"),
        ('bpe special_tokens=[""]', "empty string"),
        ('bpe special_tokens=["a\\ud800"]', "holds 'a\\ud800': no bytes"),
        ('bpe min_count="3"', "min_count cannot be '3'"),
        ("bpe min_count=0", "min_count=0 is out of range"),
        ("bpe max_token_length=0", "max_token_length=0 is out of range"),
        (f"bpe budget={MOST_MERGES + 1}", f"give 0 to {MOST_MERGES}"),
        ("bpe exact=yes", "exact needs a budget"),
        ("bpe base_order=code-point", "does not fit alphabet=bytes"),
        ("bpe alphabet=characters", "does not fit alphabet=characters"),
        ("bpe alphabet=characters base_order=as-given base_bytes=seen", "needs alphabet=bytes"),
        ("bpe alphabet=characters base_order=as-given end_of_word=fused", "choose a boundary"),
    ],
)
def test_a_line_that_is_no_policy_is_refused_in_one_line_that_says_where(line: str, names: str) -> None:
    with pytest.raises(PolicyRefusal) as caught:
        parse_policy(line)
    assert names in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({"color": 1}, "no field 'color'"),
        ({"budget": True}, "budget cannot be True"),
        ({"min_count": None}, "min_count cannot be None"),
        ({"exact": 1}, "exact cannot be 1"),
        ({"special_tokens": "abc"}, "special_tokens cannot be 'abc'"),
        ({"boundary": 7}, "boundary cannot be 7"),
    ],
)
def test_plain_values_of_a_wrong_type_are_refused(values: dict[str, object], names: str) -> None:
    with pytest.raises(PolicyRefusal) as caught:
        Policy.from_dict(values)
    assert names in str(caught.value)


def test_a_vocabulary_budget_counts_controls_specials_and_base_tokens() -> None:
    policy = Policy(budget=300, budget_unit="vocabulary", id_layout="framed", special_tokens=("<pad>",))
    assert Trainer(corpus(b"abab"), policy).budget == 300 - 256 - 2 - 1
    with pytest.raises(PolicyRefusal, match="256 base tokens and 3 controls and specials need 259"):
        Trainer(corpus(b"abab"), policy.changed(budget=258))


def test_the_highest_id_is_the_highest_u32() -> None:
    raw, framed = Layout(Policy(), 256), Layout(Policy(id_layout="framed"), 256)
    raw.check_merges(4_294_967_040)
    framed.check_merges(4_294_967_038)
    assert framed.of_rank(4_294_967_037) == 2**32 - 1
    with pytest.raises(TokenizerRefusal, match="4294967041 merges exceed the u32 token-ID space"):
        raw.check_merges(4_294_967_041)
    with pytest.raises(TokenizerRefusal, match="4294967039 merges exceed the u32 token-ID space"):
        framed.check_merges(4_294_967_039)


def test_the_first_profiles_are_the_four_specifications() -> None:
    assert list(PROFILES)[:4] == ["course", "incremental", "sennrich", "weighted-words"]
    assert profile("course").policy == Policy()
    assert profile("incremental").policy.id_layout == "framed"
    assert profile("incremental").limits == COURSE_LIMITS
    with pytest.raises(PolicyRefusal, match="profile 'gpt5' is unknown: choose course, incremental"):
        profile("gpt5")


@pytest.mark.parametrize(
    ("name", "value"),
    [("nodes", 0), ("nodes", 2**32), ("trace_values", -1), ("vocabulary_bytes", 255), ("artifact_bytes", 2**63)],
)
def test_limits_out_of_range_are_refused(name: str, value: int) -> None:
    with pytest.raises(PolicyRefusal, match=f"limit {name}={value} is out of range"):
        Limits().replaced({name: value})


def test_an_unknown_limit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(PolicyRefusal, match="unknown limit memory: the limits are nodes, documents"):
        Limits().replaced({"memory": 1})

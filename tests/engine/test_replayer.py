"""What the ties of a list tell: lists of an independent trainer that breaks ties in one way, and lists made by hand."""

from collections.abc import Callable

import pytest
import regex
from hypothesis import given
from plainly import TEXT, WORDS, Choice, Pair, by_ids, letters, plain
from runs import corpus, training_policies, weighted_corpora

from engine.alphabet import Token, byte_order
from engine.check import linked
from engine.compare import Joined
from engine.corpus.document import Corpus
from engine.given import Given
from engine.orders import known_orders
from engine.policy import Policy
from engine.replayer import Inferred, inferred
from engine.trainer import Trainer

GPT2 = Policy(boundary="gpt2")


def replayed(texts: Corpus, wanted: list[Joined], policy: Policy) -> Trainer:
    alphabet = Trainer(texts, policy).units.alphabet
    return Trainer(texts, policy, given=Given(alphabet.tokens, tuple(linked(wanted, alphabet))))


def names(found: Inferred) -> list[str]:
    return [order.name for order in found.orders]


@pytest.mark.parametrize(
    ("name", "chooser"),
    [
        ("smallest-ids", by_ids),
        ("first-seen", lambda: lambda tied: tied[0]),
        ("largest-bytes", lambda: max),
        ("smallest-bytes", lambda: min),
        ("shortest-then-smallest-joined", lambda: lambda t: min(t, key=lambda p: (len(p[0] + p[1]), p[0] + p[1]))),
        ("largest-ids", lambda: by_ids(greatest=True)),
        ("smallest-ids-bytemap", lambda: by_ids(byte_order("bytemap"))),
        ("largest-joined", lambda: lambda tied: max(tied, key=lambda pair: pair[0] + pair[1])),
        ("smallest-joined", lambda: lambda tied: min(tied, key=lambda pair: pair[0] + pair[1])),
        ("largest-letters", lambda: lambda tied: max(tied, key=letters)),
        ("smallest-letters", lambda: lambda tied: min(tied, key=letters)),
    ],
)
def test_the_order_that_broke_all_ties(name: str, chooser: Callable[[], Choice]) -> None:
    choose, ties = chooser(), 0

    def counting(tied: list[Pair]) -> Pair:
        nonlocal ties
        ties += len(tied) > 1
        return choose(tied)

    wanted = plain(regex.findall(WORDS, TEXT), 120, counting)
    found = inferred(replayed(corpus(TEXT.encode()), wanted, GPT2), 0)
    assert (found.ties, names(found)) == (ties, [name])


def test_every_order_of_bytes_is_tried_above() -> None:
    (mark,) = test_the_order_that_broke_all_ties.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for case in mark.args[1]} == {order.name for order in known_orders(Policy())}


def merges(*pairs: tuple[bytes, bytes]) -> list[Joined]:
    return [(Token(left), Token(right)) for left, right in pairs]


def test_one_tie_leaves_several_orders() -> None:
    """`cd` before `ab`: it stands first and has the greater bytes; the ids of `ab` are smaller."""
    found = inferred(replayed(corpus(b"cd", b"ab"), merges((b"c", b"d")), Policy()), 0)
    assert (found.ties, names(found)) == (1, ["first-seen", "largest-bytes"])


def test_no_order_takes_the_one_in_the_middle() -> None:
    found = inferred(replayed(corpus(b"ab", b"cd", b"ef"), merges((b"c", b"d")), Policy()), 0)
    assert found == Inferred(1, ())


def test_ties_behind_a_merge_that_is_no_maximum_do_not_count() -> None:
    """ab and cd stand twice, the others once: cd, the greater; then ij, no maximum; then ab alone; ef, the smaller."""
    texts = corpus(b"ab", b"cd", b"ab", b"cd", b"ef", b"gh", b"ij")
    wanted = merges((b"c", b"d"), (b"i", b"j"), (b"a", b"b"), (b"e", b"f"))
    found = inferred(replayed(texts, wanted, Policy()), 0)
    assert (found.ties, names(found)) == (1, ["largest-bytes"])
    assert inferred(replayed(texts, wanted, Policy()), 2) == Inferred(2, ())


@given(weighted_corpora(), training_policies())
def test_the_rule_of_a_run_fits_its_own_ties(texts: Corpus, policy: Policy) -> None:
    run = Trainer(texts, policy)
    run.learn(12)
    replay = Trainer(texts, policy, given=Given(run.units.alphabet.tokens, tuple(run.merge_list())))
    found = inferred(replay, 0)
    assert found.ties == sum(merge.evidence.candidate_count == merge.evidence.runner_up_count for merge in run.merges)
    if policy.tie_break in {order.name for order in known_orders(policy)}:
        assert policy.tie_break in names(found)

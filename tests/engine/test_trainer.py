"""The trainer: the issue's first two demonstrations, moving, stopping, evidence and limits, all by hand."""

import re
from unittest.mock import patch

import pytest
from runs import KERNELS, corpus, rows, summary, trained

from engine.alphabet import Token
from engine.corpus.document import Corpus, Document, Split, corpus_of
from engine.errors import LimitRefusal, PolicyRefusal, TokenizerRefusal
from engine.given import Given
from engine.kernel import Evidence
from engine.kernel.queue import PairQueue
from engine.limits import Limits
from engine.policy import Policy
from engine.trainer import Merge, Trainer

FRAMED = Policy(id_layout="framed")
each_kernel = pytest.mark.parametrize("kernel", KERNELS)


@each_kernel
def test_aaa_aba_with_its_ties_and_its_end(kernel: str) -> None:
    trainer = trained(b"aaa", b"aba", merges=99, kernel=kernel)
    a, b = 97, 98
    assert [m.evidence for m in trainer.merges] == [
        Evidence((a, a), 2, 1, 1, (a, b), 1),
        Evidence((a, b), 1, 1, 3, (b, a), 1),
        Evidence((256, a), 1, 1, 2, (257, a), 1),
        Evidence((257, a), 1, 1, 1, None, 0),
    ]
    assert [m.content.data for m in trainer.merges] == [b"aa", b"ab", b"aaa", b"aba"]
    assert (trainer.rank, trainer.finished, trainer.stop_reason) == (4, True, "no pair left")
    trainer.seek(2)
    assert [rows(trainer, 0), rows(trainer, 1)] == [[256, a], [257, a]]


@each_kernel
def test_zero_merges_change_nothing_and_documents_are_barriers(kernel: str) -> None:
    trainer = trained(b"aaa", b"aba", merges=0, kernel=kernel)
    assert [rows(trainer, 0), rows(trainer, 1)] == [[97, 97, 97], [97, 98, 97]]
    assert (trainer.rank, trainer.learned, len(trainer.vocabulary), trainer.tokens) == (0, 0, 256, 6)
    apart = trained(b"a", b"a", merges=1, kernel=kernel)
    assert (apart.rank, apart.kernel.live_pairs(), apart.ties()) == (0, 0, [])


@each_kernel
def test_abab_abac_in_framed_ids(kernel: str) -> None:
    trainer = trained(b"abab", b"abac", merges=3, policy=FRAMED, kernel=kernel)
    assert summary(trainer) == [(99, 100, 3, 3, 258), (99, 101, 1, 1, 259), (258, 258, 1, 1, 260)]
    assert [m.evidence.tie_size for m in trainer.merges] == [1, 3, 2]
    assert [rows(trainer, 0), rows(trainer, 1)] == [[260], [258, 259]]
    frozen = trainer.tokenizer(2)
    assert frozen.encode(b"acac") == [259, 259]
    assert frozen.frame(frozen.encode(b"acac")) == [0, 259, 259, 1]
    assert [frozen.frame(frozen.encode(d.data[:])) for d in trainer.documents] == [[0, 258, 258, 1], [0, 258, 259, 1]]


@each_kernel
def test_the_published_counts_before_each_round(kernel: str) -> None:
    trainer = Trainer(corpus(b"abab", b"abac"), Policy(), kernel=kernel)
    assert trainer.kernel.top(9) == [((97, 98), 3), ((98, 97), 2), ((97, 99), 1)]
    trainer.step()
    assert trainer.kernel.top(9) == [((97, 99), 1), ((256, 97), 1), ((256, 256), 1)]
    assert trainer.ties() == trainer.kernel.top(9)
    trainer.back()
    assert trainer.ties() == [((97, 98), 3)]


@each_kernel
def test_the_next_pair_is_the_one_that_the_next_step_merges(kernel: str) -> None:
    trainer = Trainer(corpus(b"the thin thing", b"then"), Policy(min_count=2), kernel=kernel)
    foretold = []
    while (pair := trainer.next_pair()) is not None:
        foretold.append(pair)
        trainer.step()
        trainer.back()
        assert trainer.next_pair() == pair
        trainer.seek(len(foretold))
    assert foretold == [m.evidence.pair for m in trainer.merges]
    assert (trainer.step(), trainer.next_pair()) == (None, None)


@each_kernel
def test_a_list_is_grown_as_if_it_had_been_one_run(kernel: str) -> None:
    texts = corpus(b"the thin thing", b"then the thief thinks", b"aaaa aaa aa")
    whole = Trainer(texts, Policy(boundary="gpt2"))
    whole.seek(1000)
    for known in (0, 1, 7, len(whole.merges)):
        grown = Trainer(
            texts, Policy(boundary="gpt2"), kernel=kernel, given=Given(pairs=tuple(whole.merge_list()[:known]))
        )
        grown.seek(1000)
        assert list(grown.merges) == list(whole.merges)
        assert grown.tokenizer().encode(b"thinking") == whole.tokenizer().encode(b"thinking")


@each_kernel
def test_a_given_merge_of_no_occurrence_and_what_the_rules_would_have_chosen(kernel: str) -> None:
    trainer = Trainer(corpus(b"ababac"), Policy(), kernel=kernel, given=Given(pairs=((122, 122), (97, 99))))
    first, second = trainer.step(), trainer.step()
    assert first is not None
    assert (first.evidence, first.content.data) == (Evidence((122, 122), 0, 0, 0, (97, 98), 2), b"zz")
    assert second is not None
    assert second.evidence == Evidence((97, 99), 1, 1, 1, (97, 98), 2)
    assert trainer.step() == Merge(2, Evidence((97, 98), 2, 2, 1, (98, 97), 1), 258, Token(b"ab", span=2))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(97, 98), (257, 98)], "merge rank 1 uses unknown token 257"),
        ([(97, 98), (97, 98)], "merge rank 1 repeats the pair (97, 98) of rank 0"),
    ],
)
def test_a_given_list_that_is_none_is_refused(given: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(TokenizerRefusal, match=re.escape(message)):
        Trainer(corpus(b"ab"), Policy(), given=Given(pairs=tuple(given)))


@each_kernel
def test_base_tokens_of_a_list_keep_their_ids_and_those_of_the_corpus_alone_follow(kernel: str) -> None:
    letters = Policy(alphabet="characters", base_order="as-given")
    given = Given((Token(b"z"), Token(b"b"), Token(b"a")), ((2, 1), (3, 3)))  # ab, abab
    trainer = Trainer(corpus(b"xabab"), letters, kernel=kernel, given=given)
    trainer.seek(2)
    assert [t.data for t in trainer.vocabulary] == [b"z", b"b", b"a", b"x", b"ab", b"abab"]
    assert trainer.merge_list() == [(2, 1), (4, 4)]
    assert [m.evidence.candidate_count for m in trainer.merges] == [2, 1]
    assert rows(trainer, 0) == [3, 5]


def test_the_next_pair_is_looked_for_once_a_rank() -> None:
    trainer = Trainer(corpus(b"abab", b"abac"), Policy(), kernel="python")
    with patch.object(trainer.kernel, "top", wraps=trainer.kernel.top) as top:
        assert [trainer.next_pair(), trainer.next_pair()] == [(97, 98)] * 2
        trainer.step()
        assert [trainer.next_pair(), trainer.next_pair()] == [(97, 99)] * 2
    assert top.call_count == 2


@each_kernel
def test_weights_count_like_repeated_documents(kernel: str) -> None:
    weighted = Trainer(corpus(b"abab", b"abac", weights=[3, 2]), FRAMED, kernel=kernel)
    written_out = Trainer(corpus(*[b"abab"] * 3, *[b"abac"] * 2), FRAMED, kernel=kernel)
    weighted.seek(6)
    written_out.seek(6)
    assert list(weighted.merges) == list(written_out.merges)
    assert weighted.tokens == written_out.tokens


@each_kernel
def test_stepping_back_and_seeking_reach_known_ranks_without_learning(kernel: str) -> None:
    trainer = trained(b"abab", b"abac", merges=3, kernel=kernel)
    undone = trainer.back()
    assert undone is not None
    assert (undone.rank, undone.token, trainer.rank, trainer.learned) == (2, 258, 2, 3)
    assert trainer.seek(0) == 0
    assert trainer.back() is None
    again = trainer.step()
    assert again is not None
    assert (again.rank, trainer.learned) == (0, 3)
    assert [t.data for t in trainer.vocabulary[256:]] == [b"ab", b"ac", b"abab"]
    assert trainer.merges[-1] == trainer.merges[2]
    assert trainer.merges[1:] == list(trainer.merges)[1:]


def test_learning_in_slices_stops_short_and_goes_on() -> None:
    trainer = Trainer(corpus(b"abababab" * 8), Policy())
    assert trainer.learn(5, budget_s=0) == 1
    assert trainer.learn(5) == 5
    trainer.seek(2)
    assert trainer.learn(6) == 6
    whole = trained(b"abababab" * 8, merges=6)
    assert list(trainer.merges) == list(whole.merges)


@each_kernel
def test_a_budget_ends_learning(kernel: str) -> None:
    trainer = trained(b"abab", b"abac", merges=9, policy=Policy(budget=2), kernel=kernel)
    assert (trainer.rank, trainer.stop_reason) == (2, "budget of 2 merges used")
    vocabulary = Policy(budget=257, budget_unit="vocabulary")
    assert trained(b"abab", b"abac", merges=9, policy=vocabulary, kernel=kernel).learned == 1


@each_kernel
def test_an_exact_budget_that_cannot_be_reached_is_refused(kernel: str) -> None:
    trainer = Trainer(corpus(b"a"), Policy(budget=1, exact=True), kernel=kernel)
    with pytest.raises(PolicyRefusal, match="training exhausted pairs before the exact merge count: learned 0 of 1"):
        trainer.step()
    assert trained(b"a", merges=1, policy=Policy(budget=1), kernel=kernel).learned == 0
    assert trained(b"ab", merges=1, policy=Policy(budget=1, exact=True), kernel=kernel).learned == 1
    fixture = Trainer(corpus(b"abab", b"abac"), Policy(budget=99, exact=True), kernel=kernel)
    with pytest.raises(PolicyRefusal, match="learned 4 of 99"):
        fixture.seek(99)


@each_kernel
def test_min_count_says_why_it_stops(kernel: str) -> None:
    trainer = trained(b"abab", b"abac", merges=9, policy=Policy(min_count=2), kernel=kernel)
    assert (trainer.learned, trainer.stop_reason) == (1, "no pair left that occurs 2 times")


def test_more_merges_than_ids_are_refused_before_training() -> None:
    with pytest.raises(TokenizerRefusal, match="exceed the u32 token-ID space"):
        Trainer(corpus(b"ab"), Policy(budget=4_294_967_039, id_layout="framed"))


@each_kernel
def test_held_out_documents_change_nothing(kernel: str) -> None:
    def run(held_out: bytes) -> Trainer:
        documents = [
            Document("a", b"abab"),
            Document("b", held_out, split=Split.VALIDATION),
            Document("c", b"abac"),
            Document("d", held_out * 2, split=Split.TEST),
        ]
        trainer = Trainer(corpus_of(b"", "test", "text", documents), Policy(), kernel=kernel)
        trainer.seek(9)
        return trainer

    first, second = run(b"zzzzzzzz"), run(b"acacacac")
    assert list(first.merges) == list(second.merges) == list(trained(b"abab", b"abac", merges=9).merges)
    assert [d.id for d in first.documents] == ["a", "c"]


def test_two_runs_are_equal() -> None:
    assert list(trained(b"banana bandana", merges=9).merges) == list(trained(b"banana bandana", merges=9).merges)


# Limits


def learn_two(limits: Limits, kernel: str, texts: Corpus | None = None) -> Trainer:
    trainer = Trainer(texts or corpus(b"ababac"), Policy(budget=2), limits, kernel)
    trainer.seek(2)
    return trainer


@each_kernel
@pytest.mark.parametrize(
    ("limits", "need"),
    [
        (Limits(nodes=5), 6),
        (Limits(pair_types=2), 3),
        (Limits(heap_entries=2), 3),
        (Limits(vocabulary_bytes=256), 258),
        (Limits(token_bytes=1), 2),
    ],
)
def test_each_limit_is_refused_with_its_name_value_and_need(kernel: str, limits: Limits, need: int) -> None:
    name, value = next((f, getattr(limits, f)) for f in Limits.__slots__ if getattr(limits, f) != getattr(Limits(), f))
    with pytest.raises(LimitRefusal, match=f"needs {need}, over the limit {name}={value}"):
        learn_two(limits, kernel)


@each_kernel
@pytest.mark.parametrize("limits", [Limits(nodes=6, pair_types=3, heap_entries=3, token_bytes=3, vocabulary_bytes=261)])
def test_limits_that_just_suffice_change_nothing(kernel: str, limits: Limits) -> None:
    assert list(learn_two(limits, kernel).merges) == list(learn_two(Limits(), kernel).merges)


@each_kernel
def test_the_number_of_documents_is_limited(kernel: str) -> None:
    two = corpus(b"ab", b"ab", weights=[1, 7])
    assert learn_two(Limits(documents=2), kernel, two).learned == 1
    with pytest.raises(LimitRefusal, match="needs 2, over the limit documents=1"):
        learn_two(Limits(documents=1), kernel, two)


@each_kernel
@pytest.mark.parametrize(
    ("text", "limits", "reached"),
    [(b"abcabcabd", Limits(token_bytes=2), 1), (b"abcabcabd", Limits(vocabulary_bytes=260), 1)],
)
def test_a_refused_merge_leaves_the_run_as_it_was(kernel: str, text: bytes, limits: Limits, reached: int) -> None:
    trainer = Trainer(corpus(text), Policy(), limits, kernel)
    for _ in range(2):
        with pytest.raises(LimitRefusal):
            trainer.seek(9)
        free = trained(text, merges=reached, kernel=kernel)
        assert (trainer.rank, trainer.learned, len(trainer.vocabulary)) == (reached, reached, 256 + reached)
        assert trainer.kernel.top(99) == free.kernel.top(99)
        assert trainer.audit().exact
        assert trainer.tokenizer().encode(text) == free.tokenizer().encode(text)


@each_kernel
def test_live_pairs_are_limited_and_not_the_merges(kernel: str) -> None:
    """With one live pair at a time, three merges are learned under a limit of one pair type."""
    trainer = Trainer(corpus(b"aaaaaaaa"), Policy(), Limits(pair_types=1), kernel)
    assert trainer.seek(9) == 3
    with pytest.raises(LimitRefusal, match="number of merges needs 3, over the limit pair_types=1"):
        trainer.tokenizer().encode(b"aa")


def test_a_full_queue_is_rebuilt_from_live_pairs() -> None:
    """The published case: with room for no more than the largest number of live pairs, the merges are the same."""
    text = b"abababababababacacaaaa"
    free = Trainer(corpus(text), Policy(), kernel="reference")
    peak = max(free.kernel.live_pairs() for _ in iter(lambda: free.rank < 6 and free.step(), False))
    with patch.object(PairQueue, "_rebuild", autospec=True, side_effect=PairQueue._rebuild) as rebuild:
        bound = Trainer(corpus(text), Policy(), Limits(heap_entries=peak), kernel="python")
        bound.seek(6)
    assert rebuild.call_count > 1
    assert list(bound.merges) == list(free.merges)


def test_weighted_counts_stay_within_63_bits() -> None:
    with pytest.raises(LimitRefusal, match="over 2\\*\\*63 - 1"):
        Trainer(corpus(b"ab", weights=[2**64 - 1]), Policy())
    heavy = Trainer(corpus(b"ab", weights=[2**62 - 1]), Policy())
    assert heavy.kernel.count((97, 98)) == 2**62 - 1


def test_an_unknown_kernel_is_refused() -> None:
    with pytest.raises(PolicyRefusal, match="kernel 'rust' is unknown: choose auto, compiled, python, reference"):
        Trainer(corpus(b"ab"), Policy(), kernel="rust")

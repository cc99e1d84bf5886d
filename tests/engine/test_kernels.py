"""Kernels: equal to a full recount, written here once more in another way, at any rank, forward and backward."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import KERNELS, corpus, training_policies, weighted_corpora

from engine.alphabet import Token
from engine.corpus.document import Corpus
from engine.given import Given
from engine.kernel import Evidence, Pair
from engine.placement import PlacedToken
from engine.policy import CHOICES, Policy
from engine.trainer import Trainer
from engine.units import Units


def recount(sequences: Sequence[Sequence[int]], weights: Sequence[int], counting: str) -> Counter[Pair]:
    """Counts by position; in the other way of counting, every second window of a run of equal tokens."""
    counts: Counter[Pair] = Counter()
    for ids, weight in zip(sequences, weights, strict=True):
        last: tuple[int, Pair] | None = None
        for at in range(1, len(ids)):
            pair = (ids[at - 1], ids[at])
            if counting == "non-overlapping" and pair[0] == pair[1] and last == (at - 1, pair):
                continue
            counts[pair] += weight
            last = at, pair
    return counts


def tie_key(policy: Policy, tokens: list[Token], sequences: list[list[int]]) -> Callable[[Pair], Any]:
    """The tie rule as a key to be maximised."""
    joined = " ".join("|".join(map(str, ids)) for ids in sequences)

    def first(pair: Pair) -> int:
        found = [joined.find(f"{a}{pair[0]}|{pair[1]}{b}") for a in " |" for b in " |"]
        return -min(at for at in found if at >= 0)

    def texts(pair: Pair) -> tuple[str, ...]:
        if policy.alphabet == "bytes":  # each byte as the character of its number
            return tuple(t.data.decode("latin-1") + "</w>" * t.ends_word for t in (tokens[pair[0]], tokens[pair[1]]))
        return tokens[pair[0]].symbol, tokens[pair[1]].symbol

    joined = f" {joined} "
    match policy.tie_break:
        case "smallest-ids":
            return lambda pair: (-pair[0], -pair[1])
        case "first-seen":
            return first
        case "largest-bytes":
            return lambda p: (tokens[p[0]].data, tokens[p[0]].ends_word, tokens[p[1]].data, tokens[p[1]].ends_word)
        case "largest-symbols":
            return texts
        case "smallest-symbols":
            return lambda pair: [[-ord(c) for c in text] + [1] for text in texts(pair)]

    def short(pair: Pair) -> Any:  # noqa: ANN401
        whole = tokens[pair[0]].data + tokens[pair[1]].data + b"</w>" * tokens[pair[1]].ends_word
        return -tokens[pair[0]].span - tokens[pair[1]].span, [-byte for byte in whole] + [1]

    return short


SCRIPTS = {
    "\u3042": "Han",
    "\u6f22": "Han",
    "\u0438": "Cyrillic",
    ".": "Common",
    "\n": "Common",
    "\ufffd": "Common",
}


def is_piece(text: str) -> bool:
    """The rule of sentencepiece over the characters of the generated texts, read from left to right."""
    script = ""
    for at, character in enumerate(text):
        if character in " \udcff" or (character == "\u2581" and at > 0):
            return False
        own = SCRIPTS.get(character, "Latin")
        if character in "\u2581\u0301":
            continue
        if script and own != script:
            return False
        script = own
    return True


def allowed(policy: Policy, tokens: list[Token], base: int, pair: Pair) -> bool:
    if policy.piece_filter == "sentencepiece" and not is_piece((tokens[pair[0]] + tokens[pair[1]]).symbol):
        return False
    if policy.max_token_length is None:
        return True
    sides = [tokens[i].span if policy.alphabet == "characters" else len(tokens[i].data) for i in pair]
    if policy.length_rule == "inclusive":
        return sum(sides) <= policy.max_token_length
    return sum(sides) < policy.max_token_length or (pair[0] < base and pair[1] < base)


def replaced(ids: list[int], pair: Pair, new: int) -> list[int]:
    out: list[int] = []
    for token in ids:
        if out and (out[-1], token) == pair:
            out[-1] = new
        else:
            out.append(token)
    return out


def oracle(units: Units, policy: Policy, merges: int) -> tuple[list[Pair], list[list[list[int]]]]:
    """The merge list and the sequences of every rank, each round from nothing but the sequences."""
    tokens, base = list(units.alphabet.tokens), len(units.alphabet.tokens)
    stages = [[list(s) for s in units.sequences]]
    pairs: list[Pair] = []
    while len(pairs) < merges:
        counts = recount(stages[-1], units.weights, policy.counting)
        fit = [p for p in counts if counts[p] >= policy.min_count and allowed(policy, tokens, base, p)]
        if not fit:
            break
        most = max(counts[p] for p in fit)
        key = tie_key(policy, tokens, stages[-1])
        best = max((p for p in fit if counts[p] == most), key=lambda p: (key(p), -p[0], -p[1]))
        stages.append([replaced(s, best, base + len(pairs)) for s in stages[-1]])
        tokens.append(tokens[best[0]] + tokens[best[1]])
        pairs.append(best)
    return pairs, stages


def sequences(trainer: Trainer) -> list[list[int]]:
    return [[token for _, token in trainer.kernel.unit_tokens(u)] for u in range(len(trainer.units.sequences))]


@settings(max_examples=300, deadline=None)
@given(weighted_corpora(), training_policies(), st.integers(0, 25), st.data())
def test_kernels_equal_a_full_recount_at_any_rank(
    texts: Corpus, policy: Policy, merges: int, data: st.DataObject
) -> None:
    reference, *others = trainers = [Trainer(texts, policy, kernel=kernel) for kernel in KERNELS]
    weights = reference.units.weights
    pairs, stages = oracle(reference.units, policy, merges)
    for trainer in trainers:
        trainer.seek(merges)
        assert [m.evidence.pair for m in trainer.merges] == pairs
        assert list(trainer.merges) == list(reference.merges)
        assert trainer.merge_list() == pairs
        start = data.draw(st.integers(0, len(pairs)))
        assert trainer.kernel.pairs(start) == pairs[start:]
        assert trainer.kernel.replacements(start) == [m.evidence.replacements for m in reference.merges][start:]
        assert trainer.exhausted == (len(pairs) < merges)
    for rank in data.draw(st.lists(st.integers(0, len(pairs)), max_size=4)):
        counts = recount(stages[rank], weights, policy.counting)
        for trainer in trainers:
            trainer.seek(rank)
            assert sequences(trainer) == stages[rank]
            assert dict(trainer.kernel.top(len(counts) + 1)) == counts
            assert trainer.kernel.live_pairs() == len(counts)
            assert trainer.tokens == sum(len(s) * w for s, w in zip(stages[rank], weights, strict=True))
            assert trainer.audit().exact
        for other in others:
            same_questions(other, reference, data)


@settings(max_examples=150, deadline=None)
@given(weighted_corpora(), training_policies(), st.data())
def test_given_merges_come_first_with_the_true_counts(texts: Corpus, policy: Policy, data: st.DataObject) -> None:
    policy = policy.changed(budget=None, budget_unit="merges", exact=False)
    units = Trainer(texts, policy, kernel="reference").units
    base = len(units.alphabet.tokens)
    if not base:
        return
    stages = [[list(s) for s in units.sequences]]
    pairs: list[Pair] = []
    for rank in range(data.draw(st.integers(1, 8))):
        there = sorted(recount(stages[-1], units.weights, policy.counting))
        token = st.integers(0, base + rank - 1)
        pair = data.draw(st.sampled_from(there) | st.tuples(token, token) if there else st.tuples(token, token))
        if pair in pairs:
            break
        pairs.append(pair)
        stages.append([replaced(s, pair, base + rank) for s in stages[-1]])
    trainers = [Trainer(texts, policy, kernel=kernel, given=Given(pairs=tuple(pairs))) for kernel in KERNELS]
    reference = trainers[0]
    for trainer in trainers:
        assert trainer.next_pair() == (pairs[0] if pairs else trainer.next_pair())
        trainer.seek(len(pairs) + 3)
        assert trainer.merge_list()[: len(pairs)] == pairs
        assert list(trainer.merges) == list(reference.merges)
        for rank in data.draw(st.lists(st.integers(0, len(pairs)), min_size=1, max_size=4)):
            trainer.seek(rank)
            assert sequences(trainer) == stages[rank]
            assert dict(trainer.kernel.top(10_000)) == recount(stages[rank], units.weights, policy.counting)
            if rank < len(pairs):
                counts = recount(stages[rank], units.weights, policy.counting)
                assert trainer.merges[rank].evidence.candidate_count == counts.get(pairs[rank], 0)


def same_questions(arena: Trainer, reference: Trainer, data: st.DataObject) -> None:
    """Everything else that one can ask at this rank."""
    a, r = arena.kernel, reference.kernel
    assert a.top(10) == r.top(10)
    assert a.top(5, 3) == r.top(5, 3) == a.top(8)[3:]
    assert arena.ties() == reference.ties()
    assert [a.frequency(t) for t in range(len(a.vocabulary))] == [r.frequency(t) for t in range(len(a.vocabulary))]
    for pair, _ in a.top(2):
        assert a.occurrences(pair, 3) == r.occurrences(pair, 3)
        assert a.occurrences(pair, 0) == []
    assert a.count((len(a.vocabulary), 0)) == r.count((len(a.vocabulary), 0)) == 0
    for number, document in enumerate(arena.documents):
        whole = arena.document_tokens(number)
        assert whole == reference.document_tokens(number)
        if not document.data:
            assert whole == []
            continue
        start = data.draw(st.integers(0, len(document.data) - 1))
        stop = data.draw(st.integers(start + 1, len(document.data)))
        part = arena.document_tokens(number, start, stop)
        assert part == reference.document_tokens(number, start, stop)
        assert spread(part, start, stop) == spread(whole, start, stop)


def spread(placed: list[PlacedToken], start: int, stop: int) -> list[tuple[int, int]]:
    """Each byte of a range with the token that covers it; no byte twice."""
    covered = [(at, p.token) for p in placed for at in range(p.start, p.stop) if start <= at < stop]
    assert [at for at, _ in covered] == list(range(start, stop))
    return covered


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("text", "counting", "count", "replacements"),
    [
        (b"aaa", "overlapping", 2, 1),
        (b"aaaa", "overlapping", 3, 2),
        (b"aaa", "non-overlapping", 1, 1),
        (b"aaaa", "non-overlapping", 2, 2),
        (b"aaaaa", "non-overlapping", 2, 2),
    ],
)
def test_runs_are_counted_as_the_policy_says_and_replaced_without_overlap(
    kernel: str, text: bytes, counting: str, count: int, replacements: int
) -> None:
    trainer = Trainer(corpus(text), Policy(counting=counting), kernel=kernel)
    trainer.step()
    assert trainer.merges[0].evidence == Evidence((97, 97), count, replacements, 1, None, 0)


@pytest.mark.parametrize("text", [b"aaa", b"aaaa", b"aaaaaa", b"ababab", b"aabaaba"])
@pytest.mark.parametrize("tie_break", CHOICES["tie_break"])
def test_the_courses_small_texts_at_every_rank(text: bytes, tie_break: str) -> None:
    policy = Policy(tie_break=tie_break)
    trainer = Trainer(corpus(text), policy)
    pairs, stages = oracle(trainer.units, policy, 8)
    for rank, pair in enumerate(pairs):
        assert sequences(trainer) == stages[rank]
        merge = trainer.step()
        assert merge is not None
        assert merge.evidence.pair == pair
    assert trainer.step() is None


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("tie_break", "winner"),
    [
        ("smallest-ids", b"ab"),
        ("first-seen", b"ca"),
        ("largest-bytes", b"ca"),
        ("largest-symbols", b"ca"),
        ("smallest-symbols", b"ab"),
        ("shortest-then-smallest-joined", b"ab"),
    ],
)
def test_each_tie_rule_decides_by_hand(kernel: str, tie_break: str, winner: bytes) -> None:
    trainer = Trainer(corpus(b"ca", b"ab", b"bc"), Policy(tie_break=tie_break), kernel=kernel)
    merge = trainer.step()
    assert merge is not None
    assert merge.content.data == winner
    assert merge.evidence.tie_size == 3


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_tuple_decides_and_not_the_joined_string(kernel: str) -> None:
    """After ab, the ties are (ab, d) and (a, c): as tuples (ab, d) is larger, and as joined strings ac is."""
    policy = Policy(tie_break="largest-bytes")
    trainer = Trainer(corpus(b"ab", b"ab", b"ab", b"abd", b"ac"), policy, kernel=kernel)
    trainer.seek(2)
    assert [m.content.data for m in trainer.merges] == [b"ab", b"abd"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_length_bound_exempts_base_pairs_only_when_exclusive(kernel: str) -> None:
    def learned(rule: str, bound: int) -> list[bytes]:
        trainer = Trainer(corpus(b"abab"), Policy(max_token_length=bound, length_rule=rule), kernel=kernel)
        trainer.seek(9)
        return [m.content.data for m in trainer.merges]

    assert learned("inclusive", 1) == []
    assert learned("inclusive", 2) == [b"ab"]
    assert learned("inclusive", 3) == [b"ab"]
    assert learned("inclusive", 4) == [b"ab", b"abab"]
    assert learned("exclusive", 1) == [b"ab"]
    assert learned("exclusive", 4) == [b"ab"]
    assert learned("exclusive", 5) == [b"ab", b"abab"]

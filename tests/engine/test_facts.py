"""Facts that hold for every merge list that one plain training run made."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from runs import weighted_corpora

from engine.corpus.document import Corpus
from engine.policy import CHOICES, Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

policies = st.builds(
    Policy,
    counting=st.sampled_from(CHOICES["counting"]),
    tie_break=st.sampled_from(CHOICES["tie_break"]),
    min_count=st.integers(1, 2),
    base_order=st.sampled_from(["byte-value", "bytemap"]),
    id_layout=st.sampled_from(CHOICES["id_layout"]),
)
texts = st.lists(st.sampled_from([b"a", b"b", b" ", b"\n", b"\xd0", b"\xb8", b"\xff"]), max_size=40).map(b"".join)


def run(corpus: Corpus, policy: Policy) -> Trainer:
    trainer = Trainer(corpus, policy)
    trainer.seek(20)
    return trainer


def by_replay(tokenizer: Tokenizer, text: bytes) -> list[int]:
    """Every merge once, in the order of ranks, whether it is found or not."""
    ids = [shown for byte in text for shown in tokenizer.encode(bytes([byte]))]
    for rank in range(tokenizer.merges):
        pair, new = tokenizer.pair_of(rank), tokenizer.layout.of_rank(rank)
        merged: list[int] = []
        for token in ids:
            if merged and (merged[-1], token) == pair:
                merged[-1] = new
            else:
                merged.append(token)
        ids = merged
    return ids


def by_joined_bytes(tokenizer: Tokenizer, text: bytes) -> list[int]:
    """Join the neighbours whose joined bytes have the lowest rank, leftmost first: how tiktoken looks merges up."""
    ranks = {tokenizer.pieces([tokenizer.layout.of_rank(r)])[0]: r for r in range(tokenizer.merges)}
    parts = [bytes([byte]) for byte in text]
    while True:
        found = [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]
        if not found:
            break
        at = min(found)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return [
        tokenizer.layout.of_rank(ranks[part]) if len(part) > 1 else tokenizer.encode(part)[0] for part in parts
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), policies, texts)
def test_three_ways_of_encoding_agree_and_decode_to_the_text(corpus: Corpus, policy: Policy, text: bytes) -> None:
    trainer = run(corpus, policy)
    tokenizer = trainer.tokenizer()
    for data in (text, *(d.data[:] for d in trainer.documents)):
        ids = tokenizer.encode(data)
        assert ids == by_replay(tokenizer, data) == by_joined_bytes(tokenizer, data)
        assert tokenizer.decode(ids) == data
        initial, steps = tokenizer.trace(data)
        assert list(steps[-1].after if steps else initial) == ids
        assert [s.rank for s in steps] == sorted({s.rank for s in steps})
        assert sum(s.replacements for s in steps) == len(data) - len(ids)


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), policies)
def test_no_two_merges_make_equal_bytes_and_each_token_encodes_to_itself(corpus: Corpus, policy: Policy) -> None:
    trainer = run(corpus, policy)
    tokenizer = trainer.tokenizer()
    made = [m.content.data for m in trainer.merges]
    assert len({*made}) == len(made)
    for merge in trainer.merges:
        assert tokenizer.encode(merge.content.data) == [trainer.layout.shown(merge.token)]


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), policies)
def test_tokens_fall_by_the_replacements_and_bytes_stay(corpus: Corpus, policy: Policy) -> None:
    trainer = run(corpus, policy)
    size = sum(len(d.data) * d.weight for d in trainer.documents)
    tokens = size
    for rank in range(trainer.learned + 1):
        trainer.seek(rank)
        if rank:
            evidence = trainer.merges[rank - 1].evidence
            assert 1 <= evidence.replacements <= evidence.candidate_count
            assert evidence.tie_size >= 1
            assert evidence.runner_up_count <= evidence.candidate_count
            tokens -= evidence.replacements
        assert trainer.tokens == tokens
        lengths = [len(token.data) for token in trainer.vocabulary]
        assert sum(trainer.kernel.frequency(i) * length for i, length in enumerate(lengths)) == size


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), policies, st.data())
def test_live_text_is_a_fresh_encode_and_travelling_changes_nothing(
    corpus: Corpus, policy: Policy, data: st.DataObject
) -> None:
    trainer = run(corpus, policy)

    def state() -> tuple[object, ...]:
        live = [[p.token for p in trainer.document_tokens(i)] for i in range(len(trainer.documents))]
        counts = trainer.kernel.top(trainer.kernel.live_pairs())
        return live, counts, trainer.tokens, trainer.rank

    here = data.draw(st.integers(0, trainer.learned))
    there = data.draw(st.integers(0, trainer.learned))
    trainer.seek(here)
    before = state()
    tokenizer = trainer.tokenizer()
    for number, document in enumerate(trainer.documents):
        live = [trainer.layout.shown(p.token) for p in trainer.document_tokens(number)]
        assert live == tokenizer.encode(document.data[:])
    trainer.seek(there)
    trainer.seek(here)
    assert state() == before


@settings(max_examples=60, deadline=None)
@given(weighted_corpora(), policies, texts)
def test_framing_changes_no_content(corpus: Corpus, policy: Policy, text: bytes) -> None:
    raw = run(corpus, policy.changed(id_layout="raw")).tokenizer()
    framed = run(corpus, policy.changed(id_layout="framed")).tokenizer()
    content = framed.encode(text)
    assert content == [i + 2 for i in raw.encode(text)]
    assert framed.frame(content) == [0, *content, 1]
    assert framed.decode_document(framed.frame(content)) == text
    assert min(content, default=2) >= 2

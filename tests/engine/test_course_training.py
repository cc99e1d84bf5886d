"""The published results of the course: its corpus, its eight merges, its traces and its seeded corpora."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from runs import KERNELS, corpus, rows, summary, trained

from engine.corpus.document import Corpus, Document, Split, corpus_of
from engine.corpus.open import CorpusOptions, open_corpus
from engine.errors import ArtifactRefusal, LimitRefusal
from engine.limits import Limits
from engine.policy import Policy
from engine.trace import write_apply_trace, write_trace
from engine.trainer import Trainer

FRAMED = Policy(id_layout="framed")
EIGHT = [
    (32, 208, 81, 81, 256),
    (208, 176, 62, 62, 257),
    (209, 130, 57, 57, 258),
    (208, 181, 56, 56, 259),
    (208, 190, 49, 49, 260),
    (208, 184, 38, 38, 261),
    (209, 128, 36, 36, 262),
    (101, 32, 35, 35, 263),
]
SEED = 0x42B0D5EED


@pytest.fixture(scope="module")
def bilingual(learn_llm: Path) -> Corpus:
    folder = learn_llm / "course1"
    return open_corpus(folder / "tiny-bilingual-corpus.json", CorpusOptions(split=str(folder / "splits.json")))


def block(path: Path) -> list[str]:
    """The lines from BEGIN to END of a published output."""
    lines = path.read_text(encoding="utf-8").split("\n")
    first = next(i for i, line in enumerate(lines) if line.endswith(" BEGIN"))
    return lines[first : next(i for i, line in enumerate(lines) if line.endswith(" END")) + 1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_eight_published_merges(bilingual: Corpus, kernel: str) -> None:
    assert bilingual.checksum == "fnv1a64:723b071980ae8a22"
    trainer = Trainer(bilingual, Policy(budget=8), kernel=kernel)
    assert [d.id for d in trainer.documents] == [
        f"{language}-{name}"
        for name in ("river-dawn", "clock-shop", "rain-library", "bee-garden")
        for language in ("en", "ru")
    ]
    trainer.seek(99)
    assert summary(trainer) == EIGHT
    assert len(trainer.vocabulary) == 264
    assert trainer.audit().exact


def test_training_on_the_held_out_documents_too_would_give_other_merges(bilingual: Corpus) -> None:
    everything = corpus(*(d.data[:] for d in bilingual.documents))
    trainer = Trainer(everything, Policy())
    trainer.seek(8)
    assert [row[:2] for row in summary(trainer)] != [row[:2] for row in EIGHT]
    assert summary(trainer)[0][2] > EIGHT[0][2]


def test_framed_totals_by_split(bilingual: Corpus) -> None:
    trainer = Trainer(bilingual, FRAMED)
    trainer.seek(8)
    tokenizer = trainer.tokenizer()
    totals = dict.fromkeys(Split, 0)
    for document in bilingual.documents:
        totals[document.split] += len(tokenizer.frame(tokenizer.encode(document.data[:])))
    assert (totals[Split.TRAIN], totals[Split.VALIDATION], totals[Split.TEST]) == (1852, 471, 444)
    assert totals[Split.TRAIN] == trainer.tokens + 2 * 8


def ids_in(line: str) -> list[int]:
    return [int(i) for i in line[line.index("[") + 1 : line.index("]")].split(",")]


def test_the_published_encodings(bilingual: Corpus, learn_llm: Path) -> None:
    lines = dict(
        line.rsplit(": ", 1)
        for line in (learn_llm / "course1" / "ch04-expected.txt").read_text(encoding="utf-8").split("\n")
        if ": " in line and "TRACE" not in line
    )
    trainer = Trainer(bilingual, FRAMED)
    trainer.seek(8)
    tokenizer = trainer.tokenizer()
    assert tokenizer.encode(lines["unseen UTF-8 input"].encode()) == ids_in(lines["unseen content ids"])
    assert tokenizer.frame(tokenizer.encode(b"")) == ids_in(lines["empty document ids"])
    assert tokenizer.encode(b"\xff\xfe") == ids_in(lines["malformed content ids"])
    spaced = " а".encode()
    assert tokenizer.encode(spaced) == ids_in(lines['canonical " а" content ids'])
    assert tokenizer.decode(ids_in(lines["noncanonical same-byte ids"])) == spaced


# Traces


def aaa_aba() -> Corpus:
    return corpus_of(b"", "test", "text", [Document("train-aaa", b"aaa"), Document("train-aba", b"aba")])


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_published_merge_trace(learn_llm: Path, kernel: str) -> None:
    trainer = Trainer(aaa_aba(), Policy(), kernel=kernel)
    trainer.seek(2)
    assert list(write_trace(trainer)) == block(learn_llm / "course1" / "ch03-expected.txt")


def test_the_published_apply_trace(bilingual: Corpus, learn_llm: Path) -> None:
    trainer = Trainer(bilingual, FRAMED)
    trainer.seek(8)
    cases = [("ascii-bee", b"bee "), ("cyrillic-a", " а".encode())]
    assert list(write_apply_trace(trainer.tokenizer(), cases)) == block(learn_llm / "course1" / "ch04-expected.txt")


def test_a_trace_shows_the_merges_applied_now_in_the_trainers_ids() -> None:
    trainer = Trainer(aaa_aba(), FRAMED)
    trainer.seek(4)
    trainer.seek(1)
    lines = list(write_trace(trainer))
    assert trainer.rank == 1
    assert [line for line in lines if line.startswith("MERGE")] == [
        "MERGE rank=0 left=97 right=97 count=2 replacements=1 token=256 bytes_hex=61,61"
    ]
    assert lines[-3:] == [
        "DOCUMENT stage=1 id=train-aaa tokens=256,97",
        "DOCUMENT stage=1 id=train-aba tokens=97,98,97",
        "TRACE bpe-merges-v1 END",
    ]


def test_a_trace_that_is_not_read_to_its_end_leaves_the_run_where_it_was() -> None:
    trainer = Trainer(aaa_aba(), Policy())
    trainer.seek(3)
    lines = write_trace(trainer)
    assert isinstance(lines, Iterator)
    next(lines), next(lines)
    assert trainer.rank == 0
    lines.close()  # type: ignore[attr-defined]
    assert trainer.rank == 3


def test_names_are_one_printable_word_and_empty_documents_have_no_tokens() -> None:
    documents = [Document("a b\n%\x1b]é", b""), Document("x/y=z", b"q")]
    trainer = Trainer(corpus_of(b"", "test", "text", documents), Policy())
    assert list(write_trace(trainer))[2:4] == [
        "DOCUMENT stage=0 id=a%20b%0A%25%1B]%C3%A9 tokens=",
        "DOCUMENT stage=0 id=x/y=z tokens=113",
    ]


def test_trace_values_are_limited_round_by_round() -> None:
    """Before rank 0 `ababac` has three pairs and after it four tokens: 3 x 3 + 4 = 13 values."""
    texts = corpus(b"ababac")
    enough, short = (Trainer(texts, Policy(), Limits(trace_values=n)) for n in (13, 12))
    for trainer in (enough, short):
        trainer.seek(1)
    assert len(list(write_trace(enough))) == 2 + 2 * 2 + 3 + 1
    with pytest.raises(LimitRefusal, match="the trace of rank 0 needs 13, over the limit trace_values=12"):
        list(write_trace(short))
    assert short.rank == 1
    untrained = Trainer(texts, Policy(), Limits(trace_values=0))
    assert len(list(write_trace(untrained))) == 4


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        (Policy(boundary="gpt2"), "boundary='gpt2', only boundary=document"),
        (Policy(tie_break="first-seen"), "tie_break='first-seen'"),
        (Policy(special_tokens=("x",)), "special_tokens"),
    ],
)
def test_a_trace_refuses_what_its_format_cannot_express(policy: Policy, names: str) -> None:
    trainer = Trainer(corpus(b"abab"), policy)
    with pytest.raises(ArtifactRefusal, match=names):
        write_trace(trainer)
    with pytest.raises(ArtifactRefusal, match=names):
        write_apply_trace(trainer.tokenizer(), [])


def test_a_trace_has_no_weights_and_an_apply_trace_needs_frames() -> None:
    with pytest.raises(ArtifactRefusal, match="document 'd0' has weight 2"):
        write_trace(Trainer(corpus(b"ab", weights=[2]), Policy()))
    with pytest.raises(ArtifactRefusal, match="needs id_layout=framed, found raw"):
        write_apply_trace(trained(b"ab", merges=1).tokenizer(), [])


# Seeded corpora


def splitmix64(state: int) -> Iterator[int]:
    """Steele, Lea and Flood 2014."""
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def test_splitmix64_is_the_published_generator() -> None:
    assert next(splitmix64(0)) == 0xE220A8397B1DCDAF


def test_a_hundred_seeded_corpora_equal_a_recount_at_every_rank() -> None:
    draws = splitmix64(SEED)
    for _ in range(100):
        texts = [bytes(97 + (next(draws) >> 32) % 8 for _ in range(next(draws) % 33)) for _ in range(3)]
        recount, *others = (Trainer(corpus(*texts), FRAMED, kernel=kernel) for kernel in KERNELS)
        for _ in range(12):
            merge = recount.step()
            for other in others:
                assert other.step() == merge
                assert other.kernel.top(99) == recount.kernel.top(99)
                assert [rows(other, i) for i in range(3)] == [rows(recount, i) for i in range(3)]
                assert other.audit().exact


def test_ten_thousand_seeded_strings_encode_alike_in_both_ways() -> None:
    tokenizer = trained(b"abababacacaaaa", b"babbacacabcabb", merges=12, policy=FRAMED).tokenizer()
    draws = splitmix64(SEED)
    for _ in range(10_000):
        size = next(draws) % 65
        text = bytes(draw >> 32 & 255 if draw % 2 else 97 + draw % 3 for draw in islice(draws, size))
        ids = tokenizer.encode(text)
        initial, steps = tokenizer.trace(text)
        assert (list(steps[-1].after) if steps else initial) == ids
        assert tokenizer.decode_document(tokenizer.frame(ids)) == text

"""Corpora and policies for engine tests, by hand and by hypothesis."""

from collections.abc import Sequence

from hypothesis import strategies as st

from engine.corpus.document import Corpus, Document, corpus_of
from engine.kernel import has_compiled
from engine.normalize import nmt_nfkc
from engine.policy import CHOICES, Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

nmt_nfkc("")  # its rules are made once, and not within the time of an example
BYTE_BOUNDARIES = (
    "document", "line", "spaces", "ascii-whitespace", "whitespace", "gpt2", "cl100k", "o200k",
    "gpt2-by-line", "cl100k-by-line", "o200k-by-line",
)  # fmt: skip


def corpus(*texts: bytes, weights: Sequence[int] | None = None) -> Corpus:
    """Training documents named d0, d1, ... of these bytes."""
    weights = weights or [1] * len(texts)
    documents = [Document(f"d{i}", text, w) for i, (text, w) in enumerate(zip(texts, weights, strict=True))]
    return corpus_of(b"".join(texts), "test", "text", documents)


def trained(*texts: bytes, merges: int, policy: Policy | None = None, kernel: str = "auto") -> Trainer:
    """A trainer that stands after this many merges, or fewer where pairs run out."""
    trainer = Trainer(corpus(*texts), policy or Policy(), kernel=kernel)
    trainer.seek(merges)
    return trainer


def rows(trainer: Trainer, document: int) -> list[int]:
    """A training document's shown ids now."""
    return [trainer.layout.shown(placed.token) for placed in trainer.document_tokens(document)]


def summary(trainer: Trainer) -> list[tuple[int, int, int, int, int]]:
    """Of every learned merge: the shown pair, candidate count, replacements, shown token."""
    shown = trainer.layout.shown
    return [
        (shown(m.evidence.pair[0]), shown(m.evidence.pair[1]), m.evidence.candidate_count, m.evidence.replacements,
         shown(m.token))
        for m in trainer.merges
    ]  # fmt: skip


def framed(*pairs: tuple[int, int]) -> Tokenizer:
    """A framed tokenizer of merges given in the trainer's ids (bytes 0 to 255, rank r is 256 + r)."""
    policy = Policy(id_layout="framed")
    alphabet = Trainer(corpus(b"-"), policy).units.alphabet
    return Tokenizer.from_pairs(policy, alphabet, pairs)


SCRIPTS = tuple(c.encode() for c in "a\u2581\u3042\u6f22\u0301.")
"""Latin, sentencepiece's mark, Hiragana, Han, Inherited, Common."""


@st.composite
def weighted_corpora(draw: st.DrawFn) -> Corpus:
    """One to six documents over one to six symbols, ASCII or not, some of them invalid UTF-8, with small weights."""
    alphabets = ((b"a",), (b"a", b"b"), (b"a", b" ", b"\n"), (b"a", b"\xd0\xb8", b" ", b"\xff"), SCRIPTS)
    symbols = draw(st.sampled_from(alphabets))
    texts = draw(st.lists(st.lists(st.sampled_from(symbols), max_size=40).map(b"".join), min_size=1, max_size=6))
    weights = draw(st.lists(st.sampled_from([1, 1, 2, 5]), min_size=len(texts), max_size=len(texts)))
    return corpus(*texts, weights=weights)


@st.composite
def training_policies(draw: st.DrawFn) -> Policy:
    """Any policy without a budget: every tie rule, counting, length bound, filter, boundary, alphabet, coverage."""
    fields: dict[str, object] = {
        "tie_break": draw(st.sampled_from(CHOICES["tie_break"])),
        "counting": draw(st.sampled_from(CHOICES["counting"])),
        "normalizer": draw(st.sampled_from(CHOICES["normalizer"])),
        "boundary": draw(st.sampled_from((*BYTE_BOUNDARIES, "sp-words", "yttm-words"))),
        "unmatched": draw(st.sampled_from(CHOICES["unmatched"])),
        "min_count": draw(st.sampled_from([1, 1, 2, 3])),
        "id_layout": draw(st.sampled_from(CHOICES["id_layout"])),
        "max_token_length": draw(st.none() | st.integers(1, 5)),
        "length_rule": draw(st.sampled_from(CHOICES["length_rule"])),
    }
    if draw(st.booleans()):
        fields["alphabet"] = "characters"
        fields["base_order"] = draw(st.sampled_from(["code-point", "by-frequency", "as-given"]))
        if fields["boundary"] != "document":
            fields["end_of_word"] = draw(st.sampled_from(CHOICES["end_of_word"]))
        if fields.get("end_of_word", "none") == "none":
            fields["piece_filter"] = draw(st.sampled_from(CHOICES["piece_filter"]))
            fields["coverage"] = draw(st.sampled_from([None, 700_000, 1_000_000]))
    else:
        fields["base_order"] = draw(st.sampled_from(["byte-value", "bytemap"]))
        fields["base_bytes"] = draw(st.sampled_from(CHOICES["base_bytes"]))
        if fields["boundary"] != "document":
            fields["end_of_word"] = draw(st.sampled_from(CHOICES["end_of_word"]))
    return Policy(**fields)  # type: ignore[arg-type]


KERNELS = ("reference", "python", *(("compiled",) if has_compiled() else ()))
"""Every kernel that is built here, the one that the others are held against first."""

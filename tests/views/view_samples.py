"""Runs for the tests of the views: real trainers on small corpora, by hand and by hypothesis."""

from collections.abc import Sequence

from hostile import HOSTILE
from hypothesis import strategies as st

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode
from bpe_tui.views.request import (
    HeldOutRequest,
    MergeSubject,
    PairSubject,
    PaneName,
    PlaceSubject,
    StreamRequest,
    Subject,
    TableRequest,
    TokenSubject,
    ViewRequest,
)
from bpe_tui.views.tables import MERGE_SORTS, PAIR_SORTS, VOCAB_SORTS
from engine.corpus.document import Corpus, Document, Split, corpus_of
from engine.policy import CHOICES, Policy
from engine.trainer import Trainer


def corpus(
    *texts: bytes, weights: Sequence[int] | None = None, held_out: Sequence[bytes] = (), format: str = "text"
) -> Corpus:
    """Training documents d0, d1, … of these bytes, then held-out ones h0, h1, …"""
    weights = weights or [1] * len(texts)
    training = [Document(f"d{i}", text, w) for i, (text, w) in enumerate(zip(texts, weights, strict=True))]
    rest = [Document(f"h{i}", text, split=Split.VALIDATION) for i, text in enumerate(held_out)]
    return corpus_of(b"".join(texts), "test", format, [*training, *rest])


def run_of(
    *texts: bytes,
    merges: int = 0,
    policy: Policy | None = None,
    weights: Sequence[int] | None = None,
    held_out: Sequence[bytes] = (),
    format: str = "text",
) -> Run:
    """A run that stands after this many merges, or fewer where pairs run out."""
    source = corpus(*texts, weights=weights, held_out=held_out, format=format)
    trainer = Trainer(source, policy or Policy())
    trainer.seek(merges)
    return Run.of(trainer)


_FRAGMENTS = [*HOSTILE.values(), b"a", b"aa", b"ab", b" ", b"\n", "é".encode(), "日本".encode(), b"\xe6", b"\xff"]


def hostile_bytes(parts: int = 8) -> st.SearchStrategy[bytes]:
    """Bytes made of whatever has broken terminals, and of plain letters that merge."""
    fragments = [f[:200] for f in _FRAGMENTS]
    return st.lists(st.sampled_from(fragments) | st.binary(max_size=6), max_size=parts).map(b"".join)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Policies that differ in what the views show: boundary, alphabet, ids, tie rule, counting."""
    fields: dict[str, object] = {
        "normalizer": draw(st.sampled_from(CHOICES["normalizer"])),
        "boundary": draw(
            st.sampled_from(
                ["document", "line", "spaces", "whitespace", "sp-words", "yttm-words", "gpt2", "pattern:[a-z]+"]
            )
        ),
        "unmatched": draw(st.sampled_from(CHOICES["unmatched"])),
        "counting": draw(st.sampled_from(CHOICES["counting"])),
        "tie_break": draw(st.sampled_from(CHOICES["tie_break"])),
        "id_layout": draw(st.sampled_from(CHOICES["id_layout"])),
        "min_count": draw(st.sampled_from([1, 2])),
    }
    if draw(st.booleans()):
        fields |= {"alphabet": "characters", "base_order": "code-point"}
        if fields["boundary"] != "document":
            fields["end_of_word"] = draw(st.sampled_from(CHOICES["end_of_word"]))
    return Policy(**fields)  # type: ignore[arg-type]


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run over hostile documents at any rank that it reaches, some later merges known or not."""
    texts = draw(st.lists(hostile_bytes(), max_size=3))
    run = run_of(*texts, policy=draw(policies()), held_out=draw(st.lists(hostile_bytes(3), max_size=2)))
    run.trainer.seek(draw(st.integers(0, 12)))
    run.trainer.seek(draw(st.integers(0, run.trainer.learned)))
    return run


_QUERIES = st.sampled_from(["", "", "a", "␣", r"\xE6", "re:^.$", "is:text", "is:impossible"])


@st.composite
def tables(draw: st.DrawFn, sorts: tuple[str, ...]) -> TableRequest:
    """Any window, order and filter of a table."""
    return TableRequest(
        draw(st.integers(0, 300)),
        draw(st.integers(0, 40)),
        draw(st.sampled_from(["", *sorts])),
        draw(st.booleans()),
        draw(_QUERIES),
    )


def subjects(run: Run) -> st.SearchStrategy[Subject | None]:
    """Whatever the inspector may be asked about, things that are not there any more included."""
    size = len(run.trainer.vocabulary)
    tokens = st.integers(0, max(size - 1, 0))
    subjects: st.SearchStrategy[Subject | None] = (
        st.none()
        | st.builds(MergeSubject, st.integers(0, 20))
        | st.builds(TokenSubject, st.integers(0, size + 3))
        | st.builds(lambda a, b: PairSubject((a, b)), tokens, tokens)
        if size
        else st.none()
    )
    documents = run.trainer.documents
    if documents:
        places = st.builds(PlaceSubject, st.integers(0, len(documents) - 1), st.integers(0, 200))
        subjects |= places
    return subjects


@st.composite
def requests(draw: st.DrawFn, run: Run) -> ViewRequest:
    """A request for every pane at any size and scroll."""
    count = len(run.trainer.documents)
    document = draw(st.none() | st.integers(0, count - 1)) if count else None
    return ViewRequest(
        mode=draw(st.sampled_from(list(Mode))),
        visible=frozenset(PaneName),
        stream=StreamRequest(
            document,
            draw(st.integers(0, 50)),
            draw(st.integers(-30, 30)),
            draw(st.integers(0, 90)),
            draw(st.integers(0, 40)),
        ),
        pairs=draw(tables(PAIR_SORTS)),
        merges=draw(tables(MERGE_SORTS)),
        vocab=draw(tables(VOCAB_SORTS)),
        held_out=HeldOutRequest(draw(st.integers(0, 5)), draw(st.none() | hostile_bytes(3)), draw(st.integers(0, 90))),
        subject=draw(subjects(run)),
        inspect_width=draw(st.integers(0, 90)),
        stats_width=draw(st.integers(0, 90)),
    )

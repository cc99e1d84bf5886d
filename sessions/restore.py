"""From a running trainer to a session, and back by learning everything again and comparing every count.

A session is trusted in nothing that its corpus can tell: restoring trains anew under the same policy and refuses the
session unless every merge, with all its evidence, comes out the same.
"""

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engine.alphabet import alphabet_of
from engine.corpus.document import Corpus, columns_of
from engine.corpus.open import NO_SPLIT, CorpusOptions, open_corpus
from engine.corpus.reading import Reading
from engine.errors import CorpusRefusal, IdentityRefusal
from engine.files import is_regular
from engine.given import NOTHING_GIVEN
from engine.kernel import Evidence
from engine.limits import FILE_LIMITS, Limits
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer
from sessions.snapshot import EMBEDDED_BYTES, PlainValue, Session, Source, outline

STANDARD_INPUT = "-"
Tell = Callable[[str], object]
"""Hears, in words, what is going to be done."""
SLICE_S = 0.05
"""Seconds of work between two reports of progress."""


def no_one(what: str) -> None:
    """Nobody hears."""


def capture(
    trainer: Trainer,
    path: str,
    options: CorpusOptions,
    *,
    kernel: str = "auto",
    receipt: bytes | None = None,
    embed: bool | None = None,
    bookmarks: Sequence[int] = (),
    held_out: Sequence[bytes] = (),
    view: Mapping[str, PlainValue] | None = None,
    before: Session | None = None,
) -> Session:
    """The session of a trainer as it stands.

    Args:
        trainer: the run; read only.
        path: where its corpus came from, as the user gave it; `-` for standard input.
        options: how the corpus was read.
        kernel: the kernel that the user asked for.
        receipt: the corpus receipt that the run is bound to.
        embed: whether the documents travel inside; None takes those of small corpora, of standard input, and those
            that the session before held.
        bookmarks: ranks that the user marked.
        held_out: texts that the user typed.
        view: the screen's state.
        before: the session that the run goes on from, if any; its limits stay its own.
    """
    corpus = trainer.corpus
    if embed is None:
        held = before is not None and before.corpus is not None
        embed = held or path == STANDARD_INPUT or corpus.source_bytes <= EMBEDDED_BYTES
    return Session(
        policy=trainer.policy,
        limits=trainer.limits if before is None else before.limits,
        kernel=kernel,
        source=Source(path, options, corpus.name, corpus.format, corpus.sha256, outline(corpus)),
        corpus=corpus if embed else None,
        receipt=receipt,
        merges=tuple(trainer.kernel.evidence),
        exhausted=trainer.exhausted,
        rank=trainer.rank,
        bookmarks=tuple(sorted(set(bookmarks))),
        held_out=tuple(held_out),
        view=dict(view or {}),
        given=trainer.given if trainer.given.pairs else NOTHING_GIVEN,
    )


def corpus_of(
    session: Session,
    given: Corpus | None = None,
    folder: Path | None = None,
    tell: Tell = no_one,
    reading: Reading | None = None,
) -> Corpus:
    """The corpus that a session was made with.

    Args:
        session: the session.
        given: a corpus that is open already, taken instead of the session's own documents or path.
        folder: the session file's folder, where a corpus that moved with it is looked for.
        tell: hears what is going to be read, since a session from somebody else may name any file.
        reading: as for `open_corpus`.

    Raises:
        CorpusRefusal: when the corpus is not where the session says, or is no regular file and no folder.
        IdentityRefusal: when it is another one, or reads as other documents than it did.
    """
    corpus = given or session.corpus or _reopened(session.source, folder, tell, reading)
    source = session.source
    if corpus.sha256 != source.sha256:
        raise IdentityRefusal(
            f"corpus {quoted(source.name)} has changed since the session was saved: its SHA-256 was {source.sha256} "
            f"and is {corpus.sha256}; restore the old file, or open the corpus by itself to start anew"
        )
    corpus = _named(corpus, source.name)
    if outline(corpus) != source.outline:
        raise IdentityRefusal(
            f"corpus {quoted(source.name)} reads as other documents than in the session: its split manifest or the "
            "options differ; restore the manifest, or open the corpus by itself to start anew"
        )
    return corpus


def _named(corpus: Corpus, name: str) -> Corpus:
    """A plain text under the name that it had: its one document is called like its file, which may be renamed."""
    if len(corpus.documents) != 1 or corpus.documents[0].id != corpus.name:
        return corpus
    document = replace(corpus.documents[0], id=name)
    return replace(corpus, name=name, documents=columns_of((document,)))


def _reopened(source: Source, folder: Path | None, tell: Tell, reading: Reading | None) -> Corpus:
    if source.path == STANDARD_INPUT:
        raise CorpusRefusal(
            f"the session's corpus {quoted(source.name)} came from standard input and is not inside the session: "
            "give it with --corpus FILE"
        )
    path = Path(source.path)
    if folder is not None and not os.path.exists(path) and os.path.exists(folder / path.name):
        path = folder / path.name
    if not os.path.exists(path):
        raise CorpusRefusal(
            f"the session's corpus {quoted(source.path)} is not there: give its new place with --corpus PATH"
        )
    if not is_regular(path) and not (source.format == "folder" and os.path.isdir(path)):
        raise CorpusRefusal(
            f"the session's corpus {quoted(str(path))} is no regular file: give its new place with --corpus PATH"
        )
    manifest = source.options.split
    by = "" if manifest in (None, NO_SPLIT) else f", split by {quoted(manifest)}"
    tell(f"reading the session's corpus {quoted(str(path))}{by}")
    return open_corpus(path, source.options, reading)


def restoring(
    session: Session,
    corpus: Corpus,
    kernel: str | None = None,
    memory_limit: int | None = None,
    limits: Limits = FILE_LIMITS,
) -> Generator[tuple[int, int], None, Trainer]:
    """Restore in slices: yields (done, total) in merges learned and moved, and returns the trainer.

    Whoever drops the generator has cancelled.

    Args:
        session: the session.
        corpus: what `corpus_of` gave.
        kernel: another kernel than the session's; all give equal results.
        memory_limit: as for `Trainer`.
        limits: ours for given merges, which no corpus bounds; the session's own can only lower them.

    Raises:
        IdentityRefusal: for the first merge that does not come out as the session has it.
        LimitRefusal: also where given merges would grow over a limit.
        Refusal: as `Trainer` and its `learn`.
    """
    given = session.given
    if given.pairs:
        bounds = session.limits.lowered(limits)
        Tokenizer.from_pairs(session.policy, alphabet_of(session.policy, given.alphabet), given.pairs, bounds)
    trainer = Trainer(corpus, session.policy, session.limits, kernel or session.kernel, memory_limit, given=given)
    known, total = session.merges, 2 * len(session.merges) - session.rank
    checked = 0
    while checked < len(known):
        learned = trainer.learn(len(known), SLICE_S)
        if learned == checked:
            raise IdentityRefusal(
                f"rank {learned} does not replay: {trainer.stop_reason}, the session has {len(known)}"
            )
        for rank in range(checked, learned):
            _compare(rank, known[rank], trainer.kernel.evidence[rank])
        checked = learned
        yield checked, total
    if session.exhausted and trainer.kernel.learn():
        raise IdentityRefusal(
            f"the session says that no pair is left after {len(known)} merges, but the corpus has one: "
            "open the corpus by itself to start anew"
        )
    trainer.exhausted = session.exhausted
    while trainer.seek(session.rank, SLICE_S) != session.rank:
        yield total - abs(trainer.rank - session.rank), total
    yield total, total
    return trainer


def restore(session: Session, corpus: Corpus | None = None, folder: Path | None = None) -> Trainer:
    """The trainer of a session, at its rank, with every merge and count checked.

    Raises:
        Refusal: as `corpus_of` and `restoring`.
    """
    steps = restoring(session, corpus_of(session, corpus, folder))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            trainer: Trainer = end.value
            return trainer


def _compare(rank: int, saved: Evidence, learned: Evidence) -> None:
    if saved != learned:
        field = next(name for name in Evidence.__slots__ if getattr(saved, name) != getattr(learned, name))
        raise IdentityRefusal(
            f"rank {rank} does not replay: the session has {field} {getattr(saved, field)}, the corpus gives "
            f"{getattr(learned, field)}; open the corpus by itself to start anew"
        )

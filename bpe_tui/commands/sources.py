"""What commands read: corpora, sessions, artifacts, texts; every file is known by its content, not its name."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from bpe_tui.commands.arguments import add_limits, corpus_path, file_limits, whole
from bpe_tui.commands.output import progress, say, with_progress
from bpe_tui.merge_sources import merge_list_from, session_alphabet, session_corpus
from bpe_tui.views.spelling import counted
from engine.artifact import Artifact
from engine.artifact import load as load_artifact
from engine.corpus.document import Corpus
from engine.corpus.open import COPIES, CorpusOptions, open_corpus
from engine.corpus.reading import Reading
from engine.errors import ArtifactRefusal, CorpusRefusal, FormatRefusal, PolicyRefusal, Refusal
from engine.files import BLOCK, note_read, read_file, telling
from engine.formats.artifact import ARTIFACT
from engine.formats.base import FileFormat
from engine.formats.files import MOST_BYTES as MOST_ARTIFACT
from engine.formats.registry import format_of
from engine.given import NOTHING_GIVEN, Given
from engine.layout import Layout
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer
from sessions.codec import MOST_BYTES
from sessions.restore import STANDARD_INPUT, restoring
from sessions.snapshot import Session
from sessions.store import holds_session, load

MOST_RECEIPT = 1 << 20
"""Bytes of the largest corpus receipt, which names a few hashes."""


def read_corpus(path: str, options: CorpusOptions, memory_limit: int | None = None) -> Corpus:
    """The corpus at a path, or from standard input for `-`, with progress; its notes are told.

    Raises:
        Refusal: as `open_corpus`.
    """
    if options.format == "auto" and path != STANDARD_INPUT and holds_session(path):
        raise CorpusRefusal(
            f"{quoted(path)} is a session, not a corpus: bpe-tui {quoted(path)} opens it, --merges-from begins with "
            "its merges; --format text reads its bytes"
        )
    with progress("reading") as tell:
        reading = Reading(memory_limit, tell, lambda: say(f"waiting for {quoted(path)} to be written"))
        source = read_standard_input(reading) if path == STANDARD_INPUT else Path(path)
        corpus = open_corpus(source, options, reading)
    say(f"corpus: {quoted(corpus.name)}, {len(corpus.training)} training and {len(corpus.held_out)} held-out documents")
    for note in corpus.notes:
        say(f"        {note}")
    return corpus


def read_given(args: argparse.Namespace) -> MergeList | None:
    """The merges that a run begins from, if there are any; what is not honoured of their file is told."""
    if args.merges_from is None:
        return None
    merges = merge_list_from(args.merges_from, file_limits(args), tell=say)
    say(f"given: {counted(len(merges.pairs), 'merge')} of {quoted(merges.name)}, {merges.format}")
    for remark in merges.remarks:
        say(f"       {remark}")
    return merges


def checked_given(merges: MergeList | None, policy: Policy) -> Given:
    """Merges that fit a policy.

    Raises:
        PolicyRefusal: for merges of bytes under a policy of characters, and the other way round.
    """
    if merges is None:
        return NOTHING_GIVEN
    if merges.policy.alphabet != policy.alphabet:
        raise PolicyRefusal(
            f"{quoted(merges.name)} has merges of {merges.policy.alphabet}, the policy says "
            f"alphabet={policy.alphabet}: leave the profile out, or choose one of {merges.policy.alphabet}"
        )
    return merges.given


def read_standard_input(reading: Reading | None = None) -> bytes:
    """All bytes of standard input.

    Raises:
        LimitRefusal: when they take more memory than there may be.
    """
    if sys.stdin is None:
        raise CorpusRefusal("standard input is closed: give a file")
    with suppress(OSError):  # no file stands behind it
        note_read(sys.stdin.buffer.fileno())
    reading, blocks, size = reading or Reading(), [], 0
    with telling(lambda: say("reading standard input to its end")):
        while block := sys.stdin.buffer.read(BLOCK):
            blocks.append(block)
            size += len(block)
            reading.check(COPIES * size, "reading standard input")
    return b"".join(blocks)


def read_text(path: str, give: str) -> bytes:
    """What a file or a pipe gives to encode or decode; that a pipe is silent is told.

    Raises:
        ArtifactRefusal: when it cannot be read, is neither file nor pipe, or is larger than any session.
    """
    waiting = partial(say, f"waiting for {quoted(path)}")
    return read_file(path, MOST_BYTES, give, ArtifactRefusal, pipes=True, waiting=waiting)


def add_session(parser: argparse.ArgumentParser, name: str = "session") -> None:
    """A session, and where its corpus lies now."""
    parser.add_argument(name, metavar=name.upper(), help="a session file (.bpes)")
    add_moved_corpus(parser)
    add_limits(parser)


def add_moved_corpus(parser: argparse.ArgumentParser) -> None:
    """Where a session's corpus lies now."""
    parser.add_argument(
        "--corpus",
        metavar="PATH",
        type=corpus_path,
        help="where the corpus lies now, if the session neither holds nor finds it",
    )


def corpus_for(session: Session, path: str, args: argparse.Namespace) -> Corpus:
    """A session's corpus; what is read for it is told."""
    with located(path):
        return session_corpus(session, path, args.corpus, say, Reading(args.memory_limit))


def restored(session: Session, corpus: Corpus, path: str, args: argparse.Namespace) -> Trainer:
    """A session's trainer at its rank, every merge and count checked, with progress."""
    with located(path):
        steps = restoring(session, corpus, memory_limit=args.memory_limit, limits=file_limits(args))
        return with_progress("checking", steps)


@contextmanager
def located(path: str) -> Iterator[None]:
    """Name a file in refusals about what it holds."""
    try:
        yield
    except Refusal as error:
        raise type(error)(f"{quoted(path)}: {error}") from None


def artifact_in(data: bytes, path: str, limits: Limits) -> Artifact:
    """The canonical artifact that a file holds.

    Raises:
        ArtifactRefusal: naming the file, for anything else.
    """
    if not data.lstrip(b" \t\r\n").startswith(b"{"):
        raise ArtifactRefusal(f"{quoted(path)} is neither a session nor a tokenizer artifact: give one of them")
    with located(path):
        return load_artifact(data, limits)


def add_tokenizer(parser: argparse.ArgumentParser) -> None:
    """A tokenizer file and how much of it to use."""
    parser.add_argument("tokenizer", metavar="TOKENIZER", help="a session, an artifact, or a file of another library")
    parser.add_argument(
        "--rank", metavar="R", type=whole, help="use the first R merges (default: an artifact's all, a session's rank)"
    )
    add_moved_corpus(parser)
    add_limits(parser)


def tokenizer_of(args: argparse.Namespace) -> Tokenizer:
    """The tokenizer that the arguments of `add_tokenizer` name; how many merges are in force is told."""
    merges = _foreign(args.tokenizer, file_limits(args))
    if merges is not None:
        rank = chosen_rank(args.rank, len(merges.pairs), len(merges.pairs))
        tokenizer = _foreign_tokenizer(merges, rank)
        say(f"tokenizer: {rank} of {len(merges.pairs)} merges, {tokenizer.policy}")
        for remark in merges.remarks:
            say(f"           {remark}")
        return tokenizer
    if holds_session(args.tokenizer):
        session = load(args.tokenizer)
        known = len(session.merges)
        rank = chosen_rank(args.rank, session.rank, known)
        tokenizer = _session_tokenizer(session, args, rank)
    else:
        data = read_file(args.tokenizer, MOST_ARTIFACT, "a session or a tokenizer artifact", ArtifactRefusal)
        artifact = artifact_in(data, args.tokenizer, file_limits(args))
        known = len(artifact.rules)
        rank = chosen_rank(args.rank, known, known)
        tokenizer = Tokenizer(artifact.policy, artifact.table, rank)
    say(f"tokenizer: {rank} of {known} merges, {tokenizer.policy}")
    return tokenizer


def _foreign(path: str, limits: Limits) -> MergeList | None:
    """What a file of another library holds; None for files of our own, and for those that are neither."""
    format = None if holds_session(path) else foreign_format(path)
    return None if format is None or format.read is None else format.read(Path(path), limits)


def foreign_format(path: str) -> FileFormat | None:
    """The format of another library that a file has; None for artifacts, and for what is no tokenizer file."""
    try:
        format = format_of(Path(path))
    except FormatRefusal:
        return None
    return None if format is ARTIFACT else format


def _foreign_tokenizer(merges: MergeList, rank: int) -> Tokenizer:
    """An encoder with the file's own ids.

    Raises:
        FormatRefusal: where its ids do not follow its merges.
    """
    policy = merges.run_policy
    layout = Layout(policy, len(merges.alphabet))
    if [*merges.ids] != [*range(layout.offset, layout.size(len(merges.pairs)))]:
        raise FormatRefusal(
            f"{quoted(merges.name)} has ids that do not follow its merges: encode with its own library, or replay it "
            "with --merges-from"
        )
    return Tokenizer.from_pairs(policy, merges.base(), merges.pairs[:rank])


def _session_tokenizer(session: Session, args: argparse.Namespace, rank: int) -> Tokenizer:
    """The tokenizer of a session's first merges; only an alphabet of characters needs the corpus."""
    alphabet = session_alphabet(session, args.tokenizer, args.corpus, say)
    with located(args.tokenizer):
        pairs = (merge.pair for merge in session.merges[:rank])
        return Tokenizer.from_pairs(session.policy, alphabet, pairs, session.limits.lowered(file_limits(args)))


def chosen_rank(asked: int | None, default: int, known: int) -> int:
    """The rank to work at.

    Raises:
        ArtifactRefusal: for a rank that is not known.
    """
    rank = default if asked is None else asked
    if not 0 <= rank <= known:
        raise ArtifactRefusal(f"rank {rank} is not there: {known} merges are known, give 0 to {known}")
    return rank


def read_receipt(path: str | None) -> bytes | None:
    """A corpus receipt's bytes, if one is named."""
    return None if path is None else read_file(path, MOST_RECEIPT, "a corpus receipt", ArtifactRefusal)

"""`bpe-tui verify`: everything that can be checked about a session or an artifact."""

import argparse
from collections.abc import Generator

from bpe_tui.commands.arguments import (
    add_corpus_options,
    add_limits,
    changed_limits,
    corpus_options,
    corpus_path,
    file_limits,
)
from bpe_tui.commands.output import print_line, with_progress
from bpe_tui.commands.sources import (
    artifact_in,
    corpus_for,
    foreign_format,
    located,
    read_corpus,
    read_receipt,
    restored,
)
from engine.artifact import Artifact, artifact_of
from engine.binding import WEIGHTED, receipt_binding
from engine.corpus.document import Corpus
from engine.corpus.identity import require_sha256, weighted_bytes_sha256
from engine.errors import ArtifactRefusal, IdentityRefusal
from engine.files import read_file
from engine.limits import Limits
from engine.quoting import quoted
from engine.trace import MERGES
from engine.trace_check import TRACE_LIMITS, check_apply_trace, check_merge_trace
from engine.trainer import Trainer
from sessions.codec import MOST_BYTES
from sessions.restore import SLICE_S
from sessions.snapshot import Session
from sessions.store import holds_session, load

DESCRIPTION = (
    "Check a session (digest, corpus, every merge), an artifact (every rule, canonical bytes) or a trace (every line)."
)
EPILOG = """\
examples:
  bpe-tui verify run.bpes
  bpe-tui verify run.trace
  bpe-tui verify tokenizer.json --corpus train.jsonl --receipt receipt.json

With --corpus an artifact is trained again and compared byte for byte. One line is printed per check that holds; the
first that does not is refused with exit code 1.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and what to compare it with."""
    parser.add_argument("file", metavar="FILE", help="a session, a canonical artifact or a trace")
    parser.add_argument("--corpus", metavar="C", type=corpus_path, help="the corpus that it was trained on")
    parser.add_argument("--receipt", metavar="R", help="the corpus receipt that an artifact is bound to")
    add_limits(parser)
    add_corpus_options(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Check and say what holds."""
    if holds_session(args.file):
        _verify_session(load(args.file), args)
        return 0
    data = read_file(args.file, MOST_BYTES, "a session, an artifact or a trace", ArtifactRefusal)
    if data.startswith(b"TRACE "):
        _verify_trace(data, args.file, changed_limits(args, TRACE_LIMITS))
    elif foreign_format(args.file) is not None:
        raise ArtifactRefusal(
            f"{quoted(args.file)} is a tokenizer of another library: bpe-tui audit checks it; here goes a session, an "
            "artifact or a trace"
        )
    else:
        _verify_artifact(artifact_in(data, args.file, file_limits(args)), data, args)
    return 0


def _verify_session(session: Session, args: argparse.Namespace) -> None:
    _holds("the session's digest and shape")
    trainer = restored(session, corpus_for(session, args.file, args), args.file, args)
    _holds(f"the corpus: SHA-256 {trainer.corpus.sha256}")
    _holds(f"{trainer.learned} merges learned again, each with every count")
    audit = trainer.audit()
    if not audit.exact:
        raise ArtifactRefusal(f"a recount at rank {trainer.rank} differs in {len(audit.differences)} pairs")
    _holds(f"a recount of all {audit.pairs} pairs at rank {trainer.rank}")
    if session.receipt is not None:
        receipt_binding(session.receipt, trainer.corpus)
        _holds("the corpus receipt names this corpus")


def _verify_trace(data: bytes, path: str, limits: Limits) -> None:
    with located(path):
        if data.startswith(f"TRACE {MERGES} BEGIN".encode()):
            _holds(f"{check_merge_trace(data, limits)} merges trained again give the same lines")
        else:
            _holds(f"{check_apply_trace(data, limits)} cases encoded again give the same lines")


def _verify_artifact(artifact: Artifact, data: bytes, args: argparse.Namespace) -> None:
    _holds(f"{len(artifact.rules)} merges and every rule of the format")
    if artifact.to_bytes() != data:
        raise ArtifactRefusal(
            f"{quoted(args.file)} is valid but not canonical: other key order, spaces or line end; write it again "
            "with bpe-tui"
        )
    _holds(f"canonical bytes: {len(data)}")
    if args.corpus is None:
        return
    corpus = read_corpus(args.corpus, corpus_options(args), args.memory_limit)
    _verify_binding(artifact, corpus, read_receipt(args.receipt))
    trainer = Trainer(corpus, artifact.policy, memory_limit=args.memory_limit)
    with_progress("training", _to_budget(trainer))
    if artifact_of(trainer, artifact.binding).to_bytes() != data:
        raise ArtifactRefusal(f"{quoted(args.file)} differs from what this corpus trains: {_first(artifact, trainer)}")
    _holds(f"{trainer.rank} merges trained again give the same bytes")


def _verify_binding(artifact: Artifact, corpus: Corpus, receipt: bytes | None) -> None:
    binding = artifact.binding
    weighted = binding.input_encoding == WEIGHTED
    require_sha256(weighted_bytes_sha256(corpus.training) if weighted else corpus.sha256, binding.input_sha256)
    _holds(f"the training input: SHA-256 {binding.input_sha256}")
    if receipt is None:
        return
    if receipt_binding(receipt, corpus) != binding:
        raise IdentityRefusal(
            f"the artifact is bound to another receipt, with SHA-256 {binding.corpus_receipt_sha256}: give that one"
        )
    _holds("the corpus receipt")


def _first(artifact: Artifact, trainer: Trainer) -> str:
    """The first difference between an artifact and a run, in words."""
    for rule, merge in zip(artifact.rules, trainer.merges, strict=False):
        found = (*map(trainer.layout.shown, merge.evidence.pair), merge.evidence.candidate_count)
        if (rule.left, rule.right, rule.candidate_count) != found or rule.replacements != merge.evidence.replacements:
            return (
                f"at rank {rule.rank} it has ({rule.left},{rule.right}) {rule.candidate_count}/{rule.replacements}, "
                f"the corpus gives ({found[0]},{found[1]}) {found[2]}/{merge.evidence.replacements}"
            )
    return f"it has {len(artifact.rules)} merges and other totals, the corpus gives {trainer.learned}"


def _to_budget(trainer: Trainer) -> Generator[tuple[int, int | None], None, None]:
    while not trainer.finished:
        yield trainer.learn(trainer.budget or 0, SLICE_S), trainer.budget


def _holds(what: str) -> None:
    print_line("ok: ", what)

"""What commands write: the output file's format, what it must not overwrite, and the line that says it is done."""

import argparse
import os

from bpe_tui.commands.output import say
from bpe_tui.exports import Format, export, format_of, require
from engine.errors import ArtifactRefusal
from engine.policy import Policy
from engine.quoting import quoted
from engine.trainer import Trainer
from sessions.snapshot import EMBEDDED_BYTES, Session


def add_embed(parser: argparse.ArgumentParser) -> None:
    """Whether a written session holds its corpus."""
    parser.add_argument(
        "--embed",
        action=argparse.BooleanOptionalAction,
        help=f"keep the corpus inside a written session (default: up to {EMBEDDED_BYTES} bytes)",
    )


def output_format(path: str, asked: str | None, policy: Policy, *inputs: str | None) -> Format:
    """The format to write, known before the work begins.

    Raises:
        ArtifactRefusal: for a name without a known ending, a policy that the format cannot express, or a file that is
            one of the inputs.
    """
    format = format_of(path) if asked is None else Format(asked)
    require(format, policy)
    for given in inputs:
        if given is not None and os.path.exists(given) and os.path.exists(path) and os.path.samefile(given, path):
            raise ArtifactRefusal(f"{quoted(path)} is what is read here: write to another file")
    return format


def write(trainer: Trainer, format: Format, path: str, session: Session) -> None:
    """Export, and say what was written."""
    done = export(trainer, format, path, session)
    say(
        f"wrote {quoted(done.path)}: {done.format}, {done.merges} merges, {done.size} bytes, read back and equal; "
        f"SHA-256 {done.sha256}"
    )

"""What commands write: the output file's format, what it must not overwrite, and the line that says it is done."""

import argparse
import os
from collections.abc import Iterable

from bpe_tui.commands.output import say
from bpe_tui.exports import (
    ABOUT,
    ENDINGS,
    FOREIGN,
    Exported,
    Format,
    export,
    export_list,
    format_of,
    losses_of,
    require,
    targets,
)
from engine.errors import ArtifactRefusal
from engine.merge_list import MergeList, merge_list_of
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


def format_lines(formats: Iterable[Format]) -> str:
    """A line of help for each format: ending, name, what it holds."""
    ending_of = {format: ending for ending, format in ENDINGS.items()}
    return "\n".join(f"  {ending_of.get(f, '--to'):<10}{f:<13}{ABOUT[f]}" for f in formats if f in ABOUT)


def output_format(path: str, asked: str | None, policy: Policy, *inputs: str | None) -> Format:
    """The format to write, known before the work begins.

    Raises:
        ArtifactRefusal: for a name without a known ending, a policy that the format cannot express, or a file that is
            one of the inputs.
    """
    format = format_of(path) if asked is None else Format(asked)
    require(format, policy)
    refuse_inputs(format, path, *inputs)
    return format


def refuse_inputs(format: Format, path: str, *inputs: str | None) -> None:
    """Refuse to write any file of a format over what is read; refusals as in `refuse_same`."""
    for target in targets(format, path).values():
        refuse_same(target, *inputs)


def refuse_same(target: str, *inputs: str | None) -> None:
    """Refuse to write over what is read.

    Raises:
        ArtifactRefusal: for a file that is one of the inputs.
    """
    for given in inputs:
        if given is not None and os.path.exists(given) and os.path.exists(target) and os.path.samefile(given, target):
            raise ArtifactRefusal(f"{quoted(target)} is what is read here: write to another file")


def write(trainer: Trainer, format: Format, path: str, session: Session) -> None:
    """Say what the format does not hold, export, and say what was written."""
    if format in FOREIGN:
        write_list(merge_list_of(trainer), format, path)
    else:
        _report(export(trainer, format, path, session))


def write_list(merges: MergeList, format: Format, path: str) -> None:
    """The same for a merge list and a format of another library."""
    for loss in losses_of(merges, format):
        say(f"not in {format}: {loss}")
    _report(export_list(merges, format, path))


def _report(exported: tuple[Exported, ...]) -> None:
    for done in exported:
        say(
            f"wrote {quoted(done.path)}: {done.format}, {done.merges} merges, {done.size} bytes, read back and equal; "
            f"SHA-256 {done.sha256}"
        )

"""What commands write: the output file's format, what it may replace, and the line that says it is done."""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

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
    targets_of,
)
from engine.errors import ArtifactRefusal
from engine.files import reads_so_far
from engine.merge_list import MergeList, merge_list_of
from engine.policy import Policy
from engine.quoting import quoted
from engine.trainer import Trainer
from sessions.atomic import ANYTHING, Changed, write_atomically
from sessions.snapshot import EMBEDDED_BYTES, Session
from sessions.targets import State, Target, Written, target_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Output:
    """A format, the path that was asked for, and where each of the format's files goes."""

    format: Format
    path: str
    targets: Mapping[str, Target]


def add_embed(parser: argparse.ArgumentParser) -> None:
    """Whether a written session holds its corpus."""
    parser.add_argument(
        "--embed",
        action=argparse.BooleanOptionalAction,
        help=f"keep the corpus inside a written session (default: up to {EMBEDDED_BYTES} bytes, and where it was)",
    )


def add_force(parser: argparse.ArgumentParser) -> None:
    """Whether files that are there may be replaced."""
    parser.add_argument("--force", action="store_true", help="replace an output file that is there already")


def format_lines(formats: Iterable[Format]) -> str:
    """A line of help for each format: ending, name, what it holds."""
    ending_of = {format: ending for ending, format in ENDINGS.items()}
    return "\n".join(f"  {ending_of.get(f, '--to'):<10}{f:<13}{ABOUT[f]}" for f in formats if f in ABOUT)


def output_format(path: str, asked: str | None, policy: Policy, *, named: bool = False) -> Format:
    """The format to write, known before the work begins.

    Args:
        path: as the user gave it.
        asked: the format's name; by the path's ending if None.
        policy: what the format must be able to express.
        named: whether the command has `--to`.

    Raises:
        ArtifactRefusal: for a name without a known ending, or a policy that the format cannot express.
    """
    format = format_of(path, named=named) if asked is None else Format(asked)
    require(format, policy)
    return format


def output_of(
    path: str,
    format: Format,
    *,
    force: bool,
    session: Written | None = None,
) -> Output:
    """Where to write: known once everything is read, and before the work begins.

    Args:
        path: as the user gave it.
        format: what is written.
        force: whether files that are there may be replaced.
        session: the session that the run is from, which a session may replace.

    Raises:
        ArtifactRefusal: for a file that was read, or one that is there and may not be replaced.
    """
    own = session if format is Format.SESSION else None
    return Output(format, path, _approved(targets_of(format, path, reads_so_far(), own), force))


def file_output(path: str, *, force: bool) -> Target:
    """Where to write a single file; otherwise as `output_of`."""
    return _approved({"": target_of(path, reads_so_far())}, force)[""]


def _approved(targets: Mapping[str, Target], force: bool) -> dict[str, Target]:
    if force:
        return {name: replace(target, seen=ANYTHING) for name, target in targets.items()}
    for target in targets.values():
        if target.state not in (State.FREE, State.OWN):
            raise ArtifactRefusal(
                f"{quoted(target.path)} is there already: --force replaces it, or write to another file"
            )
    return dict(targets)


def write(trainer: Trainer, output: Output, session: Session) -> None:
    """Say what the format does not hold, export, and say what was written."""
    if output.format in FOREIGN:
        write_list(merge_list_of(trainer), output)
    else:
        _report(_put(output, lambda targets: export(trainer, output.format, targets, session)))


def write_list(merges: MergeList, output: Output) -> None:
    """The same for a merge list and a format of another library."""
    for loss in losses_of(merges, output.format):
        say(f"not in {output.format}: {loss}")
    _report(_put(output, lambda targets: export_list(merges, output.format, targets)))


def write_file(target: Target, data: bytes) -> str:
    """Write a single file, and return its path."""
    try:
        write_atomically(target.path, data, target.seen)
        return target.path
    except Changed:
        path = _free_path(target.path, lambda path: [target_of(path)])
        write_atomically(path, data, None)
        return path


def _put(output: Output, put: Callable[[Mapping[str, Target]], T]) -> T:
    """Write to the targets; where somebody else wrote one meanwhile, beside them, so that the work is not lost."""
    try:
        return put(output.targets)
    except Changed:
        path = _free_path(output.path, lambda path: targets_of(output.format, path).values())
        return put(targets_of(output.format, path))


def _free_path(path: str, targets: Callable[[str], Iterable[Target]]) -> str:
    stem, ending = os.path.splitext(path)
    numbered = (f"{stem}-{n}{ending}" for n in count(2))
    free = next(name for name in numbered if all(target.state is State.FREE for target in targets(name)))
    say(f"{quoted(path)} was written by another program meanwhile: this goes to {quoted(free)}")
    return free


def _report(exported: tuple[Exported, ...]) -> None:
    for done in exported:
        say(
            f"wrote {quoted(done.path)}: {done.format}, {done.merges} merges, {done.size} bytes, read back and equal; "
            f"SHA-256 {done.sha256}"
        )

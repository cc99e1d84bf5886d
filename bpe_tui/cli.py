"""The command line: words first, imports later. Data goes to standard output, talk to standard error."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from bpe_tui import __version__
from bpe_tui.faults import FAULTS, fault_words

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = {
    "open": "open a corpus or a session in the explorer (also without this word)",
    "train": "train, and print every merge with its evidence",
    "show": "print a session at any rank: sequences, pair counts, the merge",
    "encode": "turn text into token ids",
    "decode": "turn token ids back into bytes",
    "export": "write a session's merges for a library, as artifact, trace, JSON Lines or CSV",
    "verify": "check a session or an artifact, and retrain to compare every count",
    "convert": "turn a tokenizer file of one library into another's",
    "audit": "check a tokenizer: what it cannot reach, cuts, misses; and its merges on a corpus",
    "compare": "find where two merge lists part on a corpus, and the rule that parted them",
    "check": "hold a merge list of your own against a profile: the first wrong merge, and the likely mistake",
    "profiles": "list the named policies, many of them other trainers', or explain one",
}
"""The first word after `bpe-tui`, and what it does; each is a module of `bpe_tui.commands`."""

HELP = """\
usage: bpe-tui CORPUS [options]          explore the training of a tokenizer
       bpe-tui SESSION.bpes              go on where a session stopped
       bpe-tui COMMAND ...               work without the explorer

A corpus is a JSON, JSON Lines, text or word-count file, a folder of text files, or - for standard input.

commands:
{commands}

  bpe-tui COMMAND --help tells a command's options. A corpus that is named like a command opens as ./NAME.

examples:
  bpe-tui corpus.json                                      explore it
  bpe-tui train corpus.json --merges 8                     print eight merges
  bpe-tui train words.tsv --profile sennrich --merges 10 --json
  bpe-tui train corpus.json --merges 500 -o run.bpes       keep the run as a session
  bpe-tui encode run.bpes "some text"
  bpe-tui verify run.bpes
  bpe-tui notes.txt --merges-from tokenizer.json           step through its merges on your text
  bpe-tui compare rustbpe cs336 --corpus notes.txt --merges 4000     where do they part, and why?

options:
  -h, --help  this text
  --version   the version

exit codes: 0 done; 1 refused, with one line that says why; 2 not understood, or no terminal to explore in
"""

REFUSED, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141


class Parser(argparse.ArgumentParser):
    """A parser whose complaints show hostile arguments instead of passing them to the terminal."""

    def error(self, message: str) -> NoReturn:
        """Say what was not understood, in one line, and leave with 2."""
        from bpe_tui.commands.output import say

        say(f"{self.prog}: {message}; see {self.prog} --help")
        sys.exit(USAGE)

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Print help; the base class keeps it to itself when that fails."""
        (file or sys.stderr).write(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    Args:
        argv: the arguments, without the program's name; those of the process if None.
    """
    _prepare_streams()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()
        return PIPE_CLOSED
    except OSError as error:  # files are refused where they are opened; what is left is the output itself
        from bpe_tui.commands.output import say
        from engine.quoting import quoted

        _abandon_output()
        what = "write the output" if error.filename is None else f"use {quoted(error.filename)}"
        say(f"bpe-tui: cannot {what}: {(error.strerror or str(error)).lower()}")
        return REFUSED


def _abandon_output() -> None:
    """Let what is still buffered go nowhere: Python flushes once more at exit, and would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    first = argv[0] if argv else ""
    if first in ("-h", "--help"):
        sys.stdout.write(_help())
        return 0
    if first == "--version":
        sys.stdout.write(f"bpe-tui {__version__}\n")
        return 0
    if not argv:
        sys.stderr.write(_help())
        return USAGE
    if first in COMMANDS:
        return _command(first, argv[1:], f"bpe-tui {first}")
    return _command("open", argv, "bpe-tui")


def _command(name: str, argv: list[str], prog: str) -> int:
    from bpe_tui.commands.output import say
    from engine.errors import Refusal
    from engine.files import noting_reads

    module = import_module(f"bpe_tui.commands.{name}")
    parser = Parser(
        prog=prog,
        description=module.DESCRIPTION,
        epilog=module.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    try:
        module.add_arguments(parser)
        with noting_reads():
            code: int = module.run(parser.parse_intermixed_args(argv), parser)
        return code
    except SystemExit as end:
        return int(end.code or 0)
    except Refusal as refusal:
        say(f"bpe-tui: {refusal}")
    except FAULTS as fault:
        say(f"bpe-tui: {fault_words(fault)}")
    return REFUSED


def _help() -> str:
    return HELP.format(commands="\n".join(f"  {name:<10}{about}" for name, about in COMMANDS.items()))


def _prepare_streams() -> None:
    """Let no stream fail on a character that its encoding lacks; closed ones lose talk in silence, but no data."""
    for name, mode in (("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.open(os.devnull, mode), "w"))  # noqa: SIM115 - open as long as the process
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

"""`bpe-tui CORPUS` and `bpe-tui open CORPUS`: the explorer."""

import argparse
import os
import sys

from bpe_tui.commands.arguments import (
    add_corpus_options,
    add_policy_flags,
    corpus_options,
    corpus_path,
    file_limits,
    given_policy_flags,
    limits_of,
    policy_of,
)
from bpe_tui.commands.output import say
from bpe_tui.commands.sources import add_moved_corpus, checked_given, read_given, read_receipt, read_standard_input
from bpe_tui.environment import tidy
from bpe_tui.request import Appearance, OpenRequest
from engine.corpus.reading import Reading
from engine.errors import PolicyRefusal
from engine.files import reads_so_far
from engine.quoting import quoted
from sessions.restore import STANDARD_INPUT
from sessions.store import holds_session

DESCRIPTION = "Explore the training of a tokenizer, merge by merge; or go on with a session."
EPILOG = """\
examples:
  bpe-tui corpus.json
  bpe-tui words.tsv --profile sennrich
  bpe-tui run.bpes
  bpe-tui notes.txt --merges-from tokenizer.json
  cat notes.txt | bpe-tui - --boundary gpt2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The source, and what to train on it."""
    parser.add_argument(
        "source", metavar="CORPUS", type=corpus_path, help="a corpus, a session, or - for standard input"
    )
    parser.add_argument("--receipt", metavar="R", help="a corpus receipt, to which exported artifacts are bound")
    add_moved_corpus(parser)
    add_corpus_options(parser)
    add_policy_flags(parser)
    look = parser.add_argument_group("appearance", "these go over the settings file, see docs/keys.md")
    look.add_argument("--theme", metavar="NAME", help="a theme of the palette, for example nord or ansi-dark")
    look.add_argument("--ascii", action="store_true", help="draw printable ASCII only")
    look.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal, to select and copy")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Hand what is asked for to the app, if there is a terminal."""
    piped = args.source == STANDARD_INPUT
    if not sys.stdout.isatty() or not (_has_terminal() if piped else sys.stdin.isatty()):
        say(
            "bpe-tui: no terminal to explore in; without one use bpe-tui train, show, encode, decode, export, convert, "
            "verify, audit, compare, check or profiles"
        )
        return 2
    request = request_of(args)
    tidy()
    from bpe_tui.app.app import run as run_app

    code: int = run_app(request, Appearance(args.theme, args.ascii, not args.no_mouse))
    return code


def request_of(args: argparse.Namespace) -> OpenRequest:
    """The arguments as one value; standard input is read here, and the terminal takes its place."""
    limits, options = limits_of(args), corpus_options(args)
    is_session = args.source != STANDARD_INPUT and holds_session(args.source)
    if is_session and (flags := list(given_policy_flags(args))):
        raise PolicyRefusal(
            f"{quoted(args.source)} is a session, which has its own policy: leave out {', '.join(flags)}, or open "
            "the corpus"
        )
    merges = read_given(args)
    policy = policy_of(args, None if merges is None else merges.run_policy)
    return OpenRequest(
        source=args.source,
        data=_piped(args.memory_limit) if args.source == STANDARD_INPUT else None,
        is_session=is_session,
        options=options,
        policy=policy,
        limits=limits,
        file_limits=file_limits(args),
        kernel=args.kernel,
        receipt=read_receipt(args.receipt),
        corpus=args.corpus,
        memory_limit=args.memory_limit,
        given=checked_given(merges, policy),
        read=reads_so_far(),
    )


def _piped(memory_limit: int | None) -> bytes:
    data = read_standard_input(Reading(memory_limit))
    terminal = os.open("/dev/tty", os.O_RDWR)
    os.dup2(terminal, 0)
    os.close(terminal)
    return data


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        return False
    return True

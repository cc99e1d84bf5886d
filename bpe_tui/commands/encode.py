"""`bpe-tui encode`: text to token ids."""

import argparse
import os
import sys
from collections.abc import Sequence

from bpe_tui.commands.output import print_json, print_line, say
from bpe_tui.commands.sources import add_tokenizer, read_standard_input, read_text, tokenizer_of
from bpe_tui.commands.writing import add_force, file_output, write_file
from engine.formats.ids import WRITERS, form_of
from engine.quoting import quoted
from engine.tokenizer import EncodeStep, Tokenizer
from sessions.targets import Target

DESCRIPTION = "Encode text by the lowest rank first, then leftmost; ids go to standard output."
EPILOG = """\
examples:
  bpe-tui encode tokenizer.json "bee "
  bpe-tui encode tokenizer.json --frame --file notes.txt
  bpe-tui encode run.bpes --file notes.txt -o ids.npy
  printf 'acac' | bpe-tui encode run.bpes - --trace

Text is taken as bytes, as it is: a control token's name in it is content. Without TEXT and --file it is read from
standard input. --json prints one object: bytes, tokens, ids, framed (null where the id layout has no frames), pieces
(hex, one per id) and, with --trace, initial and steps. -o writes the ids alone: .npy (16 bits where all fit, else 32),
.json an array, else text.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizer, the text, and how to print the ids."""
    add_tokenizer(parser)
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the text; - reads standard input")
    parser.add_argument("--file", metavar="F", help="read the text from a file")
    parser.add_argument("--frame", action="store_true", help="put BOS and EOS around the ids")
    parser.add_argument("--trace", action="store_true", help="print each rank that fired")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object")
    shown.add_argument("--to", choices=list(WRITERS), help="the form of the ids (default: by OUT's ending, else text)")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the ids to a file")
    add_force(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Encode and print."""
    if args.text is not None and args.file is not None:
        parser.error("two texts: give TEXT or --file F")
    if args.text is None and args.file is None and sys.stdin is not None and sys.stdin.isatty():
        parser.error("which text? give TEXT, --file F, or - for standard input")
    form = args.to or form_of(args.output or "")
    if args.output is not None and (args.json or args.trace):
        parser.error("-o writes ids alone: leave out --json and --trace")
    if form == "npy" and args.output is None and sys.stdout.isatty():
        parser.error("a terminal cannot show .npy: give -o FILE")
    tokenizer = tokenizer_of(args)
    data = _text(args)
    target = None if args.output is None else file_output(args.output, force=args.force)
    ids = tokenizer.encode(data)
    framed = tokenizer.frame(ids) if args.frame or (args.json and tokenizer.layout.framed) else None
    initial, steps = tokenizer.trace(data) if args.trace else ([], [])
    if args.json:
        record: dict[str, object] = {
            "bytes": len(data),
            "tokens": len(ids),
            "ids": ids,
            "framed": framed,
            "pieces": [piece.hex() for piece in tokenizer.pieces(ids)],
        }
        if args.trace:
            record |= {"initial": initial, "steps": [_step(tokenizer, step) for step in steps]}
        print_json([record])
        return 0
    if args.trace:
        print_line("initial: ", _spaced(initial))
        for step in steps:
            _print_step(tokenizer, step)
    _write(ids if framed is None else framed, form, target)
    return 0


def _write(ids: Sequence[int], form: str, target: Target | None) -> None:
    data = WRITERS[form](ids)
    if target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    path = write_file(target, data)
    say(f"wrote {quoted(path)}: {form}, {len(ids)} ids, {len(data)} bytes")


def _text(args: argparse.Namespace) -> bytes:
    if args.file is not None:
        return read_text(args.file, "a file to encode")
    if args.text is None or args.text == "-":
        return read_standard_input()
    return os.fsencode(args.text)


def _step(tokenizer: Tokenizer, step: EncodeStep) -> dict[str, object]:
    return {
        "rank": step.rank,
        "pair": tokenizer.pair_of(step.rank),
        "token_id": tokenizer.layout.of_rank(step.rank),
        "replacements": step.replacements,
        "before": step.before,
        "after": step.after,
    }


def _print_step(tokenizer: Tokenizer, step: EncodeStep) -> None:
    left, right = tokenizer.pair_of(step.rank)
    made = tokenizer.layout.of_rank(step.rank)
    print_line(
        f"rank {step.rank}: {left},{right} -> {made}, {step.replacements} replaced, "
        f"{len(step.before)} -> {len(step.after)} tokens: {_spaced(step.after)}"
    )


def _spaced(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))

"""`bpe-tui decode`: token ids back to bytes."""

import argparse
import sys

from bpe_tui.commands.output import print_line
from bpe_tui.commands.sources import add_tokenizer, read_standard_input, tokenizer_of
from bpe_tui.text.cells import show
from engine.errors import TokenizerRefusal
from engine.quoting import quoted

DESCRIPTION = "Decode token ids strictly: an unknown id, a control id or a broken frame is refused with its position."
EPILOG = """\
examples:
  bpe-tui decode tokenizer.json 100 103 265
  bpe-tui decode tokenizer.json --frame 0 100 103 265 1
  bpe-tui encode run.bpes - < notes.txt | bpe-tui decode run.bpes | cmp - notes.txt

Without IDS they are read from standard input, separated by white space. The exact bytes go to standard output, nothing
added; on a terminal their safe spelling is shown instead. --hex prints them as two-digit groups.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizer, the ids, and how to print the bytes."""
    add_tokenizer(parser)
    parser.add_argument("ids", metavar="IDS", nargs="*", help="token ids")
    parser.add_argument("--frame", action="store_true", help="the ids are a document between BOS and EOS")
    parser.add_argument("--hex", action="store_true", help="print the bytes as hex")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Decode and print."""
    if not args.ids and sys.stdin is not None and sys.stdin.isatty():
        parser.error("which ids? give IDS, or pipe them in")
    tokenizer = tokenizer_of(args)
    words = args.ids or read_standard_input().decode("ascii", "backslashreplace").split()
    ids = [_id(word, position) for position, word in enumerate(words)]
    data = tokenizer.decode_document(ids) if args.frame else tokenizer.decode(ids)
    if args.hex:
        print_line(data.hex(" "))
    elif sys.stdout.isatty():
        print_line(show(data))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return 0


def _id(word: str, position: int) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 20):
        raise TokenizerRefusal(f"{quoted(word)} at position {position} is no token id: give whole numbers")
    return int(word)

"""`bpe-tui decode`: token ids back to bytes."""

import argparse
import sys
from collections.abc import Sequence

from bpe_tui.commands.output import print_line
from bpe_tui.commands.sources import add_tokenizer, read_standard_input, read_text, tokenizer_of
from bpe_tui.text.cells import show
from engine.corpus.open import COPIES
from engine.formats.ids import ids_of, read_ids
from engine.memory import check_memory

DESCRIPTION = "Decode token ids strictly: an unknown id, a control id or a broken frame is refused with its position."
EPILOG = """\
examples:
  bpe-tui decode tokenizer.json 100 103 265
  bpe-tui decode tokenizer.json --frame 0 100 103 265 1
  bpe-tui decode run.bpes --file ids.npy
  bpe-tui encode run.bpes - < notes.txt | bpe-tui decode run.bpes | cmp - notes.txt

Without IDS and --file they are read from standard input: text, a JSON array or .npy. The exact bytes go to standard
output, nothing added; on a terminal their safe spelling is shown instead. --hex prints them as two-digit groups.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizer, the ids, and how to print the bytes."""
    add_tokenizer(parser)
    parser.add_argument("ids", metavar="IDS", nargs="*", help="token ids")
    parser.add_argument("--file", metavar="F", help="read the ids from a file: .npy, a JSON array, or text")
    parser.add_argument("--frame", action="store_true", help="the ids are a document between BOS and EOS")
    parser.add_argument("--hex", action="store_true", help="print the bytes as hex")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Decode and print."""
    if args.ids and args.file is not None:
        parser.error("two lists of ids: give IDS or --file F")
    if not args.ids and args.file is None and sys.stdin is not None and sys.stdin.isatty():
        parser.error("which ids? give IDS or --file F, or pipe them in")
    tokenizer = tokenizer_of(args)
    ids = _ids(args)
    content = tokenizer.unframed(ids) if args.frame else ids

    def taken(size: int) -> None:
        check_memory(COPIES * size, args.memory_limit, f"decoding to {size:,} bytes", "decode fewer ids")

    data = tokenizer.decode(content, taken)
    if args.hex:
        print_line(data.hex(" "))
    elif sys.stdout.isatty():
        print_line(show(data))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return 0


def _ids(args: argparse.Namespace) -> Sequence[int]:
    if args.file is not None:
        return read_ids(read_text(args.file, "a file of token ids"), args.file)
    if args.ids:
        return ids_of(args.ids, "IDS")
    return read_ids(read_standard_input(), "standard input")

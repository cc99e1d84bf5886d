"""`bpe-tui convert`: a tokenizer file in another format, ids kept."""

import argparse
from dataclasses import replace

from bpe_tui.commands.arguments import add_limits, file_limits
from bpe_tui.commands.output import say
from bpe_tui.commands.sources import add_moved_corpus
from bpe_tui.commands.writing import add_force, format_lines, output_of, write_list
from bpe_tui.exports import FOREIGN, Format, format_of
from bpe_tui.merge_sources import merge_list_from
from engine.errors import FormatRefusal
from engine.formats.registry import FORMATS
from engine.policy import CHOICES
from engine.pretokenize import splitter
from engine.quoting import quoted

DESCRIPTION = "Write a tokenizer file, or a session at its rank, in another library's format; ids stay as they are."
EPILOG = f"""\
formats, by the file's ending or --to:
{format_lines(FOREIGN)}

read, whatever the file is called: {", ".join(FORMATS)}, session.

examples:
  bpe-tui convert cl100k_base.tiktoken --boundary cl100k --to huggingface -o tokenizer.json
  bpe-tui convert gpt2-folder -o gpt2.tiktoken
  bpe-tui convert run.bpes -o run.model

What the new format does not hold is said before it is written; what it cannot express, or only with other ids, is
refused. The file is read back and compared before it takes its name; one that is there is replaced with --force only.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to read, what to write."""
    parser.add_argument("source", metavar="IN", help="a tokenizer file, a folder that holds one, or a session")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write")
    parser.add_argument("--to", choices=[f.value for f in FOREIGN], help="the format, whatever OUT's ending")
    parser.add_argument("--boundary", metavar="VALUE", help=f"how texts are cut [{', '.join(CHOICES['boundary'])}]")
    parser.add_argument("--unmatched", metavar="VALUE", help=f"text that it misses [{', '.join(CHOICES['unmatched'])}]")
    add_force(parser)
    add_limits(parser)
    add_moved_corpus(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Read, say what was left aside, write."""
    format = format_of(args.output, named=True) if args.to is None else Format(args.to)
    if format not in FOREIGN:
        raise FormatRefusal(
            f"{quoted(args.output)} would be {format}, which holds a run's counts: use bpe-tui export for a session, "
            f"or --to {', '.join(FOREIGN)}"
        )
    merges = merge_list_from(args.source, file_limits(args), args.corpus, say)
    output = output_of(args.output, format, force=args.force)
    say(f"read {quoted(args.source)}: {merges.format}, {len(merges.pairs)} merges")
    for remark in merges.remarks:
        say(f"        {remark}")
    changes = {name: getattr(args, name) for name in ("boundary", "unmatched") if getattr(args, name) is not None}
    policy = merges.policy.changed(**changes)
    splitter(policy)  # a pattern that does not compile is refused here
    write_list(replace(merges, policy=policy), output)
    return 0

"""`bpe-tui export`: a session's merges in another form."""

import argparse

from bpe_tui.commands.arguments import whole
from bpe_tui.commands.sources import add_session, chosen_rank, corpus_for, read_receipt, restored
from bpe_tui.commands.writing import add_embed, add_force, format_lines, output_format, output_of, write
from bpe_tui.exports import Format
from sessions.restore import capture
from sessions.store import load
from sessions.targets import written

DESCRIPTION = "Write a session's merges, up to its rank or the one given; every count is checked first."
EPILOG = f"""\
formats, by the file's ending or --to:
{format_lines(Format)}

examples:
  bpe-tui export run.bpes -o tokenizer.json
  bpe-tui export run.bpes --rank 100 -o merges.csv
  bpe-tui export run.bpes --to huggingface -o tokenizer.json
  bpe-tui export run.bpes --to gpt2 -o folder

gpt2 is two files, vocab.json and merges.txt in a folder that is there, else with the name as prefix: -o run gives
run-vocab.json and run-merges.txt. What a format of another library does not hold is said before it is written; ids are
never renumbered. Every file is read back and compared before it takes its name, in one step. A file that is there is
replaced with --force only; but a session may take the place of the one it is from.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The session, the file, and what to write."""
    add_session(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the file to write; for two, folder or prefix"
    )
    parser.add_argument("--to", choices=[f.value for f in Format], help="the format, whatever the file's ending")
    parser.add_argument("--rank", metavar="R", type=whole, help="first R merges (default: the session's rank)")
    parser.add_argument("--receipt", metavar="R", help="bind the artifact to this corpus receipt, not the session's")
    add_force(parser)
    add_embed(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Restore, move, write."""
    own = written(args.session)
    session = load(args.session)
    rank = chosen_rank(args.rank, session.rank, len(session.merges))
    format = output_format(args.output, args.to, session.policy, named=True)
    receipt = session.receipt if args.receipt is None else read_receipt(args.receipt)
    corpus = corpus_for(session, args.session, args)
    if args.embed is False and session.corpus is not None:
        own = {}  # it never takes the place of documents that may be nowhere else
    output = output_of(args.output, format, force=args.force, session=own)
    trainer = restored(session, corpus, args.session, args)
    trainer.seek(rank)
    exported = capture(
        trainer,
        session.source.path if args.corpus is None else args.corpus,
        session.source.options,
        kernel=session.kernel,
        receipt=receipt,
        embed=args.embed,
        bookmarks=session.bookmarks,
        held_out=session.held_out,
        view=session.view,
        before=session,
    )
    write(trainer, output, exported)
    return 0

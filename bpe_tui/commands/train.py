"""`bpe-tui train`: learn merges and print them with all their evidence."""

import argparse

from bpe_tui.commands.arguments import (
    EVERY_MERGE,
    add_corpus_options,
    add_policy_flags,
    corpus_options,
    corpus_path,
    limits_of,
    policy_of,
)
from bpe_tui.commands.output import Cell, print_json, print_line, print_table, progress, say, with_progress
from bpe_tui.commands.sources import checked_given, read_corpus, read_given, read_receipt
from bpe_tui.commands.writing import add_embed, add_force, output_format, output_of, write
from bpe_tui.exports import binding
from bpe_tui.merge_records import merge_records
from bpe_tui.text.cells import Mode, show
from bpe_tui.text.safe import SafeText
from bpe_tui.views.spelling import counted, label, token_text
from engine.alphabet import Token
from engine.kernel import Pair, kernel_words
from engine.trace import write_trace
from engine.trainer import Merge, Trainer
from sessions.restore import SLICE_S, capture

DESCRIPTION = "Train a tokenizer and print every merge with the evidence that decided it."
EPILOG = """\
examples:
  bpe-tui train corpus.json --merges 8
  bpe-tui train words.tsv --profile weighted-words --merges all --json
  bpe-tui train train.jsonl --profile incremental --merges 2 --exact --receipt receipt.json -o tokenizer.json
  bpe-tui train notes.txt --merges-from tokenizer.json --json
  bpe-tui train book.txt --boundary gpt2 --tie-break first-seen --merges 1000 -o run.bpes

With -o the table is left out; the file's ending chooses what is written: .json artifact, .bpes session, .trace, .jsonl
or .csv. --json prints one object a merge and a last one, {"summary": ...}.
"""
MOST_IN_TABLE = 1000
"""Bytes of a token that a table shows; --json and files have all of them."""
COLUMNS = ("rank", "pair", "token", "ids", "id", "count", "replaced", "tied", "runner-up", "bytes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, what to train, and what to print or write."""
    parser.add_argument(
        "corpus", metavar="CORPUS", type=corpus_path, help="a file, a folder of text files, or - for standard input"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print JSON Lines instead of a table")
    shown.add_argument("--trace", action="store_true", help="print the trace bpe-merges-v1 instead of a table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result to a file")
    parser.add_argument(
        "--receipt", metavar="R", help="the corpus receipt to bind the run to; it must name this corpus"
    )
    add_force(parser)
    add_embed(parser)
    add_corpus_options(parser)
    add_policy_flags(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Train, print, write."""
    limits = limits_of(args)
    merges = read_given(args)
    policy = policy_of(args, None if merges is None else merges.run_policy)
    given = checked_given(merges, policy)
    if policy.budget is None and args.merges != EVERY_MERGE:
        parser.error("how many merges? give --merges N, --merges all or --vocab-size N")
    format = None if args.output is None else output_format(args.output, None, policy)
    options, receipt = corpus_options(args), read_receipt(args.receipt)
    corpus = read_corpus(args.corpus, options, args.memory_limit)
    output = None if format is None else output_of(args.output, format, force=args.force)
    with progress("counting") as tell:
        trainer = Trainer(corpus, policy, limits, args.kernel, args.memory_limit, tell, given)
    if receipt is not None:
        binding(trainer, receipt)
    for note in trainer.notes:
        say(note)
    say(f"policy: {policy}")
    say(f"kernel: {kernel_words(trainer.kernel.name)}")
    with_progress("learning", trainer.learning(SLICE_S))
    if args.json:
        print_json(merge_records(trainer))
    elif args.trace:
        for line in write_trace(trainer):
            print_line(line)
    elif not args.output and trainer.rank:
        print_table(COLUMNS, (merge_row(trainer, m) for m in trainer.merges))
    say(_summary(trainer))
    if output is not None:
        session = capture(trainer, args.corpus, options, kernel=args.kernel, receipt=receipt, embed=args.embed)
        write(trainer, output, session)
    return 0


def _summary(trainer: Trainer) -> str:
    before = trainer.units.weighted_symbols
    return (
        f"{counted(trainer.rank, 'merge')}, {trainer.stop_reason}; vocabulary {trainer.layout.size(trainer.rank)}; "
        f"{counted(before, 'base symbol')}, {counted(trainer.tokens, 'token')} now"
    )


def merge_row(trainer: Trainer, merge: Merge) -> tuple[Cell, ...]:
    """A merge's cells under `COLUMNS`."""
    evidence, shown = merge.evidence, trainer.layout.shown
    runner_up = SafeText()
    if evidence.runner_up is not None:
        runner_up = _pair(trainer, evidence.runner_up) + label(f" ×{evidence.runner_up_count}")
    return (
        merge.rank,
        _pair(trainer, evidence.pair),
        table_token(merge.content),
        SafeText.label(",".join(str(shown(token)) for token in evidence.pair)),
        shown(merge.token),
        evidence.candidate_count,
        evidence.replacements,
        evidence.tie_size,
        runner_up,
        table_token(Token(merge.content.data), Mode.HEX),
    )


def _pair(trainer: Trainer, pair: Pair) -> SafeText:
    left, right = (table_token(trainer.vocabulary[token]) for token in pair)
    return left + label(" + ") + right


def table_token(token: Token, mode: Mode = Mode.TEXT) -> SafeText:
    """A token in a table: a long one by its beginning and how many bytes it has, since all rows grow as wide."""
    if len(token.data) <= MOST_IN_TABLE:
        return token_text(token, mode)
    return show(token.data[:MOST_IN_TABLE], mode) + label(f"... {len(token.data):,} bytes")

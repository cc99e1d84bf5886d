"""`bpe-tui compare`: where two merge lists part on a corpus, and which rule made them."""

import argparse
from collections.abc import Iterator

from bpe_tui.commands.arguments import (
    add_corpus_options,
    add_limits,
    corpus_options,
    corpus_path,
    file_limits,
    whole,
)
from bpe_tui.commands.output import print_json, print_line, print_table, progress, say
from bpe_tui.commands.sources import read_corpus
from bpe_tui.compare_sides import compared_texts, merges_of_each, side_of, source_of
from bpe_tui.text.cells import show_str
from bpe_tui.views.comparing import agreement_lines, agreement_record, divergence_record, sentence_text, standing_row
from bpe_tui.views.spelling import counted
from engine.compare import Divergence, Side, agreement, divergence
from engine.parting import LETTERS, Parting, parting

DESCRIPTION = "Compare two merge lists over one corpus: where they part, which rule made them, how much agrees."
EPILOG = """\
examples:
  bpe-tui compare huggingface rustbpe --corpus book.txt --merges 4000
  bpe-tui compare course "bpe tie_break=largest-bytes" --corpus corpus.json --merges 100 --json
  bpe-tui compare tokenizer.json run.bpes --corpus corpus.json

A and B are each a profile, a policy line, a session or a tokenizer file; a file that is named like a profile is
./NAME. Profiles and policy lines are trained on the corpus, lists are replayed on it with its true counts. Held-out
documents are encoded by both; the training documents where none is held out.

The exit code is 0 whether the lists are equal or not; with --fail-on-difference it is 1 where they differ.
"""
COLUMNS = ("side", "merges", "count of A's", "count of B's", "highest", "tied", "of which first")
DIFFERENT = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Two sides, the corpus, and how to print."""
    for letter in LETTERS:
        parser.add_argument(
            letter.lower(), metavar=letter, help="a profile, a policy line, a session, a tokenizer file"
        )
    parser.add_argument("--corpus", metavar="C", type=corpus_path, required=True, help="the corpus to count on")
    parser.add_argument("--merges", metavar="N", type=whole, help="merges of each side that is trained")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--fail-on-difference", action="store_true", help="leave with 1 where the lists differ")
    add_limits(parser)
    add_corpus_options(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Train or replay both, compare, print."""
    sources = [source_of(name, say, file_limits(args)) for name in (args.a, args.b)]
    budgets = merges_of_each(args.merges, *sources)
    if budgets is None:
        parser.error("how many merges? give --merges N")
    corpus = read_corpus(args.corpus, corpus_options(args), args.memory_limit)
    sides = []
    for letter, source, budget in zip(LETTERS, sources, budgets, strict=True):
        with progress(f"learning {letter}") as told:
            sides.append(side_of(source, corpus, budget, told, memory_limit=args.memory_limit))
    a, b = sides
    where, parted = divergence(a, b), None
    if where is not None:
        with progress("looking at ties") as told:
            parted = parting(a, b, where, lambda ranks: told(0, None))
    texts = compared_texts(corpus)
    found = agreement(a.merges, b.merges, texts)
    if args.json:
        print_json(_records(a, b, where, parted, agreement_record(found, texts)))
    else:
        _print(a, b, where, parted)
        for line in agreement_lines(found, texts):
            print_line(line)
    return DIFFERENT if where is not None and args.fail_on_difference else 0


def _records(
    a: Side, b: Side, where: Divergence | None, parted: Parting | None, agreement: object
) -> Iterator[dict[str, object]]:
    record = divergence_record(where, parted) if where and parted else None
    yield {**_named(a, b), "divergence": record, "agreement": agreement}


def _named(*sides: Side) -> dict[str, object]:
    return {
        letter: {
            "name": side.name,
            "policy": str(side.trainer.policy),
            "inferred_boundary": side.cut and side.cut.boundary,
            "merges": len(side.merges.pairs),
        }
        for letter, side in zip(LETTERS, sides, strict=True)
    }


def _print(a: Side, b: Side, where: Divergence | None, parted: Parting | None) -> None:
    for letter, side in zip(LETTERS, (a, b), strict=True):
        cut = f"; its counts fit if {side.cut.words}" if side.cut else ""
        print_line(f"{letter}: ", show_str(side.name, prose=True), f", {counted(len(side.merges.pairs), 'merge')}{cut}")
    if where is None or parted is None:
        print_line("equal to the end")
        return
    print_line(f"they part at rank {where.rank:,}: ", sentence_text(parted.sentence))
    print_table(COLUMNS, [standing_row(letter, where) for letter in LETTERS])

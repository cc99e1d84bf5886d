"""`bpe-tui check`: somebody's own merge list against a profile, and the mistake that explains it."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from bpe_tui.commands.arguments import (
    EVERY_MERGE,
    add_corpus_options,
    add_policy_flags,
    corpus_options,
    corpus_path,
    file_limits,
    limits_of,
    policy_of,
)
from bpe_tui.commands.output import print_json, print_line, progress, say
from bpe_tui.commands.sources import read_corpus
from bpe_tui.compare_sides import learn
from bpe_tui.merge_sources import merge_list_from
from bpe_tui.views.comparing import joined_text, pair_record, sentence_text
from bpe_tui.views.spelling import counted
from engine.check import Finding, Wrong, check, findings
from engine.compare import Joined, joined
from engine.errors import FormatRefusal
from engine.formats.files import read_file
from engine.limits import Limits
from engine.pairs_file import read_pairs
from engine.policy import Policy
from engine.quoting import quoted
from engine.trainer import Trainer

DESCRIPTION = "Check your own merge list against a profile: the first wrong merge, and the mistake that explains it."
EPILOG = """\
examples:
  bpe-tui check merges.txt --profile weighted-words --corpus words.tsv
  bpe-tui check merges.txt --profile cs336 --special-token "<|endoftext|>" --corpus book.txt
  bpe-tui check merges.json --boundary gpt2 --tie-break largest-bytes --corpus book.txt --json

MERGES holds two tokens a line with one space between them, as GPT-2's letters of bytes or as hex digits (for profiles
of characters, as text); or a JSON list of pairs, each token a list of bytes, an id or a string; or it is a session or
a tokenizer file of any format. As many merges are checked as it has; with --merges N it must have N.

Known mistakes are tried as ways to train; those that give the wrong merge too are told, the one that gives most of the
list first. Exit code 0: the list is right; 1: it is wrong, or refused.
"""
WRONG = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The list, the corpus, and what is right."""
    parser.add_argument("merges_file", metavar="MERGES", help="your merge list, a session or a tokenizer file")
    parser.add_argument("--corpus", metavar="C", type=corpus_path, required=True, help="the corpus it was trained on")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_corpus_options(parser)
    add_policy_flags(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Train what is right, compare, look for the mistake."""
    policy = policy_of(args)
    wanted = own_list(args.merges_file, policy, file_limits(args))
    if not wanted:
        raise FormatRefusal(f"{quoted(args.merges_file)} has no merge: there is nothing to check")
    if policy.budget is None and args.merges != EVERY_MERGE:
        policy = policy.changed(budget=len(wanted), budget_unit="merges")
    corpus = read_corpus(args.corpus, corpus_options(args), args.memory_limit)
    trainer = Trainer(corpus, policy, limits_of(args), args.kernel, args.memory_limit)
    say(f"policy: {policy}")
    with progress("learning") as told:
        learn(trainer, told)
    wrong = check(trainer, wanted)
    found = []
    if wrong is not None:
        with progress("trying mistakes") as told:
            found = findings(trainer, wanted, wrong, told)
    if args.json:
        print_json(_records(wanted, wrong, found))
    else:
        _print(wanted, wrong, found)
    return 0 if wrong is None else WRONG


def own_list(path: str, policy: Policy, limits: Limits) -> list[Joined]:
    """The merges of a file; refusals as in `read_pairs` and `merge_list_from`."""
    if not os.path.isdir(path):
        data = read_file(Path(path))
        pairs = read_pairs(data, path, characters=policy.alphabet == "characters")
        if pairs is not None:
            return pairs
    return joined(merge_list_from(path, limits, tell=say))


def _print(wanted: list[Joined], wrong: Wrong | None, found: list[Finding]) -> None:
    if wrong is None:
        print_line(f"right: all {counted(len(wanted), 'merge')}")
        return
    print_line(f"wrong at rank {wrong.rank:,} of {counted(len(wanted), 'merge')}: ", sentence_text(wrong.sentence))
    print_line("  right: ", joined_text(wrong.pairs[0]))
    print_line("  yours: ", joined_text(wrong.pairs[1]))
    if not found:
        print_line("no known mistake gives this merge")
    for at, finding in enumerate(found):
        head = "likely mistake" if at == 0 else "also possible"
        how_far = "the whole list" if finding.whole else f"the first {counted(finding.merges, 'merge')}"
        print_line(f"{head}: {finding.mistake.words} (that gives {how_far})")


def _records(wanted: list[Joined], wrong: Wrong | None, found: list[Finding]) -> Iterator[dict[str, object]]:
    record: dict[str, object] = {"right": wrong is None, "merges": len(wanted)}
    if wrong is None:
        yield record
        return
    here = wrong.standing
    yield {
        **record,
        "rank": wrong.rank,
        "sentence": sentence_text(wrong.sentence).plain,
        "expected": {"merges": pair_record(wrong.pairs[0]), "count": here.counts[0]},
        "found": {"merges": pair_record(wrong.pairs[1]), "count": here.counts[1], "highest": here.maximal[1]},
        "highest_count": here.best,
        "tie_size": here.ties,
        "tie_first": [pair_record(pair) for pair in here.first],
        "mistakes": [
            {"name": f.mistake.name, "words": f.mistake.words, "policy": str(f.mistake.policy), "merges": f.merges,
             "whole": f.whole}
            for f in found
        ],
    }  # fmt: skip

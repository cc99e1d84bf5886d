"""`bpe-tui audit`: what is wrong, odd or worth knowing about a tokenizer."""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bpe_tui.commands.arguments import add_corpus_options, add_limits, changed_limits, corpus_options, corpus_path
from bpe_tui.commands.output import Cell, print_json, print_line, print_table, progress, say
from bpe_tui.commands.sources import read_corpus
from bpe_tui.merge_sources import merge_list_from
from bpe_tui.text.cells import show, show_str
from bpe_tui.views.spelling import counted
from engine.audit import AUDIT_LIMITS, CORPUS_KINDS, KINDS, Finding, Report, audit
from engine.audit.findings import Replay, TieRule
from engine.policy import CHOICES
from engine.quoting import quoted

DESCRIPTION = "Look for what is wrong or odd in a tokenizer, and in what it does on a corpus."
EPILOG = f"""\
examples:
  bpe-tui audit tokenizer.json
  bpe-tui audit cl100k_base.tiktoken --boundary cl100k --corpus book.txt
  bpe-tui audit run.bpes --json --fail-on unreachable,equal,missing-id

Without a corpus the list itself is looked at; with one it is also replayed on the training documents, with the true
count of every merge at its turn. --json prints one object a finding and a last one, {{"summary": ...}}. Exit code 1
tells that a kind named by --fail-on has findings. Kinds:

{chr(10).join(f"  {kind:<16} {about}" for kind, about in KINDS.items())}

The last {len(CORPUS_KINDS)} need --corpus.
"""
FIRST = 10
WIDEST = 60
"""Cells of an entry's bytes in a table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizer, the corpus, and what to print."""
    parser.add_argument("tokenizer", metavar="TOKENIZER", type=corpus_path, help="a tokenizer file or a session")
    parser.add_argument("--corpus", metavar="C", type=corpus_path, help="replay its merges on this corpus")
    choices = ", ".join(CHOICES["boundary"])
    parser.add_argument("--boundary", metavar="B", help=f"cut texts here, whatever the file says [{choices}]")
    parser.add_argument("--json", action="store_true", help="print JSON Lines, with every finding")
    parser.add_argument("--all", action="store_true", help=f"print every finding, not the first {FIRST} of each kind")
    parser.add_argument("--fail-on", metavar="KIND,...", default="", help="exit with 1 when one of these has findings")
    add_limits(parser)
    add_corpus_options(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Audit and print."""
    failing = [kind for kind in args.fail_on.split(",") if kind]
    for kind in failing:
        if kind not in KINDS:
            parser.error(f"--fail-on {quoted(kind)} is no kind of finding: choose {', '.join(KINDS)}")
        if kind in CORPUS_KINDS and args.corpus is None:
            parser.error(f"--fail-on {kind} needs --corpus")
    limits = changed_limits(args, AUDIT_LIMITS)
    merges = merge_list_from(args.tokenizer, limits, tell=say)
    if args.boundary is not None:
        merges = replace(merges, policy=merges.policy.changed(boundary=args.boundary))
    say(f"tokenizer: {quoted(merges.name)}, {merges.format}, {counted(len(merges.pairs), 'merge')}")
    say(f"policy: {merges.policy}")
    corpus = None if args.corpus is None else read_corpus(args.corpus, corpus_options(args), args.memory_limit)
    with progress("auditing") as tell:
        report = audit(merges, corpus, limits, tell, args.memory_limit)
    if args.json:
        print_json(_records(report))
    else:
        _print(report, None if args.all else FIRST)
    found = [kind for kind in KINDS if kind in failing and report.findings[kind]]
    if found:
        say(f"bpe-tui: failed on {', '.join(f'{kind} ({len(report.findings[kind]):,})' for kind in found)}")
    return 1 if found else 0


# For people


def _print(report: Report, most: int | None) -> None:
    """The numbers, then the first findings of each kind."""
    print_table(("kind", "found", "what"), ((kind, len(found), KINDS[kind]) for kind, found in report.findings.items()))
    classes = ", ".join(f"{kind} {count:,}" for kind, count in report.utf8.items())
    print_line(f"\nUTF-8 of merged entries: {classes}")
    if report.replay is not None:
        for line in _replay_lines(report.replay, len(report.merges.pairs)):
            print_line(line)
    for kind, found in report.findings.items():
        if found:
            shown = found[:most]
            rest = "" if len(shown) == len(found) else f", the first {len(shown)}; --all prints all"
            print_line(f"\n{kind}: {len(found):,}{rest}")
            print_table(("id", "rank", "entry", "what"), map(_row, shown))


def _replay_lines(replay: Replay, merges: int) -> Iterator[str]:
    yield f"merges that fire on the corpus: {replay.fired:,} of {merges:,}"
    yield f"entries in use when it is encoded: {replay.used:,} of {replay.entries:,}"
    for counting, maxima in replay.maxima.items():
        tied = replay.tied[counting]
        yield f"{counting} counts: {maxima:,} of {merges:,} merges take a maximum, {tied:,} of them one of several"
        if tied:
            yield from _rule_lines(rule for rule in replay.rules if rule.counting == counting)
    if replay.explained is not None:
        cut, tied = replay.explained.cut, replay.explained.tied
        profiles = f" (profiles {', '.join(cut.profiles)})" if cut.profiles else ""
        yield f"every merge takes a maximum if {cut.words}{profiles}; {tied:,} of them take one of several"
        if tied:
            yield from _rule_lines(replay.explained.rules)


def _rule_lines(rules: Iterable[TieRule]) -> Iterator[str]:
    rules = tuple(rules)
    yield "  tie rules still possible: " + _listed(r.rule for r in rules if r.refuted is None)
    yield "  refuted, at rank: " + _listed(f"{r.rule} {r.refuted}" for r in rules if r.refuted is not None)


def _listed(words: Iterator[str]) -> str:
    return ", ".join(words) or "none"


def _row(finding: Finding) -> tuple[Cell, ...]:
    id, rank = ("" if number is None else number for number in (finding.id, finding.rank))
    return id, rank, show(finding.data, width=WIDEST), show_str(finding.sentence, prose=True)


# For programs


def _records(report: Report) -> Iterator[dict[str, object]]:
    """Every finding, then the numbers."""
    for found in report.findings.values():
        for finding in found:
            yield {
                "kind": finding.kind,
                "id": finding.id,
                "rank": finding.rank,
                "bytes": finding.data.hex(),
                "what": finding.sentence,
            }
    summary: dict[str, object] = {
        "tokenizer": report.merges.name,
        "format": report.merges.format,
        "merges": len(report.merges.pairs),
        "findings": {kind: len(found) for kind, found in report.findings.items()},
        "utf8": report.utf8,
    }
    if report.replay is not None:
        summary["replay"] = _replay_record(report.replay)
    yield {"summary": summary}


def _replay_record(replay: Replay) -> dict[str, object]:
    explained = replay.explained
    return {
        "corpus": replay.corpus,
        "counts": replay.counts,
        "fired": replay.fired,
        "used": replay.used,
        "entries": replay.entries,
        "maxima": replay.maxima,
        "tied": replay.tied,
        "rules": _rule_records(replay.rules),
        "explained_by": None
        if explained is None
        else {
            "boundary": explained.cut.boundary,
            "profiles": explained.cut.profiles,
            "tied": explained.tied,
            "rules": _rule_records(explained.rules),
        },
    }


def _rule_records(rules: Iterable[TieRule]) -> list[dict[str, object]]:
    return [{"counting": r.counting, "rule": r.rule, "refuted": r.refuted} for r in rules]

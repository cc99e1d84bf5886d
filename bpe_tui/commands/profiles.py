"""`bpe-tui profiles`: the named policies, and what is known of the trainers that they reproduce."""

import argparse
from collections.abc import Iterator

from bpe_tui.commands.output import print_json, print_line
from engine.profiles import PROFILES, Profile, profile

DESCRIPTION = (
    "List the named policies, or explain one: what it changes and why, how it was verified, where its peer departs."
)
EPILOG = """\
examples:
  bpe-tui profiles
  bpe-tui profiles huggingface
  bpe-tui train corpus.txt --merges 100 --policy "$(bpe-tui profiles rustbpe --line)"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One profile, or all."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="one profile: explain it")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--line", action="store_true", help="print the policy line of NAME only, as --policy takes it")
    form.add_argument("--json", action="store_true", help="print JSON Lines")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print them."""
    if args.line and args.name is None:
        parser.error("--line prints one policy line: give NAME")
    chosen = list(PROFILES.values()) if args.name is None else [profile(args.name)]
    if args.json:
        print_json(map(_record, chosen))
        return 0
    for p in chosen:
        for line in [str(p.policy)] if args.line else _summary(p) if args.name is None else _explained(p):
            print_line(line)
    return 0


def _record(p: Profile) -> dict[str, object]:
    return {
        "name": p.name,
        "policy": str(p.policy),
        "about": p.about,
        "peer": p.peer,
        "differs": {name: {"value": value, "why": p.why[name]} for name, value in p.changes.items()},
        "verified": p.verified,
        "departures": p.departures,
    }


def _summary(p: Profile) -> Iterator[str]:
    yield f"{p.name}: {p.about}" + (f" [{p.peer}]" if p.peer else "")
    yield f"  {p.policy}"


def _explained(p: Profile) -> Iterator[str]:
    yield f"{p.name}: {p.about}"
    yield f"  {p.policy}"
    if p.changes:
        yield "differs from the default policy in"
    for name, value in p.changes.items():
        yield f"  {name}={value}"
        yield f"    {p.why[name]}"
    if p.peer:
        yield f"reproduces {p.peer}"
        yield f"  {p.verified}"
    if p.departures:
        yield "where it departs from this rule"
    for departure in p.departures:
        yield f"  {departure}"

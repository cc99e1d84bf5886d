"""`bpe-tui profiles`: the named policies."""

import argparse

from bpe_tui.commands.output import print_json, print_line
from engine.profiles import PROFILES, profile

DESCRIPTION = "List the named policies; a policy line can be changed and given to --policy."
EPILOG = """\
examples:
  bpe-tui profiles
  bpe-tui profiles sennrich
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One profile, or all."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="one profile: print its policy line only")
    parser.add_argument("--json", action="store_true", help="print JSON Lines")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print them."""
    chosen = list(PROFILES.values()) if args.name is None else [profile(args.name)]
    if args.json:
        print_json({"name": p.name, "policy": str(p.policy), "about": p.about} for p in chosen)
        return 0
    for p in chosen:
        if args.name is None:
            print_line(f"{p.name}: {p.about}")
        print_line("  " if args.name is None else "", str(p.policy))
    return 0

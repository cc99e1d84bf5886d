"""The command line: one attack, a table of figures, and what was bad under it; ends with 1 where something was."""

import argparse
import sys

from . import bounds, commands, coverage, fuzz, kill, terminals

ATTACKS = {
    "fuzz": fuzz, "coverage": coverage, "bounds": bounds, "kill": kill, "terminal": terminals, "commands": commands,
}  # fmt: skip


def main() -> int:
    """Run one attack and print what it found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    chosen = parser.add_subparsers(dest="attack", required=True, metavar="COMMAND")
    for name, module in ATTACKS.items():
        about = (module.__doc__ or "").partition("\n")[0]
        one = chosen.add_parser(name, help=about, description=about)
        one.add_argument("--seed", metavar="N", type=int, default=1, help="equal seeds draw the same (default: 1)")
        module.add_arguments(one)
    args = parser.parse_args()
    report = ATTACKS[args.attack].run(args)
    print(report.text())
    return 1 if report.bad else 0


if __name__ == "__main__":
    sys.exit(main())

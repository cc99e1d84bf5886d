"""The readers under atheris, which follows the branches that an input takes (extra `soak`).

What is imported before atheris looks is not followed: so the program is imported late here.
"""

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec

from . import KEPT, ROOT
from .figures import Report

MOST_BYTES = 6000
"""Bytes of the longest input: short ones are many."""
MOST_MB = 1200
_TRIED = re.compile(r"stat::number_of_executed_units: (\d+)")
_SECONDS = re.compile(r"stat::slowest_unit_time_sec: *(\d+)")
_MEMORY = re.compile(r"stat::peak_rss_mb: *(\d+)")
_ERROR = re.compile(r"=== Uncaught Python exception: ===\n(.*)|ERROR: libFuzzer: (.*)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long, and which reader."""
    parser.add_argument("--seconds", metavar="N", type=int, default=60, help="for each reader (default: 60)")
    parser.add_argument("--reader", metavar="NAME", help="one reader instead of all")


def run(args: argparse.Namespace) -> Report:
    """Run every reader in a process of its own, which ends at the first input that is bad.

    Raises:
        SystemExit: without atheris.
    """
    if find_spec("atheris") is None:
        raise SystemExit("atheris is not installed: pip install -e '.[soak]'")
    from .fuzz import chosen

    report = Report()
    for name in chosen(args.reader):
        command = [sys.executable, "-m", f"{__package__}.coverage", name, str(args.seed), str(args.seconds)]
        words = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace").stderr
        error = _ERROR.search(words)
        bad = {f"{name}: {error[1] or error[2]} (under {KEPT})": 1} if error else {}
        number = {what: _number(pattern, words) for what, pattern in _FIGURES.items()}
        report.add({"reader": name, **number, "bad": len(bad)}, bad)
    return report


_FIGURES = {"tried": _TRIED, "most s": _SECONDS, "most MB": _MEMORY}


def _number(pattern: re.Pattern[str], words: str) -> int:
    found = pattern.search(words)
    return int(found[1]) if found else 0


def _explore(name: str, seed: str, seconds: str) -> None:
    """Run one reader until the time is over; does not return."""
    import atheris

    with atheris.instrument_imports(include=["engine", "sessions", "bpe_tui"]):
        from .mutate import payload, signed
        from .readers import readers
        from .trial import MOST_S, refusals_allowed, scratch
    with scratch() as folder, scratch() as corpus:
        reader = readers(folder)[name]
        framed = name in ("session", "session as list")  # what is in their frame is explored

        def one(data: bytes) -> None:
            with refusals_allowed():
                reader.use(signed(data) if framed else data)

        for number, content in enumerate(reader.seeds):
            (corpus / str(number)).write_bytes(payload(content) if framed else content)
        KEPT.mkdir(parents=True, exist_ok=True)
        options = {
            "max_total_time": seconds, "seed": seed, "timeout": int(MOST_S), "rss_limit_mb": MOST_MB,
            "max_len": MOST_BYTES, "print_final_stats": 1, "artifact_prefix": f"{KEPT}/{name.replace(' ', '-')}-",
        }  # fmt: skip
        atheris.Setup([name, str(corpus), *(f"-{option}={value}" for option, value in options.items())], one)
        atheris.Fuzz()


if __name__ == "__main__":
    _explore(*sys.argv[1:])

"""The readers under atheris, which follows the branches that an input takes (extra `soak`)."""

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec

from . import KEPT, ROOT
from .figures import Report
from .fuzz import add_arguments as add_arguments
from .fuzz import chosen

_FIGURES = {
    "tried": re.compile(r"stat::number_of_executed_units: *(\d+)"),
    "most s": re.compile(r"stat::slowest_unit_time_sec: *(\d+)"),
    "most MB": re.compile(r"stat::peak_rss_mb: *(\d+)"),
}
_ERROR = re.compile(r"=== Uncaught Python exception: ===\n(.*)|ERROR: libFuzzer: (.*)")


def run(args: argparse.Namespace) -> Report:
    """Run every reader in a process of its own, which ends at the first input that is bad.

    Raises:
        SystemExit: without atheris.
    """
    if find_spec("atheris") is None:
        raise SystemExit("atheris is not installed: pip install -e '.[soak]'")
    KEPT.mkdir(parents=True, exist_ok=True)
    report = Report()
    for name in chosen(args.reader):
        command = [sys.executable, "-m", f"{__package__}.guided", name, str(args.seed), str(int(args.seconds))]
        words = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace").stderr
        figures = {what: int(found[1]) for what, pattern in _FIGURES.items() if (found := pattern.search(words))}
        error = _ERROR.search(words)
        bad = {f"{name}: {error[1] or error[2]} (under {KEPT})": 1} if error else {}
        if len(figures) < len(_FIGURES) and not bad:
            bad = {f"{name}: the process died, {words[-200:]!r}": 1}
        report.add({"reader": name, **dict.fromkeys(_FIGURES, 0), **figures, "bad": len(bad)}, bad)
    return report

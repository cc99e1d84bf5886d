"""Long attacks on the whole program: `python -m benchmarks.soak COMMAND`. See benchmarks/README.md."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "soak"
"""Where inputs that were bad are kept."""
sys.path += [
    str(ROOT / "tests"),
    str(ROOT / "tests" / "pty"),
]  # the tests' hostile texts and their terminal serve here too

"""Whole commands on large hostile files, one of each shape: what they take beside the bounds that are promised."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgpack

from bpe_tui.exports import Format

from . import seeds
from .figures import Report, Row
from .mutate import payload
from .shapes import Shape, shapes
from .trial import MOST_MEMORY, MOST_S, scratch

_PROGRAM = """
import sys, time
from bpe_tui.cli import main
code = main(sys.argv[2:])
peak = open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]
open(sys.argv[1], "w").write(f"{time.process_time()} {peak}")
sys.exit(code)
"""
"""Tells its own largest size: what the system tells of a child counts what its parent had when it began."""
_MOST_WAIT_S = 3600
PROGRAM = 28_000_000
"""Bytes that the program takes itself."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How large, and which."""
    sizes = [64.0, 24.0, 8.0]
    parser.add_argument(
        "--megabytes", metavar="N", type=float, nargs="+", default=sizes, help="of the files (default: 64 24 8)"
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="shapes whose name has this in it")


def run(args: argparse.Namespace) -> Report:
    """Make each file, run its command on it, and look at what that took."""
    report = Report()
    with scratch() as folder:
        seeds.write_corpora(folder)
        exported = seeds.exported(folder)
        (folder / "tokenizer").write_bytes(exported[Format.MINBPE][0][""])
        session = msgpack.unpackb(payload(exported[Format.SESSION][0][""]), unicode_errors="surrogatepass")
        for name, shape in shapes(session).items():
            for megabytes in args.megabytes if args.only in name else ():
                report.add(*_tried(name, shape, int(megabytes * 1e6), folder))
    return report


def _tried(name: str, shape: Shape, size: int, folder: Path) -> tuple[Row, dict[str, int]]:
    path = folder / shape.name
    path.write_bytes(shape.make(size))
    size = path.stat().st_size
    most = MOST_MEMORY + 10 * size
    places = {"room": most - PROGRAM, "file": path, "small": folder / seeds.CORPUS, "tokenizer": folder / "tokenizer"}
    code, seconds, memory, said = _run([part.format(**places) for part in shape.command], folder)
    path.unlink()
    bad = []
    if shape.timed and seconds > MOST_S:
        bad.append(f"over {MOST_S:.0f} s of CPU")
    if memory > most + PROGRAM:
        bad.append("over 10 times its size and 200 MB of memory")
    if code not in (0, 1) or "Traceback" in said:
        bad.append(f"ended with {code}")
    row: Row = {
        "file": name, "MB": size / 1e6, "most s": seconds, "most MB": memory / 1e6,
        "ended": said.splitlines()[-1][-100:] if code else "read", "bad": len(bad),
    }  # fmt: skip
    return row, {f"{name}: {words}": 1 for words in bad}


def _run(arguments: Sequence[str], folder: Path) -> tuple[int, float, int, str]:
    """A command's exit code, its seconds of CPU, its largest resident size in bytes, and what it said."""
    figures = folder / "figures"
    figures.write_text("nan 0")
    command = [sys.executable, "-c", _PROGRAM, str(figures), *arguments]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_MOST_WAIT_S, check=False)
    seconds, kilobytes = figures.read_text().split()
    return done.returncode, float(seconds), 1024 * int(kilobytes), done.stderr.decode(errors="replace").strip()

"""One figure: runs one piece of work in this process, which was started for it, and writes what it read off the clock.

    measure.py SPECIFICATION RESULT

Both are JSON files; `rounds.py` writes the one and reads the other. The specification names the task and the contender;
with `tokens` it names a file for the learned vocabulary, one token a line in hexadecimal digits.
"""

import hashlib
import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ours
import peers
from clocks import Figures, peak_mb, timed

Specification = dict[str, Any]


def train(spec: Specification) -> Figures:
    """Train a vocabulary."""
    if spec["by"] == "floor":
        return _floor(spec)
    path, boundary, size, threads = Path(spec["corpus"]), spec["boundary"], spec["size"], spec["threads"]
    made: peers.Trained
    if spec["by"] == "ours":
        made = ours.train(path, boundary, size, threads, **spec.get("options", {}))
    else:
        made = peers.TRAINERS[spec["by"]](path, boundary, size, threads)
    work, tokens = made
    base = peak_mb()
    result, figures = timed(work)
    figures |= {"peak_mb": peak_mb(), "base_mb": base}
    _write(spec, tokens(result))
    return figures


def _floor(spec: Specification) -> Figures:
    """The C program, which reads its own clock."""
    merges = Path(spec["tokens"]).with_suffix(".merges")
    command = [spec["floor"], spec["boundary"], spec["classes"], spec["corpus"], str(spec["size"]), merges]
    figures: Figures = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    tokens = [bytes([byte]) for byte in range(256)]
    for line in merges.read_text().splitlines():
        left, right = map(int, line.split())
        tokens.append(tokens[left] + tokens[right])
    _write(spec, tokens)
    return figures


def _write(spec: Specification, tokens: list[bytes] | None) -> None:
    if tokens is not None and "tokens" in spec:
        Path(spec["tokens"]).write_text("".join(f"{token.hex()}\n" for token in tokens))


def encode(spec: Specification) -> Figures:
    """Encode a whole text once, with nothing remembered from before."""
    text = "x" * spec["letters"] if "letters" in spec else Path(spec["corpus"]).read_bytes().decode()
    made: Callable[[Path], Callable[[str], Any]] = ours.encode if spec["by"] == "ours" else peers.ENCODERS[spec["by"]]
    encoder = made(Path(spec["model"]))
    ids, figures = timed(lambda: encoder(text))
    figures |= {"peak_mb": peak_mb(), "mb_per_s": len(text.encode()) / 1e6 / figures["cpu_s"], "tokens": len(ids)}
    Path(spec["tokens"]).write_text(hashlib.sha256(array("I", ids).tobytes()).hexdigest() + "\n")
    return figures


def ours_alone(spec: Specification) -> Figures:
    """What no peer does: travelling and looking."""
    works: dict[str, Callable[..., Figures]] = {"seek": ours.seek, "steps": ours.steps, "top": ours.top}
    work = works[spec["task"]]
    figures = work(Path(spec["corpus"]), spec["boundary"], spec["size"], **spec.get("options", {}))
    return figures | {"peak_mb": peak_mb()}


def write_model(spec: Specification) -> Figures:
    """The tokenizer.json that all encoders are given."""
    peers.write_model(Path(spec["model"]), Path(spec["corpus"]), spec["size"])
    return {}


TASKS: dict[str, Callable[[Specification], Figures]] = {
    "train": train,
    "encode": encode,
    "seek": ours_alone,
    "steps": ours_alone,
    "top": ours_alone,
    "model": write_model,
}

if __name__ == "__main__":
    specification = json.loads(Path(sys.argv[1]).read_text())
    Path(sys.argv[2]).write_text(json.dumps(TASKS[specification["task"]](specification)))

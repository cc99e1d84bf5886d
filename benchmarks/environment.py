"""Where the figures are taken: the peers and the present commit in an environment of their own, and the C floor."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = ROOT / "build" / "benchmarks"
REQUIREMENTS = HERE / "requirements.txt"
CLASSES = r"""
import regex, sys
classes = bytearray(0x110000)
text = "".join(chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000)
for value, pattern in enumerate((r"\p{L}", r"\p{N}", r"\s"), 1):
    for match in regex.finditer(pattern, text):
        classes[ord(match[0])] = value
open(sys.argv[1], "wb").write(classes)
"""
"""Writes the floor's table of letters, numbers and white space."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What a measuring process is started with.

    Attributes:
        python: the interpreter that has the peers and the present commit of this project.
        pure: a folder with the same commit, installed without a compiler.
        floor: the C program, and its table.
        classes: that table.
    """

    python: Path
    pure: Path
    floor: Path
    classes: Path


def prepare(venv: Path | None = None) -> Environment:
    """Install the peers, the present commit with and without a compiler, and the floor.

    Args:
        venv: an environment to install into; one of the benchmarks' own if None.
    """
    venv = venv or WORK / "venv"
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    environment = Environment(python, WORK / "pure", WORK / "floor", WORK / "classes")
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        shutil.rmtree(environment.pure, ignore_errors=True)
        plain = _committed(Path(folder) / "plain")
        _pip(python, "install", "--no-deps", "--target", environment.pure, plain, CC="false", CXX="false")
        _check_parts(environment.pure, 0)
        _pip(python, "wheel", "--no-deps", "--wheel-dir", folder, _committed(Path(folder) / "compiled"))
        (wheel,) = Path(folder).glob("*.whl")
        _pip(python, "install", "-r", REQUIREMENTS, wheel)
        _pip(python, "install", "--no-deps", "--force-reinstall", wheel)  # commits do not differ in version
    (installed,) = venv.glob("lib/python*/site-packages")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    _check_parts(installed, len(project["tool"]["setuptools"]["ext-modules"]))
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O3", "-march=native", "-o", environment.floor, HERE / "floor.c"], check=True)
    subprocess.run([python, "-c", CLASSES, environment.classes], check=True)
    return environment


def _committed(folder: Path) -> Path:
    """The files of the present commit: what is measured can be measured again."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    return folder


def _check_parts(folder: Path, wanted: int) -> None:
    """Compiled parts are optional, so an installation without them succeeds too."""
    built = len([*(folder / "engine").rglob("*.so")])
    if built != wanted:
        raise SystemExit(f"{built} compiled parts were built where there should be {wanted}: look at pip's output")


def _pip(python: Path, command: str, *arguments: str | Path, **variables: str) -> None:
    words = [python, "-m", "pip", "--disable-pip-version-check", command, "-q", *arguments]
    subprocess.run(words, check=True, env={**os.environ, **variables})


# What the results say about themselves


def machine() -> str:
    """Processor, cores, memory, system and interpreter, in one line."""
    model = _line_of("/proc/cpuinfo", "model name")
    memory = int(_line_of("/proc/meminfo", "MemTotal").split()[0]) * 1024 / 1e9
    cores = f"{len(os.sched_getaffinity(0))} cores, of which two did {_worth_of_two():.1f} times the work of one"
    system = ".".join(platform.release().split(".")[:2])
    return f"{model}, {cores}, {memory:.0f} GB; Linux {system}, CPython {platform.python_version()}"


def _worth_of_two() -> float:
    """Cores may share one, or be lent to others: what two busy processes get done in the time of one."""
    busy = [sys.executable, "-c", "sum(range(30_000_000))"]

    def seconds(number: int) -> float:
        start = time.perf_counter()
        for process in [subprocess.Popen(busy) for _ in range(number)]:
            process.wait()
        return time.perf_counter() - start

    return 2 * min(seconds(1) for _ in range(3)) / min(seconds(2) for _ in range(3))


def versions() -> str:
    """The peers' versions."""
    pins = (line for line in REQUIREMENTS.read_text().splitlines() if "==" in line)
    return ", ".join(pin.replace("==", " ") for pin in pins)


def commit() -> str:
    """The commit that is measured."""
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _line_of(path: str, name: str) -> str:
    return next(line.partition(":")[2].strip() for line in Path(path).read_text().splitlines() if line.startswith(name))

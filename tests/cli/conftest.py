"""Running command lines: inside this process for speed, and as processes of their own."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_tui.cli import main
from bpe_tui.text import glyphs

from .cli_run import Result, Run

HERE = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs `bpe-tui ARGUMENTS` in this process."""
    look = glyphs.chosen()

    def run(*arguments: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(a) for a in arguments])
        captured = capsysbinary.readouterr()
        return Result(code, captured.out, captured.err.decode())

    yield run
    glyphs.choose(look)


@pytest.fixture
def process() -> Run:
    """Runs `python -m bpe_tui ARGUMENTS` as a process, without a terminal."""

    def process(*arguments: str | bytes, stdin: bytes = b"", **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "bpe_tui", *arguments],
            cwd=HERE,
            input=stdin,
            capture_output=True,
            env={**os.environ, **environment},
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())

    return process


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """The corpus `aaa | aba`."""
    path = tmp_path / "two.json"
    path.write_bytes(b'["aaa", "aba"]')
    return path


@pytest.fixture
def abac(tmp_path: Path) -> Path:
    """The corpus `abab | abac`."""
    path = tmp_path / "abac.json"
    path.write_bytes(b'["abab", "abac"]')
    return path


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """The word counts of Sennrich et al. 2016."""
    path = tmp_path / "words.tsv"
    path.write_bytes(b"low\t5\nlower\t2\nnewest\t6\nwidest\t3\n")
    return path

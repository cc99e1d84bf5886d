"""A token of any length is written by every format, shown in a table by its beginning, and read again."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.formats.registry import read_any

SIZE = 1 << 17
"""Bytes of the one document, all `a`: 17 merges make it one token, over the csv module's own field of 131,072."""
MERGES = 17


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "a.txt"
    path.write_bytes(b"a" * SIZE)
    return path


def done(*arguments: str | Path) -> str:
    run = subprocess.run([sys.executable, "-m", "bpe_tui", *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("format", ["csv", "jsonl", "tiktoken", "minbpe", "huggingface", "gpt2"])
def test_every_format_holds_it(corpus: Path, tmp_path: Path, format: str) -> None:
    done("train", corpus, "--merges", "all", "-o", tmp_path / "run.bpes")
    out = tmp_path / "out"
    if format == "gpt2":
        out.mkdir()
    done("export", tmp_path / "run.bpes", "--to", format, "-o", out)
    found = read_any(out)
    assert len(found.pairs) == MERGES
    assert max(len(token.data) for token in found.tokens()) == SIZE


def test_a_table_shows_its_beginning_and_says_its_length(corpus: Path) -> None:
    lines = done("train", corpus, "--merges", "all").splitlines()
    assert len(lines) == 1 + MERGES
    assert "a" * 1000 + f"... {SIZE:,} bytes" in lines[-1]
    assert "a" * 1001 not in lines[-1]


def test_programs_get_all_of_it(corpus: Path, tmp_path: Path) -> None:
    records = [json.loads(line) for line in done("train", corpus, "--merges", "all", "--json").splitlines()]
    assert records[MERGES - 1]["bytes_hex"] == "61" * SIZE
    done("train", corpus, "--merges", "all", "-o", tmp_path / "x.csv")
    before = csv.field_size_limit(1 << 20)
    try:
        rows = [*csv.reader(io.StringIO((tmp_path / "x.csv").read_text()))]
    finally:
        csv.field_size_limit(before)
    assert rows[-1][6] == "61" * SIZE
    assert before == 131_072, "reading tables here leaves the module's own bound"

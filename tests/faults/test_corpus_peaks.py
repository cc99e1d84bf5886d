"""Corpora of hostile shapes take a bounded multiple of their size; under a memory limit, no more than that."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.corpus.open import CorpusOptions
from engine.sizes import size_words

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="getrusage tells the peaks")

SIZE = 400_000
SLACK = 5_000_000
"""Bytes that the allocators may keep beside what is asked for."""
PEAK = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == 'darwin' else 1024)"
OPEN = f"""
import resource, sys
from pathlib import Path
from engine.corpus.open import CorpusOptions, open_corpus
open_corpus(b'["a"]')
before = {PEAK}
corpus = open_corpus(Path(sys.argv[1]), CorpusOptions(**eval(sys.argv[2])))
print({PEAK} - before, len(corpus.documents))
"""


def until_full(line: Callable[[int], bytes]) -> bytes:
    lines = [line(n) for n in range(SIZE // len(line(0)))]
    return b"".join(lines)[:SIZE].rpartition(b"\n")[0]


SHAPES: dict[str, tuple[bytes, CorpusOptions]] = {
    "words.tsv": (until_full(lambda n: b"%x\t1\n" % n), CorpusOptions()),
    "lines.txt": (b"\n" * SIZE, CorpusOptions(format="lines")),
    "parts.txt": (b"a--" * (SIZE // 3), CorpusOptions(separator="--")),
    "empty.jsonl": (b'""\n' * (SIZE // 3), CorpusOptions()),
    "named.jsonl": (until_full(lambda n: b'{"text":"","n":%d}\n' % n), CorpusOptions()),
    "prepared.jsonl": (until_full(lambda n: b'{"id":"%d","text":"a"}\n' % n), CorpusOptions()),
    "empty.json": (b'["a"' + b',""' * (SIZE // 3) + b"]", CorpusOptions()),
    "objects.json": (b'["a"' + b',{"text":""}' * (SIZE // 12) + b"]", CorpusOptions()),
}


@pytest.mark.parametrize("name", SHAPES)
def test_opening_takes_at_most_ten_times_the_size(tmp_path: Path, name: str) -> None:
    source, options = SHAPES[name]
    path = tmp_path / name
    path.write_bytes(source)
    given = {"format": options.format, "separator": options.separator}
    command = [sys.executable, "-c", OPEN, str(path), repr(given)]
    peak, documents = map(int, subprocess.run(command, capture_output=True, check=True).stdout.split())
    assert documents > SIZE // 30
    assert peak <= 10 * len(source) + SLACK


TRAIN = f"""
import resource, sys
from bpe_tui.cli import main
main(["train", sys.argv[1], "--merges", "1", *sys.argv[4:]])
before = {PEAK}
code = main(["train", sys.argv[2], "--merges", "1", "--memory-limit", sys.argv[3], *sys.argv[4:]])
print({PEAK} - before, code)
"""


def refused_within(limit: int, small: Path, large: Path, *flags: str) -> None:
    """Train on two files, the second under a memory limit: it is refused, and takes no more than the limit."""
    command = [sys.executable, "-c", TRAIN, str(small), str(large), str(limit), *flags]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    peak, code = map(int, done.stdout.split()[-2:])
    refusal = done.stderr.decode().splitlines()[-1]
    assert code == 1
    assert f"over the limit of {size_words(limit)}; " in refusal
    assert "or raise it with --memory-limit" in refusal
    assert peak <= limit + SLACK


@pytest.mark.parametrize(
    ("profile", "text"),
    [
        ("sentencepiece", "\ufdfa" * (SIZE // 3)),
        ("sentencepiece", "a " * (SIZE // 2)),
        ("youtokentome", "".join(f"{n:x} " for n in range(SIZE // 6))),
        ("subword-nmt", "\udcff" * SIZE),
        ("sentencepiece-identity", " ".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))),
        ("subword-nmt", "a" * (SIZE - 1) + "\U0001f600"),
    ],
    ids=["compositions", "words", "distinct words", "no characters", "many characters", "one word"],
)
def test_a_memory_limit_holds_while_texts_are_prepared_cut_and_spelled(tmp_path: Path, profile: str, text: str) -> None:
    small, large = tmp_path / "small.txt", tmp_path / "large.txt"
    small.write_bytes("a \ufdfa \xe9\u0323\n".encode())
    large.write_bytes(text.encode("utf-8", "surrogateescape"))
    refused_within(5 * SIZE, small, large, "--profile", profile)


@pytest.mark.parametrize("name", ["words.tsv", "empty.jsonl", "objects.json", "lines.txt"])
def test_a_memory_limit_holds_from_the_first_byte_read(tmp_path: Path, name: str) -> None:
    path, small = tmp_path / name, tmp_path / ("small" + Path(name).suffix)
    path.write_bytes(SHAPES[name][0])
    small.write_bytes(b"a\t1\n" if name == "words.tsv" else json.dumps(["a"]).encode())
    if name == "empty.jsonl":
        small.write_bytes(b'"a"\n')
    refused_within(3 * SIZE, small, path)

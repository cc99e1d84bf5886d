"""`bpe-tui compare`: sides by name and by file, words and records, exit codes."""

from pathlib import Path

import pytest

from bpe_tui.cli import COMMANDS
from engine.corpus.open import CorpusOptions, open_corpus

from .cli_run import Run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

GREATER = "bpe tie_break=largest-bytes"


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "compare", "compare two merge lists over one corpus")


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """The corpus `ab | cd`: two pairs, each once."""
    path = tmp_path / "pair.json"
    path.write_bytes(b'["ab", "cd"]')
    return path


def test_words(run: Run, pair: Path) -> None:
    result = run("compare", "course", GREATER, "--corpus", pair, "--merges", 2)
    assert result.code == 0
    assert result.out == (
        "A: course, 2 merges\n"
        "B: bpe tie_break=largest-bytes, 2 merges\n"
        "they part at rank 0: both count 1; A takes the smaller ids, B the greater bytes\n"
        "side  merges  count of A's  count of B's  highest  tied  of which first\n"
        "A     a + b   1 highest     1 highest           1     2  a + b, c + d\n"
        "B     c + d   1 highest     1 highest           1     2  c + d, a + b\n"
        "merges: A 2, B 2; the first 0 equal; 2 in both; Jaccard 1.000 = 2 / 2\n"
        "encodings: 2 of 2 training documents equal; tokens: A 2, B 2\n"
    )


def test_a_record(run: Run, pair: Path) -> None:
    (record,) = run("compare", "course", GREATER, "--corpus", pair, "--merges", 1, "--json").json
    parted = record["divergence"]
    assert (record["A"]["name"], record["B"]["merges"]) == ("course", 1)
    assert parted["rank"] == 0
    assert parted["sentence"] == "both count 1; A takes the smaller ids, B the greater bytes"
    assert [side["bytes_hex"] for side in parted["B"]["merges"]] == ["63", "64"]
    assert parted["A"]["counts"] == {"A": 1, "B": 1}
    assert parted["A"]["highest"] == {"A": True, "B": True}
    assert (parted["A"]["highest_count"], parted["A"]["tie_size"]) == (1, 2)
    assert record["agreement"] == {
        "common_prefix": 0,
        "merges_in_both": 0,
        "merges_in_either": 2,
        "texts": "training document",
        "bytes_encoded": 4,
        "bytes": 4,
        "texts_encoded": 2,
        "texts_equal": 0,
        "texts_not_encoded": 0,
        "tokens": {"A": 3, "B": 3},
    }


def test_a_session_and_an_artifact_against_their_profile(run: Run, pair: Path, tmp_path: Path) -> None:
    session, artifact = tmp_path / "run.bpes", tmp_path / "run.json"
    run("train", pair, "--merges", 2, "-o", session)
    run("train", pair, "--profile", "incremental", "--merges", 2, "-o", artifact)
    for file in (session, artifact):
        result = run("compare", file, "course", "--corpus", pair, "--fail-on-difference")
        assert (result.code, result.out.splitlines()[2]) == (0, "equal to the end")
    other = run("compare", session, GREATER, "--corpus", pair, "--fail-on-difference", "--json")
    assert (other.code, other.json[0]["divergence"]["rank"]) == (1, 0)


def test_what_is_found_of_a_file(run: Run, tmp_path: Path) -> None:
    """In lines ab, ac and b + LF count 2 each, and the file takes the greatest; it does not say that it cuts lines."""
    corpus, file = tmp_path / "c.txt", tmp_path / "f.model"
    corpus.write_bytes(b"ab\nab\nac\nac")
    file.write_bytes(b"minbpe v1\n\n0\n98 10\n97 99\n97 256\n")
    (record,) = run("compare", "bpe boundary=line", file, "--corpus", corpus, "--json").json
    assert (record["A"]["inferred_boundary"], record["B"]["inferred_boundary"]) == (None, "line")
    parted = record["divergence"]
    assert parted["sentence"] == "both count 2; A takes the smaller ids, B (by its first 2 ties) the greater bytes"
    assert (parted["A"]["inferred"], parted["B"]["inferred"]) == (None, {"ties": 2, "rules": ["largest-bytes"]})
    lines = run("compare", "bpe boundary=line", file, "--corpus", corpus).out.splitlines()
    assert lines[1] == f"B: {file}, 3 merges; its counts fit if text is cut at line ends only"
    assert lines[2] == f"they part at rank 0: {parted['sentence']}"


def test_held_out_documents_are_encoded_where_there_are_some(run: Run) -> None:
    path = EXAMPLES / "corpus.json"
    size = sum(len(document.data) for document in open_corpus(path, CorpusOptions()).held_out)
    (record,) = run("compare", "course", GREATER, "--corpus", path, "--merges", 0, "--json").json
    found = record["agreement"]
    assert record["divergence"] is None
    assert (found["texts"], found["texts_encoded"], found["texts_equal"]) == ("held-out document", 4, 4)
    assert found["tokens"] == {"A": size, "B": size}


def test_a_file_named_like_a_profile(run: Run, pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("course").write_bytes(b"no tokenizer\n")
    assert run("compare", "course", "course", "--corpus", pair, "--merges", 1).code == 0
    refused = run("compare", "course", "./course", "--corpus", pair, "--merges", 1)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "course" in refused.err


@pytest.mark.parametrize(
    ("b", "words"),
    [
        ("no\x1b[31mthing", "'no\\x1b[31mthing' is neither a profile nor a file"),
        ("bpe tie_break=none", "policy tie_break='none' is unknown"),
    ],
)
def test_refusals(run: Run, pair: Path, b: str, words: str) -> None:
    result = run("compare", "course", b, "--corpus", pair, "--merges", 1)
    assert (result.code, result.out) == (1, "")
    assert words in result.err


def test_a_number_of_merges_is_needed(run: Run, pair: Path) -> None:
    result = run("compare", "course", "sennrich", "--corpus", pair)
    assert (result.code, "--merges N" in result.err) == (2, True)


def test_hostile_bytes_are_shown(run: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_bytes(b"\x1b]\x1b]" + b"\xffz\xffz" + b"[/x][/x]\n")
    result = run("compare", "course", GREATER, "--corpus", corpus, "--merges", 3)
    assert result.code == 0
    assert all(char == "\n" or char.isprintable() for char in result.out)

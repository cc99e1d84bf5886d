"""`bpe-tui train`: published merges, as table, JSON Lines, trace and files."""

import hashlib
import json
from pathlib import Path

import pytest
from hostile import HOSTILE

from sessions.store import load

from .cli_run import Run


def test_the_table_of_two_documents(run: Run, two: Path) -> None:
    done = run("train", two, "--merges", 9)
    assert done.code == 0
    assert done.out == (
        "rank  pair    token  ids      id  count  replaced  tied  runner-up  bytes\n"
        "   0  a + a   aa     97,97   256      2         1     1  a + b ×1   61 61\n"
        "   1  a + b   ab     97,98   257      1         1     3  b + a ×1   61 62\n"
        "   2  aa + a  aaa    256,97  258      1         1     2  ab + a ×1  61 61 61\n"
        "   3  ab + a  aba    257,97  259      1         1     1             61 62 61\n"
    )
    assert "policy: bpe " in done.err
    assert "budget=9" in done.err
    assert done.err.endswith("4 merges, no pair left; vocabulary 260; 6 base symbols, 2 tokens now\n")


def test_json_lines_have_every_field_and_a_summary(run: Run, two: Path) -> None:
    first, second, last = run("train", two, "--merges", 2, "--json").json
    assert first == {
        "rank": 0,
        "pair": [97, 97],
        "token_id": 256,
        "candidate_count": 2,
        "replacements": 1,
        "bytes_hex": "6161",
        "text": "aa",
        "utf8": "text",
        "tie_size": 1,
        "runner_up": {"pair": [97, 98], "count": 1},
    }
    assert (second["pair"], second["tie_size"]) == ([97, 98], 3)
    summary = last["summary"]
    assert summary["corpus_sha256"] == hashlib.sha256(two.read_bytes()).hexdigest()
    assert (summary["merges"], summary["vocabulary_size"], summary["tokens"]) == (2, 258, 4)


def test_framed_ids_of_the_incremental_profile(run: Run, abac: Path) -> None:
    *merges, _ = run("train", abac, "--profile", "incremental", "--merges", 3, "--json").json
    found = [(m["token_id"], m["pair"], m["candidate_count"], m["replacements"], m["tie_size"]) for m in merges]
    assert found == [(258, [99, 100], 3, 3, 1), (259, [99, 101], 1, 1, 3), (260, [258, 258], 1, 1, 2)]


def test_sennrichs_seven_merges(run: Run, words: Path) -> None:
    *merges, _ = run("train", words, "--profile", "sennrich", "--merges", 7, "--json").json
    found = [(m["text"] + "</w>" * m["ends_word"], m["candidate_count"]) for m in merges]
    assert found == [("es", 9), ("est", 9), ("est</w>", 9), ("lo", 7), ("low", 7), ("ew", 6), ("ewest</w>", 6)]


def test_weighted_words_stop_below_two(run: Run, words: Path) -> None:
    done = run("train", words, "--profile", "weighted-words", "--merges", "all", "--json")
    assert min(m["candidate_count"] for m in done.json[:-1]) == 2
    assert done.json[-1]["summary"]["stopped"] == "no pair left that occurs 2 times"


@pytest.mark.parametrize("kernel", ["python", "reference"])
def test_every_kernel_prints_the_same(run: Run, words: Path, kernel: str) -> None:
    arguments = ("train", words, "--merges", 12, "--boundary", "whitespace", "--json")
    assert run(*arguments, "--kernel", kernel).data == run(*arguments).data


def test_the_published_trace(run: Run, learn_llm: Path) -> None:
    corpus = b'[{"id": "train-aaa", "text": "aaa"}, {"id": "train-aba", "text": "aba"}]'
    printed = run("train", "-", "--merges", 2, "--trace", stdin=corpus).out
    assert printed.startswith("TRACE bpe-merges-v1 BEGIN\n")
    assert printed in (learn_llm / "course1" / "ch03-expected.txt").read_text()


def test_the_published_ranks(run: Run, learn_llm: Path) -> None:
    done = run("train", learn_llm / "course1" / "tiny-bilingual-corpus.json", "--merges", 8, "--json")
    found = [(*m["pair"], m["candidate_count"], m["replacements"]) for m in done.json[:-1]]
    assert found == [
        (32, 208, 81, 81), (208, 176, 62, 62), (209, 130, 57, 57), (208, 181, 56, 56),
        (208, 190, 49, 49), (208, 184, 38, 38), (209, 128, 36, 36), (101, 32, 35, 35),
    ]  # fmt: skip
    assert "split by the manifest 'splits.json' (found beside the corpus)" in done.err


def test_the_published_artifact(run: Run, learn_llm: Path, tmp_path: Path) -> None:
    folder, path = learn_llm / "practical-ch03", tmp_path / "tokenizer.json"
    arguments = ["train", folder / "train.jsonl", "--profile", "incremental", "--merges", 2, "--exact"]
    done = run(*arguments, "--receipt", folder / "corpus-receipt.json", "-o", path)
    assert (done.code, done.data) == (0, b"")
    published = "8b1534b8711b1b55c97466fcdd94c6059395acf553e25ba66a6e4911604014b9"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == published
    assert published in done.err


def test_a_receipt_of_another_stream_is_refused_before_training(run: Run, learn_llm: Path, tmp_path: Path) -> None:
    folder = learn_llm / "practical-ch03"
    receipt = json.loads((folder / "corpus-receipt.json").read_bytes())
    receipt["input"]["sha256"] = "0" * 64
    (tmp_path / "r.json").write_text(json.dumps(receipt))
    done = run(
        "train", folder / "train.jsonl", "--merges", 2, "--receipt", tmp_path / "r.json", "-o", tmp_path / "t.json"
    )
    assert done.code == 1
    assert "bpe-tui: training stream SHA-256 mismatch" in done.err
    assert not (tmp_path / "t.json").exists()


def test_an_exact_number_that_is_not_there_is_refused(run: Run, learn_llm: Path) -> None:
    done = run("train", learn_llm / "practical-ch03" / "train.jsonl", "--merges", 99, "--exact", "--json")
    assert done.code == 1
    assert done.data == b""
    assert "bpe-tui: training exhausted pairs before the exact merge count" in done.err


def test_flags_change_the_policy_line(run: Run, two: Path) -> None:
    done = run("train", two, "--merges", 1, "--tie-break", "first-seen", "--special-token", "x y", "--min-count", 2)
    line = next(line for line in done.err.splitlines() if line.startswith("policy: "))
    for word in ("tie_break=first-seen", "min_count=2", 'special_tokens=["x y"]', "budget=1"):
        assert word in line
    again = run("train", two, "--policy", line.removeprefix("policy: "))
    assert (again.code, again.data) == (done.code, done.data)
    assert line in again.err


def test_a_vocabulary_size_counts_everything(run: Run, two: Path) -> None:
    done = run("train", two, "--vocab-size", 260, "--profile", "incremental", "--json")
    assert done.json[-1]["summary"]["merges"] == 2
    assert done.json[-1]["summary"]["vocabulary_size"] == 260


def test_standard_input_trains_as_a_file_does(run: Run, two: Path) -> None:
    piped = run("train", "-", "--merges", 3, stdin=two.read_bytes())
    assert piped.data == run("train", two, "--merges", 3).data


def test_a_session_holds_the_run(run: Run, two: Path, tmp_path: Path) -> None:
    run("train", two, "--merges", 3, "-o", tmp_path / "x.bpes")
    session = load(tmp_path / "x.bpes")
    assert (session.rank, len(session.merges), session.source.path) == (3, 3, str(two))
    assert session.corpus is not None
    run("train", two, "--merges", 3, "-o", tmp_path / "y.bpes", "--no-embed")
    assert load(tmp_path / "y.bpes").corpus is None


def test_hostile_corpora_print_no_control_byte(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hostile.txt"
    path.write_bytes(b"\n".join(HOSTILE.values()) * 2)
    for arguments in (["--merges", 300], ["--merges", 300, "--json"], ["--merges", 30, "--trace"]):
        done = run("train", path, *arguments)
        assert done.code == 0
        assert not {b for b in done.data if b < 0x20 or b == 0x7F} - {0x0A}
        assert not {c for c in done.out if 0x80 <= ord(c) < 0xA0 or c in "\u202e\u2066\u200d\ufeff"}


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["--merges", "x"], 2, "'x' is not a whole number"),
        (["--merges", "-1"], 2, "'-1' is not a whole number"),
        ([], 2, "give --merges N, --merges all or --vocab-size N"),
        (["--merges", "1", "--vocab-size", "300"], 2, "not allowed with"),
        (["--merges", "1", "--profile", "course", "--policy", "bpe"], 2, "not allowed with"),
        (["--merges", "1", "--json", "--trace"], 2, "not allowed with"),
        (["--merges", "1", "--profile", "nobody"], 1, "profile 'nobody' is unknown"),
        (["--merges", "1", "--tie-break", "coin"], 1, "policy tie_break='coin' is unknown"),
        (["--merges", "1", "--boundary", "pattern:("], 1, "does not compile"),
        (["--merges", "1", "--policy", "gpt"], 1, "starts with the word bpe"),
        (["--merges", "99999999999"], 1, "out of range"),
        (["--merges", "1", "--limit", "nodes=2"], 1, "over the limit nodes=2"),
        (["--merges", "1", "--limit", "nodes"], 1, "--limit 'nodes' is not NAME=N"),
        (["--merges", "1", "--limit", "sheep=2"], 1, "unknown limit"),
        (["--merges", "1", "--kernel", "cuda"], 2, "invalid choice"),
        (["--merges", "1", "-o", "x.png"], 1, "no ending that names a format"),
        (["--merges", "1", "--profile", "sennrich", "-o", "x.json"], 1, "cannot express policy alphabet"),
        (["--merges", "1", "--receipt", "/nowhere"], 1, "cannot read '/nowhere': no such file"),
        (["--merges", "1", "--separator", "x", "--format", "lines"], 1, "a separator cuts text"),
    ],
)
def test_refusals_are_one_line(run: Run, two: Path, arguments: list[str], code: int, why: str) -> None:
    done = run("train", two, *arguments)
    assert done.code == code
    assert done.data == b""
    last = done.err.splitlines()[-1]
    assert last.startswith("bpe-tui: " if code == 1 else "bpe-tui train: ")
    assert why in last


@pytest.mark.parametrize("name", ["missing", ".", "a\0b", "\udcff\x1b[31m"])
def test_a_corpus_that_cannot_be_read_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    done = run("train", f"{tmp_path}/{name}", "--merges", 1)
    assert done.code == 1
    assert done.err.startswith("bpe-tui: ")
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err


def test_the_corpus_is_never_written_over(run: Run, two: Path) -> None:
    before = two.read_bytes()
    done = run("train", two, "--merges", 1, "-o", two)
    assert done.code == 1
    assert "is what is read here: write to another file" in done.err
    assert two.read_bytes() == before

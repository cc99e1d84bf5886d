"""`bpe-tui show`, `export` and `verify`: sessions and artifacts, looked at, written, and checked."""

import argparse
import csv
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bpe_tui.commands.arguments import memory_size
from bpe_tui.exports import ENDINGS
from engine.quoting import quoted
from sessions.store import load, save

from .cli_run import Run


@pytest.fixture
def session(run: Run, two: Path, tmp_path: Path) -> Path:
    path = tmp_path / "run.bpes"
    assert run("train", two, "--merges", 3, "-o", path).code == 0
    return path


def test_show_tells_the_state_of_a_rank(run: Run, session: Path) -> None:
    done = run("show", session, "--rank", 1)
    assert done.out == (
        "rank  pair   token  ids     id  count  replaced  tied  runner-up  bytes\n"
        "   0  a + a  aa     97,97  256      2         1     1  a + b ×1   61 61\n"
        "\n"
        "document 1: aa│a\n"
        "document 2: a│b│a\n"
        "\n"
        "pair    count  left  right\n"
        "97,98       1  a     b\n"
        "98,97       1  b     a\n"
        "256,97      1  aa    a\n"
    )


def test_show_as_json(run: Run, session: Path) -> None:
    summary, merge, first, second, *pairs = run("show", session, "--rank", 2, "--json").json
    assert summary["summary"]["merges"] == 2
    assert merge["merge"]["pair"] == [97, 98]
    assert (first["token_ids"], second["token_ids"]) == ([256, 97], [257, 97])
    assert [(p["pair"], p["count"], p["bytes_hex"]) for p in pairs] == [
        ([256, 97], 1, ["6161", "61"]),
        ([257, 97], 1, ["6162", "61"]),
    ]
    assert run("show", session, "--rank", 0, "--json").json[1] == {"merge": None}


def test_show_defaults_to_the_sessions_rank(run: Run, session: Path) -> None:
    save(session, replace(load(session), rank=1))
    assert run("show", session).out == run("show", session, "--rank", 1).out


@pytest.mark.parametrize("ending", [e for e in ENDINGS if e != ".codes"])  # those need words, see test_convert.py
def test_every_export_equals_what_train_writes(run: Run, two: Path, session: Path, tmp_path: Path, ending: str) -> None:
    done = run("export", session, "-o", tmp_path / f"a{ending}")
    run("train", two, "--merges", 3, "-o", tmp_path / f"b{ending}")
    data = (tmp_path / f"a{ending}").read_bytes()
    assert data == (tmp_path / f"b{ending}").read_bytes()
    assert (done.code, done.data) == (0, b"")
    assert hashlib.sha256(data).hexdigest() in done.err


def test_json_lines_are_what_train_prints(run: Run, two: Path, session: Path, tmp_path: Path) -> None:
    run("export", session, "-o", tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_bytes() == run("train", two, "--merges", 3, "--json").data


def test_csv(run: Run, session: Path, tmp_path: Path) -> None:
    run("export", session, "-o", tmp_path / "x.csv", "--rank", 1)
    (row,) = csv.DictReader((tmp_path / "x.csv").open())
    assert row == {
        "rank": "0", "left": "97", "right": "97", "token_id": "256", "candidate_count": "2", "replacements": "1",
        "bytes_hex": "6161", "shown": '"aa"', "utf8": "text", "tie_size": "1", "runner_up_left": "97",
        "runner_up_right": "98", "runner_up_count": "1",
    }  # fmt: skip


def test_a_format_can_be_named(run: Run, session: Path, tmp_path: Path) -> None:
    run("export", session, "--to", "trace", "-o", tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text().startswith("TRACE bpe-merges-v1 BEGIN\n")


def test_an_export_keeps_what_the_user_added(run: Run, session: Path, tmp_path: Path) -> None:
    added = replace(load(session), bookmarks=(1,), held_out=(b"acac",), view={"mode": "hex"})
    save(session, added)
    run("export", session, "-o", tmp_path / "copy.bpes", "--rank", 2)
    assert load(tmp_path / "copy.bpes") == replace(added, rank=2)


def test_a_session_is_not_written_over_by_another_form(run: Run, session: Path) -> None:
    before = session.read_bytes()
    assert run("export", session, "--to", "csv", "-o", session).code == 1
    assert session.read_bytes() == before


def test_an_export_that_cannot_be_written_leaves_nothing(run: Run, session: Path, tmp_path: Path) -> None:
    done = run("export", session, "-o", tmp_path / "no" / "x.json")
    assert done.code == 1
    assert "cannot write" in done.err


def test_verify_a_session(run: Run, session: Path) -> None:
    done = run("verify", session)
    assert done.code == 0
    assert [line.startswith("ok: ") for line in done.out.splitlines()] == [True] * 4
    assert "3 merges learned again, each with every count" in done.out


def test_verify_finds_one_wrong_count(run: Run, session: Path) -> None:
    good = load(session)
    wrong = replace(good.merges[1], tie_size=2)
    save(session, replace(good, merges=(good.merges[0], wrong, good.merges[2])))
    done = run("verify", session)
    assert done.code == 1
    assert "rank 1 does not replay: the session has tie_size 2, the corpus gives 3" in done.err
    assert quoted(str(session)) in done.err


def test_verify_against_another_corpus(run: Run, session: Path, abac: Path) -> None:
    done = run("verify", session, "--corpus", abac)
    assert done.code == 1
    assert done.err.count(hashlib.sha256(abac.read_bytes()).hexdigest()) == 1
    assert load(session).source.sha256 in done.err


def test_verify_a_cut_session(run: Run, session: Path) -> None:
    session.write_bytes(session.read_bytes()[:-10])
    done = run("verify", session)
    assert (done.code, done.data) == (1, b"")
    assert "is truncated or altered" in done.err


@pytest.fixture
def artifact(run: Run, learn_llm: Path, tmp_path: Path) -> Path:
    folder, path = learn_llm / "practical-ch03", tmp_path / "t.json"
    arguments = ["train", folder / "train.jsonl", "--merges", 2, "--exact", "-o", path]
    assert run(*arguments, "--receipt", folder / "corpus-receipt.json").code == 0
    return path


def test_verify_an_artifact(run: Run, artifact: Path, learn_llm: Path) -> None:
    folder = learn_llm / "practical-ch03"
    done = run("verify", artifact, "--corpus", folder / "train.jsonl", "--receipt", folder / "corpus-receipt.json")
    assert done.code == 0
    assert "2 merges trained again give the same bytes" in done.out
    assert "the corpus receipt" in done.out


def test_verify_refuses_other_bytes_of_the_same_artifact(run: Run, artifact: Path) -> None:
    artifact.write_text(json.dumps(json.loads(artifact.read_bytes())))
    done = run("verify", artifact)
    assert done.code == 1
    assert "is valid but not canonical" in done.err


def test_verify_finds_an_edited_merge(run: Run, artifact: Path, learn_llm: Path) -> None:
    data = artifact.read_bytes()
    edited = data.replace(b'"candidate_count":1', b'"candidate_count":2')
    assert edited != data
    artifact.write_bytes(edited)
    assert run("verify", artifact).code == 0, "it breaks no rule of the format"
    done = run("verify", artifact, "--corpus", learn_llm / "practical-ch03" / "train.jsonl")
    assert done.code == 1
    assert "at rank 1 it has (99,101) 2/1, the corpus gives (99,101) 1/1" in done.err


def test_verify_against_another_input(run: Run, artifact: Path, two: Path, learn_llm: Path) -> None:
    assert "training stream SHA-256 mismatch" in run("verify", artifact, "--corpus", two).err
    folder = learn_llm / "practical-ch03"
    other = folder / "boundary-corpus-receipt.json"
    assert run("verify", artifact, "--corpus", folder / "train.jsonl", "--receipt", other).code == 1


def test_verify_a_trace(run: Run, session: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    run("export", session, "-o", path)
    assert run("verify", path).out == "ok: 3 merges trained again give the same lines\n"
    path.write_bytes(path.read_bytes().replace(b"count=2", b"count=3"))
    done = run("verify", path)
    assert done.code == 1
    assert "x.trace" in done.err


def test_a_moved_corpus(run: Run, two: Path, tmp_path: Path) -> None:
    path = tmp_path / "s" / "run.bpes"
    path.parent.mkdir()
    run("train", two, "--merges", 3, "-o", path, "--no-embed")
    moved = two.rename(tmp_path / "moved.json")
    done = run("show", path)
    assert done.code == 1
    assert "give its new place with --corpus" in done.err
    assert run("show", path, "--corpus", moved).code == 0
    moved.rename(path.parent / "two.json")
    assert run("show", path).code == 0, "it lies beside its session"


@pytest.mark.parametrize("command", ["show", "export", "verify"])
def test_a_missing_file(run: Run, command: str) -> None:
    extra = ["-o", "x.json"] if command == "export" else []
    done = run(command, "/nowhere", *extra)
    assert (done.code, done.data) == (1, b"")
    assert done.err.startswith("bpe-tui: cannot read '/nowhere': no such file")


@pytest.mark.parametrize("command", [["open"], ["train", "--merges", 1], ["show", "x.bpes", "--corpus"]])
def test_an_empty_path_is_not_the_present_folder(run: Run, command: list[str]) -> None:
    done = run(*command, "")
    assert done.code == 2
    assert "it is empty: give a file, a folder or -" in done.err


def test_a_session_is_not_taken_for_a_text(run: Run, session: Path) -> None:
    done = run("train", str(session), "--merges", "2")
    assert (done.code, done.out) == (1, "")
    assert "is a session, not a corpus: bpe-tui" in done.err
    assert run("train", str(session), "--format", "text", "--merges", "2").code == 0, "its bytes can be asked for"


def test_verify_names_the_command_for_other_libraries_files(run: Run, session: Path, tmp_path: Path) -> None:
    other = tmp_path / "tokenizer.json"
    assert run("export", str(session), "--to", "huggingface", "-o", str(other)).code == 0
    done = run("verify", str(other))
    assert done.code == 1
    assert "is a tokenizer of another library: bpe-tui audit checks it" in done.err


def test_a_sessions_corpus_is_no_standard_input(run: Run, session: Path) -> None:
    done = run("show", str(session), "--corpus", "-")
    assert done.code == 1
    assert "a session's corpus is read from a file or folder" in done.err


@pytest.mark.parametrize(
    ("size", "bytes_of"),
    [("5000", 5000), ("8GB", 8 * 10**9), ("8gb", 8 * 10**9), ("1.5 kB", 1500), ("2GiB", 2 << 30), ("3m", 3 * 10**6)],
)
def test_sizes(size: str, bytes_of: int) -> None:
    assert memory_size(size) == bytes_of


@pytest.mark.parametrize("size", ["8i", "GB", "-1", "8TB", "1e9", "8 G B", ""])
def test_what_is_no_size(size: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a size"):
        memory_size(size)

"""No command writes over what it reads, nor over a file of anybody's unless it is told to."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bpe_tui.commands import train
from bpe_tui.commands.output import with_progress
from engine.corpus.open import CorpusOptions, open_corpus
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.restore import capture
from sessions.snapshot import EMBEDDED_BYTES
from sessions.store import load, save

from .cli_run import Run


def course(folder: Path, name: str) -> Path:
    """A course corpus of three documents; any manifest may lie beside it unread."""
    records = [
        {"id": f"d-{n}", "language": "en", "provenance_group": f"g-{n}", "text": text}
        for n, text in enumerate(("aaa", "aba", "abab"))
    ]
    path = folder / name
    path.write_text(json.dumps(records))
    return path


def manifest(run: Run, corpus: Path, path: Path) -> Path:
    """A manifest of that corpus; its checksum is in the refusal of one that has another."""
    split = {
        "schema_version": 1,
        "corpus_checksum": "fnv1a64:0000000000000000",
        "strategy": "fixed-paired-document-holdout-v1",
        "train": ["d-0"],
        "validation": ["d-1"],
        "test": ["d-2"],
    }
    path.write_text(json.dumps(split))
    refusal = run("train", corpus, "--split", path, "--merges", 1).err
    split["corpus_checksum"] = refusal.partition("the corpus is '")[2].partition("'")[0]
    path.write_text(json.dumps(split))
    return path


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_what_train_reads_is_never_written(run: Run, tmp_path: Path, force: tuple[str, ...]) -> None:
    corpus = course(tmp_path, "cc.json")
    beside = manifest(run, corpus, tmp_path / "cc.splits.json")
    elsewhere = tmp_path / "given.json"
    elsewhere.write_bytes(beside.read_bytes())
    merges = tmp_path / "merges.bpes"
    assert run("train", corpus, "--merges", 1, "-o", merges).code == 0
    for output, options in [
        (corpus, ()),
        (beside, ()),
        (elsewhere, ("--split", elsewhere)),
        (merges, ("--merges-from", merges)),
    ]:
        before = output.read_bytes()
        link = tmp_path / f"link{output.suffix}"
        link.unlink(missing_ok=True)
        link.symlink_to(output)
        for name in (output, link):
            done = run("train", corpus, *options, "--merges", 1, "-o", name, *force)
            assert done.code == 1
            assert done.err.endswith("is what is read here: write to another file\n")
            assert output.read_bytes() == before


def test_a_file_of_a_corpus_folder_is_read_too(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "notes.csv").write_text("abab")
    done = run("train", folder, "--merges", 1, "-o", folder / "notes.csv", "--force")
    assert (done.code, done.err.count("is what is read here")) == (1, 1)
    run_there = folder / "run.bpes"
    assert run("train", folder, "--merges", 1, "-o", run_there).code == 0
    assert run("train", folder, "--merges", 1, "-o", run_there, "--force").code == 0, "binary files are not read"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (lambda two, run: ("train", two, "--merges", 2), "x.bpes"),
        (lambda two, run: ("export", run), "x.csv"),
        (lambda two, run: ("export", run), "x.bpes"),
        (lambda two, run: ("convert", run), "x.tiktoken"),
        (lambda two, run: ("encode", run, "aaa"), "x.json"),
    ],
)
def test_a_file_that_is_there_is_replaced_by_force_alone(
    run: Run, two: Path, tmp_path: Path, command: Callable[[Path, Path], tuple[object, ...]], name: str
) -> None:
    session = tmp_path / "run.bpes"
    assert run("train", two, "--merges", 3, "-o", session).code == 0
    output = tmp_path / name
    output.write_bytes(b"years of work")
    arguments = (*command(two, session), "-o", output)
    done = run(*arguments)
    assert done.code == 1
    assert done.err.endswith(f"x{output.suffix}' is there already: --force replaces it, or write to another file\n")
    assert output.read_bytes() == b"years of work"
    assert run(*arguments, "--force").code == 0
    assert output.read_bytes() != b"years of work"


def test_one_of_two_files_that_is_there_keeps_both(run: Run, two: Path, tmp_path: Path) -> None:
    session = tmp_path / "run.bpes"
    assert run("train", two, "--merges", 3, "-o", session).code == 0
    (tmp_path / "x-merges.txt").write_text("old")
    done = run("export", session, "--to", "gpt2", "-o", tmp_path / "x")
    assert done.code == 1
    assert "x-merges.txt' is there already" in done.err
    assert not (tmp_path / "x-vocab.json").exists()


def test_a_session_may_take_the_place_of_the_one_it_is_from(run: Run, two: Path, tmp_path: Path) -> None:
    session = tmp_path / "run.bpes"
    assert run("train", two, "--merges", 3, "-o", session).code == 0
    assert run("export", session, "--rank", 1, "-o", session).code == 0
    assert (load(session).rank, len(load(session).merges)) == (1, 3)


def test_a_corpus_inside_a_session_stays_inside(run: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_bytes(b"abc " * 300_000)
    assert corpus.stat().st_size > EMBEDDED_BYTES
    trainer = Trainer(open_corpus(corpus), Policy(budget=3))
    trainer.seek(3)
    save(tmp_path / "held.bpes", capture(trainer, str(corpus), CorpusOptions(), embed=True))
    corpus.unlink()
    assert run("export", tmp_path / "held.bpes", "-o", tmp_path / "again.bpes").code == 0
    assert run("verify", tmp_path / "again.bpes").code == 0
    assert run("export", tmp_path / "held.bpes", "--no-embed", "-o", tmp_path / "light.bpes").code == 0
    assert load(tmp_path / "light.bpes").corpus is None


def test_a_file_that_appears_while_it_trains_is_left_and_the_work_is_not_lost(
    run: Run, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "run.bpes"

    def somebody_writes(*arguments: object) -> object:
        output.write_bytes(b"theirs")
        return with_progress(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(train, "with_progress", somebody_writes)
    done = run("train", two, "--merges", 3, "-o", output)
    assert done.code == 0
    assert "run.bpes' was written by another program meanwhile: this goes to" in done.err
    assert output.read_bytes() == b"theirs"
    assert load(tmp_path / "run-2.bpes").rank == 3


@pytest.mark.parametrize("name", ["nodir/x.bpes", "folder.bpes", "pipe.bpes", "locked.bpes"])
def test_what_cannot_be_written_is_refused_before_the_work(
    run: Run, two: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.bpes").mkdir()
    os.mkfifo(tmp_path / "pipe.bpes")
    (tmp_path / "locked.bpes").write_bytes(b"kept")
    (tmp_path / "locked.bpes").chmod(0o444)
    monkeypatch.setattr(train, "Trainer", None)  # nothing is counted yet
    done = run("train", two, "--merges", 3, "-o", tmp_path / name, "--force")
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("bpe-tui: cannot write")


@pytest.fixture
def pair(run: Run, two: Path, tmp_path: Path) -> Path:
    """A folder with a gpt2 pair, which is read together whichever half is named."""
    assert run("train", two, "--merges", 2, "-o", tmp_path / "run.bpes").code == 0
    (tmp_path / "g").mkdir()
    assert run("convert", tmp_path / "run.bpes", "--to", "gpt2", "-o", tmp_path / "g").code == 0
    return tmp_path / "g"


@pytest.fixture
def words(run: Run, tmp_path: Path) -> Path:
    """A session whose alphabet stands in its corpus beside, `words.txt`."""
    (tmp_path / "words.txt").write_text("ab ab abc")
    arguments = ("--profile", "sennrich", "--merges", 2, "--no-embed", "-o", tmp_path / "words.bpes")
    assert run("train", tmp_path / "words.txt", *arguments).code == 0
    return tmp_path / "words.bpes"


def refused(run: Run, kept: Path, *arguments: object) -> None:
    before = kept.read_bytes()
    done = run(*arguments, "--force")
    assert done.code == 1
    assert done.err.endswith("is what is read here: write to another file\n")
    assert kept.read_bytes() == before


def test_the_other_half_of_a_pair_is_read_too(run: Run, two: Path, pair: Path) -> None:
    vocabulary, merges = pair / "vocab.json", pair / "merges.txt"
    refused(run, merges, "convert", vocabulary, "--to", "tiktoken", "-o", merges)
    refused(run, vocabulary, "convert", merges, "--to", "huggingface", "-o", vocabulary)
    refused(run, merges, "encode", vocabulary, "aab", "-o", merges)
    (pair / "out.csv").symlink_to("merges.txt")
    refused(run, merges, "train", two, "--merges-from", vocabulary, "--merges", 3, "-o", pair / "out.csv")


def test_a_sessions_corpus_is_read_too(run: Run, two: Path, words: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "words.txt"
    refused(run, corpus, "encode", words, "ab", "-o", corpus)
    refused(run, corpus, "convert", words, "--to", "subword-nmt", "-o", corpus)
    (tmp_path / "link.csv").symlink_to("words.txt")
    given = ("--merges-from", words, "--profile", "sennrich", "--merges", 3)
    refused(run, corpus, "train", corpus, *given, "-o", tmp_path / "link.csv")


def test_a_corpus_that_a_session_only_names_is_left_alone_too(run: Run, two: Path, tmp_path: Path) -> None:
    named = tmp_path / "named.bpes"
    assert run("train", two, "--merges", 2, "--no-embed", "-o", named).code == 0
    refused(run, two, "encode", named, "ab", "-o", two)


def test_documents_that_a_session_holds_are_not_thrown_away(run: Run, two: Path, tmp_path: Path) -> None:
    """From standard input they are nowhere else."""
    held = tmp_path / "held.bpes"
    assert run("train", "-", "--merges", 2, "-o", held, stdin=two.read_bytes()).code == 0
    before = held.read_bytes()
    for force in ((), ("--force",)):
        done = run("export", held, "-o", held, "--no-embed", *force)
        assert (done.code, held.read_bytes()) == (1, before)
        assert "is what is read here: write to another file" in done.err
    assert run("export", held, "-o", held).code == 0, "with them it may take its own place"
    assert load(held).corpus is not None


def test_a_corpus_that_a_session_holds_is_left_alone_too(run: Run, two: Path, pair: Path, tmp_path: Path) -> None:
    assert load(tmp_path / "run.bpes").corpus is not None
    refused(run, two, "export", tmp_path / "run.bpes", "--to", "csv", "-o", two)


def test_a_document_that_a_link_leads_to_is_read_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "outside.csv").write_text("abab")
    (tmp_path / "f" / "b.txt").symlink_to("../outside.csv")
    refused(run, tmp_path / "outside.csv", "train", tmp_path / "f", "--merges", 1, "-o", tmp_path / "outside.csv")


def test_a_manifest_beside_a_moved_corpus_is_read_too(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    corpus = course(old, "cc.json")
    manifest(run, corpus, old / "cc.splits.json")
    assert run("train", corpus, "--merges", 1, "--no-embed", "-o", old / "s.bpes").code == 0
    old.rename(new)
    beside = new / "cc.splits.json"
    refused(run, beside, "export", new / "s.bpes", "--to", "jsonl", "-o", beside)


def test_the_file_behind_standard_input_is_read_too(two: Path) -> None:
    before = two.read_bytes()
    with two.open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-m", "bpe_tui", "train", "-", "--merges", "1", "-o", two.with_suffix(".json"), "--force"],
            stdin=source, stderr=subprocess.PIPE, cwd=Path(__file__).resolve().parents[2], check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.endswith(b"is what is read here: write to another file\n")
    assert two.read_bytes() == before


def test_two_files_that_a_link_makes_one_are_refused(run: Run, pair: Path, tmp_path: Path) -> None:
    (tmp_path / "x-merges.txt").symlink_to("x-vocab.json")
    done = run("convert", tmp_path / "run.bpes", "--to", "gpt2", "-o", tmp_path / "x", "--force")
    assert done.code == 1
    assert "would be one file with" in done.err
    assert not (tmp_path / "x-vocab.json").exists()


def test_a_temporary_file_that_is_read_is_not_swept(run: Run, pair: Path, tmp_path: Path) -> None:
    rescued = tmp_path / ".bpe-tui-0123456789abcdef.tmp"
    (tmp_path / "run.bpes").rename(rescued)
    assert run("convert", rescued, "--to", "tiktoken", "-o", tmp_path / "x.tiktoken").code == 0
    assert load(rescued).rank == 2

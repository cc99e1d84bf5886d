"""`bpe-tui export --to` and `convert`: files of other libraries; `encode -o` and `decode --file`: token ids."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bpe_tui.cli import COMMANDS
from bpe_tui.exports import ENDINGS, FOREIGN
from engine.formats.registry import read_any
from sessions.store import load, save

from .cli_run import Run


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is there, whatever the list says."""
    monkeypatch.setitem(COMMANDS, "convert", "write a tokenizer file in another format")


@pytest.fixture
def session(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text("low lower lowest\nnew newer newest\n" * 4)
    path = tmp_path / "run.bpes"
    assert run("train", tmp_path / "text.txt", "--boundary", "gpt2", "--merges", 12, "-o", path).code == 0
    return path


@pytest.mark.parametrize("name", ["huggingface", "tiktoken", "minbpe"])
def test_export_to_one_file(run: Run, session: Path, tmp_path: Path, name: str) -> None:
    done = run("export", session, "--to", name, "--rank", 9, "-o", tmp_path / "out")
    assert done.code == 0
    assert f"not in {name}: how merges were chosen" in done.err
    assert f"out': {name}, 9 merges, " in done.err
    found = read_any(tmp_path / "out")
    assert (found.format, len(found.pairs), [*found.ids]) == (name, 9, [*range(265)])


def test_export_to_two_files(run: Run, session: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run("export", session, "--to", "gpt2", "-o", folder).code == 0
    assert run("export", session, "--to", "gpt2", "-o", tmp_path / "run").code == 0
    for name in ("vocab.json", "merges.txt"):
        assert (folder / name).read_bytes() == (tmp_path / f"run-{name}").read_bytes()
    assert read_any(folder).pairs == read_any(tmp_path / "run-merges.txt").pairs


def test_words_become_codes(run: Run, words: Path, tmp_path: Path) -> None:
    done = run("train", words, "--profile", "sennrich", "--merges", 2, "-o", tmp_path / "x.codes")
    assert done.code == 0
    assert (tmp_path / "x.codes").read_text() == "#version: 0.1\ne s\nes t\n"
    assert "not in subword-nmt: token ids: the format has none" in done.err


def test_the_endings_are_unambiguous() -> None:
    assert len({*ENDINGS.values()}) == len(ENDINGS)
    assert ENDINGS[".json"] == "artifact"
    assert {f for f in FOREIGN if f not in ENDINGS.values()} == {"huggingface", "gpt2"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--profile", "incremental", "-o", "x.model"], "its first is 2"),
        (["-o", "x.codes"], "alphabet=bytes and end_of_word=none"),
        (["--profile", "sennrich", "-o", "x.tiktoken"], "characters as base tokens"),
        (["-o", "x.unknown"], "has no ending that names a format: choose .json (artifact)"),
    ],
)
def test_what_cannot_be_written_is_refused_before_training(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.txt").write_text("abab")
    done = run("train", "c.txt", "--merges", 1, *arguments)
    assert (done.code, done.data) == (1, b"")
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["c.txt"]


def test_convert_keeps_ids_and_tells_what_it_left_aside(run: Run, session: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.tiktoken", tmp_path / "b"
    assert run("convert", session, "-o", first).code == 0
    done = run("convert", first, "--boundary", "gpt2", "--to", "huggingface", "-o", second)
    assert done.code == 0
    assert "tiktoken, 12 merges" in done.err
    assert "the file holds no pattern" in done.err
    found, original = read_any(second), read_any(first)
    assert found.policy.boundary == "gpt2"
    assert (found.pairs, [*found.ids]) == (original.pairs, [*original.ids])
    assert run("convert", second, "-o", tmp_path / "c.tiktoken").code == 0
    assert (tmp_path / "c.tiktoken").read_bytes() == first.read_bytes()


def test_convert_refuses_to_renumber(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("abab")
    assert run("train", tmp_path / "c.txt", "--merges", 1, "-o", tmp_path / "x.json").code == 0
    done = run("convert", tmp_path / "x.json", "-o", tmp_path / "x.model")
    assert done.code == 1
    assert "ids are never renumbered silently" in done.err
    assert not (tmp_path / "x.model").exists()


def test_convert_refuses(run: Run, session: Path, tmp_path: Path) -> None:
    (tmp_path / "y.tiktoken").write_text("YWI= 0\n")
    for arguments, says in (
        (["text.txt", "-o", "x.model"], "is no tokenizer file that this program reads: it looked for"),
        (["run.bpes", "-o", "x.json"], "use bpe-tui export for a session, or --to huggingface"),
        (["run.bpes", "--to", "tiktoken", "-o", "run.bpes"], "is what is read here"),
        (["y.tiktoken", "-o", "x.model"], "no token for byte 0"),
        (["run.bpes", "--boundary", "pattern:(", "-o", "x.model"], "does not compile"),
        (["none", "-o", "x.model"], "no such file"),
    ):
        filled = [tmp_path / a if "." in a or a == "none" else a for a in arguments]
        done = run("convert", *filled)
        assert (done.code, done.data) == (1, b""), arguments
        assert says in done.err
        assert "Traceback" not in done.err


def test_ids_go_out_and_come_back(run: Run, session: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    printed = run("encode", session, "--file", text).out
    for name in ("x.npy", "x.json", "x.txt"):
        done = run("encode", session, "--file", text, "-o", tmp_path / name)
        assert (done.code, done.data) == (0, b"")
        assert f"{len(printed.split())} ids" in done.err
        assert run("decode", session, "--file", tmp_path / name).data == text.read_bytes()
    assert (tmp_path / "x.txt").read_text() == printed
    piped = run("encode", session, "--file", text, "--to", "npy").data
    assert piped == (tmp_path / "x.npy").read_bytes()
    assert run("decode", session, stdin=piped).data == text.read_bytes()
    assert run("encode", session, "ab", "--to", "json").out == "[97,98]\n"


def test_ids_are_not_written_over_their_source(run: Run, session: Path, tmp_path: Path) -> None:
    before = (tmp_path / "text.txt").read_bytes()
    done = run("encode", session, "--file", tmp_path / "text.txt", "-o", tmp_path / "text.txt")
    assert done.code == 1
    assert (tmp_path / "text.txt").read_bytes() == before
    assert run("encode", session, "ab", "--json", "-o", tmp_path / "y").code == 2
    assert run("encode", session, "ab", "--json", "--to", "npy").code == 2
    assert run("decode", session, "97", "--file", tmp_path / "text.txt").code == 2
    assert "is no token id" in run("decode", session, "--file", tmp_path / "text.txt").err


def test_files_whose_tokens_double_are_refused(run: Run, two: Path, tmp_path: Path) -> None:
    """Forty merges of a token with itself stand for a terabyte."""
    artifact, session = tmp_path / "x.json", tmp_path / "x.bpes"
    assert run("train", two, "--merges", 1, "-o", artifact).code == 0
    assert run("train", two, "--merges", 1, "-o", session).code == 0
    value = json.loads(artifact.read_bytes())
    value["merges"] = [
        {"rank": r, "left": i, "right": i, "token_id": 258 + r, "candidate_count": 1, "replacements": 1}
        for r, i in enumerate([99, *range(258, 297)])
    ]
    value["policy"]["merge_count"] = 40
    value["counters"] |= {"input_bytes": 50, "content_tokens": 10}
    artifact.write_text(json.dumps(value))
    whole = load(session)
    merges = [replace(whole.merges[0], pair=(i, i)) for i in (97, *range(256, 295))]
    save(session, replace(whole, merges=tuple(merges), rank=40))
    for path in (artifact, session):
        for command in (["encode", path, "a"], ["convert", path, "-o", tmp_path / "x.tiktoken"]):
            done = run(*command)
            assert (done.code, done.data) == (1, b"")
            assert "over the limit vocabulary_bytes=33554432" in done.err
            assert path.name in done.err

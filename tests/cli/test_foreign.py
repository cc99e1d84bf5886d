"""Encoding with the files of other libraries: the ids are those of the run that was exported."""

import json
from pathlib import Path

import pytest

from .cli_run import Run


@pytest.mark.parametrize(("to", "name"), [("huggingface", "t.json"), ("gpt2", "t"), ("tiktoken", "t.tiktoken")])
def test_exported_files_encode_and_decode_like_the_session(run: Run, tmp_path: Path, to: str, name: str) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the thin thing is in the inn, and then the thinner one")
    kept = tmp_path / "kept.bpes"
    run("train", text, "--base-order", "bytemap", "--merges", 20, "-o", kept)
    ids = run("encode", kept, "the inner thing").out
    assert run("export", kept, "--to", to, "-o", tmp_path / name).code == 0
    written = tmp_path / ("t-vocab.json" if to == "gpt2" else name)
    if to == "gpt2":  # the pair says nothing of where texts are cut: GPT-2's pattern is taken, and told
        found = run("encode", written, "the inner thing")
        assert "GPT-2's pattern is taken" in found.err
        ids = found.out
    assert run("encode", written, "the inner thing").out == ids
    assert run("decode", written, *ids.split()).out == "the inner thing"
    assert run("encode", written, "the", "--rank", 0).out.split() == run("encode", kept, "the", "--rank", 0).out.split()


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize(
    "flags", [[], ["--base-order", "bytemap", "--special-token", "<x>"], ["--id-layout", "framed"]]
)
def test_our_own_records_are_lists_too(run: Run, tmp_path: Path, ending: str, flags: list[str]) -> None:
    text, kept, written = tmp_path / "text.txt", tmp_path / "kept.bpes", tmp_path / f"run.{ending}"
    text.write_text("the thin thing is in the inn, and then the thinner one")
    run("train", text, *flags, "--merges", 20, "-o", kept)
    run("export", kept, "-o", written)
    done = run("compare", written, kept, "--corpus", text)
    if ending == "csv" and "<x>" in flags:  # a table holds no policy, and these ids are those of no layout alone
        assert (done.code, "expected 256, or 258" in done.err) == (1, True)
        return
    assert "equal to the end" in done.out
    assert run("encode", written, "thinning").out == run("encode", kept, "thinning").out


def test_ids_that_do_not_follow_the_merges_are_refused(run: Run, tmp_path: Path) -> None:
    path, kept = tmp_path / "t.json", tmp_path / "kept.bpes"
    (tmp_path / "text.txt").write_text("abab")
    run("train", tmp_path / "text.txt", "--merges", 1, "-o", kept)
    run("export", kept, "--to", "huggingface", "-o", path)
    record = json.loads(path.read_text())
    record["model"]["vocab"]["ab"] = 300
    path.write_text(json.dumps(record))
    refused = run("encode", path, "ab")
    assert (refused.code, refused.out) == (1, "")
    assert "has ids that do not follow its merges" in refused.err


def test_a_character_that_is_not_there_is_named_with_its_own_place(run: Run, tmp_path: Path) -> None:
    codes = tmp_path / "w.codes"
    codes.write_text("#version: 0.2\na b\nab c</w>\n")
    refused = run("encode", codes, "abc abb")
    assert refused.code == 1
    assert "'b</w>' in the text at byte 6 is not in" in refused.err


def test_a_special_token_has_no_content(run: Run, tmp_path: Path) -> None:
    text, kept = tmp_path / "text.txt", tmp_path / "kept.bpes"
    text.write_text("abab")
    run("train", text, "--special-token", "<x>", "--merges", 1, "-o", kept)
    refused = run("decode", kept, "0")
    assert refused.err.endswith("token 0 at position 0 is a special token, which has no content\n")


def test_an_empty_list_is_not_right(run: Run, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text("[]")
    (tmp_path / "text.txt").write_text("abab")
    refused = run("check", tmp_path / "e.json", "--profile", "cs336", "--corpus", tmp_path / "text.txt")
    assert refused.code == 1
    assert refused.err.endswith("has no merge: there is nothing to check\n")

"""Paths that no system takes are refused in one line wherever a command takes one."""

from pathlib import Path

import pytest

from bpe_tui.cli import main

ODD = {"too long": "n" * 300, "too deep": "d/" * 3000, "of no file": "\0", "in a loop": "loop/x"}


@pytest.mark.parametrize("path", ODD.values(), ids=ODD)
@pytest.mark.parametrize(
    "command",
    [
        "show {odd}", "verify {odd}", "encode {odd} x", "decode {odd} 1", "audit {odd}", "convert {odd} -o x.model",
        "export {odd} -o x.csv", "train {odd} --merges 1", "train {corpus} --merges 1 --merges-from {odd}",
        "train {corpus} --merges 1 --split {odd}", "train {corpus} --merges 1 --receipt {odd}",
        "train {corpus} --merges 1 -o {odd}.csv", "compare course {odd} --corpus {corpus} --merges 1",
        "check {odd} --corpus {corpus}", "audit {corpus} --corpus {odd}",
    ],
)  # fmt: skip
def test_an_odd_path_is_refused_in_one_line(
    command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "corpus.json").write_text('["aaa", "aba"]')
    words = [word.format(odd=path, corpus="corpus.json") for word in command.split(" ")]
    assert main(words) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("bpe-tui: ")
    assert said[-1].isprintable()
    assert "cannot write the output" not in said[-1]
    assert not any(line.startswith("bpe-tui: ") for line in said[:-1])

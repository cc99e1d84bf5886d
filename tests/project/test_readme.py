"""The README: what it shows is what the program does."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from bpe_tui.app.actions import ACTIONS, key_text
from bpe_tui.cli import COMMANDS, main
from engine.profiles import DEFAULT_PROFILE, PROFILES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def only_command(title: str) -> str:
    (command,) = re.findall(r"```sh\n(.*?)\n```", section(title), re.DOTALL)
    assert "\n" not in command
    return str(command)


def consoles() -> list[tuple[list[str], str]]:
    """Command words and the output shown under them, in the order of the page."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    shown = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(shlex.split(command), output) for command, _, output in shown]


def test_commands_print_what_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert len(consoles()) >= 8
    for words, output in consoles():
        assert words[0] == "bpe-tui"
        assert main(words[1:]) == 0
        printed = capfdbinary.readouterr().out.decode()
        assert printed.removesuffix("\n") == output.removesuffix("\n"), words


def test_set_up_commands_name_what_the_project_has() -> None:
    start, tests = only_command("Start"), only_command("Run the tests")
    assert start.startswith("python3 -m venv .venv && .venv/bin/pip install -q . && ")
    program, corpus = start.rpartition(" && ")[2].split()
    assert program.removeprefix(".venv/bin/") in PROJECT["scripts"]
    assert (ROOT / corpus).is_file()
    (extra,) = re.findall(r"'\.\[(\w+)\]'", tests)
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in PROJECT["optional-dependencies"][extra]}  # type: ignore[index]
    assert {"pytest", "pytest-xdist"} <= names
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer" in README


def test_ci_runs_the_command_under_its_heading() -> None:
    assert 'readme_command "## Run the tests"' in (ROOT / ".ci" / "run").read_text()
    assert README.count("\n## Run the tests\n") == 1


def test_commands_in_the_text_exist() -> None:
    for first in re.findall(r"`(?:\.venv/bin/)?bpe-tui ([\w./-]+)", README):
        assert first in COMMANDS or first in ("COMMAND", "run.bpes"), first


def test_keys_of_the_tour_exist() -> None:
    known = {key_text(key).plain for action in ACTIONS for key in action.keys}
    rows = re.findall(r"^\| (`.*?) \|", section("A tour"), re.MULTILINE)
    shown = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    assert len(shown) > 20
    assert shown <= known


def test_speeds_are_those_of_the_benchmark() -> None:
    """Each figure of the table is the median wall time that RESULTS.md gives for that job and contender."""
    jobs = {
        "English, 10 MB, GPT-2 boundary, 32,768 entries": "GPT-2 boundary, english_10mb, 32,768 entries",
        "English, 100 MB, GPT-2 boundary, 32,768 entries": "GPT-2 boundary, english_100mb, 32,768 entries",
        "many languages, 10 MB, GPT-2 boundary, 32,768 entries": "GPT-2 boundary, multi_10mb, 32,768 entries",
        "English, 10 MB as one sequence, 8,192 entries": (
            "document boundary, english_10mb as one sequence, 8,192 entries"
        ),
        "without a compiler: English, 10 MB, GPT-2 boundary": (
            "the Python kernel (no compiler): GPT-2 boundary, english_10mb, 32,768 entries"
        ),
        "GPT-2 boundary, 32,768 entries": ("encode english_10mb, GPT-2 boundary, 32,768 entries, first time through"),
    }
    measured: dict[tuple[str, str], str] = {}
    job = ""
    for cells in _tables((ROOT / "benchmarks" / "RESULTS.md").read_text()):
        job = cells[0] or job
        measured.setdefault((job, cells[1]), cells[2].split()[0])
    shown = 0
    names: list[str] = []
    for title, *figures in _tables(README.split("## Speed")[1].split("\n## ")[0]):
        if title not in jobs:
            names = ["ours", *(name.rstrip("¹") for name in figures[1:])]
            continue
        for name, figure in zip(names, figures, strict=True):
            if figure:
                assert measured[jobs[title], name] == figure, (title, name)
                shown += 1
    assert shown == 28


def _tables(text: str) -> list[list[str]]:
    """The rows of all tables, headings included."""
    rows = [line[1:-1].split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if "---" not in row[0]]


def test_profiles_are_all_named() -> None:
    named = re.search(r"The project's own profiles are (.*?)\.\s`bpe-tui\sprofiles\sNAME`", README, re.DOTALL)
    assert named is not None
    assert re.findall(r"`([\w-]+)`", named[1]) == list(PROFILES)
    assert f"`{DEFAULT_PROFILE}` (the default)" in named[1]


def test_picture_shows_the_rank_that_its_words_name() -> None:
    (rank, learned, picture) = re.findall(r"!\[.*rank (\d+) of (\d+).*\]\((.*)\)", README)[0]
    svg = (ROOT / picture).with_suffix(".svg").read_text()
    assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")
    assert f"{rank}/{learned}" in svg

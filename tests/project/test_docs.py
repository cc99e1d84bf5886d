"""The pages under docs/: complete, true to the code, and without dead links."""

import doctest
import re
import runpy
from dataclasses import fields
from pathlib import Path

import pytest

from bpe_tui.app.config import Config, load_config
from bpe_tui.cli import COMMANDS, main
from bpe_tui.exports import ENDINGS
from bpe_tui.text.glyphs import Look
from engine.corpus.open import FORMATS
from engine.limits import Limits
from engine.policy import CHOICES, Policy, parse_policy
from engine.profiles import PROFILES
from engine.utf8 import Utf8Class

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
FOREIGN_FLAGS = {
    "--byte",
    "--character",
    "--max",
    "--min-frequency",
    "--no-build-isolation",
    "--png",
    "--snapshot-update",
    "--strict",
}
"""Flags of other programs that the pages name."""


def page(name: str) -> str:
    return (DOCS / name).read_text()


def code_words(text: str) -> set[str]:
    return {word for code in re.findall(r"`([^`\n]+)`", text) for word in (code, *code.split())}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", path.read_text())
    for link in links:
        assert link.startswith("https://") or (path.parent / link).exists(), link


def test_flags_exist(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
    known = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out)) | FOREIGN_FLAGS
    for path in PAGES:
        inline = " ".join(re.findall(r"`([^`\n]+)`", path.read_text()))
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", inline)) <= known, path.name


def test_policy_page_has_every_field_value_and_limit() -> None:
    text = page("policy.md")
    words = code_words(text)
    assert {f.name for f in fields(Policy)} <= words
    assert {choice for choices in CHOICES.values() for choice in choices} <= words
    assert {f.name for f in fields(Limits)} <= words
    rows = re.findall(r"^\| `(\w+)` \|", text.partition("\n## ")[0], re.MULTILINE)
    assert rows == [f.name for f in fields(Policy)]


def test_profiles_page_is_what_the_profiles_make() -> None:
    assert runpy.run_path(str(DOCS / "make_profiles.py"))["page"]() == page("profiles.md")


def test_profiles_page_has_every_profile_with_its_line() -> None:
    text = page("profiles.md")
    sections = re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in sections] == [name for name, profile in PROFILES.items() if profile.peer]
    for name, body in sections:
        (line,) = re.findall(r"^bpe .*", body, re.MULTILINE)
        assert parse_policy(line) == PROFILES[name].policy, name
        assert line == str(PROFILES[name].policy), name
        assert PROFILES[name].peer in body, name
        for departure in PROFILES[name].departures:
            assert departure in " ".join(body.split()), (name, departure)


def test_policy_page_gives_the_default_line() -> None:
    (line,) = re.findall(r"^bpe .*", page("policy.md"), re.MULTILINE)
    assert parse_policy(line) == Policy()
    assert line == str(Policy())


def test_formats_page_has_every_format() -> None:
    words = code_words(page("formats.md"))
    assert set(FORMATS) - {"auto"} <= words
    for ending, format in ENDINGS.items():
        assert f"| `{ending}` | {format} |" in page("formats.md")


def test_glossary_has_every_utf8_class_and_is_in_order() -> None:
    terms = re.findall(r"^\| \*\*(.+?)\*\*", page("glossary.md"), re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    assert all(kind.value in page("glossary.md") for kind in Utf8Class)


def test_keys_page_is_what_the_registry_makes() -> None:
    assert runpy.run_path(str(DOCS / "make_keys.py"))["page"]() == page("keys.md")


def test_settings_of_the_keys_page_are_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", page("keys.md"), re.DOTALL)
    file = tmp_path / "config.toml"
    file.write_text(example)
    look = Look(ascii=True, strict_rtl=True, ambiguous_wide=True)
    assert load_config(file) == Config("nord", look, mouse=False, keys={"step.next": "right,n"})


def test_lessons_print_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(DOCS / "lessons.md"), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0

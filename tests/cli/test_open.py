"""`bpe-tui CORPUS`: what the app is handed, and which words are commands."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from bpe_tui.cli import COMMANDS
from bpe_tui.request import Appearance, OpenRequest
from engine.corpus.open import CorpusOptions
from engine.limits import COURSE_LIMITS, Limits
from engine.policy import CHOICES, Policy
from engine.profiles import PROFILES

from .cli_run import Run

Opened = Callable[..., OpenRequest]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Runs a command line on a pretended terminal and returns what the app would get."""

    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    def opened(*arguments: object) -> OpenRequest:
        from bpe_tui.cli import main

        requests: list[OpenRequest] = []

        def run(request: OpenRequest, appearance: Appearance) -> int:
            requests.append(request)
            return 0

        app = ModuleType("bpe_tui.app.app")
        app.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "bpe_tui.app.app", app)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Terminal())
            patch.setattr(sys, "stdout", Terminal())
            patch.setattr(sys, "stderr", talk := Terminal())
            code = main([str(a) for a in arguments])
        assert code == 0, talk.getvalue()
        return requests[0]

    return opened


def test_a_path_alone_opens_with_the_defaults(opened: Opened, two: Path) -> None:
    assert opened(two) == OpenRequest(
        source=str(two),
        data=None,
        is_session=False,
        options=CorpusOptions(),
        policy=Policy(),
        limits=Limits(),
        kernel="auto",
    )


def test_options_may_come_first(opened: Opened, two: Path) -> None:
    request = opened("--profile", "incremental", "--merges", 5, two, "--holdout", "0.5", "--limit", "nodes=9")
    assert request.policy == Policy(id_layout="framed", budget=5)
    assert request.limits == COURSE_LIMITS.replaced({"nodes": 9})
    assert request.options == CorpusOptions(holdout=0.5)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_corpus_named_like_a_command_is_reachable(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(b"abab")
    assert opened(f"./{name}").source == f"./{name}"
    assert opened("open", name).source == name


def test_a_session_is_known_by_its_content(opened: Opened, run: Run, two: Path, tmp_path: Path) -> None:
    run("train", two, "--merges", 2, "-o", tmp_path / "x.bpes")
    renamed = (tmp_path / "x.bpes").rename(tmp_path / "x.json")
    assert opened(renamed).is_session
    assert opened(renamed, "--corpus", two).corpus == str(two)
    assert not opened(two).is_session


def test_a_session_has_its_own_policy(opened: Opened, run: Run, two: Path, tmp_path: Path) -> None:
    run("train", two, "--merges", 2, "-o", tmp_path / "x.bpes")
    with pytest.raises(AssertionError, match=r"leave out --merges, --special-token, or open the corpus"):
        opened(tmp_path / "x.bpes", "--merges", 9, "--special-token", "x")


def flag_of(field: str) -> str:
    return {"special_tokens": "--special-token"}.get(field, "--" + field.replace("_", "-"))


@pytest.mark.parametrize(
    ("field", "given", "others"),
    [
        ("normalizer", "nmt-nfkc", {}),
        ("alphabet", "characters", {"base_order": "code-point"}),
        ("end_of_word", "fused", {"alphabet": "characters", "base_order": "code-point", "boundary": "whitespace"}),
        ("base_order", "bytemap", {}),
        ("boundary", "pattern:[a-z]+", {}),
        ("unmatched", "dropped", {}),
        ("counting", "non-overlapping", {}),
        ("tie_break", "largest-bytes", {}),
        ("length_rule", "exclusive", {}),
        ("piece_filter", "sentencepiece", {"alphabet": "characters", "base_order": "code-point"}),
        ("special_tokens_as", "text", {}),
        ("id_layout", "framed", {}),
    ],
)
def test_every_choice_has_a_flag(opened: Opened, two: Path, field: str, given: str, others: dict[str, str]) -> None:
    arguments = [word for name, value in {**others, field: given}.items() for word in (flag_of(name), value)]
    assert getattr(opened(two, *arguments).policy, field) == given


def test_every_field_has_a_flag_with_its_values_in_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    shown = " ".join(run("train", "--help").out.split())
    for field, choices in CHOICES.items():
        if field != "budget_unit":
            assert f"{flag_of(field)} VALUE" in shown
            assert f"[{', '.join(choices)}]" in shown
    for flag in (
        "--merges",
        "--vocab-size",
        "--exact",
        "--no-exact",
        "--min-count",
        "--coverage",
        "--max-token-length",
    ):
        assert f"{flag} " in shown


def test_profiles_print_policy_lines_that_are_read_back(run: Run, opened: Opened, two: Path) -> None:
    for name, profile in PROFILES.items():
        line = run("profiles", name, "--line").out.rstrip("\n")
        assert opened(two, "--policy", line).policy == profile.policy

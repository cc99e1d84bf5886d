"""`bpe-tui audit`: the summary, the findings, records for programs, and exit codes."""

import re
from pathlib import Path

import pytest

from engine.audit import KINDS

from .cli_run import Run


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """The merges a + b, b + c, a + bc in minbpe's form: the last is unreachable."""
    path = tmp_path / "foreign.model"
    path.write_bytes(b"minbpe v1\n\n0\n97 98\n98 99\n97 257\n")
    return path


def test_words(run: Run, foreign: Path) -> None:
    result = run("audit", foreign)
    assert result.code == 0
    assert "unreachable          1  merged entries whose own bytes encode to something else" in result.out
    assert "UTF-8 of merged entries: text 3, head 0, middle 0, tail 0, tail+head 0, impossible 0" in result.out
    assert result.out.endswith(
        "unreachable: 1\n"
        " id  rank  entry  what\n"
        "258     2  abc    encodes to 2 tokens (b'ab' 256, b'c' 99): rank 0, b'a' + b'b', comes before b'a' + b'bc'\n"
    )
    assert "never-fires" not in result.out


def test_a_corpus_adds_what_the_merges_do_there(run: Run, foreign: Path, abac: Path) -> None:
    """`abab | abac`: a + b counts 3, b + c never occurs, nor does a + bc."""
    lines = run("audit", foreign, "--corpus", abac).out.splitlines()
    assert "merges that fire on the corpus: 1 of 3" in lines
    assert "entries in use when it is encoded: 3 of 259" in lines
    assert "overlapping counts: 1 of 3 merges take a maximum, 0 of them one of several" in lines
    assert not any("tie rules" in line for line in lines)
    assert "never-fires: 2" in lines


def test_records(run: Run, foreign: Path, abac: Path) -> None:
    *findings, last = run("audit", foreign, "--corpus", abac, "--json").json
    assert [(f["kind"], f["id"], f["rank"], f["bytes"]) for f in findings] == [
        ("unreachable", 258, 2, "616263"),
        ("never-fires", 257, 1, "6263"),
        ("never-fires", 258, 2, "616263"),
    ]
    summary = last["summary"]
    assert summary["findings"] == {kind: {"unreachable": 1, "never-fires": 2}.get(kind, 0) for kind in KINDS}
    assert summary["replay"]["counts"] == [3, 0, 0]
    assert summary["replay"]["maxima"] == {"overlapping": 1, "non-overlapping": 1}
    assert len(summary["replay"]["rules"]) == 12


def test_a_cut_that_explains_the_list(run: Run, tmp_path: Path) -> None:
    """In lines ab, ac and b + LF count 2 each; across them LF + a counts 3."""
    corpus, file = tmp_path / "c.txt", tmp_path / "f.model"
    corpus.write_bytes(b"ab\nab\nac\nac")
    file.write_bytes(b"minbpe v1\n\n0\n98 10\n97 99\n97 256\n")
    lines = run("audit", file, "--corpus", corpus).out.splitlines()
    at = lines.index("every merge takes a maximum if text is cut at line ends only; 2 of them take one of several")
    assert lines[at + 1] == "  tie rules still possible: largest-bytes, largest-symbols"
    *_, last = run("audit", file, "--corpus", corpus, "--json").json
    found = last["summary"]["replay"]["explained_by"]
    assert (found["boundary"], found["profiles"], found["tied"]) == ("line", [], 2)
    assert {rule["rule"]: rule["refuted"] for rule in found["rules"]}["smallest-ids"] == 0


def test_the_first_findings_or_all(run: Run, tmp_path: Path) -> None:
    """Sixteen merges of two continuation bytes."""
    path = tmp_path / "inside.model"
    path.write_bytes(b"minbpe v1\n\n0\n" + b"".join(b"128 %d\n" % byte for byte in range(128, 144)))
    first, whole = run("audit", path).out, run("audit", path, "--all").out
    assert "partial-utf8: 16, the first 10; --all prints all" in first
    assert (first.count("lies inside"), whole.count("lies inside")) == (10, 16)


def test_fail_on(run: Run, foreign: Path) -> None:
    failed = run("audit", foreign, "--fail-on", "equal,unreachable")
    assert failed.code == 1
    assert failed.err.splitlines()[-1] == "bpe-tui: failed on unreachable (1)"
    assert run("audit", foreign, "--fail-on", "equal,missing-id").code == 0


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ("unreachable,nothing", "--fail-on 'nothing' is no kind of finding: choose remark, out-of-order,"),
        ("rising", "--fail-on rising needs --corpus"),
    ],
)
def test_kinds_that_cannot_be_failed_on(run: Run, foreign: Path, kinds: str, words: str) -> None:
    result = run("audit", foreign, "--fail-on", kinds)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_a_run_of_ours_is_sound(run: Run, abac: Path, tmp_path: Path) -> None:
    """`ab`, then ac before (ab, ab), which is first in the text, and (ab, a): each counts 1."""
    session, artifact = tmp_path / "run.bpes", tmp_path / "run.json"
    for path in (session, artifact):
        run("train", abac, "--profile", "incremental", "--merges", 2, "-o", path)
        result = run("audit", path, "--corpus", abac, "--fail-on", ",".join(set(KINDS) - {"intermediate"}))
        assert result.code == 0, result.err
        assert "overlapping counts: 2 of 2 merges take a maximum, 1 of them one of several" in result.out
        assert "  refuted, at rank: first-seen 1, largest-bytes 1, largest-symbols 1\n" in result.out


def test_hostile_entries_are_shown_not_obeyed(run: Run, tmp_path: Path) -> None:
    """ESC and `[` joined, and a special token that would clear the screen."""
    path = tmp_path / "hostile.model"
    path.write_bytes(b"minbpe v1\n\n1\n\x1b[2J 257\n27 91\n")
    result = run("audit", path)
    assert "\x1b" not in result.out + result.err
    assert b"\x1b" not in run("audit", path, "--json").data


def test_refusals_are_one_line(run: Run, foreign: Path, tmp_path: Path) -> None:
    for arguments in (
        [tmp_path / "missing"],
        [foreign, "--limit", "token_bytes=1"],
        [foreign, "--limit", "nothing=1"],
        [foreign, "--corpus", tmp_path / "missing"],
    ):
        result = run("audit", *arguments)
        assert (result.code, result.out) == (1, "")
        assert result.err.splitlines()[-1].startswith("bpe-tui: ")


def test_help_lists_the_kinds(run: Run) -> None:
    shown = run("audit", "--help").out
    assert all(kind in shown for kind in KINDS)


def test_a_boundary_for_files_that_name_none(run: Run, tmp_path: Path) -> None:
    """GPT-2's pattern never leaves a space behind a letter."""
    path = tmp_path / "space.model"
    path.write_bytes(b"minbpe v1\n\n0\n97 32\n")
    assert run("audit", path, "--fail-on", "cut").code == 0
    assert run("audit", path, "--boundary", "gpt2", "--fail-on", "cut").code == 1


def test_the_page_names_every_kind() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "audit.md").read_text()
    assert re.findall(r"^\| `([\w-]+)`", page, re.MULTILINE) == list(KINDS)

"""`bpe-tui check`: right and wrong lists, from files of several kinds; words, records, exit codes."""

from pathlib import Path

import pytest

from bpe_tui.cli import COMMANDS

from .cli_run import Run


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "check", "check a merge list against a profile")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """`aaaa`, and `bc` three times: aa and bc count 3 by windows, aa counts 2 by runs of two."""
    path = tmp_path / "c.json"
    path.write_bytes(b'["aaaa", "bc", "bc", "bc"]')
    return path


def written(tmp_path: Path, text: bytes, name: str = "merges.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(text)
    return path


def test_a_right_list(run: Run, corpus: Path, tmp_path: Path) -> None:
    result = run("check", written(tmp_path, b"a a\nb c\naa aa\n"), "--corpus", corpus)
    assert (result.code, result.out) == (0, "right: all 3 merges\n")


def test_a_wrong_list_and_its_mistake(run: Run, corpus: Path, tmp_path: Path) -> None:
    # By runs of two bc (3) comes before aa (2); then aaaa is aa aa, once.
    path = written(tmp_path, b"62 63\n61 61\n6161 6161\n")
    result = run("check", path, "--corpus", corpus)
    assert result.code == 1
    assert result.out.startswith(
        "wrong at rank 0 of 3 merges: both count 3; the tie goes to the smaller ids: a + a, not b + c\n"
        "  right: a + a\n"
        "  yours: b + c\n"
        "likely mistake: ties go to the greater bytes (that gives the whole list)\n"
    )
    (record,) = run("check", path, "--corpus", corpus, "--json").json
    assert (record["right"], record["rank"], record["tie_size"]) == (False, 0, 2)
    assert (record["expected"]["count"], record["found"]["count"], record["found"]["highest"]) == (3, 3, True)
    assert {m["name"] for m in record["mistakes"] if m["whole"]} >= {"counting", "tie:largest-bytes"}


def test_no_known_mistake(run: Run, corpus: Path, tmp_path: Path) -> None:
    result = run("check", written(tmp_path, b"x y\n"), "--corpus", corpus)
    assert (result.code, result.out.splitlines()[-1]) == (1, "no known mistake gives this merge")


def test_a_number_of_merges_may_be_required(run: Run, corpus: Path, tmp_path: Path) -> None:
    path = written(tmp_path, b"[[97, 97]]", "merges.json")
    assert run("check", path, "--corpus", corpus).code == 0
    result = run("check", path, "--corpus", corpus, "--merges", 2)
    assert (result.code, "the list ends before 2 merges; next comes b + c, which counts 3" in result.out) == (1, True)


def test_a_session_is_a_list_too(run: Run, corpus: Path, tmp_path: Path) -> None:
    session = tmp_path / "run.bpes"
    assert run("train", corpus, "--merges", 2, "-o", session).code == 0
    assert run("check", session, "--corpus", corpus).code == 0
    assert run("check", session, "--corpus", corpus, "--tie-break", "largest-bytes").code == 1


def test_words_of_a_profile(run: Run, words: Path, tmp_path: Path) -> None:
    # Sennrich et al. 2016: e s, es t, est </w> all count 9 in low 5, lower 2, newest 6, widest 3.
    right = written(tmp_path, b"e s\nes t\nest </w>\n")
    assert run("check", right, "--corpus", words, "--profile", "sennrich").code == 0
    wrong = written(tmp_path, b"s t\ne st\nest </w>\n")
    result = run("check", wrong, "--corpus", words, "--profile", "sennrich")
    assert (result.code, "both count 9" in result.out) == (1, True)


@pytest.mark.parametrize(
    "text", [b"", b"\x00\x01\x02", b"[[97, 98]", b"a b\nc\n", b"IQ== 0\n!!! 1\n", b'{"a": ' * 2000, b"\xff \xfe\n"]
)
def test_refused_in_one_line(run: Run, corpus: Path, tmp_path: Path, text: bytes) -> None:
    result = run("check", written(tmp_path, text), "--corpus", corpus)
    assert (result.code, result.out) == (1, "")
    assert len(result.err.splitlines()) == 1
    assert result.err.rstrip("\n").isprintable()


def test_a_file_that_is_not_there(run: Run, corpus: Path, tmp_path: Path) -> None:
    result = run("check", tmp_path / "none.txt", "--corpus", corpus)
    assert (result.code, len(result.err.splitlines())) == (1, 1)


def test_hostile_tokens_are_shown(run: Run, tmp_path: Path) -> None:
    corpus = written(tmp_path, b'["\\u001b]0;x\\u0007\\u001b]0;x", "[/x][/x]"]', "c.json")
    result = run("check", written(tmp_path, b"[[27, 93], [256, 48], [10, 13]]", "l.json"), "--corpus", corpus)
    assert result.code == 1
    assert all(char == "\n" or char.isprintable() for char in result.out)

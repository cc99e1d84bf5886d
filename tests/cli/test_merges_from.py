"""`--merges-from`: somebody's merges on the user's corpus, and a list that is grown."""

from pathlib import Path

from .cli_run import Run


def learned(run: Run, *arguments: object) -> list[tuple[object, ...]]:
    done = run("train", *arguments, "--json")
    assert done.code == 0, done.err
    return [(m["pair"], m["token_id"], m["candidate_count"], m["replacements"]) for m in done.json if "rank" in m]


def test_a_list_is_replayed_with_the_counts_of_another_corpus(run: Run, two: Path, tmp_path: Path) -> None:
    """`aaa | aba` teaches a a, a b, aa a, ab a; `abab | aab` has them 1, 2 (ab b is none), 0 and 0 times."""
    kept, other = tmp_path / "kept.bpes", tmp_path / "other.txt"
    run("train", two, "--merges", 9, "-o", kept)
    other.write_bytes(b"ababaab")
    found = learned(run, other, "--merges-from", kept)
    assert found == [
        ([97, 97], 256, 1, 1),  # a b a b aa b
        ([97, 98], 257, 2, 2),  # ab ab aa b
        ([256, 97], 258, 0, 0),
        ([257, 97], 259, 0, 0),
    ]
    done = run("train", other, "--merges-from", kept)
    assert "given: 4 merges of 'kept.bpes'" in done.err
    assert "4 merges, budget of 4 merges used" in done.err


def test_a_list_is_grown_as_one_run_would_have_learned_it(run: Run, abac: Path, tmp_path: Path) -> None:
    kept, grown = tmp_path / "kept.bpes", tmp_path / "grown.bpes"
    run("train", abac, "--merges", 2, "-o", kept)
    whole = learned(run, abac, "--merges", 3)
    assert learned(run, abac, "--merges-from", kept, "--merges", 3) == whole
    assert run("train", abac, "--merges-from", kept, "--merges", 3, "-o", grown).code == 0
    assert run("verify", grown).code == 0
    *merges, last = run("train", abac, "--merges-from", grown, "--json").json
    assert last["summary"]["given_merges"] == len(merges) == 3


def test_what_does_not_fit_is_refused_in_one_line(run: Run, two: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.bpes"
    run("train", two, "--merges", 2, "-o", kept)
    refused = run("train", two, "--merges-from", kept, "--profile", "sennrich", "--merges", 3)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.endswith(
        "bpe-tui: 'kept.bpes' has merges of bytes, the policy says alphabet=characters: leave the profile out, or "
        "choose one of bytes\n"
    )
    missing = run("train", two, "--merges-from", tmp_path / "none.json")
    assert missing.code == 1
    assert len(missing.err.splitlines()) == 1
    assert run("train", two, "--merges-from", two).code == 1

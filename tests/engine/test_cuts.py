"""Which known cut explains a list: lists of an independent trainer over pieces that Python's own functions cut."""

import pytest
import regex
from plainly import TEXT as PLAIN
from plainly import WORDS, plain
from runs import corpus

from engine import cuts, pretokenize
from engine.audit import audit
from engine.check import linked
from engine.cuts import KNOWN_CUTS, explaining_cut
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.trainer import Trainer

TEXT = PLAIN + " it's that's it's that's LongLongNames LongLongNames" * 3
TEXTS = corpus(TEXT.encode())
LINES = TEXT.splitlines(keepends=True)
LISTS = {
    "gpt2": regex.findall(WORDS, TEXT),
    "cl100k": regex.findall(pretokenize.CL100K, TEXT),
    "o200k": regex.findall(pretokenize.O200K, TEXT),
    "whitespace": TEXT.split(),
    "gpt2-by-line": [word for line in LINES for word in regex.findall(WORDS, line)],
    "cl100k-by-line": [word for line in LINES for word in regex.findall(pretokenize.CL100K, line)],
    "o200k-by-line": [word for line in LINES for word in regex.findall(pretokenize.O200K, line)],
    "line": LINES,
    "document": [TEXT],
}


def listed(pieces: list[str], boundary: str, merges: int = 80) -> MergeList:
    """A list of the independent trainer, whose file says that text is cut so."""
    alphabet = Trainer(TEXTS, Policy()).units.alphabet
    pairs = tuple(linked(plain(pieces, merges), alphabet))
    return MergeList("made", "made", Policy(boundary=boundary), alphabet.tokens, pairs, range(256 + len(pairs)))


def test_every_cut_is_tried() -> None:
    assert [cut.boundary for cut in KNOWN_CUTS] == list(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_the_cut_is_found(name: str) -> None:
    merges = listed(LISTS[name], "spaces")
    found = explaining_cut(merges, merges.policy, TEXTS, Limits())
    assert found is not None
    assert found.boundary == name


def test_no_cut_explains_a_list_of_another_text() -> None:
    merges = listed(["ab", "ab", "ba"], "spaces")
    assert explaining_cut(merges, merges.policy, TEXTS, Limits()) is None


@pytest.mark.parametrize(("name", "slow"), [("line", True), ("cl100k", False)])
def test_slow_cuts_are_left_out_where_a_text_is_large(name: str, slow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    size, merges = len(TEXT.encode()), listed(LISTS[name], "spaces")
    for most in (size, size - 1):
        monkeypatch.setattr(cuts, "MOST", most)
        found = explaining_cut(merges, merges.policy, TEXTS, Limits()) is not None
        assert found is not (slow and most < size)


def test_what_is_too_large_is_not_tried() -> None:
    """With 400 base symbols the distinct words fit, the text does not."""
    merges = listed(LISTS["document"], "gpt2")
    assert explaining_cut(merges, merges.policy, TEXTS, Limits(nodes=400)) is None


def test_profiles_that_cut_so() -> None:
    by_line = next(cut for cut in KNOWN_CUTS if cut.boundary == "gpt2-by-line")
    assert by_line.profiles == ("huggingface", "gigabpe")


def test_an_audit_tells_the_cut_and_the_ties_under_it() -> None:
    """`plain` takes the greater bytes."""
    report = audit(listed(LISTS["gpt2-by-line"], "gpt2"), TEXTS)
    assert report.findings["not-maximum"]
    assert report.replay is not None
    explained = report.replay.explained
    assert explained is not None
    assert explained.cut.boundary == "gpt2-by-line"
    assert 0 < explained.tied < 80
    assert next(rule for rule in explained.rules if rule.rule == "largest-bytes").refuted is None
    assert next(rule for rule in explained.rules if rule.rule == "smallest-ids").refuted is not None


def test_an_audit_looks_for_no_other_cut_where_the_own_one_explains_the_list() -> None:
    report = audit(listed(LISTS["gpt2"], "gpt2"), TEXTS)
    assert report.replay is not None
    assert report.replay.explained is None

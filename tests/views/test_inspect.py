"""The inspector's facts, against numbers counted by hand."""

from view_samples import corpus, run_of

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode
from bpe_tui.views.inspect import inspect_view
from bpe_tui.views.request import MergeSubject, PairSubject, PlaceSubject, Subject, TableRequest, TokenSubject
from bpe_tui.views.stats import stats_view
from bpe_tui.views.tables import merges_view, pairs_view
from engine.given import Given
from engine.policy import Policy
from engine.trainer import Trainer

FRAMED = Policy(id_layout="framed")


def facts(run: Run, subject: Subject | None, mode: Mode = Mode.TEXT) -> str:
    """All facts on one line of any length."""
    return " · ".join(line.plain for line in inspect_view(run, subject, 10_000, mode))


def test_the_winner_of_aaa_and_aba() -> None:
    run = run_of(b"aaa", b"aba")
    said = facts(run, PairSubject((97, 97)))
    # a a | a a | a b | b a: four windows, two of them a a
    assert "a + a = 97, 97 · count 2 of 4 adjacent windows, 50.0%" in said
    assert "next: highest count alone" in said
    assert "would become aa · 2 bytes 61 61 · text" in said
    assert "first at symbol 0 of d0" in said
    assert facts(run, None) == said


def test_a_pair_that_is_not_next_says_how_far_behind_it_is() -> None:
    said = facts(run_of(b"aaa", b"aba"), PairSubject((97, 98)))
    assert "count 1 of 4 adjacent windows, 25.0%" in said
    assert "not next: a + a has 2, 1 more" in said
    assert "first at symbol 0 of d1" in said


def test_a_tie_names_the_rule_and_the_others() -> None:
    run = run_of(b"aaa", b"aba", merges=1)
    said = facts(run, PairSubject((97, 98)))
    assert "next: highest count, tied with 2 more; smallest-ids" in said
    assert "the smaller left id" in said
    assert "not next: tied with a + b; smallest-ids" in facts(run, PairSubject((98, 97)))


def test_a_tie_of_two_has_one_more() -> None:
    run = run_of(b"ab", b"cd")
    assert "tied with 1 more; " in facts(run, PairSubject((97, 98)))


def test_a_given_merge_says_whose_it_is_and_what_this_corpus_says() -> None:
    # ababac: a b twice, b a twice, a c once; then abab and ac are what is left of ties
    given = Given(pairs=((97, 99), (98, 97), (97, 257), (120, 121)), name="li\x1bst.json")
    run = Run.of(Trainer(corpus(b"ababac", b"bax"), Policy(), given=given))
    run.trainer.seek(4)
    said = [facts(run, MergeSubject(rank)) for rank in range(4)]
    assert "given by li␛st.json; here b + a has 3, 2 more" in said[0]
    assert "given by li␛st.json; one of 2 with the highest count here, another is a + b" in said[1]
    assert "count 0 · replaced 0" in said[3]
    assert (
        stats_view(run.trainer, 200)[5].plain == "4 merges given by li␛st.json; 1 of 4 merges so far replaced nothing"
    )
    rows = merges_view(run.trainer, TableRequest(count=9), Mode.TEXT).rows
    assert [row.style for row in rows] == ["normal", "normal", "normal", "new"]
    run.trainer.back()
    assert merges_view(run.trainer, TableRequest(count=9), Mode.TEXT).rows[3].style == "warning"


def test_before_a_given_merge_the_list_says_what_is_next_and_not_the_counts() -> None:
    given = Given(pairs=((120, 121), (97, 98), (98, 97)), name="list.json")
    run = Run.of(Trainer(corpus(b"ababac"), Policy(), given=given))
    assert "count 0 of 5 adjacent windows" in facts(run, PairSubject((120, 121)))
    assert "next: given by list.json; here a + b has 2, 2 more" in facts(run, PairSubject((120, 121)))
    assert "not next: x + y is, given by list.json" in facts(run, PairSubject((97, 98)))
    rows = pairs_view(run.trainer, TableRequest(count=9), Mode.TEXT).rows
    assert [(row.cells[2].plain, row.cells[3].plain, row.cells[5].width) for row in rows] == [
        ("2", "", 8), ("2", "", 8), ("1", "", 4),
    ]  # fmt: skip
    run.trainer.seek(1)
    assert "next: given by list.json; no pair counts more here" in facts(run, PairSubject((97, 98)))


def test_merges_of_aaa_and_aba() -> None:
    run = run_of(b"aaa", b"aba", merges=2)
    first, second = facts(run, MergeSubject(0)), facts(run, MergeSubject(1))
    assert first.startswith("rank 0: a + a → aa = 256 · applied")
    assert "count 2 · replaced 1 (windows overlap, matches do not)" in first
    assert "won by its count, 1 ahead of a + b" in first
    assert second.startswith("rank 1: a + b → ab = 257 · applied")
    assert "count 1 · replaced 1" in second
    assert "overlap" not in second
    # the three pairs with count 1 are (97, 98), (98, 97) and (256, 97)
    assert "won a tie of 3 by smallest-ids" in second
    run.trainer.back()
    assert "257 · known future" in facts(run, MergeSubject(1))


def test_the_last_merge_stood_alone() -> None:
    run = run_of(b"ab", merges=1)
    assert "it was the only pair left" in facts(run, MergeSubject(0))
    assert facts(run, None) == "no merge comes next: "
    assert run.trainer.step() is None
    assert facts(run, None) == "no merge comes next: no pair left"


def test_framed_ids_of_abab_and_abac() -> None:
    run = run_of(b"abab", b"abac", merges=3, policy=FRAMED)
    run.trainer.seek(0)
    assert "a + b = 99, 100 · count 3 of 6 adjacent windows, 50.0%" in facts(run, None)
    assert facts(run, MergeSubject(0)).startswith("rank 0: a + b → ab = 258 · known future")
    run.trainer.seek(1)
    # ab ab | ab a c: (258, 258), (258, 99) and (99, 101), once each
    said = facts(run, MergeSubject(1))
    assert said.startswith("rank 1: a + c → ac = 259")
    assert "count 1 · replaced 1" in said
    assert "won a tie of 3 by" in said
    run.trainer.seek(3)
    assert facts(run, MergeSubject(2)).startswith("rank 2: ab + ab → abab = 260")


def test_a_token_tells_its_origin_its_life_and_its_children() -> None:
    run = run_of(b"abab", b"abac", merges=3, policy=FRAMED)
    said = facts(run, TokenSubject(256))
    assert said.startswith("258 ab = a + b (99, 100) · rank 0")
    assert "2 bytes 61 62 · text" in said
    # one ab is left, in abac; three were made, two of which became abab
    assert "now 1 time in the training text, 3 when it was made" in said
    assert "in 1 merge: abab" in said
    assert "made of (a + b)" in said
    assert "made of ((a + b) + (a + b))" in facts(run, TokenSubject(258))
    base = facts(run, TokenSubject(97))
    assert base.startswith("99 a · base token")
    assert "in 2 merges: ab ac" in base


def test_a_token_of_the_known_future_is_not_made_yet() -> None:
    run = run_of(b"abab", merges=2)
    run.trainer.seek(0)
    assert "not made yet at this rank" in facts(run, TokenSubject(257))


def test_fragments_of_a_character_are_named_so() -> None:
    run = run_of("日".encode(), merges=1, policy=Policy(tie_break="first-seen"))
    assert "‹E6›‹97› = ‹E6› + ‹97› (230, 151)" in facts(run, TokenSubject(256))
    assert "2 bytes E6 97 · head" in facts(run, TokenSubject(256))


def test_a_place_says_where_it_is_and_why_it_goes_no_further() -> None:
    run = run_of(b"abac", b"abab", merges=1)
    said = facts(run, PlaceSubject(0, 1))
    assert said.startswith("256 ab")
    assert "bytes 0 to 2 of d0" in said
    assert "with the next token: ab + a, count 1" in said
    assert "it ends the document" in facts(run, PlaceSubject(0, 3))


def test_a_boundary_is_named_where_it_keeps_two_tokens_apart() -> None:
    run = run_of(b"ab ab", policy=Policy(boundary="spaces"))
    assert "a boundary follows (spaces)" in facts(run, PlaceSubject(0, 1))
    dropped = run_of(b"ab, ab", policy=Policy(boundary="pattern:[a-z]+", unmatched="dropped"))
    assert "not part of any unit" in facts(dropped, PlaceSubject(0, 2))
    assert "nothing here" in facts(run_of(b""), PlaceSubject(0, 0))


def test_a_pair_that_the_policy_keeps_apart_says_so() -> None:
    run = run_of(b"abcabcxx", merges=1, policy=Policy(max_token_length=2))
    assert "never merged: too long, too rare or no piece by the policy" in facts(run, PairSubject((256, 99)))
    policy = Policy(alphabet="characters", base_order="code-point", piece_filter="sentencepiece")
    run = run_of(b"a.a.bb", merges=0, policy=policy)
    assert "never merged: too long, too rare or no piece by the policy" in facts(run, PairSubject((1, 0)))


def test_lines_have_the_width_asked_for() -> None:
    run = run_of(b"aaa", b"aba", merges=2)
    for width in (1, 7, 20, 79):
        for subject in (None, MergeSubject(1), TokenSubject(256), PlaceSubject(1, 0)):
            assert all(line.width <= width for line in inspect_view(run, subject, width, Mode.TEXT))
    assert inspect_view(run, None, 0, Mode.TEXT) == ()

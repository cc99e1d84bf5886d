"""The held-out pane and the numbers of the run."""

from view_samples import run_of

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode
from bpe_tui.views.held_out import MOST_BYTES, held_out_view
from bpe_tui.views.request import HeldOutRequest
from bpe_tui.views.stats import BLOCKS, sparkline, stats_view
from engine.policy import Policy


def shown(run: Run, request: HeldOutRequest, mode: Mode = Mode.TEXT) -> list[str]:
    return [line.plain for line in held_out_view(run.trainer, request, mode).lines]


def test_acac_with_framed_ids() -> None:
    run = run_of(b"abab", b"abac", merges=2, policy=Policy(id_layout="framed"), held_out=[b"acac"])
    view = held_out_view(run.trainer, HeldOutRequest(width=60), Mode.TEXT)
    assert view.ids == (259, 259)
    lines = [line.plain.rstrip() for line in view.lines]
    assert lines[0] == "ac│ac│"
    assert "0.50 tokens per byte (2 / 4)" in " ".join(lines)
    assert "2.00 bytes per token (4 / 2)" in " ".join(lines)
    assert lines[-2:] == ["ids 259 259", "framed 0 259 259 1"]
    assert (view.title.plain, view.count) == ("h0 · validation · 1 of 1", 1)


def test_the_encoding_is_that_of_the_merges_applied_now() -> None:
    run = run_of(b"abab", b"abac", merges=2, policy=Policy(id_layout="framed"), held_out=[b"acac"])
    ids = []
    for rank in (0, 1, 2):
        run.trainer.seek(rank)
        ids.append(held_out_view(run.trainer, HeldOutRequest(width=60), Mode.TEXT).ids)
    assert ids == [(99, 101, 99, 101), (99, 101, 99, 101), (259, 259)]


def test_raw_ids_have_no_frame() -> None:
    run = run_of(b"aa", held_out=[b"aa"])
    assert not any(line.startswith("framed") for line in shown(run, HeldOutRequest(width=60)))


def test_an_empty_text_has_no_ratio() -> None:
    run = run_of(b"ab", held_out=[b""])
    for request in (HeldOutRequest(width=80), HeldOutRequest(text=b"", width=80)):
        said = " ".join(shown(run, request))
        assert "no tokens per byte: 0 / 0" in said
        assert "no bytes per token: 0 / 0" in said


def test_documents_are_taken_in_turn_and_the_users_text_goes_first() -> None:
    run = run_of(b"ab", held_out=[b"x", b"yy"])
    trainer = run.trainer
    assert [held_out_view(trainer, HeldOutRequest(d), Mode.TEXT).ids for d in (0, 1, 2)] == [
        (120,), (121, 121), (120,),
    ]  # fmt: skip
    own = held_out_view(trainer, HeldOutRequest(1, b"z"), Mode.TEXT)
    assert (own.title.plain, own.ids, own.count) == ("your text", (122,), 2)


def test_without_a_held_out_document_a_hint_says_how_to_get_one() -> None:
    view = held_out_view(run_of(b"ab").trainer, HeldOutRequest(width=200), Mode.TEXT)
    assert (view.title.plain, view.ids, view.count) == ("none", (), 0)
    assert "--holdout" in view.lines[0].plain


def test_a_long_text_is_cut_and_says_so() -> None:
    """Whatever the boundary, letters that training never saw are a token each."""
    run = run_of(b"ab", held_out=[b"x" * (MOST_BYTES + 1)])
    view = held_out_view(run.trainer, HeldOutRequest(width=80), Mode.TEXT)
    assert len(view.ids) == MOST_BYTES
    assert [line.plain for line in view.lines[-2:]] == [
        f"drawn are the first 4,096 of {MOST_BYTES:,} tokens; y copies all ids",
        f"encoded are the first {MOST_BYTES:,} of {MOST_BYTES + 1:,} bytes",
    ]
    assert sum(line.plain.count("x") for line in view.lines) == 4_096
    assert any("1.00 bytes per token" in line.plain for line in view.lines)


def test_a_character_that_training_never_saw_is_refused_in_words() -> None:
    policy = Policy(alphabet="characters", base_order="code-point")
    view = held_out_view(run_of(b"ab", held_out=[b"ax"], policy=policy).trainer, HeldOutRequest(width=80), Mode.TEXT)
    assert view.ids == ()
    assert "x" in " ".join(line.plain for line in view.lines)


def test_a_wide_character_in_a_pane_of_one_cell_is_cut() -> None:
    run = run_of("日".encode(), merges=2, held_out=["日".encode()])
    assert shown(run, HeldOutRequest(width=1))[:2] == ["›", "│"]


def test_held_out_text_changes_no_count() -> None:
    without, with_it = run_of(b"aaa", b"aba"), run_of(b"aaa", b"aba", held_out=[b"ababab"])
    assert with_it.trainer.kernel.top(9) == without.trainer.kernel.top(9)


# Stats


def test_the_numbers_of_a_run() -> None:
    run = run_of(b"aaa", b"aba", merges=1)
    said = " ".join(line.plain for line in stats_view(run.trainer, 200))
    # six bytes, five tokens: aa a | a b a; three windows, all of them different pairs
    assert "1.20 bytes per token (6 / 5)" in said
    assert "vocabulary 257 = 256 base + 1 merges" in said
    assert "3 live pairs over 3 adjacent windows" in said
    assert str(run.trainer.policy) in said
    framed = run_of(b"ab", policy=Policy(id_layout="framed"))
    assert "vocabulary 258 = 256 base + 0 merges + 2 controls and specials" in " ".join(
        line.plain for line in stats_view(framed.trainer, 200)
    )


def test_the_line_of_blocks_rises_with_every_merge_and_has_one_block_a_rank() -> None:
    run = run_of(b"abcdefgh", merges=7)
    # bytes per token: 8/8, 8/7, … 8/1; the block of rank r is that of (8/(8-r) - 1) of 7
    expected = "".join(BLOCKS[round((8 / (8 - r) - 1) / 7 * 7)] for r in range(8))
    assert sparkline(run.trainer, 80) == expected
    assert len(sparkline(run.trainer, 5)) == 5
    run.trainer.seek(0)
    assert sparkline(run.trainer, 80) == BLOCKS[0]
    assert sparkline(run_of(b"").trainer, 80) == BLOCKS[0]

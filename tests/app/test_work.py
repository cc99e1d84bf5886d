"""Saving, resuming, recovering, exporting, copying, opening, leaving: nothing is lost on any way out."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bpe_tui.app.screens.choose import Choose
from bpe_tui.faults import fault_words
from bpe_tui.run import Run
from bpe_tui.text.cells import Mode
from bpe_tui.views.request import HeldOutRequest, PaneName, PlaceSubject, TokenSubject
from engine.artifact import load as load_artifact
from engine.corpus.open import CorpusOptions, open_corpus
from engine.files import identities
from engine.formats.registry import read_any
from engine.policy import Policy
from engine.profiles import profile
from engine.trainer import Trainer
from sessions.atomic import Stamp
from sessions.restore import capture, restore
from sessions.snapshot import EMBEDDED_BYTES, Session
from sessions.store import load, save

from .exploring import Driver, corpus_file, exploring, request_of


async def save_as(driver: Driver, path: Path) -> None:
    await driver.press("W")
    await driver.type(str(path))
    assert driver.news.startswith("saved to ")


# Sessions


async def test_a_saved_session_is_the_run_and_opens_where_it_stood(corpus: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.bpes"
    async with exploring(corpus, policy=Policy(id_layout="framed")) as driver:
        desk = driver.explorer.desk
        await driver.do("step.next", "step.next", "step.next", "step.bookmark", "step.previous")
        await driver.press("e")
        await driver.type("aab")
        await driver.press("d", "x", "4", "down", "enter", "1", "d", "w")
        assert desk.dirty
        await save_as(driver, saved)
        assert not desk.dirty
        before = desk.view
        kept = (desk.stream.document, desk.cursor, desk.subject, desk.pinned, desk.mode, desk.held_out)
        assert kept == (0, (0, 0), TokenSubject(256), True, Mode.ESCAPE, HeldOutRequest(0, None))
    trainer = restore(load(saved))
    assert (trainer.rank, trainer.learned, str(trainer.policy)) == (2, 3, str(Policy(id_layout="framed")))
    async with exploring(saved) as driver:
        desk = driver.explorer.desk
        assert (driver.rank, desk.view.learned, desk.bookmarks, desk.texts) == (2, 3, {3}, [b"aab"])
        now = (desk.stream.document, desk.cursor, desk.subject, desk.pinned, desk.mode, desk.held_out)
        assert now == kept
        assert not desk.dirty
        assert desk.view.stream.lines == before.stream.lines
        assert desk.view.pairs.rows == before.pairs.rows
        await driver.press("W")  # under its own name, without a question
        assert driver.news == f"saved to {saved}"


async def test_a_bookmark_on_the_way_is_at_a_rank_that_is_known(long_corpus: Path, tmp_path: Path) -> None:
    async with exploring(long_corpus) as driver:
        driver.explorer.travel.to(100_000)
        driver.explorer.travel.mark()
        driver.explorer.peel()
        await driver.settled()
        await save_as(driver, tmp_path / "run.bpes")
    assert load(tmp_path / "run.bpes").bookmarks == (0,)


async def test_a_save_that_fails_says_why_and_keeps_asking(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "W")
        await driver.type("no/such/folder.bpes")
        assert "no/such/folder.bpes" in driver.news
        assert driver.explorer.desk.dirty
        await driver.press("W")
        await driver.type("")
        assert driver.explorer.desk.dirty


async def test_a_name_without_an_ending_gets_the_sessions(corpus: Path, tmp_path: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right")
        await save_as(driver, tmp_path / "run")
        assert load(tmp_path / "run.bpes").rank == 1


async def test_saving_on_the_way_leaves_the_rest_of_the_way_unsaved(long_corpus: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.bpes"
    async with exploring(long_corpus) as driver:
        driver.explorer.travel.to(300)
        driver.explorer.work.save_as(str(saved))
        await driver.settled()
        rank = load(saved).rank
        assert driver.rank == 300
        assert driver.explorer.desk.dirty == (rank != 300)


async def test_what_changes_while_a_save_runs_stays_unsaved(corpus: Path, tmp_path: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right")
        driver.explorer.work.save_as(str(tmp_path / "run.bpes"))
        driver.explorer.travel.mark()
        await driver.settled()
        assert load(tmp_path / "run.bpes").bookmarks == ()
        assert driver.explorer.desk.dirty


# Leaving


async def test_without_unsaved_work_q_leaves_at_once(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("q")
        assert driver.app.return_value == 0


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_with_unsaved_work_leaving_asks_once(corpus: Path, key: str, state: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", key)
        assert isinstance(driver.app.screen, Choose)
        assert len(snapshots(state)) == 1  # kept before the question
        await driver.press("escape")
        assert driver.app.return_value is None
        await driver.press(key, key)
        assert len(driver.app.screen_stack) in (2, 3)  # q leaves the dialog, ctrl+q asks again: never two dialogs
        assert driver.app.return_value is None


async def test_ctrl_q_leaves_from_any_dialog(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("question_mark", "slash", "ctrl+q")
        assert driver.app.return_value == 0


async def test_leaving_that_was_broken_off_does_not_come_back_with_the_next_save(corpus: Path, tmp_path: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "q", "enter", "escape")  # Save, then no name
        await save_as(driver, tmp_path / "run.bpes")
        assert driver.app.return_value is None
        await driver.press("right", "q", "enter")
        assert driver.app.return_value == 0
    assert load(tmp_path / "run.bpes").rank == 2


async def test_stay_discard_and_save(corpus: Path, tmp_path: Path, state: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "q", "down", "down", "enter")  # Stay
        assert driver.app.return_value is None
        await driver.press("q", "d")
        assert driver.app.return_value == 0
        assert snapshots(state) == []
    saved = tmp_path / "kept.bpes"
    async with exploring(corpus) as driver:
        await driver.press("right", "right", "q", "enter")
        await driver.type(str(saved))
        assert driver.app.return_value == 0
    assert (load(saved).rank, snapshots(state)) == (2, [])


async def test_ctrl_c_twice_leaves_and_once_does_not(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.pilot.press("ctrl+c")
        assert driver.app.return_value is None
        await driver.press("ctrl+c")
        assert driver.app.return_value == 0


async def test_ctrl_c_twice_with_unsaved_work_asks_and_keeps_a_snapshot(corpus: Path, state: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "ctrl+c", "ctrl+c")
        assert isinstance(driver.app.screen, Choose)
        assert len(snapshots(state)) == 1


async def test_esc_never_leaves(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press(*["escape"] * 5)
        assert driver.app.return_value is None


# What a save may not do


def content(path: Path) -> bytes:
    return path.read_bytes()


async def test_a_save_never_replaces_what_the_run_reads(corpus: Path) -> None:
    receipt = corpus_file(corpus.parent, "stands for a receipt", name="receipt.json")
    read = {path: content(path) for path in (corpus, receipt)}
    async with exploring(replace(request_of(corpus), read=identities(receipt))) as driver:
        await driver.press("right")
        for path in read:
            for keys in ("W", "E c"):
                await driver.press(*keys.split())
                await driver.type(str(path))
                assert driver.news.endswith("is what is read here: write to another file")
    assert {path: content(path) for path in read} == read


async def test_a_save_asks_before_it_replaces_a_strangers_file(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "thesis.bpes"
    path.write_bytes(b"years of work")
    async with exploring(corpus) as driver:
        await driver.press("right", "W")
        await driver.type(str(path))
        assert "thesis.bpes is there already" in driver.screen_text()
        await driver.press("c")
        assert path.read_bytes() == b"years of work"
        assert driver.explorer.desk.dirty
        await driver.press("W")
        await driver.type(str(path))
        await driver.press("s")  # under another name
        await driver.type(str(tmp_path / "other.bpes"))
        assert driver.news == f"saved to {tmp_path / 'other.bpes'}"
        await driver.press("left", "W")
        assert driver.news == f"saved to {tmp_path / 'other.bpes'}", "its own file, without a question"
    assert path.read_bytes() == b"years of work"
    assert load(tmp_path / "other.bpes").rank == 0


async def test_a_session_that_somebody_else_changed_is_asked_about(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.bpes"
    async with exploring(corpus) as driver:
        await driver.press("right")
        await save_as(driver, path)
        theirs = replace(load(path), bookmarks=(1,))
        save(path, theirs)
        await driver.press("right", "W")
        assert "run.bpes was changed by another program" in driver.screen_text()
        await driver.press("c")
        assert load(path) == theirs
        await driver.press("W", "o")
        assert driver.news == f"saved to {path}"
    assert load(path).rank == 2


async def test_a_file_that_changes_while_it_is_saved_is_left(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.bpes"

    def somebody_else_is_quicker(to: str, session: Session, seen: Stamp | None) -> Stamp:
        path.write_bytes(b"theirs")
        return save(to, session, seen)

    monkeypatch.setattr("bpe_tui.app.control.work.save", somebody_else_is_quicker)
    async with exploring(corpus) as driver:
        await driver.press("right", "W")
        await driver.type(str(path))
        assert "was changed by another program meanwhile: nothing was written" in driver.news
        assert driver.explorer.desk.dirty
    assert path.read_bytes() == b"theirs"


async def test_the_second_explorer_of_a_session_is_told(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.bpes"
    async with exploring(corpus) as first:
        await first.press("right")
        await save_as(first, path)
        async with exploring(path) as second:
            assert "run.bpes' is open in another bpe-tui: whoever saves later is asked first" in second.news
            await second.press("m", "W")
            assert second.news == f"saved to {path}", "the first to save is not asked"
            await first.press("right", "W")
            assert "run.bpes was changed by another program" in first.screen_text()
            await first.press("c")
    assert load(path).bookmarks == (1,)
    async with exploring(path) as alone:
        assert alone.news == ""


async def test_a_read_only_session_is_not_replaced(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.bpes"
    async with exploring(corpus) as driver:
        await save_as(driver, path)
        before = path.read_bytes()
        path.chmod(0o444)
        await driver.press("right", "W")
        assert "run.bpes': it is read-only; choose another place or name" in driver.news
    assert path.read_bytes() == before


async def test_a_corpus_inside_a_session_stays_inside(tmp_path: Path, state: Path) -> None:
    corpus = corpus_file(tmp_path, "abc " * 400_000)
    assert corpus.stat().st_size > EMBEDDED_BYTES
    held = tmp_path / "held.bpes"
    trainer = Trainer(open_corpus(corpus), Policy(budget=200))
    trainer.seek(3)
    save(held, capture(trainer, str(corpus), CorpusOptions(), embed=True))
    corpus.unlink()
    async with exploring(held) as driver:
        await driver.press("m", "W")
        assert driver.news == f"saved to {held}"
        await driver.press("m")
        driver.explorer.work.keep_recovery(driver.explorer.say_why)
        await driver.settled()
    for path in (held, *snapshots(state)):
        assert restore(load(path)).rank == 3, path


# Recovery


def snapshots(state: Path) -> list[Path]:
    return [*state.glob("*")]


async def test_a_run_that_ended_unsaved_is_offered_and_gone_on_with(corpus: Path, tmp_path: Path, state: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next", "step.next", "step.bookmark")
        driver.explorer.work.keep_recovery(driver.explorer.say_why)
        await driver.settled()
    left = another_process(state)
    async with exploring(corpus) as driver:
        assert driver.news == "an earlier run was not saved: c goes on at rank 2"
        assert driver.rank == 0
        await driver.press("c")
        assert (driver.rank, driver.explorer.desk.bookmarks, driver.explorer.desk.dirty) == (2, {2}, True)
        assert driver.explorer.session_path is None
        await driver.press("W")
        await driver.type(str(tmp_path / "run.bpes"))
        assert not left.exists()
    async with exploring(corpus) as driver:
        assert driver.news == ""
        await driver.press("c")
        assert driver.news == "no earlier run of this corpus ended unsaved"


async def test_a_snapshot_is_gone_on_with_from_another_folder(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    corpus_file(tmp_path / "a", "abc " * 400_000)
    monkeypatch.chdir(tmp_path / "a")
    async with exploring(Path("corpus.json")) as driver:
        await driver.do("step.next", "step.next")
        driver.explorer.work.keep_recovery(driver.explorer.say_why)
        await driver.settled()
    another_process(state)
    monkeypatch.chdir(tmp_path / "b")
    async with exploring(Path("../a/corpus.json")) as driver:
        await driver.press("c")
        assert (driver.rank, driver.explorer.desk.dirty) == (2, True)


async def test_after_a_recovery_a_refused_opening_leads_back_to_what_was_saved(
    corpus: Path, tmp_path: Path, state: Path
) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next", "step.next")
        driver.explorer.work.keep_recovery(driver.explorer.say_why)
        await driver.settled()
    another_process(state)
    bad = corpus_file(tmp_path, name="bad.json")
    async with exploring(corpus) as driver:
        await driver.press("c", "W")
        await driver.type(str(tmp_path / "run.bpes"))
        await driver.press("o")
        await driver.type(str(bad))
        assert "bad.json" in driver.news
        assert (driver.rank, driver.explorer.session_path) == (2, str(tmp_path / "run.bpes"))


@pytest.mark.parametrize("name", ["sub/", "sub", "."])
async def test_a_folder_is_no_name_to_save_under(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    async with exploring(corpus) as driver:
        await driver.press("right", "W")
        await driver.type(name)
        assert driver.news == f"'{name}' is a folder: give a file's name in it"
    assert [*(tmp_path / "sub").iterdir()] == []


async def test_a_session_is_saved_back_under_its_first_name(corpus: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.bpes", tmp_path / "second.bpes"
    async with exploring(corpus) as driver:
        await driver.press("right")
        await save_as(driver, first)
    async with exploring(first) as driver:
        for path in (second, first):
            await driver.press("right")
            await driver.do("session.save-as")
            await driver.type(str(path))
            assert driver.news == f"saved to {path}"
        for form in (first, second):
            await driver.press("E", "c")
            await driver.type(str(form))
            assert driver.news.endswith("is what is read here: write to another file"), "an export is no session"
    assert (load(second).rank, load(first).rank) == (2, 3)


async def test_a_snapshot_of_another_policy_is_not_offered(corpus: Path, state: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        driver.explorer.work.keep_recovery(driver.explorer.say_why)
        await driver.settled()
    another_process(state)
    async with exploring(corpus, policy=Policy(counting="non-overlapping")) as driver:
        assert driver.news == ""


async def test_a_snapshot_is_kept_every_hundred_merges(long_corpus: Path, state: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.do("step.next")
        assert snapshots(state) == []
        await driver.do("step.next-hundred")
        (snapshot,) = snapshots(state)
        assert load(snapshot).rank == 101


@pytest.fixture
def no_folder(state: Path) -> None:
    """A file stands where the snapshots' folder should be."""
    state.write_text("")


@pytest.mark.usefixtures("no_folder")
async def test_a_snapshot_that_cannot_be_kept_is_said_and_no_harm(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.do("step.next-hundred")
        assert driver.news.startswith("cannot keep a recovery snapshot")
        assert driver.rank == 100


async def test_a_snapshot_is_kept_on_the_way_of_long_learning(
    long_corpus: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks: list[tuple[int, int]] = []
    async with exploring(long_corpus) as driver:
        explorer = driver.explorer
        write = explorer.opened.recovery.write

        def written(session: Session) -> None:
            ranks.append((session.rank, explorer.desk.wished))
            write(session)

        monkeypatch.setattr(explorer.opened.recovery, "write", written)
        monkeypatch.setattr("bpe_tui.worker.VIEW_S", 0)
        monkeypatch.setattr("bpe_tui.worker.VIEW_SHARE", 0)
        seek = Trainer.seek

        def fifty_merges_a_view(trainer: Trainer, rank: int, budget_s: float | None = None) -> int:
            return trainer.rank if explorer.worker._unseen else seek(trainer, min(rank, trainer.rank + 50))

        monkeypatch.setattr(Trainer, "seek", fifty_merges_a_view)
        explorer.travel.to(300)
        await driver.settled()
    assert 100 <= ranks[0][0] < 300
    assert ranks[0][1] == 300


async def test_a_crash_of_the_worker_keeps_the_work_first(corpus: Path, state: Path) -> None:
    def crashes(run: Run) -> None:
        raise ZeroDivisionError("a fault of ours")

    async def explore() -> None:
        async with exploring(corpus) as driver:
            await driver.do("step.next", "step.next")
            driver.explorer.worker.do("crash", crashes)
            await driver.settled()

    with pytest.raises(ZeroDivisionError):
        await explore()
    (snapshot,) = snapshots(state)
    assert load(snapshot).rank == 2


async def test_a_crash_of_the_screen_keeps_the_work_first(corpus: Path, state: Path) -> None:
    def crashes() -> None:
        raise ZeroDivisionError("a fault of ours")

    async def explore() -> None:
        async with exploring(corpus) as driver:
            await driver.do("step.next", "step.next")
            driver.explorer.call_later(crashes)
            await driver.pilot.pause()

    with pytest.raises(ZeroDivisionError):
        await explore()
    (snapshot,) = snapshots(state)
    assert load(snapshot).rank == 2


@pytest.mark.parametrize("fault", [MemoryError, RecursionError])
async def test_faults_that_input_causes_are_one_line_and_the_run_goes_on(corpus: Path, fault: type[Exception]) -> None:
    def fails(run: Run) -> None:
        raise fault

    async with exploring(corpus) as driver:
        await driver.press("right")
        driver.explorer.ask_worker("job", fails, lambda result: None)
        await driver.settled()
        assert driver.news == fault_words(fault())
        await driver.press("right")
        assert driver.rank == 2


def another_process(state: Path) -> Path:
    """Make the one snapshot look as if another program had left it behind."""
    (snapshot,) = state.iterdir()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    moved = snapshot.with_name(snapshot.name.replace(f"-{os.getpid()}-", f"-{ended.pid}-"))
    snapshot.rename(moved)
    return moved


# Exports


async def test_every_export_is_written_and_holds_the_merges(corpus: Path, tmp_path: Path) -> None:
    request = replace(request_of(corpus), policy=profile("incremental").policy)
    async with exploring(request) as driver:
        await driver.do("step.next", "step.next", "step.next", "step.previous")
        for keys, name in [("a", "x.json"), ("down enter", "x.trace"), ("j", "x.jsonl"), ("c", "x.csv")]:
            await driver.press("E", *keys.split())
            await driver.type(str(tmp_path / name))
            assert driver.news.startswith("exported 2 merges, "), driver.news
            assert driver.news.endswith(name)
    artifact = load_artifact((tmp_path / "x.json").read_bytes())
    assert len(artifact.rules) == 2
    assert (tmp_path / "x.trace").read_text().startswith("TRACE bpe-merges-v1 BEGIN\nSTAGE index=0\n")
    records = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [r["pair"] for r in records if "rank" in r] == [[99, 99], [99, 100]]
    rows = list(csv.DictReader((tmp_path / "x.csv").open()))
    assert [(r["left"], r["right"], r["candidate_count"], r["replacements"]) for r in rows] == [
        ("99", "99", "2", "1"), ("99", "100", "1", "1"),
    ]  # fmt: skip


async def test_an_export_asks_before_it_replaces(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "merges.csv"
    path.write_text("old")
    async with exploring(corpus) as driver:
        await driver.press("right", "E", "c")
        await driver.type(str(path))
        assert isinstance(driver.app.screen, Choose)
        await driver.press("escape")
        assert path.read_text() == "old"
        await driver.press("E", "c")
        await driver.type(str(path))
        await driver.press("o")
        assert path.read_text().startswith("rank,")
        before = path.read_text()
        await driver.press("right", "E", "c")
        await driver.type(str(path))
        assert "merges.csv is there already" in driver.screen_text(), "its own earlier export too"
        await driver.press("c")
        assert path.read_text() == before


async def test_a_format_that_cannot_hold_the_policy_is_refused(corpus: Path, tmp_path: Path) -> None:
    async with exploring(corpus, policy=Policy(boundary="spaces")) as driver:
        await driver.press("right", "E", "a")
        await driver.type(str(tmp_path / "x.json"))
        assert "boundary" in driver.news
        assert not (tmp_path / "x.json").exists()


async def test_the_dialog_says_what_each_format_makes_of_this_run(corpus: Path, tmp_path: Path) -> None:
    request = replace(request_of(corpus), policy=profile("incremental").policy)
    async with exploring(request) as driver:
        await driver.do("step.next")
        await driver.press("E")
        assert "holds all that it is for" in driver.screen_text()
        await driver.press("end")
        assert "subword-nmt cannot hold this run" in driver.screen_text()
        assert "subword-nmt joins characters of words that end in </w>" in driver.screen_text()
        await driver.press("up")
        assert "minbpe      cannot hold this run" in driver.screen_text()
        await driver.press("up")
        assert "- the boundary document: give pat_str=" in driver.screen_text()
        await driver.press("enter")
        await driver.type(str(tmp_path / "x.tiktoken"))
        assert driver.news.startswith("exported 1 merges, "), driver.news
    assert read_any(tmp_path / "x.tiktoken").ids[-1] == 258


async def test_two_files_are_written_and_neither_is_replaced_unasked(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run-merges.txt").write_text("old")
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        for answer in ("escape", "o"):
            await driver.press("E", "g")
            await driver.type("run")
            assert isinstance(driver.app.screen, Choose)
            assert "run-merges.txt is there already" in driver.screen_text()
            await driver.press(answer)
            assert (tmp_path / "run-vocab.json").exists() == (answer == "o")
    assert len(read_any(tmp_path / "run-vocab.json").pairs) == 1


# Copying


async def test_copying_what_is_under_the_cursor(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "2", "y")
        assert driver.app.clipboard == "ab"
        await driver.press("4", "y")
        assert driver.app.clipboard == "aa"
        for letter, copied in [("h", "61 61"), ("p", "b'aa'"), ("t", None), ("a", "256\taa\t6161\t1")]:
            await driver.press("Y", letter)
            if isinstance(driver.app.screen, Choose):
                await driver.press("escape")
            elif copied is not None:
                assert driver.app.clipboard == copied
        await driver.press("1", "y")
        assert driver.news == "nothing under the cursor to copy"
        await driver.press("6", "y")
        assert driver.app.clipboard == "97 99 97 99"


# Opening


async def test_another_corpus_opens_in_place(corpus: Path, tmp_path: Path) -> None:
    other = corpus_file(tmp_path, "xyxy", name="other.json")
    async with exploring(corpus) as driver:
        old = driver.explorer
        await driver.press("o")
        await driver.type(str(other))
        assert driver.explorer is not old
        assert driver.explorer.opened.corpus.name == "other.json"
        await driver.press("right")
        assert driver.explorer.desk.view.merges.rows[0].cells[1].plain.startswith("x + y")
        assert not old.worker._thread.is_alive() or old.worker._stopped


async def test_opening_asks_about_unsaved_work_first(corpus: Path, tmp_path: Path) -> None:
    other = corpus_file(tmp_path, "xyxy", name="other.json")
    async with exploring(corpus) as driver:
        await driver.press("right", "o")
        await driver.type(str(other))
        assert isinstance(driver.app.screen, Choose)
        await driver.press("d")
        assert driver.explorer.opened.corpus.name == "other.json"


async def test_a_session_opens_from_the_prompt(corpus: Path, tmp_path: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "right")
        await save_as(driver, tmp_path / "run.bpes")
        await driver.press("left", "o")
        await driver.type(str(tmp_path / "run.bpes"))
        await driver.press("d")
        assert driver.rank == 2


async def test_a_name_that_is_not_there_opens_nothing_and_loses_nothing(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "o")
        await driver.type("missing.json")
        assert driver.news == "cannot open 'missing.json': no such file or directory"
        assert (driver.rank, driver.app.return_value) == (1, None)


async def test_a_corpus_that_is_not_there_ends_with_1_and_the_reason() -> None:
    async with exploring(Path("missing.json")) as driver:
        assert driver.app.return_value == 1
        assert "'missing.json'" in driver.app.refusal
        assert "\n" not in driver.app.refusal


async def test_a_damaged_session_ends_with_1_and_the_reason(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "run.bpes"
    async with exploring(corpus) as driver:
        await driver.press("right")
        await save_as(driver, saved)
    saved.write_bytes(saved.read_bytes()[:-9])
    monkeypatch.chdir(tmp_path)
    async with exploring(Path("run.bpes")) as driver:
        assert driver.app.return_value == 1
        assert "'run.bpes'" in driver.app.refusal


async def test_the_first_place_is_not_pinned(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("w", "w")
        assert driver.explorer.desk.subject == PlaceSubject(0, 1)
        assert driver.explorer.area.focus_pane is PaneName.STREAM


async def test_a_file_that_cannot_be_read_leads_back_to_the_run(corpus: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    async with exploring(corpus) as driver:
        await driver.press("o")
        await driver.type(str(bad))
        await driver.settled()
        assert driver.app.return_value is None
        assert driver.explorer.request.source == str(corpus)
        assert "bad.json" in driver.news

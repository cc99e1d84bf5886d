"""Stepping, going to, playing: always by keys, always judged by the rank of the view."""

from dataclasses import replace
from pathlib import Path

from textual.events import Key

from bpe_tui.model import SPEEDS
from bpe_tui.views.request import MergeSubject

from .exploring import Driver, exploring


async def test_steps_forward_and_back(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        assert driver.rank == 0
        for keys, rank in [
            (["right"], 1), (["l"], 2), (["."], 3), (["left"], 2), (["h"], 1), ([","], 0), (["left"], 0),
            (["right", "right", "left", "right"], 2),
        ]:  # fmt: skip
            await driver.press(*keys)
            assert driver.rank == rank


async def test_the_counts_of_the_first_merges_are_on_screen(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("right", "right")
        view = driver.explorer.desk.view
        assert [row.key for row in view.merges.rows] == [MergeSubject(0), MergeSubject(1)]
        assert (view.tokens, view.bytes, view.vocabulary) == (4, 6, 258)
        lines = ["".join(c.text.plain + c.edge.plain for c in line.cells) for line in view.stream.lines]
        assert lines == ["─ d0", "aa+a│", "─ d1", "ab│a│"] or lines == ["─ d0", "aa│a│", "─ d1", "ab+a│"]


async def test_keys_typed_right_behind_an_answer_are_not_part_of_it(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        for leave, rank in (("enter", 3), ("escape", 4)):
            await driver.press("t")
            for key, character in (("2", "2"), (leave, None), ("l", "l")):  # as what was typed ahead comes
                driver.app.post_message(Key(key, character))
            await driver.settled()
            await driver.settled()
            assert (driver.rank, driver.news) == (rank, "")


async def test_a_way_back_that_is_left_is_not_the_end_of_learning(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("L", "0")
        desk = driver.explorer.desk
        driver.explorer._viewed(replace(desk.view, rank=2), None)  # as Esc leaves it on the way
        assert (desk.wished, driver.news) == (2, "")


async def test_learning_ends_where_no_pair_is_left_and_says_so(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("L")
        assert (driver.rank, driver.explorer.desk.wished) == (4, 4)
        assert driver.news == "no pair left"
        await driver.press("right")
        assert (driver.rank, driver.news) == (4, "no pair left")
        await driver.press("0", "left")
        assert (driver.rank, driver.news) == (0, "rank 0: no merge is applied")
        await driver.press("$")
        assert driver.rank == 4


async def test_the_step_that_finds_no_pair_ends_like_any_other(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        for rank in (1, 2, 3, 4, 4, 4):
            await driver.press("right")
            assert (driver.rank, driver.explorer.desk.wished) == (rank, rank)
        assert driver.news == "no pair left"


async def test_ten_a_hundred_and_a_thousand(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        for key, rank in [
            ("L", 10), ("shift+right", 20), ("H", 10), ("shift+left", 0), ("]", 100), ("[", 0), ("]", 100), ("H", 90),
        ]:  # fmt: skip
            await driver.press(key)
            assert driver.rank == rank
        for key, rank in [("}", 1090), ("{", 90), ("0", 0), ("$", 1090)]:
            await driver.press(key)
            assert driver.rank == rank


ANSWERS = {
    "42": 42, "+5": 55, "-5": 45, "50%": 60, "end": 120, "0": 0, "-500": 0, "100%": 120,
    "garbage": 50, '"zzzz"': 50, "": 50,
}  # fmt: skip


async def test_go_to_from_rank_50_of_120(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        travel = driver.explorer.travel
        travel.to(120)
        await driver.settled()
        for answer, rank in ANSWERS.items():
            travel.to(50)
            await driver.settled()
            await driver.press("t")
            await driver.type(answer)
            assert driver.rank == rank
            if answer in ("garbage", ""):
                assert driver.news.startswith("cannot go to ")
            if answer == '"zzzz"':
                assert driver.news.startswith("no known merge made ")


async def test_go_to_the_merge_that_made_a_token(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("L", "0", "t")
        await driver.type('"ab"')
        assert driver.rank == 2
        await driver.press("t")
        await driver.type(r'"\x61\x61"')
        assert driver.rank == 1


async def test_first_and_last_and_a_way_that_is_cancelled(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press("]", "0")
        assert driver.rank == 0
        await driver.press("$")
        assert driver.rank == 100
        driver.explorer.travel.to(50)
        driver.explorer.peel()
        await driver.settled()
        assert driver.explorer.desk.wished == driver.rank


def stop_clock(driver: Driver) -> None:
    """Time runs already; from here on the test is the clock."""
    timer = driver.explorer.travel._timer
    assert timer is not None
    timer.stop()


async def test_playing_steps_with_the_clock_and_any_step_pauses(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        desk, travel = driver.explorer.desk, driver.explorer.travel
        await driver.press("space")
        assert desk.playing
        stop_clock(driver)
        start = driver.rank
        for step in (1, 2, 3):
            travel._tick()
            await driver.settled()
            assert driver.rank == start + step
        await driver.press("left")
        assert (desk.playing, driver.rank) == (False, start + 2)


async def test_playing_waits_for_the_panes_and_ends_at_the_end(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk, travel = driver.explorer.desk, driver.explorer.travel
        await driver.press("$", "space")
        stop_clock(driver)
        travel._tick()
        travel._tick()  # the view of the first tick has not arrived
        assert desk.wished - driver.rank <= 1
        for _ in range(9):
            await driver.settled()
            if desk.playing:
                travel._tick()
        await driver.settled()
        assert (desk.playing, driver.rank, driver.news) == (False, 4, "no pair left")


async def test_speed_goes_up_and_down_within_its_bounds(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        assert SPEEDS[desk.speed] == 2
        await driver.press("+")
        assert (SPEEDS[desk.speed], driver.news) == (5, "5 merges a second")
        await driver.press("-", "-", "-", "-", "-")
        assert (SPEEDS[desk.speed], driver.news) == (0.5, "0.5 merges a second")
        await driver.press("space", "+")
        stop_clock(driver)
        await driver.press("space")
        assert not desk.playing


async def test_bookmarks(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press("apostrophe")
        assert driver.news == "no bookmark yet: m sets one"
        await driver.press("L", "m", "L", "m", "right")
        assert driver.explorer.desk.bookmarks == {10, 20}
        for rank in (10, 20, 10):
            await driver.press("apostrophe")
            assert driver.rank == rank
        await driver.press("m")
        assert (driver.explorer.desk.bookmarks, driver.news) == ({20}, "mark removed at rank 10")


async def test_a_click_on_the_time_line_goes_there(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press("]")
        line = driver.app.screen.query_one("TimeLine")
        start, _ = line.bar(line.size.width)  # type: ignore[attr-defined]
        await driver.pilot.click("TimeLine", offset=(start, 0))
        await driver.settled()
        assert driver.rank == 0


async def test_the_time_line_and_the_status_follow(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press("L")
        time = driver.app.screen.query_one("TimeLine").time  # type: ignore[attr-defined]
        assert (time.rank, time.learned) == (10, 10)
        status = driver.app.screen.query_one("StatusLine").status  # type: ignore[attr-defined]
        assert (status.unsaved, status.activity.plain) == (True, "PAUSED")


async def test_a_key_held_down_arrives_where_it_was_let_go(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press(*["right"] * 20)
        assert driver.rank == 20
        await driver.press(*["left"] * 5)
        assert driver.rank == 15

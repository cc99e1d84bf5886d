"""The palette where the framework's own fails: hasty keys, and no room."""

from collections.abc import Iterable
from typing import Any

from textual.app import App, SystemCommand
from textual.command import CommandList
from textual.events import Click
from textual.screen import Screen

from bpe_tui.app.commands import Palette


class Counting(App[None]):
    """Counts how often its one command ran."""

    runs = 0

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield from (SystemCommand(f"count {n}", "Counts.", self.count) for n in range(30))

    def count(self) -> None:
        self.runs += 1

    def action_command_palette(self) -> None:
        self.push_screen(Palette())


async def test_a_command_chosen_twice_in_haste_runs_once() -> None:
    app = Counting()
    async with app.run_test() as pilot:
        app.action_command_palette()
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        listed = app.screen.query_one(CommandList)
        listed.highlighted = 3
        listed.action_select()
        listed.action_select()
        await pilot.pause()
        assert len(app.screen_stack) == 1
        assert app.runs == 1


async def test_page_keys_do_nothing_where_the_list_has_no_room() -> None:
    app = Counting()
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_command_palette()
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        listed = app.screen.query_one(CommandList)
        listed.highlighted = 3
        await pilot.resize_terminal(10, 4)
        assert not listed.scrollable_content_region
        await pilot.press("pagedown", "pageup")
        await pilot.resize_terminal(80, 24)
        await pilot.press("pagedown")
        assert isinstance(app.screen, Palette)
        assert (listed.highlighted or 0) > 3


async def test_a_palette_that_is_left_before_it_is_there_says_nothing() -> None:
    app = Counting()
    async with app.run_test() as pilot:
        for _ in range(3):
            app.action_command_palette()
            app.simulate_key("c")
            app.simulate_key("escape")
            app.screen.dismiss()
            await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_a_search_that_the_palette_does_not_live_to_see_takes_nothing_along() -> None:
    app = Counting()
    async with app.run_test() as pilot:
        for _ in range(3):
            app.action_command_palette()
            await pilot.pause()
            palette = app.screen
            assert isinstance(palette, Palette)
            await palette.query("*").remove()
            palette._gather_commands("count")
            await pilot.pause()
            await app.pop_screen()
        assert app.is_running


async def test_a_click_meant_for_a_larger_screen_does_nothing() -> None:
    app = Counting()
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_command_palette()
        await pilot.pause()
        palette = app.screen
        place = dict.fromkeys(("x", "screen_x"), 200.0) | dict.fromkeys(("y", "screen_y"), 90.0)
        rest = {"delta_x": 0, "delta_y": 0, "button": 1, "shift": False, "meta": False, "ctrl": False}
        palette.post_message(Click(palette, **place, **rest))  # type: ignore[arg-type]
        await pilot.pause()
        assert app.screen is palette

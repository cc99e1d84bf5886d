"""One list of actions behind keys, key bar, help and palette."""

from collections import Counter
from pathlib import Path

import pytest
from textual.command import DiscoveryHit
from textual.content import Content

from bpe_tui.app.actions import ACTIONS, BY_ID, bindings, key_text
from bpe_tui.app.commands import Actions
from bpe_tui.app.screens.choose import Choose
from bpe_tui.app.screens.help import PANE_HELP, Help
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.views.request import PaneName

from .exploring import exploring

ROOT = Path(__file__).resolve().parents[2]


def test_no_id_and_no_key_stands_twice() -> None:
    assert len(BY_ID) == len(ACTIONS)
    keys = Counter(key for action in ACTIONS for key in action.keys)
    assert [key for key, times in keys.items() if times > 1] == []


def test_every_action_says_what_it_does_and_belongs_to_a_group() -> None:
    for action in ACTIONS:
        assert action.help.endswith(".")
        assert action.words
        assert action.group in {"step", "pane", "row", "view", "copy", "session", "app"}


def test_nothing_essential_is_on_ctrl_or_alt_alone() -> None:
    for action in ACTIONS:
        if action.keys:
            assert any("ctrl" not in key and "alt" not in key for key in action.keys), action.id


def test_every_key_has_its_action_and_a_name_for_the_screen() -> None:
    bound = {key: b.action for b in bindings() for key in b.key.split(",")}
    for action in ACTIONS:
        for key in action.keys:
            assert bound[key] == f"run({action.id!r})"
            assert "_" not in key_text(key).plain, key


def test_every_action_and_key_is_in_the_page_of_keys() -> None:
    page = (ROOT / "docs" / "keys.md").read_text()
    for action in ACTIONS:
        assert f"`{action.id}`" in page
        for key in action.keys:
            assert f"`{key_text(key).plain}`" in page


async def test_every_key_of_the_keyboard_arrives(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key of the list, pressed as a terminal sends it, runs its own action."""
    ran: list[str] = []
    async with exploring(corpus) as driver:
        monkeypatch.setattr(type(driver.explorer), "action_run", lambda self, id: ran.append(id))
        for action in ACTIONS:
            for key in action.keys:
                if key not in ("ctrl+q", "ctrl+p"):  # bound by the framework, to the same effect
                    await driver.app._press_keys([key])
                    await driver.pilot.pause()
                    assert ran == [action.id], key
                    ran.clear()


# The palette


async def test_the_palette_lists_every_action_with_its_key(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        hits = [hit async for hit in Actions(driver.explorer).discover()]
        texts = [str(hit.text) for hit in hits]
        assert len(hits) == len(ACTIONS) - 1  # all but the palette itself
        assert all(isinstance(hit, DiscoveryHit) and isinstance(hit.display, Content) for hit in hits)
        for action in ACTIONS:
            if action.id != "app.palette":
                key = f"  ({key_text(action.keys[0]).plain})" if action.keys else ""
                assert f"{action.group}: {action.words}{key}" in texts


async def test_the_palette_finds_actions_and_ranks(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        found = [hit async for hit in Actions(driver.explorer).search("zoom")]
        assert max(found, key=lambda hit: hit.score).text == "pane: zoom  (z)"
        ranks = [hit async for hit in Actions(driver.explorer).search("3")]
        ranks[0].command()
        await driver.settled()
        assert driver.rank == 3
        hostile = [hit async for hit in Actions(driver.explorer).search("[/x][@click=app.quit]x[/]")]
        assert hostile == []


async def test_a_command_from_the_palette_runs(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.pilot.press("colon")
        await driver.pilot.pause()
        await driver.pilot.press(*"zoom")
        await driver.app.workers.wait_for_complete()
        await driver.pilot.press("down", "enter")
        await driver.settled()
        assert driver.explorer.area.zoomed


async def test_the_palette_opens_from_ctrl_p_and_esc_closes_it(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.pilot.pause()
        assert not driver.is_plain
        await driver.pilot.press("escape")
        await driver.settled()
        assert driver.is_plain


# Help


async def test_help_is_about_the_focused_pane_and_lists_every_key(corpus: Path) -> None:
    async with exploring(corpus, (120, 30)) as driver:
        for name in PaneName:
            driver.explorer.panes.focus(name)
            await driver.settled()
            await driver.press("question_mark")
            assert isinstance(driver.app.screen, Help)
            keys = [row.key for row in driver.app.screen.query_one(VirtualTable).view.rows]
            assert [key for key in keys if key in BY_ID] == [action.id for action in ACTIONS]
            assert PANE_HELP[name].split()[0] in driver.screen_text()
            await driver.press("escape")
            assert driver.is_plain


async def test_help_is_searched(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("f1", "slash")
        await driver.type("bookmark")
        table = driver.app.screen.query_one(VirtualTable)
        assert [row.key for row in table.view.rows] == ["step.bookmark", "step.next-bookmark"]
        await driver.press("slash")
        await driver.type("[/x]")
        assert table.view.rows == ()
        await driver.press("j", "k", "pagedown", "pageup", "q")
        assert driver.is_plain


# Themes, and what is not open yet


async def test_every_theme_applies(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        themes = list(driver.app.available_themes)
        assert len(themes) >= 21
        for theme in themes:
            driver.app.theme = theme  # a theme whose colours a rule lacks would raise while drawing
            await driver.pilot.pause()
            assert "1 Stream" in driver.screen_text()


async def test_choosing_a_theme_from_the_palette(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("app.theme")
        assert not driver.is_plain
        await driver.pilot.press("escape")


async def test_while_a_question_is_asked_letters_are_text(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("slash", "q", "l", "x")
        field = driver.app.screen.query_one("SafeInput")
        assert field.value == "qlx"  # type: ignore[attr-defined]
        assert (driver.rank, driver.app.return_value) == (0, None)
        await driver.press("escape", "right")
        assert driver.rank == 1


async def test_esc_peels_one_layer_at_a_time(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk, area = driver.explorer.desk, driver.explorer.area
        await driver.press("4", "f")
        await driver.type("a")
        await driver.press("enter", "z", "space", "question_mark")
        assert (desk.pinned, area.zoomed, desk.playing) == (True, True, True)
        layers = []
        for _ in range(5):
            await driver.press("escape")
            layers.append(
                (
                    len(driver.app.screen_stack),
                    desk.playing,
                    area.zoomed,
                    desk.pinned,
                    desk.tables[PaneName.VOCAB].filter,
                )
            )
        before = (len(driver.app.screen_stack) + 1, True, True, True, "a")
        for layer in layers:
            assert sum(a != b for a, b in zip(before, layer, strict=True)) == 1
            before = layer
        assert before[1:] == (False, False, False, "")


async def test_a_click_on_the_key_bar_runs_its_action(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.pilot.click("KeyBar", offset=(2, 0))
        await driver.settled()
        assert driver.rank == 1


async def test_choices_by_first_letter_arrows_and_click(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("Y")
        assert isinstance(driver.app.screen, Choose)
        await driver.press("down", "end", "home", "up", "q")
        assert driver.is_plain

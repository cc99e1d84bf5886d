"""Dialogs under hasty keys: what was pressed before the first key was heard must not reach what lies below."""

import pytest
from textual.app import App

from bpe_tui.app.screens.choose import Choice, Choose
from bpe_tui.app.screens.help import Help
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.text.safe import SafeText
from bpe_tui.views.request import PaneName

CHOICES = [Choice(word, SafeText.label(word)) for word in ("save", "discard", "stay")]


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [(("enter", "enter"), "save"), (("d", "d"), "discard"), (("escape", "q"), None), (("enter", "s", "q"), None)],
)
async def test_a_choice_is_made_once(keys: tuple[str, ...], chosen: str | None) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        answers: list[str | None] = []
        app.push_screen(Choose(SafeText.label("?"), CHOICES), answers.append)
        await pilot.pause()
        for key in keys:
            app.simulate_key(key)
        await pilot.pause()
        assert len(app.screen_stack) == 1
        assert len(answers) == 1
        if keys[0] == keys[1]:
            assert answers == [chosen]


async def test_notes_follow_the_cursor_and_later_words() -> None:
    def choices(*notes: str) -> list[Choice]:
        return [Choice(note, SafeText.label(note), notes=(SafeText.label(f"about {note}"),)) for note in notes]

    app: App[None] = App()
    async with app.run_test() as pilot:
        dialog = Choose(SafeText.label("?"), choices("a", "b"))
        app.push_screen(dialog)
        dialog.change(choices("a", "c"))
        await pilot.pause()
        notes = dialog.query_one(LinesPane)
        assert [line.plain for line in notes.lines] == ["about a"]
        await pilot.press("down")
        assert [line.plain for line in notes.lines] == ["about c"]
        dialog.change(choices("a", "d"))
        assert [line.plain for line in notes.lines] == ["about d"]
        await pilot.press("escape")
        dialog.change(choices("a", "e"))
        assert len(app.screen_stack) == 1


async def test_help_closes_once() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Help(PaneName.STREAM, {}))
        await pilot.pause()
        app.simulate_key("escape")
        app.simulate_key("escape")
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_no_key_reaches_a_dialog_that_has_no_table_yet() -> None:
    dialogs = Choose(SafeText.label("?"), CHOICES), Help(PaneName.STREAM, {})
    for dialog in dialogs:
        for action in ("leave", "move", "edge", "choose", "page", "search"):
            assert not dialog.check_action(action, ())


async def test_a_dialog_may_be_left_before_it_is_there() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        for dialog in (Choose(SafeText.label("?"), CHOICES), Help(PaneName.STREAM, {})):
            app.push_screen(dialog)
            dialog.dismiss(None)
            await pilot.pause()
            assert len(app.screen_stack) == 1

from demo import Demo
from textual.events import Paste

from bpe_tui.app.widgets.prompt import Prompt, SafeInput
from bpe_tui.text.cells import unshow
from bpe_tui.text.safe import SafeText


async def test_asking_answering_and_cancelling() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        prompt = app.query_one(Prompt)
        assert (prompt.is_open, prompt.size.height) == (False, 0)
        prompt.ask("goto", SafeText.label("go to: "), "512")
        await pilot.pause()
        assert app.text()[22].startswith("go to: 512")
        await pilot.press("0", "enter")
        assert (prompt.is_open, app.focused) == (False, app.table())
        prompt.ask("find", SafeText.label("find: "))
        await pilot.press("q", "escape")
        assert (prompt.is_open, app.focused) == (False, app.table())
        said = [m for m in app.heard if isinstance(m, Prompt.Submitted | Prompt.Cancelled)]
        assert [(type(m), m.purpose, getattr(m, "value", None)) for m in said] == [
            (Prompt.Submitted, "goto", "5120"),
            (Prompt.Cancelled, "find", None),
        ]


async def test_asking_again_still_gives_the_focus_back_to_the_first_place() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        prompt = app.query_one(Prompt)
        for purpose in ("find", "filter"):
            prompt.ask(purpose, SafeText.label("? "))
            await pilot.pause()
        await pilot.press("escape")
        assert app.focused is app.table()


async def test_pasted_and_typed_text_is_spelled_safely_and_reads_back() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        prompt, field = app.query_one(Prompt), app.query_one(SafeInput)
        prompt.ask("find", SafeText.label("find: "))
        await pilot.pause()
        field.post_message(Paste("[/x]\x1b]0;owned\x07 ‹E6›é\u202e"))
        await pilot.pause()
        assert field.value == "[/x]␛]0;owned␇ ‹E6›é‹202E›"
        assert field.cursor_position == len(field.value)
        assert app.text()[22].startswith(f"find: {field.value}")
        assert unshow(field.value) == b"[/x]\x1b]0;owned\x07 \xe6" + "é\u202e".encode()
        await pilot.press("backspace")
        assert field.value.endswith("é‹202E")
        await pilot.press("escape")


async def test_a_hundred_questions_leave_no_widgets_behind() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        nodes = len(list(app.screen.walk_children()))
        for _ in range(100):
            app.query_one(Prompt).ask("find", SafeText.label("find: "))
            await pilot.pause(0)
            app.query_one(Prompt).cancel()
        assert len(list(app.screen.walk_children())) == nodes

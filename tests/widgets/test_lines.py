"""The one-line widgets: status, time line, keys."""

import pytest
from demo import Demo
from looks import looking
from textual.events import MouseScrollDown, MouseScrollUp

from bpe_tui.app.widgets.key_bar import Hint, KeyBar
from bpe_tui.app.widgets.status_line import Status, StatusLine
from bpe_tui.app.widgets.time_line import Time, TimeLine
from bpe_tui.text.cells import show, show_str
from bpe_tui.text.glyphs import Look
from bpe_tui.text.safe import EMPTY, SafeText

label = SafeText.label


def drawn(widget: KeyBar | StatusLine | TimeLine, width: int) -> str:
    """What a widget puts on a line of some width, before blanks fill it up."""
    return "".join(text.plain for text, _ in widget.parts(width))


async def test_the_key_bar_fills_80_columns_exactly() -> None:
    app = Demo()
    async with app.run_test():
        assert app.text()[23] == (" ←→ step  L/H ±10  space play  t go to  / find  e encode  : cmds  ? help  q quit")


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, " ←→ step  t go to" + " " * 89 + "? help  q quit"),
        (33, " ←→ step  t go to  ? help  q quit"),
        (32, " ←→ step" + " " * 10 + "? help  q quit"),
        (15, " ? help  q quit"),
        (14, "        ? help"),
        (3, ""),
    ],
)
def test_help_and_quit_are_laid_out_first(width: int, line: str) -> None:
    bar = KeyBar()
    bar.set_reactive(KeyBar.hints, (hint("←→", "step"), hint("t", "go to")))
    bar.set_reactive(KeyBar.pinned, (hint("?", "help"), hint("q", "quit")))
    assert drawn(bar, width).rstrip() == line


def hint(key: str, words: str) -> Hint:
    return Hint(label(key), label(words), words)


async def test_a_click_on_a_key_asks_for_its_action() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        for x in (1, 8, 26, 79):
            await pilot.click(KeyBar, offset=(x, 0))
        assert [m.action for m in app.heard if isinstance(m, KeyBar.Pressed)] == ["step", "step", "play", "quit"]


def line_of(rank: int, learned: int, total: int, note: SafeText = EMPTY) -> TimeLine:
    line = TimeLine()
    line.set_reactive(TimeLine.time, Time(rank, learned, total, note))
    return line


def test_the_bar_shows_past_known_and_rest_and_does_not_move() -> None:
    note = label("3.02 B/tok")
    # 33 cells: 9 of words, 12 of note, two caps, 10 of bar
    assert drawn(line_of(0, 0, 100, note), 33) == "   0/100 ▐··········▌ 3.02 B/tok "
    assert drawn(line_of(50, 75, 100, note), 33) == "  50/100 ▐█████░░···▌ 3.02 B/tok "
    assert drawn(line_of(99, 100, 100, note), 33) == "  99/100 ▐█████████░▌ 3.02 B/tok "
    assert drawn(line_of(100, 100, 100, note), 33) == " 100/100 ▐██████████▌ 3.02 B/tok "
    assert drawn(line_of(0, 0, 0), 20) == " 0/0 ▐·············▌"
    assert drawn(line_of(5, 9, 9), 8) == " 5/9 ▐░▌"
    assert drawn(line_of(5, 9, 9), 7) == " 5/9 "
    assert drawn(line_of(1, 2, 8192), 120).startswith(" step     1/8,192 ▐")


async def test_clicks_and_the_wheel_on_the_time_line_seek() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        line = app.query_one(TimeLine)
        start, cells = line.bar(80)
        assert (app.text()[22][start - 1], app.text()[22][start + cells]) == ("▐", "▌")
        for x in (start, start + cells - 1, start - 1, start + cells, 0, 79):
            await pilot.click(TimeLine, offset=(x, 0))
            await pilot.pause()
        await pilot._post_mouse_events([MouseScrollDown], TimeLine, button=0)
        await pilot._post_mouse_events([MouseScrollUp], TimeLine, button=0)
        await pilot.pause()
        assert [m.rank for m in app.heard if isinstance(m, TimeLine.Sought)] == [0, 8192, 0, 8192, 513, 511]


def status_of(**fields: object) -> StatusLine:
    line = StatusLine()
    line.set_reactive(StatusLine.status, Status(**fields))  # type: ignore[arg-type]
    return line


def test_the_status_line_says_the_same_in_fewer_words_when_narrow() -> None:
    line = status_of(
        name=label("tiny-shakespeare.txt"),
        facts=(label("1.1 MB"), label("25,670 unique words")),
        views=(label("text"), label("theme textual-dark")),
        unsaved=True,
        activity=label("PAUSED"),
    )
    assert drawn(line, 80) == f"bpe-tui  tiny-shakespeare.txt  1.1 MB{' ' * 17}  text  ● unsaved  PAUSED"
    assert drawn(line, 120) == (
        f"bpe-tui  tiny-shakespeare.txt  1.1 MB  25,670 unique words{' ' * 8}"
        "  text  theme textual-dark  ● unsaved changes  PAUSED"
    )
    assert drawn(line, 40) == "bpe-tui  tiny-shake›  ● unsaved  PAUSED"
    assert drawn(status_of(), 10).strip() == "bpe-tui"


async def test_hostile_names_are_shown_not_obeyed() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        assert app.text()[0].startswith("bpe-tui  [@click=app.quit]␛[2J‹202E›.txt  1.1 MB ")
        await pilot.click(StatusLine, offset=(12, 0))
        app.query_one(TimeLine).time = Time(1, 1, 1, show(b"[/x]\x1b[2J"))
        app.query_one(KeyBar).hints = (Hint(show(b"[/x]"), show_str("\x1b]8;;"), "quit"),)
        await pilot.pause()
        assert app.text()[22].endswith(" [/x]␛[2J ")
        assert app.text()[23].startswith(" [/x] ␛]8;; ")
        assert app.return_code is None


def test_ascii_terminals_get_ascii() -> None:
    with looking(Look(ascii=True)):
        assert drawn(line_of(1, 2, 4), 20) == " 1/4 [###---.......]"
        assert drawn(status_of(name=show_str("é"), unsaved=True), 30).split() == ["bpe-tui", "<00E9>", "*", "unsaved"]

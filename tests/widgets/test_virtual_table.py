from collections.abc import Callable
from dataclasses import replace

from demo import TOKENS, Demo, row, window
from textual.events import MouseScrollDown
from textual.geometry import Offset

from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.text.cells import show
from bpe_tui.text.safe import SafeText
from bpe_tui.views.table_view import TableView

# At 80×24 the demo's tables have 20 lines inside the frame less the header: rows 0 to 17.
ROWS = 18


def moves(app: Demo) -> list[tuple[int, object]]:
    return [(m.index, m.key) for m in app.heard if isinstance(m, VirtualTable.CursorMoved)]


def wishes(app: Demo) -> list[tuple[int, int]]:
    return [(m.offset, m.count) for m in app.heard if isinstance(m, VirtualTable.WindowWanted)]


async def test_rows_are_drawn_as_they_are_safe_to_draw() -> None:
    app = Demo()
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.pause()
        screen = app.text()
        for token in TOKENS:
            assert any(show(token, width=40).plain in line for line in screen)
        assert all(line.isprintable() for line in screen)
        assert app.return_code is None


async def test_only_visible_rows_are_drawn_and_a_million_scroll_like_ten() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        table = app.table()
        assert table.page_rows == ROWS
        table.end()
        await pilot.pause()
        assert table.cursor == 999_999
        assert "999,999" in app.text()[2 + ROWS]
        assert len(table.view.rows) <= 3 * ROWS
        assert len(table._strips) <= 4 * ROWS
        assert table.virtual_size.height == 1_000_001  # and the header


async def test_moving_the_cursor() -> None:
    app = Demo(total=100)
    async with app.run_test() as pilot:
        table = app.table()
        steps: list[tuple[Callable[[], None], int]] = [
            (lambda: table.move_cursor(1), 1),
            (lambda: table.move_cursor(-5), 0),
            (lambda: table.page(1), ROWS - 1),
            (table.end, 99),
            (lambda: table.move_cursor(1), 99),
            (lambda: table.page(-1), 99 - (ROWS - 1)),
            (lambda: table.select(50), 50),
            (table.home, 0),
        ]
        for move, arrives in steps:
            move()
            await pilot.pause()
            assert table.cursor == arrives
            assert 0 <= arrives - table.scroll_offset.y < ROWS
            assert moves(app)[-1] == (arrives, arrives)


async def test_rows_not_held_are_asked_for_and_shown_as_missing() -> None:
    app = Demo(answer=False)
    async with app.run_test() as pilot:
        table = app.table()
        table.select(500_000)
        await pilot.pause()
        # the cursor came in at the bottom; a screen is asked for on each side of what is visible
        assert wishes(app) == [(500_000 - ROWS + 1 - ROWS, 3 * ROWS)]
        assert [line[1:40].split()[0] for line in app.text()[3 : 3 + ROWS]] == ["…"] * ROWS
        assert moves(app)[-1] == (0, 0)
        table.view = window(*wishes(app)[0], app.total)
        await pilot.pause()
        assert moves(app)[-1] == (500_000, 500_000)
        assert "500,000" in app.text()[2 + ROWS]
        assert len(wishes(app)) == 1


async def test_rows_are_asked_for_before_they_are_missed() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        for _ in range(100):
            app.table().move_cursor(1)
            await pilot.pause(0)
            assert not any("…" in line for line in app.text())


async def test_a_new_view_keeps_the_cursor_on_its_row() -> None:
    app = Demo(total=30)
    async with app.run_test() as pilot:
        table = app.table()
        table.select(5)
        table.view = TableView(table.view.columns, tuple(row(i) for i in reversed(range(30))), total=30)
        await pilot.pause()
        assert (table.cursor, moves(app)[-1]) == (24, (24, 5))
        table.view = replace(table.view, rows=table.view.rows[:10], total=10)
        await pilot.pause()
        assert (table.cursor, moves(app)[-1]) == (9, (9, 20))


async def test_an_equal_view_says_nothing_and_an_empty_one_says_so() -> None:
    app = Demo(total=30)
    async with app.run_test() as pilot:
        table = app.table()
        await pilot.pause()
        app.heard.clear()
        table.view = window(0, 30, 30)
        await pilot.pause()
        assert app.heard == []
        table.view = window(0, 0, 0)
        table.end()
        table.choose()
        await pilot.pause()
        assert (table.cursor, app.heard) == (0, [])
        assert "no pair left" in app.text()[3]


async def test_changed_columns_redraw_equal_rows() -> None:
    app = Demo(total=5)
    async with app.run_test() as pilot:
        table = app.table()
        await pilot.pause()
        before = app.text()[3]
        table.view = replace(table.view, columns=(*table.view.columns[:3], replace(table.view.columns[3], width=20)))
        await pilot.pause()
        assert app.text()[3] != before


async def test_mouse() -> None:
    app = Demo(total=100)
    async with app.run_test() as pilot:
        table = app.table("two")
        await pilot.click("#two", offset=(5, 2 + 4))
        assert (table.cursor, table.has_focus) == (4, True)
        await pilot.click("#two", offset=(5, 1))  # the header
        await pilot.click("#two", offset=(5, 0))  # the frame
        assert table.cursor == 4
        await pilot.double_click("#two", offset=(5, 2 + 7))
        await pilot.pause()
        chosen = [m for m in app.heard if isinstance(m, VirtualTable.Chosen)]
        assert [(m.table, m.index, m.key) for m in chosen] == [(table, 7, 7)]
        await pilot._post_mouse_events([MouseScrollDown], "#two", offset=(5, 5), button=0)
        assert table.scroll_offset.y > 0
        assert table.cursor == 7


async def test_titles_are_literal_and_cropped_to_the_frame() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        table = app.table()
        table.set_titles(show(b"[@click=app.quit]" + b"x" * 99), show("日本".encode() * 20))
        await pilot.pause()
        screen = app.text()
        assert "[@click=app.quit]xxx" in screen[1][:40]
        assert screen[1][38] == "═"
        assert "本› ═╝╰─" in screen[21] or " › ═╝╰─" in screen[21]
        await pilot.click("#one", offset=(8, 0))
        assert app.return_code is None
        table.set_titles(SafeText())
        await pilot.pause()
        assert app.text()[1][:40] == "╔" + "═" * 38 + "╗"


async def test_a_resize_keeps_the_cursor_in_sight() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        table = app.table()
        table.select(17)
        await pilot.resize_terminal(80, 12)
        assert 0 <= 17 - table.scroll_offset.y < table.page_rows == 6
        await pilot.resize_terminal(20, 4)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(80, 24)
        assert table.region.offset == Offset(0, 1)


async def test_the_cursor_looks_different_in_focus_and_out_of_it() -> None:
    app = Demo(total=100)
    async with app.run_test() as pilot:
        table = app.table()
        await pilot.pause()
        focused = table.render_line(1)
        await pilot.press("tab")
        blurred = table.render_line(1)
        assert focused.text == blurred.text
        assert [s.style for s in focused] != [s.style for s in blurred]
        await pilot.press("shift+tab")
        assert table.render_line(1) == focused


async def test_focus_changes_leave_no_widgets_behind() -> None:
    app = Demo()
    async with app.run_test() as pilot:
        await pilot.pause()
        nodes = len(list(app.screen.walk_children()))
        for _ in range(30):
            await pilot.press("tab")
        assert len(list(app.screen.walk_children())) == nodes

"""Panes: focus, zoom, cursor, order, filter, find, documents, display, at every size."""

from pathlib import Path

import pytest

from bpe_tui.model import MODES, TABLES
from bpe_tui.views.request import MergeSubject, PairSubject, PaneName, PlaceSubject, TokenSubject

from .exploring import Driver, corpus_file, exploring

FOCUS = {
    "1": PaneName.STREAM, "2": PaneName.PAIRS, "3": PaneName.MERGES, "4": PaneName.VOCAB,
    "5": PaneName.INSPECT, "6": PaneName.HELD_OUT, "7": PaneName.STATS,
}  # fmt: skip


def content(driver: Driver, name: PaneName) -> object:
    """What the view has for a pane; empty while the pane is not visible."""
    view = driver.explorer.desk.view
    return {
        PaneName.STREAM: view.stream.lines,
        PaneName.PAIRS: view.pairs.rows,
        PaneName.MERGES: view.merges.rows,
        PaneName.VOCAB: view.vocab.rows,
        PaneName.INSPECT: view.inspect,
        PaneName.HELD_OUT: view.held_out.lines,
        PaneName.STATS: view.stats,
    }[name]


@pytest.mark.parametrize("size", [(50, 20), (80, 24), (120, 30), (200, 50)])
async def test_every_pane_is_reached_by_its_number_and_by_tab(corpus: Path, size: tuple[int, int]) -> None:
    async with exploring(corpus, size) as driver:
        await driver.do("step.next", "step.next")
        area = driver.explorer.area
        for key, name in FOCUS.items():
            await driver.press(key)
            assert area.focus_pane is name
            assert name in area.visible_panes
            assert driver.app.focused is driver.explorer.pane(name)
            assert content(driver, name)
        await driver.press("1")
        start, seen = area.focus_pane, []
        for _ in area.visible_panes if len(area.visible_panes) > 1 else PaneName:
            await driver.press("tab")
            seen.append(area.focus_pane)
        assert seen[-1] is start
        assert len(set(seen)) == len(seen)
        await driver.press("shift+tab")
        assert area.focus_pane is seen[-2]


async def test_zoom_and_the_way_back(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        area = driver.explorer.area
        before = area.visible_panes
        await driver.press("4", "z")
        assert area.visible_panes == (PaneName.VOCAB,)
        assert driver.table(PaneName.VOCAB).size.width > 70
        await driver.press("2")
        assert area.visible_panes == (PaneName.PAIRS,)
        await driver.press("escape")
        assert (area.zoomed, area.visible_panes) == (False, before)


async def test_moving_the_cursor_moves_the_inspector(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.press("2", "down")
        assert desk.subject == PairSubject((97, 98))
        assert "97, 98" in desk.view.inspect[0].plain
        await driver.press("j", "j", "j")
        assert driver.table(PaneName.PAIRS).cursor == 2
        await driver.press("k")
        assert desk.subject == PairSubject((97, 98))
        await driver.press("G")
        assert desk.subject == PairSubject((98, 97))
        await driver.press("g")
        assert desk.subject == PairSubject((97, 97))


async def test_a_pinned_row_stays_inspected_until_esc(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.press("2", "down", "enter", "down")
        assert (desk.pinned, desk.subject) == (True, PairSubject((97, 98)))
        await driver.press("escape", "up", "down")
        assert (desk.pinned, desk.subject) == (False, PairSubject((98, 97)))
        await driver.press("enter", "enter")
        assert driver.explorer.area.visible_panes == (PaneName.INSPECT,)


async def test_the_last_of_300_vocabulary_entries_is_reached_at_once(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("4", "end")
        table = driver.table(PaneName.VOCAB)
        assert (table.cursor, driver.explorer.desk.subject) == (255, TokenSubject(0))
        row = table.view.row(255)
        assert row is not None
        assert row.cells[0].plain == "0"
        await driver.press("pageup")
        assert table.cursor == 255 - (table.page_rows - 1)
        await driver.press("home")
        assert driver.explorer.desk.subject == TokenSubject(255)


async def test_orders_and_their_reverse(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.do("step.last", "step.next-ten")
        for key, name in [("2", PaneName.PAIRS), ("3", PaneName.MERGES), ("4", PaneName.VOCAB)]:
            await driver.press(key)
            for order in (*TABLES[name][1:], TABLES[name][0]):
                await driver.press("s")
                assert (desk.tables[name].sort, driver.news) == (order, f"by {order}")
        await driver.press("3", "S")
        assert [row.key for row in desk.view.merges.rows] == [MergeSubject(r) for r in (3, 2, 1, 0)]
        await driver.press("1", "s")
        assert driver.news.startswith("this pane is no table")


async def test_filters_and_the_way_back(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.press("4", "f")
        await driver.type(r"\xE6")
        assert (desk.view.vocab.total, desk.view.vocab.rows[0].key) == (1, TokenSubject(0xE6))
        await driver.press("f")
        assert driver.app.screen.query_one("SafeInput").value == r"\xE6"  # type: ignore[attr-defined]
        await driver.type("is:text")
        assert desk.view.vocab.total == 128
        await driver.press("escape")
        assert (desk.tables[PaneName.VOCAB].filter, desk.view.vocab.total) == ("", 256)
        await driver.press("f")
        await driver.type("re:(")
        assert "does not compile" in driver.news
        assert desk.view.vocab.total == 256
        await driver.press("1", "f")
        assert driver.news.startswith("this pane is no table")


async def test_find_in_tables_forward_and_back(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        table = driver.table(PaneName.PAIRS)
        await driver.press("2", "slash")
        await driver.type("b")
        seen = [table.cursor]
        await driver.press("n")
        seen.append(table.cursor)
        await driver.press("n")
        seen.append(table.cursor)
        await driver.press("N")
        seen.append(table.cursor)
        assert seen == [1, 2, 1, 2]
        await driver.press("slash")
        await driver.type("zz")
        assert driver.news == "not found: zz"
        await driver.press("slash", "escape")
        assert (table.cursor, driver.app.focused) == (2, table)


async def test_find_in_the_stream_goes_to_the_place(tmp_path: Path) -> None:
    lines = "\n".join(f"line {i}" for i in range(200))
    async with exploring(corpus_file(tmp_path, lines, "needle here")) as driver:
        desk = driver.explorer.desk
        await driver.press("slash")
        await driver.type("line 150")
        offset = lines.encode().index(b"line 150")
        assert (desk.subject, desk.view.stream.row) == (PlaceSubject(0, offset), 150)
        await driver.press("slash")
        await driver.type("needle")
        assert desk.subject == PlaceSubject(1, 0)
        assert any(c.covers(desk.cursor) for line in desk.view.stream.lines for c in line.cells)
        await driver.press("5", "slash")
        await driver.type("x")
        assert driver.news.startswith("nothing to find in this pane")


async def test_the_next_place_of_what_is_inspected(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.press("2", "G", "v")
        assert (desk.cursor, driver.explorer.panes.name) == ((1, 1), PaneName.STREAM)


async def test_tokens_of_the_stream_by_w_b_and_rows(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        seen = []
        for key in ("w", "w", "w", "w", "b", "down", "up", "G", "g"):
            await driver.press(key)
            seen.append(desk.cursor)
        assert seen[:5] == [(0, 0), (0, 1), (0, 2), (1, 0), (0, 2)]
        assert seen[5] is not None
        assert seen[5][0] == 1
        assert seen[6] is not None
        assert seen[6][0] == 0
        assert seen[7:] == [None, None]


async def test_the_cursor_walks_down_a_long_stream_and_back(tmp_path: Path) -> None:
    async with exploring(corpus_file(tmp_path, "\n".join("abc" for _ in range(60)))) as driver:
        desk = driver.explorer.desk
        rows = []
        for _ in range(20):
            await driver.press("down")
            assert desk.cursor is not None
            rows.append(desk.cursor[1] // 4)
        assert rows == list(range(20))
        for _ in range(20):
            await driver.do("row.up")
        assert desk.cursor is not None
        assert desk.cursor[1] // 4 == 0


async def test_paging_through_the_stream_shows_every_row(tmp_path: Path) -> None:
    async with exploring(corpus_file(tmp_path, "\n".join(f"{i}" for i in range(100)))) as driver:
        desk = driver.explorer.desk
        seen: set[str] = set()
        for _ in range(30):
            seen |= {line.number.plain for line in desk.view.stream.lines}
            await driver.do("row.page-down")
        assert seen >= {str(i) for i in range(1, 101)}
        await driver.press("G")
        assert [line.number.plain for line in desk.view.stream.lines][-1] == "100"
        await driver.press("g")
        assert desk.view.stream.row == 0


async def test_documents_in_the_stream_and_held_out(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        titles = []
        for _ in range(3):
            await driver.press("d")
            titles.append(desk.view.stream.title.plain)
        assert titles[:2] == ["d0", "d1"]
        assert desk.stream.document is None
        await driver.press("D")
        assert desk.stream.document == 1
        await driver.press("6")
        first = desk.view.held_out
        assert (first.title.plain, first.count) == ("h0 · validation · 1 of 2", 2)
        assert first.ids == (97, 99, 97, 99)
        await driver.press("d")
        assert desk.view.held_out.ids == (98, 97)


async def test_choosing_a_document(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("view.choose-document")
        await driver.press("down", "down", "enter")
        assert driver.explorer.desk.view.stream.title.plain == "d1"


async def test_encoding_a_text_of_the_users(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.do("step.next", "step.next")
        await driver.press("e")
        await driver.type("aab é‹FF›")
        assert driver.explorer.panes.name is PaneName.HELD_OUT
        assert desk.texts == ["aab é".encode() + b"\xff"]
        # merges aa, ab: the leftmost of the lowest rank first
        assert list(desk.view.held_out.ids) == [256, 98, 32, 0xC3, 0xA9, 0xFF]
        assert desk.view.held_out.title.plain == "your text"
        await driver.do("step.previous", "step.previous")
        assert list(desk.view.held_out.ids) == [97, 97, 98, 32, 0xC3, 0xA9, 0xFF]


async def test_display_modes_come_around(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        desk = driver.explorer.desk
        await driver.press("4")
        for mode in (*MODES[1:], MODES[0]):
            await driver.press("x")
            assert (desk.view.request.mode, driver.news) == (mode, f"bytes as {mode}")
        await driver.press("x", "x")
        assert desk.view.vocab.rows[0].cells[1].plain == "FF"


async def test_a_recount_says_that_all_is_exact(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        await driver.press("A")
        # aa a | a b a: five tokens, three pairs
        assert driver.news == "exact: a recount at rank 1 of 3 pairs, 5 tokens agrees with the kept counts"


async def test_another_size_shows_other_panes_and_asks_for_more_rows(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        view = driver.explorer.desk
        assert view.view.held_out.lines == ()
        await driver.pilot.resize_terminal(200, 50)
        await driver.settled()
        assert set(driver.explorer.area.visible_panes) == set(PaneName)
        assert all(content(driver, name) for name in PaneName if name is not PaneName.MERGES)
        assert len(view.view.vocab.rows) > driver.table(PaneName.VOCAB).page_rows
        await driver.pilot.resize_terminal(50, 20)
        await driver.settled()
        assert len(driver.explorer.area.visible_panes) == 1


async def test_walking_leaves_no_widgets_behind(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.press("right", "tab")
        nodes = len([*driver.app.screen.walk_children()])
        for _ in range(100):
            driver.explorer.action_run("pane.next")
        for step in range(300):
            driver.explorer.action_run("step.next")
            if step % 50 == 0:
                await driver.settled()
        await driver.settled()
        assert driver.rank == 301
        assert len([*driver.app.screen.walk_children()]) == nodes

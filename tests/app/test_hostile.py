"""A walk over every pane, row, mode and dialog with tokens that have broken terminals: shown, never obeyed."""

import json
from pathlib import Path

import pytest
from hostile import HOSTILE

from bpe_tui.app.widgets.news import News
from bpe_tui.exports import Format
from bpe_tui.model import MODES, TABLES
from bpe_tui.text.cells import show
from bpe_tui.views.request import PaneName
from engine.policy import Policy
from sessions.store import load

from .exploring import Driver, exploring, request_of

MEGABYTE = 1_000_000


@pytest.fixture
def hostile_corpus(tmp_path: Path) -> Path:
    """A folder of files whose names and contents are hostile, and a line of a megabyte."""
    folder = tmp_path / "[x]\u202e\x1b]0;owned\x07"
    folder.mkdir()
    for i, token in enumerate(HOSTILE.values()):
        # Twice, so that whole tokens are learned; the names are hostile too.
        (folder / f"{i:02} [@click=app.quit]\x1b[2J\u200b.txt").write_bytes(token[:300] * 2 + b"\n" + token[:300])
    return folder


@pytest.fixture
def megabyte(tmp_path: Path) -> Path:
    path = tmp_path / "line.txt"
    path.write_bytes(b"\x1b[31mab" * (MEGABYTE // 7))
    return path


def harmless(driver: Driver) -> None:
    """Nothing on screen is a command, and nobody followed a link."""
    text = driver.screen_text()
    assert all(line.isprintable() for line in text.split("\n"))
    assert driver.app.return_value is None
    assert "owned" not in driver.app.title
    assert not [s for strip in driver.app.screen._compositor.render_strips() for s in strip if s.style and s.style.link]


async def test_every_pane_row_and_mode(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus, (50, 20)) as driver:
        driver.explorer.travel.to(400)
        await driver.settled()
        for mode in MODES:
            assert driver.explorer.desk.mode is mode
            for name in PaneName:
                driver.explorer.panes.focus(name)
                await driver.settled()
                harmless(driver)
                for _ in range(2):
                    await driver.do("row.page-down")
                    harmless(driver)
            await driver.do("view.mode")


async def test_all_panes_at_once_in_every_mode(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus, (200, 50)) as driver:
        driver.explorer.travel.to(400)
        await driver.settled()
        for _ in MODES:
            for _ in range(3):
                await driver.do("row.page-down")
                harmless(driver)
            await driver.do("view.mode")


async def test_every_row_is_inspected_and_copied(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus, (120, 30)) as driver:
        driver.explorer.travel.to(60)
        await driver.settled()
        for name in TABLES:
            driver.explorer.panes.focus(name)
            await driver.settled()
            for _ in range(8):
                await driver.do("row.down", "copy.here")
                assert driver.app.clipboard.isprintable()
            harmless(driver)
        driver.explorer.panes.focus(PaneName.STREAM)
        for _ in range(8):
            await driver.do("row.next-token", "copy.here")
            assert driver.app.clipboard.isprintable()
        harmless(driver)


async def test_every_token_is_found_filtered_and_encoded(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus, (120, 30)) as driver:
        explorer = driver.explorer
        tokens = [token[:40] for token in HOSTILE.values()][::4]
        for token in tokens:
            text = show(token).plain
            explorer.panes.focus(PaneName.VOCAB)
            await driver.press("slash")
            await driver.type(text)
            explorer.panes.filter(text)
            await driver.settled()
            harmless(driver)
            explorer.panes.filter("")
            explorer.work.encode(text)
            await driver.settled()
            harmless(driver)
        assert explorer.desk.texts == tokens


async def test_answers_that_are_refused_are_shown_not_obeyed(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus) as driver:
        for token in ("[/x]", "[@click=app.quit]q[/]", "\x1b]52;c;cm0=\x07", "\u202e", "re:[", "is:[/x]"):
            await driver.press("t")
            await driver.type(token)
            assert driver.explorer.query_one(News).words.plain.isprintable()
            harmless(driver)
            await driver.press("o")
            await driver.type(token)
            harmless(driver)


async def test_hostile_documents_are_saved_and_exported_byte_for_byte(hostile_corpus: Path, tmp_path: Path) -> None:
    saved, merges = tmp_path / "run.bpes", tmp_path / "merges.jsonl"
    async with exploring(hostile_corpus) as driver:
        driver.explorer.travel.to(50)
        await driver.settled()
        driver.explorer.work.save_as(str(saved))
        driver.explorer.work._format = Format.JSONL
        driver.explorer.work.export_to(str(merges))
        await driver.settled()
        learned = [merge.content.data for merge in await driver.learned()]
    session = load(saved)
    assert session.corpus is not None
    assert session.corpus.documents[0].data[:4] == HOSTILE["closing tag"]
    lines = [json.loads(line) for line in _lines(merges) if '"rank"' in line]
    assert [bytes.fromhex(line["bytes_hex"]) for line in lines] == learned
    async with exploring(saved) as driver:
        assert driver.rank == 50
        harmless(driver)


def _lines(path: Path) -> list[str]:
    text = path.read_text("ascii")
    assert all(line.isprintable() for line in text.splitlines())
    return text.splitlines()


async def test_a_click_on_hostile_text_follows_no_link(hostile_corpus: Path) -> None:
    async with exploring(hostile_corpus, (120, 30)) as driver:
        for y in range(1, 28, 5):
            for x in range(2, 118, 29):
                await driver.pilot.click(offset=(x, y))
        await driver.settled()
        harmless(driver)


async def test_a_line_of_a_megabyte_is_walked_like_any_other(megabyte: Path) -> None:
    async with exploring(request_of(megabyte, Policy())) as driver:
        await driver.do("step.next", "step.next", "row.bottom")
        stream = driver.explorer.desk.view.stream
        assert stream.row >= stream.rows - 2
        for action in ("row.page-up", "row.top", "row.next-token", "view.mode", "row.page-down", "step.previous"):
            await driver.do(action)
            harmless(driver)
        await driver.press("slash")
        await driver.type("␛")
        assert driver.explorer.desk.cursor is not None
        await driver.do("step.next-ten", "step.next-ten")
        assert driver.rank > 15
        harmless(driver)

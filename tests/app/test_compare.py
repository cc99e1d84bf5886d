"""The compare screen: driven by keys on small corpora; how it looks; hostile bytes."""

import asyncio
from pathlib import Path

import pytest
from hostile import HOSTILE

from bpe_tui.app.screens.compare import Compare
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.text.cells import show

from .exploring import Driver, corpus_file, exploring
from .test_hostile import harmless
from .test_screens import EXAMPLE, app, before
from .test_screens import Compare as Snapshot


async def comparing(driver: Driver, other: str) -> Compare:
    """Ask for a comparison, and wait for its thread."""
    await driver.press("C")
    await driver.type(other)
    screen = driver.app.screen
    assert isinstance(screen, Compare)
    await asyncio.to_thread(screen.thread.join)
    await driver.settled()
    return screen


def lines(screen: Compare, id: str) -> list[str]:
    return [line.plain for line in screen.query_one(id, LinesPane).lines]


def rows(screen: Compare) -> list[tuple[str, ...]]:
    view = screen.query_one("#lists", VirtualTable).view
    return [(row.mark.plain, *(cell.plain for cell in row.cells)) for row in view.rows]


async def test_a_tie_by_hand(tmp_path: Path) -> None:
    source = corpus_file(tmp_path, "ab", "cd", held_out=["abcd"])
    async with exploring(source, (120, 30)) as driver:
        await driver.do("step.next")
        screen = await comparing(driver, "bpe tie_break=largest-bytes")
        assert rows(screen) == [("▶", "0", "a + b", "x", "c + d", "-", "-")]
        assert lines(screen, "#why")[0] == "rank 0: both count 1; A takes the smaller ids, B the greater bytes"
        assert lines(screen, "#why")[1] == ("A counts A's 1 highest, B's 1 highest; highest 1, tied 2: a + b, c + d")
        assert lines(screen, "#texts") == ["A ▐ab▌▐c│d▌", "B ▐a│b▌▐cd▌"]
        await driver.press("escape")
        assert driver.is_plain


async def test_where_each_merge_stands_in_the_other_list(tmp_path: Path) -> None:
    source = corpus_file(tmp_path, "ab", "cd")
    async with exploring(source, (120, 30)) as driver:
        await driver.do("step.next", "step.next")
        screen = await comparing(driver, "bpe tie_break=largest-bytes")
        assert rows(screen) == [
            ("▶", "0", "a + b", "x", "c + d", "1", "1"),
            ("", "1", "c + d", "x", "a + b", "0", "0"),
        ]
        assert lines(screen, "#texts") == ["A ab│", "B ab│"]


async def test_the_rule_of_a_file_is_found_by_its_ties(tmp_path: Path) -> None:
    source, file = corpus_file(tmp_path, "ab", "cd"), tmp_path / "f.model"
    file.write_bytes(b"minbpe v1\n\n0\n99 100\n")
    async with exploring(source, (120, 30)) as driver:
        await driver.do("step.next")
        screen = await comparing(driver, str(file))
        assert lines(screen, "#why")[0] == (
            "rank 0: both count 1; A takes the smaller ids, B (by its first tie) the greater bytes"
        )


async def test_the_cut_of_a_file_is_found_by_its_counts(tmp_path: Path) -> None:
    """The file says nothing of lines: in them ab, ac and b + LF count 2 each, and it takes the greatest."""
    source, file = tmp_path / "c.txt", tmp_path / "f.model"
    source.write_bytes(b"ab\nab\nac\nac")
    file.write_bytes(b"minbpe v1\n\n0\n98 10\n97 99\n97 256\n")
    async with exploring(source, (120, 30)) as driver:
        await driver.do("step.next")
        screen = await comparing(driver, str(file))
        assert "B's counts fit if text is cut at line ends only" in lines(screen, "#why")


async def test_the_same_rules_are_equal_to_the_end(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next", "step.next")
        screen = await comparing(driver, "course")
        assert lines(screen, "#why")[0] == "equal to the end"
        assert [row[3] for row in rows(screen)] == ["=", "="]


@pytest.mark.parametrize("other", ["nothing", "bpe tie_break=x", "/", "[/x]\x1b]0;owned\x07"])
async def test_what_cannot_be_compared_is_said(corpus: Path, other: str) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        screen = await comparing(driver, other)
        assert screen.found is None
        assert any(words in " ".join(lines(screen, "#why")) for words in ("neither", "unknown", "no tokenizer"))
        harmless(driver)
        await driver.press("x", "d", "j", "tab", "q")
        assert driver.is_plain


async def test_nothing_learned_is_nothing_to_compare(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.press("C")
        await driver.type("course")
        assert driver.is_plain
        assert "no merge is known yet" in driver.news


async def test_keys_are_heard_while_it_works_and_leaving_ends_the_work(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        await driver.do("step.next")
        await driver.press("C")
        await driver.type("bpe budget=300 tie_break=first-seen")
        screen = driver.app.screen
        assert isinstance(screen, Compare)
        await driver.press("escape")
        assert driver.is_plain
        await asyncio.to_thread(screen.thread.join)
        await driver.press("right")
        assert driver.rank == 2


async def test_ctrl_q_leaves_the_program_from_here_too(corpus: Path) -> None:
    async with exploring(corpus) as driver:
        await driver.do("step.next")
        await comparing(driver, "course")
        driver.explorer.desk.dirty = False
        await driver.pilot.press("ctrl+q")
        await driver.pilot.pause()
        assert driver.app.return_value == 0


async def test_a_session_file_is_a_side(corpus: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.bpes"
    async with exploring(corpus) as driver:
        await driver.do("step.next", "step.next")
        driver.explorer.work.save_as(str(saved))
        await driver.settled()
        screen = await comparing(driver, str(saved))
        assert lines(screen, "#why")[0] == "equal to the end"
        assert lines(screen, "#texts")[0].startswith("A a│c│a│c│")


async def test_keys_move_in_each_pane(long_corpus: Path) -> None:
    async with exploring(long_corpus) as driver:
        driver.explorer.travel.to(200)
        await driver.settled()
        screen = await comparing(driver, "bpe tie_break=largest-bytes")
        assert screen.found is not None
        assert screen.found.where is not None
        table = screen.query_one("#lists", VirtualTable)
        assert table.cursor == screen.found.where.rank
        await driver.press("G")
        assert table.cursor == 199
        assert table.view.row(199) is not None
        await driver.press("d")
        assert table.cursor == screen.found.where.rank
        await driver.press("tab", "down", "tab", "pagedown")
        assert screen.query_one("#texts").has_focus
        await driver.press("tab", "up")
        assert table.cursor == screen.found.where.rank - 1


async def test_hostile_bytes_are_shown(tmp_path: Path) -> None:
    texts = [token[:60].decode("utf-8", "replace") for token in HOSTILE.values()]
    source = corpus_file(tmp_path, *(f"{text} {text}" for text in texts), held_out=["".join(texts)])
    async with exploring(source) as driver:
        driver.explorer.travel.to(120)
        await driver.settled()
        await comparing(driver, "bpe tie_break=largest-bytes boundary=gpt2")
        for _ in range(4):
            harmless(driver)
            await driver.press("G", "tab", "pagedown", "tab", "pagedown", "tab", "x")
        for token in ("\u202e", "\x1b"):
            assert token not in driver.screen_text()
            assert show(token.encode()).plain != token


async def example(driver: Driver) -> None:
    await comparing(driver, "bpe tie_break=largest-bytes")


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_it_looks(snap_compare: Snapshot, size: tuple[int, int]) -> None:
    assert snap_compare(app(EXAMPLE), terminal_size=size, run_before=before(example))


def test_it_looks_without_colour(snap_compare: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app(EXAMPLE), terminal_size=(80, 24), run_before=before(example))

"""How the program looks: at every size, with and without colour, with dialogs, and full of hostile text."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import HOSTILE
from textual.pilot import Pilot

from bpe_tui.text.cells import show

from .exploring import Driver, WatchedApp, corpus_file, request_of

Compare = Callable[..., bool]
Act = Callable[[Driver], Awaitable[None]]
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "corpus.json"
SIZES = [(50, 20), (80, 24), (120, 30), (200, 50)]
RANK = 120


def app(source: Path = EXAMPLE) -> WatchedApp:
    """The program on a corpus; the kernel's name is on screen, so it is fixed."""
    return WatchedApp(replace(request_of(source), kernel="python"))


@pytest.fixture(autouse=True)
def kernel_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words on screen with and without the compiled kernel."""
    monkeypatch.setattr("bpe_tui.views.stats.kernel_words", lambda name: name)


def before(act: Act | None = None, rank: int = RANK) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Travel on a little and back to a rank, so that a future is known; then act."""

    async def run(pilot: Pilot[int]) -> None:
        driver = Driver(pilot)
        await driver.settled()
        for wished in (rank + 30, rank):
            driver.explorer.travel.to(wished)
            await driver.settled()
        if act is not None:
            await act(driver)

    return run


@pytest.mark.parametrize("size", SIZES)
def test_explorer(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app(), terminal_size=size, run_before=before())


@pytest.mark.parametrize("size", SIZES)
def test_explorer_without_colour(snap_compare: Compare, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app(), terminal_size=size, run_before=before())


async def inspecting(driver: Driver) -> None:
    await driver.press("3", "up", "enter", "1", "d", "w", "w")


def test_a_pinned_merge_and_a_cursor_in_the_stream(snap_compare: Compare) -> None:
    assert snap_compare(app(), terminal_size=(120, 30), run_before=before(inspecting))


async def held_out(driver: Driver) -> None:
    await driver.press("6", "d", "d", "z")


def test_held_out(snap_compare: Compare) -> None:
    assert snap_compare(app(), terminal_size=(80, 24), run_before=before(held_out))


async def asking_for_help(driver: Driver) -> None:
    await driver.press("2", "question_mark")


@pytest.mark.parametrize("size", [(80, 24), (120, 30)])
def test_help(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app(), terminal_size=size, run_before=before(asking_for_help))


async def leaving(driver: Driver) -> None:
    await driver.press("q", "down")


def test_choices(snap_compare: Compare) -> None:
    assert snap_compare(app(), terminal_size=(80, 24), run_before=before(leaving))


async def filtering(driver: Driver) -> None:
    await driver.press("4", "f")
    await driver.type("is:head")
    await driver.press("x", "x", "slash")


def test_hex_filter_and_a_question(snap_compare: Compare) -> None:
    assert snap_compare(app(), terminal_size=(120, 30), run_before=before(filtering))


def test_hostile(snap_compare: Compare, tmp_path: Path) -> None:
    texts = [token[:60].decode("utf-8", "replace") for token in HOSTILE.values()]
    source = corpus_file(tmp_path, *(f"{text} {text}" for text in texts), name=f"{'[/x]'.replace('/', '.')}\u202e.json")

    async def act(driver: Driver) -> None:
        await driver.press("2", "down", "1")
        assert show("\u202e".encode()).plain in driver.screen_text()

    assert snap_compare(app(source), terminal_size=(120, 30), run_before=before(act, rank=60))

"""How the widgets look: layout, focus, marks and cursor, with hostile tokens everywhere."""

from collections.abc import Callable

import pytest
from demo import Demo
from looks import looking
from textual.pilot import Pilot

from bpe_tui.text.glyphs import Look

Compare = Callable[..., bool]


async def settle(pilot: Pilot[None]) -> None:
    """A cursor inside each table, the focus in the first."""
    assert isinstance(pilot.app, Demo)
    pilot.app.table("one").select(4)
    pilot.app.table("two").select(3)
    await pilot.pause()


async def ask(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("slash")


@pytest.mark.parametrize("size", [(50, 20), (80, 24), (120, 30)])
def test_sizes(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Demo(), terminal_size=size, run_before=settle)


def test_prompt(snap_compare: Compare) -> None:
    assert snap_compare(Demo(), run_before=ask)


def test_no_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(Demo(), run_before=settle)


def test_ascii(snap_compare: Compare) -> None:
    with looking(Look(ascii=True)):
        assert snap_compare(Demo(), run_before=settle)


async def test_ascii_is_ascii() -> None:
    with looking(Look(ascii=True)):
        app = Demo()
        async with app.run_test() as pilot:
            await ask(pilot)
            await pilot.pause()
            assert all(line.isascii() and line.isprintable() for line in app.text())

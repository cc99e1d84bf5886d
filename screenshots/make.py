"""Make the screenshots from the real app: `python screenshots/make.py`.

The app runs headless with its real worker on `examples/corpus.json`; a picture is taken when the view of the wished
rank has arrived, never after a pause. SVG files come from Textual. With `--png` the README's picture is drawn by
headless Chromium too; on Debian: `apt install chromium fonts-firacode fonts-noto-core fonts-noto-cjk`.
"""

import argparse
import asyncio
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len
from textual.pilot import Pilot

from bpe_tui.app.app import BpeTui
from bpe_tui.app.explorer import Explorer
from bpe_tui.request import OpenRequest
from bpe_tui.views.step_view import StepView
from engine.corpus.open import CorpusOptions
from engine.profiles import profile

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CORPUS = "examples/corpus.json"
SCALE = 0.58
"""Pixels of the PNG to one of the SVG: readable in a README, and small."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its file's name, the terminal's size, the keys pressed before it, and whether a PNG is kept too."""

    name: str
    size: tuple[int, int]
    keys: Sequence[str]
    png: bool = False


def go_to(place: str) -> list[str]:
    """The keys that go to a place of the time line."""
    return ["t", *place, "enter"]


def find(text: str) -> list[str]:
    """The keys that find a text in the focused pane."""
    return ["slash", *text, "enter"]


SHOTS = (
    Shot("80x24", (80, 24), [*go_to("240"), *go_to("200"), "3", "up"]),
    Shot("200x50", (200, 50), [*go_to("240"), *go_to("200"), "4", *find("light")], png=True),
)


async def take(shot: Shot) -> str:
    """The picture of one shot, as SVG."""
    default = profile("course")
    request = OpenRequest(CORPUS, None, False, CorpusOptions(), default.policy, default.limits, "auto")
    app = BpeTui(request)
    async with app.run_test(size=shot.size) as pilot:
        await settled(pilot)
        for key in shot.keys:
            await pilot.press(key)
            await settled(pilot)
        return with_cell_widths(app.export_screenshot(title="bpe-tui"))


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the rank that was asked for is reached, and a view that was built after all keys is drawn."""
    await pilot.pause()
    explorer = pilot.app.screen
    assert isinstance(explorer, Explorer)
    while not explorer.is_open or explorer.desk.view.rank != explorer.desk.wished:
        await pilot.pause()
    old_views: list[StepView] = []
    # The worker answers in order, and builds a new view after every job.
    explorer.ask_worker("picture", lambda run: None, lambda _: old_views.append(explorer.desk.view))
    while not old_views or explorer.desk.view is old_views[0]:
        await pilot.pause()


def with_cell_widths(svg: str) -> str:
    """The SVG with each text as long as its cells; the export counts characters, and wide ones take two cells."""

    def stretched(match: re.Match[str]) -> str:
        text = html.unescape(match["text"])
        length = float(match["length"]) * cell_len(text) / len(text)
        return f'textLength="{length:g}"{match["between"]}>{match["text"]}</text>'

    return re.sub(r'textLength="(?P<length>[\d.]+)"(?P<between>[^>]*)>(?P<text>[^<]+)</text>', stretched, svg)


def draw_png(svg: Path, png: Path) -> None:
    """Draw an SVG file with headless Chromium.

    Raises:
        SystemExit: when no Chromium is installed.
    """
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None:
        raise SystemExit(f"no Chromium found: install one of {', '.join(CHROMIUM)}, or leave out --png")
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text())[0])
    command = [
        browser, "--headless", "--no-sandbox", "--hide-scrollbars", f"--force-device-scale-factor={SCALE}",
        "--default-background-color=00000000", f"--window-size={round(width)},{round(height)}", f"--screenshot={png}",
        svg.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    """Take every shot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--png", action="store_true", help="draw the README's PNG too; needs Chromium")
    args = parser.parse_args()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state  # no recovery snapshot of the user's may show
        for shot in SHOTS:
            svg = HERE / f"{shot.name}.svg"
            svg.write_text(asyncio.run(take(shot)))
            if args.png and shot.png:
                draw_png(svg, svg.with_suffix(".png"))


if __name__ == "__main__":
    main()

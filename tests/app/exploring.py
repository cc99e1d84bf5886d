"""The real app on a small corpus, driven by keys; what it shows is waited for, never slept for."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from bpe_tui.app.app import BpeTui
from bpe_tui.app.explorer import Explorer
from bpe_tui.app.widgets.news import News
from bpe_tui.app.widgets.prompt import SafeInput
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.request import OpenRequest
from bpe_tui.views.request import PaneName
from engine.corpus.open import CorpusOptions
from engine.limits import Limits
from engine.policy import Policy
from engine.trainer import Merge
from sessions.store import holds_session

PATIENCE_S = 60
"""An app that hears nothing from its worker for so long is stuck."""


class WatchedApp(BpeTui):
    """The app, with a word whenever its explorer has heard the worker; see `conftest.listening`."""

    def __init__(self, request: OpenRequest) -> None:
        super().__init__(request)
        self.heard = asyncio.Event()


def corpus_file(folder: Path, *texts: str, held_out: Sequence[str] = (), name: str = "corpus.json") -> Path:
    """A JSON corpus of these documents, named d0, d1, … and h0, h1, …"""
    records = [{"id": f"d{i}", "text": text} for i, text in enumerate(texts)]
    records += [{"id": f"h{i}", "text": text, "split": "validation"} for i, text in enumerate(held_out)]
    path = folder / name
    path.write_text(json.dumps(records))
    return path


def request_of(source: Path, policy: Policy | None = None, options: CorpusOptions | None = None) -> OpenRequest:
    """What the command line asks for, with every default."""
    return OpenRequest(
        source=str(source),
        data=None,
        is_session=holds_session(source),
        options=options or CorpusOptions(),
        policy=policy or Policy(),
        limits=Limits(),
        kernel="auto",
    )


class Driver:
    """Keys in, values out."""

    def __init__(self, pilot: Pilot[int]) -> None:
        self.pilot = pilot
        assert isinstance(pilot.app, WatchedApp)
        self.app = pilot.app

    @property
    def explorer(self) -> Explorer:
        """The explorer under whatever is on top of it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, Explorer))

    @property
    def is_plain(self) -> bool:
        """Whether nothing is on top of the explorer."""
        return self.app.screen is self.explorer

    @property
    def rank(self) -> int:
        """The rank of the view."""
        return self.explorer.desk.view.rank

    @property
    def news(self) -> str:
        """The words over the key line, if any."""
        return self.explorer.query_one(News).words.plain

    async def learned(self) -> list[Merge]:
        """Every known merge, asked for in the worker."""
        found: list[Merge] = []
        self.explorer.ask_worker("learned", lambda run: list(run.trainer.merges), found.extend)  # type: ignore[arg-type]
        await self.settled()
        return found

    async def press(self, *keys: str) -> None:
        """Press keys, then wait until all that they asked for is on screen."""
        await self.pilot.press(*keys)
        await self.settled()

    async def do(self, *actions: str) -> None:
        """Run actions by id, as their keys do, then wait likewise."""
        for action in actions:
            self.explorer.action_run(action)
            await self.settled()

    async def type(self, text: Iterable[str]) -> None:
        """Write into the prompt and send it; a long text costs no more than a short one."""
        await self.pilot.pause()
        field = self.app.screen.query_one(SafeInput)
        field.value = ""
        field.insert_text_at_cursor("".join(text))
        await self.press("enter")

    async def settled(self) -> None:
        """Wait until the worker has done all that was wished for, and the view of it is drawn."""
        await self.pilot.pause()
        while not self._is_settled():
            self.app.heard.clear()
            await asyncio.wait_for(self.app.heard.wait(), PATIENCE_S)
            await self.pilot.pause()

    def _is_settled(self) -> bool:
        if self.app._exit:
            return True
        explorer = next((s for s in self.app.screen_stack if isinstance(s, Explorer)), None)
        if explorer is None:
            return False
        worker, desk = explorer.worker, explorer.desk
        return (
            explorer.is_open
            and not explorer._answers
            and worker._target is None
            and desk.view.rank == desk.wished
            and desk.view.request == worker._request
        )

    def table(self, name: PaneName) -> VirtualTable:
        """A pane that is a table."""
        return self.explorer.query_one(f"#{name}", VirtualTable)

    def screen_text(self) -> str:
        """The screen as the terminal gets it, without styles."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)


@asynccontextmanager
async def exploring(
    source: Path | OpenRequest, size: tuple[int, int] = (80, 24), policy: Policy | None = None
) -> AsyncIterator[Driver]:
    """The app, open and settled; a corpus that is refused leaves it ended instead."""
    request = source if isinstance(source, OpenRequest) else request_of(source, policy)
    app = WatchedApp(request)
    async with app.run_test(size=size) as pilot:
        driver = Driver(pilot)
        await driver.settled()
        yield driver

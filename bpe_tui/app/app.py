"""The application: one explorer screen, its theme, and the ways to leave."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterable
from typing import ClassVar, NoReturn

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import NoColor
from textual.screen import Screen

from bpe_tui.app.commands import Actions, Palette
from bpe_tui.app.config import Config, load_config
from bpe_tui.app.ending import ENDINGS, end_in_time, give_terminal_back
from bpe_tui.app.explorer import Explorer
from bpe_tui.request import Appearance, OpenRequest
from bpe_tui.text.glyphs import choose
from engine.errors import Refusal
from engine.quoting import quoted

CTRL_C_S = 2.0
"""Ctrl+c twice within this time leaves."""
CRASH_S = 2.0
"""How long a crash waits for the work to be kept."""


class BpeTui(App[int]):
    """The terminal explorer of BPE training."""

    TITLE = "bpe-tui"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar = {Actions}
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True)]

    def __init__(self, request: OpenRequest, config: Config | None = None) -> None:
        super().__init__()
        if self.no_color:  # the framework's greys are colours too
            self._filters = [NoColor()]
        config = config or Config()
        if config.theme is not None:
            if config.theme not in self.available_themes:
                raise Refusal(f"theme {quoted(config.theme)} is unknown: choose {', '.join(self.available_themes)}")
            self.theme = config.theme
        self.set_keymap(dict(config.keys))
        self._keys = dict(config.keys)
        self._request = request
        self._interrupted = 0.0
        self.refusal = ""

    def on_mount(self) -> None:
        """Show the explorer; when the system ends the program, work is kept first."""
        self.push_screen(Explorer(self._request, self._keys))
        for end in ENDINGS:
            asyncio.get_running_loop().add_signal_handler(end, self._end, end)

    @property
    def _unsaved(self) -> Explorer | None:
        """The explorer, if it has work that no session file has."""
        explorer = next((s for s in self.screen_stack if isinstance(s, Explorer)), None)
        return explorer if explorer is not None and explorer.is_open and explorer.desk.dirty else None

    def _end(self, end: signal.Signals) -> None:
        """Keep the work, then leave; a hang-up leaves nothing to draw on, and so nothing to wait for."""
        code, unsaved = 128 + end, self._unsaved
        end_in_time(code, lambda: give_terminal_back(getattr(self._driver, "attrs_before", None)))

        def leave(why: str) -> None:
            self.refusal = why
            self.exit(code)

        if end == signal.SIGHUP:
            if unsaved is None:
                os._exit(code)
            unsaved.work.keep_recovery_and_die(code)
        elif unsaved is not None:
            unsaved.work.keep_recovery(leave)
        else:
            leave("")

    def _handle_exception(self, error: Exception) -> None:
        """Keep the work before a fault of the program is shown."""
        unsaved = self._unsaved
        if unsaved is not None:
            why = unsaved.work.keep_recovery_at_once(CRASH_S)
            self.refusal = why or "the work is kept: open the corpus again, then c goes on"
        super()._handle_exception(error)

    def on_explorer_not_opened(self, message: Explorer.NotOpened) -> None:
        """Nothing to explore: leave, and say why where the terminal keeps it."""
        self.refusal = message.words
        self.exit(1)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """None of the framework's own: the registry of actions is the one list."""
        return ()

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    async def action_quit(self) -> None:
        """Ctrl+q, which the framework binds before any screen: leave as `q` does, whatever is on top."""
        while len(self.screen_stack) > 1 and not isinstance(self.screen, Explorer):
            self.workers.cancel_node(self.screen)  # the palette may still be gathering
            await self.pop_screen()
        if isinstance(self.screen, Explorer):
            self.screen.work.leave()
        else:
            self.exit(0)

    async def action_interrupt(self) -> None:
        """Ctrl+c: leave when pressed twice, and say so the first time."""
        now = time.monotonic()
        if now - self._interrupted < CTRL_C_S:
            await self.action_quit()
            return
        self._interrupted = now
        self.notify("press ctrl+c again, or q, to leave", markup=False, timeout=CTRL_C_S)


def run(request: OpenRequest, appearance: Appearance) -> NoReturn:
    """Run the app on a request, with the user's settings, and end the process.

    Its exit code is 0, or 1 when the corpus or session was refused (the reason stands on standard error).

    Raises:
        Refusal: for settings or a theme that cannot be used.
    """
    config = load_config().with_flags(appearance)
    choose(config.look)
    app = BpeTui(request, config)
    code = app.run(mouse=config.mouse)
    if app.refusal:
        print(f"bpe-tui: {app.refusal}", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    # Taking a large run apart object by object would hold the shell's prompt back.
    os._exit(code or app.return_code or 0)

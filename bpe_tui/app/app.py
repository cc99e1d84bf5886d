"""The application: one explorer screen, its theme, and the ways to leave."""

import sys
import time
from collections.abc import Iterable
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from bpe_tui.app.commands import Actions
from bpe_tui.app.explorer import Explorer
from bpe_tui.request import OpenRequest

CTRL_C_S = 2.0
"""Ctrl+c twice within this time leaves."""


class BpeTui(App[int]):
    """The terminal explorer of BPE training."""

    TITLE = "bpe-tui"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar = {Actions}
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True)]

    def __init__(self, request: OpenRequest) -> None:
        super().__init__()
        self._request = request
        self._interrupted = 0.0
        self.refusal = ""

    def on_mount(self) -> None:
        """Show the explorer."""
        self.push_screen(Explorer(self._request))

    def on_explorer_not_opened(self, message: Explorer.NotOpened) -> None:
        """Nothing to explore: leave, and say why where the terminal keeps it."""
        self.refusal = message.words
        self.exit(1)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """None of the framework's own: the registry of actions is the one list."""
        return ()

    def action_interrupt(self) -> None:
        """Ctrl+c: leave when pressed twice, and say so the first time."""
        now = time.monotonic()
        explorer = next((s for s in self.screen_stack if isinstance(s, Explorer)), None)
        if explorer is None or now - self._interrupted < CTRL_C_S:
            if explorer is None:
                self.exit(0)
            else:
                explorer.work.leave()
            return
        self._interrupted = now
        self.notify("press ctrl+c again, or q, to leave", markup=False, timeout=CTRL_C_S)


def run(request: OpenRequest) -> int:
    """Run the app on a request.

    Returns:
        The exit code: 0, or 1 when the corpus or session was refused (the reason stands on standard error).
    """
    app = BpeTui(request)
    code = app.run()
    if app.refusal:
        print(f"bpe-tui: {app.refusal}", file=sys.stderr)
    return code or app.return_code or 0

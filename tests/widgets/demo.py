"""A small app around the widgets, whose worker answers every wish for rows at once."""

from collections.abc import Callable
from typing import ClassVar

from hostile import HOSTILE
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message

from bpe_tui.app.widgets.key_bar import Hint, KeyBar
from bpe_tui.app.widgets.prompt import Prompt
from bpe_tui.app.widgets.status_line import Status, StatusLine
from bpe_tui.app.widgets.time_line import Time, TimeLine
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.text.cells import Mode, show, show_str
from bpe_tui.text.safe import SafeText
from bpe_tui.views.table_view import Column, Row, TableView

label = SafeText.label
TOKENS = tuple(HOSTILE.values())
COLUMNS = (
    Column(label("rank"), 7, "right"),
    Column(label("token"), 8, flexible=True),
    Column(label("bytes"), 9, optional=True),
    Column(label("count"), 9, "right"),
)


def row(index: int) -> Row:
    """A row about one hostile token; the fourth has just been made, the second wins, the seventh warns."""
    token = TOKENS[index % len(TOKENS)]
    cells = (
        label(f"{index:,}"),
        show(token, width=40),
        show(token, Mode.HEX, width=9),
        label(f"{10**6 - index:,}"),
    )
    if index == 1:
        return Row(cells, index, label("▸"), "winner")
    if index == 3:
        return Row(cells, index, label("▶"), "new")
    return Row(cells, index, style="warning" if index == 6 else "future" if index > 8 else "normal")


def window(offset: int, count: int, total: int, key: Callable[[int], Row] = row) -> TableView:
    """Rows [offset, offset + count) of `total`."""
    rows = tuple(key(i) for i in range(offset, min(offset + count, total)))
    return TableView(COLUMNS, rows, offset, total, header=True, nothing=label("no pair left"))


class Demo(App[None]):
    """Two tables and every one-line widget."""

    CSS = """
    Screen { layout: vertical; }
    Horizontal { height: 1fr; }
    VirtualTable { width: 1fr; height: 1fr; }
    Prompt { height: 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("q", "quit", "Quit"),
        ("e", "to_the_end", "End"),
        ("slash", "ask", "Find"),
    ]

    def __init__(self, total: int = 1_000_000, answer: bool = True) -> None:
        super().__init__()
        self.total = total
        self.answer = answer
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield StatusLine()
        with Horizontal():
            yield VirtualTable(id="one")
            yield VirtualTable(id="two")
        yield TimeLine()
        yield Prompt()
        yield KeyBar()

    def on_mount(self) -> None:
        for name in ("one", "two"):
            table = self.query_one(f"#{name}", VirtualTable)
            table.view = window(0, 50, self.total)
            table.set_titles(label(f"{name} · ") + show(TOKENS[1]), show_str("[/x] \x1b]0;owned\x07"))
        self.query_one("#one").focus()
        self.query_one(StatusLine).status = Status(
            show_str("[@click=app.quit]\x1b[2J\u202e.txt"),
            (label("1.1 MB"), label("1,003,854 bytes · 25,670 unique words")),
            (label("text mode"), label("theme textual-dark")),
            unsaved=True,
            activity=label("PAUSED"),
        )
        self.query_one(TimeLine).time = Time(512, 4096, 8192, label("3.02 B/tok"))
        bar = self.query_one(KeyBar)
        bar.hints = tuple(
            Hint(label(key), label(words), words)
            for key, words in [
                ("←→", "step"),
                ("L/H", "±10"),
                ("space", "play"),
                ("t", "go to"),
                ("/", "find"),
                ("e", "encode"),
                (":", "cmds"),
            ]
        )
        bar.pinned = (Hint(label("?"), label("help"), "help"), Hint(label("q"), label("quit"), "quit"))

    def table(self, name: str = "one") -> VirtualTable:
        return self.query_one(f"#{name}", VirtualTable)

    def text(self) -> list[str]:
        """The screen's lines as the terminal gets them, without styles."""
        return ["".join(segment.text for segment in strip) for strip in self.screen._compositor.render_strips()]

    def action_to_the_end(self) -> None:
        self.table().end()

    def action_ask(self) -> None:
        self.query_one(Prompt).ask("find", label("find: "), "[/x]\x1b]0;owned\x07")

    def on_virtual_table_window_wanted(self, message: VirtualTable.WindowWanted) -> None:
        self.heard.append(message)
        if self.answer:
            message.table.view = window(message.offset, message.count, self.total)

    def on_virtual_table_cursor_moved(self, message: VirtualTable.CursorMoved) -> None:
        self.heard.append(message)

    def on_virtual_table_chosen(self, message: VirtualTable.Chosen) -> None:
        self.heard.append(message)

    def on_time_line_sought(self, message: TimeLine.Sought) -> None:
        self.heard.append(message)

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        self.heard.append(message)

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        self.heard.append(message)
        self.query_one(TimeLine).time = Time(512, 4096, 8192, label("answered"))

    def on_prompt_cancelled(self, message: Prompt.Cancelled) -> None:
        self.heard.append(message)


if __name__ == "__main__":
    Demo().run()

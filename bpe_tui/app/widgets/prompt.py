"""A question of one line, docked above the keys: go to, find, filter."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input

from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.cells import spell
from bpe_tui.text.safe import EMPTY, SafeText


class SafeInput(Input):
    """An input whose value can always be drawn, and read by `unshow`: what is typed or pasted is spelled so."""

    DEFAULT_CSS = """
    SafeInput:nocolor > .input--cursor { text-style: reverse; }
    """

    def __init__(self, leave: Mapping[str, Callable[[], object]]) -> None:
        """Some keys leave it, by what they call."""
        super().__init__(compact=True, select_on_focus=False)
        self._leave = leave
        self.cursor_blink = False  # no timer runs and nothing is written while nobody types

    def on_key(self, event: Key) -> None:
        """Leave at once, not when bindings are looked at: a key typed right behind is for what has the focus then."""
        if self.screen.focused is not self:
            self.app.post_message(Key(event.key, event.character))
        elif event.key in self._leave:
            self._leave[event.key]()
        else:
            return
        event.stop()
        event.prevent_default()

    def replace(self, text: str, start: int, end: int) -> None:
        """Every key, paste and deletion comes through here."""
        super().replace(spell(text), start, end)


class PromptLabel(OneLine):
    """The question."""

    text: reactive[SafeText] = reactive(EMPTY, init=False)

    def watch_text(self, text: SafeText) -> None:
        """Take as many cells as the text needs."""
        self.styles.width = text.width

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """The text."""
        yield self.text, ()


class Prompt(Horizontal):
    """Hidden until asked for; then it takes the focus, and gives it back when it is answered or cancelled."""

    DEFAULT_CSS = """
    Prompt {
        height: 1;
        display: none;
        background: $panel;
        &.-open { display: block; }
    }
    """

    @dataclass
    class Submitted(Message):
        """The question was answered; `value` is spelled as the display spells data."""

        purpose: str
        value: str

    @dataclass
    class Cancelled(Message):
        """The question was left unanswered."""

        purpose: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._purpose = ""
        self._back_to: Widget | None = None

    def compose(self) -> ComposeResult:
        """Label and field."""
        yield PromptLabel()
        yield SafeInput({"enter": self._submit, "escape": self.cancel})

    @property
    def is_open(self) -> bool:
        """Whether a question is being asked."""
        return self.has_class("-open")

    def ask(self, purpose: str, label: SafeText, value: str = "") -> None:
        """Ask a question.

        Args:
            purpose: comes back with the answer.
            label: the question itself.
            value: the answer to start from.
        """
        if not self.is_open:
            self._back_to = self.screen.focused
        self._purpose = purpose
        self.query_one(PromptLabel).text = label
        field = self.query_one(SafeInput)
        field.value = spell(value)
        field.cursor_position = len(field.value)
        self.add_class("-open")
        self.screen.set_focus(field)  # at once: the next key is for the answer

    def _submit(self) -> None:
        self._close()
        self.post_message(self.Submitted(self._purpose, self.query_one(SafeInput).value))

    @on(Input.Changed)
    def _keep_inside(self, event: Input.Changed) -> None:
        event.stop()

    def cancel(self) -> None:
        """Close without an answer."""
        self._close()
        self.post_message(self.Cancelled(self._purpose))

    def _close(self) -> None:
        self.remove_class("-open")
        if self._back_to is not None and self._back_to.is_attached:
            self.screen.set_focus(self._back_to)  # at once, so that an answer may move the focus on
        self._back_to = None

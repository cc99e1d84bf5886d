"""Every action of the explorer, once: its id, keys, words and what it does.

Bindings, the key bar, the help page, the palette and the user's keymap are all made from this list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.binding import Binding

from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import SafeText
from bpe_tui.views.request import PaneName

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do.

    Attributes:
        id: stable name, `group.verb`; the keymap and bindings refer to it.
        keys: Textual key names, the one to show first.
        words: short words for the key bar and the palette.
        help: one sentence.
        run: does it.
        bar: place in the key bar, the smallest first; None stays out.
    """

    id: str
    keys: tuple[str, ...]
    words: str
    help: str
    run: Callable[["Explorer"], object]
    bar: int | None = None

    @property
    def group(self) -> str:
        """The part of the id before the point."""
        return self.id.partition(".")[0]


def _move(delta: int) -> Callable[["Explorer"], object]:
    return lambda x: x.travel.by(delta)


def _focus(name: PaneName) -> Callable[["Explorer"], object]:
    return lambda x: x.panes.focus(name)


ACTIONS: tuple[Action, ...] = (
    Action("step.next", ("right", "l", "full_stop"), "step", "Apply the next merge.", _move(1), 0),
    Action("step.previous", ("left", "h", "comma"), "back", "Undo the last merge.", _move(-1), 1),
    Action("step.next-ten", ("L", "shift+right"), "+10", "Apply ten merges.", _move(10), 6),
    Action("step.previous-ten", ("H", "shift+left"), "-10", "Undo ten merges.", _move(-10), 7),
    Action("step.next-hundred", ("right_square_bracket",), "+100", "Apply a hundred merges.", _move(100)),
    Action("step.previous-hundred", ("left_square_bracket",), "-100", "Undo a hundred merges.", _move(-100)),
    Action("step.next-thousand", ("right_curly_bracket",), "+1000", "Apply a thousand merges.", _move(1000)),
    Action("step.previous-thousand", ("left_curly_bracket",), "-1000", "Undo a thousand merges.", _move(-1000)),
    Action("step.first", ("0",), "first", "Go to rank 0, before any merge.", lambda x: x.travel.start()),
    Action("step.last", ("dollar_sign",), "last", "Go to the last known merge.", lambda x: x.travel.to_last()),
    Action("step.play", ("space",), "play", "Let time run, or stop it.", lambda x: x.travel.toggle(), 2),
    Action("step.faster", ("plus", "equals_sign"), "faster", "Play faster.", lambda x: x.travel.faster(1)),
    Action("step.slower", ("minus",), "slower", "Play slower.", lambda x: x.travel.faster(-1)),
    Action(
        "step.go-to",
        ("t",),
        "go to",
        'Go to a rank (512), by steps (+50, -50), to a share (25%), to the end (end), or to the merge that made a '
        'token ("the").',
        lambda x: x.ask("go-to"),
        3,
    ),
    Action("step.bookmark", ("m",), "mark", "Set or remove a bookmark at this rank.", lambda x: x.travel.mark()),
    Action(
        "step.next-bookmark", ("apostrophe",), "next mark", "Go to the next bookmark.", lambda x: x.travel.to_mark()
    ),
    Action("pane.next", ("tab",), "next pane", "Move the focus to the next pane.", lambda x: x.panes.focus_next(1)),
    Action("pane.previous", ("shift+tab",), "previous pane", "Move it back.", lambda x: x.panes.focus_next(-1)),
    Action("pane.stream", ("1",), "stream", "Live token sequences.", _focus(PaneName.STREAM)),
    Action("pane.pairs", ("2",), "pairs", "Pair counts.", _focus(PaneName.PAIRS)),
    Action("pane.merges", ("3",), "merges", "The merge list.", _focus(PaneName.MERGES)),
    Action("pane.vocab", ("4",), "vocab", "Vocabulary entries.", _focus(PaneName.VOCAB)),
    Action("pane.inspect", ("5",), "inspect", "The row under the cursor, explained.", _focus(PaneName.INSPECT)),
    Action("pane.held-out", ("6",), "held-out", "A held-out text, encoded.", _focus(PaneName.HELD_OUT)),
    Action("pane.stats", ("7",), "stats", "Numbers of the run.", _focus(PaneName.STATS)),
    Action(
        "pane.zoom", ("z",), "zoom",
        "Give this pane the whole screen, or take it back.",
        lambda x: x.panes.zoom(), 11,
    ),
    Action("row.down", ("down", "j"), "down", "Move down.", lambda x: x.panes.move(1)),
    Action("row.up", ("up", "k"), "up", "Move up.", lambda x: x.panes.move(-1)),
    Action("row.page-down", ("pagedown",), "page down", "Move down a screen.", lambda x: x.panes.page(1)),
    Action("row.page-up", ("pageup",), "page up", "Move up a screen.", lambda x: x.panes.page(-1)),
    Action("row.top", ("g", "home"), "top", "Move to the first row.", lambda x: x.panes.to_edge(-1)),
    Action("row.bottom", ("G", "end"), "bottom", "Move to the last row.", lambda x: x.panes.to_edge(1)),
    Action("row.next-token", ("w",), "next token", "In the stream: the next token.", lambda x: x.panes.move_token(1)),
    Action(
        "row.previous-token", ("b",), "previous token",
        "In the stream: the one before.",
        lambda x: x.panes.move_token(-1),
    ),
    Action(
        "row.inspect",
        ("enter",),
        "inspect",
        "Pin the row under the cursor in the inspector; again: give the inspector the screen.",
        lambda x: x.inspect(),
        5,
    ),
    Action(
        "row.find",
        ("slash",),
        "find",
        r"Find text, bytes (\xE6) or an expression (re:...) in this pane.",
        lambda x: x.ask("find"),
        4,
    ),
    Action("row.find-next", ("n",), "next", "Find again.", lambda x: x.panes.find_again(1)),
    Action("row.find-previous", ("N",), "previous", "Find backwards.", lambda x: x.panes.find_again(-1)),
    Action(
        "row.filter",
        ("f",),
        "filter",
        r"Show only rows of this table that hold a text, bytes (\xE6), an expression (re:...) or a class (is:head).",
        lambda x: x.ask("filter"),
        9,
    ),
    Action("row.sort", ("s",), "sort", "Put this table into its next order.", lambda x: x.panes.sort(), 10),
    Action("row.reverse", ("S",), "reverse", "Turn this table's order around.", lambda x: x.panes.reverse()),
    Action(
        "view.document", ("d",), "next document",
        "Next document in the stream or held-out pane.",
        lambda x: x.panes.document(1),
    ),
    Action("view.previous-document", ("D",), "previous document", "The one before.", lambda x: x.panes.document(-1)),
    Action(
        "view.occurrence",
        ("v",),
        "where",
        "In the stream: the next place of the pair or token inspected, or of the next merge.",
        lambda x: x.panes.occurrence(),
    ),
    Action(
        "view.mode", ("x",), "text/hex",
        "Spell bytes as text, escapes, hex or GPT-2 letters.",
        lambda x: x.panes.next_mode(), 8,
    ),
    Action("copy.here", ("y",), "copy", "Copy what is under the cursor.", lambda x: x.work.copy("text"), 12),
    Action(
        "copy.as", ("Y",), "copy as",
        "Copy it as text, Python bytes, hex, ids or a row.",
        lambda x: x.work.choose_copy(),
    ),
    Action(
        "session.encode", ("e",), "encode",
        "Encode a text of yours with the merges applied now.",
        lambda x: x.ask("encode"), 13,
    ),
    Action("session.save", ("ctrl+s", "W"), "save", "Save the session.", lambda x: x.work.save(), 14),
    Action("session.save-as", (), "save as", "Save the session under another name.", lambda x: x.work.ask_name()),
    Action(
        "session.export", ("E",), "export",
        "Export the tokenizer or its merges.",
        lambda x: x.work.choose_export(), 15,
    ),
    Action(
        "session.compare", ("C",), "compare",
        "Compare the known merges with a profile's, a policy line's or a file's on this corpus.",
        lambda x: x.ask("compare"),
    ),
    Action("session.open", ("o",), "open", "Open another corpus or session.", lambda x: x.ask("open")),
    Action(
        "session.continue", ("c",), "continue",
        "Go on where an earlier run of this corpus ended unsaved.",
        lambda x: x.work.go_on(),
    ),
    Action("session.forget", (), "forget", "Forget the earlier run that ended unsaved.", lambda x: x.work.forget()),
    Action(
        "view.choose-document", (), "choose document",
        "Choose the document that the stream shows.",
        lambda x: x.panes.choose_document(),
    ),
    Action(
        "session.audit", ("A",), "audit",
        "Recount everything and compare with the kept counts.",
        lambda x: x.audit(),
    ),
    Action(
        "app.palette", ("colon", "ctrl+p"), "commands",
        "All commands, by name.",
        lambda x: x.app.action_command_palette(), 16,
    ),
    Action("app.help", ("question_mark", "f1"), "help", "Help for this pane, and all keys.", lambda x: x.help()),
    Action("app.theme", (), "theme", "Choose a theme.", lambda x: x.app.action_change_theme()),
    Action("app.quit", ("q", "ctrl+q"), "quit", "Leave; asks once if there is unsaved work.", lambda x: x.work.leave()),
    Action("app.cancel", ("escape",), "cancel", "Stop what is going on, or close the top layer.", lambda x: x.peel()),
)  # fmt: skip

BY_ID = {action.id: action for action in ACTIONS}

PINNED = ("app.help", "app.quit")
"""Hints that the key bar lays out first."""

_KEY_NAMES = {
    "right": "→", "left": "←", "up": "↑", "down": "↓", "full_stop": ".", "comma": ",", "slash": "/", "colon": ":",
    "question_mark": "?", "plus": "+", "equals_sign": "=", "minus": "-", "dollar_sign": "$", "apostrophe": "'",
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
    "escape": "Esc", "enter": "Enter", "space": "Space", "tab": "Tab", "shift+tab": "shift+Tab",
    "shift+right": "shift+→", "shift+left": "shift+←", "pagedown": "PgDn", "pageup": "PgUp", "home": "Home",
    "end": "End", "f1": "F1",
}  # fmt: skip


def key_text(key: str) -> SafeText:
    """A key as it is written on the keyboard; one from the user's settings may be anything."""
    name = _KEY_NAMES.get(key)
    return show_str(key) if name is None else SafeText.label(name)


def keys_of(action: Action, keymap: Mapping[str, str]) -> tuple[SafeText, ...]:
    """The keys of an action, the user's own in place of the built-in ones."""
    keys = keymap[action.id].split(",") if action.id in keymap else action.keys
    return tuple(key_text(key.strip()) for key in keys)


def bindings() -> list[Binding]:
    """The bindings of all actions; their ids are the actions'."""
    return [
        Binding(",".join(a.keys), f"run({a.id!r})", a.words, show=False, id=a.id, tooltip=a.help)
        for a in ACTIONS
        if a.keys
    ]

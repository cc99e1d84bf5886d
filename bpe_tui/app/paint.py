"""The words around the panes: titles, status line, time line, key bar."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bpe_tui.app.actions import ACTIONS, BY_ID, PINNED, keys_of
from bpe_tui.app.widgets.key_bar import Hint
from bpe_tui.app.widgets.status_line import Status
from bpe_tui.app.widgets.time_line import Time
from bpe_tui.model import SPEEDS, TABLES, Desk
from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.views.request import PaneName
from bpe_tui.views.spelling import counted, label
from engine.sizes import size_words

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer

WORDS = {
    PaneName.STREAM: "Stream",
    PaneName.PAIRS: "Pairs",
    PaneName.MERGES: "Merges",
    PaneName.VOCAB: "Vocab",
    PaneName.INSPECT: "Inspect",
    PaneName.HELD_OUT: "Held-out",
    PaneName.STATS: "Stats",
}
TAB_NAMES = tuple(label(f"{number} {words}") for number, words in enumerate(WORDS.values(), 1))


def pane_titles(screen: "Explorer", name: PaneName) -> tuple[SafeText, SafeText]:
    """What stands in a pane's upper and lower border."""
    desk, view = screen.desk, screen.desk.view
    title = label(f"{list(PaneName).index(name) + 1} {WORDS[name]}")
    match name:
        case PaneName.STREAM:
            shown = view.stream
            row = f" · row {shown.row + 1:,} of {shown.rows:,}" if shown.rows else ""
            per = f" · {shown.bytes / shown.tokens:.2f} B/tok" if shown.tokens else ""
            foot = label(f"{counted(shown.tokens, 'token')} on screen{per}") if shown.tokens else EMPTY
            return title + label(" · ") + shown.title + label(row), foot
        case PaneName.PAIRS | PaneName.MERGES | PaneName.VOCAB:
            query = desk.tables[name].filter
            rule = (
                label(f" · ties {screen.opened.policy.tie_break}")
                if name is PaneName.PAIRS and screen.is_open
                else EMPTY
            )
            return title + (label(" · filter ") + show_str(query) if query else rule), _table_foot(desk, name)
        case PaneName.HELD_OUT:
            return title + label(" · ") + view.held_out.title, label("d next · e encode · y copy ids")
        case PaneName.INSPECT:
            policy = show_str(str(screen.opened.policy), prose=True) if screen.is_open else EMPTY
            return title + label(" · pinned, Esc frees" if desk.pinned else ""), policy
        case PaneName.STATS:
            return title, EMPTY
    raise AssertionError(name)


def _table_foot(desk: Desk, name: PaneName) -> SafeText:
    request, view = desk.tables[name], desk.view
    table = {PaneName.PAIRS: view.pairs, PaneName.MERGES: view.merges, PaneName.VOCAB: view.vocab}[name]
    order = (request.sort or TABLES[name][0]) + (" reversed" if request.reverse else "")
    what = {
        PaneName.PAIRS: f"{counted(table.total, 'pair')}",
        PaneName.MERGES: f"{view.rank:,} of {view.learned:,} known",
        PaneName.VOCAB: f"{table.total:,} entries",
    }[name]
    return label(f"{what} · by {order}")


def status(screen: "Explorer") -> Status:
    """The status line."""
    desk = screen.desk
    if not screen.is_open:
        return Status(name=show_str(screen.source_name, prose=True), activity=screen.activity)
    opened = screen.opened
    corpus = opened.corpus
    held = f", {len(corpus.held_out):,} held out" if corpus.held_out else ""
    session = label("session ") + show_str(screen.session_path, prose=True) if screen.session_path else EMPTY
    facts = (
        label(size_words(corpus.source_bytes)),
        session,
        label(f"{counted(len(corpus.training), 'document')}{held}"),
        show_str(str(opened.policy), prose=True),
    )
    name = show_str(corpus.name, prose=True)
    views = (label(f"{desk.mode} mode"), label(desk.view.finished))
    return Status(name, tuple(f for f in facts if f), tuple(v for v in views if v), desk.dirty, label(_activity(desk)))


def _activity(desk: Desk) -> str:
    if desk.playing:
        return f"PLAYING {SPEEDS[desk.speed]:g}/s"
    if desk.wished != desk.view.rank:
        return f"WORKING to {desk.wished:,}, Esc stops"
    return "PAUSED"


def time(desk: Desk) -> Time:
    """The time line: how far the run is, of its budget or of what is known."""
    view = desk.view
    total = view.budget if view.budget is not None else max(view.learned, desk.wished)
    ratio = f"{view.bytes / view.tokens:.2f} B/tok" if view.tokens else ""
    return Time(view.rank, view.learned, total, label(ratio))


def key_hints(playing: bool, keymap: Mapping[str, str]) -> tuple[tuple[Hint, ...], tuple[Hint, ...]]:
    """The key bar's hints by priority, and those that are laid out first."""
    shown = sorted((a for a in ACTIONS if a.bar is not None), key=lambda a: a.bar or 0)

    def hint(id: str, words: str) -> Hint:
        return Hint(keys_of(BY_ID[id], keymap)[0], label(words), id)

    hints = tuple(hint(a.id, "pause" if a.id == "step.play" and playing else a.words) for a in shown)
    return hints, tuple(hint(id, BY_ID[id].words) for id in PINNED)

"""The explorer: the one screen of the program, between the worker's views and the panes that draw them."""

import math
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import DescendantFocus, Resize
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from bpe_tui.app.actions import BY_ID, bindings
from bpe_tui.app.control.comparing import compare
from bpe_tui.app.control.panes import Panes
from bpe_tui.app.control.travel import Travel
from bpe_tui.app.control.work import Work
from bpe_tui.app.paint import TAB_NAMES, key_hints, pane_titles, status, time
from bpe_tui.app.pane_area import PaneArea
from bpe_tui.app.screens.help import Help
from bpe_tui.app.widgets.key_bar import KeyBar
from bpe_tui.app.widgets.lines import LinesPane
from bpe_tui.app.widgets.news import News
from bpe_tui.app.widgets.pane import Pane
from bpe_tui.app.widgets.prompt import Prompt
from bpe_tui.app.widgets.status_line import StatusLine
from bpe_tui.app.widgets.stream import StreamPane
from bpe_tui.app.widgets.tab_strip import TabStrip
from bpe_tui.app.widgets.time_line import TimeLine
from bpe_tui.app.widgets.virtual_table import VirtualTable
from bpe_tui.model import TABLES, Desk
from bpe_tui.opening import OpenedRun, opener
from bpe_tui.request import OpenRequest
from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.views.request import PaneName, PlaceSubject, StreamRequest, Subject
from bpe_tui.views.spelling import counted, label
from bpe_tui.views.step_view import StepView
from bpe_tui.views.stream import build_stream
from bpe_tui.worker import Crashed, Done, Event, Job, Opened, Opening, Refused, Viewed, Worker
from engine.quoting import quoted
from engine.trainer import Audit
from sessions.atomic import Stamp
from sessions.locks import Hold
from sessions.targets import Written

AUTOSAVE_STEPS = 100
"""A recovery snapshot is kept when the run is this many merges away from the last one, on the way too."""
AUTOSAVE_S = 2.0
"""Seconds between two of them at least, ..."""
AUTOSAVE_SHARE = 20
"""... and so many times what the last one took, so that they eat no more than a twentieth of long learning."""
HEADER_ROWS = 10
"""Tables of so many lines spend one on headings."""
NEWS_S, REFUSAL_S = 2.5, 12.0
"""How long news stand."""

PROMPTS = {
    "go-to": 'go to (512, +50, 25%, end, "token"): ',
    "find": "find: ",
    "filter": "filter: ",
    "encode": "encode: ",
    "save": "save session as: ",
    "export": "export to: ",
    "open": "open: ",
    "compare": "compare with (profile, policy line or file): ",
}


class Explorer(Screen[None]):
    """Shows a run; every key goes through `action_run`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]
    DEFAULT_CSS = """
    Explorer { layout: vertical; layers: default news; }
    """

    class Said(Message):
        """The worker said something."""

        def __init__(self, worker: Worker, event: Event) -> None:
            super().__init__()
            self.worker = worker
            self.event = event

        def can_replace(self, message: Message) -> bool:
            """Only the newest progress of a worker matters."""
            return (
                isinstance(message, Explorer.Said)
                and isinstance(message.event, Opening)
                and isinstance(self.event, Opening)
                and message.worker is self.worker
            )

    class NotOpened(Message):
        """The corpus or session was refused."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(self, request: OpenRequest, keys: Mapping[str, str], recovering: bool = False) -> None:
        super().__init__()
        self.keys = keys
        self.request = request
        # The snapshot that this run goes on from; it goes once the work is saved or given up.
        self.recovered_from = Path(request.source) if recovering else None
        self._previous: OpenRequest | None = None
        self.desk = Desk()
        self.travel: Travel = Travel(self)
        self.panes: Panes = Panes(self)
        self.work: Work = Work(self)
        self.is_open = False
        self.session_path: str | None = None
        # The session's files as this run read or wrote them last: others' changes are seen by that.
        self.own: Written = {}
        self._hold: Hold | None = None
        self.activity = label("OPENING")
        self._answers: dict[str, Callable[[object], object]] = {}
        self._asked = 0
        self._kept_rank = 0
        self._keep_at = 0.0
        self._keep_timer: Timer | None = None
        self._news_timer: Timer | None = None
        self.opened: OpenedRun
        self.worker = self._new_worker(request)

    @property
    def source_name(self) -> str:
        """What is being opened."""
        return "standard input" if self.request.data is not None else self.request.source

    def restart(self, request: OpenRequest, recovering: bool = False) -> None:
        """Open something else in a fresh explorer; if that is refused, this run's source is opened again."""
        self._let_go()
        explorer = Explorer(request, self.keys, recovering)
        explorer._previous = self._way_back()
        self.app.switch_screen(explorer)

    def _way_back(self) -> OpenRequest:
        """What opens this run again: its session's file; a snapshot that it went on from may be gone by then."""
        if self.session_path is not None:
            return replace(self.request, source=self.session_path, data=None, is_session=True, corpus=None)
        if self.recovered_from is not None:
            return replace(self.request, source=self.opened.path, is_session=False, corpus=None)
        return self.request

    def _reopen_previous(self, previous: OpenRequest, words: str) -> None:
        explorer = Explorer(previous, self.keys)
        self.app.switch_screen(explorer)
        explorer.call_after_refresh(explorer.refuse, words)

    def _new_worker(self, request: OpenRequest) -> Worker:
        def tell(event: Event) -> None:
            self.post_message(Explorer.Said(worker, event))

        worker = Worker(opener(request), tell)
        return worker

    def compose(self) -> ComposeResult:
        """Status line, panes, prompt, time line, key line."""
        yield StatusLine()
        yield TabStrip()
        yield PaneArea(
            StreamPane(id=PaneName.STREAM),
            VirtualTable(id=PaneName.PAIRS),
            VirtualTable(id=PaneName.MERGES),
            VirtualTable(id=PaneName.VOCAB),
            LinesPane(id=PaneName.INSPECT),
            LinesPane(id=PaneName.HELD_OUT),
            LinesPane(id=PaneName.STATS),
        )
        yield Prompt()
        yield TimeLine()
        yield News()
        yield KeyBar()

    def on_mount(self) -> None:
        """Draw the frame, then open."""
        self.pane(PaneName.STREAM).focus()
        self.paint_lines()
        self.worker.start()

    def on_unmount(self) -> None:
        """Let the worker end."""
        self.worker.stop()
        self._let_go()

    def saved_as(self, path: str, stamp: Stamp) -> None:
        """The session is in a file now, which this run may replace from here on."""
        self.session_path, self.own = path, {**self.own, os.path.realpath(path): stamp}
        if self._hold is not None:
            self._hold.let_go()
        with suppress(BlockingIOError):  # somebody else was quicker to open it, and was not told
            self._hold = Hold(path)

    def _let_go(self) -> None:
        """Leave the session and the recovery snapshot to others."""
        if self._hold is not None:
            self._hold.let_go()
        if self.is_open:
            self.opened.recovery.let_go()

    # Parts

    @property
    def has_panes(self) -> bool:
        """Whether the panes are there: not before they are composed, nor once the screen goes."""
        return len(self.query(Pane)) == len(PaneName)

    @property
    def area(self) -> PaneArea:
        """The panes' container."""
        return self.query_one(PaneArea)

    def pane(self, name: PaneName) -> Pane:
        """A pane by name."""
        return self.query_one(f"#{name}", Pane)

    # Actions

    def action_run(self, id: str) -> None:
        """Do what a key, the key bar or the palette asks for."""
        if self.has_panes:
            self._hide_news()
            BY_ID[id].run(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a question is asked, or nothing is open yet, only leaving, help and cancelling work."""
        if action != "run":
            return True
        always = ("app.quit", "app.help", "app.cancel", "app.palette", "app.theme")
        if parameters[0] == "app.cancel" or (self.is_open and not self.query_one(Prompt).is_open):
            return True
        return parameters[0] in always

    def ask(self, purpose: str) -> None:
        """Ask a question in the prompt line."""
        start = {
            "find": self.desk.found.get(self.panes.name, ""),
            "filter": self.desk.tables[self.panes.name].filter if self.panes.name in TABLES else "",
            "save": self.session_path or f"{self.opened.corpus.name.rsplit('.', 1)[0]}.bpes",
            "export": self.work.export_name() if purpose == "export" else "",
        }.get(purpose, "")
        if purpose == "filter" and self.panes.name not in TABLES:
            self.tell(label("this pane is no table: 2, 3 and 4 are"))
            return
        self.query_one(Prompt).ask(purpose, label(PROMPTS[purpose]), start)

    @on(Prompt.Submitted)
    def _answered(self, event: Prompt.Submitted) -> None:
        answer: dict[str, Callable[[str], object]] = {
            "go-to": self.travel.answer,
            "find": self.panes.find,
            "filter": self.panes.filter,
            "encode": self.work.encode,
            "save": self.work.save_as,
            "export": self.work.export_to,
            "open": self.work.open,
            "compare": lambda name: compare(self, name),
        }
        answer[event.purpose](event.value)

    def peel(self) -> None:
        """Esc: stop travelling, else playing, else unpin, else the filter, else the zoom."""
        desk, name = self.desk, self.panes.name
        if desk.wished != desk.view.rank:
            self.worker.cancel()
            desk.wished = desk.view.rank
        elif desk.playing:
            self.travel.pause()
        elif self.area.zoomed:
            self.panes.zoom()
        elif desk.pinned:
            desk.pinned = False
            self.ask_view()
        elif name in TABLES and desk.tables[name].filter:
            self.panes.filter("")
        self.paint_lines()

    def inspect(self) -> None:
        """Pin what is under the cursor; if it is pinned already, give the inspector the screen."""
        if self.panes.name is PaneName.INSPECT or (self.desk.pinned and self.current_subject == self.desk.subject):
            self.panes.focus(PaneName.INSPECT)
            if not self.area.zoomed:
                self.panes.zoom()
            return
        self.desk.pinned = self.current_subject is not None
        self.desk.subject = self.current_subject
        if PaneName.INSPECT not in self.area.visible_panes:
            self.panes.focus(PaneName.INSPECT)
        self.ask_view()

    def help(self) -> None:
        """All keys, and what the focused pane is."""
        self.app.push_screen(Help(self.panes.name, self.keys))

    def audit(self) -> None:
        """Recount everything."""
        self.tell(label("recounting every pair …"))
        self.ask_worker("audit", lambda run: run.trainer.audit(), self._audited)

    def _audited(self, audit: object) -> None:
        assert isinstance(audit, Audit)
        what = f"a recount at rank {audit.rank:,} of {counted(audit.pairs, 'pair')}, {audit.tokens_counted:,} tokens"
        if audit.exact:
            self.tell(label(f"exact: {what} agrees with the kept counts"))
        else:
            self.refuse(f"{what} differs in {counted(len(audit.differences), 'pair')}: please report this")

    # Worker

    def ask_worker(self, name: str, job: Job, answer: Callable[[object], object]) -> None:
        """Run a job on the run, and hand its result to `answer`."""
        self._asked += 1
        name = f"{name} {self._asked}"  # two finds in quick succession are two questions
        self._answers[name] = answer
        self.worker.do(name, job)

    def ask_view(self) -> None:
        """Show the cursor where it is now, and ask for the rest of what is on screen."""
        if not self.is_open or not self.has_panes:
            return
        stream = self.pane(PaneName.STREAM)
        assert isinstance(stream, StreamPane)
        stream.cursor = self.desk.cursor
        visible = frozenset(self.area.visible_panes)
        for name in TABLES:
            table = self.pane(name)
            assert isinstance(table, VirtualTable)
            if name in visible:
                rows = table.size.height
                count = max(self.desk.tables[name].count, 3 * rows)
                self.desk.change_table(name, count=count, header=rows >= HEADER_ROWS)
        widths = {name: self.pane(name).scrollable_content_region.width for name in visible}
        self.worker.show(self.desk.request(visible, widths, stream.size.height))

    def on_explorer_said(self, message: Said) -> None:
        """Hear the worker; what an earlier one still says is old."""
        if message.worker is not self.worker or not self.has_panes:
            return
        match message.event:
            case Opening() as opening:
                self._opening(opening)
            case Opened(result):
                assert isinstance(result, OpenedRun)
                self._opened(result)
            case Viewed(view, target):
                self._viewed(view, target)
            case Done(name, result):
                answer = self._answers.pop(name, None)
                if answer is not None:
                    answer(result)
            case Refused(name, words):
                self._refused(name, words)
            case Crashed(error):
                raise error

    def _opening(self, opening: Opening) -> None:
        share = f" {100 * opening.done // opening.total}%" if opening.total else ""
        self.activity = label(f"{opening.words}{share}")
        self.paint_lines()
        if opening.preview is not None:
            pane = self.pane(PaneName.STREAM)
            assert isinstance(pane, StreamPane)
            run, size = opening.preview, pane.size
            request = StreamRequest(width=size.width, height=size.height)
            pane.view = build_stream(run.trainer, run.rows, request, self.desk.mode, marks=False)

    def _opened(self, opened: OpenedRun) -> None:
        self.opened = opened
        self.is_open = True
        self._hold = opened.hold
        if self.recovered_from is None:
            self.session_path, self.own = opened.session_path, opened.own
        self.worker.before_crash = self.work.before_crash
        self.desk.dirty = self.recovered_from is not None
        if opened.session is not None:
            self.desk.restore_view(opened.session.view, opened.session.held_out, len(opened.corpus.training))
            self.desk.wished = self._kept_rank = opened.session.rank
            self.desk.bookmarks = set(opened.session.bookmarks)
        if opened.recoverable is not None:
            self.tell(label(f"an earlier run was not saved: c goes on at rank {opened.recoverable[1]:,}"), lasting=True)
        if opened.session_path is not None and opened.hold is None:
            self.refuse(f"{quoted(opened.session_path)} is open in another bpe-tui: whoever saves later is asked first")
        self.paint_lines()
        self.ask_view()

    def _viewed(self, view: StepView, target: int | None) -> None:
        desk = self.desk
        moved = view.rank != desk.view.rank
        desk.view = view
        if target is None and desk.wished != view.rank:
            desk.wished = view.rank  # learning ended short of it, or the way was left
            if view.finished and view.rank == view.learned:
                self.tell(label(view.finished))
        self._draw(moved)
        self.call_after_refresh(self.worker.seen)
        self._autosave()

    def _autosave(self) -> None:
        """Keep a recovery snapshot when it is due by merges, and by time as soon as it is."""
        began, rank = monotonic(), self.desk.view.rank
        if not self.desk.dirty or abs(rank - self._kept_rank) < AUTOSAVE_STEPS or self._keep_at == math.inf:
            return
        if began < self._keep_at:
            if self._keep_timer is None:
                self._keep_timer = self.set_timer(self._keep_at - began, self._autosave_later)
            return
        self._kept_rank, self._keep_at = rank, math.inf  # until it is known how long it took

        def kept(why: str) -> None:
            now = monotonic()
            self._keep_at = now + max(AUTOSAVE_S, AUTOSAVE_SHARE * (now - began))
            self.say_why(why)

        self.work.keep_recovery(kept)

    def _autosave_later(self) -> None:
        self._keep_timer = None
        self._autosave()

    def say_why(self, words: str) -> None:
        """A refusal, unless there is none."""
        if words:
            self.refuse(words)

    def _refused(self, name: str, words: str) -> None:
        self._answers.pop(name, None)
        if name == "open" and self._previous is not None:
            self._reopen_previous(self._previous, words)
            return
        if name == "open":
            self.post_message(Explorer.NotOpened(words))
            return
        if name == "view":
            for table in TABLES:
                self.desk.change_table(table, filter="")
            self.ask_view()
        if name == "move":
            self.desk.wished = self.desk.view.rank
        self.refuse(words)

    # Drawing

    def _draw(self, moved: bool) -> None:
        view = self.desk.view
        with self.app.batch_update():
            stream = self.pane(PaneName.STREAM)
            assert isinstance(stream, StreamPane)
            stream.view = view.stream
            tables = {PaneName.PAIRS: view.pairs, PaneName.MERGES: view.merges, PaneName.VOCAB: view.vocab}
            for name, table_view in tables.items():
                table = self.pane(name)
                assert isinstance(table, VirtualTable)
                table.view = table_view
                if moved and name is not self.panes.name:
                    self._follow(name, table)
            lines = {PaneName.INSPECT: view.inspect, PaneName.HELD_OUT: view.held_out.lines, PaneName.STATS: view.stats}
            for name, text in lines.items():
                pane = self.pane(name)
                assert isinstance(pane, LinesPane)
                pane.lines = text
            self.paint_lines()
        self.panes.view_arrived()

    def _follow(self, name: PaneName, table: VirtualTable) -> None:
        """Tables without the focus keep the newest row in sight."""
        request = self.desk.tables[name]
        if request.sort in ("", TABLES[name][0]) and not request.reverse and not request.filter:
            table.select(max(self.desk.view.rank - 1, 0) if name is PaneName.MERGES else 0)

    def paint_lines(self) -> None:
        """Draw everything that is not a pane's content: titles, status, time, keys."""
        self.query_one(StatusLine).status = status(self)
        self.query_one(TimeLine).time = time(self.desk)
        bar = self.query_one(KeyBar)
        bar.hints, bar.pinned = key_hints(self.desk.playing, self.keys)
        strip = self.query_one(TabStrip)
        strip.names, strip.current = TAB_NAMES, list(PaneName).index(self.panes.name)
        strip.display = self.area.is_single
        for name in PaneName:
            self.pane(name).set_titles(*pane_titles(self, name))

    def tell(self, words: SafeText, lasting: bool = False) -> None:
        """Small news, over the key line for a moment."""
        self._show_news(words, NEWS_S * (4 if lasting else 1), refusal=False)

    def refuse(self, words: str) -> None:
        """Say a refusal; it stays until the next key, or for some seconds."""
        self._show_news(show_str(words, prose=True), REFUSAL_S, refusal=True)

    def _show_news(self, words: SafeText, seconds: float, refusal: bool) -> None:
        news = self.query_one(News)
        news.set_class(refusal, "-refusal")
        news.words = words
        if self._news_timer is not None:
            self._news_timer.stop()
        self._news_timer = self.set_timer(seconds, self._hide_news)

    def _hide_news(self) -> None:
        self.query_one(News).words = EMPTY

    # What widgets say

    @property
    def current_subject(self) -> Subject | None:
        """What is under the cursor of the focused pane."""
        pane = self.pane(self.panes.name)
        if isinstance(pane, VirtualTable):
            row = pane.view.row(pane.cursor)
            return row.key if row is not None else None  # type: ignore[return-value]
        if isinstance(pane, StreamPane):
            cursor = self.desk.cursor
            return PlaceSubject(*cursor) if cursor is not None else None
        return self.desk.subject

    def subject_moved(self, subject: Subject | None) -> None:
        """The cursor is on something else: the inspector follows unless something is pinned."""
        if not self.desk.pinned:
            self.desk.subject = subject
        self.ask_view()

    @on(VirtualTable.CursorMoved)
    def _cursor_moved(self, event: VirtualTable.CursorMoved) -> None:
        if event.table.id == self.panes.name and not self.desk.pinned and event.key != self.desk.subject:
            self.subject_moved(event.key)  # type: ignore[arg-type]

    @on(VirtualTable.WindowWanted)
    def _window_wanted(self, event: VirtualTable.WindowWanted) -> None:
        self.desk.change_table(PaneName(str(event.table.id)), offset=event.offset, count=event.count)
        self.ask_view()

    @on(VirtualTable.Chosen)
    def _row_chosen(self) -> None:
        self.inspect()

    @on(StreamPane.Pointed)
    def _pointed(self, event: StreamPane.Pointed) -> None:
        self.panes.point(event.document, event.offset)
        if event.chosen:
            self.inspect()

    @on(StreamPane.Scrolled)
    def _scrolled(self, event: StreamPane.Scrolled) -> None:
        self.panes.scroll_stream(event.lines)

    @on(TimeLine.Sought)
    def _sought(self, event: TimeLine.Sought) -> None:
        self.travel.pause()
        self.travel.to(event.rank)

    @on(KeyBar.Pressed)
    def _hint_pressed(self, event: KeyBar.Pressed) -> None:
        self.action_run(event.action)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """A click moved the focus."""
        if isinstance(event.widget, Pane) and event.widget.id != self.area.focus_pane:
            self.area.show_pane(PaneName(str(event.widget.id)), self.area.zoomed)
            self.panes_changed()

    def panes_changed(self) -> None:
        """Other panes are visible, or another has the focus."""
        if not self.has_panes:
            return
        if not self.desk.pinned:
            self.desk.subject = self.current_subject
        self.paint_lines()
        self.call_after_refresh(self.ask_view)

    def on_resize(self, event: Resize) -> None:
        """Ask for what the new size shows."""
        self.call_after_refresh(self.panes_changed)

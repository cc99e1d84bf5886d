"""Work: encoding a text of the user's, saving, exporting, copying, leaving."""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_tui.app.screens.choose import Choice, Choose
from bpe_tui.exports import ABOUT, ENDINGS, Format, Outlook, export, outlook, targets_of
from bpe_tui.faults import FAULTS, fault_words
from bpe_tui.opening import OpenedRun
from bpe_tui.run import Run
from bpe_tui.text.cells import Mode, show, show_str, unshow
from bpe_tui.text.safe import SafeText, join
from bpe_tui.views.request import MergeSubject, PairSubject, PaneName, PlaceSubject, Subject, TokenSubject
from bpe_tui.views.spelling import label
from engine.errors import Refusal
from engine.files import identities
from engine.quoting import quoted
from engine.trainer import Trainer
from sessions.atomic import Stamp
from sessions.restore import capture
from sessions.snapshot import Session
from sessions.store import holds_session, save
from sessions.targets import State, Target, target_of

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer

COPY_FORMS = {
    "text": "text",
    "escape": "Python bytes",
    "hex": "hex",
    "ids": "token ids",
    "row": "a row, tab-separated",
}


class Work:
    """Everything that leaves the screen: files, clipboard, the end."""

    def __init__(self, screen: "Explorer") -> None:
        self._screen = screen
        self._then: Callable[[], object] | None = None
        self._format = Format.ARTIFACT
        self._crashed = "cannot keep a recovery snapshot: the program does not come to it"

    # Encoding

    def encode(self, text: str) -> None:
        """Encode what the prompt got."""
        try:
            data = unshow(text)
        except Refusal as refusal:
            self._screen.refuse(str(refusal))
            return
        self._screen.desk.encode(data)
        self._screen.desk.dirty = True
        self._screen.panes.focus(PaneName.HELD_OUT)
        self._screen.ask_view()

    # Sessions

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save under the session's name, or ask for one; what comes then is done when it is saved."""
        if self._screen.session_path is None:
            self.ask_name(then)
        else:
            self._then = then
            self.save_as(self._screen.session_path)

    def ask_name(self, then: Callable[[], object] | None = None) -> None:
        """Ask for a name to save under."""
        self._then = then
        self._screen.ask("save")

    def save_as(self, path: str) -> None:
        """Save the session to a file, asking before one is replaced that is not this run's."""
        if not path:
            return
        path, screen = os.path.expanduser(path), self._screen
        if os.path.isdir(path) or path.endswith(os.sep):
            screen.refuse(f"{quoted(path)} is a folder: give a file's name in it")
            return
        path = path if Path(path).suffix else f"{path}.bpes"
        self._approved(
            lambda: {"": target_of(path, screen.opened.read, screen.own)},
            lambda targets: self._save(targets[""]),
            another=lambda: self.ask_name(self._then),
        )

    def _save(self, target: Target) -> None:
        screen, session_of, path = self._screen, self._capture(), target.path

        def job(run: Run) -> tuple[Session, Stamp]:
            session = session_of(run.trainer)
            stamp = save(path, session, target.seen)
            screen.opened.recovery.drop(screen.recovered_from)
            return session, stamp

        def saved(result: object) -> None:
            assert isinstance(result, tuple)
            session, stamp = result
            screen.saved_as(path, stamp)
            desk = screen.desk
            kept = session.rank, session.bookmarks, session.held_out
            desk.dirty = kept != (desk.wished, tuple(sorted(desk.bookmarks)), tuple(desk.texts))
            screen.tell(label("saved to ") + show_str(path))
            screen.paint_lines()
            then, self._then = self._then, None
            if then is not None:
                then()

        screen.ask_worker("save", job, saved)

    def _approved(
        self,
        targets_of: Callable[[], dict[str, Target]],
        then: Callable[[dict[str, Target]], object],
        another: Callable[[], object],
    ) -> None:
        """Go on with where to write, unless that is refused; ask first where a file would be replaced unawares."""
        try:
            targets = targets_of()
        except Refusal as refusal:
            self._screen.refuse(str(refusal))
            return
        asked = [target for target in targets.values() if target.state in QUESTIONS]
        if not asked:
            then(targets)
            return
        choices = [
            Choice("name", label("Save as"), label("under another name")),
            Choice("overwrite", label("Overwrite"), label("what is there goes")),
            _CANCEL,
        ]

        def chosen(value: str | None) -> None:
            if value == "overwrite":
                then(targets)
            elif value == "name":
                another()

        question = show_str(Path(asked[0].path).name, width=40) + label(QUESTIONS[asked[0].state])
        self._screen.app.push_screen(Choose(question, choices), chosen)

    def _capture(self) -> "_Capture":
        opened = self._screen.opened
        desk = self._screen.desk
        return _Capture(opened, tuple(sorted(desk.bookmarks)), tuple(desk.texts), desk.saved_view())

    # Recovery

    def keep_recovery(self, then: Callable[[str], object]) -> None:
        """Write a recovery snapshot, quietly; what comes then hears why it could not be written, or nothing."""
        keep = self._keeper()
        self._screen.ask_worker("recovery", keep, lambda why: then(str(why)))

    def keep_recovery_and_die(self, code: int) -> None:
        """Write a recovery snapshot and end the process in the worker, since the screen may hang with its terminal."""
        keep = self._keeper()

        def job(run: Run) -> None:
            try:
                keep(run)
            finally:
                os._exit(code)

        self._screen.worker.do("recovery", job)

    def keep_recovery_at_once(self, seconds: float) -> str:
        """Write a recovery snapshot and wait for it, no longer than some seconds; why it could not be written, if so.

        Where a fault has ended the worker, it has done so itself.
        """
        keep, kept = self._keeper(), threading.Event()

        def job(run: Run) -> None:
            self._crashed = keep(run)
            kept.set()

        if self._screen.worker.is_alive:
            self._crashed = "cannot keep a recovery snapshot: it takes too long"
            self._screen.worker.do("recovery", job)
            kept.wait(seconds)
        return self._crashed

    def before_crash(self, run: Run) -> None:
        """What the worker does with the run when a fault ends it."""
        if self._screen.desk.dirty:
            self._crashed = self._keeper()(run)

    def _keeper(self) -> Callable[[Run], str]:
        """Writes a snapshot of the run with what the desk holds now; returns why that failed, or nothing."""
        session_of, recovery = self._capture(), self._screen.opened.recovery

        def keep(run: Run) -> str:
            try:
                recovery.write(session_of(run.trainer))
            except Refusal as refusal:
                return str(refusal)
            except FAULTS as fault:
                return f"cannot keep a recovery snapshot: {fault_words(fault)}"
            return ""

        return keep

    # Exports

    def choose_export(self) -> None:
        """Ask for the format, telling what each would make of this run; then for the file."""
        formats = [format for format in ABOUT if format is not Format.SESSION]

        def job(run: Run) -> dict[Format, Outlook]:
            return {format: outlook(run.trainer, format) for format in formats}

        def chosen(value: str | None) -> None:
            if value is not None:
                self._format = Format(value)
                self._screen.ask("export")

        def looked(found: object) -> None:
            assert isinstance(found, dict)
            dialog.change([export_choice(format, look) for format, look in found.items()])

        choices = [export_choice(format, None) for format in formats]
        dialog = Choose(label("Export the merges applied now as"), choices)
        self._screen.app.push_screen(dialog, chosen)
        self._screen.ask_worker("outlook", job, looked)

    def export_name(self) -> str:
        """The file name to start from."""
        ending = next((e for e, f in ENDINGS.items() if f is self._format), "")
        return f"{Path(self._screen.opened.corpus.name).stem or 'corpus'}-{self._screen.desk.view.rank}{ending}"

    def export_to(self, path: str) -> None:
        """Write the export, asking before a file is replaced."""
        if not path:
            return
        path, screen, form = os.path.expanduser(path), self._screen, self._format
        read = screen.opened.read | identities(*screen.own)  # an export is no session, and takes the place of none
        self._approved(
            lambda: targets_of(form, path, read),
            lambda targets: self._export(form, targets),
            another=lambda: screen.ask("export"),
        )

    def _export(self, form: Format, targets: dict[str, Target]) -> None:
        screen, session_of = self._screen, self._capture()

        def done(result: object) -> None:
            assert isinstance(result, tuple)
            size = sum(file.size for file in result)
            screen.tell(
                label(f"exported {result[0].merges:,} merges, {size:,} bytes, read back and equal: ")
                + join((show_str(file.path) for file in result), label(", "))
            )

        screen.ask_worker("export", lambda run: export(run.trainer, form, targets, session_of(run.trainer)), done)

    # Copying

    def choose_copy(self) -> None:
        """Ask for the form to copy in."""
        choices = [Choice(form, label(words), SafeText()) for form, words in COPY_FORMS.items()]

        def chosen(form: str | None) -> None:
            if form is not None:
                self.copy(form)

        self._screen.app.push_screen(Choose(label("Copy what is under the cursor as"), choices), chosen)

    def copy(self, form: str) -> None:
        """Copy what is under the cursor in a form."""
        screen = self._screen
        subject, view = screen.current_subject, screen.desk.view
        if screen.panes.name is PaneName.HELD_OUT:
            self._copied(" ".join(map(str, view.held_out.ids)))
        elif subject is None:
            screen.tell(label("nothing under the cursor to copy"))
        else:
            screen.ask_worker(
                "copy", lambda run: copied_text(run.trainer, subject, form), lambda text: self._copied(str(text))
            )

    def _copied(self, text: str) -> None:
        self._screen.app.copy_to_clipboard(text)
        self._screen.tell(label("sent to the terminal's clipboard: ") + show_str(text, width=40))

    # Leaving this run

    def leave(self) -> None:
        """End the program, asking once if there is unsaved work."""
        self._settle(lambda: self._screen.app.exit(0))

    def open(self, path: str) -> None:
        """Open another corpus or session in place of this one."""
        if not path:
            return
        path = os.path.expanduser(path)
        if not os.path.exists(path):
            self._screen.refuse(f"cannot open {quoted(path)}: no such file or directory")
            return
        request = replace(self._screen.request, source=path, data=None, is_session=holds_session(path), corpus=None)
        self._settle(lambda: self._screen.restart(request))

    def go_on(self) -> None:
        """Go on from the snapshot that an earlier run of this corpus left."""
        left = self._screen.opened.recoverable
        if left is None:
            self._screen.tell(label("no earlier run of this corpus ended unsaved"))
            return
        # The corpus is the one that is open here, wherever the snapshot found it.
        path = self._screen.opened.path
        corpus = path if os.path.exists(path) else None
        request = replace(self._screen.request, source=str(left[0]), data=None, is_session=True, corpus=corpus)
        self._settle(lambda: self._screen.restart(request, recovering=True))

    def forget(self) -> None:
        """Remove the snapshot that an earlier run of this corpus left."""
        left = self._screen.opened.recoverable
        if left is None:
            self._screen.tell(label("no earlier run of this corpus ended unsaved"))
            return
        try:
            left[0].unlink(missing_ok=True)
        except OSError as error:
            why = (error.strerror or "error").lower()
            self._screen.refuse(f"cannot remove {quoted(str(left[0]))}: {why}; it is offered again")
            return
        self._screen.opened = replace(self._screen.opened, recoverable=None)
        self._screen.tell(label(f"forgotten: the earlier run at rank {left[1]:,}"))

    def _settle(self, then: Callable[[], object]) -> None:
        """Do what leaves this run; unsaved work is kept in a recovery snapshot first, then asked about once."""
        screen = self._screen
        screen.travel.pause()
        if not screen.is_open or not screen.desk.dirty:
            then()
            return
        self.keep_recovery(screen.say_why)
        choices = [
            Choice("save", label("Save"), label("the session, then go")),
            Choice("discard", label("Discard"), label("go without saving")),
            _STAY,
        ]

        def chosen(value: str | None) -> None:
            if value == "discard":
                recovery = screen.opened.recovery
                screen.ask_worker("discard", lambda run: recovery.drop(screen.recovered_from), lambda _: then())
            elif value == "save":
                self.save(then)

        screen.app.push_screen(Choose(label("There is unsaved work"), choices), chosen)


def export_choice(format: Format, look: Outlook | None) -> Choice:
    """A format among the choices, with what it would not hold, or why it cannot hold the run; None: not known yet."""
    about = label(ABOUT[format])
    if look is None:
        notes: tuple[SafeText, ...] = (label("…"),)
    elif look.refusal is not None:
        about, notes = label("cannot hold this run"), (show_str(look.refusal, prose=True),)
    else:
        notes = tuple(show_str(f"- {loss}", prose=True) for loss in look.losses) or (label("holds all that it is for"),)
    return Choice(format.value, label(format.value), about, notes)


_STAY = Choice("stay", label("Stay"), label("go on"))
_CANCEL = Choice("cancel", label("Cancel"), label("write nothing"))

QUESTIONS = {State.THERE: " is there already", State.CHANGED: " was changed by another program"}
"""What is asked about before a file is replaced."""


class _Capture:
    """Captures a session from the trainer with the desk's state of a moment."""

    def __init__(
        self,
        opened: OpenedRun,
        bookmarks: tuple[int, ...],
        texts: tuple[bytes, ...],
        view: dict[str, str | int | bool | None],
    ) -> None:
        self._opened = opened
        self._bookmarks = bookmarks
        self._texts = texts
        self._view = view

    def __call__(self, trainer: Trainer) -> Session:
        """The session at the trainer's present rank; called in the worker."""
        opened = self._opened
        return capture(
            trainer,
            opened.path,
            opened.options,
            kernel=opened.kernel,
            receipt=opened.receipt,
            bookmarks=self._bookmarks,
            held_out=self._texts,
            view=self._view,
            before=opened.session,
        )


def copied_text(trainer: Trainer, subject: Subject, form: str) -> str:
    """A subject in a form of `COPY_FORMS`, safe to paste into a terminal."""
    tokens = _tokens(trainer, subject)
    shown = [trainer.layout.shown(t) for t in tokens]
    data = b"".join(trainer.vocabulary[t].data for t in tokens)
    match form:
        case "escape":
            return repr(data)
        case "hex":
            return show(data, Mode.HEX).plain
        case "ids":
            return " ".join(map(str, shown))
        case "row":
            count = trainer.kernel.count((tokens[0], tokens[1])) if len(tokens) == 2 else _frequency(trainer, tokens)
            return "\t".join([" ".join(map(str, shown)), show(data).plain, data.hex(), str(count)])
    return show(data).plain


def _frequency(trainer: Trainer, tokens: list[int]) -> int:
    return trainer.kernel.frequency(tokens[0]) if tokens else 0


def _tokens(trainer: Trainer, subject: Subject) -> list[int]:
    """The kernel ids that a subject is about."""
    match subject:
        case PairSubject(pair):
            return list(pair)
        case MergeSubject(rank):
            return [trainer.merges[rank].token]
        case TokenSubject(token):
            return [token]
        case PlaceSubject(document, offset):
            placed = trainer.document_tokens(document, offset, offset + 1)
            return [p.token for p in placed[:1] if p.token >= 0]

"""Travel: stepping, going to a rank, playing, bookmarks."""

from typing import TYPE_CHECKING

from textual.timer import Timer

from bpe_tui.goto import destination
from bpe_tui.model import SPEEDS
from bpe_tui.run import Run
from bpe_tui.views.spelling import label
from engine.errors import Refusal
from engine.quoting import quoted

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer


class Travel:
    """Moves the wished rank; the worker follows."""

    def __init__(self, screen: "Explorer") -> None:
        self._screen = screen
        self._timer: Timer | None = None

    def by(self, delta: int) -> None:
        """Some merges forward or back; stops playing."""
        self.pause()
        self.to(self._screen.desk.wished + delta)

    def to(self, rank: int) -> None:
        """To a rank; past the end where learning has ended it is the end."""
        screen, view = self._screen, self._screen.desk.view
        rank = max(rank, 0)
        if view.finished:
            rank = min(rank, view.learned)
        if view.budget is not None:
            rank = min(rank, view.budget)
        if rank == screen.desk.wished == view.rank:
            screen.tell(label(view.finished if rank else "rank 0: no merge is applied"))
            return
        screen.desk.wished = rank
        screen.desk.dirty = True
        screen.worker.go(rank)
        screen.paint_lines()

    def start(self) -> None:
        """To rank 0."""
        self.pause()
        self.to(0)

    def to_last(self) -> None:
        """To the last known merge."""
        self.pause()
        self.to(self._screen.desk.view.learned)

    def answer(self, text: str) -> None:
        """To where the prompt's answer says."""
        view = self._screen.desk.view
        self.pause()
        try:
            place = destination(text, self._screen.desk.wished, view.learned, view.budget)
        except Refusal as refusal:
            self._screen.refuse(str(refusal))
            return
        if isinstance(place, int):
            self.to(place)
        else:
            self._screen.ask_worker("go-to-token", lambda run: _rank_of(run, place), self._to_token)

    def _to_token(self, rank: object) -> None:
        assert isinstance(rank, int)
        self.to(rank + 1)

    # Playing

    def toggle(self) -> None:
        """Let time run, or stop it."""
        if self._screen.desk.playing:
            self.pause()
        else:
            self._screen.desk.playing = True
            self._start()
            self._screen.paint_lines()

    def pause(self) -> None:
        """Stop time."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._screen.desk.playing:
            self._screen.desk.playing = False
            self._screen.paint_lines()

    def faster(self, by: int) -> None:
        """Play faster or slower."""
        speed = self._screen.desk.change_speed(by)
        if self._timer is not None:
            self._timer.stop()
            self._start()
        self._screen.tell(label(f"{speed:g} merges a second"))

    def _start(self) -> None:
        self._timer = self._screen.set_interval(1 / SPEEDS[self._screen.desk.speed], self._tick)

    def _tick(self) -> None:
        desk = self._screen.desk
        if desk.view.rank < desk.wished:
            return  # the panes follow before the next step
        if desk.view.finished and desk.wished >= desk.view.learned:
            self.pause()
            self._screen.tell(label(desk.view.finished))
            return
        self.to(desk.wished + 1)

    # Bookmarks

    def mark(self) -> None:
        """Set or remove a bookmark at the rank on screen; one on the way there might never be learned."""
        desk, rank = self._screen.desk, self._screen.desk.view.rank
        desk.bookmarks ^= {rank}
        desk.dirty = True
        word = "marked" if rank in desk.bookmarks else "mark removed at"
        self._screen.tell(label(f"{word} rank {rank:,}"))
        self._screen.paint_lines()

    def to_mark(self) -> None:
        """To the next bookmark, after the last one to the first."""
        desk = self._screen.desk
        if not desk.bookmarks:
            self._screen.tell(label("no bookmark yet: m sets one"))
            return
        later = [rank for rank in desk.bookmarks if rank > desk.wished]
        self.pause()
        self.to(min(later or desk.bookmarks))


def _rank_of(run: Run, data: bytes) -> int:
    """The rank of the merge that made a token.

    Raises:
        Refusal: when no known merge made it.
    """
    for merge in run.trainer.merges:
        if merge.content.data == data:
            return merge.rank
    raise Refusal(f"no known merge made {quoted(data)}: learn further, or find it in the vocabulary")

"""One session of the explorer on a pseudo-terminal: `session.py SPECIFICATION RESULT`, started by `interactive.py`."""

import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyte
from clocks import Figures
from screen import Terminal

KEYS, PAUSE_S, IDLE_S = 40, 0.2, 3.0
"""Keys of each kind; how far they are apart, so that each is drawn before the next; how long nothing is done."""
UNSEEN_S = 2.0
"""A key that shows nothing for so long has been overtaken by a later one."""
RIGHT, LEFT, ESCAPE, ENTER, DOWN = "\x1b[C", "\x1b[D", "\x1b", "\r", "\x1b[B"
MERGES = 32_768 - 256
KNOWN = 500
WORKING, STANDING = "WORKING", "PAUSED"

Mark = Callable[[pyte.Screen], str]
Obeyed = Callable[[str, str], bool]

CURSOR = "0178d4"
"""The ground of what is under the cursor of the focused pane, in the program's own theme."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key, and how the screen shows that it was obeyed.

    Attributes:
        kind: the name that its figures get.
        at: when it was pressed.
        mark: what on the screen it changes.
        obeyed: whether it has, from the mark when it was pressed and the mark now.
    """

    kind: str
    at: float
    mark: Mark
    obeyed: Obeyed


class Session:
    """The explorer with one corpus, from its first sign of life to its end."""

    def __init__(self, corpus: Path, boundary: str, size: tuple[int, int], state: str) -> None:
        command = [sys.executable, "-P", "-m", "bpe_tui", str(corpus), "--boundary", boundary]
        command += ["--vocab-size", str(MERGES + 256), "--min-count", "2"]
        variables = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONPATH")}
        variables |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        variables |= {"XDG_STATE_HOME": state, "XDG_CONFIG_HOME": state}
        self.terminal = Terminal(command, size, variables)
        self.pressed: list[Pressed] = []
        self.figures: Figures = {"unseen_keys": 0}

    def run(self) -> Figures:
        """Everything that is measured."""
        terminal = self.terminal
        opened = terminal.until(STANDING)
        self.figures["open_s"] = terminal.until("tokens? on screen", opened) - terminal.began
        time.sleep(1)
        self._idle()
        self._focus()
        self._cursor()
        self._steps()
        self._learn()
        self._travel()
        self._cancel()
        self._idle()
        self._quit()
        self._look()
        return self.figures

    def _press(
        self, kind: str, keys: str, mark: Callable[[pyte.Screen], str], wanted: Callable[[str, str], bool]
    ) -> None:
        self.pressed.append(Pressed(kind, self.terminal.press(keys), mark, wanted))
        time.sleep(PAUSE_S)

    def _cursor(self) -> None:
        """Down and up in the token stream, below the heading of its document."""
        self.terminal.press("j")
        time.sleep(PAUSE_S)
        for _ in range(KEYS // 2):
            self._press("cursor", "j", _cursor_row, lambda before, now: now > before)
            self._press("cursor", "k", _cursor_row, lambda before, now: now < before)

    def _cursor_while_learning(self) -> None:
        """Up the table of merges, whose known rows stay in place."""
        for row in range(KNOWN - 2, KNOWN - 2 - KEYS, -1):
            self._press("cursor while learning", "k", _cursor_rank, _at_most(row))

    def _focus(self) -> None:
        """From pane to pane, and back to the stream."""
        for _ in range(KEYS // 2):
            for key, name in (("2", "Pairs"), ("1", "Stream")):
                self._press("focus", key, _focused, _becomes(name))

    def _steps(self) -> None:
        """A merge forward and back; the time line shows the rank with the panes."""
        for _ in range(KEYS // 2):
            for key, rank in ((RIGHT, "1"), (LEFT, "0")):
                self._press("step", key, _rank, _becomes(rank))
                self.terminal.until(f" {rank}/{MERGES:,} ", self.pressed[-1].at)  # a later wish replaces an earlier one

    def _go_to(self, place: str) -> float:
        """Answer the question where to go, and say when."""
        asked = self.terminal.press("t")
        self.terminal.until("go to", asked)
        time.sleep(PAUSE_S)
        self.terminal.press(place)
        time.sleep(PAUSE_S)
        return self.terminal.press(ENTER)

    def _arrival(self, rank: int, start: float) -> float:
        """When the time line showed a rank."""
        return self.terminal.until(f" {rank:,}/{MERGES:,} ", start)

    def _learn(self) -> None:
        """Learn everything, and move the cursor meanwhile; what is pressed after the end does not count."""
        self._arrival(KNOWN, self._go_to(str(KNOWN)))
        for key in ("3", "G"):
            self.terminal.press(key)
            time.sleep(PAUSE_S)
        start = self._go_to(str(MERGES))
        self.figures["progress_ms"] = 1000 * (self.terminal.until(WORKING, start) - start)
        before = len(self.pressed)
        time.sleep(PAUSE_S)  # the cursor is the pane's again
        self._cursor_while_learning()
        end = self._arrival(MERGES, start)
        self.figures["learn_s"] = end - start
        self.pressed = [key for i, key in enumerate(self.pressed) if i < before or key.at < end]

    def _cancel(self) -> None:
        """Stop on the way back to the start."""
        start = self._go_to("0")
        self.terminal.until(WORKING, start)
        asked = self.terminal.press(ESCAPE)
        self.figures["cancel_ms"] = 1000 * (self.terminal.until(STANDING, asked) - asked)
        time.sleep(1)

    def _travel(self) -> None:
        """To the start, to the middle, to the end."""
        for name, rank in (("to_start_s", 0), ("to_middle_s", MERGES // 2), ("to_end_s", MERGES)):
            start = self._go_to(str(rank))
            self.figures[name] = self._arrival(rank, start) - start
            time.sleep(1)

    def _idle(self) -> None:
        start = time.perf_counter()
        time.sleep(IDLE_S)
        self.figures["idle_bytes"] = max(self.terminal.bytes_since(start), self.figures.get("idle_bytes", 0))

    def _quit(self) -> None:
        """Leave without saving."""
        asked = self.terminal.press("q")
        self.terminal.until("Discard", asked)
        self.figures["question_ms"] = 1000 * (time.perf_counter() - asked)
        time.sleep(PAUSE_S)
        self.terminal.press(DOWN)
        time.sleep(PAUSE_S)
        start = self.terminal.press(ENTER)
        self.figures["quit_ms"] = 1000 * (self.terminal.ended() - start)

    def _look(self) -> None:
        """Play it back: when was the first row there, and when did each key show?"""
        waiting, before, found = deque(self.pressed), "", dict[str, list[float]]()
        for moment, screen in self.terminal.frames():
            if "first_rows_s" not in self.figures and _has_rows(screen):
                self.figures["first_rows_s"] = moment - self.terminal.began
            while waiting and moment >= waiting[0].at:
                key = waiting[0]
                if key.obeyed(before, now := key.mark(screen)):
                    found.setdefault(key.kind, []).append(1000 * (moment - key.at))
                elif moment < key.at + UNSEEN_S:
                    break
                else:
                    self.figures["unseen_keys"] += 1  # it and the next one were drawn as one
                before = now
                waiting.popleft()
            if waiting and moment < waiting[0].at:
                before = waiting[0].mark(screen)
        for kind, times in found.items():
            name = kind.replace(" ", "_")
            self.figures[f"{name}_keys"] = len(times)
            self.figures[f"{name}_median_ms"] = statistics.median(times)
            self.figures[f"{name}_p90_ms"] = sorted(times)[int(0.9 * len(times))]


# What a screen shows


def _at_most(row: int) -> Obeyed:
    return lambda _, now: now != "" and int(now) <= row


def _becomes(wanted: str) -> Obeyed:
    return lambda _, now: now == wanted


def _has_rows(screen: pyte.Screen) -> bool:
    return any(re.match(r"[│║] +1 \S", line) for line in screen.display)


def _focused(screen: pyte.Screen) -> str:
    """The name of the pane with double lines."""
    found = re.search(r"╔═ \d (\S+)", "\n".join(screen.display))
    return found[1] if found else ""


def _rank(screen: pyte.Screen) -> str:
    found = re.search(f" ([0-9,]+)/{MERGES:,} ", screen.display[-2])
    return found[1] if found else ""


def _cursor_row(screen: pyte.Screen) -> str:
    """The row of the cursor in the focused pane, in two digits."""
    return f"{min(_cursor_rows(screen), default=0):02}"


def _cursor_rank(screen: pyte.Screen) -> str:
    """The first number in the row under the cursor."""
    numbers = [re.search(r"║[^\d║]*([\d,]+)", screen.display[y]) for y in _cursor_rows(screen)]
    return next((found[1].replace(",", "") for found in numbers if found), "")


def _cursor_rows(screen: pyte.Screen) -> list[int]:
    return [y for y, row in sorted(screen.buffer.items()) if any(cell.bg == CURSOR for cell in row.values())]


if __name__ == "__main__":
    spec = json.loads(Path(sys.argv[1]).read_text())
    with tempfile.TemporaryDirectory() as state:
        session = Session(Path(spec["corpus"]), spec["boundary"], tuple(spec["size"]), state)
        try:
            figures = session.run()
        finally:
            session.terminal.kill()
    Path(sys.argv[2]).write_text(json.dumps(figures))

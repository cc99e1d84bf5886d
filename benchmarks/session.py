"""One session of the explorer on a pseudo-terminal: `session.py SPECIFICATION RESULT`, started by `interactive.py`."""

import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyte
from clocks import Figures
from screen import Terminal

KEYS, PAUSE_S, IDLE_S = 40, 0.15, 3.0
"""Keys of each kind; how far they are apart, so that each is drawn before the next; how long nothing is done."""
RIGHT, LEFT, ESCAPE, ENTER, DOWN = "\x1b[C", "\x1b[D", "\x1b", "\r", "\x1b[B"
MERGES = 32_768 - 256
WORKING, STANDING = "WORKING", "PAUSED"

Shown = Callable[[pyte.Screen], bool]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key, when it was pressed, and how the screen shows that it was obeyed."""

    kind: str
    at: float
    shown: Shown


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
        self.figures: Figures = {}

    def run(self) -> Figures:
        """Everything that is measured."""
        terminal = self.terminal
        opened = terminal.until(STANDING)
        self.figures["open_s"] = terminal.until("tokens? on screen", opened) - terminal.began
        time.sleep(1)
        self._idle()
        self._cursor()
        self._focus("focus")
        self._steps()
        self._learn()
        self._focus_while_working()
        self._cancel()
        self._travel()
        self._idle()
        self._quit()
        self._look()
        return self.figures

    def _press(self, kind: str, keys: str, shown: Shown) -> None:
        self.pressed.append(Pressed(kind, self.terminal.press(keys), shown))
        time.sleep(PAUSE_S)

    def _cursor(self) -> None:
        """Down and up in the pair counts, within the first two rows."""
        self._press("focus", "2", _focused("Pairs"))
        for _ in range(KEYS // 2):
            self._press("cursor", "j", _cursor_below)
            self._press("cursor", "k", _cursor_above)

    def _focus(self, kind: str) -> None:
        """From pane to pane."""
        for _ in range(KEYS // 2):
            self._press(kind, "1", _focused("Stream"))
            self._press(kind, "2", _focused("Pairs"))

    def _steps(self) -> None:
        """A merge forward and back; the time line shows the rank with the panes."""
        for _ in range(KEYS // 2):
            for key, rank in ((RIGHT, 1), (LEFT, 0)):
                self._press("step", key, _rank(rank))
                self.terminal.until(f" {rank}/{MERGES:,} ", self.pressed[-1].at)  # a later wish replaces an earlier one

    def _go_to(self, place: str) -> float:
        """Answer the question where to go, and say when."""
        asked = self.terminal.press("t")
        self.terminal.until("go to", asked)
        time.sleep(PAUSE_S)
        self.terminal.press(place)
        time.sleep(PAUSE_S)
        return self.terminal.press(ENTER)

    def _learn(self) -> None:
        """Begin to learn everything; panes are walked while it goes on, and on the way back if it is over too soon."""
        self.learning = self._go_to(str(MERGES))
        self.figures["progress_ms"] = 1000 * (self.terminal.until(WORKING, self.learning) - self.learning)

    def _focus_while_working(self) -> None:
        start = len(self.pressed)
        self._focus("focus while learning")
        self.figures["learn_s"] = self.terminal.until(STANDING, self.learning) - self.learning
        end = self.learning + self.figures["learn_s"]
        self.pressed = self.pressed[:start] + [key for key in self.pressed[start:] if key.at < end]

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
            self.figures[name] = self.terminal.until(STANDING, start) - start
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
        waiting, found = [*self.pressed], dict[str, list[float]]()
        for moment, screen in self.terminal.frames():
            if "first_rows_s" not in self.figures and _has_rows(screen):
                self.figures["first_rows_s"] = moment - self.terminal.began
            while waiting and moment >= waiting[0].at and waiting[0].shown(screen):
                key = waiting.pop(0)
                found.setdefault(key.kind, []).append(1000 * (moment - key.at))
        if waiting:
            raise AssertionError(f"{waiting[0].kind} was not drawn")
        for kind, times in found.items():
            name = kind.replace(" ", "_")
            self.figures[f"{name}_keys"] = len(times)
            self.figures[f"{name}_median_ms"] = statistics.median(times)
            self.figures[f"{name}_p90_ms"] = sorted(times)[int(0.9 * len(times))]


# What a screen shows


def _has_rows(screen: pyte.Screen) -> bool:
    return any(re.match(r"[│║] +1 \S", line) for line in screen.display)


def _focused(pane: str) -> Shown:
    """The focused pane has double lines."""
    return lambda screen: any(re.search(f"╔═ \\d {pane}", line) for line in screen.display)


def _rank(rank: int) -> Shown:
    return lambda screen: f" {rank:,}/{MERGES:,} " in screen.display[-2]


def _cursor_below(screen: pyte.Screen) -> bool:
    return _ground(screen, 1) != _ground(screen, 0) == _ground(screen, 2)


def _cursor_above(screen: pyte.Screen) -> bool:
    return _ground(screen, 0) != _ground(screen, 1) == _ground(screen, 2)


def _ground(screen: pyte.Screen, row: int) -> str:
    """The background of a row of the pair counts, behind its mark."""
    top = next(y for y, line in enumerate(screen.display) if " 2 Pairs" in line)
    left = screen.display[top].index(" 2 Pairs")
    first = next(y for y in range(top + 1, len(screen.display)) if "▸" in screen.display[y])
    ground: str = screen.buffer[first + row][left + 2].bg
    return ground


if __name__ == "__main__":
    spec = json.loads(Path(sys.argv[1]).read_text())
    with tempfile.TemporaryDirectory() as state:
        session = Session(Path(spec["corpus"]), spec["boundary"], tuple(spec["size"]), state)
        try:
            figures = session.run()
        finally:
            session.terminal.kill()
    Path(sys.argv[2]).write_text(json.dumps(figures))

"""A pseudo-terminal with the real program in it, and the grammar of what may come out."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSCTTY, TIOCSWINSZ
from time import monotonic

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30
"""A program that says nothing for so long is stuck."""
QUIET_S = 0.25
"""A screen on which nothing has come for so long is drawn."""

FRAMEWORK = re.compile(
    rb"""(?x) \x1b \[ (?:
        [0-9;]* [mHJK]             # colours, places, clearing
      | [?>=<]? [0-9;]* [hlucqpt]  # modes and questions about them
      | \?[0-9;]* \$p
    ) | \x1b\]22;[a-z]+\x07        # the shape of the pointer"""
)
"""The sequences the framework itself writes; no title, no link, no clipboard."""
COLOUR = re.compile(rb"\x1b\[[0-9;]*?(?:[34]8;[25];|(?<=[\[;])(?:3|4|9|10)[0-7])[0-9;]*m")


class Terminal:
    """The program on a terminal of its own; everything that it writes is kept."""

    def __init__(self, *arguments: str, state: Path, size: tuple[int, int] = (100, 30), **environment: str) -> None:
        self.master, slave = pty.openpty()
        columns, rows = size
        ioctl(slave, TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))
        env = {
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")},
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "XDG_STATE_HOME": str(state),
            "XDG_CONFIG_HOME": str(state),
            **environment,
        }
        command = [sys.executable, "-m", "bpe_tui", *arguments]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True,
            preexec_fn=lambda: ioctl(0, TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.output = b""

    def hang_up(self) -> None:
        """Go away, as a terminal window that is closed."""
        os.close(self.master)

    def press(self, keys: str | bytes) -> None:
        """Write keys as a terminal sends them."""
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def answer(self, key: str, question: str, words: str) -> None:
        """Ask a question with a key, and answer it when it is asked: what comes in one burst has one receiver."""
        self.press(key)
        self.until(question.encode())
        self.until_quiet()
        self.press(words)

    def read(self, seconds: float) -> bytes:
        """What comes within some seconds, at once when something does; nothing when the program has ended."""
        if not select.select([self.master], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # the other end is closed
            return b""
        self.output += data
        return data

    def until(self, wanted: bytes) -> None:
        """Read until some words have been written."""
        start, end = len(self.output), monotonic() + PATIENCE_S
        while wanted not in FRAMEWORK.sub(b"", self.output[start:]):
            if not self.read(1) and monotonic() > end:
                raise TimeoutError(wanted)

    def until_true(self, condition: Callable[[], bool]) -> None:
        """Read until something holds."""
        end = monotonic() + PATIENCE_S
        while not condition():
            self.read(0.1)
            if monotonic() > end:
                raise TimeoutError(condition)

    def until_quiet(self) -> bytes:
        """Read until the screen is drawn."""
        start = len(self.output)
        while self.read(QUIET_S):
            pass
        return self.output[start:]

    def ended(self) -> int:
        """Read to the end; the exit code."""
        end = monotonic() + PATIENCE_S
        while self.process.poll() is None:
            self.read(0.2)
            if monotonic() > end:
                raise TimeoutError("the program does not end")
        while self.read(0.05):
            pass
        return self.process.returncode

    def last_words(self) -> str:
        """What stands on the terminal after the program has given its screen back."""
        left = self.output.rindex(b"\x1b[?1049l")
        return FRAMEWORK.sub(b"", self.output[left:]).decode()

    def close(self) -> None:
        """Take the terminal away."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        with suppress(OSError):  # it went away already
            os.close(self.master)


def foreign(output: bytes) -> list[int]:
    """Control bytes that are not the framework's own."""
    rest = FRAMEWORK.sub(b"", output).replace(b"\r\n", b"").replace(b"\n", b"")
    return [byte for byte in rest if byte < 0x20 or byte == 0x7F]

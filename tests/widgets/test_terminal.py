"""What a real terminal receives: nothing of the corpus that it would obey."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import pytest
from hostile import HOSTILE

TESTS = Path(__file__).resolve().parent.parent

FRAMEWORK = re.compile(
    rb"""(?x) \x1b \[ (?:
        [0-9;]* [mHJK]             # colours, places, clearing
      | [?>=<]? [0-9;]* [hlucqpt]  # modes and questions about them
      | \?[0-9;]* \$p
    ) | \x1b\]22;[a-z]+\x07        # the shape of the pointer"""
)
"""The sequences Textual itself writes: colours, places, modes and questions; no title, link or clipboard."""


class Terminal:
    """A pseudo-terminal with the demo in it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))
        path = os.pathsep.join(str(p) for p in (TESTS.parent, TESTS, TESTS / "widgets"))
        env = {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        command = [sys.executable, str(TESTS / "widgets" / "demo.py")]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        self.output = b""

    def press(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def read_until(self, wanted: bytes | None) -> None:
        """Read until something appears on the screen, or until the program ends."""
        start = len(self.output)
        while wanted is None or wanted not in self.output[start:]:
            if not select.select([self.master], [], [], 60)[0]:
                raise TimeoutError(wanted)
            try:
                self.output += os.read(self.master, 65536)
            except OSError:
                return


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal(200, 50)
    yield opened
    opened.process.kill()
    opened.process.wait()
    os.close(opened.master)


def test_no_corpus_byte_reaches_the_terminal_as_a_command(terminal: Terminal) -> None:
    terminal.read_until(b"1,000,000")
    terminal.press(b"e")
    terminal.read_until(b"999,999")
    terminal.press(b"/")
    terminal.read_until(b"find:")
    terminal.press(b"\r")
    terminal.read_until(b"answered")
    terminal.press(b"q")
    terminal.read_until(None)
    assert terminal.process.wait() == 0
    rest = FRAMEWORK.sub(b"", terminal.output).replace(b"\r\n", b"")
    assert [byte for byte in rest if byte < 0x20 or byte == 0x7F] == []
    text = rest.decode()  # strictly: no lone byte of a token either
    assert not set(text) & set("\x9b\x85\u202e\u2066\u200d\u0300\ufe0f\u1161\u3164\ue000\ufeff\u2028🇩🏽")
    assert "[@click=app.quit]quit[/]" in text


def test_the_filter_would_notice() -> None:
    for name in ("OSC 0 title", "OSC 8 link", "OSC 52 clipboard", "all of C0"):
        assert re.search(rb"[\x00-\x1f]", FRAMEWORK.sub(b"", HOSTILE[name]))

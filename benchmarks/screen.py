"""A pseudo-terminal that keeps what a program writes with the time of each write, and plays it back as frames."""

import os
import pty
import re
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from fcntl import ioctl
from struct import pack
from termios import TIOCSWINSZ

import pyte

BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
"""Around a frame, where the terminal says that it draws frames whole."""
ASKS, ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
PATIENCE_S = 120
MARGIN = 32
"""A word may come in two writes: so many bytes are looked at again."""


class Terminal:
    """A program on a pseudo-terminal. A thread reads at once, so that times are the program's and not ours.

    Args:
        command: the program.
        size: columns and rows.
        variables: its environment.
    """

    def __init__(self, command: Sequence[str], size: tuple[int, int], variables: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        columns, rows = size
        ioctl(slave, TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))
        self.size = size
        self.written: list[tuple[float, bytes]] = []
        self._news = threading.Condition()
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=variables, start_new_session=True
        )
        os.close(slave)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            select.select([self._master], [], [])
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:  # the program has ended
                data = b""
            with self._news:
                self.written.append((time.perf_counter(), data))
                self._news.notify_all()
            if not data:
                return
            if ASKS in data:
                os.write(self._master, ANSWER)

    def press(self, keys: str) -> float:
        """Write keys as a terminal sends them.

        Returns:
            When.
        """
        now = time.perf_counter()
        os.write(self._master, keys.encode())
        return now

    def until(self, pattern: str, since: float = 0.0) -> float:
        """Wait for words to be written after a moment.

        Returns:
            When they were.

        Raises:
            TimeoutError: when they do not come.
        """
        wanted, deadline = re.compile(pattern.encode()), time.perf_counter() + PATIENCE_S
        seen, tail = 0, b""
        while True:
            for moment, data in self._after(seen, deadline):
                seen += 1
                if moment >= since:
                    if wanted.search(tail + data):
                        return moment
                    tail = (tail + data)[-MARGIN:]

    def _after(self, seen: int, deadline: float) -> list[tuple[float, bytes]]:
        """The writes after the first `seen` ones, at least one."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.written) > seen, deadline - time.perf_counter()):
                raise TimeoutError("what was waited for was not written")
            return self.written[seen:]

    def bytes_since(self, moment: float) -> int:
        """How much was written after a moment."""
        return sum(len(data) for at, data in self.written if at >= moment)

    def ended(self) -> float:
        """Wait for the program to end.

        Returns:
            When it had.
        """
        self.process.wait(PATIENCE_S)
        return time.perf_counter()

    def kill(self) -> None:
        """End the program if it has not ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def frames(self) -> Iterator[tuple[float, pyte.Screen]]:
        """The screen as it was after each frame, and when that was drawn; the screen is the same object each time."""
        screen = pyte.Screen(*self.size)
        stream = pyte.ByteStream(screen)
        frame = b""
        for moment, data in self.written:
            frame += data
            if frame.count(BEGIN) > frame.count(END):
                continue
            stream.feed(frame)
            frame = b""
            yield moment, screen

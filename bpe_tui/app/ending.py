"""How the program ends when somebody else ends it: within two seconds, whatever it is doing."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

ENDINGS = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
    if hasattr(signal, name) and os.name == "posix"
)
"""Signals after which the program is not to go on; the terminal's own ctrl+c is a key."""

ORDERLY_S = 1.4
"""Seconds for ending in order: the work kept, the screen taken down."""
AT_ALL_S = 1.8
"""Seconds after which the system ends the process, even where no Python code runs any more."""

_PLAIN = b"\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h"
"""No pasting in brackets, no mouse, no focus; lines wrap; keys, screen and cursor as before."""


def end_in_time(code: int, last: Callable[[], object]) -> None:
    """Let the process end with a code, should it not have ended in order by then; `last` is done before."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, AT_ALL_S)

    def give_up() -> None:
        with suppress(Exception):
            last()
        os._exit(code)

    timer = threading.Timer(ORDERLY_S, give_up)
    timer.daemon = True
    with suppress(RuntimeError):  # no further thread can be started: the system's clock runs all the same
        timer.start()


def give_terminal_back(attributes: list[Any] | None) -> None:
    """Leave the screen without the framework, which may be the one that hangs.

    Args:
        attributes: the terminal's as they were before, from `termios.tcgetattr`.
    """
    terminal = sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
    if attributes is not None:
        import termios

        with suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    os.write(terminal, _PLAIN + b"bpe-tui: ended before the work could be kept\n")

"""What is read off one process: wall and processor time, and memory."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
Figures = dict[str, float]
"""Figures by name; the name ends in the unit: `_s`, `_ms`, `_mb` (1,000,000 bytes)."""


def timed(work: Callable[[], T]) -> tuple[T, Figures]:
    """The result of some work, and how long it took: `wall_s`, `cpu_s` (user and system, all threads)."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}


def peak_mb() -> float:
    """The largest resident memory of this process so far."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6

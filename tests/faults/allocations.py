"""The loop over the allocations of an operation; what it imports must run below the library of nomemory.c."""

import ctypes
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SYMBOLS = ctypes.CDLL(None)
LEFT = ctypes.c_long.in_dll(SYMBOLS, "allocations_left")
FAILED = ctypes.c_long.in_dll(SYMBOLS, "allocations_failed")
LASTS = ctypes.c_int.in_dll(SYMBOLS, "failure_lasts")


def loop(make: Callable[[], T], operate: Callable[[T], object], check: Callable[[T], bool]) -> tuple[int, int]:
    """Fails each allocation of an operation in a round of its own.

    Args:
        make: what is operated on, anew for each round.
        operate: the operation.
        check: asserts that what was operated on is whole, or returns True where it says that it is not.

    Returns:
        The number of rounds, and of those after which it said so.
    """
    operate(make())  # what is made on first use is made now
    rounds = ends = 0
    while True:
        subject = make()
        FAILED.value = 0
        LEFT.value = rounds + 1
        try:
            operate(subject)
        except MemoryError:
            pass
        finally:
            LEFT.value = 0
        ends += check(subject)
        if FAILED.value == 0:
            return rounds, ends
        rounds += 1

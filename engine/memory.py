"""How much memory a run will need, said before it starts.

The needs are measured peaks per base symbol, with the whole history kept (benchmarks/RESULTS.md): a document of ten
million bytes and the distinct pieces of a hundred million, each learned to 32,768 entries, and a fifth on top.
"""

import os
from pathlib import Path

from engine.errors import LimitRefusal
from engine.sizes import size_words

BYTES_PER_SYMBOL = {"compiled": 42, "python": 230, "reference": 120}
WEIGHTS_PER_SYMBOL = 10
SHARE = 0.75
"""Of the free memory, what a run may take unless told otherwise."""


def free_memory() -> int | None:
    """Bytes that programs can still take, or None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def kernel_need(kernel: str, symbols: int, weighted: bool) -> int:
    """Bytes that a kernel takes for so many base symbols."""
    return symbols * (BYTES_PER_SYMBOL[kernel] + (WEIGHTS_PER_SYMBOL if weighted else 0))


def check_memory(need: int, limit: int | None, what: str) -> None:
    """Refuse work that needs more than a limit, by default three quarters of what is free.

    Raises:
        LimitRefusal: with the need, the limit and the way out.
    """
    free = free_memory() if limit is None else None
    bound = limit if limit is not None else None if free is None else int(free * SHARE)
    if bound is not None and need > bound:
        raise LimitRefusal(
            f"{what} needs about {size_words(need)} of memory, over the limit of {size_words(bound)}; take a smaller "
            "corpus, a boundary such as gpt2, or raise it with --memory-limit"
        )

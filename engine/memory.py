"""How much memory a run will need, said before it starts.

The needs are measured peaks per base symbol, with the whole history kept (benchmarks/RESULTS.md): a document of ten
million bytes and the distinct pieces of a hundred million, each learned to 32,768 entries, and a fifth on top.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

from engine.errors import LimitRefusal
from engine.free_memory import free_memory
from engine.limits import UNBOUNDED, Limits
from engine.sizes import size_words

Taken = Callable[[int], object]
"""Hears the bytes of memory that some work takes now; what it raises ends the work."""

BYTES_PER_SYMBOL = {"compiled": 42, "python": 230, "reference": 120}
WEIGHTS_PER_SYMBOL = 10
SHARE = 0.75
"""Of the free memory, what a run may take unless told otherwise."""
EXPANSIONS = 3
"""How often each byte expansion may lie in memory: for the tie rule, for whoever looks, for the encoder."""
_BOUNDARY = "take a smaller corpus, a boundary such as gpt2"


def unheard(_: int) -> None:
    """A `Taken` that nobody reads."""


def kernel_need(kernel: str, symbols: int, weighted: bool) -> int:
    """Bytes that a kernel takes for so many base symbols."""
    return symbols * (BYTES_PER_SYMBOL[kernel] + (WEIGHTS_PER_SYMBOL if weighted else 0))


def memory_bound(limit: int | None) -> int:
    """Bytes that a run may take: the limit, or three quarters of what is free; unbounded where nobody knows that."""
    if limit is not None:
        return limit
    free = free_memory()
    return UNBOUNDED if free is None else int(free * SHARE)


def check_memory(need: int, limit: int | None, what: str, way_out: str = _BOUNDARY) -> None:
    """Refuse work that needs more than a limit, by default three quarters of what is free.

    Args:
        need: bytes.
        limit: as in `memory_bound`.
        what: the work, for the refusal.
        way_out: what to do instead, beside raising the limit.

    Raises:
        LimitRefusal: with the need, the limit and the way out.
    """
    bound = memory_bound(limit)
    if need > bound:
        raise LimitRefusal(
            f"{what} needs about {size_words(need)} of memory, over the limit of {size_words(bound)}; {way_out}, "
            "or raise it with --memory-limit"
        )


@dataclass(frozen=True, slots=True)
class WithinMemory(Limits):
    """Limits whose `vocabulary_bytes` is what the memory leaves."""

    def check(self, name: str, need: int, what: str) -> None:
        """As `Limits.check`; for the byte expansions the way out is `--memory-limit`."""
        if name == "vocabulary_bytes" and need > self.vocabulary_bytes:
            raise LimitRefusal(
                f"{what} needs {need}, over the {self.vocabulary_bytes} that the memory limit leaves; learn fewer "
                "merges, or raise it with --memory-limit"
            )
        Limits.check(self, name, need, what)


def within_memory(limits: Limits, left: int) -> Limits:
    """The same limits, with no more byte expansions than fit into the memory that is left."""
    most = max(left // EXPANSIONS, 256)
    if limits.vocabulary_bytes <= most:
        return limits
    return WithinMemory(**{f.name: getattr(limits, f.name) for f in fields(Limits)} | {"vocabulary_bytes": most})

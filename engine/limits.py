"""Limits on work and memory, and the one place where exceeding one becomes a refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from engine.errors import LimitRefusal, PolicyRefusal

UNBOUNDED = 2**63 - 1
"""A count no run reaches; also the bound of every weighted count."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds; the defaults only keep positions and ids within 32 bits and counts within 63.

    Attributes:
        nodes: base symbols of one training run; bytes of one encoded document; tokens and bytes of one decoded
            document; merges in one artifact.
        documents: training documents.
        pair_types: distinct pairs alive at once; also the number of merges when encoding.
        heap_entries: entries of the priority queue; at the bound it is rebuilt from the live pairs, and refused
            only if those alone exceed it.
        trace_values: values printed per round of a trace: three per live pair before it, one per token after it.
        artifact_bytes: the canonical payload with its newline.
        token_bytes: one byte expansion.
        vocabulary_bytes: all byte expansions, the 256 base bytes included.
    """

    nodes: int = 2**32 - 2
    documents: int = 2**32 - 2
    pair_types: int = UNBOUNDED
    heap_entries: int = UNBOUNDED
    trace_values: int = UNBOUNDED
    artifact_bytes: int = UNBOUNDED
    token_bytes: int = UNBOUNDED
    vocabulary_bytes: int = UNBOUNDED

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            least = {"trace_values": 0, "vocabulary_bytes": 256}.get(f.name, 1)
            most = getattr(Limits, "__dataclass_fields__")[f.name].default  # noqa: B009
            if not least <= value <= most:
                raise PolicyRefusal(f"limit {f.name}={value} is out of range: give {least} to {most}")

    def check(self, name: str, need: int, what: str) -> None:
        """Refuse when `need` exceeds the limit `name`.

        Raises:
            LimitRefusal: naming the limit, its value, the need and the way out.
        """
        bound: int = getattr(self, name)
        if need > bound:
            raise LimitRefusal(f"{what} needs {need}, over the limit {name}={bound}; raise it with --limit {name}=N")

    def replaced(self, changes: Mapping[str, int]) -> "Limits":
        """These limits with some changed, by name.

        Raises:
            PolicyRefusal: for an unknown name or a value out of range.
        """
        names = [f.name for f in fields(self)]
        for name in changes:
            if name not in names:
                raise PolicyRefusal(f"unknown limit {name}: the limits are {', '.join(names)}")
        return replace(self, **changes)

    def lowered(self, bounds: "Limits") -> "Limits":
        """These limits, none of them over those of `bounds`."""
        return replace(self, **{f.name: min(getattr(self, f.name), getattr(bounds, f.name)) for f in fields(self)})


COURSE_LIMITS = Limits(
    nodes=65_536,
    documents=1_024,
    pair_types=65_536,
    heap_entries=131_072,
    trace_values=131_072,
    artifact_bytes=1_048_576,
    token_bytes=65_536,
    vocabulary_bytes=1_048_576,
)
"""The practical course's demonstration limits, used by the profile `incremental`."""

FILE_LIMITS = Limits(vocabulary_bytes=1 << 25)
"""For merges that only a file vouches for, since each of forty short lines can double what the last one made.

The vocabulary of o200k_base, the largest published, has 1.4 million bytes. What a file says of itself can lower these.
"""
UNLIMITED = Limits()
"""Only what 32-bit positions and ids and 63-bit counts can hold."""

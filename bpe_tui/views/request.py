"""What the screen asks of the worker: which window of which pane it shows. Immutable, so that it can be compared."""

from dataclasses import dataclass, field
from enum import StrEnum

from bpe_tui.text.cells import Mode
from engine.kernel import Pair


class PaneName(StrEnum):
    """The panes, in the order of their numbers."""

    STREAM = "stream"
    PAIRS = "pairs"
    MERGES = "merges"
    VOCAB = "vocab"
    INSPECT = "inspect"
    HELD_OUT = "held-out"
    STATS = "stats"


@dataclass(frozen=True, slots=True)
class PairSubject:
    """A pair of kernel ids."""

    pair: Pair


@dataclass(frozen=True, slots=True)
class MergeSubject:
    """A known merge."""

    rank: int


@dataclass(frozen=True, slots=True)
class TokenSubject:
    """A vocabulary entry, by kernel id."""

    token: int


@dataclass(frozen=True, slots=True)
class PlaceSubject:
    """The token that covers a byte of a training document."""

    document: int
    offset: int


Subject = PairSubject | MergeSubject | TokenSubject | PlaceSubject
"""What the inspector explains."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A window of a table: rows from `offset`, `count` of them, in an order, filtered, with or without headings."""

    offset: int = 0
    count: int = 0
    sort: str = ""
    reverse: bool = False
    filter: str = ""
    header: bool = False


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A window of the token stream.

    Attributes:
        document: index of the training document, or None for all in order.
        row: first row shown; rows are text lines, long ones cut every 4,096 bytes.
        line: how many of that row's screen lines are scrolled out of sight; may be negative or too large.
        width: cells.
        height: screen lines.
    """

    document: int | None = None
    row: int = 0
    line: int = 0
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class HeldOutRequest:
    """What to encode: a held-out document by index, or the user's own text, which goes first."""

    document: int = 0
    text: bytes | None = None
    width: int = 0


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """Everything that the screen shows at once; panes that are not visible are not built."""

    mode: Mode = Mode.TEXT
    visible: frozenset[PaneName] = frozenset()
    stream: StreamRequest = field(default_factory=StreamRequest)
    pairs: TableRequest = field(default_factory=TableRequest)
    merges: TableRequest = field(default_factory=TableRequest)
    vocab: TableRequest = field(default_factory=TableRequest)
    held_out: HeldOutRequest = field(default_factory=HeldOutRequest)
    subject: Subject | None = None
    inspect_width: int = 0
    stats_width: int = 0

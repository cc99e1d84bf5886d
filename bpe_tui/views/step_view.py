"""`StepView`: everything the screen shows of one rank, built at once so that no two panes show different ranks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from bpe_tui.run import Run
from bpe_tui.text.safe import SafeText
from bpe_tui.views.held_out import HeldOutView, held_out_view
from bpe_tui.views.inspect import inspect_view
from bpe_tui.views.request import PaneName, ViewRequest
from bpe_tui.views.stats import stats_view
from bpe_tui.views.stream import StreamView, build_stream
from bpe_tui.views.table_view import TableView
from bpe_tui.views.tables import merges_view, pairs_view, vocab_view

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StepView:
    """The panes at one rank, and the totals that the status lines show.

    Attributes:
        request: what was asked; panes that were not visible are empty.
        rank: merges applied.
        learned: merges known.
        finished: why learning ended, or an empty string.
        tokens: weighted tokens of the training text.
        bytes: weighted bytes of the training text.
        vocabulary: vocabulary size.
    """

    request: ViewRequest = field(default_factory=ViewRequest)
    rank: int = 0
    learned: int = 0
    budget: int | None = None
    finished: str = ""
    tokens: int = 0
    bytes: int = 0
    vocabulary: int = 0
    stream: StreamView = field(default_factory=StreamView)
    pairs: TableView = field(default_factory=TableView)
    merges: TableView = field(default_factory=TableView)
    vocab: TableView = field(default_factory=TableView)
    inspect: tuple[SafeText, ...] = ()
    held_out: HeldOutView = field(default_factory=HeldOutView)
    stats: tuple[SafeText, ...] = ()


_NOTHING = StepView()


def build_view(run: Run, request: ViewRequest, last: StepView | None = None) -> StepView:
    """The visible panes of a request at the run's present rank.

    Args:
        run: the run.
        request: what is on screen.
        last: an earlier view of the run; panes that would be the same are taken from it.

    Raises:
        Refusal: when a filter cannot be read.
    """
    trainer, mode = run.trainer, request.mode
    moment = trainer.rank, trainer.learned, trainer.stop_reason, mode
    if last is not None and moment != (last.rank, last.learned, last.finished, last.request.mode):
        last = None

    def pane(
        name: PaneName, wanted: Callable[[ViewRequest], object], shown: Callable[[StepView], T], build: Callable[[], T]
    ) -> T:
        if name not in request.visible:
            return shown(_NOTHING)
        if last is not None and name in last.request.visible and wanted(last.request) == wanted(request):
            return shown(last)
        return build()

    return StepView(
        request=request,
        rank=trainer.rank,
        learned=trainer.learned,
        budget=trainer.budget,
        finished=trainer.stop_reason,
        tokens=trainer.tokens,
        bytes=trainer.unit_bytes,
        vocabulary=trainer.layout.size(trainer.rank),
        stream=pane(
            PaneName.STREAM,
            lambda r: r.stream,
            lambda v: v.stream,
            lambda: build_stream(trainer, run.rows, request.stream, mode),
        ),
        pairs=pane(
            PaneName.PAIRS, lambda r: r.pairs, lambda v: v.pairs, lambda: pairs_view(trainer, request.pairs, mode)
        ),
        merges=pane(
            PaneName.MERGES, lambda r: r.merges, lambda v: v.merges, lambda: merges_view(trainer, request.merges, mode)
        ),
        vocab=pane(
            PaneName.VOCAB, lambda r: r.vocab, lambda v: v.vocab, lambda: vocab_view(trainer, request.vocab, mode)
        ),
        inspect=pane(
            PaneName.INSPECT,
            lambda r: (r.subject, r.inspect_width),
            lambda v: v.inspect,
            lambda: inspect_view(run, request.subject, request.inspect_width, mode),
        ),
        held_out=pane(
            PaneName.HELD_OUT,
            lambda r: r.held_out,
            lambda v: v.held_out,
            lambda: held_out_view(trainer, request.held_out, mode),
        ),
        stats=pane(
            PaneName.STATS, lambda r: r.stats_width, lambda v: v.stats, lambda: stats_view(trainer, request.stats_width)
        ),
    )

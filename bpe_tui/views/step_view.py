"""`StepView`: everything the screen shows of one rank, built at once so that no two panes show different ranks."""

from dataclasses import dataclass, field

from bpe_tui.run import Run
from bpe_tui.text.safe import SafeText
from bpe_tui.views.held_out import HeldOutView, held_out_view
from bpe_tui.views.inspect import inspect_view
from bpe_tui.views.request import PaneName, ViewRequest
from bpe_tui.views.stats import stats_view
from bpe_tui.views.stream import StreamView, build_stream
from bpe_tui.views.table_view import TableView
from bpe_tui.views.tables import merges_view, pairs_view, vocab_view


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


def build_view(run: Run, request: ViewRequest) -> StepView:
    """The visible panes of a request at the run's present rank.

    Raises:
        Refusal: when a filter cannot be read.
    """
    trainer, mode, visible = run.trainer, request.mode, request.visible
    return StepView(
        request=request,
        rank=trainer.rank,
        learned=trainer.learned,
        budget=trainer.budget,
        finished=trainer.stop_reason,
        tokens=trainer.tokens,
        bytes=trainer.unit_bytes,
        vocabulary=trainer.layout.size(trainer.rank),
        stream=build_stream(trainer, run.rows, request.stream, mode) if PaneName.STREAM in visible else StreamView(),
        pairs=pairs_view(trainer, request.pairs, mode) if PaneName.PAIRS in visible else TableView(),
        merges=merges_view(trainer, request.merges, mode) if PaneName.MERGES in visible else TableView(),
        vocab=vocab_view(trainer, request.vocab, mode) if PaneName.VOCAB in visible else TableView(),
        inspect=inspect_view(run, request.subject, request.inspect_width, mode) if PaneName.INSPECT in visible else (),
        held_out=held_out_view(trainer, request.held_out, mode) if PaneName.HELD_OUT in visible else HeldOutView(),
        stats=stats_view(trainer, request.stats_width) if PaneName.STATS in visible else (),
    )

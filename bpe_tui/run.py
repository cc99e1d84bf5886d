"""An opened run: a trainer with the indexes that the views read. Owned by the worker, never by the screen."""

from dataclasses import dataclass

from bpe_tui.views.rows import RowIndex
from engine.trainer import Trainer
from engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Run:
    """A trainer, the rows of its documents, and its vocabulary's family relations."""

    trainer: Trainer
    rows: RowIndex
    vocabulary: Vocabulary

    @classmethod
    def of(cls, trainer: Trainer) -> "Run":
        """The run of a trainer."""
        return cls(trainer, RowIndex(trainer.documents), Vocabulary(trainer))

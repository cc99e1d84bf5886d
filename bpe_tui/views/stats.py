"""The numbers of the run: compression over ranks as a line of blocks, vocabulary, policy and corpus."""

from collections.abc import Iterator

from bpe_tui.text.cells import show_str
from bpe_tui.text.safe import SafeText
from bpe_tui.text.wrap import fold
from bpe_tui.views.spelling import counted, label, ratio
from engine.kernel import kernel_words
from engine.trainer import Trainer

BLOCKS = "▁▂▃▄▅▆▇█"


def stats_view(trainer: Trainer, width: int) -> tuple[SafeText, ...]:
    """The lines of the pane."""
    if width <= 0:
        return ()
    layout = trainer.layout
    controls = f" + {layout.offset} controls and specials" if layout.offset else ""
    facts = [
        ratio(trainer.unit_bytes, trainer.tokens, "bytes per token"),
        label("bytes per token by rank " + sparkline(trainer, max(width - 24, 8))),
        label(f"vocabulary {layout.size(trainer.rank):,} = {layout.base} base + {trainer.rank:,} merges{controls}"),
        label(f"{trainer.kernel.live_pairs():,} live pairs over {trainer.windows:,} adjacent windows"),
        label(f"{len(trainer.units.sequences):,} units · kernel {kernel_words(trainer.kernel.name)}"),
        *_given(trainer),
        show_str(str(trainer.policy), prose=True),
        *(show_str(note, prose=True) for note in trainer.corpus.notes),
    ]
    return tuple(line for fact in facts for line in fold(fact, width))


def _given(trainer: Trainer) -> Iterator[SafeText]:
    """What the run began from, and how much of it this corpus has."""
    given = len(trainer.given.pairs)
    if given:
        seen = trainer.kernel.replacements()[:given]
        unused = f"; {seen.count(0):,} of {counted(len(seen), 'merge')} so far replaced nothing" if seen else ""
        yield label(f"{counted(given, 'merge')} given by ") + show_str(trainer.given.name, width=40) + label(unused)


def sparkline(trainer: Trainer, width: int) -> str:
    """Bytes per token from rank 0 to the present one, as blocks between their least and their greatest."""
    count = min(width, trainer.rank + 1)
    ranks = [trainer.rank * i // max(count - 1, 1) for i in range(count)]
    values = [trainer.unit_bytes / tokens if (tokens := trainer.tokens_at(r)) else 0.0 for r in ranks]
    low, high = min(values), max(values)
    step = (high - low) or 1.0
    return "".join(BLOCKS[round((v - low) / step * (len(BLOCKS) - 1))] for v in values)

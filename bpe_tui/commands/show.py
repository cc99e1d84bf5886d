"""`bpe-tui show`: a session at any rank, as the explorer shows it."""

import argparse
from collections.abc import Iterator

from bpe_tui.commands.arguments import whole
from bpe_tui.commands.output import Cell, print_json, print_line, print_table, say
from bpe_tui.commands.sources import add_session, chosen_rank, corpus_for, restored
from bpe_tui.commands.train import COLUMNS, merge_row, table_token
from bpe_tui.merge_records import Record, merge_record, summary
from bpe_tui.text.cells import Mode, show_str
from bpe_tui.text.glyphs import EDGE
from bpe_tui.text.safe import SafeText, join
from bpe_tui.views.spelling import token_text
from engine.alphabet import Token
from engine.trainer import Trainer
from sessions.store import load

DESCRIPTION = "Print a session at any rank: the token sequences, the pair counts, and the merge that made them."
EPILOG = """\
examples:
  bpe-tui show run.bpes --rank 3
  bpe-tui show run.bpes --rank 3 --json

Without --json the first 20 pairs are printed (--top N changes that). --json prints JSON Lines: {"summary": ...}, then
{"merge": ...} (null at rank 0), one {"document": ...} per training document, and one {"pair": ...} per pair.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The session, the rank, and how to print it."""
    add_session(parser)
    parser.add_argument("--rank", metavar="R", type=whole, help="the rank (default: the session's)")
    parser.add_argument("--top", metavar="N", type=whole, default=20, help="print so many pairs (default: 20)")
    parser.add_argument("--json", action="store_true", help="print JSON Lines")


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Restore, move, print."""
    session = load(args.session)
    rank = chosen_rank(args.rank, session.rank, len(session.merges))
    trainer = restored(session, corpus_for(session, args.session, args), args.session, args)
    trainer.seek(rank)
    say(f"policy: {trainer.policy}")
    say(f"rank:   {trainer.rank} of {trainer.learned} merges")
    if args.json:
        print_json(_records(trainer))
    else:
        _print(trainer, args.top)
    return 0


def _records(trainer: Trainer) -> Iterator[Record]:
    layout, vocabulary = trainer.layout, trainer.vocabulary
    yield {"summary": summary(trainer)}
    yield {"merge": merge_record(trainer, trainer.merges[trainer.rank - 1]) if trainer.rank else None}
    for number, document in enumerate(trainer.documents):
        tokens = trainer.document_tokens(number)
        ids = [layout.shown(placed.token) if placed.token >= 0 else None for placed in tokens]
        yield {"document": document.id, "weight": document.weight, "token_ids": ids}
    for pair, count in trainer.kernel.top(trainer.kernel.live_pairs()):
        sides = [vocabulary[token].data.hex() for token in pair]
        yield {"pair": [layout.shown(token) for token in pair], "count": count, "bytes_hex": sides}


def _print(trainer: Trainer, top: int) -> None:
    if trainer.rank:
        print_table(COLUMNS, [merge_row(trainer, trainer.merges[trainer.rank - 1])])
        print_line()
    edge = SafeText.label(EDGE)
    vocabulary = trainer.vocabulary
    for number, document in enumerate(trainer.documents):
        tokens = (
            vocabulary[placed.token] if placed.token >= 0 else Token(document.data[placed.start : placed.stop])
            for placed in trainer.document_tokens(number)
        )
        print_line(show_str(document.id, prose=True), ": ", join((token_text(t, Mode.TEXT) for t in tokens), edge))
    print_line()
    pairs = trainer.kernel.top(top)
    print_table(("pair", "count", "left", "right"), (_pair_row(trainer, pair, count) for pair, count in pairs))
    say(f"pairs:  {len(pairs)} of {trainer.kernel.live_pairs()}, the next merge's first")


def _pair_row(trainer: Trainer, pair: tuple[int, int], count: int) -> tuple[Cell, ...]:
    left, right = (table_token(trainer.vocabulary[token]) for token in pair)
    return SafeText.label(",".join(str(trainer.layout.shown(t)) for t in pair)), count, left, right

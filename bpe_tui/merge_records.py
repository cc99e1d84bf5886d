"""Merges as plain records: the lines of `train --json`, and of the exports that hold merges with their evidence."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.kernel import Pair
from engine.layout import Layout
from engine.trainer import Merge, Trainer
from engine.utf8 import Utf8Class, utf8_class

Record = dict[str, Any]


def merge_records(trainer: Trainer) -> Iterator[Record]:
    """One record per merge that is applied now, then a last one, `{"summary": ...}`."""
    for merge in islice(trainer.merges, trainer.rank):
        yield merge_record(trainer, merge)
    yield {"summary": summary(trainer)}


def merge_record(trainer: Trainer, merge: Merge) -> Record:
    """A merge with its evidence; ids are those of the policy's layout.

    `text` is null for bytes that are no UTF-8; `ends_word` is there only where the policy marks the ends of words.
    """
    evidence, layout, content = merge.evidence, trainer.layout, merge.content
    utf8 = utf8_class(content.data)
    record: Record = {
        "rank": merge.rank,
        "pair": _shown(layout, evidence.pair),
        "token_id": layout.shown(merge.token),
        "candidate_count": evidence.candidate_count,
        "replacements": evidence.replacements,
        "bytes_hex": content.data.hex(),
        "text": content.data.decode() if utf8 is Utf8Class.TEXT else None,
        "utf8": utf8.value,
        "tie_size": evidence.tie_size,
        "runner_up": evidence.runner_up
        and {"pair": _shown(layout, evidence.runner_up), "count": evidence.runner_up_count},
    }
    if trainer.policy.end_of_word != "none":
        record["ends_word"] = content.ends_word
    return record


def summary(trainer: Trainer) -> Record:
    """The run as a whole, up to the present rank; equal for every kernel."""
    corpus = trainer.corpus
    return {
        "policy": str(trainer.policy),
        "corpus": corpus.name,
        "corpus_format": corpus.format,
        "corpus_sha256": corpus.sha256,
        "training_documents": len(corpus.training),
        "held_out_documents": len(corpus.held_out),
        "merges": trainer.rank,
        "stopped": trainer.stop_reason or None if trainer.rank == trainer.learned else None,
        "vocabulary_size": trainer.layout.size(trainer.rank),
        "base_symbols": trainer.units.weighted_symbols,
        "tokens": trainer.tokens,
        **({"given_merges": len(trainer.given.pairs)} if trainer.given.pairs else {}),
    }


def _shown(layout: Layout, pair: Pair) -> list[int]:
    return [layout.shown(token) for token in pair]

"""Sessions and corpora for the session tests."""

from pathlib import Path

from engine.corpus.open import CorpusOptions, open_corpus
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.restore import capture
from sessions.snapshot import Session

TWO = b'["aaa", "aba"]'
"""Trains to (97,97) count 2 in 1 replacement, then (97,98) in a tie of three, then two more merges and no pair left."""


def trainer_of(source: bytes | Path = TWO, policy: Policy | None = None, merges: int = 4) -> Trainer:
    trainer = Trainer(open_corpus(source), policy or Policy())
    trainer.learn(merges)
    return trainer


def session_of(source: bytes | Path = TWO, policy: Policy | None = None, merges: int = 4) -> Session:
    return capture(
        trainer_of(source, policy, merges),
        "-" if isinstance(source, bytes) else str(source),
        CorpusOptions(),
        bookmarks=[2, 0, 2],
        held_out=[b"acac", b"\xff\x00"],
        view={"document": 1, "mode": "hex", "follow": True, "filter": None},
    )

"""Merge lists in one spelling, and where two of them part."""

from collections.abc import Sequence
from itertools import zip_longest

from engine.alphabet import Token
from engine.corpus.document import Document, corpus_of
from engine.given import NOTHING_GIVEN, Given
from engine.policy import Policy
from engine.trainer import Trainer

MERGES = 1000
Bytes = tuple[bytes, bytes]
"""A merge as the bytes of its two sides."""


def trainer_of(text: str, policy: Policy, merges: int = MERGES, given: Given = NOTHING_GIVEN) -> Trainer:
    """Our run over one document, as far as it goes up to that many merges."""
    data = text.encode()
    trainer = Trainer(corpus_of(data, "text", "text", [Document("text", data)]), policy, given=given)
    trainer.seek(merges)
    return trainer


def pairs_of(trainer: Trainer) -> list[Bytes]:
    """The merges of a run."""
    content = trainer.vocabulary
    return [(content[left].data, content[right].data) for left, right in trainer.merge_list()]


def symbols_of(trainer: Trainer) -> list[tuple[str, str]]:
    """The merges of a run as strings, with the mark of a word's end."""
    content = trainer.vocabulary
    return [(content[left].symbol, content[right].symbol) for left, right in trainer.merge_list()]


def learned(trainer: Trainer) -> list[bytes]:
    """The tokens that the merges made, by rank."""
    made: Sequence[Token] = trainer.vocabulary[len(trainer.units.alphabet.tokens) :]
    return [token.data for token in made]


def ours(text: str, policy: Policy, merges: int = MERGES) -> list[Bytes]:
    """Our merges of a text."""
    return pairs_of(trainer_of(text, policy, merges))


def first_difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    """The first rank at which two lists differ, the end of the shorter one included; None where they are equal."""
    return next((rank for rank, (a, b) in enumerate(zip_longest(one, other)) if a != b), None)

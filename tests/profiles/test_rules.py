"""Trainers that no package index has ready to use, written down from their rules: minbpe, CS336's assignment 1,
YouTokenToMe, and subword-nmt for bytes."""

from collections import Counter

import regex

from engine.pretokenize import CL100K, GPT2
from engine.profiles import PROFILES
from engine.trainer import Trainer

from .lists import MERGES, ours, symbols_of, trainer_of
from .plain import byte_words, first_seen, largest, non_overlapping, train


def test_minbpe_regex(text: str) -> None:
    words = byte_words(regex.findall(CL100K, text))
    assert ours(text, PROFILES["minbpe-regex"].policy) == train(words, MERGES, first_seen)


def test_minbpe_basic(text: str) -> None:
    part = text.encode()[:6_000].decode(errors="ignore")
    assert ours(part, PROFILES["minbpe-basic"].policy, 300) == train(byte_words([part]), 300, first_seen)


def test_cs336(text: str) -> None:
    special = "<|endoftext|>"
    text = text[:50_000] + special + text[50_000:] + special
    words = byte_words(piece for part in text.split(special) for piece in regex.findall(GPT2, part))
    policy = PROFILES["cs336"].policy.changed(special_tokens=(special,))
    assert ours(text, policy) == train(words, MERGES, largest)


def test_subword_nmt_for_bytes(text: str) -> None:
    """Lines end at LF; what is stripped at their ends is CR, LF and space; the last byte of a word is marked."""
    words = (word for line in text.encode().split(b"\n") for word in line.strip(b"\r\n ").split(b" ") if word)
    marked = Counter((*(bytes([byte]) for byte in word[:-1]), word[-1:] + b"</w>") for word in words)
    trainer = trainer_of(text, PROFILES["subword-nmt-byte"].policy)
    tokens = trainer.vocabulary
    made = [(tokens[left].spelling, tokens[right].spelling) for left, right in trainer.merge_list()]
    assert made == train(marked, MERGES, largest, least=2)
    assert len(made) == MERGES


def test_youtokentome_takes_a_highest_pair_by_its_counts(text: str) -> None:
    words = regex.findall(r"[^ \t\n\v\f\r\u2581]+", text)
    trainer = trainer_of(text, PROFILES["youtokentome"].policy)
    assert trainer.learned == MERGES
    assert_each_is_a_highest_pair(trainer, words)


def assert_each_is_a_highest_pair(trainer: Trainer, words: list[str]) -> None:
    """Train by the peer's counts, picking our pair wherever it is among the tied ones."""
    wanted = iter(made := symbols_of(trainer))

    def ours_if_tied(tied: set[tuple[str, str]], *_: object) -> tuple[str, str]:
        pair = next(wanted)
        return pair if pair in tied else ("", "not tied")

    spelled: dict[tuple[str, ...], int] = {}
    for word in words:
        spelled[("\u2581", *word)] = spelled.get(("\u2581", *word), 0) + 1
    assert train(spelled, len(made), ours_if_tied, count=non_overlapping) == made

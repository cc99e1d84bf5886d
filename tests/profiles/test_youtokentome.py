"""YouTokenToMe: no two of its lists need be equal, so each merge of its own is held against the profile's counts."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import regex

from engine.alphabet import Token
from engine.given import Given
from engine.policy import Policy
from engine.profiles import PROFILES
from engine.trainer import Trainer

from .lists import MERGES, symbols_of, trainer_of

POLICY = PROFILES["youtokentome"].policy
SPECIALS = len(POLICY.special_tokens)
LARGE = 100_000
"""A vocabulary that no short text fills."""


class Model(NamedTuple):
    """A trained model.

    Attributes:
        library: the encoder of it.
        specials: the ids of `<UNK>`, `<PAD>`, `<BOS>` and `<EOS>`.
        characters: its base symbols by id, which begins behind the specials.
        rules: left, right and new id of each merge, by rank.
    """

    library: Any
    specials: list[int]
    characters: list[str]
    rules: list[list[int]]

    @property
    def given(self) -> Given:
        """Its list, to be replayed."""
        base = tuple(Token(character.encode()) for character in self.characters)
        return Given(base, tuple((left - SPECIALS, right - SPECIALS) for left, right, _ in self.rules))


def learn(file: Path, size: int, threads: int = 1, coverage: float = 1.0) -> Model:
    """A model of the peer, read from its file: two numbers, characters with their ids, rules, special ids."""
    peer = pytest.importorskip("youtokentome")
    model = file.with_suffix(".yttm")
    library = peer.BPE.train(str(file), str(model), size, n_threads=threads, coverage=coverage)
    head, *lines = [[int(word) for word in line.split()] for line in model.read_text().splitlines()]
    characters, rules = lines[: head[0]], lines[head[0] : sum(head)]
    by_id = {at: chr(code) for code, at in characters}
    return Model(library, lines[-1], [by_id[at] for at in sorted(by_id)], rules)


def replayed(text: str, model: Model, policy: Policy = POLICY) -> Trainer:
    """Its list on our counts."""
    trainer = trainer_of(text, policy, len(model.rules), model.given)
    assert trainer.learned == len(model.rules)
    return trainer


def below_others(trainer: Trainer) -> list[int]:
    """The ranks whose pair another one exceeds, or that never occurs."""
    counts = ((taken.candidate_count, taken.runner_up_count) for taken in trainer.kernel.evidence)
    return [rank for rank, (count, other) in enumerate(counts) if count < max(other, 1)]


def both(text: str, tmp_path: Path, coverage: float = 1.0) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The merges of a short text down to the last pair: its own and ours."""
    file = tmp_path / "text"
    file.write_bytes(text.encode())
    theirs = replayed(text, learn(file, LARGE, coverage=coverage))
    ours = trainer_of(text, POLICY.changed(coverage=round(coverage * 1_000_000)), LARGE)
    return symbols_of(theirs), symbols_of(ours)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_merge_is_a_highest_pair_by_counts_without_overlap(text: str, file: Path, threads: int) -> None:
    model = learn(file, MERGES, threads)
    assert below_others(replayed(text, model)) == []
    assert below_others(replayed(text, model, POLICY.changed(counting="overlapping")))


def test_short_texts_to_the_last_pair(tmp_path: Path) -> None:
    source = random.Random(106)
    for number in range(60):
        letters = source.choice(["ab", "aab.", "abcdefgh"]) * 3 + " \t\n"
        text = "".join(source.choices(letters, k=source.choice([10, 60, 400])))
        file = tmp_path / str(number)
        file.write_text(text)
        trainer = replayed(text, learn(file, LARGE, 1 + number % 3))
        assert below_others(trainer) == [], text
        trainer.seek(LARGE)
        assert trainer.exhausted
        assert trainer.learned == len(trainer.given.pairs), text


def test_ids(text: str, file: Path) -> None:
    """Special tokens, `▁`, characters by falling count and code point, merges; as many in a vocabulary as ours."""
    model = learn(file, MERGES)
    counts = Counter(regex.sub(r"[ \t\n\v\f\r\u2581]", "", text))
    assert model.specials == [1, 0, 2, 3]
    assert model.characters == ["▁", *sorted(counts, key=lambda c: (counts[c], c), reverse=True)]
    assert [made for _, _, made in model.rules] == [*range(SPECIALS + len(model.characters), MERGES)]
    entries = [token.symbol for token in replayed(text, model).vocabulary]
    assert model.library.vocab() == [*POLICY.special_tokens, *entries]
    ours = trainer_of(text, POLICY.changed(budget=MERGES, budget_unit="vocabulary"), LARGE)
    assert ours.learned == len(model.rules)
    assert sorted(token.symbol for token in ours.units.alphabet.tokens) == sorted(model.characters)


def test_lines_are_encoded_into_the_same_ids(text: str, file: Path) -> None:
    model = learn(file, MERGES)
    tokenizer = replayed(text, model).tokenizer()
    lines = text.split("\n")
    ids = model.library.encode(lines)
    for line, theirs in zip(lines, ids, strict=True):
        assert tokenizer.encode(line.encode()) == theirs, ascii(line)


@pytest.mark.parametrize("code", [*range(0x21), 0x7F, 0x85, 0xA0, 0x200B, 0x2028, 0x2581, 0x2585, 0x3000, 0xFEFF])
def test_what_parts_words(code: int, tmp_path: Path) -> None:
    text = f"a{chr(code)}b"
    file = tmp_path / "text"
    file.write_bytes(text.encode())
    model = learn(file, LARGE)
    assert len(model.rules) == (2 if chr(code) in " \t\n\v\f\r\u2581" else 3)
    trainer = replayed(text, model)
    assert len(trainer.units.alphabet.tokens) == len(model.characters)
    assert below_others(trainer) == []
    assert len(trainer_of(text, POLICY, LARGE).merges) == len(model.rules)


def test_departures(tmp_path: Path) -> None:
    assert both("ab", tmp_path) == ([("▁", "a"), ("▁a", "b")], [("a", "b"), ("▁", "ab")])
    assert learn(tmp_path / "text", LARGE).characters == ["▁", "b", "a"]
    ours = trainer_of("ab", POLICY).units.alphabet.tokens
    assert [token.symbol for token in ours] == ["a", "b", "▁"]
    rare, parted = both("a猫a", tmp_path, coverage=0.6)
    assert rare[-1] in [("▁", "aa"), ("▁a", "a")]
    assert parted == [("▁", "a")]


def test_a_byte_of_no_character_ends_its_process(tmp_path: Path) -> None:
    pytest.importorskip("youtokentome")
    (tmp_path / "text").write_bytes(b"\xff")
    train = "import youtokentome; youtokentome.BPE.train('text', 'model', 100)"
    ended = subprocess.run([sys.executable, "-c", train], cwd=tmp_path, capture_output=True)
    assert ended.returncode < 0
    assert b"out_of_range" in ended.stderr

"""Hugging Face tokenizers and gigabpe: pairs in order, and ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.alphabet import BYTE_TO_UNICODE
from engine.corpus.document import Document, corpus_of
from engine.pretokenize import GPT2, O200K
from engine.profiles import PROFILES
from engine.trainer import Trainer

from .lists import MERGES, Bytes, pairs_of, symbols_of, trainer_of

Found = Any
"""What the library gives: it is not typed here."""
BYTE_OF = {letter: byte for byte, letter in enumerate(BYTE_TO_UNICODE)}
CL100K = "|".join(
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+|\s+(?!\S)|\s+",
    )
)
"""GPT-4's pattern without possessive quantifiers, which this library reads as something else."""


def library() -> Found:
    return pytest.importorskip("tokenizers")


def byte_level(pattern: str | None = None, whole: bool = False) -> Found:
    """Its pre-tokenizer: GPT-2's pattern by default, another one, or none."""
    pre = library().pre_tokenizers
    if pattern is None:
        return pre.ByteLevel(add_prefix_space=False, use_regex=not whole)
    split = pre.Split(library().Regex(pattern), "isolated")
    return pre.Sequence([split, pre.ByteLevel(add_prefix_space=False, use_regex=False)])


def learn(pre: Found, source: list[str] | Path, size: int = 256 + MERGES, **options: Found) -> dict[str, Found]:
    """Its model, trained from documents or from a file."""
    tokenizer = library().Tokenizer(library().models.BPE())
    tokenizer.pre_tokenizer = pre
    trainer = library().trainers.BpeTrainer(vocab_size=size, show_progress=False, **options)
    if isinstance(source, Path):
        tokenizer.train([str(source)], trainer)
    else:
        tokenizer.train_from_iterator(source, trainer)
    model: dict[str, Found] = json.loads(tokenizer.to_str())["model"]
    return model


def letters() -> dict[str, Found]:
    return {"initial_alphabet": library().pre_tokenizers.ByteLevel.alphabet()}


def unmapped(token: str) -> bytes:
    """The bytes of a token's letters."""
    return bytes(BYTE_OF[letter] for letter in token)


def merges_of(model: dict[str, Found]) -> list[Bytes]:
    return [(unmapped(left), unmapped(right)) for left, right in model["merges"]]


def vocabulary_of(model: dict[str, Found]) -> list[bytes]:
    """Its tokens by id, which must be all from 0."""
    vocabulary = model["vocab"]
    assert sorted(vocabulary.values()) == [*range(len(vocabulary))]
    return [unmapped(token) for token in sorted(vocabulary, key=vocabulary.__getitem__)]


def assert_equal(trainer: Trainer, model: dict[str, Found]) -> None:
    assert pairs_of(trainer) == merges_of(model)
    assert [token.data for token in trainer.vocabulary] == vocabulary_of(model)


def test_files(text: str, file: Path) -> None:
    trainer = trainer_of(text, PROFILES["huggingface"].policy)
    assert_equal(trainer, learn(byte_level(), file, **letters()))
    assert trainer.learned == MERGES


def test_without_an_initial_alphabet(text: str, file: Path) -> None:
    policy = PROFILES["huggingface"].policy.changed(base_bytes="seen", budget=800, budget_unit="vocabulary")
    trainer = trainer_of(text, policy, 10**6)
    assert_equal(trainer, learn(byte_level(), file, 800))
    assert 800 - 256 < trainer.learned < 800


@pytest.mark.parametrize(("boundary", "pattern"), [("cl100k-by-line", CL100K), ("o200k-by-line", O200K)])
def test_files_with_another_split(text: str, file: Path, boundary: str, pattern: str) -> None:
    policy = PROFILES["huggingface"].policy.changed(boundary=boundary)
    assert_equal(trainer_of(text, policy), learn(byte_level(pattern), file, **letters()))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("huggingface-iterator", GPT2), ("huggingface-cl100k", CL100K), ("huggingface-o200k", O200K)],
)
def test_iterator(text: str, name: str, pattern: str) -> None:
    trainer = trainer_of(text, PROFILES[name].policy)
    assert_equal(trainer, learn(byte_level(pattern), [text], **letters()))
    assert trainer.learned == MERGES


def test_its_own_split_is_the_pattern(text: str) -> None:
    assert learn(byte_level(), [text], **letters()) == learn(byte_level(GPT2), [text], **letters())


def test_unsplit(text: str, file: Path) -> None:
    policy = PROFILES["huggingface-unsplit"].policy
    parts = [text[at : at + 1000] for at in range(0, len(text), 1000)]
    documents = [Document(str(at), part.encode()) for at, part in enumerate(parts)]
    trainer = Trainer(corpus_of(text.encode(), "text", "text", documents), policy)
    trainer.seek(MERGES)
    assert_equal(trainer, learn(byte_level(whole=True), parts, **letters()))
    lines = trainer_of(text, policy.changed(boundary="line"))
    assert_equal(lines, learn(byte_level(whole=True), file, **letters()))


def test_words_of_characters(text: str) -> None:
    trainer = trainer_of(text, PROFILES["huggingface-words"].policy)
    size = len(trainer.vocabulary)
    model = learn(library().pre_tokenizers.WhitespaceSplit(), [text], size)
    assert symbols_of(trainer) == [tuple(merge) for merge in model["merges"]]
    assert [token.symbol for token in trainer.vocabulary] == sorted(model["vocab"], key=model["vocab"].__getitem__)


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({"min_frequency": 30}, {"min_count": 30}),
        ({"max_token_length": 5}, {"max_token_length": 5}),
        ({"max_token_length": 2}, {"max_token_length": 2}),
    ],
)
def test_options(text: str, file: Path, options: dict[str, int], changes: dict[str, object]) -> None:
    policy = PROFILES["huggingface"].policy.changed(**changes)
    assert_equal(trainer_of(text, policy, 10**6), learn(byte_level(), file, 10**6, **options, **letters()))


def test_special_tokens_take_the_first_ids_and_are_text(text: str, file: Path) -> None:
    specials, size = ("[x] [y]", "<s>"), 2 + 256 + 200
    text += "[x] [y]" * 3000
    file.write_bytes(text.encode())
    model = learn(byte_level(), file, size, special_tokens=[*specials], **letters())
    policy = PROFILES["huggingface"].policy.changed(special_tokens=specials, budget=size, budget_unit="vocabulary")
    trainer = trainer_of(text, policy, size)
    assert pairs_of(trainer) == merges_of(model)
    assert pairs_of(trainer) != pairs_of(trainer_of(text, policy.changed(special_tokens_as="cut"), size))
    in_order = sorted(model["vocab"], key=model["vocab"].__getitem__)
    assert in_order[:2] == [*specials]
    assert trainer.layout.shown(0) == 2
    assert [unmapped(token) for token in in_order[2:]] == [token.data for token in trainer.vocabulary]


def test_gigabpe(text: str, file: Path) -> None:
    gigabpe = pytest.importorskip("gigabpe")
    vocabulary, merges = gigabpe.train_bpe([str(file)], 10**6, special_tokens=[], pretokenizer="bytelevel")
    trainer = trainer_of(text, PROFILES["gigabpe"].policy)
    assert pairs_of(trainer) == [(unmapped(left), unmapped(right)) for left, right in merges[:MERGES]]
    ids = [token.data for token in trainer.vocabulary]
    assert len(ids) < 256 + MERGES
    assert ids == [unmapped(token) for token in sorted(vocabulary, key=vocabulary.__getitem__)][: len(ids)]

"""The paper's example (Sennrich et al. 2016, algorithm 1): low 5, lower 2, newest 6, widest 3."""

import pytest
from runs import KERNELS, corpus

from engine.profiles import PROFILES
from engine.trainer import Trainer

WORDS, COUNTS = (b"low", b"lower", b"newest", b"widest"), (5, 2, 6, 3)
SEVEN = [("e", "s", 9), ("es", "t", 9), ("est", "</w>", 9), ("l", "o", 7), ("lo", "w", 7), ("e", "w", 6),
         ("ew", "est</w>", 6)]  # fmt: skip
"""By hand; the first three and the next two are ties of alphabetical order."""


def toy(kernel: str = "auto") -> Trainer:
    trainer = Trainer(corpus(*WORDS, weights=COUNTS), PROFILES["sennrich"].policy, kernel=kernel)
    trainer.seek(7)
    return trainer


def symbols(trainer: Trainer, ids: list[int]) -> list[str]:
    return [trainer.vocabulary[i].symbol for i in ids]


@pytest.mark.parametrize("kernel", KERNELS)
def test_seven_merges(kernel: str) -> None:
    trainer = toy(kernel)
    learned = [(*symbols(trainer, list(m.evidence.pair)), m.evidence.candidate_count) for m in trainer.merges]
    assert learned == SEVEN


def test_running_text_counts_like_its_word_table() -> None:
    text = b" ".join(word for word, count in zip(WORDS, COUNTS, strict=True) for _ in range(count))
    trainer = Trainer(corpus(text), PROFILES["sennrich"].policy)
    trainer.seek(7)
    assert list(trainer.merges) == list(toy().merges)


def test_an_unseen_word_is_built_from_known_parts() -> None:
    trainer = toy()
    tokenizer = trainer.tokenizer()
    assert symbols(trainer, tokenizer.encode(b"lowest")) == ["low", "est</w>"]
    assert tokenizer.decode(tokenizer.encode(b"lowest low")) == b"lowest low"


def test_the_live_words() -> None:
    trainer = toy()
    live = [symbols(trainer, [p.token for p in trainer.document_tokens(i)]) for i in range(4)]
    assert live == [
        ["low", "</w>"],
        ["low", "e", "r", "</w>"],
        ["n", "ewest</w>"],
        ["w", "i", "d", "est</w>"],
    ]


def test_the_fused_mark_belongs_to_the_last_character() -> None:
    """subword-nmt 0.2: no symbol of its own, so t</w> exists from the start and est</w> comes one merge earlier."""
    policy = PROFILES["sennrich"].policy.changed(end_of_word="fused")
    trainer = Trainer(corpus(*WORDS, weights=COUNTS), policy)
    trainer.seek(2)
    assert [m.content.symbol for m in trainer.merges] == ["es", "est</w>"]
    assert [m.evidence.candidate_count for m in trainer.merges] == [9, 9]

"""Runs and texts that formats are tried with."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.corpus.document import Corpus, Document, corpus_of
from engine.corpus.open import CorpusOptions, open_corpus
from engine.merge_list import MergeList, merge_list_of
from engine.policy import Policy
from engine.trainer import Trainer

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "corpus.json"
_PARTS = [
    "the", " the", "ing", " of", "aaaa", "  ", "\n", "\r\n", "\t", "\ufeff", "\u2028", "é", "日本", "語", "😀", "don't",
    " 12345", "...", "=1+1", "\x00", "\u00a0", "x" * 30, "Straße", "и ", "कि", "<|end|>", "#", "</w>", "  \n \n",
]  # fmt: skip


def example_list(policy: Policy, merges: int) -> MergeList:
    """The first merges of a run over the project's example corpus."""
    return _learned(open_corpus(EXAMPLE, CorpusOptions()), policy, merges)


def small_list(policy: Policy, merges: int, *texts: bytes) -> MergeList:
    """The first merges of a run over a few documents."""
    documents = [Document(f"d{i}", text, 1) for i, text in enumerate(texts)]
    return _learned(corpus_of(b"".join(texts), "test", "text", documents), policy, merges)


def _learned(corpus: Corpus, policy: Policy, merges: int) -> MergeList:
    trainer = Trainer(corpus, policy)
    trainer.seek(merges)
    return merge_list_of(trainer)


def texts(number: int, seed: int = 4) -> Iterator[str]:
    """Seeded texts: odd parts among words of the example corpus, the empty text first."""
    chosen = random.Random(seed)
    words = [w for d in open_corpus(EXAMPLE, CorpusOptions()).documents for w in d.data[:].decode().split(" ")]
    yield ""
    for _ in range(number - 1):
        size = chosen.randint(1, 12)
        parts = (chosen.choice(_PARTS) if chosen.random() < 0.3 else chosen.choice(words) for _ in range(size))
        yield chosen.choice(["", " "]).join(parts)


def outside_ids(merges: MergeList, texts: Sequence[str]) -> list[list[int]]:
    """What a merge list makes of texts, in outside ids."""
    tokenizer = merges.tokenizer()
    return [[merges.ids[i] for i in ids] for ids in tokenizer.encode_batch([text.encode() for text in texts])]

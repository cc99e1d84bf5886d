"""The shipped examples: they open, split as their manifest says, and give merges known from elsewhere."""

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

from engine.corpus.document import Split
from engine.corpus.open import open_corpus
from engine.profiles import profile
from engine.trainer import Trainer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CORPUS = EXAMPLES / "corpus.json"


def test_corpus_is_split_by_the_manifest_beside_it() -> None:
    corpus = open_corpus(CORPUS)
    assert corpus.format == "course-json"
    assert corpus.sha256 == hashlib.sha256(CORPUS.read_bytes()).hexdigest()
    assert "split by the manifest 'corpus.splits.json' (found beside the corpus)" in corpus.notes
    roles = Counter(document.split for document in corpus.documents)
    assert roles == {Split.TRAIN: 10, Split.VALIDATION: 2, Split.TEST: 2}
    assert {d.id for d in corpus.held_out} == {"weather-en", "weather-ru", "library-en", "library-ja"}


def test_corpus_has_scripts_of_one_two_three_and_four_bytes_a_character() -> None:
    documents = open_corpus(CORPUS).training
    assert {d.metadata["language"] for d in documents} >= {"en", "ru", "ja", "hi"}
    widths = {len(character.encode()) for d in documents for character in d.data[:].decode()}
    assert widths == {1, 2, 3, 4}


def test_corpus_holds_what_a_screen_must_not_obey() -> None:
    marks = next(d.data[:].decode() for d in open_corpus(CORPUS).training if d.id == "marks-mixed")
    for hostile in ("e\u0301", "\u200d", "\n\n", "\t", "<|endoftext|>", "[/bold]"):
        assert hostile in marks


def test_first_merge_has_the_highest_count_of_all_windows() -> None:
    corpus = open_corpus(CORPUS)
    counts = Counter(pair for document in corpus.training for pair in pairwise(document.data[:]))
    trainer = Trainer(corpus, profile("course").policy)
    trainer.seek(1)
    evidence = trainer.merges[0].evidence
    highest = max(counts.values())
    assert evidence.candidate_count == highest
    assert evidence.pair == min(pair for pair, count in counts.items() if count == highest)


def test_word_table_gives_the_lesson_merges() -> None:
    """The word table of Sennrich et al. 2016 with ties broken alphabetically; the counts add up by hand."""
    trainer = Trainer(open_corpus(EXAMPLES / "words.tsv"), profile("sennrich").policy)
    trainer.seek(7)
    found = []
    for merge in trainer.merges:
        left, right = (trainer.vocabulary[token] for token in merge.evidence.pair)
        found.append((left.symbol, right.symbol, merge.evidence.candidate_count))
    assert found == [
        ("e", "s", 9),
        ("es", "t", 9),
        ("est", "</w>", 9),
        ("l", "o", 7),
        ("lo", "w", 7),
        ("e", "w", 6),
        ("ew", "est</w>", 6),
    ]

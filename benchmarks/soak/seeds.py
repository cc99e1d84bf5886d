"""Undamaged files to begin from, made by the program itself: small runs in every format that can hold them."""

import base64
import json
from contextlib import suppress
from pathlib import Path

from hostile import HOSTILE

from bpe_tui.exports import Format, export, targets_of
from engine.alphabet import build_alphabet
from engine.binding import corpus_receipt
from engine.corpus.document import Corpus
from engine.corpus.open import CorpusOptions, open_corpus
from engine.corpus.split import STRATEGY
from engine.errors import Refusal
from engine.formats.ids import WRITERS
from engine.merge_list import merge_list_of
from engine.pretokenize import O200K
from engine.profiles import profile
from engine.tokenizer import Tokenizer
from engine.trace import write_apply_trace
from engine.trainer import Trainer
from sessions.restore import capture
from sessions.snapshot import Session

CORPUS, WORDS = "corpus.json", "words.tsv"
TEXTS = (
    "the keeper lights the light, the others keep the lights",
    "свет и тень, свет и свет",
    "日本 日本語 👍🏽 it's 1234\n\n  x",
    "aaaa aaa <|end|> aab",
)
RECORDS = [{"id": f"d{n}", "language": "en", "provenance_group": f"g{n}", "text": text} for n, text in enumerate(TEXTS)]
WORD_COUNTS = b"low\t5\nlower\t2\nnewest\t6\nwidest\t3\n"
_OF_TEXTS = ("course", "incremental", "huggingface", "minbpe-regex", "sentencepiece")
_OF_WORDS = ("sennrich", "subword-nmt")
_TABLES = (Format.JSONL, Format.CSV)
_MERGES = 12

Files = dict[str, bytes]
"""Contents by the file's name in its format."""


def write_corpora(folder: Path) -> None:
    """The corpora of all runs, where sessions that do not hold them look for them."""
    (folder / CORPUS).write_text(json.dumps(RECORDS))
    (folder / WORDS).write_bytes(WORD_COUNTS)


def texts(folder: Path) -> Corpus:
    """The corpus of texts."""
    return open_corpus(folder / CORPUS, CorpusOptions(split="none"))


def exported(folder: Path) -> dict[Format, list[Files]]:
    """Every run in every format that can hold it; `write_corpora` comes first."""
    found: dict[Format, list[Files]] = {format: [] for format in Format}
    for trainer, session in _runs(folder):
        for format in Format:
            if format in _TABLES and trainer.policy.alphabet_is_seen:
                continue  # it is written, but cannot be read back without the corpus
            place = str(folder / "seed")
            with suppress(Refusal):
                targets = targets_of(format, place)
                export(trainer, format, targets, session)
                found[format].append({name: Path(target.path).read_bytes() for name, target in targets.items()})
    return found


def write_all(folder: Path) -> None:
    """A file of every kind, named after its format; GPT-2's two, by their own names, make the folder one of its."""
    write_corpora(folder)
    files = {
        name or format.value: data for format, found in exported(folder).items() for name, data in found[0].items()
    }
    files |= {f"ids.{name}": write([*range(97, 120)]) for name, write in WRITERS.items()}
    files |= {"tekken": tekken(), "splits.json": manifest(folder), "receipt.json": receipt(folder), "empty": b""}
    files["hostile.txt"] = b"\n".join(HOSTILE.values())
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _runs(folder: Path) -> list[tuple[Trainer, Session]]:
    """A run of each kind, in the middle of its merges, and its session; every second one holds its corpus."""
    options = CorpusOptions(split="none")
    chosen = [(CORPUS, name) for name in _OF_TEXTS] + [(WORDS, name) for name in _OF_WORDS]
    trainers = [
        (path, Trainer(open_corpus(folder / path, options), profile(name).policy.changed(budget=_MERGES)))
        for path, name in chosen
    ]
    trainers[0][1].seek(_MERGES)
    given = merge_list_of(trainers[0][1])
    trainers.append((CORPUS, Trainer(texts(folder), given.run_policy, given=given.given)))
    runs = []
    for number, (path, trainer) in enumerate(trainers):
        trainer.seek(_MERGES + 2)
        trainer.seek(_MERGES - 2)
        session = capture(
            trainer, path, options, embed=number % 2 == 0, bookmarks=[2, 5], held_out=[b"a \xff"], view={"document": 1}
        )
        runs.append((trainer, session))
    return runs


def apply_trace() -> bytes:
    """The trace of an encoding, which no command writes."""
    policy = profile("incremental").policy
    tokenizer = Tokenizer.from_pairs(policy, build_alphabet(policy, ()), [(97, 98), (256, 97)])
    return "".join(f"{line}\n" for line in write_apply_trace(tokenizer, [("a", b"abab"), ("b", b"")])).encode()


def tekken() -> bytes:
    """A file of Mistral's, which the program reads only."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab", b"abc"]
    vocab = [{"rank": rank, "token_bytes": base64.b64encode(token).decode()} for rank, token in enumerate(tokens)]
    config = {"pattern": O200K, "default_vocab_size": 260, "default_num_special_tokens": 3}
    return json.dumps({"config": config, "vocab": vocab, "special_tokens": [{"rank": 0, "token_str": "<s>"}]}).encode()


def manifest(folder: Path) -> bytes:
    """A split of the corpus of texts."""
    partitions = {"train": ["d0", "d1"], "validation": ["d2"], "test": ["d3"]}
    head = {"schema_version": 1, "corpus_checksum": texts(folder).checksum, "strategy": STRATEGY}
    return json.dumps(head | partitions).encode()


def receipt(folder: Path) -> bytes:
    """A receipt of the corpus of texts."""
    return corpus_receipt(texts(folder))

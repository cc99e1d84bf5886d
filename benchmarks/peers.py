"""The peers: how each library trains and encodes, by the fastest way that its own interface offers for one file.

A trainer gives the work that is timed, from opening the file to the vocabulary in Python, and what turns its result
into tokens afterwards. An encoder gives the work alone: its vocabulary and the text are there before.
"""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from letters import PATTERN, by_id, spelled

Found = Any
"""Whatever a library returns: none of them is typed."""
Trained = tuple[Callable[[], Found], Callable[[Found], list[bytes] | None]]
"""Work, and from its result the tokens in the order of their ids; None where they are not comparable."""
Encoder = Callable[[str], Found]
"""Text to ids: a list, or an array of NumPy."""

PATTERNS = {"gpt2": PATTERN, "document": "(?s).+"}


def tokenizers(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """Hugging Face tokenizers: reads the file by line; base ids in the order of GPT-2's letters."""
    train = _tokenizers_trainer(size)
    return lambda: train(path).get_vocab(), by_id


def _tokenizers_trainer(size: int) -> Callable[[Path], Found]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, min_frequency=2, show_progress=False, initial_alphabet=alphabet)

    def train(path: Path) -> Found:
        tokenizer.train([str(path)], trainer)
        return tokenizer

    return train


def gigabpe(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """gigabpe: reads the file by line; only its own splitters; starts from the bytes that occur."""
    import gigabpe

    def work() -> Found:
        return gigabpe.train_bpe(
            [str(path)], size, special_tokens=[], min_frequency=2, pretokenizer="bytelevel", threads=threads
        )

    return work, lambda result: by_id(result[0])


def gigatoken(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """gigatoken: only its own splitter; base ids in the order of GPT-2's letters."""
    import gigatoken

    def tokens(result: Found) -> list[bytes]:
        vocabulary = result[0]
        return [token for _, token in sorted(vocabulary.items())] if isinstance(vocabulary, dict) else [*vocabulary]

    return lambda: gigatoken.train_bpe(str(path), size, []), tokens


def rustbpe(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """Rustbpe."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()

    def work() -> Found:
        tokenizer.train_from_iterator(iter([_text(path)]), size, pattern=PATTERNS[boundary])
        return tokenizer.get_mergeable_ranks()

    return work, lambda ranks: [bytes(token) for token, _ in sorted(ranks, key=lambda entry: entry[1])]


def ffbpe(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """Ffbpe."""
    import ffbpe

    splitter = ffbpe.PreTokenizer([], pat_str=PATTERNS[boundary])

    def work() -> Found:
        counter = splitter.word_counter()
        counter.add_source(iter([_text(path)]), prefetch=0)
        trainer = ffbpe.BpeTrainer([])
        trainer.add_word_counter(counter)
        trainer.train(size)
        return trainer.vocab

    return work, _by_id


def bpeasy(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """bpeasy, with its bound on a token's length out of the way."""
    import bpeasy

    return lambda: bpeasy.train_bpe(iter([_text(path)]), PATTERNS[boundary], 1_000_000, size), _by_id


def sentencepiece(path: Path, boundary: str, size: int, threads: int) -> Trained:
    """sentencepiece: characters, its own split at white space, not exact by design; for scale only."""
    import sentencepiece

    def work() -> Found:
        model = io.BytesIO()
        with path.open(encoding="utf-8", newline="") as lines:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=lines,
                model_writer=model,
                vocab_size=size,
                model_type="bpe",
                byte_fallback=True,
                character_coverage=0.9999,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                add_dummy_prefix=False,
                max_sentence_length=1 << 30,
                num_threads=threads,
                minloglevel=2,
                hard_vocab_limit=False,
            )
        return model

    return work, lambda model: None


def _by_id(vocabulary: dict[bytes, int]) -> list[bytes]:
    return [bytes(token) for token, _ in sorted(vocabulary.items(), key=lambda entry: entry[1])]


def _text(path: Path) -> str:
    return path.read_bytes().decode()


TRAINERS: dict[str, Callable[[Path, str, int, int], Trained]] = {
    "bpeasy": bpeasy,
    "ffbpe": ffbpe,
    "gigabpe": gigabpe,
    "gigatoken": gigatoken,
    "rustbpe": rustbpe,
    "sentencepiece": sentencepiece,
    "tokenizers": tokenizers,
}


# Encoders, all with the vocabulary of one tokenizer.json


def write_model(path: Path, corpus: Path, size: int) -> None:
    """Train the tokenizer.json that every encoder is given."""
    _tokenizers_trainer(size)(corpus).save(str(path))


def encode_tiktoken(model: Path) -> Encoder:
    """tiktoken: a list of ids."""
    import tiktoken

    ranks = {token: i for i, token in enumerate(by_id(_model(model)["vocab"]))}
    encoding = tiktoken.Encoding("benchmark", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
    encoding.encode_ordinary("its threads and its regular expression are there from now on")
    encode: Encoder = encoding.encode_ordinary
    return encode


def encode_gigatoken(model: Path) -> Encoder:
    """gigatoken: an array of NumPy."""
    import gigatoken

    encode: Encoder = gigatoken.Tokenizer(str(model)).encode
    return encode


def encode_tokenizers(model: Path) -> Encoder:
    """Hugging Face tokenizers, without offsets: a list of ids."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model))
    return lambda text: tokenizer.encode_batch_fast([text])[0].ids


def encode_ffbpe(model: Path) -> Encoder:
    """ffbpe: a list of ids."""
    import ffbpe

    spec = _model(model)
    pairs = (merge if isinstance(merge, list) else merge.split(" ") for merge in spec["merges"])
    encoder = ffbpe.BpeEncoder(
        merges=[(spelled(left), spelled(right)) for left, right in pairs],
        vocab={spelled(token): i for token, i in spec["vocab"].items()},
        pat_str=PATTERN,
    )
    encode: Encoder = encoder.encode
    return encode


def _model(path: Path) -> Found:
    return json.loads(path.read_text())["model"]


ENCODERS: dict[str, Callable[[Path], Encoder]] = {
    "ffbpe": encode_ffbpe,
    "gigatoken": encode_gigatoken,
    "tiktoken": encode_tiktoken,
    "tokenizers": encode_tokenizers,
}

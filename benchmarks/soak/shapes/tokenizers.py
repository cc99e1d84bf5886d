"""Files of other libraries, and tables of merges."""

import base64
import json
from collections.abc import Callable, Iterator
from itertools import chain, islice, product

from engine.alphabet import BYTE_TO_UNICODE

from .shape import FILE, Shape, pairs, some, until

LETTERS = [*BYTE_TO_UNICODE]
_SHORT = LETTERS[:94]
"""The letters that take one byte in UTF-8."""
_ENCODE = ("encode", FILE, "a")
_HEAD = b"rank,left,right,token_id,candidate_count,replacements,bytes_hex\n"


def tokenizers() -> dict[str, Shape]:
    """Tokenizers by their shape, opened to encode a letter."""
    texts = {
        "tokenizer.json, merges as pairs": lambda size: _huggingface(size, 30, list),
        "tokenizer.json, merges as texts": lambda size: _huggingface(size, 25, " ".join),
        "tokenizer.json, two ways to each entry": _two_ways,
        "tokenizer.json, entries without merges": _orphans,
        "tokenizer.json, one long entry": lambda size: _model({**_bytes_vocab(), "a" * size: 999}, []),
        "tokenizer.json, merges of no entries": lambda size: _model({}, ["ab"] * (size // 5)),
        "tokenizer.json, empty merges": lambda size: _model({}, [[]] * (size // 3)),
        "tokenizer.json, nested": lambda size: b'{"model":' + b"[" * size,
        "tokenizer.json, one merge again and again": lambda size: _model(_bytes_vocab(), [["a", "b"]] * (size // 10)),
    }  # fmt: skip
    made = {name: Shape("tokenizer.json", make, _ENCODE) for name, make in texts.items()}
    made |= {
        "minbpe, all pairs": Shape("list.model", lambda size: _minbpe(size, pairs(0)), _ENCODE),
        "minbpe, special tokens": Shape("list.model", _minbpe_special, _ENCODE),
        "minbpe, empty lines": Shape("list.model", lambda size: b"minbpe v1\n\n0\n" + b"\n" * size, _ENCODE),
        "codes, all pairs": Shape("list.codes", lambda size: _codes(_letter_merges(size // 9)), _ENCODE),
        "codes, all characters": Shape("list.codes", _codes_characters, _ENCODE),
        "codes, one pair": Shape("list.codes", lambda size: _codes([("a", "b</w>")] * (size // 8)), _ENCODE),
        "codes, one long token": Shape("list.codes", lambda size: _codes([("a" * size, "b</w>")]), _ENCODE),
        "tiktoken, all tokens": Shape("list.tiktoken", _tiktoken, _ENCODE),
        "tiktoken, one long token": Shape(
            "list.tiktoken", lambda size: _ranked([*_single(), b"a" * (size * 3 // 4)]), _ENCODE
        ),
        "tiktoken, long tokens": Shape("list.tiktoken", _tiktoken_long, _ENCODE),
        "tiktoken, empty lines": Shape("list.tiktoken", lambda size: b"YQ== 0\n" + b"\n" * size, _ENCODE),
        "tekken": Shape("tekken.json", _tekken, _ENCODE),
        "artifact": Shape("artifact.json", _artifact, _ENCODE),
        "artifact, verified": Shape("artifact.json", _artifact, ("verify", FILE)),
        "merges.jsonl": Shape("merges.jsonl", _records, _ENCODE),
        "merges.csv": Shape("merges.csv", _table, _ENCODE),
        "merges.csv, commas": Shape("merges.csv", lambda size: _HEAD[:-1] + b",\n" + b"," * size, _ENCODE),
        "merges.csv, an open quote": Shape("merges.csv", lambda size: _HEAD + b'"' + b"\n" * size, _ENCODE),
    }
    return made


def _bytes_vocab() -> dict[str, int]:
    return {letter: id for id, letter in enumerate(LETTERS)}


def _letter_merges(number: int) -> Iterator[tuple[str, str]]:
    """Merges whose tokens have two letters, then three, then four; each joins entries that are there."""
    two = [a + b for a in _SHORT for b in _SHORT]
    return islice(chain(product(_SHORT, _SHORT), product(two, _SHORT), product(two, two)), number)


def _model(vocab: dict[str, int], merges: object) -> bytes:
    split = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    model = {"model": {"type": "BPE", "vocab": vocab, "merges": merges}, "pre_tokenizer": split}
    return json.dumps(model, ensure_ascii=False, separators=(",", ":")).encode()


def _huggingface(size: int, each: int, spelled: Callable[[tuple[str, str]], object]) -> bytes:
    vocab, merges = _bytes_vocab(), []
    for merge in _letter_merges(size // each):
        if "".join(merge) not in vocab:
            vocab["".join(merge)] = len(vocab)
            merges.append(spelled(merge))
    return _model(vocab, merges)


def _two_ways(size: int) -> bytes:
    """Entries of two, three and four letters, the longer ones made in two ways each, as in Gemma's file."""
    letters, vocab, merges = LETTERS[:30], _bytes_vocab(), list[list[str]]()
    for length in (2, 3, 4):
        for token in map("".join, product(letters, repeat=length)):
            if len(merges) * 30 > size:
                break
            vocab[token] = len(vocab)
            merges += [[token[:-1], token[-1]]] + ([[token[0], token[1:]]] if length > 2 else [])
    return _model(vocab, merges)


def _orphans(size: int) -> bytes:
    vocab = _bytes_vocab()
    for name in islice(chain.from_iterable(product(_SHORT, repeat=n) for n in (2, 3, 4, 5)), size // 14):
        vocab["".join(name)] = len(vocab)
    return _model(vocab, [])


def _minbpe(size: int, pairs: Iterator[tuple[int, int]]) -> bytes:
    return b"minbpe v1\n\n0\n" + until(size, lambda _: b"%d %d\n" % next(pairs))


def _minbpe_special(size: int) -> bytes:
    number = size // 14
    return b"minbpe v1\n\n%d\n" % number + b"".join(b"%x %d\n" % (n, n) for n in range(number))


def _codes(merges: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> bytes:
    return "".join(chain(["#version: 0.2\n"], (f"{a} {b}\n" for a, b in merges))).encode()


def _codes_characters(size: int) -> bytes:
    return _codes((chr(0x4E00 + n // 20000), chr(0x4E00 + n % 20000)) for n in range(size // 8))


def _single() -> list[bytes]:
    return [bytes([byte]) for byte in range(256)]


def _tokens() -> Iterator[bytes]:
    return (bytes(token) for length in (1, 2, 3) for token in product(range(256), repeat=length))


def _ranked(tokens: list[bytes]) -> bytes:
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))


def _tiktoken(size: int) -> bytes:
    return _ranked([*islice(_tokens(), size // 13)])


def _tiktoken_long(size: int) -> bytes:
    return _ranked(_single() + [b"%06d" % n + b"ab" * 500 for n in range(size // 1350)])


def _tekken(size: int) -> bytes:
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode()}
        for rank, token in enumerate(islice(_tokens(), size // 36))
    ]
    config = {"pattern": r"\S+", "default_vocab_size": len(vocab), "default_num_special_tokens": 0}
    return json.dumps({"config": config, "vocab": vocab}, separators=(",", ":")).encode()


def _artifact(size: int) -> bytes:
    merges = [
        {"candidate_count": 1, "left": a, "rank": n, "replacements": 1, "right": b, "token_id": 258 + n}
        for n, (a, b) in some(pairs(2), size // 92)
    ]
    policy = {
        "exact_merge_count": True, "merge_count": len(merges), "normalization": "none",
        "pretokenization": "raw-bytes-only", "tie_break": "count-descending-pair-ascending",
    }  # fmt: skip
    none = "0" * 64
    training = {
        "corpus_receipt_sha256": none, "input_encoding": "weighted-bytes-v1", "input_sha256": none, "scope": "fixture",
        "split": "train",
    }  # fmt: skip
    counters = {"content_tokens": 0, "control_tokens": 2, "input_bytes": len(merges), "training_documents": 1}
    whole = {
        "counters": counters, "layout_version": 1, "merges": merges, "policy": policy, "schema_version": 1,
        "trainer_semantics": "overlapping-count-leftmost-replace-v1", "training": training,
    }  # fmt: skip
    return json.dumps(whole, separators=(",", ":")).encode() + b"\n"


def _spelled(line: Callable[[int, tuple[int, int], str], str], size: int) -> bytes:
    """Lines of merges with the bytes that they make."""
    spelled, made = [byte.hex() for byte in _single()], pairs(0)

    def next_line(rank: int) -> bytes:
        left, right = next(made)
        spelled.append(spelled[left] + spelled[right])
        return line(rank, (left, right), spelled[-1]).encode()

    return until(size, next_line)


def _records(size: int) -> bytes:
    return _spelled(
        lambda n, pair, text: (
            f'{{"rank":{n},"pair":[{pair[0]},{pair[1]}],"token_id":{256 + n},"bytes_hex":"{text}"}}\n'
        ),
        size,
    )


def _table(size: int) -> bytes:
    return _HEAD + _spelled(lambda n, pair, text: f"{n},{pair[0]},{pair[1]},{256 + n},,,{text}\n", size)

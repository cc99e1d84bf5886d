"""Corpora of every format."""

from dataclasses import replace

from .shape import FILE, ROOM, Shape, until

_TRAIN = ("train", FILE, "--merges", "1", "--memory-limit", ROOM, "--json")


def corpora() -> dict[str, Shape]:
    """Corpora by their shape, read and trained one merge."""
    words = (*_TRAIN, "--profile", "weighted-words")
    lines = (*_TRAIN, "--format", "lines")
    found = {
        "words.tsv": Shape("words.tsv", lambda size: until(size, lambda n: b"%x\t1\n" % n), words),
        "lines of a byte": Shape("lines.txt", lambda size: b"a\n" * (size // 2), lines),
        "empty lines": Shape("lines.txt", lambda size: b"\n" * size, lines),
        "separated": Shape("parts.txt", lambda size: b"a~~" * (size // 3), (*_TRAIN, "--separator", "~~")),
        "json, empty texts": Shape("texts.json", lambda size: b'["a"' + b',""' * (size // 3) + b"]", _TRAIN),
        "json, objects": Shape("texts.json", lambda size: b'["a"' + b',{"text":""}' * (size // 12) + b"]", _TRAIN),
        "json, large members": Shape(
            "texts.json", lambda size: b'[{"text":"a","x":[' + b",".join([b"[]"] * (size // 3)) + b"]}]", _TRAIN
        ),
        "jsonl, empty texts": Shape("texts.jsonl", lambda size: b'"a"\n' + b'""\n' * (size // 3), _TRAIN),
        "jsonl, one large record": Shape(
            "texts.jsonl", lambda size: b'{"text":"a","x":[' + b",".join([b"[]"] * (size // 3)) + b"]}\n", _TRAIN
        ),
        "prepared": Shape("texts.jsonl", lambda size: until(size, lambda n: b'{"id":"%d","text":"a"}\n' % n), _TRAIN),
        "one unit of one byte": Shape("text.txt", lambda size: b"a" * size, _TRAIN),
        "hidden code points": Shape("text.txt", lambda size: "\u202e".encode() * (size // 3), _TRAIN),
        "no utf-8": Shape("text.txt", lambda size: b"\xff" * size, (*_TRAIN, "--boundary", "gpt2")),
        "long compositions": Shape(
            "text.txt", lambda size: "\ufdfa".encode() * (size // 3), (*_TRAIN, "--profile", "sentencepiece")
        ),
        "a long line of words": Shape(
            "text.txt", lambda size: b"a " * (size // 2), (*_TRAIN, "--profile", "sentencepiece")
        ),
        "different words": Shape(
            "text.txt", lambda size: until(size, lambda n: b"%x " % n), (*_TRAIN, "--profile", "youtokentome")
        ),
    }  # fmt: skip
    return {name: replace(shape, timed=False) for name, shape in found.items()}

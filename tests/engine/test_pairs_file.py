"""Merge lists of somebody's own: every spelling gives the same pairs, and what cannot be read is named."""

import json

import pytest

from engine.alphabet import Token
from engine.errors import FormatRefusal
from engine.pairs_file import read_pairs

# GPT-2's letters: U+0120 is the space, U+010A the line end, U+00E9 the byte E9.
WANTED = [(b" ", b"t"), (b" t", b"h"), (b"\n", b"\xe9")]


@pytest.mark.parametrize(
    "data",
    [
        "Ġ t\nĠt h\nĊ é\n".encode(),
        "#version: 0.2\nĠ t\r\nĠt h\r\n\r\nĊ é".encode(),
        b"20 74\n2074 68\n0A e9\n",
        b"[[[32],[116]],[[32,116],[104]],[[10],[233]]]",
        b" [[32,116],[256,104],[10,233]]",
        b'[["\\u0120","t"],["\\u0120t","h"],["\\u010a","\\u00e9"]]',
        '["Ġ t", "Ġt h", [10, "é"]]'.encode(),
    ],
)
def test_every_spelling_of_bytes(data: bytes) -> None:
    assert read_pairs(data, "l", characters=False) == [(Token(a), Token(b)) for a, b in WANTED]


@pytest.mark.parametrize("data", ["#version: 0.2\né s</w>\nl é\n".encode(), '[["é","s</w>"],["l","é"]]'.encode()])
def test_characters_and_ends_of_words(data: bytes) -> None:
    e = "é".encode()
    assert read_pairs(data, "l", characters=True) == [
        (Token(e), Token(b"s", ends_word=True)),
        (Token(b"l"), Token(e)),
    ]


def test_a_mark_of_its_own() -> None:
    assert read_pairs(b"s </w>\n", "l", characters=True) == [(Token(b"s"), Token(b"", ends_word=True))]


@pytest.mark.parametrize(
    "data", [b"", b"IQ== 0\nIg== 1\n", b"minbpe v1\n\n0\n", b'{"model": {}}', b"\x93\xa3bpe", b"a\nb\n"]
)
def test_files_of_another_kind(data: bytes) -> None:
    assert read_pairs(data, "l", characters=False) is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a b\nab\n", "line 2 has 1 tokens"),
        (b"a b\nab c d\n", "line 2 has 3 tokens"),
        (b"a b\na  b\n", "line 2 has 3 tokens"),
        (b"a b\na \x1b[0m\n", "line 2 has '\\x1b[0m', which is not in GPT-2's letters of bytes"),
        (b"61 62\n6162 zz\n", "line 2 has 'zz', which is not in hex digits"),
        (b"[[97]]", "merge 0 is [97]"),
        (b"[7]", "merge 0 is 7"),
        (b"[[97, 256]]", "merge 0 has the id 256"),
        (b"[[97, -1]]", "merge 0 has the id -1"),
        (b"[[97, true]]", "merge 0 has True"),
        (b"[[97, []]]", "merge 0 has []"),
        (b"[[97, [256]]]", "merge 0 has [256]"),
        (b'[["a", ""]]', "merge 0 has ''"),
        (b"[[97, 98]", "'l'"),
        (b"[" * 100_000, "'l'"),
        (b'[["\\ud800", "a"]]', "'l'"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(FormatRefusal) as caught:
        read_pairs(data, "l", characters=False)
    message = str(caught.value)
    assert words in message
    assert message.startswith("'l'")
    assert message.isprintable()
    assert len(message) < 300


def test_ids_that_double_do_not_take_the_memory() -> None:
    doubling = json.dumps([[255 + rank, 255 + rank] if rank else [97, 97] for rank in range(60)]).encode()
    with pytest.raises(FormatRefusal, match="over 67,108,864 bytes"):
        read_pairs(doubling, "l", characters=False)

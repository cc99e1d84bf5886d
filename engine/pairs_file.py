"""A merge list that somebody wrote for an exercise: pairs as lines or as JSON, not yet known to be a tokenizer.

It is read pair by pair and nothing is asked of the whole, so that a wrong list can be told where it goes wrong.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn

from engine.alphabet import END_OF_WORD, Token
from engine.compare import Joined
from engine.corpus.strict_json import JsonValue, StrictJson
from engine.errors import FormatRefusal
from engine.formats.bytemap import unmapped
from engine.formats.files import MOST_LINES, require_few_lines
from engine.quoting import quoted

MOST_BYTES = 1 << 26
"""Bytes of the largest list that is read, and of all tokens that its ids stand for."""
Spelling = Callable[[str], Token]
"""Reads a token's spelling; ValueError for what it is not."""


def read_pairs(data: bytes, name: str, *, characters: bool) -> list[Joined] | None:
    """The merges of a list of pairs; None for a file of another kind.

    Lines hold two tokens with one space between them, as GPT-2's letters of bytes or as hex digits; for characters, as
    text with `</w>` at the end of a word. A first line `#version...` is left out. JSON holds a list of pairs, each
    token a list of bytes, an id (a byte, or 256 and the rank of an earlier merge) or a string in GPT-2's letters.

    Args:
        data: the file's bytes.
        name: what refusals call it.
        characters: whether the base tokens are characters.

    Raises:
        FormatRefusal: naming the line or the merge that cannot be read.
    """
    if data.lstrip(b" \t\r\n").startswith(b"["):
        return _from_json(data, name, _symbol if characters else _letters)
    _, first = next(_lines(data), (0, ""))
    spelling = _spelling(first, characters)
    if spelling is None:
        return None
    require_few_lines(data, name)
    return [_pair(line.split(" "), spelling, name, f"line {at}") for at, line in _lines(data)]


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines with something on them, numbered from 1, without a version line."""
    for at, line in enumerate(io.BytesIO(data), 1):
        text = line.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")
        if text and not (at == 1 and text.startswith("#version")):
            yield at, text


def _spelling(line: str, characters: bool) -> Spelling | None:
    """How the tokens of a list are spelled whose first line joins two base tokens."""
    parts = line.split(" ")
    for spelling in (_symbol,) if characters else (_letters, _hex):
        try:
            tokens = [spelling(part) for part in parts]
        except ValueError:
            continue
        if len(tokens) == 2 and all(_is_base(token, characters) for token in tokens):
            return spelling
    return None


def _is_base(token: Token, characters: bool) -> bool:
    return len(token.data.decode("utf-8", "surrogateescape") if characters else token.data) <= 1


def _letters(text: str) -> Token:
    """GPT-2's letters of bytes."""
    data = unmapped(text)
    if not data:
        raise ValueError(text)
    return Token(data)


def _hex(text: str) -> Token:
    data = bytes.fromhex(text)
    if not data:
        raise ValueError(text)
    return Token(data)


def _symbol(text: str) -> Token:
    """Characters, with the mark where they end a word."""
    data = text.removesuffix(END_OF_WORD)
    if not text:
        raise ValueError(text)
    return Token(data.encode("utf-8", "surrogateescape"), ends_word=data != text)


def _pair(parts: list[str], spelling: Spelling, name: str, place: str) -> Joined:
    if len(parts) != 2:
        _refuse(name, f"{place} has {len(parts)} tokens: write two with one space between them")
    left, right = (_token(part, spelling, name, place) for part in parts)
    return left, right


def _token(text: str, spelling: Spelling, name: str, place: str) -> Token:
    try:
        return spelling(text)
    except ValueError:
        ways: dict[Spelling, str] = {_letters: "GPT-2's letters of bytes", _hex: "hex digits", _symbol: "text"}
        _refuse(name, f"{place} has {quoted(text)}, which is not in {ways[spelling]}: write every token alike")


# JSON


def _from_json(data: bytes, name: str, spelling: Spelling) -> list[Joined]:
    reader = StrictJson(quoted(name), FormatRefusal)
    items = reader.parse(data)
    assert isinstance(items, list), "it begins with a bracket"
    if len(items) > MOST_LINES:
        _refuse(name, f"it has {len(items)} merges: at most {MOST_LINES} are read")
    tokens = [Token(bytes([byte])) for byte in range(256)]
    pairs: list[Joined] = []
    size = 0
    for rank, item in enumerate(items):
        place = f"merge {rank}"
        sides = item.split(" ") if isinstance(item, str) else item
        if not isinstance(sides, list) or len(sides) != 2:
            _refuse(name, f"{place} is {quoted(item)}: write a pair of tokens")
        left, right = (_value(side, tokens, spelling, name, place) for side in sides)
        size += len(left.data) + len(right.data)
        if size > MOST_BYTES:
            _refuse(name, f"{place} brings its tokens over {MOST_BYTES:,} bytes: give a list that was learned")
        pairs.append((left, right))
        tokens.append(Token(left.data + right.data, right.ends_word))
    return pairs


def _value(value: JsonValue, tokens: list[Token], spelling: Spelling, name: str, place: str) -> Token:
    if isinstance(value, str):
        return _token(value, spelling, name, place)
    if type(value) is int:
        if not 0 <= value < len(tokens):
            _refuse(
                name, f"{place} has the id {quoted(value)}: ids are a byte, or 256 and the rank of an earlier merge"
            )
        return tokens[value]
    if isinstance(value, list) and value and _are_bytes(value):
        return Token(bytes(value))  # type: ignore[arg-type]
    _refuse(name, f"{place} has {quoted(value)}: write a list of bytes, an id or a string")


def _are_bytes(values: Iterable[JsonValue]) -> bool:
    return all(type(value) is int and 0 <= value < 256 for value in values)


def _refuse(name: str, why: str) -> NoReturn:
    raise FormatRefusal(f"{quoted(name)}: {why}")

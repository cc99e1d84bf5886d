r"""Bytes to cells: the one place where data becomes something to draw.

In *text* mode the display is one-to-one: `unshow` gives the bytes back. A byte that belongs to no valid UTF-8
sequence inside the token reads `‹E6›`, a hidden or joining code point `‹200B›`, a control character has its
control picture, U+0020 is `␣`. Characters that the display uses itself (these, and `│` between tokens) are
escaped when they occur in the data. *escape* writes the inside of a Python bytes literal, *hex* two digits a
byte, *gpt2* the letters of GPT-2's byte-to-unicode map.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len

from bpe_tui.text import glyphs
from bpe_tui.text.codepoints import stands_alone
from bpe_tui.text.glyphs import Look
from bpe_tui.text.safe import Kind, SafeText
from engine.alphabet import BYTE_TO_UNICODE
from engine.errors import Refusal
from engine.quoting import quoted


class Mode(StrEnum):
    """How data is spelled on screen."""

    TEXT = "text"
    ESCAPE = "escape"
    HEX = "hex"
    GPT2 = "gpt2"


class Piece(NamedTuple):
    """The cells of one byte or one character.

    Attributes:
        text: what is drawn.
        kind: what it stands for.
        start: first byte of the data that it stands for.
        stop: the byte after the last; equal to `start` for a separator.
        width: cells.
    """

    text: str
    kind: Kind
    start: int
    stop: int
    width: int


class NotADisplay(Refusal):
    """Text that was said to be copied from the display cannot come from there."""


def show(data: bytes, mode: Mode = Mode.TEXT, *, width: int | None = None) -> SafeText:
    """Data as cells.

    Args:
        data: any bytes, a token's for instance; UTF-8 is judged inside them only.
        mode: the spelling.
        width: at most so many cells; a longer text ends in `›`.
    """
    if width is None:
        return _shown(data, mode, glyphs.chosen()) if len(data) <= 64 else _merge(pieces(data, mode))
    # No character has more than four bytes or fewer than one cell, so this start fills the width.
    return show(data[: 4 * max(width, 0) + 4], mode).crop(width)


def show_str(text: str, *, prose: bool = False, width: int | None = None) -> SafeText:
    """A string from outside (an id, a file name, a message) as cells, by the rules of text mode.

    Args:
        text: any string; lone surrogates of `surrogateescape` are the bytes they stand for.
        prose: leave U+0020 as it is, for sentences.
        width: at most so many cells; a longer text ends in `›`.
    """
    if width is not None:
        return show_str(text[: max(width, 0) + 1], prose=prose).crop(width)
    shown = _merge(_characters(text, glyphs.chosen()))
    if not prose:
        return shown
    return SafeText(tuple((" " if kind is Kind.SPACE else part, kind) for part, kind in shown.pieces))


def pieces(data: bytes, mode: Mode = Mode.TEXT) -> tuple[Piece, ...]:
    """Data as cells, each with the bytes it stands for."""
    return tuple(_SPELLINGS[mode](data, glyphs.chosen()))


def clip(cells: Iterable[Piece], start: int, stop: int) -> SafeText:
    """The cells whose first byte lies in [start, stop), without a separator in front."""
    inside = [cell for cell in cells if start <= cell.start < stop]
    while inside and inside[0].start == inside[0].stop:
        del inside[0]
    return _merge(inside)


def unshow(text: str) -> bytes:
    """The bytes behind a text copied from the display in text mode; `│` between tokens is left out.

    Raises:
        NotADisplay: the text holds an escape that the display never writes.
    """
    opening, closing, edge = glyphs.chosen().structure
    out = bytearray()
    for byte, code, char in _escapes(glyphs.chosen()).findall(text):
        if byte:
            out.append(int(byte, 16))
        elif code:
            out += chr(int(code, 16)).encode()
        elif char in (opening, closing) or "\ud800" <= char < "\ue000":
            raise NotADisplay(f"not copied from the display: {quoted(text)}; it has an impossible escape")
        elif char != edge:
            out += _PICTURED.get(char, char).encode()
    return bytes(out)


def spell(text: str) -> str:
    """What a person typed or pasted, spelled so that it is safe to draw and `unshow` takes it.

    Escapes and pictures copied from the display stay, and so does U+0020; anything else becomes what text mode
    shows for it.
    """
    look = glyphs.chosen()
    spelled = _spelled(look)
    kept = {" "} if look.ascii else {" ", *_PICTURED}
    return "".join(
        spelled[char][0] if (char := match["char"]) and char not in kept else match[0]
        for match in _escapes(look).finditer(text)
    )


@lru_cache(maxsize=8)
def _escapes(look: Look) -> re.Pattern[str]:
    """An escape of a byte, an escape of a code point, or else one character."""
    opening, closing, _ = look.structure
    code = "(?!D[89A-F])[0-9A-F]{4}|[1-9A-F][0-9A-F]{4}|10[0-9A-F]{4}"
    return re.compile(f"{opening}(?:(?P<byte>[0-9A-F]{{2}})|(?P<code>{code})){closing}|(?P<char>.)", re.DOTALL)


def _pictures() -> dict[str, str]:
    """The picture of each control character, and of the space."""
    return {chr(c): chr(0x2400 + c) for c in range(0x20)} | {"\x7f": "␡", " ": "␣"}


_PICTURES = _pictures()
_PICTURED = {picture: char for char, picture in _PICTURES.items()}


class _Spelled(dict[str, tuple[str, Kind, int, int]]):
    """Text, kind, bytes and width of each character met, under one look."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def __missing__(self, char: str) -> tuple[str, Kind, int, int]:
        if len(self) > 0xFFFF:
            self.clear()
        text, kind = _spell(char, self._look)
        size = len(char.encode("utf-8", "surrogatepass")) if kind is not Kind.BAD_BYTE else 1
        self[char] = entry = text, kind, size, cell_len(text)
        return entry


_spelled = lru_cache(maxsize=8)(_Spelled)


def _spell(char: str, look: Look) -> tuple[str, Kind]:
    """One character as text mode draws it."""
    if stands_alone(char, look):
        return char, Kind.PLAIN
    code = ord(char)
    opening, closing, _ = look.structure
    if 0xDC80 <= code <= 0xDCFF:
        return f"{opening}{code - 0xDC00:02X}{closing}", Kind.BAD_BYTE
    if char in _PICTURES:
        kind = Kind.SPACE if char == " " else Kind.CONTROL
        return (f"{opening}{code:02X}{closing}" if look.ascii else _PICTURES[char]), kind
    return f"{opening}{code:0{2 if code < 0x80 else 4}X}{closing}", Kind.HIDDEN


def _characters(text: str, look: Look) -> Iterator[Piece]:
    spelled = _spelled(look)
    at = 0
    for char in text:
        shown, kind, size, width = spelled[char]
        yield Piece(shown, kind, at, at + size, width)
        at += size


def _as_text(data: bytes, look: Look) -> Iterator[Piece]:
    # The codec is strict about shortest forms, surrogates and the last code point, and marks each bad byte.
    return _characters(data.decode("utf-8", "surrogateescape"), look)


_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\"}


def _as_escape(data: bytes, look: Look) -> Iterator[Piece]:
    for i, byte in enumerate(data):
        char = chr(byte)
        text = _SHORT.get(char) or (char if " " < char <= "~" else f"\\x{byte:02x}")
        yield Piece(text, _byte_kind(byte), i, i + 1, len(text))


def _as_hex(data: bytes, look: Look) -> Iterator[Piece]:
    for i, byte in enumerate(data):
        if i:
            yield Piece(" ", Kind.MARK, i, i, 1)
        yield Piece(f"{byte:02X}", _byte_kind(byte), i, i + 1, 2)


def _as_gpt2(data: bytes, look: Look) -> Iterator[Piece]:
    spelled = _spelled(look)
    for i, byte in enumerate(data):
        letter = BYTE_TO_UNICODE[byte]
        text, _, _, width = spelled[letter] if look.ascii or look.ambiguous_wide else (letter, None, 1, 1)
        yield Piece(text, _byte_kind(byte), i, i + 1, width)


def _byte_kind(byte: int) -> Kind:
    if byte == 0x20:
        return Kind.SPACE
    return Kind.CONTROL if byte < 0x20 or byte == 0x7F else Kind.PLAIN


_SPELLINGS: dict[Mode, Callable[[bytes, Look], Iterator[Piece]]] = {
    Mode.TEXT: _as_text,
    Mode.ESCAPE: _as_escape,
    Mode.HEX: _as_hex,
    Mode.GPT2: _as_gpt2,
}


@lru_cache(maxsize=16384)
def _shown(data: bytes, mode: Mode, look: Look) -> SafeText:
    return _merge(_SPELLINGS[mode](data, look))


def _merge(cells: Iterable[Piece]) -> SafeText:
    """Runs of plain cells become one piece; what stands for a byte or code point stays whole."""
    merged: list[tuple[str, Kind]] = []
    for kind, run in groupby(cells, key=lambda cell: cell.kind):
        if kind is Kind.PLAIN:
            merged.append(("".join(cell.text for cell in run), kind))
        else:
            merged.extend((cell.text, kind) for cell in run)
    return SafeText(tuple(merged))

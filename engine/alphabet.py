"""Base tokens: the bytes or characters that training starts from, and their order.

Sources: the byte-to-unicode map is GPT-2's (`bytes_to_unicode`); the end-of-word mark `</w>` is Sennrich et al. 2016,
fused with a word's last character in subword-nmt 0.2 and later, a symbol of its own in the paper's listing.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from engine.memory import Taken, unheard
from engine.policy import MILLION, Policy

END_OF_WORD = "</w>"
Pair = tuple[int, int]
"""Kernel ids of the left and the right token: base ids from 0, then one per rank."""


def _byte_to_unicode() -> tuple[str, ...]:
    """Printable bytes stand for themselves, the other 68 become U+0100 onwards in order."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return tuple(chr(b if b in printable else next(others)) for b in range(256))


BYTE_TO_UNICODE = _byte_to_unicode()
"""GPT-2's letter of each byte, indexed by byte value."""


CHARACTER_BYTES, TELL_EACH = 500, 4096
"""Memory of a character: its count, its token, its id. So many more are told."""


@dataclass(frozen=True, slots=True)
class Token:
    """One vocabulary entry's content.

    Attributes:
        data: its byte expansion; empty only for an end-of-word mark that is a symbol of its own.
        ends_word: whether it carries the end-of-word mark, which has no bytes of its own.
        span: how many base symbols it covers.
    """

    data: bytes
    ends_word: bool = False
    span: int = 1

    def __add__(self, other: "Token") -> "Token":
        return Token(self.data + other.data, other.ends_word, self.span + other.span)

    @property
    def symbol(self) -> str:
        """Its spelling in merge lists of characters: the text, then `</w>` where it ends a word."""
        return _text(self.data) + (END_OF_WORD if self.ends_word else "")

    @property
    def spelling(self) -> bytes:
        """Its spelling in merge lists of bytes: the bytes, then `</w>` where it ends a word."""
        return self.data + (END_OF_WORD.encode() if self.ends_word else b"")


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The base tokens in id order, and how a unit's bytes become their ids.

    Attributes:
        tokens: base tokens; the position is the kernel id.
        characters: whether symbols are characters (else single bytes).
        end_of_word: `none`, `fused` or `separate`, as in the policy.
        byte_ids: where each byte alone is a symbol, the base id of each; 0 for those that are missing. Else None.
        missing: the bytes of `byte_ids` that have no base id.
        covers_all: whether every character of the corpus is there; by the policy's `coverage`, rare ones are not.
    """

    tokens: tuple[Token, ...]
    characters: bool
    end_of_word: str
    _ids: dict[str, int]
    byte_ids: bytes | None = None
    missing: bytes = b""
    covers_all: bool = True

    def encode(self, unit: bytes) -> Sequence[int] | None:
        """A unit's base ids, or None when it holds a character that the alphabet lacks."""
        if self.byte_ids is not None:
            ids = unit.translate(self.byte_ids, self.missing)
            return ids if len(ids) == len(unit) else None
        found = [*map(self._ids.get, self._symbols(unit))]
        return None if None in found else [i for i in found if i is not None]

    def covered(self, unit: bytes) -> Iterator[tuple[int, bytes]]:
        """The parts of a unit between characters that were left out for their rarity: offset in bytes, and the part."""
        if self.covers_all or self._ids.keys() >= set(text := _text(unit)):
            yield 0, unit
            return
        at = 0
        for known, run in groupby(text, self._ids.__contains__):
            part = "".join(run).encode("utf-8", "surrogateescape")
            if known:
                yield at, part
            at += len(part)

    def first_unknown(self, unit: bytes) -> tuple[int, str]:
        """The first symbol of a unit that the alphabet lacks, and its offset in bytes; empty when there is none."""
        at = 0
        for symbol in self._symbols(unit):
            if symbol not in self._ids:
                return at, symbol
            at += len(_token(symbol).data)
        return at, ""

    def _symbols(self, unit: bytes) -> list[str]:
        return symbols(unit, self.characters, self.end_of_word)


def symbols(unit: bytes, characters: bool, end_of_word: str) -> list[str]:
    """The characters or bytes of a unit as `Token.symbol` spells them; a byte of no character is a character itself."""
    found = list(_text(unit)) if characters else [_BYTES[byte] for byte in unit]
    if found and end_of_word == "fused":
        found[-1] += END_OF_WORD
    elif found and end_of_word == "separate":
        found.append(END_OF_WORD)
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


_BYTES = tuple(_text(bytes([byte])) for byte in range(256))
"""Each byte as `Token.symbol` spells it."""


def _token(symbol: str) -> Token:
    """The base token of a symbol that `symbols` gives: whatever is longer than a character has the mark."""
    marked = len(symbol) > 1
    text = symbol.removesuffix(END_OF_WORD) if marked else symbol
    return Token(text.encode("utf-8", "surrogateescape"), ends_word=marked)


def byte_order(base_order: str) -> bytes:
    """The 256 bytes in the order of their base ids."""
    if base_order == "bytemap":
        return bytes(sorted(range(256), key=lambda b: BYTE_TO_UNICODE[b]))
    return bytes(range(256))


def build_alphabet(policy: Policy, units: Iterable[tuple[bytes, int]], taken: Taken = unheard) -> Alphabet:
    """The alphabet of a policy over weighted units.

    Bytes are all 256, or those that occur. Where the policy marks the ends of words, the marked bytes, or the mark,
    follow them. Characters are those that occur (the most frequent ones where the policy has a `coverage`), ordered
    by code point, by falling frequency (then code point), or as first met. `taken` hears the memory that they take, now
    and then.
    """
    if policy.alphabet == "bytes":
        return alphabet_of(policy, _byte_tokens(policy, units))
    counts: Counter[str] = Counter()
    told = 0
    for unit, weight in units:
        for symbol in symbols(unit, True, policy.end_of_word):
            counts[symbol] += weight
        if len(counts) > told + TELL_EACH:
            told = len(counts)
            taken(CHARACTER_BYTES * told)
    found = list(counts) if policy.coverage is None else covered(counts, policy.coverage)
    if policy.base_order == "code-point":
        found.sort()
    elif policy.base_order == "by-frequency":
        found.sort(key=lambda symbol: (-counts[symbol], symbol))
    return alphabet_of(policy, [*map(_token, found)])


def _byte_tokens(policy: Policy, units: Iterable[tuple[bytes, int]]) -> list[Token]:
    order = [bytes([byte]) for byte in byte_order(policy.base_order)]
    tokens = [Token(byte) for byte in order]
    if policy.end_of_word == "fused":
        tokens += [Token(byte, ends_word=True) for byte in order]
    if policy.base_bytes == "seen":
        seen, ends = set[int](), set[int]()
        for unit, _ in units:
            seen.update(unit if policy.end_of_word != "fused" else unit[:-1])
            ends.update(unit[-1:])
        tokens = [token for token in tokens if token.data[0] in (ends if token.ends_word else seen)]
    if policy.end_of_word == "separate":
        tokens.append(Token(b"", ends_word=True))
    return tokens


def covered(counts: "Counter[str]", coverage: int) -> list[str]:
    """The most frequent characters until so many of a million are covered, as first met.

    Of equally frequent ones the smaller code point comes first; the share is compared in single precision
    (sentencepiece 0.2.3, `TrainerInterface::LoadSentences`).
    """
    order = sorted(counts, key=lambda symbol: (-counts[symbol], symbol))
    total, enough = counts.total(), _single(coverage / MILLION)
    before = accumulate((counts[symbol] for symbol in order), initial=0)
    kept = {symbol for symbol, seen in zip(order, before, strict=False) if _single(seen / total) < enough}
    return [symbol for symbol in counts if symbol in kept]


def _single(number: float) -> float:
    """The nearest number of single precision."""
    (rounded,) = struct.unpack("f", struct.pack("f", number))
    return float(rounded)


def alphabet_of(policy: Policy, tokens: Sequence[Token]) -> Alphabet:
    """The alphabet of these base tokens in this order."""
    # A longer token without the mark is spelled by no unit, and could be spelled like one with it.
    ids = {token.symbol: i for i, token in enumerate(tokens) if token.ends_word or len(token.symbol) == 1}
    if policy.alphabet == "characters":
        return Alphabet(tuple(tokens), True, policy.end_of_word, ids, covers_all=policy.coverage is None)
    every = [ids.get(symbol) for symbol in _BYTES]
    if policy.end_of_word != "none" or max((i for i in every if i is not None), default=0) > 255:
        return Alphabet(tuple(tokens), False, policy.end_of_word, ids)
    missing = bytes(byte for byte, i in enumerate(every) if i is None)
    return Alphabet(tuple(tokens), False, "none", ids, bytes(i or 0 for i in every), missing)

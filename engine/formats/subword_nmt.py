"""subword-nmt's codes: a version line, then the two symbols of one merge a line, `</w>` at the end of a word.

The rules are those of `BPE.__init__` and `encode` (subword-nmt 0.3.8, `apply_bpe.py`; for bytes its commit 92d6139). In
version 0.2 a word's last character carries `</w>`; in 0.1, which a file without a version line has, the mark is a
symbol of its own; in `0.2 byte` symbols are bytes and not characters. Lines end at LF only, a repeated merge counts
where it stands first, and symbols are known by their spelling. The alphabet of characters is what the merges imply;
the library takes every character.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.alphabet import END_OF_WORD, Token, build_alphabet
from engine.errors import FormatRefusal, Refusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, require_plain_texts, space_left
from engine.formats.files import read_lines, refuse
from engine.kernel.base import Pair
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.profiles import profile
from engine.quoting import quoted

NAME = "subword-nmt"
MOST_CODES = 350_000
"""Lines, whose symbols take more memory than those of other lists; published codes have up to 200,000."""
_HEADER = b"#version:"
_MARK = END_OF_WORD.encode()
_TRAINED = profile(NAME).policy
"""What the library's trainer does."""
_VERSIONS = {
    b"0.1": _TRAINED.changed(end_of_word="separate"),
    b"0.2": _TRAINED,
    b"0.2 byte": profile("subword-nmt-byte").policy,
}
_STRIPPED = b"\r\n "
"""What the library strips at both ends of a line."""
_NO_HEADER = "no version line: read as version 0.1, where </w> is a symbol of its own"


def _recognises(path: Path, head: bytes) -> bool:
    """By its first line and an end-of-word mark; GPT-2's `merges.txt` begins alike, but has no such marks."""
    first = head.partition(b"\n")[0].strip(b"\r ")
    begins = first.startswith(_HEADER) or len(first.split(b" ")) == 2
    return begins and (_MARK in head or path.suffix == ".codes")


def _read(path: Path, limits: Limits) -> MergeList:
    data = read_lines(path, MOST_CODES)
    lines = data.rstrip(b"\n").split(b"\n")
    headed = lines[0].startswith(_HEADER)
    policy = _policy(path, lines[0]) if headed else _VERSIONS[b"0.1"]
    found = _Implied(path, policy)
    if policy.alphabet == "bytes":
        found.base = {token.spelling: token for token in build_alphabet(policy, ()).tokens}
    else:
        _require_utf8(path, data)
    for at, line in enumerate(lines[headed:], 1 + headed):
        found.add(at, line)
    remarks = [] if headed else [_NO_HEADER]
    if found.repeated:
        remarks.append(f"{found.repeated} lines repeat an earlier merge, or join to what one makes: not used")
    alphabet, pairs = found.numbered()
    merges = MergeList(
        name=path.name,
        format=NAME,
        policy=policy,
        alphabet=alphabet,
        pairs=pairs,
        ids=range(len(alphabet) + len(pairs)),
        remarks=tuple(remarks),
    )
    try:
        merges.tokenizer(limits)
    except Refusal as error:
        refuse(path, str(error))
    return merges


def _quoted(spelled: bytes) -> str:
    return quoted(spelled.decode("utf-8", "surrogateescape"))


def _policy(path: Path, line: bytes) -> Policy:
    version = line.removeprefix(_HEADER).strip()
    if version not in _VERSIONS:
        known = b", ".join(_VERSIONS).decode()
        refuse(path, f"line 1 is {_quoted(line)}: this program reads the versions {known}")
    return _VERSIONS[version]


def _require_utf8(path: Path, data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        refuse(path, f"byte {error.start} is not UTF-8: give codes that subword-nmt wrote, or those of --byte whole")


@dataclass
class _Implied:
    """Merges by their symbols' spelling, and the base symbols that they imply.

    Attributes:
        path: the file, for refusals.
        policy: alphabet and end of word.
        base: base symbols by spelling; all of them where they are bytes, else those that the merges imply.
        made: for each spelling that a merge makes, its two parts; in order of rank.
        repeated: lines that make nothing new.
    """

    path: Path
    policy: Policy
    base: dict[bytes, Token] = field(default_factory=dict)
    made: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    repeated: int = 0

    def add(self, at: int, line: bytes) -> None:
        """Take one line in."""
        parts = line.strip(_STRIPPED).split(b" ")
        if len(parts) != 2 or not all(parts):
            refuse(self.path, f"line {at} is {_quoted(line)}: two symbols with one space between are needed")
        left, right = parts
        if left + right in self.made:
            self.repeated += 1
            return
        for symbol in parts:
            if symbol not in self.made and symbol not in self.base:
                self.base[symbol] = self._base_symbol(at, symbol)
        if left + right in self.base:
            refuse(self.path, f"line {at} joins to {_quoted(left + right)}, which is a base symbol")
        self.made[left + right] = left, right

    def _base_symbol(self, at: int, symbol: bytes) -> Token:
        kind = self.policy.alphabet.removesuffix("s")
        if kind == "character":
            character = symbol.removesuffix(_MARK)
            ends = character != symbol
            if len(character.decode()) == (0 if ends and self.policy.end_of_word == "separate" else 1):
                return Token(character, ends)
            if len(symbol.decode()) == 1:
                return Token(symbol)
        refuse(self.path, f"line {at} joins {_quoted(symbol)}, which is no {kind} and made by no line above")

    def numbered(self) -> tuple[tuple[Token, ...], tuple[Pair, ...]]:
        """The base symbols, characters by code point, and the merges in kernel ids."""
        symbols = list(self.base) if self.policy.alphabet == "bytes" else sorted(self.base)
        ids = {symbol: i for i, symbol in enumerate([*symbols, *self.made])}
        pairs = tuple((ids[left], ids[right]) for left, right in self.made.values())
        return tuple(self.base[symbol] for symbol in symbols), pairs


def _losses(merges: MergeList) -> tuple[str, ...]:
    _require(merges)
    _lines(merges)
    losses = [HOW_CHOSEN, "token ids: the format has none", *space_left(merges.policy)]
    unused = {*range(len(merges.alphabet))} - {operand for pair in merges.pairs for operand in pair}
    if unused and merges.policy.alphabet == "characters":
        losses.append(f"{len(unused)} base symbols that no merge joins: the library takes every character")
    if merges.policy.boundary not in ("spaces", *(policy.boundary for policy in _VERSIONS.values())):
        losses.append(f"the boundary {merges.policy.boundary}: the library cuts at spaces (U+0020) and nowhere else")
    if merges.specials:
        losses.append(f"{len(merges.specials)} special tokens: give them as --glossaries")
    if merges.orphans:
        losses.append(f"{len(merges.orphans)} entries that no merge makes")
    return tuple(losses)


def _require(merges: MergeList) -> None:
    """Refuse what no such file says."""
    policy = merges.policy
    require_plain_texts(policy)
    if _version(policy) is None:
        raise FormatRefusal(
            f"{NAME} joins characters of words that end in {END_OF_WORD}, or bytes with end_of_word=fused: this list "
            f"has alphabet={policy.alphabet} and end_of_word={policy.end_of_word}"
        )
    by_spelling: dict[bytes, int] = {}
    for at, token in enumerate(merges.tokens()):
        if by_spelling.setdefault(token.spelling, at) != at:
            raise FormatRefusal(f"{NAME} knows tokens by spelling: two are spelled {_quoted(token.spelling)}")


def _version(policy: Policy) -> bytes | None:
    """The version whose symbols are the policy's."""
    symbols = policy.alphabet, policy.end_of_word
    return next((v for v, known in _VERSIONS.items() if (known.alphabet, known.end_of_word) == symbols), None)


def _write(merges: MergeList) -> Files:
    _require(merges)
    if not merges.pairs:
        raise FormatRefusal(f"{NAME} cannot load codes without any merge: learn one")
    version = _version(merges.policy) or b""
    return {"": b"".join(line + b"\n" for line in (_HEADER + b" " + version, *_lines(merges)))}


def _lines(merges: MergeList) -> list[bytes]:
    symbols = [token.spelling for token in merges.tokens()]
    text = merges.policy.alphabet == "characters"
    return [_line(rank, symbols[left], symbols[right], text) for rank, (left, right) in enumerate(merges.pairs)]


def _line(rank: int, left: bytes, right: bytes, text: bool) -> bytes:
    line = left + b" " + right
    if line.strip(_STRIPPED).split(b" ") != [left, right] or b"\n" in line:
        raise FormatRefusal(f"{NAME} cannot hold rank {rank}, {_quoted(line)}: its symbols have white space inside")
    if text and not line.decode("utf-8", "ignore").encode() == line:
        raise FormatRefusal(f"{NAME} cannot hold rank {rank}, {_quoted(line)}: its symbols are not UTF-8")
    return line


SUBWORD_NMT = FileFormat(
    name=NAME,
    about="subword-nmt's codes: symbols of characters or bytes with </w>; no ids, no alphabet",
    endings=(".codes",),
    recognises=_recognises,
    read=_read,
    losses=_losses,
    write=_write,
    has_ids=False,
)

"""subword-nmt's codes: a version line, then the two symbols of one merge a line, `</w>` at the end of a word.

The rules are those of `BPE.__init__` and `encode` (subword-nmt 0.3.8, `apply_bpe.py`). In version 0.2 a word's last
character carries `</w>`; in 0.1, which a file without a version line has, the mark is a symbol of its own. Lines end
at LF only, a repeated merge counts where it stands first, and symbols are known by their spelling. The alphabet is
what the merges imply; the library takes every character.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.alphabet import END_OF_WORD, Token
from engine.errors import FormatRefusal, Refusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, require_plain_texts
from engine.formats.files import read_file, refuse
from engine.kernel.base import Pair
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.profiles import profile
from engine.quoting import quoted

NAME = "subword-nmt"
_HEADER = "#version:"
_VERSIONS = {"0.1": "separate", "0.2": "fused"}
"""Where the end-of-word mark stands in each version."""
_TRAINED = profile(NAME).policy
"""What the library's trainer does."""
_STRIPPED = "\r\n "
"""What the library strips at both ends of a line."""
_NO_HEADER = "no version line: read as version 0.1, where </w> is a symbol of its own"


def _recognises(path: Path, head: bytes) -> bool:
    """By its first line and an end-of-word mark; GPT-2's `merges.txt` begins alike, but has no such marks."""
    first = head.partition(b"\n")[0].strip(b"\r ")
    begins = first.startswith(_HEADER.encode()) or len(first.split(b" ")) == 2
    return begins and (END_OF_WORD.encode() in head or path.suffix == ".codes")


def _read(path: Path, limits: Limits) -> MergeList:
    try:
        text = read_file(path).decode()
    except UnicodeDecodeError as error:
        refuse(path, f"byte {error.start} is not UTF-8, give codes that subword-nmt wrote")
    lines = text.rstrip("\n").split("\n")
    headed = lines[0].startswith(_HEADER)
    end_of_word = _end_of_word(path, lines[0]) if headed else _VERSIONS["0.1"]
    found = _Implied(path, end_of_word)
    for at, line in enumerate(lines[headed:], 1 + headed):
        found.add(at, line)
    remarks = [] if headed else [_NO_HEADER]
    if found.repeated:
        remarks.append(f"{found.repeated} lines repeat an earlier merge, or join to what one makes: not used")
    alphabet, pairs = found.numbered()
    merges = MergeList(
        name=path.name,
        format=NAME,
        policy=_TRAINED.changed(end_of_word=end_of_word),
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


def _end_of_word(path: Path, line: str) -> str:
    version = line.removeprefix(_HEADER).strip()
    if version not in _VERSIONS:
        refuse(path, f"line 1 is {quoted(line)}: this program reads versions {' and '.join(_VERSIONS)}")
    return _VERSIONS[version]


@dataclass
class _Implied:
    """Merges by their symbols' spelling, and the base symbols that they imply.

    Attributes:
        path: the file, for refusals.
        end_of_word: as in the policy.
        base: base symbols by spelling.
        made: for each spelling that a merge makes, its two parts; in order of rank.
        repeated: lines that make nothing new.
    """

    path: Path
    end_of_word: str
    base: dict[str, Token] = field(default_factory=dict)
    made: dict[str, tuple[str, str]] = field(default_factory=dict)
    repeated: int = 0

    def add(self, at: int, line: str) -> None:
        """Take one line in."""
        parts = line.strip(_STRIPPED).split(" ")
        if len(parts) != 2 or not all(parts):
            refuse(self.path, f"line {at} is {quoted(line)}: two symbols with one space between are needed")
        left, right = parts
        if left + right in self.made:
            self.repeated += 1
            return
        for symbol in parts:
            if symbol not in self.made and symbol not in self.base:
                self.base[symbol] = self._base_symbol(at, symbol)
        if left + right in self.base:
            refuse(self.path, f"line {at} joins to {quoted(left + right)}, which is a base symbol above")
        self.made[left + right] = left, right

    def _base_symbol(self, at: int, symbol: str) -> Token:
        character = symbol.removesuffix(END_OF_WORD)
        ends = character != symbol
        if len(character) == (0 if ends and self.end_of_word == "separate" else 1):
            return Token(character.encode(), ends)
        if len(symbol) == 1:
            return Token(symbol.encode())
        refuse(self.path, f"line {at} joins {quoted(symbol)}, which is no character and made by no line above")

    def numbered(self) -> tuple[tuple[Token, ...], tuple[Pair, ...]]:
        """The base symbols by code point, and the merges in kernel ids."""
        symbols = sorted(self.base)
        ids = {symbol: i for i, symbol in enumerate([*symbols, *self.made])}
        pairs = tuple((ids[left], ids[right]) for left, right in self.made.values())
        return tuple(self.base[symbol] for symbol in symbols), pairs


def _losses(merges: MergeList) -> tuple[str, ...]:
    _require(merges)
    _lines(merges)
    losses = [HOW_CHOSEN, "token ids: the format has none"]
    unused = {*range(len(merges.alphabet))} - {operand for pair in merges.pairs for operand in pair}
    if unused:
        losses.append(f"{len(unused)} base symbols that no merge joins: the library takes every character")
    if merges.policy.boundary not in ("spaces", _TRAINED.boundary):
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
    if policy.end_of_word == "none" or policy.alphabet != "characters":
        raise FormatRefusal(
            f"{NAME} joins characters of words that end in {END_OF_WORD}: this list has alphabet={policy.alphabet} "
            f"and end_of_word={policy.end_of_word}"
        )
    by_symbol: dict[str, int] = {}
    for at, token in enumerate(merges.tokens()):
        if by_symbol.setdefault(token.symbol, at) != at:
            raise FormatRefusal(f"{NAME} knows tokens by spelling: two are spelled {quoted(token.symbol)}")


def _write(merges: MergeList) -> Files:
    _require(merges)
    if not merges.pairs:
        raise FormatRefusal(f"{NAME} cannot load codes without any merge: learn one")
    version = next(v for v, end_of_word in _VERSIONS.items() if end_of_word == merges.policy.end_of_word)
    return {"": "".join(f"{line}\n" for line in (f"{_HEADER} {version}", *_lines(merges))).encode()}


def _lines(merges: MergeList) -> list[str]:
    symbols = [token.symbol for token in merges.tokens()]
    return [_line(rank, symbols[left], symbols[right]) for rank, (left, right) in enumerate(merges.pairs)]


def _line(rank: int, left: str, right: str) -> str:
    line = f"{left} {right}"
    if line.strip(_STRIPPED).split(" ") != [left, right] or "\n" in line:
        raise FormatRefusal(f"{NAME} cannot hold rank {rank}, {quoted(line)}: its symbols have white space inside")
    if not line.encode("utf-8", "ignore").decode() == line:
        raise FormatRefusal(f"{NAME} cannot hold rank {rank}, {quoted(line)}: its symbols are not UTF-8")
    return line


SUBWORD_NMT = FileFormat(
    name=NAME,
    about="subword-nmt's codes: symbols of characters with </w>; no ids, no alphabet",
    endings=(".codes",),
    recognises=_recognises,
    read=_read,
    losses=_losses,
    write=_write,
    has_ids=False,
)

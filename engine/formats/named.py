"""Vocabularies by name: `vocab` gives every entry's id, merges join names (Hugging Face, GPT-2).

Such a file may make one token in several ways: `transformers` writes every split of a token as a merge when it converts
a tiktoken file. The one kept is what encoding the token's own characters with the merges before it leaves; for lists
that plain training made it is the only one that ever applies.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.alphabet import Token, alphabet_of, byte_order
from engine.errors import FormatRefusal
from engine.formats.base import require_bytes_alone, require_plain_texts
from engine.formats.bytemap import mapped, unmapped
from engine.formats.recover import merged
from engine.kernel.base import Pair
from engine.layout import Layout
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import MergeTable

Names = tuple[str, str]
"""The left and the right name of a merge."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How tokens are named.

    Attributes:
        byte_level: whether a name has one letter for each byte, else the characters themselves.
        end_of_word: the suffix of a byte or character that ends a word; empty without one.
    """

    byte_level: bool
    end_of_word: str = ""

    def base(self, name: str) -> Token | None:
        """The base token of a name; None when it is no single symbol."""
        ends = bool(self.end_of_word) and len(name) == 1 + len(self.end_of_word) and name.endswith(self.end_of_word)
        if not ends and len(name) != 1:
            return None
        data = unmapped(name[0]) if self.byte_level else name[0].encode()
        return None if data is None else Token(data, ends_word=ends)

    def content(self, name: str) -> bytes:
        """The bytes of an entry, whether merges make it or not."""
        data = unmapped(name) if self.byte_level else None
        return name.encode() if data is None else data

    def name(self, token: Token) -> str:
        """The name of a token.

        Raises:
            FormatRefusal: for a symbol that is no character.
        """
        if self.byte_level:
            return mapped(token.data) + self.end_of_word * token.ends_word
        try:
            return token.data.decode() + self.end_of_word * token.ends_word
        except UnicodeDecodeError:
            raise FormatRefusal(f"the symbol {quoted(token.data)} is no character and has no name here") from None


@dataclass(frozen=True, slots=True)
class Assembled:
    """A vocabulary by name, in kernel ids.

    Attributes:
        alphabet: base tokens in the order of their ids.
        pairs: the merges by rank.
        ids: the outside id of each kernel id.
        orphans: entries that no merge makes: outside id and bytes.
        remarks: what was left out, in words.
    """

    alphabet: tuple[Token, ...]
    pairs: tuple[Pair, ...]
    ids: tuple[int, ...]
    orphans: tuple[tuple[int, bytes], ...]
    remarks: tuple[str, ...]

    @property
    def byte_order(self) -> str:
        """The policy's name of the order of its bytes."""
        shown = b"".join(token.data for token in self.alphabet if not token.ends_word)
        return "bytemap" if shown == byte_order("bytemap") else "byte-value"


class Assembly:
    """Names become kernel ids, merge after merge.

    Args:
        vocab: the id of each name.
        spelling: how tokens are named.
        place: what messages call a merge, by its number.
        forgiving: whether a token that no merge can make becomes an orphan; else its merge is refused.
        limits: bounds of the expansions.
    """

    def __init__(
        self, vocab: Mapping[str, int], spelling: Spelling, place: Callable[[int], str], forgiving: bool, limits: Limits
    ) -> None:
        self._vocab, self._spelling, self._place, self._forgiving = vocab, spelling, place, forgiving
        base = sorted((number, token, name) for name, number in vocab.items() if (token := spelling.base(name)))
        policy = Policy() if spelling.byte_level else Policy(alphabet="characters", base_order="as-given")
        alphabet = alphabet_of(policy, [token for _, token, _ in base])
        self._table = MergeTable(alphabet, Layout(policy, len(base)), limits)
        self._kernel = {name: at for at, (_, _, name) in enumerate(base)}
        self._first: dict[str, int] = {}
        self._alternatives = self._late = self._unmade = 0

    def follow(self, merges: Iterable[tuple[int, Names]], known: Collection[str]) -> Assembled:
        """All merges in order.

        Args:
            merges: pairs of names by rank, each with its number for messages.
            known: names that need no merge: added tokens.

        Raises:
            FormatRefusal: for a merge of unknown names, a repeated one, or one whose tokens are not made before it.
            LimitRefusal: when an expansion or the vocabulary exceeds its limit.
        """
        for name, group in groupby(merges, lambda item: "".join(item[1])):
            self._make(name, list(group))
        ids = tuple(self._vocab[name] for name in self._kernel)
        content = self._spelling.content
        orphans = sorted(
            (number, content(name))
            for name, number in self._vocab.items()
            if name not in self._kernel and name not in known
        )
        return Assembled(
            self._table.alphabet.tokens, tuple(self._table.pairs), ids, tuple(orphans), tuple(self._remarks())
        )

    def _make(self, name: str, group: Sequence[tuple[int, Names]]) -> None:
        """The token that one or more merges in a row make."""
        for number, names in group:
            self._check(number, names, name)
        if name in self._kernel:
            self._late += len(group)
            return
        pairs = [(self._kernel[a], self._kernel[b]) for _, (a, b) in group if a in self._kernel and b in self._kernel]
        if not pairs and self._forgiving:
            self._unmade += 1
            return
        if not pairs:
            number, names = group[0]
            part = next(n for n in names if n not in self._kernel)
            raise FormatRefusal(f"{self._place(number)} uses {quoted(part)}, which no earlier merge makes: sort them")
        self._alternatives += len(group) - 1
        pair = pairs[0] if len(pairs) == 1 else self._true(pairs)
        if self._table.tokens[pair[0]].ends_word:
            raise FormatRefusal(f"{self._place(group[0][0])} goes on behind the end of a word: no text has that")
        self._table.add(pair)
        self._kernel[name] = len(self._kernel)

    def _check(self, number: int, names: Names, name: str) -> None:
        for part in (*names, name):
            if part not in self._vocab or not part:
                raise FormatRefusal(f"{self._place(number)} has {quoted(part)}, which is no token of the vocabulary")
        spelled = f"{len(names[0])} {name}"  # one string for a pair: kept pairs would be half of the memory
        if spelled in self._first:
            raise FormatRefusal(
                f"{self._place(number)} repeats {self._place(self._first[spelled])}: keep one, since libraries differ "
                "on which of them counts"
            )
        self._first[spelled] = number

    def _true(self, pairs: Sequence[Pair]) -> Pair:
        """The pair that a token's own symbols come to; the first one where they come to none of these."""
        own = tuple(merged(self._table, self._symbols(pairs[0])))
        return next((pair for pair in pairs if pair == own), pairs[0])

    def _symbols(self, pair: Pair) -> list[int]:
        """The base tokens that two tokens are made of."""
        base = len(self._table.alphabet.tokens)
        found, waiting = [], [pair[1], pair[0]]
        while waiting:
            token = waiting.pop()
            if token < base:
                found.append(token)
            else:
                left, right = self._table.pairs[token - base]
                waiting += [right, left]
        return found

    def _remarks(self) -> Iterator[str]:
        if self._alternatives:
            yield (
                f"{self._alternatives} merges make a token in another way than encoding its own text does, as "
                "transformers' conversion of tiktoken files writes: left out"
            )
        if self._late:
            yield (
                f"{self._late} merges make a token that is there already: left out, so texts may be encoded otherwise "
                "than by the library"
            )
        if self._unmade:
            yield f"{self._unmade} tokens have only merges whose parts are not made before: kept as entries"


def names_of(merges: MergeList, spelling: Spelling) -> list[str]:
    """The name of each kernel id.

    Raises:
        FormatRefusal: for two tokens of one name, a symbol that has none, or texts that are normalized first.
    """
    require_plain_texts(merges.policy)
    if not spelling.end_of_word:
        require_bytes_alone(merges.policy)
    names = [spelling.name(token) for token in merges.tokens()]
    first: dict[str, int] = {}
    for kernel, name in enumerate(names):
        if name in first:
            one, other = merges.ids[first[name]], merges.ids[kernel]
            raise FormatRefusal(
                f"ids {one} and {other} are one text, {quoted(name)}: a vocabulary by name holds it once"
            )
        first[name] = kernel
    return names


def vocab_of(merges: MergeList, names: Sequence[str], specials: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The vocabulary by name, in the order of ids: tokens, orphans and these special tokens.

    Raises:
        FormatRefusal: when two entries have one name and different ids.
    """
    byte_level = merges.policy.alphabet == "bytes"
    orphans = ((mapped(data) if byte_level else data.decode(errors="replace"), i) for i, data in merges.orphans)
    vocab: dict[str, int] = {}
    for name, number in sorted(
        [*zip(names, merges.ids, strict=True), *orphans, *specials], key=lambda entry: (entry[1], entry[0])
    ):
        if vocab.setdefault(name, number) != number:
            raise FormatRefusal(
                f"ids {vocab[name]} and {number} are both called {quoted(name)}: rename the special token, since a "
                "vocabulary by name holds a name once"
            )
    return vocab

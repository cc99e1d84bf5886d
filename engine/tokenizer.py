"""Tokenizer: a frozen merge list that encodes and decodes.

Rules: encode by lowest rank, then leftmost (equal to replaying all merges in order for every list that one training
run made); frame after encoding; decode strictly, bytes first and text after (course, chapter 4, layout version 1).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from importlib.util import find_spec
from io import BytesIO
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from engine.alphabet import Alphabet, Token
from engine.errors import NotUtf8, TokenizerRefusal
from engine.kernel.base import Pair
from engine.kernel.reference import replace_pair
from engine.layout import BOS, CONTROLS, EOS, Layout
from engine.limits import Limits
from engine.memory import Taken, unheard
from engine.normalize import prepared
from engine.patterns import longest_of
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.quoting import quoted

if TYPE_CHECKING:
    from engine._encoder import Encoder


def has_compiled() -> bool:
    """Whether the compiled encoder was built when the package was installed."""
    return find_spec("engine._encoder") is not None


@dataclass(frozen=True, slots=True)
class EncodeStep:
    """One rank that changed the input while encoding.

    Attributes:
        rank: the merge's rank.
        before: content ids before it.
        after: content ids after it.
        replacements: matches replaced.
    """

    rank: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    replacements: int


class MergeTable:
    """Merges by rank over an alphabet, each checked as it is added.

    Attributes:
        pairs: kernel ids of each rank's operands.
        ranks: the rank of each pair.
        tokens: base tokens, then one per rank.
    """

    def __init__(self, alphabet: Alphabet, layout: Layout, limits: Limits) -> None:
        self.alphabet = alphabet
        self.layout = layout
        self.limits = limits
        self.pairs: list[Pair] = []
        self.ranks: dict[Pair, int] = {}
        self.tokens: list[Token] = list(alphabet.tokens)
        self._bytes = sum(len(t.data) for t in self.tokens)
        self._encoder = _compiled_encoder(alphabet, layout) if has_compiled() else None

    def add(self, pair: Pair) -> None:
        """Append a merge.

        Raises:
            TokenizerRefusal: for an operand that no earlier rank makes, or a pair that is there already.
            LimitRefusal: when an expansion or the vocabulary grows over its limit.
        """
        rank = len(self.pairs)
        self.layout.check_merges(rank + 1)
        left, right = pair
        if not (0 <= left < len(self.tokens) and 0 <= right < len(self.tokens)):
            unknown = next(operand for operand in pair if not 0 <= operand < len(self.tokens))
            raise TokenizerRefusal(f"merge rank {rank} uses unknown token {self.layout.shown(unknown)}")
        if pair in self.ranks:
            left, right = map(self.layout.shown, pair)
            raise TokenizerRefusal(f"merge rank {rank} repeats the pair ({left}, {right}) of rank {self.ranks[pair]}")
        token = self.tokens[left] + self.tokens[right]
        self._check_bytes(rank, len(token.data))
        self._append(pair, rank, token)
        self._bytes += len(token.data)

    def _check_bytes(self, rank: int, more: int) -> None:
        limits, total = self.limits, self._bytes + more
        if more > limits.token_bytes:
            limits.check("token_bytes", more, f"the byte expansion of rank {rank}")
        if total > limits.vocabulary_bytes:
            limits.check("vocabulary_bytes", total, f"the vocabulary's byte expansions at rank {rank}")

    def _append(self, pair: Pair, rank: int, token: Token) -> None:
        try:
            self.tokens.append(token)
            self.ranks[pair] = rank
            self.pairs.append(pair)
        except BaseException:  # half a merge would give all later ones the wrong token
            self.ranks.pop(pair, None)
            del self.pairs[rank:], self.tokens[len(self.alphabet.tokens) + rank :]
            raise

    def encoder(self) -> "Encoder | None":
        """The compiled encoder of all merges so far; None where it is not built."""
        if self._encoder is not None:
            for pair in self.pairs[len(self._encoder) :]:
                self._encoder.add(*pair)
        return self._encoder


def _compiled_encoder(alphabet: Alphabet, layout: Layout) -> "Encoder":
    from engine._encoder import Encoder

    byte_ids = None if alphabet.missing else alphabet.byte_ids
    return Encoder(len(alphabet.tokens), byte_ids, layout.offset)


class _Known(dict[int, bytes]):
    """What is known of ids, each asked for once: a document has millions of tokens and few of their kinds."""

    def __init__(self, ask: Callable[[int], bytes]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, shown: int) -> bytes:
        found = self._ask(shown)
        self[shown] = found
        return found


class Tokenizer:
    """The first merges of a table, frozen. All ids in and out are shown ids of the layout.

    Attributes:
        policy: whose boundary cuts the text and whose layout numbers the tokens.
        merges: how many merges are in force.
    """

    def __init__(self, policy: Policy, table: MergeTable, merges: int | None = None) -> None:
        self.policy = policy
        self.layout = table.layout
        self.merges = len(table.pairs) if merges is None else merges
        self._table = table
        self._ranks = table.ranks
        self._base = len(table.alphabet.tokens)
        self._cut = splitter(policy.changed(special_tokens=()))
        self._encoder = table.encoder()
        cuts = self._encoder is not None and self._encoder.cuts(policy.boundary)
        self._scanner = self._encoder if cuts else None

    @classmethod
    def from_pairs(
        cls, policy: Policy, alphabet: Alphabet, pairs: Iterable[Pair], limits: Limits | None = None
    ) -> "Tokenizer":
        """A tokenizer of a list of merges in kernel ids.

        Raises:
            TokenizerRefusal: for an unknown operand, a repeated pair, or too many merges.
            LimitRefusal: when an expansion or the vocabulary exceeds its limit.
        """
        table = MergeTable(alphabet, Layout(policy, len(alphabet.tokens)), limits or Limits())
        for pair in pairs:
            table.add(pair)
        return cls(policy, table)

    # Vocabulary

    @property
    def size(self) -> int:
        """Vocabulary size: controls and specials, base tokens and merges."""
        return self.layout.size(self.merges)

    def token(self, shown: int) -> Token | None:
        """The content of a shown id; None for controls, special tokens and unknown ids."""
        kernel = self.layout.kernel(shown)
        return self._table.tokens[kernel] if 0 <= kernel < self._base + self.merges else None

    def pair_of(self, rank: int) -> Pair:
        """The shown ids that the merge of a rank joins."""
        left, right = self._table.pairs[rank]
        return self.layout.shown(left), self.layout.shown(right)

    # Encoding

    def encode(self, data: bytes, *, specials: bool = False) -> list[int]:
        """Content ids of a text.

        Args:
            data: the text's bytes; any bytes where the alphabet is bytes.
            specials: whether the policy's special tokens in the text become their ids instead of content.

        Raises:
            TokenizerRefusal: for a character that the alphabet lacks.
            LimitRefusal: when the text has more bytes than the limit `nodes`, or the merges exceed `pair_types`.
        """
        data = self._prepared(data)
        if not specials or not self.policy.special_tokens:
            return self._content(data)
        ids: list[int] = []
        for special, part in self._around_specials(data):
            ids += self._content(part) if special is None else [special]
        return ids

    def _prepared(self, data: bytes) -> bytes:
        """The text that is encoded, as training would see it."""
        self._table.limits.check("nodes", len(data), "this text's length in bytes")
        self._table.limits.check("pair_types", self.merges, "this tokenizer's number of merges")
        return prepared(self.policy, data)[:]

    def encode_chunks(self, chunks: Iterable[bytes]) -> list[int]:
        """Content ids of a text that arrives in chunks; where they are cut changes nothing."""
        data = bytearray()
        for chunk in chunks:
            data += chunk
            self._table.limits.check("nodes", len(data), "this text's length in bytes")
        return self.encode(bytes(data))

    def encode_batch(self, texts: Sequence[bytes], threads: int = 1) -> list[list[int]]:
        """Content ids of each text, in this many threads where the encoder is compiled; refusals as in `encode`."""
        texts = [self._prepared(data) for data in texts]
        if self._scanner is None:
            return [self._content(data) for data in texts]
        return self._scanner.encode_batch(texts, *self._rules(), threads)

    def _rules(self) -> tuple[str, bool, int]:
        return self.policy.boundary, self.policy.unmatched == "dropped", self.merges

    def _content(self, data: bytes) -> list[int]:
        if self._scanner is not None:
            return self._scanner.encode(data, *self._rules())
        known: dict[bytes, list[int]] = {}
        ids: list[int] = []
        for start, piece in self._cut(data):
            if piece not in known:
                known[piece] = self.merge(self._base_ids(piece, start))
            ids += known[piece]
        return ids

    def _base_ids(self, piece: bytes, start: int) -> list[int]:
        ids = self._table.alphabet.encode(piece)
        if ids is None:
            at, unknown = self._table.alphabet.first_unknown(piece)
            raise TokenizerRefusal(
                f"{quoted(unknown)} in the text at byte {start + at} is not in this tokenizer's alphabet of "
                f"{self._base} {self.policy.alphabet}; a run with every byte in its alphabet encodes any text"
            )
        return list(ids)

    def merge(self, ids: list[int]) -> list[int]:
        """The shown ids that a piece becomes, given by its base ids (kernel ids below the first merge's)."""
        if self._encoder is not None:
            return self._encoder.merge(ids, self.merges)
        return [self.layout.shown(i) for i in self._rank_by_rank([*ids])]

    def _rank_by_rank(self, ids: list[int]) -> list[int]:
        """Merge a list in place, rank by rank, each from left to right, over a linked list: near-linear in the length.

        A merge only makes pairs of higher ranks, since a pair's rank is above those of its tokens, and all places of a
        pair are found, from left to right, in the round that makes the younger token. So a rank is looked at once.
        """
        ranks, merges, size = self._ranks, self.merges, len(ids)
        following = list(range(1, size + 1))
        previous = list(range(-1, size - 1))
        places: dict[int, list[int]] = {}
        for at, pair in enumerate(pairwise(ids)):
            rank = ranks.get(pair, merges)
            if rank < merges:
                places.setdefault(rank, []).append(at)
        waiting = sorted(places)
        while waiting:
            rank = heappop(waiting)
            left, right = self._table.pairs[rank]
            token = self._base + rank
            for at in places.pop(rank):
                other = following[at]
                if ids[at] != left or other == size or ids[other] != right:
                    continue
                ids[at], ids[other] = token, -1
                after, before = following[other], previous[at]
                following[at] = after
                found = []
                if after < size:
                    previous[after] = at
                    if (new := ranks.get((token, ids[after]), merges)) < merges:
                        found.append((new, at))
                if before >= 0 and (new := ranks.get((ids[before], token), merges)) < merges:
                    found.append((new, before))
                for new, start in found:
                    if new not in places:
                        places[new] = []
                        heappush(waiting, new)
                    places[new].append(start)
        return [i for i in ids if i >= 0]

    def _around_specials(self, data: bytes) -> Iterator[tuple[int | None, bytes]]:
        """The text's parts: (id, text) of special tokens, (None, text) between them."""
        first = len(CONTROLS) if self.layout.framed else 0
        by_text = {s.encode("utf-8", "surrogateescape"): first + i for i, s in enumerate(self.policy.special_tokens)}
        pattern = longest_of(by_text)
        end = 0
        for match in pattern.finditer(data):
            yield None, data[end : match.start()]
            yield by_text[match[0]], match[0]
            end = match.end()
        yield None, data[end:]

    def trace(self, data: bytes) -> tuple[list[int], list[EncodeStep]]:
        """The initial content ids of a text and every rank that changed them, in order; refusals as in `encode`."""
        data = self._prepared(data)
        pieces = [self._base_ids(piece, start) for start, piece in self._cut(data)]
        initial = self._shown(pieces)
        steps: list[EncodeStep] = []
        before = tuple(initial)
        while (rank := self._lowest(pieces)) is not None:
            pieces = [replace_pair(p, self._table.pairs[rank], self._base + rank) for p in pieces]
            after = tuple(self._shown(pieces))
            steps.append(EncodeStep(rank, before, after, len(before) - len(after)))
            before = after
        return initial, steps

    def _lowest(self, pieces: list[list[int]]) -> int | None:
        ranks = (self._ranks.get(pair, self.merges) for p in pieces for pair in pairwise(p))
        lowest = min(ranks, default=self.merges)
        return lowest if lowest < self.merges else None

    def _shown(self, pieces: list[list[int]]) -> list[int]:
        return [i + self.layout.offset for p in pieces for i in p]

    def frame(self, content: Sequence[int]) -> list[int]:
        """BOS, the content ids, EOS.

        Raises:
            TokenizerRefusal: when the layout has no control ids.
        """
        self._needs_frames()
        return [BOS, *content, EOS]

    def _needs_frames(self) -> None:
        if not self.layout.framed:
            raise TokenizerRefusal("the id layout raw has no BOS and EOS: train with --id-layout framed")

    # Decoding

    def pieces(self, content: Sequence[int], taken: Taken = unheard) -> list[bytes]:
        """The bytes of each content id. `taken` hears how many they are together.

        Raises:
            TokenizerRefusal: for a control id anywhere (said first), then for an unknown id, with its position.
            LimitRefusal: when ids or bytes exceed the limit `nodes`.
        """
        self._refuse_controls(content, 0)
        return self._expansions(content, 0, taken)

    def decode(self, content: Sequence[int], taken: Taken = unheard) -> bytes:
        """The bytes of content ids; refusals as in `pieces`. Before they are put together `taken` hears their number.

        End-of-word marks become single spaces between words, since merge lists of words do not keep white space.
        """
        parts = self.pieces(content, taken)
        if self.policy.end_of_word != "none":
            parts = [*map(_Known(self._spaced).__getitem__, content[:-1]), *parts[-1:]]
        text = BytesIO()  # `join` takes eighty bytes a part
        text.writelines(parts)
        return text.getvalue()

    def _spaced(self, shown: int) -> bytes:
        token = self.token(shown)
        assert token is not None, "its bytes were asked for before"
        return token.data + b" " * token.ends_word

    def decode_document(self, ids: Sequence[int]) -> bytes:
        """The bytes of a framed document.

        Raises:
            TokenizerRefusal: for a frame that is too short, does not begin with BOS or end with EOS, or holds a control
                or an unknown id inside; positions count from the frame's start.
            LimitRefusal: when ids or bytes exceed the limit `nodes`.
        """
        return self.decode(self.unframed(ids))

    def unframed(self, ids: Sequence[int]) -> Sequence[int]:
        """The content ids of a framed document; refusals as in `decode_document`."""
        self._needs_frames()
        if len(ids) < 2:
            raise TokenizerRefusal(f"document of {len(ids)} token(s) is too short: a frame has at least BOS and EOS")
        if ids[0] != BOS:
            raise TokenizerRefusal(f"document starts with {ids[0]}: expected BOS {BOS}")
        if ids[-1] != EOS:
            raise TokenizerRefusal(f"document ends with {ids[-1]}: expected EOS {EOS}")
        inside = ids[1:-1]
        self._refuse_controls(inside, 1)
        self._expansions(inside, 1)
        return inside

    def _refuse_controls(self, ids: Sequence[int], first: int) -> None:
        if not self.layout.framed or not any(control in ids for control in CONTROLS):
            return
        for position, token in enumerate(ids, first):
            if token in CONTROLS:
                raise TokenizerRefusal(f"document control token {token} is not allowed at position {position}")

    def _expansions(self, ids: Sequence[int], first: int, taken: Taken = unheard) -> list[bytes]:
        limits = self._table.limits
        limits.check("nodes", len(ids), "this document's number of tokens")
        known = _Known(self._expansion)
        try:
            parts = [*map(known.__getitem__, ids)]
        except KeyError as error:
            shown = error.args[0]
            position = first + ids.index(shown)
            if 0 <= shown < self.layout.offset:
                raise TokenizerRefusal(
                    f"token {shown} at position {position} is a special token, which has no content"
                ) from None
            raise TokenizerRefusal(
                f"unknown token {shown} at position {position}: this vocabulary has {self.size} entries"
            ) from None
        size = sum(map(len, parts))
        if size > limits.nodes:
            over = next(size for size in accumulate(map(len, parts)) if size > limits.nodes)
            limits.check("nodes", over, "this document's length in bytes")
        taken(size)
        return parts

    def _expansion(self, shown: int) -> bytes:
        token = self.token(shown)
        if token is None:
            raise KeyError(shown)
        return token.data


def text_view(data: bytes) -> str:
    """Decoded bytes as text.

    Raises:
        NotUtf8: with the length of the valid prefix, when they are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        cut_off = error.reason == "unexpected end of data"
        raise NotUtf8(error.start, None if cut_off else error.end - error.start) from None

"""Two contrasts: what a whole-word vocabulary loses, and what a pre-tokenizer's boundary forbids."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.alphabet import build_alphabet
from engine.artifact import artifact_of
from engine.binding import binding_of
from engine.corpus.document import Corpus
from engine.errors import TokenizerRefusal
from engine.policy import Policy
from engine.pretokenize import splitter
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

UNKNOWN_ID = 0
UNKNOWN_WORD = b"<UNK>"
_words_of = splitter(Policy(boundary="whitespace", unmatched="dropped"))


class WholeWords:
    """A vocabulary of white-space words: ids count from 1 as words are first met, and 0 stands for all others.

    Args:
        texts: what it is fitted on.
    """

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._ids: dict[bytes, int] = {}
        for text in texts:
            for _, word in _words_of(text):
                self._ids.setdefault(word, len(self._ids) + 1)
        self._words = (UNKNOWN_WORD, *self._ids)

    def __len__(self) -> int:
        """How many words it knows, the unknown one not counted."""
        return len(self._ids)

    def look_up(self, word: bytes) -> int:
        """A word's id, or 0."""
        return self._ids.get(word, UNKNOWN_ID)

    def encode(self, text: bytes) -> list[int]:
        """The ids of a text's words; white space is lost."""
        return [self.look_up(word) for _, word in _words_of(text)]

    def decode(self, ids: Iterable[int]) -> bytes:
        """The words of ids, with single spaces: the bytes of unknown words are lost.

        Raises:
            TokenizerRefusal: for an id that it does not have.
        """
        words = []
        for position, word in enumerate(ids):
            if not 0 <= word < len(self._words):
                raise TokenizerRefusal(f"unknown word id {quoted(word)} at position {position}: 0 to {len(self)} exist")
            words.append(self._words[word])
        return b" ".join(words)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text under one boundary.

    Attributes:
        pretokens: the pieces that merges cannot leave.
        content_tokens: ids.
        fragments: the bytes of each id.
    """

    pretokens: tuple[bytes, ...]
    content_tokens: tuple[int, ...]
    fragments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class BoundaryContrast:
    """One text, one merge, two boundaries.

    Attributes:
        merge: the bytes of the merge's two sides.
        raw_bytes: with framed ids and no boundary inside a document.
        gpt2: with GPT-2's pattern and order of bytes; not the ids of any pretrained vocabulary.
    """

    merge: tuple[bytes, bytes]
    raw_bytes: Encoded
    gpt2: Encoded


def boundary_contrast(corpus: Corpus, text: bytes) -> BoundaryContrast:
    """The first merge of a corpus of bytes, applied to a text with and without GPT-2's boundary.

    Raises:
        PolicyRefusal: for a corpus in which no pair exists.
    """
    trainer = Trainer(corpus, Policy(budget=1, exact=True))
    trainer.seek(1)
    left, right = trainer.merges[0].evidence.pair
    policy = Policy(base_order="bytemap", boundary="gpt2")
    alphabet = build_alphabet(policy, ())
    first, second = alphabet.encode(bytes([left, right])) or ()
    gpt2 = Tokenizer.from_pairs(policy, alphabet, [(first, second)])
    raw_bytes = artifact_of(trainer, binding_of(corpus)).tokenizer()
    return BoundaryContrast((bytes([left]), bytes([right])), _encoded(raw_bytes, text), _encoded(gpt2, text))


def _encoded(tokenizer: Tokenizer, text: bytes) -> Encoded:
    content = tokenizer.encode(text)
    pretokens = tuple(piece for _, piece in splitter(tokenizer.policy)(text))
    return Encoded(pretokens, tuple(content), tuple(tokenizer.pieces(content)))

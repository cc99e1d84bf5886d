"""Sentencepiece's BPE trainer, with its own normalizer and with none. Rules found by experiment and in its source."""

from engine.policy import Policy
from engine.profiles.base import Profile

_IDENTITY = Policy(
    alphabet="characters",
    base_order="by-frequency",
    coverage=999_500,
    boundary="sp-words",
    unmatched="dropped",
    tie_break="shortest-then-smallest-joined",
    max_token_length=16,
    piece_filter="sentencepiece",
    special_tokens=("<unk>", "<s>", "</s>"),
)
_WHY = {
    "alphabet": "pieces are made of characters",
    "base_order": "its characters come by falling count, then by code point; their ids decide nothing",
    "coverage": "`--character_coverage` is 0.9995: the rarest characters part words and are in no piece",
    "boundary": "words begin at `▁`, which stands for the spaces before them and for the start of a line",
    "unmatched": "line ends, U+0000 and U+001F do not train",
    "tie_break": "the shorter joined piece wins, in characters, then the smaller one, by the bytes of its UTF-8",
    "max_token_length": "`--max_sentencepiece_length` is 16, and a piece of 16 is allowed",
    "piece_filter": "`▁` only in front, and one script a piece, by the Scripts of Unicode 9.0",
    "special_tokens": "it has them as ids 0 to 2 and cuts the text where it holds them; `--vocab-size` counts them",
}
_VERIFIED = (
    "all pieces of each test text at a vocabulary of 2,000 and until no pair is left, in order, from a file; the "
    "script of every code point; 2,400 small random texts with reserved and invalid characters"
)
_DEPARTURES = (
    "where no pair is left it goes on with pieces of count 0 until the vocabulary is full (smallest text: `ab`, which "
    "gives `▁a`)",
    "lines longer than 4,192 bytes are left out (`--max_sentence_length`)",
    "lines that hold U+2585 are left out; here it parts words",
    "`<s>`, `</s>`, `<unk>` and U+001F in the text count as characters when it measures coverage, although they are in "
    "no piece (text: `a<s>` fifty times, then `b`, at 98 %)",
    "its characters have ids behind the merges; here they come before them",
    "versions up to 0.2.0 look among the most frequent pairs only and miss some",
)

SENTENCEPIECE = (
    Profile(
        "sentencepiece",
        _IDENTITY.changed(normalizer="nmt-nfkc"),
        "sentencepiece's defaults: nmt_nfkc, marked words of one script, ties take the shortest joined piece",
        {"normalizer": "texts go through `nmt_nfkc` first", **_WHY},
        peer="sentencepiece 0.2.3",
        verified=f"{_VERIFIED}; the normalizer over every code point and 300,000 sequences",
        departures=(
            *_DEPARTURES,
            "its normalizer knows Unicode 17, Python's an earlier one: Python 3.11 leaves 99 later characters as they "
            "are (smallest text: U+A7F1)",
        ),
    ),
    Profile(
        "sentencepiece-identity",
        _IDENTITY,
        "sentencepiece without a normalizer (--normalization_rule_name=identity): the same, on the text as it is",
        _WHY,
        peer="sentencepiece 0.2.3",
        verified=_VERIFIED,
        departures=(
            *_DEPARTURES,
            "lines that come from Python's `sentence_iterator` lose the CR at their end (smallest text: `a`, CR, LF)",
        ),
    ),
)

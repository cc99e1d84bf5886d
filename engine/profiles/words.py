"""Trainers of characters in words: subword-nmt and YouTokenToMe. Rules read in their sources."""

from engine.policy import Policy
from engine.profiles.base import Profile

LINE_ENDS = r"\v\f\x1c-\x1e\x85\u2028\u2029"
SUBWORD_NMT_WORDS = rf"pattern:[^ \r\n{LINE_ENDS}]*[{LINE_ENDS}]|[^ \r\n{LINE_ENDS}]+"
"""Words end at U+0020 and at what Python calls a line end; those but CR and LF stay behind the word they end."""
SUBWORD_NMT_BYTE_WORDS = r"pattern:(?:[^ \r\n]|(?<=[^ \r\n][\r ]*)\r(?=[\r ]*[^ \r\n]))+"
"""Words end at U+0020 and LF; CR belongs to a word unless only spaces and CR stand between it and a line's end."""
_TAB = (
    "a tab inside a word hides where a symbol begins, so the end of a longer symbol is replaced (smallest "
    r"text: `\t\t\tb\t\t\t\t\tb\t`)"
)
_MARK = "a text that holds `</w>` spells symbols that it takes for marked ones (smallest text: `a</w>a</w>a`)"

WORD_LEVEL = (
    Profile(
        "subword-nmt",
        Policy(
            alphabet="characters",
            end_of_word="fused",
            base_order="code-point",
            boundary=SUBWORD_NMT_WORDS,
            unmatched="dropped",
            tie_break="largest-symbols",
            min_count=2,
        ),
        "characters of words, the last one marked `</w>`; ties take the greatest pair of strings",
        {
            "alphabet": "words are sequences of characters",
            "end_of_word": "since version 0.2 the last character of a word carries `</w>`",
            "base_order": "it has no ids: they follow code points, and decide nothing",
            "boundary": "words end at U+0020 and at line ends as Python's codecs see them; tabs stay inside words",
            "unmatched": "spaces and line ends do not train",
            "tie_break": "the greatest (left, right) wins, as strings with their `</w>`",
            "min_count": "`--min-frequency` is 2",
        },
        peer="subword-nmt 0.3.8",
        verified="1,000 merges of each test text, pairs in order, read from a file as its command line reads it",
        departures=(_TAB, _MARK),
    ),
    Profile(
        "subword-nmt-byte",
        Policy(
            end_of_word="fused",
            boundary=SUBWORD_NMT_BYTE_WORDS,
            unmatched="dropped",
            tie_break="largest-symbols",
            min_count=2,
        ),
        "bytes of words, the last one marked `</w>` (`--byte`); ties take the greatest pair of byte strings",
        {
            "end_of_word": "the last byte of a word carries `</w>`",
            "boundary": "words end at the byte 0x20 and at LF; CR is stripped at a line's ends only",
            "unmatched": "spaces and line ends do not train",
            "tie_break": "the greatest (left, right) wins, as byte strings with their `</w>`",
            "min_count": "`--min-frequency` is 2",
        },
        peer="subword-nmt (commit 92d6139; the release 0.3.8 has no `--byte`)",
        verified="1,000 merges of each test text against a trainer of its rule; by hand against the commit",
        departures=(_TAB, _MARK),
    ),
    Profile(
        "youtokentome",
        Policy(
            alphabet="characters",
            base_order="by-frequency",
            boundary="yttm-words",
            unmatched="dropped",
            counting="non-overlapping",
            special_tokens=("<PAD>", "<UNK>", "<BOS>", "<EOS>"),
            special_tokens_as="text",
        ),
        "characters of words that begin with U+2581; a run of n equal symbols counts n // 2; ties are not its own",
        {
            "alphabet": "words are sequences of characters",
            "base_order": "base ids follow falling frequency",
            "boundary": "words begin with U+2581 and end at ASCII white space and at U+2581",
            "unmatched": "line ends do not train",
            "counting": "a run of n equal symbols counts n // 2 pairs",
            "special_tokens": "it has them as ids 0 to 3, and `--vocab-size` counts them",
            "special_tokens_as": "it does not look for them in its training text",
        },
        peer="YouTokenToMe 1.0.6",
        verified="its own lists replayed, of one thread and of two, to a vocabulary of 1,000 of each test text and to "
        "the last pair of short ones: each merge is a highest pair by these counts at its turn, and not each by "
        "overlapping counts; its characters, ids, words, and the ids that it encodes lines into",
        departures=(
            "ties are decided by the layout of its tables and the timing of its threads: two runs alike give two "
            "lists, with one thread too, so a list can only be held against the counts (smallest text: `ab`, where "
            "`▁a` and `ab` both occur once)",
            "its first character is `▁`, and of equally frequent ones the larger code point comes first; here `▁` has "
            "its place by count, and the smaller comes first (smallest text: `ab`)",
            "a `coverage` below 1 deletes rare characters there and joins what they part here (smallest text: `a猫a` "
            "at 60 %)",
            "a byte of no character ends its process; here it is a character (smallest text: the byte FF)",
        ),
    ),
)

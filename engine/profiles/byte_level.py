"""Trainers of bytes in pattern pieces: rustbpe, bpeasy, ffbpe, minbpe, tiktoken's educational one, CS336.

Rules read in their sources and held against the libraries; minbpe is the head of its repository (no release).
"""

from engine.policy import Policy
from engine.profiles.base import Profile

GPT2_PIECES = Policy(boundary="gpt2", unmatched="dropped")
GPT4_PIECES = Policy(boundary="cl100k", unmatched="dropped")
DROPPED = "it finds all matches of a pattern: text that a pattern of your own misses does not train"
FIRST = "the highest count is taken from a dictionary in order of insertion: the pair that is met first wins"
GPT4 = "GPT-4's pattern is its default"
OLDER_UNICODE = (
    "its Unicode tables may be older than these (18.0): a letter that they lack ends a word there (smallest text: a, "
    "U+A7CF, whose letter came with Unicode 17)"
)
NO_PAIR = "it raises ValueError where no pair is left, instead of stopping (smallest text: `a`)"
LARGEST = "the greatest pair (left bytes, right bytes) wins; the joined bytes are not what is compared"

BYTE_LEVEL = (
    Profile(
        "rustbpe",
        GPT4_PIECES,
        "bytes in GPT-4's pieces; ties take the smallest ids",
        {"boundary": GPT4, "unmatched": DROPPED},
        peer="rustbpe 0.1.0",
        verified="1,000 merges of each test text, token bytes in id order",
        departures=(OLDER_UNICODE, "its counts have 32 bits (read in its source; not run here)"),
    ),
    Profile(
        "bpeasy",
        GPT4_PIECES.changed(length_rule="exclusive"),
        "bytes in GPT-4's pieces; ties take the smallest ids; a length bound that is not reached",
        {
            "boundary": "a pattern must be given; its documentation gives GPT-4's",
            "unmatched": DROPPED,
            "length_rule": "a new token must be shorter than `max_token_length`; pairs of bytes are exempt",
        },
        peer="bpeasy 0.1.6",
        verified="1,000 merges of each test text, token bytes in id order, with `max_token_length` 8 and without",
        departures=(OLDER_UNICODE,),
    ),
    Profile(
        "ffbpe",
        GPT2_PIECES,
        "bytes in GPT-2's pieces; ties take the smallest ids (`smallest_pair_id`)",
        {"boundary": "GPT-2's pattern is its default", "unmatched": DROPPED},
        peer="ffbpe 0.1.10",
        verified="1,000 merges of each test text, token bytes in id order; `byte_level` with `--base-order bytemap`",
        departures=(OLDER_UNICODE,),
    ),
    Profile(
        "ffbpe-largest",
        GPT2_PIECES.changed(tie_break="largest-bytes"),
        "bytes in GPT-2's pieces; ties take the greatest pair of bytes (`largest_content`)",
        {"boundary": "GPT-2's pattern is its default", "unmatched": DROPPED, "tie_break": LARGEST},
        peer="ffbpe 0.1.10",
        verified="1,000 merges of each test text, token bytes in id order; `byte_level` with `--base-order bytemap`",
        departures=(OLDER_UNICODE,),
    ),
    Profile(
        "minbpe-basic",
        Policy(tie_break="first-seen"),
        "bytes of one whole text; ties take the pair that comes first in the text as it stands",
        {"tie_break": FIRST},
        peer="minbpe (BasicTokenizer, commit 1acefe8)",
        verified="300 merges of 6 kB of each test text against a trainer of its rule; by hand against the library",
        departures=(NO_PAIR,),
    ),
    Profile(
        "minbpe-regex",
        GPT4_PIECES.changed(tie_break="first-seen"),
        "bytes in GPT-4's pieces; ties take the pair that comes first in the text as it stands",
        {"boundary": GPT4, "unmatched": DROPPED, "tie_break": FIRST},
        peer="minbpe (RegexTokenizer, commit 1acefe8)",
        verified="1,000 merges of each test text against a trainer of its rule; by hand against the library",
        departures=(NO_PAIR,),
    ),
    Profile(
        "tiktoken-educational",
        GPT2_PIECES.changed(tie_break="first-seen"),
        "bytes in GPT-2's pieces; ties take the pair that comes first (tiktoken._educational)",
        {
            "boundary": "a pattern must be given; its own example gives GPT-2's",
            "unmatched": DROPPED,
            "tie_break": FIRST,
        },
        peer="tiktoken 0.14.0",
        verified="300 merges of 10 kB of each test text, token bytes in id order",
        departures=(NO_PAIR,),
    ),
    Profile(
        "cs336",
        GPT2_PIECES.changed(tie_break="largest-bytes"),
        "Stanford CS336, assignment 1: bytes in GPT-2's pieces; ties take the greatest pair of bytes",
        {"boundary": "the assignment gives GPT-2's pattern", "unmatched": DROPPED, "tie_break": LARGEST},
        peer="the rule of assignment 1",
        verified="1,000 merges of each test text against a trainer of its rule; by hand, its own list of 243 merges",
    ),
)

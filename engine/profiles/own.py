"""The four specifications behind the project."""

from engine.limits import COURSE_LIMITS
from engine.policy import Policy
from engine.profiles.base import Profile

WORDS = {
    "boundary": "a word table counts words: white space ends them",
    "unmatched": "white space between words does not train",
}

OWN = (
    Profile("course", Policy(), "documents of bytes; ties take the smallest ids; every pair may be learned"),
    Profile(
        "incremental",
        Policy(id_layout="framed"),
        "the same decisions with BOS 0 and EOS 1, the practical course's limits, and a bound artifact",
        {"id_layout": "documents are framed by BOS 0 and EOS 1: byte b is b + 2, rank r is 258 + r"},
        COURSE_LIMITS,
    ),
    Profile(
        "sennrich",
        Policy(
            alphabet="characters",
            end_of_word="separate",
            base_order="code-point",
            boundary="whitespace",
            unmatched="dropped",
            tie_break="smallest-symbols",
        ),
        "characters of weighted words with the mark </w>; ties take the alphabetically first pair",
        {
            "alphabet": "the paper's words are sequences of characters",
            "end_of_word": "`</w>` is a symbol of its own, as in the paper's listing",
            "base_order": "characters have no byte value; ties are decided by spelling, so ids only follow code points",
            **WORDS,
            "tie_break": "the alphabetically first pair makes the listing repeatable",
        },
    ),
    Profile(
        "weighted-words",
        Policy(boundary="whitespace", unmatched="dropped", min_count=2),
        "bytes of weighted words; ties take the smallest pair; stops when no pair repeats",
        {**WORDS, "min_count": "a pair that occurs once repeats nothing"},
    ),
)

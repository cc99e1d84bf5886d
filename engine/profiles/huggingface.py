"""Hugging Face tokenizers 0.23 (`BpeTrainer`), and gigabpe, which gives the same lists.

Rules read in the library's source (`models/bpe/trainer.rs`, `pre_tokenizers/byte_level.rs`) and held against it.
"""

from engine.policy import Policy
from engine.profiles.base import Profile

PEER = "tokenizers 0.23.3"
BYTE_LEVEL = Policy(base_order="bytemap", length_rule="exclusive", special_tokens_as="text")
WHY_TRAINER = {
    "length_rule": "with `--max-token-length L` a new token must be shorter than L; pairs of base tokens are exempt",
    "special_tokens_as": "special tokens take the first ids but are not cut out of the training text",
}
WHY = {
    "base_order": "ids, and with them ties, follow the code points of the byte-to-unicode letters, `!` first",
    **WHY_TRAINER,
}
OLDER_UNICODE = (
    "its Unicode tables are older: a letter or number that they lack, such as U+A7CF, ends a word there and not here "
    "(smallest text: a, U+A7CF)"
)
NOT_EXACT = (
    "with `continuing_subword_prefix` or `end_of_word_suffix` its lists differ from run to run (issue 1794), and "
    "together with `max_token_length` it merges pairs that occur nowhere (issue 2320, smallest corpus known: "
    "`##c ##cac# #ab c# #### accc#a#a#b a cb`): no policy stands for these"
)
COUNTS = "its counts have 32 bits: a pair that occurs more than 2,147,483,647 times is lost (issue 2058; not run here)"
SPECIAL_MADE = (
    "a merge that spells a special token takes that token's id instead of a new one (smallest text: `ab`, with the "
    "special token `ab`)"
)
DEPARTURES = (OLDER_UNICODE, SPECIAL_MADE, COUNTS, NOT_EXACT)
VERIFIED = (
    "1,000 merges of each test text, pairs and ids, with every base letter in `initial_alphabet`; without it, with "
    "`--base-bytes seen`"
)

HUGGING_FACE = (
    Profile(
        "huggingface",
        BYTE_LEVEL.changed(boundary="gpt2-by-line"),
        "byte level with GPT-2's split, trained from files, which are read line by line",
        {"boundary": "`train(files)` feeds lines with their newline, so white space is cut behind each newline", **WHY},
        peer=PEER,
        verified=VERIFIED + "; also `min_frequency`, `max_token_length` and special tokens",
        departures=DEPARTURES,
    ),
    Profile(
        "huggingface-iterator",
        BYTE_LEVEL.changed(boundary="gpt2"),
        "byte level with GPT-2's split, trained from an iterator of documents",
        {"boundary": "`train_from_iterator` feeds whole documents, so white space may cross lines", **WHY},
        peer=PEER,
        verified=VERIFIED,
        departures=DEPARTURES,
    ),
    Profile(
        "huggingface-cl100k",
        BYTE_LEVEL.changed(boundary="cl100k"),
        "byte level with GPT-4's split (Split, isolated), trained from an iterator",
        {"boundary": "Split with GPT-4's pattern, then ByteLevel with `use_regex=False`", **WHY},
        peer=PEER,
        verified=VERIFIED,
        departures=(
            r"tiktoken's spelling of the pattern means something else to it: `\p{N}{1,3}+` is one or more groups, so "
            r"digits are not cut after three (smallest text: `1234`); give it `\p{N}{1,3}`",
            *DEPARTURES,
        ),
    ),
    Profile(
        "huggingface-o200k",
        BYTE_LEVEL.changed(boundary="o200k"),
        "byte level with GPT-4o's split (Split, isolated), trained from an iterator",
        {"boundary": "Split with GPT-4o's pattern, then ByteLevel with `use_regex=False`", **WHY},
        peer=PEER,
        verified=VERIFIED,
        departures=DEPARTURES,
    ),
    Profile(
        "huggingface-unsplit",
        BYTE_LEVEL,
        "byte level without any split inside a document (ByteLevel with use_regex=False), from an iterator",
        WHY,
        peer=PEER,
        verified=VERIFIED + "; from files, with `boundary=line`",
        departures=DEPARTURES[1:],
    ),
    Profile(
        "huggingface-words",
        Policy(
            alphabet="characters",
            base_order="code-point",
            boundary="whitespace",
            unmatched="dropped",
            length_rule="exclusive",
            special_tokens_as="text",
        ),
        "characters of white-space words (WhitespaceSplit)",
        {
            "alphabet": "without ByteLevel the base tokens are the characters of the corpus",
            "base_order": "they are numbered by code point, which decides ties",
            "boundary": "WhitespaceSplit cuts at Unicode white space",
            "unmatched": "and drops it",
            **WHY_TRAINER,
        },
        peer=PEER,
        verified="1,000 merges of each test text, pairs and ids",
        departures=DEPARTURES[1:],
    ),
    Profile(
        "gigabpe",
        BYTE_LEVEL.changed(boundary="gpt2-by-line", base_bytes="seen"),
        "the list of `huggingface`, from files, with the bytes that occur as its only base tokens",
        {
            "base_bytes": "only bytes that occur are base tokens",
            "boundary": "files are read line by line, as Hugging Face reads them",
            **WHY,
        },
        peer="gigabpe 0.1.0",
        verified="1,000 merges of each test text, pairs and ids",
        departures=(OLDER_UNICODE,),
    ),
)

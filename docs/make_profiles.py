"""Write docs/profiles.md, its sections from the profiles: `python docs/make_profiles.py`. A test compares the two."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from engine.profiles import PROFILES, Profile

PAGE = Path(__file__).with_name("profiles.md")
HEAD = """\
# Profiles

Made by `docs/make_profiles.py` from the program's profiles; `bpe-tui profiles NAME` shows the same in the terminal.

Two trainers on one text give two merge lists, and what parts them is never more than a few rules: the order of base
ids, the tie rule, how runs are counted, where units end, the smallest count, a length bound, what "vocabulary size"
includes. Each profile below states these rules for one trainer, and its merge list is the trainer's list, merge for
merge; of `youtokentome`, whose ties fall by chance, the rules are those that all of its lists keep. The four profiles
of [policy.md](policy.md) (`course`, `incremental`, `sennrich`, `weighted-words`) have no library as a peer.

```sh
bpe-tui train corpus.txt --profile huggingface --vocab-size 8000
bpe-tui train corpus.txt --profile rustbpe --boundary o200k --merges 4000
bpe-tui train corpus.txt --policy "$(bpe-tui profiles cs336 --line)" --special-token '<|endoftext|>' --merges 243
```

**What "reproduces" means.** `tests/profiles/` trains the library and this program on three texts and compares every
merge in order, by pairs where the library tells them, else by the tokens in the order of their ids: 200 kB of English
with CRLF, indents, numbers and contractions; 200 kB in the languages of `examples/` with Han, combining marks and
emoji; 58 kB of runs, equal counts and every kind of white space. Corpora are given as documents of exact bytes: a
text opened with Python's newline translation is another corpus.

**What a vocabulary size includes.** `--vocab-size N` counts as the peers do: base tokens, special tokens, merges. 256
base bytes and two special tokens leave 742 merges of 1,000. rustbpe counts special tokens outside; give the
difference.

**Which bytes are base tokens.** All 256, unless `base_bytes=seen` says that only those of the corpus are: so do gigabpe
and Hugging Face without `initial_alphabet`. The merges are the same, ids are smaller, and a vocabulary size leaves
room for more merges.

**By line.** Hugging Face's `train(files)` and gigabpe cut each line by itself, so white space never goes on after a
newline: `gpt2-by-line`. With its GPT-4 splits that is `--boundary cl100k-by-line` or `o200k-by-line`. What they have
learned they then use on whole texts, where `gpt2` holds.

**A space in front.** `ByteLevel(add_prefix_space=True)`, the default in Python, is `--normalizer prefix-space` with
`gpt2`; for `train(files)`, which puts one before every line, with `--format lines` too.

**Not expressible.** Hugging Face's `continuing_subword_prefix`, `end_of_word_suffix` and `limit_alphabet` have no
policy.

**Continued training.** A list that is there already, from any trainer, can be grown: its merges come first, with the
true counts of the corpus, and the policy goes on from there. On the same text half a Hugging Face list grows to
exactly the list of one run, as with bpe-continue 0.1.0; on another text the two agree as well, ids included.

## Near misses

A wrong rule rarely shows at once. For each of these the two lists were made twice, by this program and by a plain
trainer written from the rule, on half of the English text of `tests/profiles/texts.py`; the rank, from 0, is the
first that differs.

| profile | with | parts at rank | because |
|---|---|---|---|
| `huggingface` | `base_order=byte-value` | 55 | ids follow letters: `!` comes first, a space behind `~` and `ÿ` |
| `huggingface` | `boundary=gpt2` | 4 | read by line, a line end never joins the indent behind it |
| `huggingface` | `length_rule=inclusive` | 420 | with `--max-token-length 8` a token of 8 letters is too long |
| `rustbpe` | `tie_break=first-seen` | 56 | a tie goes to the smallest ids, wherever the pair stands |
| `bpeasy` | `length_rule=inclusive` | 425 | with `--max-token-length 8` a token of 8 bytes is too long |
| `minbpe-regex` | `tie_break=smallest-ids` | 56 | a tie goes to the pair met first |
| `minbpe-regex` | `tie_break=largest-bytes` | 35 | a tie goes to the pair met first |
| `tiktoken-educational` | `tie_break=smallest-ids` | 55 | a tie goes to the pair met first |
| `cs336` | `tie_break=smallest-ids` | 33 | a tie goes to the greatest pair |
| `cs336` | joined bytes compared | 33 | the tuple (left, right) is compared, not its joined bytes |
| `subword-nmt` | `counting=non-overlapping` | 43 | a run such as `...` counts every window |
| `subword-nmt` | `tie_break=smallest-symbols` | 28 | a tie goes to the greatest pair |
| `subword-nmt` | joined strings compared | 220 | the tuple (left, right) is compared, not its joined string |
| `youtokentome` | `counting=overlapping` | 8 | a run of n equal symbols holds n // 2 pairs |
"""


def page() -> str:
    """The page as it should be."""
    return "".join((HEAD, *(_section(profile) for profile in PROFILES.values() if profile.peer)))


def _section(profile: Profile) -> str:
    return f"\n## `{profile.name}`\n\n" + "\n".join(_lines(profile)) + "\n"


def _lines(profile: Profile) -> Iterator[str]:
    yield from _wrapped(f"{profile.about[0].upper()}{profile.about[1:]}.")
    yield from ("", "```", str(profile.policy), "```", "")
    for field, why in profile.why.items():
        yield from _wrapped(f"* `{field}`: {why}.")
    yield from ("", f"Peer: {profile.peer}.", "")
    yield from _wrapped(f"Compared: {profile.verified}.")
    if profile.departures:
        yield from ("", "Where the peer departs from this rule:", "")
    for departure in profile.departures:
        yield from _wrapped(f"* {departure}.")


def _wrapped(text: str) -> list[str]:
    indent = "  " if text.startswith("* ") else ""
    return textwrap.wrap(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

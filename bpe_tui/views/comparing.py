"""A comparison in words and as a record: what the command prints and the screen shows."""

from bpe_tui.compare_sides import Texts
from bpe_tui.text.cells import Mode
from bpe_tui.text.safe import SafeText, join
from bpe_tui.views.spelling import counted, label, token_text
from engine.alphabet import Token
from engine.compare import Agreement, Divergence, Joined, Standing
from engine.parting import LETTERS, Parting, Sentence, spelled
from engine.replayer import Inferred

Record = dict[str, object]
NONE = "nothing"


def sentence_text(sentence: Sentence, mode: Mode = Mode.TEXT) -> SafeText:
    """A sentence with its tokens spelled."""
    return join(token_text(part, mode) if isinstance(part, Token) else label(part) for part in sentence)


def joined_text(pair: Joined | None, mode: Mode = Mode.TEXT) -> SafeText:
    """`left + right`; `nothing` where a list has ended."""
    return label(NONE) if pair is None else sentence_text(spelled(pair), mode)


def standing_row(letter: str, where: Divergence, mode: Mode = Mode.TEXT) -> tuple[SafeText | str, ...]:
    """A side's cells: letter, its merge, its counts of both candidates, the highest count, the tie set."""
    at = LETTERS.index(letter)
    here = where.standings[at]
    tied = join((joined_text(pair, mode) for pair in here.first), label(", "))
    more = here.ties - len(here.first)
    return (
        letter,
        joined_text(where.pairs[at], mode),
        *(_count(here, i) for i in (0, 1)),
        f"{here.best:,}",
        f"{here.ties:,}",
        tied + label(f" and {more:,} more") if more else tied,
    )


def _count(here: Standing, i: int) -> str:
    count = here.counts[i]
    return "-" if count is None else f"{count:,}{' highest' if here.maximal[i] else ''}"


def agreement_lines(found: Agreement, texts: Texts) -> list[str]:
    """How much is the same, in words; every ratio with its numerator and denominator."""
    a, b = found.merges
    jaccard = (
        f"; Jaccard {found.common / found.either:.3f} = {found.common:,} / {found.either:,}" if found.either else ""
    )
    lines = [
        f"merges: A {a:,}, B {b:,}; the first {found.prefix:,} equal; {found.common:,} in both{jaccard}",
        f"encodings: {found.equal:,} of {counted(found.texts, texts.kind)} equal; tokens: A {found.tokens[0]:,}, "
        f"B {found.tokens[1]:,}",
    ]
    if found.refused:
        lines.append(f"not encoded: {counted(found.refused, texts.kind)} with a character or byte that a list has not")
    if texts.remark:
        lines.append(texts.remark)
    return lines


def divergence_record(where: Divergence, parted: Parting) -> Record:
    """A divergence as plain values."""
    return {
        "rank": where.rank,
        "sentence": sentence_text(parted.sentence).plain,
        **{
            letter: {
                "merges": pair_record(where.pairs[i]),
                "counts": {"A": here.counts[0], "B": here.counts[1]},
                "highest": {"A": here.maximal[0], "B": here.maximal[1]},
                "highest_count": here.best,
                "tie_size": here.ties,
                "tie_first": [pair_record(pair) for pair in here.first],
                "inferred": _inferred_record(parted.inferred[i]),
            }
            for i, (letter, here) in enumerate(zip(LETTERS, where.standings, strict=True))
        },
    }


def _inferred_record(found: Inferred | None) -> Record | None:
    return None if found is None else {"ties": found.ties, "rules": [order.name for order in found.orders]}


def pair_record(pair: Joined | None) -> list[Record] | None:
    """A pair's two tokens as plain values."""
    return None if pair is None else [{"bytes_hex": token.data.hex(), "ends_word": token.ends_word} for token in pair]


def agreement_record(found: Agreement, texts: Texts) -> Record:
    """An agreement as plain values."""
    return {
        "common_prefix": found.prefix,
        "merges_in_both": found.common,
        "merges_in_either": found.either,
        "texts": texts.kind,
        "bytes_encoded": texts.taken,
        "bytes": texts.size,
        "texts_encoded": found.texts,
        "texts_equal": found.equal,
        "texts_not_encoded": found.refused,
        "tokens": {"A": found.tokens[0], "B": found.tokens[1]},
    }

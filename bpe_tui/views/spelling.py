"""How tokens, pairs and numbers are spelled in every pane."""

from bpe_tui.text.cells import Mode, show
from bpe_tui.text.safe import SafeText
from engine.alphabet import END_OF_WORD, Token
from engine.kernel import Pair
from engine.trainer import Trainer


def token_text(token: Token, mode: Mode, width: int | None = None) -> SafeText:
    """A token's bytes in the display mode, then `</w>` where it ends a word."""
    shown = show(token.data, mode, width=width)
    return shown + label(END_OF_WORD) if token.ends_word else shown


def pair_text(trainer: Trainer, pair: Pair, mode: Mode, width: int | None = None) -> SafeText:
    """`left + right`."""
    left, right = (token_text(trainer.vocabulary[t], mode, width) for t in pair)
    return left + label(" + ") + right


def label(text: str) -> SafeText:
    """Our own words."""
    return SafeText.label(text)


def number(value: int) -> SafeText:
    """A whole number with thousands marks."""
    return label(f"{value:,}")


def counted(value: int, noun: str) -> str:
    """`1 byte`, `2 bytes`."""
    return f"{value:,} {noun}{'' if value == 1 else 's'}"


def ratio(numerator: int, denominator: int, unit: str) -> SafeText:
    """A ratio with its numerator and denominator; in words where the denominator is zero."""
    if denominator == 0:
        return label(f"no {unit}: {numerator:,} / 0")
    return label(f"{numerator / denominator:.2f} {unit} ({numerator:,} / {denominator:,})")


def share(count: int, total: int) -> SafeText:
    """A count's share of a total in percent; nothing where the total is zero."""
    return label(f"{100 * count / total:.1f}%" if total else "")

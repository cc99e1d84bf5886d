"""The held-out pane: a text that training never saw, encoded with the merges applied now."""

from dataclasses import dataclass

from bpe_tui.text.cells import Mode, show_str
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.text.wrap import flow, fold, wrap
from bpe_tui.views.request import HeldOutRequest
from bpe_tui.views.spelling import label, ratio, token_text
from engine.errors import Refusal
from engine.tokenizer import Tokenizer, has_compiled
from engine.trainer import Trainer

MOST_BYTES = 1 << 20 if has_compiled() else 1 << 16
"""Longer texts are encoded up to here, and the pane says so; each takes some hundredths of a second."""
MOST_TOKENS = 4_096
"""Of more tokens the first ones are drawn, and the pane says so: drawing takes far longer than encoding."""


@dataclass(frozen=True, slots=True)
class HeldOutView:
    """The lines of the pane, and the ids for copying.

    Attributes:
        title: which text.
        lines: wrapped lines, of the first tokens where there are many.
        ids: all content ids.
        count: held-out documents in all.
    """

    title: SafeText = EMPTY
    lines: tuple[SafeText, ...] = ()
    ids: tuple[int, ...] = ()
    count: int = 0


def held_out_view(trainer: Trainer, request: HeldOutRequest, mode: Mode) -> HeldOutView:
    """Tokens, ids, framed ids and ratios of the chosen text at the present rank."""
    width = max(request.width, 1)
    chosen = _chosen(trainer, request)
    count = len(trainer.corpus.held_out)
    if chosen is None:
        hint = label("no document is held out: press e to encode a text of yours, or open with --holdout 0.1")
        return HeldOutView(label("none"), tuple(fold(hint, width)))
    title, start, size = chosen
    tokenizer = trainer.tokenizer()
    try:
        ids = tokenizer.encode(start)
    except Refusal as refusal:
        return HeldOutView(title, tuple(fold(show_str(str(refusal), prose=True), width)), (), count)
    drawn, taken, tokens = ids[:MOST_TOKENS], len(start), len(ids)
    lines = _tokens(tokenizer, drawn, mode, width)
    lines += flow([ratio(tokens, taken, "tokens per byte"), ratio(taken, tokens, "bytes per token")], width)
    lines += _ids(tokenizer, ids, width)
    if len(drawn) < tokens:
        lines += fold(label(f"drawn are the first {len(drawn):,} of {tokens:,} tokens; y copies all ids"), width)
    if taken < size:
        lines += fold(label(f"encoded are the first {taken:,} of {size:,} bytes"), width)
    return HeldOutView(title, tuple(lines), tuple(ids), count)


def _chosen(trainer: Trainer, request: HeldOutRequest) -> tuple[SafeText, bytes, int] | None:
    """The title of the text to encode, its start as far as it is encoded, and its length in bytes."""
    documents = trainer.corpus.held_out
    if request.text is not None:
        return label("your text"), request.text[:MOST_BYTES], len(request.text)
    if not documents:
        return None
    at = request.document % len(documents)
    document = documents[at]
    place = label(f" · {document.split.value} · {at + 1} of {len(documents)}")
    return show_str(document.id, width=30) + place, document.data[:MOST_BYTES], len(document.data)


def _tokens(tokenizer: Tokenizer, ids: list[int], mode: Mode, width: int) -> list[SafeText]:
    edge = label("│")
    tokens = (tokenizer.token(shown) for shown in ids)
    return wrap((token_text(token, mode) + edge for token in tokens if token is not None), width)


def _ids(tokenizer: Tokenizer, ids: list[int], width: int) -> list[SafeText]:
    lines = wrap([label("ids "), *(label(f"{i} ") for i in ids[:MOST_TOKENS])], width)
    if tokenizer.layout.framed:
        lines += wrap([label("framed "), *(label(f"{i} ") for i in tokenizer.frame(ids)[:MOST_TOKENS])], width)
    return lines

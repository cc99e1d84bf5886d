"""The held-out pane: a text that training never saw, encoded with the merges applied now."""

from dataclasses import dataclass

from bpe_tui.text.cells import Mode, show_str
from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.text.wrap import flow, fold, wrap
from bpe_tui.views.request import HeldOutRequest
from bpe_tui.views.spelling import label, ratio, token_text
from engine.errors import Refusal
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

MOST_BYTES = 65_536
"""Longer texts are encoded up to here, and the pane says so."""


@dataclass(frozen=True, slots=True)
class HeldOutView:
    """The lines of the pane, and the ids for copying.

    Attributes:
        title: which text.
        lines: wrapped lines.
        ids: content ids.
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
    title, data = chosen
    cut = data[:MOST_BYTES]
    tokenizer = trainer.tokenizer()
    try:
        ids = tokenizer.encode(cut)
    except Refusal as refusal:
        return HeldOutView(title, tuple(fold(show_str(str(refusal), prose=True), width)), (), count)
    lines = [*_tokens(tokenizer, ids, mode, width), *_numbers(tokenizer, ids, len(cut), width)]
    if len(cut) < len(data):
        lines += fold(label(f"these are the first {len(cut):,} of {len(data):,} bytes"), width)
    return HeldOutView(title, tuple(lines), tuple(ids), count)


def _chosen(trainer: Trainer, request: HeldOutRequest) -> tuple[SafeText, bytes] | None:
    """The title and the bytes of the text to encode."""
    documents = trainer.corpus.held_out
    if request.text is not None:
        return label("your text"), request.text
    if not documents:
        return None
    at = request.document % len(documents)
    document = documents[at]
    place = label(f" · {document.split.value} · {at + 1} of {len(documents)}")
    return show_str(document.id, width=30) + place, document.data[:]


def _tokens(tokenizer: Tokenizer, ids: list[int], mode: Mode, width: int) -> list[SafeText]:
    edge = label("│")
    tokens = (tokenizer.token(shown) for shown in ids)
    return wrap((token_text(token, mode) + edge for token in tokens if token is not None), width)


def _numbers(tokenizer: Tokenizer, ids: list[int], size: int, width: int) -> list[SafeText]:
    lines = flow([ratio(len(ids), size, "tokens per byte"), ratio(size, len(ids), "bytes per token")], width)
    lines += wrap([label("ids "), *(label(f"{i} ") for i in ids)], width)
    if tokenizer.layout.framed:
        lines += wrap([label("framed "), *(label(f"{i} ") for i in tokenizer.frame(ids))], width)
    return lines

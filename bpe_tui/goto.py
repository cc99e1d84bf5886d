"""Go to: what the prompt understands. A rank, steps, a share, the end, or the merge that made a token."""

import re

from bpe_tui.views.search import needle_of
from engine.errors import Refusal
from engine.quoting import quoted

_STEPS = re.compile(r"[+-]\d{1,12}")
_RANK = re.compile(r"\d{1,12}")
_SHARE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
FORMS = '512, +50, -50, 25%, end or "token"'


def destination(text: str, rank: int, learned: int, budget: int | None) -> int | bytes:
    """The rank that an answer names, or the bytes of the token whose merge is looked for.

    Args:
        text: the answer.
        rank: where the run stands.
        learned: the last known merge; a share is of the budget, or of this where there is none.
        budget: merges that the run may learn, or None.

    Raises:
        Refusal: when it is none of the forms.
    """
    text = text.strip()
    if _STEPS.fullmatch(text):
        return max(rank + int(text), 0)
    if _RANK.fullmatch(text):
        return int(text)
    if share := _SHARE.fullmatch(text):
        return round(min(float(share[1]), 100.0) * (budget or learned) / 100)
    if text in ("end", "last"):
        return learned
    if len(text) >= 3 and text[0] == text[-1] == '"':
        return needle_of(text[1:-1])
    raise Refusal(f"cannot go to {quoted(text)}: give {FORMS}")

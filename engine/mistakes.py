"""Known mistakes of trainers of merges, each as a way to train with one thing changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.cuts import KNOWN_CUTS
from engine.errors import PolicyRefusal
from engine.kernel import Kernel
from engine.orders import Order, known_orders
from engine.policy import Policy
from engine.slips import CountedOnce, NeverLowered


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known way to go wrong.

    Attributes:
        name: a short name, for records.
        words: what was done, in words.
        policy: the policy that training went by.
        order: how ties were broken, where no policy does so.
        kernel: what counted, where it counted wrongly.
        weighted: whether equal pieces counted as often as they occur.
    """

    name: str
    words: str
    policy: Policy
    order: Order | None = None
    kernel: type[Kernel] | None = None
    weighted: bool = True


def known_mistakes(right: Policy) -> Iterator[Mistake]:
    """The known mistakes where a policy is right."""
    for order in known_orders(right):
        name, words = f"tie:{order.name}", f"ties go to {order.words}"
        if order.key is not None:
            yield Mistake(name, words, right, order)
        elif order.name != right.tie_break:
            yield Mistake(name, words, right.changed(tie_break=order.name))
    for name, words, changes in _changes(right):
        try:
            yield Mistake(name, words, right.changed(**changes))
        except PolicyRefusal:
            continue  # the change contradicts another field: such training cannot be
    yield Mistake("weights", "every distinct piece is counted once, however often it occurs", right, weighted=False)
    yield Mistake("counts:never-lowered", "a merge does not lower the counts of the pairs that it breaks", right,
                  kernel=NeverLowered)  # fmt: skip
    yield Mistake("counts:once", "pairs are counted once, before the first merge", right, kernel=CountedOnce)


def _changes(right: Policy) -> Iterator[tuple[str, str, dict[str, object]]]:
    if right.counting == "overlapping":
        yield "counting", "a run of equal tokens is counted without overlap", {"counting": "non-overlapping"}
    else:
        yield "counting", "every adjacent window is counted, overlapping ones too", {"counting": "overlapping"}
    for cut in KNOWN_CUTS:
        if cut.boundary != right.boundary:
            yield f"boundary:{cut.boundary}", cut.words, {"boundary": cut.boundary, "unmatched": cut.unmatched}
    if right.special_tokens and right.special_tokens_as == "cut":
        yield "specials", "special tokens are counted as text", {"special_tokens_as": "text"}
        parts = tuple(dict.fromkeys(part for special in right.special_tokens for part in special.split("|") if part))
        if parts != right.special_tokens:
            yield ("specials:unescaped", "text is split at special tokens without re.escape, so that each | is an or",
                   {"special_tokens": parts})  # fmt: skip
    for least in (right.min_count - 1, right.min_count + 1):
        if least > 0:
            words = f"pairs that occur fewer than {least} times are never merged"
            yield f"min_count:{least}", words if least > 1 else "pairs that occur once are merged", {"min_count": least}
    if right.max_token_length is not None:
        other = "exclusive" if right.length_rule == "inclusive" else "inclusive"
        yield "length", f"the longest token's length is {other}", {"length_rule": other}
        yield "length:none", "tokens have no longest length", {"max_token_length": None}

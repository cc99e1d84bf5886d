"""Ways to choose among pairs of the same count: the policy's tie rules, and others known from programs and mistakes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.alphabet import Token, byte_order
from engine.formats.bytemap import mapped
from engine.kernel import Pair
from engine.policy import BYTE_ORDERS, Policy

TIES = {
    "smallest-ids": "the smaller ids",
    "first-seen": "the pair that stands first in the text",
    "largest-bytes": "the greater bytes",
    "largest-symbols": "the greater symbols",
    "smallest-symbols": "the smaller symbols",
    "shortest-then-smallest-joined": "the shorter joined token, then the smaller",
}
"""What a tie rule of the policy takes."""
Key = Callable[[Pair, Token, Token], Any]
"""What is compared: of a pair's kernel ids and its two tokens."""


@dataclass(frozen=True, slots=True)
class Order:
    """A way to choose among tied pairs.

    Attributes:
        name: a short name, for records; a value of the policy's `tie_break` where there is one.
        words: what it takes.
        key: what it compares; None for a tie rule of the policy, which a kernel follows.
        greatest: whether the greatest key wins, else the least.
    """

    name: str
    words: str
    key: Key | None = None
    greatest: bool = False


def known_orders(policy: Policy) -> list[Order]:
    """The orders that fit a policy's tokens, bytes or texts with marks: first those that are tie rules of a policy."""
    texts = policy.alphabet == "characters" or policy.end_of_word != "none"
    rules = ("largest-symbols", "smallest-symbols") if texts else ("largest-bytes",)
    names = ("smallest-ids", "first-seen", *rules, "shortest-then-smallest-joined")
    found = [Order(name, TIES[name]) for name in names]
    found.append(Order("largest-ids", "the larger ids", _ids, greatest=True))
    if not texts:
        found += (_ids_in(order) for order in BYTE_ORDERS if order != policy.base_order)
        found.append(Order("smallest-bytes", "the smaller bytes", _bytes))
    for name, word, greatest in (("largest", "greater", True), ("smallest", "smaller", False)):
        kind, key = ("text", _joined_text) if texts else ("bytes", _joined_bytes)
        found.append(Order(f"{name}-joined", f"the {word} joined {kind}", key, greatest))
        if not texts:
            found.append(Order(f"{name}-letters", f"the {word} pair of GPT-2's letters", _letters, greatest))
    return found


def _ids_in(order: str) -> Order:
    """The smaller ids, where bytes have their ids in another order than the policy's."""
    numbers = {byte: number for number, byte in enumerate(byte_order(order))}

    def key(pair: Pair, *tokens: Token) -> list[int]:
        return [numbers[token.data[0]] if token.span == 1 else i for i, token in zip(pair, tokens, strict=True)]

    return Order(f"smallest-ids-{order}", f"{TIES['smallest-ids']} in {order} order", key)


def _ids(pair: Pair, left: Token, right: Token) -> Pair:
    return pair


def _bytes(pair: Pair, left: Token, right: Token) -> tuple[bytes, bytes]:
    return left.data, right.data


def _letters(pair: Pair, left: Token, right: Token) -> tuple[str, str]:
    return mapped(left.data), mapped(right.data)


def _joined_bytes(pair: Pair, left: Token, right: Token) -> bytes:
    return left.data + right.data


def _joined_text(pair: Pair, left: Token, right: Token) -> str:
    return left.symbol + right.symbol

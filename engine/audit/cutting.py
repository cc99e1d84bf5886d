"""The boundary of a list from somebody else: cutting short texts must end."""

import regex

from engine.errors import PolicyRefusal
from engine.policy import PATTERN, Policy
from engine.pretokenize import Splitter, splitter
from engine.quoting import quoted

MATCH_SECONDS = 2.0
"""How long a user's pattern may search one entry with its context."""


def cutter(policy: Policy) -> Splitter:
    """The policy's boundary, refusing a pattern that needs too long for one text.

    Raises:
        PolicyRefusal: for a pattern that does not compile or matches the empty string; later for one that is too slow.
    """
    pieces = splitter(policy)
    pattern = users_pattern(policy)
    if pattern is None:
        return pieces

    def cut(text: bytes) -> list[tuple[int, bytes]]:
        try:
            for _ in pattern.finditer(text.decode("utf-8", "surrogateescape"), timeout=MATCH_SECONDS):
                pass
        except TimeoutError:
            raise PolicyRefusal(
                f"boundary pattern {quoted(pattern.pattern)} needs more than {MATCH_SECONDS:g} s for {quoted(text)}: "
                "choose another with --boundary"
            ) from None
        return list(pieces(text))

    return lambda text: iter(cut(text[:]))


def users_pattern(policy: Policy) -> "regex.Pattern[str] | None":
    """The compiled pattern of a policy whose boundary is one."""
    text = policy.boundary.removeprefix(PATTERN)
    return None if text == policy.boundary else regex.compile(text)


def matches(pattern: "regex.Pattern[str]", text: str) -> bool:
    """Whether a pattern matches; one that takes too long counts as if it did."""
    try:
        return pattern.search(text, timeout=MATCH_SECONDS) is not None
    except TimeoutError:
        return True

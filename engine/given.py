"""Given merges: somebody's list, applied before a run learns merges of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.alphabet import Alphabet, Pair, Token, alphabet_of
from engine.policy import Policy


@dataclass(frozen=True, slots=True)
class Given:
    """Merges that come first, whatever the policy would choose.

    Attributes:
        alphabet: their base tokens in id order.
        pairs: the merges by rank; ids count the base tokens, then one per merge.
        name: what messages call the list.
    """

    alphabet: tuple[Token, ...] = ()
    pairs: tuple[Pair, ...] = ()
    name: str = ""

    def extended(self, policy: Policy, found: Alphabet) -> Alphabet:
        """Its base tokens with those that only the corpus has behind them."""
        if not self.alphabet:
            return found
        known = set(self.alphabet)
        return alphabet_of(policy, [*self.alphabet, *(token for token in found.tokens if token not in known)])

    def over(self, alphabet: Sequence[Token]) -> "Given":
        """The same merges over a longer alphabet, which begins with its own."""
        own = len(self.alphabet) or len(alphabet)
        shift = len(alphabet) - own
        pairs = ((left + shift * (left >= own), right + shift * (right >= own)) for left, right in self.pairs)
        return Given(tuple(alphabet), tuple(pairs) if shift else self.pairs, self.name)


NOTHING_GIVEN = Given()

"""Id layouts: how kernel ids become the ids that users see, store and exchange.

`raw` is the trainer's layout of the course's chapter 3 (bytes 0 to 255, rank r is 256 + r); `framed` is chapter 4's,
layout version 1 (BOS 0, EOS 1, byte b is b + 2, rank r is 258 + r). Special tokens follow the controls.
"""

from engine.errors import PolicyRefusal, TokenizerRefusal
from engine.policy import Policy

BOS, EOS = 0, 1
CONTROLS = (BOS, EOS)
HIGHEST = 2**32 - 1
"""Ids fit 32 bits."""


class Layout:
    """Between kernel ids (base tokens from 0, then one per rank) and shown ids.

    Attributes:
        framed: whether documents are framed by BOS and EOS.
        offset: how far kernel ids are shifted: the number of control ids and special tokens before them.
    """

    def __init__(self, policy: Policy, base: int) -> None:
        self.framed = policy.id_layout == "framed"
        self.base = base
        self.specials = policy.special_tokens
        self.offset = (len(CONTROLS) if self.framed else 0) + len(self.specials)

    def shown(self, token: int) -> int:
        """The shown id of a kernel id."""
        return token + self.offset

    def kernel(self, shown: int) -> int:
        """The kernel id of a shown id; negative for controls and special tokens."""
        return shown - self.offset

    def of_rank(self, rank: int) -> int:
        """The shown id of the token that the merge of this rank makes."""
        return self.shown(self.base + rank)

    def size(self, merges: int) -> int:
        """Vocabulary size: controls and specials, base tokens and merges."""
        return self.offset + self.base + merges

    def check_merges(self, merges: int) -> None:
        """Refuse a number of merges whose ids do not fit 32 bits.

        Raises:
            TokenizerRefusal: giving the number and the most that fit.
        """
        most = HIGHEST + 1 - self.offset - self.base
        if merges > most:
            raise TokenizerRefusal(f"{merges} merges exceed the u32 token-ID space: at most {most} fit this layout")

    def merges_of(self, policy: Policy) -> int | None:
        """The budget of a policy in merges, or None without one.

        Raises:
            PolicyRefusal: when a vocabulary budget is smaller than the vocabulary without any merge.
            TokenizerRefusal: when the budget's ids do not fit 32 bits.
        """
        if policy.budget is None:
            return None
        merges = policy.budget
        if policy.budget_unit == "vocabulary":
            least = self.size(0)
            if merges < least:
                raise PolicyRefusal(
                    f"policy budget={merges} is too small a vocabulary: {self.base} base tokens and {self.offset} "
                    f"controls and specials need {least}"
                )
            merges -= least
        self.check_merges(merges)
        return merges

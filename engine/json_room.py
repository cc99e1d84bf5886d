"""What JSON will need in memory, reckoned from its signs before it is parsed."""

from engine.files import MARGIN

_NEEDS = {b"[": 88, b"{": 400, b'"': 32, b",": 40}
"""Bytes of memory for each array, object with some members, end of a string, and value behind another."""
_FEW, _MEMBER = 8, 250
"""Members that an object's own need covers, and bytes of memory for each of the others: those of a vocabulary."""
SMALL = MARGIN // max(*_NEEDS.values(), _MEMBER)
"""Bytes whose values fit into the margin, whatever they are: each is one sign at most."""


def memory_of_values(data: bytes) -> int:
    """Bytes of memory that the values in JSON take, about."""
    need = sum(data.count(sign) * each for sign, each in _NEEDS.items())
    return need + _MEMBER * max(0, data.count(b":") - _FEW * data.count(b"{"))

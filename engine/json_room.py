"""What JSON will need in memory, reckoned from its signs before it is parsed."""

from engine.corpus.strict_json import StrictJson
from engine.files import room

_NEEDS = {b"[": 88, b"{": 400, b'"': 32, b",": 40}
"""Bytes of memory for each array, object with some members, end of a string, and value behind another."""
LARGE_LINE = 1 << 20
"""Bytes of a record from which on its room is looked at before it is parsed."""
_FEW, _MEMBER = 8, 250
"""Members that an object's own need covers, and bytes of memory for each of the others: those of a vocabulary."""


def require_room(reader: StrictJson, data: bytes) -> None:
    """Refuse JSON whose values would need far more memory than they have bytes.

    Raises:
        Refusal: of the reader's family, with the need and the most.
    """
    need, most = sum(data.count(sign) * each for sign, each in _NEEDS.items()), room(len(data))
    need += _MEMBER * max(0, data.count(b":") - _FEW * data.count(b"{"))
    if need > most:
        reader.refuse(f"its small values would take {need} bytes of memory: at most {most} for a file of its size")

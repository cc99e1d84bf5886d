"""Hostile files of any size: whatever makes a reader hold or do most for each byte of the file."""

from .corpora import corpora
from .own import own
from .sessions import sessions
from .shape import Shape
from .tokenizers import tokenizers

__all__ = ["Shape", "shapes"]


def shapes(session: dict[str, object]) -> dict[str, Shape]:
    """All shapes by what they are.

    Args:
        session: the members of a small session, which those of sessions begin from.
    """
    return {**tokenizers(), **own(), **sessions(session), **corpora()}

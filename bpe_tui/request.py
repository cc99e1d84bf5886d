"""What the app is asked to open: everything the command line decided, as one value."""

from dataclasses import dataclass

from engine.corpus.open import CorpusOptions
from engine.files import Identity
from engine.given import NOTHING_GIVEN, Given
from engine.limits import FILE_LIMITS, Limits
from engine.policy import Policy


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A corpus or a session to open.

    Attributes:
        source: the path as the user gave it; `-` for standard input.
        data: what standard input gave, or None for a path.
        is_session: whether the source is a session; its own policy, limits and options hold then.
        options: how to read the corpus.
        policy: what to train.
        limits: bounds of the work.
        kernel: the kernel asked for.
        receipt: the corpus receipt that the run is bound to, as its file's bytes, or None.
        corpus: for a session, where its corpus lies now, or None for where it says.
        memory_limit: bytes that the run may take; three quarters of the free memory if None.
        given: merges that a new run begins from.
        read: files that were read for all this, and are not to be written over.
        file_limits: ours for what a session says; its own can only lower them.
    """

    source: str
    data: bytes | None
    is_session: bool
    options: CorpusOptions
    policy: Policy
    limits: Limits
    kernel: str
    receipt: bytes | None = None
    corpus: str | None = None
    memory_limit: int | None = None
    given: Given = NOTHING_GIVEN
    read: frozenset[Identity] = frozenset()
    file_limits: Limits = FILE_LIMITS


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the command line wants the app to look; it goes over the user's settings.

    Attributes:
        theme: a theme's name, or None.
        ascii: draw printable ASCII only.
        mouse: whether the program takes the mouse.
    """

    theme: str | None = None
    ascii: bool = False
    mouse: bool = True

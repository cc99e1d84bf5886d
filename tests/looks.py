"""Every look a terminal can have, for tests that must hold in all of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from bpe_tui.text import glyphs
from bpe_tui.text.glyphs import Look

LOOKS = [
    Look(),
    Look(ascii=True),
    Look(strict_rtl=True),
    Look(ambiguous_wide=True),
    Look(ascii=True, strict_rtl=True, ambiguous_wide=True),
]


@contextmanager
def looking(look: Look) -> Iterator[None]:
    """A look for the length of a block."""
    before = glyphs.chosen()
    glyphs.choose(look)
    try:
        yield
    finally:
        glyphs.choose(before)

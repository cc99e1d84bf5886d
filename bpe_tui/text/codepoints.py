"""Which code points a terminal draws alone, visibly and in a width that nobody disputes."""

from unicodedata import bidirectional, category, east_asian_width

from bpe_tui.text.glyphs import Look

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Mn", "Me", "Mc"}
"""General categories that are invisible, attach to a neighbour, or mean nothing everywhere."""

_RIGHT_TO_LEFT = {"R", "AL", "AN"}

_BLANKS = {0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0}
"""Letters and symbols drawn as nothing: the Hangul fillers and the braille blank."""

_PICTURES = {0x2423, *range(0x2400, 0x2422)}
"""What the display shows control characters and the space as, so the text may not hold it."""

_CLUSTERING = (
    (0x1F1E6, 0x1F1FF),  # regional indicators
    (0x1F3FB, 0x1F3FF),  # emoji skin tones
    (0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF),  # conjoining jamo
    (0x0E33, 0x0E33), (0x0EB3, 0x0EB3),  # Thai and Lao AM, which join the letter before
    (0xFF9E, 0xFF9F),  # halfwidth katakana sound marks
    (0x0D4E, 0x0D4E), (0x111C2, 0x111C3), (0x1193F, 0x1193F), (0x11941, 0x11941),  # prefixed letters, which
    (0x11A84, 0x11A89), (0x11D46, 0x11D46), (0x11F02, 0x11F02),  # join the letter after (UAX 29, Prepend)
)  # fmt: skip
"""Code points that form one cluster with a neighbour (UAX 29), though letters or symbols by category."""


def stands_alone(char: str, look: Look) -> bool:
    """Whether a character may go to the terminal as it is."""
    if " " < char <= "~":
        return char not in look.structure
    if look.ascii or category(char) in _UNSEEN:
        return False
    code = ord(char)
    if code in _BLANKS or code in _PICTURES or char in look.structure:
        return False
    if any(first <= code <= last for first, last in _CLUSTERING):
        return False
    if look.strict_rtl and bidirectional(char) in _RIGHT_TO_LEFT:
        return False
    return not (look.ambiguous_wide and east_asian_width(char) == "A")

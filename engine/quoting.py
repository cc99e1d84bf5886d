"""Untrusted text inside messages: shown, never obeyed."""

LONGEST = 80


def quoted(value: object) -> str:
    """A value from untrusted input as one short, printable ASCII word for a message.

    Control, hidden, non-ASCII and unpaired code points come out as backslash escapes; anything longer than 80
    characters is cut and marked with `...`.
    """
    text = ascii(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."

"""Untrusted text inside messages: shown, never obeyed."""

LONGEST = 80


def quoted(value: object) -> str:
    """A value from untrusted input as one short, printable ASCII word for a message.

    Control, hidden, non-ASCII and unpaired code points come out as backslash escapes; anything longer than 80
    characters loses its middle to `...`, since both ends of a path tell something.
    """
    text = ascii(value)
    if len(text) <= LONGEST:
        return text
    kept = (LONGEST - 3) // 2
    return f"{text[:kept]}...{text[-kept:]}"

"""Faults that input can cause anywhere: what is said of them, in one line and never as a traceback."""

FAULTS = (MemoryError, RecursionError)


def fault_words(fault: BaseException) -> str:
    """What to say of one of `FAULTS`."""
    if isinstance(fault, RecursionError):
        return "this is nested too deep: make it flatter"
    return "not enough memory for this: use a smaller corpus, or fewer merges"

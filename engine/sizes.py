"""A number of bytes as people read it."""


def size_words(size: int) -> str:
    """Three digits and a unit of powers of 1000, such as `1.23 MB`."""
    value, unit = float(size), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 999.5:  # more would be written 1e+03
            break
        value, unit = value / 1000, larger
    return f"{value:.3g} {unit}"

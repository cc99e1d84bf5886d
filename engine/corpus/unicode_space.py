"""White space as Unicode defines it, which is not what `str.strip` and `str.isspace` take."""

WHITE_SPACE = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 characters with the property White_Space (PropList.txt). Python adds U+001C to U+001F."""


def is_blank(text: str) -> bool:
    """Whether `text` has nothing but white space."""
    return not text.strip(WHITE_SPACE)

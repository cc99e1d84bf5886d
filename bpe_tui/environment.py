"""Variables of the environment that would break the framework are left out before it looks at them."""

import os
from collections.abc import MutableMapping

LARGEST = 1_000
"""Rows or columns of the largest terminal; sizes that `LINES` and `COLUMNS` claim beyond take gigabytes to draw."""
_COLOURS = ("auto", "standard", "256", "truecolor")
_DEVELOPERS = ("TEXTUAL_DRIVER", "TEXTUAL_LOG")
"""Name code to import and a file to write, for those who work on the framework itself."""


def tidy(environment: MutableMapping[str, str] = os.environ) -> None:
    """Remove what cannot be used."""
    for name in _DEVELOPERS:
        environment.pop(name, None)
    for name in ("LINES", "COLUMNS"):
        size = environment.get(name, "1")
        if not (size.isdecimal() and len(size) < 5 and int(size) <= LARGEST):
            del environment[name]
    if environment.get("TEXTUAL_COLOR_SYSTEM", "auto") not in _COLOURS:
        del environment["TEXTUAL_COLOR_SYSTEM"]

r"""Spans: parts of a text that begin and end where pieces do, found without the boundary's pattern.

For every published pattern (`engine.pretokenize.PATTERNS`) a piece begins, whatever else the text holds,

* at a single space between two characters that are not white space;
* behind a single line end between two such characters, the second not `/`, which o200k takes as part of a line's end.

No piece before such a place looks further than the place either. So equal spans give equal pieces, and as texts repeat
their words, cutting each distinct span once is a fraction of the work.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator

from engine.corpus.file_text import Text

BLOCK = 1 << 20
"""Bytes read at once."""
SPAN = re.compile(r"(?: ?+\S++|\s++\S*+)(?:(?! \S|\n[^\s/])\s++\S*+)*+\n?+")
"""White space is `re`'s: it knows four characters more than the patterns do, so what is none here is none there."""


def spans(text: Text, start: int, stop: int) -> Iterator[tuple[int, list[str]]]:
    """The spans of a segment, block by block: how many of its bytes are read, and their spans in order.

    A byte that belongs to no character is a surrogate, as `surrogateescape` makes it.
    """
    decoder = getincrementaldecoder("utf-8")("surrogateescape")
    at, rest = start, ""
    while at < stop:
        end = min(at + max(BLOCK, len(rest)), stop)
        found = SPAN.findall(rest + decoder.decode(text[at:end], end == stop))
        at = end
        rest = found.pop() if found and end < stop else ""  # the last one may go on
        yield at - start, found

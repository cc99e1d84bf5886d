r"""Word counts: one `word<TAB>count` a line, as word counters print them. Each word is a unit of its own.

The last tab separates, so a word may contain tabs. Only `\n` ends a line; a `\r` before it is passed over.
"""

import re
from typing import NoReturn

from engine.corpus.document import Corpus, Document, as_name, corpus_of
from engine.errors import CorpusRefusal
from engine.limits import UNBOUNDED
from engine.quoting import quoted

_COUNT = re.compile(rb"0*([0-9]{1,19})")


def read_words(source: bytes, name: str) -> Corpus:
    """The distinct words, in the order of their first lines, each with its counts added up as its weight.

    Raises:
        CorpusRefusal: naming the line, for a line without tab or word, a count outside 1 to 2**63 - 1, or a
            word whose counts exceed that together.
    """
    counts: dict[bytes, int] = {}
    lines = source.removesuffix(b"\n").split(b"\n") if source else []
    for number, line in enumerate(lines, 1):
        word, count = _entry(line.removesuffix(b"\r"), number)
        counts[word] = total = counts.get(word, 0) + count
        if total > UNBOUNDED:
            _refuse(number, f"the counts of {quoted(word)} add up to {total}, over {UNBOUNDED}")
    documents = [Document(as_name(w), w, count) for w, count in counts.items()]
    note = f"{len(documents):,} distinct words on {len(lines):,} lines; each word is a unit of its own"
    return corpus_of(source, name, "words", documents, notes=(note,))


def _entry(line: bytes, number: int) -> tuple[bytes, int]:
    word, tab, count = line.rpartition(b"\t")
    if not tab:
        _refuse(number, f"no tab in {quoted(line)}: write word, tab, count")
    if not word:
        _refuse(number, "the word before the tab is empty")
    match = _COUNT.fullmatch(count)
    if match is None:
        _refuse(number, f"count {quoted(count)} is not a whole number from 1 to {UNBOUNDED}")
    value = int(match[1])
    if not 1 <= value <= UNBOUNDED:
        _refuse(number, f"count {value} is out of range: give 1 to {UNBOUNDED}")
    return word, value


def _refuse(number: int, why: str) -> NoReturn:
    raise CorpusRefusal(f"invalid word counts on line {number}: {why}")

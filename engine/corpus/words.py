r"""Word counts: one `word<TAB>count` a line, as word counters print them. Each word is a unit of its own.

The last tab separates, so a word may contain tabs. Only `\n` ends a line; a `\r` before it is passed over.
"""

import re
from array import array
from typing import NoReturn

from engine.corpus.columns import Decoded
from engine.corpus.document import Corpus, Documents, as_name, corpus_of
from engine.corpus.reading import Reading
from engine.corpus.word_index import WordIndex
from engine.errors import CorpusRefusal
from engine.limits import UNBOUNDED
from engine.quoting import quoted

_ENTRY = re.compile(rb"([^\n]+)\t0*([1-9][0-9]{0,18})\r?(?:\n|\Z)")
_COUNT = re.compile(rb"0*([0-9]{1,19})")
_STEP = 1 << 16
"""Lines between two tellings."""


def read_words(source: bytes, name: str, reading: Reading | None = None) -> Corpus:
    """The distinct words, in the order of their first lines, each with its counts added up as its weight.

    Raises:
        CorpusRefusal: naming the line, for a line without tab or word, a count outside 1 to 2**63 - 1, or a
            word whose counts exceed that together.
        LimitRefusal: when so many lines take more memory than there may be.
    """
    reading = reading or Reading()
    lines = source.count(b"\n") + (source[-1:] not in (b"", b"\n"))
    reading.check(2 * len(source) + WordIndex.need(len(source), lines), f"reading {lines:,} lines of word counts")
    words, counts, at = WordIndex(lines), array("Q"), 0
    for number in range(1, lines + 1):
        match = _ENTRY.match(source, at)
        if match is None or (count := int(match[2])) > UNBOUNDED:
            _refuse(source, at, number)
        word = words.number(match[1])
        if word == len(counts):
            counts.append(count)
        elif (total := counts[word] + count) <= UNBOUNDED:
            counts[word] = total
        else:
            _bad_line(number, f"the counts of {quoted(match[1])} add up to {total}, over {UNBOUNDED}")
        at = match.end()
        if number % _STEP == 0:
            reading.at(at, len(source))
    texts = words.cuts()
    documents = Documents(texts, Decoded(texts, as_name), counts)
    note = f"{len(documents):,} distinct words on {lines:,} lines; each word is a unit of its own"
    return corpus_of(source, name, "words", documents, notes=(note,))


def _refuse(source: bytes, at: int, number: int) -> NoReturn:
    """Say what is wrong with the line that begins at a place."""
    end = source.find(b"\n", at)
    line = source[at : end if end >= 0 else len(source)].removesuffix(b"\r")
    word, tab, count = line.rpartition(b"\t")
    if not tab:
        _bad_line(number, f"no tab in {quoted(line)}: write word, tab, count")
    if not word:
        _bad_line(number, "the word before the tab is empty")
    match = _COUNT.fullmatch(count)
    if match is None:
        _bad_line(number, f"count {quoted(count)} is not a whole number from 1 to {UNBOUNDED}")
    _bad_line(number, f"count {int(match[1])} is out of range: give 1 to {UNBOUNDED}")


def _bad_line(number: int, why: str) -> NoReturn:
    raise CorpusRefusal(f"invalid word counts on line {number}: {why}")

"""Documents as readers find them, one after another, become columns."""

import marshal
from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from engine.corpus.columns import Made, Strings, Unless, Values
from engine.corpus.document import Document, Documents, Split
from engine.corpus.reading import Reading

STEP = 4096
"""Documents between two looks at the memory taken."""


def collected(
    documents: Iterable[Document], reading: Reading, source_bytes: int, name: Callable[[int], str]
) -> Documents:
    """Documents in columns; only what is unusual in a corpus takes room.

    Args:
        documents: them, each of them in memory.
        reading: what they are read under.
        source_bytes: bytes of the source, which lies in memory meanwhile.
        name: the usual id of a document, by its index.

    Raises:
        LimitRefusal: when they take more memory than there may be.
    """
    texts = Strings[bytes](bytes, bytes)
    ids = Unless(name, lambda: Strings(encoded, decoded))
    weights = Unless(lambda index: 1, lambda: Values(array("Q")))
    splits = Unless(lambda index: Split.TRAIN, lambda: Values[Split]([]))
    metadata = Unless(lambda index: _NOTHING, lambda: Strings(_packed, _unpacked))
    count = 0
    for count, document in enumerate(documents, 1):
        texts.append(cast(bytes, document.data))
        ids.append(document.id)
        weights.append(document.weight)
        splits.append(document.split)
        metadata.append(document.metadata)
        if count % STEP == 0:
            need = source_bytes + sum(column.size() for column in (texts, ids, weights, splits, metadata))
            reading.check(need, f"reading {count:,} documents and more")
    return Documents(
        texts.cuts(), ids.column() or Made(name, count), weights.column(), splits.column(), metadata.column()
    )


_NOTHING: Mapping[str, str] = {}


def encoded(text: str) -> bytes:
    """A text as bytes; names of files may hold what no UTF-8 can."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """The text of `encoded` bytes; UnicodeDecodeError for others."""
    return data.decode("utf-8", "surrogatepass")


def _packed(metadata: Mapping[str, str]) -> bytes:
    return marshal.dumps(dict(metadata))  # the fastest way, and these bytes never leave this process


def _unpacked(data: bytes) -> Mapping[str, str]:
    found: Mapping[str, str] = marshal.loads(data)
    return found

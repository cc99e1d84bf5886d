"""Findings that the list alone shows: the order of its merges, equal entries, ids, characters cut apart."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise

from engine.audit.entries import Entries
from engine.audit.findings import Finding
from engine.utf8 import Utf8Class, utf8_class

_PARTIAL = {
    Utf8Class.HEAD: "ends inside a character",
    Utf8Class.MIDDLE: "lies inside a character",
    Utf8Class.TAIL: "starts inside a character",
    Utf8Class.TAIL_HEAD: "starts and ends inside characters",
    Utf8Class.IMPOSSIBLE: "holds bytes that no valid text can have there",
}


def remarks(entries: Entries) -> Iterator[Finding]:
    """What the reader of the file said."""
    for remark in entries.merges.remarks:
        yield Finding("remark", None, None, b"", remark)


def out_of_order(entries: Entries) -> Iterator[Finding]:
    """Merges of a token whose own merge does not come before: replaying in order cannot make them."""
    for rank, pair in enumerate(entries.merges.pairs):
        for side in pair:
            if not 0 <= side < len(entries.tokens):
                why = f"joins token {side}, which nothing makes"
            elif side >= entries.base + rank:
                why = f"joins {entries.spelled(side)}, which rank {side - entries.base} makes"
            else:
                continue
            yield entries.finding("out-of-order", rank, why)
            break


def repeated(entries: Entries) -> Iterator[Finding]:
    """Merges of a pair that is there already: readers differ in which one they keep."""
    for rank, pair in enumerate(entries.merges.pairs):
        first = entries.ranks[pair]
        if first != rank:
            yield entries.finding("repeated", rank, f"joins {entries.pair(rank)}, as rank {first} does")


def equal(entries: Entries) -> Iterator[Finding]:
    """Entries with the content of an earlier one, whatever made them."""
    first: dict[tuple[bytes, bool], int] = {}
    for token, content in enumerate(entries.tokens):
        if content is None:
            continue
        other = first.setdefault((content.data, content.ends_word), token)
        if other != token and token >= entries.base:
            yield entries.finding("equal", token - entries.base, f"has the bytes of {_named(entries, other)}")
    for id, data in entries.merges.orphans:
        other = first.get((data, False), -1)
        if other >= 0:
            yield Finding("equal", id, None, data, f"has the bytes of {_named(entries, other)}")


def _named(entries: Entries, token: int) -> str:
    made = f"rank {token - entries.base}" if token >= entries.base else "a base token"
    return f"{made}, id {entries.merges.ids[token]}"


def shared_ids(entries: Entries) -> Iterator[Finding]:
    """Ids that several entries have."""
    for id, holders in sorted(Counter(_ids(entries)).items()):
        if holders > 1:
            yield Finding("shared-id", id, None, b"", f"{holders} entries have the id {id}")


def missing_ids(entries: Entries) -> Iterator[Finding]:
    """Ids between the lowest and the highest that no entry has, one finding a gap.

    Those below the lowest may be control ids, as BOS and EOS of the framed layout are.
    """
    for before, after in pairwise(sorted(set(_ids(entries)))):
        if after > before + 2:
            yield Finding("missing-id", before + 1, None, b"", f"no entry has an id from {before + 1} to {after - 1}")
        elif after == before + 2:
            yield Finding("missing-id", before + 1, None, b"", f"no entry has the id {before + 1}")


def _ids(entries: Entries) -> Iterator[int]:
    merges = entries.merges
    return chain(merges.ids, (id for _, id in merges.specials), (id for id, _ in merges.orphans))


def utf8(entries: Entries) -> dict[Utf8Class, int]:
    """Merged entries by the class of their bytes, all classes named."""
    found = Counter(_class(content.data) for _, _, content in entries.merged())
    return {kind: found[kind] for kind in Utf8Class}


def partial(entries: Entries) -> Iterator[Finding]:
    """Merged entries that are no text of their own."""
    for rank, _, content in entries.merged():
        kind = _class(content.data)
        if kind is not Utf8Class.TEXT:
            yield entries.finding("partial-utf8", rank, _PARTIAL[kind])


def _class(data: bytes) -> Utf8Class:
    """The class of an entry's bytes, known at once for those that are text, as nearly all are."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return utf8_class(data)
    return Utf8Class.TEXT

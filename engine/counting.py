"""Counting the distinct pieces of documents: by compiled boundaries in threads, else by patterns."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from operator import mul
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from engine.corpus.columns import lengths
from engine.corpus.document import Document, Documents, columns_of
from engine.corpus.file_text import Text
from engine.limits import UNBOUNDED
from engine.memory import check_memory, memory_bound
from engine.packed import Packed
from engine.policy import PATTERN, Policy
from engine.pretokenize import PATTERNS, scanner, segments, splitter, whole_pattern
from engine.spans import spans

if TYPE_CHECKING:
    from engine._pieces import PieceCounts
    from engine.scanner import Scanner

Tell = Callable[[int, int], object]
"""Hears the bytes counted so far and in all, now and then; what it raises ends the counting."""
Note = Callable[[str], object]
"""Hears in one line what went otherwise than asked, with the same result."""
LEAST_PART = 1 << 22
"""Bytes that are worth a thread."""
TELL_S = 0.05
"""Seconds between two tellings."""
MANY = 10_000
"""From so many documents on they are shared among threads by their number."""
DECODED_BYTES, MATCHED_BYTES = 5, 13
"""Memory for a byte of a document cut by a pattern of ours, and by a user's, all of whose matches are kept."""
PIECE_BYTES, ENTRY_BYTES = 120, 200
"""Memory of a distinct piece: of a compiled table with what is packed from it, and in a dictionary."""


Weighted = tuple[Text, int]
"""A document's text, and how often it counts."""


class Part(NamedTuple):
    """A part of a document that begins and ends where pieces begin; `end` is where its segment ends."""

    text: Text
    start: int
    stop: int
    end: int
    weight: int


def ignored(_: str) -> None:
    """A `Note` that nobody reads."""


def count_pieces(
    documents: Sequence[Document],
    policy: Policy,
    tell: Tell | None = None,
    threads: int | None = None,
    note: Note = ignored,
    memory_limit: int | None = None,
) -> Packed | dict[bytes, int]:
    """How often each distinct piece occurs over weighted documents, in the order of first appearance.

    Args:
        documents: what to count.
        policy: supplies the boundary and the special tokens.
        tell: hears the progress.
        threads: how many to use at most; as many as there are processors if None. The result is the same.
        note: hears that the system gave fewer threads.
        memory_limit: bytes that the distinct pieces may take; three quarters of what is free if None.

    Returns:
        Packed pieces where the boundary is compiled, else a dictionary. Memory is bounded by the distinct pieces.

    Raises:
        LimitRefusal: for more distinct pieces than have numbers, or than the memory holds.
    """
    columns, most = columns_of(documents), memory_bound(memory_limit)
    total = sum(lengths(columns.texts))
    compiled = scanner(policy)
    if compiled is None or sum(map(mul, lengths(columns.texts), columns.weights)) > UNBOUNDED:
        return _one_by_one(columns, policy, tell, total, most)
    shares = max(1, min(threads or _processors(), total // LEAST_PART))
    if len(columns) > MANY:
        tasks: Sequence[Iterable[Part]] = _by_number(columns, policy, shares)
    else:
        tasks = _shared(compiled, _parts(zip(columns.texts, columns.weights, strict=True), policy), shares)
    counts = _in_threads(compiled, tasks, tell, total, note, most // len(tasks))
    return Packed(*counts.packed())


def _check_room(pieces: int, each: int, most: int) -> None:
    check_memory(pieces * each, most, f"counting {pieces:,} distinct pieces and more")


def _one_by_one(documents: Documents, policy: Policy, tell: Tell | None, total: int, most: int) -> dict[bytes, int]:
    weighted = zip(documents.texts, documents.weights, strict=True)
    if policy.boundary in PATTERNS:
        return _by_spans(weighted, policy, _paced(tell, total), most)
    cut = splitter(policy)
    counts: dict[bytes, int] = {}
    keep, done, room = _paced(tell, total), 0, most // ENTRY_BYTES
    each = MATCHED_BYTES if policy.boundary.startswith(PATTERN) else DECODED_BYTES
    for text, weight in weighted:
        check_memory(each * len(text), most, f"cutting {len(text):,} bytes by a pattern")
        for _, piece in cut(text):
            counts[piece] = counts.get(piece, 0) + weight
            if len(counts) > room:
                _check_room(len(counts), ENTRY_BYTES, most)
        done += len(text)
        keep(done)
    return counts


def _by_spans(weighted: Iterable[Weighted], policy: Policy, keep: Callable[[int], None], most: int) -> dict[bytes, int]:
    """The pieces of each distinct span, once."""
    seen: dict[str, int] = {}
    before = 0
    for part in _parts(weighted, policy):
        for done, found in spans(part.text, part.start, part.stop):
            for span, number in Counter(found).items():
                seen[span] = seen.get(span, 0) + number * part.weight
            keep(before + done)
            _check_room(len(seen), ENTRY_BYTES, most)
        before += part.stop - part.start
    cut = whole_pattern(policy).findall
    counts: dict[str, int] = {}
    for span, number in seen.items():
        for piece in cut(span):
            counts[piece] = counts.get(piece, 0) + number
    return {piece.encode("utf-8", "surrogateescape"): number for piece, number in counts.items()}


def _paced(tell: Tell | None, total: int) -> Callable[[int], None]:
    """Tells at most every `TELL_S` seconds."""
    told = time.monotonic()

    def keep(done: int) -> None:
        nonlocal told
        if tell is not None and time.monotonic() - told >= TELL_S:
            tell(done, total)
            told = time.monotonic()

    return keep


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parts(weighted: Iterable[Weighted], policy: Policy) -> Iterator[Part]:
    for text, weight in weighted:
        for start, stop in segments(policy, text):
            yield Part(text, start, stop, stop, weight)


def _by_number(documents: Documents, policy: Policy, shares: int) -> list[Iterable[Part]]:
    """Equal numbers of documents: no part of so many is kept while others are counted."""
    bounds = [len(documents) * share // shares for share in range(shares + 1)]
    return [_parts(_between(documents, *pair), policy) for pair in pairwise(bounds)]


def _between(documents: Documents, start: int, stop: int) -> Iterator[Weighted]:
    """The texts and weights of some documents; a document of its own would cost ten times as much."""
    here = range(start, stop)
    return zip(map(documents.texts.__getitem__, here), map(documents.weights.__getitem__, here), strict=True)


def _shared(compiled: "Scanner", parts: Iterable[Part], shares: int) -> Sequence[Iterable[Part]]:
    """The parts in about equal shares, in order; a long part is divided where a piece begins."""
    if shares == 1:
        return [parts]
    parts = list(parts)
    share = sum(p.stop - p.start for p in parts) // shares + 1
    tasks: list[list[Part]] = [[]]
    room = share
    for part in parts:
        while part.stop - part.start > room:
            middle = compiled.next_begin(part.text, part.start + room, part.end)
            tasks[-1].append(part._replace(stop=middle))
            part = part._replace(start=middle)
            tasks.append([])
            room = share
        tasks[-1].append(part)
        room -= part.stop - part.start
    return tasks


def _in_threads(
    compiled: "Scanner", tasks: Sequence[Iterable[Part]], tell: Tell | None, total: int, note: Note, most: int
) -> "PieceCounts":
    """The counts of all tasks, merged in order: a piece first appears in the first task that holds it."""
    if len(tasks) == 1:
        return _counted(compiled, tasks[0], _paced(tell, total), most)
    progress = [0] * len(tasks)
    counts: dict[int, PieceCounts] = {}
    failures: list[BaseException] = []
    waiting = iter(range(len(tasks)))  # each thread takes the next

    def work() -> None:
        try:
            for task in waiting:
                counts[task] = _counted(compiled, tasks[task], partial(keep, task), most)
        except BaseException as error:
            failures.append(error)

    def keep(task: int, done: int) -> None:
        progress[task] = done
        if failures:
            raise InterruptedError

    threads: list[Thread] = []
    try:
        _start(threads, work, len(tasks))
        for thread in threads:
            while thread.is_alive():
                thread.join(TELL_S)
                if tell is not None:
                    tell(sum(progress), total)
    except BaseException as error:
        failures.append(error)
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    if len(threads) < len(tasks):
        note(f"counted with {max(len(threads), 1)} of {len(tasks)} threads: the system starts no more")
    if not threads:
        return _counted(compiled, chain.from_iterable(tasks), _paced(tell, total), most * len(tasks))
    for task in range(1, len(tasks)):
        counts[0].merge(counts[task])
    return counts[0]


def _start(threads: list[Thread], work: Callable[[], None], wanted: int) -> None:
    """Threads at work: so many, or as many as the system starts."""
    while len(threads) < wanted:
        thread = Thread(target=work)
        try:
            thread.start()
        except RuntimeError:
            return
        threads.append(thread)


def _counted(compiled: "Scanner", parts: Iterable[Part], keep: Callable[[int], object], most: int) -> "PieceCounts":
    counts, done = compiled.counts(), 0
    for part in parts:
        for size in compiled.count(counts, *part):
            done += size
            keep(done)
            _check_room(len(counts), PIECE_BYTES, most)
    return counts

"""One way in: a path or bytes, and options, become a corpus. Whatever opens a corpus opens it here."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from engine.corpus.course import CORPUS_JSON, read_course
from engine.corpus.detect import detect, is_course, is_plain
from engine.corpus.document import Corpus, as_name
from engine.corpus.file_text import FileText
from engine.corpus.folder import read_folder
from engine.corpus.generic import read_json, read_json_lines
from engine.corpus.holdout import hold_out
from engine.corpus.plain import read_lines, read_separated, read_text
from engine.corpus.prepared import read_training_stream
from engine.corpus.reading import Reading
from engine.corpus.split import apply_manifest, find_manifest, parse_manifest
from engine.corpus.strict_json import JsonValue
from engine.corpus.words import read_words
from engine.errors import CorpusRefusal, Refusal
from engine.files import is_regular, open_file, read_open
from engine.quoting import quoted

STANDARD_INPUT = "standard input"
NO_SPLIT = "none"
LARGE = 1 << 26
"""From this size on (64 MiB) a plain text stays in its file."""
COPIES = 2
"""How often a source may lie in memory while it is read."""
FORMATS = ("auto", "course-json", "prepared-jsonl", "json", "jsonl", "text", "lines", "words", "folder")
_SOURCES = "a file, a folder of text files, or - for standard input"
_ANY_BYTES = "; --format text reads any bytes"
_ANY_JSON = "; --format jsonl reads one record a line, --format text any bytes"
_OTHER_WAYS = {
    "course-json": "; --format json reads it without the course's rules",
    "prepared-jsonl": "; --format jsonl asks for less and keeps held-out records, held out",
    "json": _ANY_JSON,
    "jsonl": _ANY_BYTES,
    "words": _ANY_BYTES,
}


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How to read a corpus: plain values only, so that a session can keep them.

    Attributes:
        format: one of `FORMATS`; ``auto`` decides as `engine.corpus.detect` says.
        separator: the exact text that stands between the documents of a ``text``.
        split: the path of a split manifest, ``none`` to use none, or None to take one that lies beside.
        holdout: the fraction of documents to hold out, or None.
    """

    format: str = "auto"
    separator: str | None = None
    split: str | None = None
    holdout: float | None = None

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise CorpusRefusal(f"unknown corpus format {quoted(self.format)}: choose {', '.join(FORMATS)}")
        if self.separator is not None and self.format not in ("auto", "text"):
            raise CorpusRefusal(f"a separator cuts text, not {self.format}: leave out --separator or --format")


def open_corpus(source: Path | bytes, options: CorpusOptions | None = None, reading: Reading | None = None) -> Corpus:
    """The corpus at a path, or in the bytes of standard input, with every document's split decided.

    Args:
        source: a file, a pipe, a folder of text files, or the bytes that standard input gave.
        options: how to read it; the defaults of `CorpusOptions` if None.
        reading: the memory that it may take, and who hears of the progress; the defaults of `Reading` if None.

    Raises:
        Refusal: in one line, if the source cannot be read as asked, takes too much memory, or has nothing to train on.
    """
    options, reading = options or CorpusOptions(), reading or Reading()
    if options.format == "folder" and (isinstance(source, bytes) or os.path.isfile(source)):
        raise CorpusRefusal("--format folder reads a folder of text files: give one, or leave --format out")
    if isinstance(source, bytes):
        corpus = _read(source, STANDARD_INPUT, "", options, reading)
    elif os.path.isdir(source):
        corpus = _open_folder(source, options, reading)
    else:
        corpus = _read_file(source, options, reading)
    corpus = _split(corpus, source, options, reading)
    if options.holdout is not None:
        corpus = hold_out(corpus, options.holdout)
    return _trainable(corpus)


def _open_folder(folder: Path, options: CorpusOptions, reading: Reading) -> Corpus:
    if options.format not in ("auto", "folder") or options.separator is not None:
        raise CorpusRefusal(
            f"{quoted(str(folder))} is a folder, read as one text document a file: leave out --format and --separator"
        )
    return read_folder(folder, as_name(os.fsencode(folder.resolve().name)), reading)


def _read_file(path: Path, options: CorpusOptions, reading: Reading) -> Corpus:
    """The corpus of a file. A large one whose name or format says plain text stays where it is."""
    name, ending = as_name(os.fsencode(path.name)), path.suffix.lower()
    plain = options.format == "text" or (options.format == "auto" and ending and is_plain(ending))
    if not plain or options.separator is not None or not _is_large(path, reading):
        return _read(_bytes(path, _SOURCES, reading), name, ending, options, reading)
    corpus = read_text(FileText(path, _SOURCES), name)
    return corpus if options.format == "text" else _noted(corpus, f"read as text: {detect(b'', ending, None)[1]}")


def _is_large(path: Path, reading: Reading) -> bool:
    """Whether a text stays in its file: from 64 MiB on, or where it would not fit into the memory."""
    return is_regular(path) and path.stat().st_size >= min(LARGE, reading.most // COPIES)


def _read(data: bytes, name: str, ending: str, options: CorpusOptions, reading: Reading) -> Corpus:
    format, why = options.format, ""
    if format == "auto":
        format, why = detect(data, ending, options.separator)
    if why and format == "json":
        with _located(f"in {quoted(name)}, read as JSON{_ANY_JSON}"):
            if is_course(_records(data)):
                format, why = "course-json", f"{why} and its records look like the course's"
    with _located(f"in {quoted(name)}, read as {format}{_OTHER_WAYS.get(format, '')}"):
        corpus = _read_as(format, data, name, options.separator, reading)
    return replace(corpus, notes=(f"read as {format}: {why}", *corpus.notes)) if why else corpus


def _read_as(format: str, data: bytes, name: str, separator: str | None, reading: Reading) -> Corpus:
    match format:
        case "course-json":
            return read_course(_records(data), data, name, reading)
        case "json":
            return read_json(_records(data), data, name, reading)
        case "prepared-jsonl":
            return read_training_stream(io.BytesIO(data), name, reading=reading, source_bytes=len(data))
        case "jsonl":
            return read_json_lines(data, name, reading)
        case "words":
            return read_words(data, name, reading)
        case "lines":
            return read_lines(data, name, reading)
        case _ if separator is not None:
            return read_separated(data, name, separator, reading)
        case _:
            return read_text(data, name)


def _records(data: bytes) -> Iterator[JsonValue]:
    return CORPUS_JSON.items(data, "the corpus")


def _split(corpus: Corpus, source: Path | bytes, options: CorpusOptions, reading: Reading) -> Corpus:
    if options.split == NO_SPLIT:
        return corpus
    if corpus.format != "course-json":
        if options.split is not None:
            raise CorpusRefusal(f"a split manifest splits course-json, not {corpus.format}: leave out --split")
        return corpus
    path, how = None, "given"
    if options.split is not None:
        path = Path(options.split)
    elif isinstance(source, Path):
        path, how = find_manifest(source), "found beside the corpus"
    if path is None:
        return _noted(corpus, "no split manifest: every document trains")
    data = _bytes(path, "another split manifest, or --split none", reading)
    with _located(f"split manifest {quoted(path.name)}; --split none opens the corpus without it"):
        corpus = apply_manifest(corpus, parse_manifest(data))
    return _noted(corpus, f"split by the manifest {quoted(path.name)} ({how})")


def _trainable(corpus: Corpus) -> Corpus:
    if not corpus.documents:
        raise CorpusRefusal(f"{quoted(corpus.name)} holds no text: give a corpus with at least one document")
    if not corpus.training:
        raise CorpusRefusal(
            f"{quoted(corpus.name)} has nothing to train on: all {len(corpus.documents)} documents are held out"
        )
    if not any(corpus.training.texts):
        return _noted(corpus, "every training document is empty: there is no pair to learn")
    return corpus


def _noted(corpus: Corpus, note: str) -> Corpus:
    return replace(corpus, notes=(*corpus.notes, note))


def _bytes(path: Path, give: str, reading: Reading) -> bytes:
    with open_file(path, give, CorpusRefusal, pipes=True, waiting=reading.waiting) as file:
        reading.check(COPIES * os.fstat(file.fileno()).st_size, f"reading {quoted(str(path))}")
        less = "a smaller corpus, or raise the limit with --memory-limit"
        return read_open(file, reading.most // COPIES, path, less, CorpusRefusal)


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Say behind a refusal, whose first words the formats fix, which source it is about and the way out."""
    try:
        yield
    except Refusal as e:
        raise type(e)(f"{e} ({where})") from None

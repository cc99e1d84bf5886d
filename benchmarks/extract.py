"""Turn unpacked Debian packages into plain UTF-8 corpora.

Every source becomes chunks of about 16 kB, cut at line ends and ordered by a hash of (source, number): any prefix of a
corpus is a fair sample of the whole, and the result depends on nothing but the packages.
"""

import gzip
import hashlib
import html
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

NAMES = ("english_1mb.txt", "english_10mb.txt", "english_100mb.txt", "multi_10mb.txt", "code_10mb.txt")
CHUNK = 16_384
MB = 1_000_000
OFFICE = ('id="DisplayArea"', '<div id="SearchFrame"')
"""What stands before and after the text of a LibreOffice help page."""

Chunk = tuple[bytes, bytes]
"""Its place in the order, and its text."""
Clean = Callable[[str], str]

DROPPED = re.compile(r"(?s)<(script|style|head|footer|header)\b.*?</\1>|<!--.*?-->")
BLOCK = re.compile(r"</?(?:p|div|h[1-6]|li|tr|pre|table|ul|ol|dl|dt|dd|br|section|td|th)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")

SCRIPTS = {
    "zh-cn": [(0x3400, 0x9FFF)],
    "ja": [(0x3040, 0x30FF), (0x3400, 0x9FFF)],
    "ko": [(0xAC00, 0xD7A3)],
    "ru": [(0x0400, 0x04FF)],
    "el": [(0x0370, 0x03FF), (0x1F00, 0x1FFF)],
    "hi": [(0x0900, 0x097F)],
    "km": [(0x1780, 0x17FF)],
    "ar": [(0x0600, 0x06FF)],
}
"""The code points of each language's script: help pages are partly untranslated, and those lines are left out."""

ENGLISH_10MB = {
    "anarchism": 3.4, "gcide": 1.5, "small": 1.2, "wordnet": 0.6, "kernel-doc": 0.9, "python-doc": 0.7, "perl-doc": 0.6,
    "postgresql-doc": 0.6, "office-help": 0.5, "manpages": 0.4,
}  # fmt: skip
"""Megabytes of each source: about half essay, dictionary and reference prose, half technical documentation."""
OFFICE_MB = {
    "zh-cn": 0.9, "ja": 1.2, "ko": 1.0, "ru": 1.1, "el": 0.9, "hi": 1.1, "km": 0.5, "de": 0.6, "fr": 0.6, "es": 0.5,
}  # fmt: skip
CODE = (
    ("linux-headers", r"/include/(linux|net|uapi|media|drm)/.*\.h$", 2.4),
    ("libpython3.11-stdlib", r"\.py$", 2.4),
    ("golang-1.19-src", r"/src/(?!.*testdata).*\.go$", 1.5),
    ("rust-src", r"/library/.*\.rs$", 1.4),
    ("libstdc++-12-dev", r"/include/c\+\+/.*(\.h|\.tcc|/[a-z_]+)$", 1.0),
    ("perl-modules-5.36", r"\.pm$", 0.8),
    ("node-typescript", r"\.d\.ts$", 0.5),
)


def extract(unpacked: Path, out: Path) -> None:
    """Write all corpora.

    Args:
        unpacked: holds one folder per package.
        out: where the corpora go.
    """
    sources = Sources(unpacked)
    english = _english(sources)
    chosen = [chunk for name, mb in ENGLISH_10MB.items() for chunk in _share(english[name], mb)]
    text = _write(out / "english_10mb.txt", chosen, 10)
    (out / "english_1mb.txt").write_bytes(text[: text.rfind(b"\n", 0, MB) + 1])
    _write(out / "english_100mb.txt", [chunk for chunks in english.values() for chunk in chunks], 100)
    _write(out / "multi_10mb.txt", _languages(sources), 10)
    _write(out / "code_10mb.txt", _code(sources), 10)


class Sources:
    """The texts in unpacked packages."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def files(self, package: str, pattern: str) -> list[Path]:
        """A package's files whose path inside it matches, in the order of their paths' hashes."""
        top, found = self._root / package, []
        for folder, _, names in os.walk(top):
            for path in (Path(folder) / name for name in names):
                inside = path.relative_to(top).as_posix()
                if re.search(pattern, inside) and path.is_file() and not path.is_symlink():
                    found.append((hashlib.sha256(inside.encode()).digest(), path))
        return [path for _, path in sorted(found)]

    def texts(self, package: str, pattern: str, clean: Clean = str) -> Iterator[str]:
        """The texts of those files, cleaned."""
        return (clean(_text(_unzipped(path))) for path in self.files(package, pattern))

    def glosses(self) -> Iterator[str]:
        """WordNet's definitions, each after its word."""
        for text in self.texts("wordnet-base", r"wordnet/data\.(noun|verb|adj|adv)$"):
            kept = []
            for line in text.split("\n"):
                if not line.startswith("  ") and " | " in line:
                    head, gloss = line.split(" | ", 1)
                    kept.append(f"{head.split()[4].replace('_', ' ')}: {gloss.strip()}")
            yield "\n".join(kept)

    def office(self, language: str) -> Iterator[str]:
        """LibreOffice's help in a language."""

        def clean(page: str) -> str:
            text = _without_tags(page, OFFICE)
            return _in_script(text, language) if language in SCRIPTS else text

        return self.texts(f"libreoffice-help-{language}", r"/text/.*\.html$", clean)

    def messages(self, package: str, language: str) -> Iterator[str]:
        """The translated strings of gettext's binary catalogues."""
        for path in self.files(package, r"\.mo$"):
            data = path.read_bytes()
            words = memoryview(data[: len(data) // 4 * 4]).cast("I")
            count, table = words[2], words[4] // 4
            strings = (data[words[at + 1] : words[at + 1] + words[at]] for at in range(table, table + 2 * count, 2))
            text = "\n".join(s.replace(b"\x00", b"\n").decode("utf-8", "ignore") for s in strings)
            yield _in_script(text, language)


def _english(sources: Sources) -> dict[str, list[Chunk]]:
    texts = sources.texts
    small = [
        ("dict-jargon", r"\.dict\.dz$"), ("dict-foldoc", r"\.dict\.dz$"), ("dict-devil", r"\.dict\.dz$"),
        ("fortunes", r"games/fortunes/(?!off)[^/.]+$"), ("fortunes-min", r"games/fortunes/[^/.]+$"),
        ("debian-reference-en", r"\.txt\.gz$"),
    ]  # fmt: skip
    sections = r"man/man.*\.gz$"
    found: dict[str, Iterable[str]] = {
        "anarchism": texts("anarchism", r"markdown/.*\.md(\.gz)?$", _trimmed),
        "gcide": texts("dict-gcide", r"\.dict\.dz$"),
        "kernel-doc": texts("linux-doc-6.1", r"_sources/(?!translations).*\.rst\.txt$"),
        "python-doc": texts("python3.11-doc", r"_sources/.*\.txt$"),
        "perl-doc": texts("perl-doc", r"\.pod(\.gz)?$"),
        "postgresql-doc": texts("postgresql-doc-15", r"\.html$", _without_tags),
        "office-help": sources.office("en-us"),
        "wordnet": sources.glosses(),
        "manpages": [t for p in ("manpages", "manpages-dev") for t in texts(p, sections, _without_comments)],
        "small": [t for package, pattern in small for t in texts(package, pattern)],
    }
    return {name: _chunks(name, source) for name, source in found.items()}


def _languages(sources: Sources) -> list[Chunk]:
    texts = sources.texts
    chosen: list[Chunk] = []
    for language, mb in OFFICE_MB.items():
        limit = int(mb * MB) + CHUNK
        chosen += _share(_chunks(f"office-help-{language}", sources.office(language), limit), mb)
    poems = texts("fortunes-zh", r"fortunes/[a-z0-9]+$", lambda s: re.sub(r"\x1b\[\d*m", "", s))
    chosen += _share(_chunks("poems-zh", poems, 900_000), 0.6)
    chosen += _share(_chunks("fortunes-ru", texts("fortunes-ru", r"fortunes/ru/[^.]+$"), 700_000), 0.4)
    arabic = [*sources.messages("libreoffice-l10n-ar", "ar")]
    arabic += [t for p in ("ara-eng", "eng-ara") for t in texts(f"dict-freedict-{p}", r"\.dict\.dz$")]
    chosen += _share(_chunks("arabic", arabic), 1.1)
    guide = texts("installation-guide-amd64", r"/(ru|ja|ko|zh_CN|el|vi|cs)/.*\.txt\.gz$")
    chosen += _share(_chunks("install-guide", guide, 1_500_000), 0.9)
    return chosen


def _code(sources: Sources) -> list[Chunk]:
    chosen: list[Chunk] = []
    for package, pattern, mb in CODE:
        chosen += _share(_chunks(f"code-{package}", sources.texts(package, pattern), int(mb * MB * 1.5)), mb)
    return chosen


# From files to text


def _unzipped(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix in (".gz", ".dz") else data


def _text(data: bytes) -> str:
    """Composed UTF-8 with plain line ends; nothing where the bytes are of another encoding or no text."""
    text = data.decode("utf-8", "ignore")
    if len(data) - len(text.encode()) > 64:
        return ""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\x00", "")
    return unicodedata.normalize("NFC", text)


def _without_tags(page: str, between: tuple[str, str] | None = None) -> str:
    if between:
        start, end = page.find(between[0]), page.rfind(between[1])
        if start < 0 or end < start:
            return ""
        page = page[page.find(">", start) + 1 : end]
    text = html.unescape(TAG.sub("", BLOCK.sub("\n", DROPPED.sub("", page))))
    lines = [re.sub(r"[ \t\u00a0]+", " ", line).rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def _without_comments(page: str) -> str:
    return "\n".join(line for line in page.split("\n") if not line.startswith(('.\\"', "'\\\"")))


def _trimmed(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text))


def _in_script(text: str, language: str) -> str:
    """The lines that are mostly in the language's script, each once."""
    kept: dict[str, None] = {}
    for line in text.split("\n"):
        letters = [ord(c) for c in line if c.isalpha()]
        inside = sum(any(low <= c <= high for low, high in SCRIPTS[language]) for c in letters)
        if len(letters) >= 4 and inside / len(letters) >= 0.6:
            kept[line] = None
    return "\n".join(kept) + "\n" if kept else ""


# From text to corpora


def _chunks(name: str, texts: Iterable[str], limit: int | None = None) -> list[Chunk]:
    """The chunks of a source, until about `limit` bytes are there."""
    found: list[Chunk] = []
    lines: list[str] = []
    size = total = 0

    def cut() -> None:
        nonlocal size, total
        if size:
            found.append((hashlib.sha256(f"{name}:{len(found)}".encode()).digest(), "".join(lines).encode()))
        lines.clear()
        total += size
        size = 0

    for text in texts:
        if not text.strip():
            continue
        for line in text.splitlines(keepends=True):
            lines.append(line if line.endswith("\n") else f"{line}\n")
            size += len(lines[-1].encode())
            if size >= CHUNK:
                cut()
        lines.append("\n")
        size += 1
        if limit and total >= limit:
            break
    cut()
    return found


def _share(chunks: list[Chunk], megabytes: float) -> list[Chunk]:
    """The first chunks of a source, about so many megabytes."""
    taken, total = [], 0
    for chunk in sorted(chunks):
        if total >= megabytes * MB:
            break
        taken.append(chunk)
        total += len(chunk[1])
    return taken


def _write(path: Path, chunks: list[Chunk], megabytes: int) -> bytes:
    """Write the chunks in order, cut at the last line end within the size."""
    text = b"".join(data for _, data in sorted(chunks))
    size = megabytes * MB
    if len(text) > size:
        text = text[: text.rfind(b"\n", 0, size) + 1]
    path.write_bytes(text)
    return text

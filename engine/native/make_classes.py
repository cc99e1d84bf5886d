"""Makes classes.hpp: the class of every code point that the published patterns tell apart, by the `regex` package.

Usage: python engine/native/make_classes.py [--check]. With --check nothing is written, and a difference is an error.
"""

import re
import sys
from importlib.metadata import distribution
from pathlib import Path

import regex

HEADER = Path(__file__).with_name("classes.hpp")
CLASSES = (r"\p{Lu}\p{Lt}", r"\p{Ll}", r"\p{Lm}\p{Lo}", r"\p{M}", r"\p{N}", r"\s")
"""UPPER, LOWER, LETTER, MARK, NUMBER and SPACE, from 1; 0 is every other code point, surrogates included."""
BLOCK = 128
"""Code points of a block; equal blocks are written once."""


def unicode_version() -> str:
    """The Unicode version that the installed `regex` package says it supports."""
    found = re.search(r"supports Unicode (\d+\.\d+)", distribution("regex").read_text("METADATA") or "")
    if found is None:
        sys.exit("the installed regex package does not say which Unicode version it supports")
    return found[1]


def classes() -> bytes:
    """One class per code point."""
    kinds = bytearray(sys.maxunicode + 1)
    text = "".join(map(chr, [*range(0xD800), *range(0xE000, len(kinds))]))
    for kind, members in enumerate(CLASSES, 1):
        for match in regex.finditer(f"[{members}]", text):
            kinds[ord(match[0])] = kind
    letters = sum(len(regex.findall(rf"\p{{{p}}}", text)) for p in ("L", "M", "N"))
    assert letters == sum(0 < k < 6 for k in kinds), "the classes leave out letters, marks or numbers"
    return bytes(kinds)


def header() -> str:
    """The text of classes.hpp."""
    kinds = classes()
    blocks: dict[bytes, int] = {}
    index = [blocks.setdefault(kinds[at : at + BLOCK], len(blocks)) for at in range(0, len(kinds), BLOCK)]
    return "\n".join(
        [
            f"// The classes of code points by Unicode {unicode_version()}. Made by make_classes.py; do not edit.",
            "#pragma once",
            "",
            "namespace bpe {",
            "",
            "// The block of every 128 code points.",
            f"static const unsigned char CLASS_BLOCK[{len(index)}] = {{",
            *_rows(index, 32),
            "};",
            "",
            "// The classes of each block, in the order of the enumeration in scan.hpp.",
            f"static const unsigned char CLASSES[{len(blocks) * BLOCK}] = {{",
            *_rows(b"".join(blocks), 64),
            "};",
            "",
            "}  // namespace bpe",
            "",
        ]
    )


def _rows(values: "bytes | list[int]", width: int) -> list[str]:
    return [",".join(map(str, values[at : at + width])) + "," for at in range(0, len(values), width)]


def main() -> None:
    """Write the header, or compare it."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    made = header()
    if not sys.argv[1:]:
        HEADER.write_text(made)
    elif HEADER.read_text() != made:
        sys.exit(f"{HEADER.name} differs from what regex {regex.__version__} (Unicode {unicode_version()}) gives")


if __name__ == "__main__":
    main()

"""Hashes that bind results to the data they came from."""

import hashlib
import re
import struct
from collections.abc import Iterable

from engine.corpus.document import Document
from engine.errors import CorpusRefusal, IdentityRefusal
from engine.quoting import quoted

_SHA256 = re.compile(r"[0-9a-f]{64}")
U64_MAX = 2**64 - 1


def require_sha256(found: str, expected: str) -> None:
    """Refuse a training stream that is not the one a receipt or binding names.

    Raises:
        IdentityRefusal: if the hashes differ, or `expected` is not 64 lowercase hexadecimal digits.
    """
    if not _SHA256.fullmatch(expected):
        raise IdentityRefusal(f"input SHA-256 {quoted(expected)} is not 64 lowercase hexadecimal digits")
    if found != expected:
        raise IdentityRefusal(
            f"training stream SHA-256 mismatch: the binding names {expected}, the stream has {found}; "
            "give the stream that the receipt was written for"
        )


def weighted_bytes_sha256(documents: Iterable[Document]) -> str:
    """The identity of documents given directly, without a file: input encoding ``weighted-bytes-v1``.

    SHA-256 (hex) over, per document, the length in bytes and the weight as little-endian u64, then the bytes.

    Raises:
        CorpusRefusal: for a weight outside 1 to 2**64 - 1.
    """
    digest = hashlib.sha256()
    for document in documents:
        if not 1 <= document.weight <= U64_MAX:
            name, weight = quoted(document.id), document.weight
            raise CorpusRefusal(f"document {name} has weight {weight}: give 1 to {U64_MAX}")
        digest.update(struct.pack("<QQ", len(document.data), document.weight))
        digest.update(document.data[:])
    return digest.hexdigest()

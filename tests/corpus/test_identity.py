"""The identity of documents that come from no file."""

import pytest

from engine.corpus.document import Document
from engine.corpus.identity import weighted_bytes_sha256
from engine.errors import CorpusRefusal


def test_hashes_made_by_hand() -> None:
    # printf '\x04\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0a1a1' | sha256sum
    boundary = "d56f466cf7609070df16d54dd1bbf797c68bbe9a87af5faced38d61e4adee753"
    assert weighted_bytes_sha256([Document("a", b"a1a1")]) == boundary
    # printf '\x04\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0abab\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0' | sha256sum
    two = "f531865c0e0c8f25484892afdd7cf80e8491e6af8416664e41f99790566ff4ef"
    assert weighted_bytes_sha256([Document("a", b"abab", 3), Document("b", b"", 2)]) == two


@pytest.mark.parametrize("weight", [0, -1, 2**64])
def test_weights_are_u64_and_not_zero(weight: int) -> None:
    with pytest.raises(CorpusRefusal, match=f"document 'a' has weight {weight}"):
        weighted_bytes_sha256([Document("a", b"", weight)])
    assert len(weighted_bytes_sha256([Document("a", b"", 2**64 - 1)])) == 64

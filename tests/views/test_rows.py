"""Rows of the stream: fixed places in the documents, whatever the rank."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.views import rows
from bpe_tui.views.rows import LONGEST, RowIndex, RowPlace
from engine.corpus.document import Document
from engine.corpus.file_text import BLOCK, FileText


def index_of(*texts: bytes) -> RowIndex:
    return RowIndex([Document(f"d{i}", text) for i, text in enumerate(texts)])


def places(index: RowIndex, document: int | None = None) -> list[RowPlace]:
    return [index.place(row) for row in range(*index.bounds(document))]


def test_rows_are_text_lines_with_their_newline_and_empty_documents_have_none() -> None:
    index = index_of(b"ab\ncd", b"", b"\n\n", b"x")
    assert places(index) == [(0, 0, 3), (0, 3, 5), (2, 0, 1), (2, 1, 2), (3, 0, 1)]
    assert [index.bounds(d) for d in (None, 0, 1, 2, 3)] == [(0, 5), (0, 2), (2, 2), (2, 4), (4, 5)]
    assert [index.starts_document(row) for row in range(5)] == [True, False, True, False, True]


@pytest.mark.parametrize("char", ["é", "日", "😀"])
@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_a_long_line_is_cut_between_characters(char: str, shift: int) -> None:
    text = (b"x" * shift) + char.encode() * 3000
    found = places(index_of(text))
    size = len(char.encode())
    first = shift + (LONGEST - shift) // size * size
    assert found[0] == (0, 0, first)
    for place in found:
        text[place.start : place.stop].decode()


def test_bytes_that_are_no_text_are_cut_where_the_row_is_full() -> None:
    assert places(index_of(b"\x80" * (LONGEST + 10))) == [(0, 0, LONGEST), (0, LONGEST, LONGEST + 10)]


def test_a_line_of_exactly_the_longest_length_stays_whole() -> None:
    line = b"x" * (LONGEST - 1) + b"\n"
    assert places(index_of(line + b"y")) == [(0, 0, LONGEST), (0, LONGEST, LONGEST + 1)]


def test_a_megabyte_without_a_newline_has_rows_of_a_bounded_length() -> None:
    index = index_of(b"x" * 1_000_000)
    assert index.bounds(None) == (0, -(-1_000_000 // LONGEST))
    assert index.row_of(0, 999_999) == 999_999 // LONGEST


class CountedText(FileText):
    """A large file's text that counts how often it is read."""

    reads = 0

    def _read(self, start: int, stop: int) -> bytes:
        self.reads += 1
        return super()._read(start, stop)


def test_a_large_text_is_read_a_block_at_a_time(tmp_path: Path) -> None:
    data = b"short\n" * 600_000
    path = tmp_path / "large.txt"
    path.write_bytes(data)
    text = CountedText(path)
    index = RowIndex([Document("large", text)])
    assert index.bounds(None) == (0, 600_000)
    assert text.reads == -(-len(data) // BLOCK)


@given(
    st.lists(st.lists(st.sampled_from([b"a", b"\n", "é".encode(), "日".encode(), b"\x80"])).map(b"".join), max_size=4),
    st.integers(4, 9),
    st.integers(10, 30),
)
def test_rows_tile_the_documents_and_every_byte_is_found_in_its_row(
    texts: list[bytes], longest: int, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "LONGEST", longest)
        at_once = index_of(*texts)
        patch.setattr(rows, "BLOCK", block)
        index = index_of(*texts)
    assert places(index) == places(at_once)
    for document, text in enumerate(texts):
        at = 0
        first, _ = index.bounds(document)
        for row, place in enumerate(places(index, document), first):
            assert (place.document, place.start) == (document, at)
            assert 0 < place.stop - place.start <= longest
            assert b"\n" not in text[place.start : place.stop - 1]
            full = place.stop - place.start > longest - 4
            assert full or text[: place.stop].endswith(b"\n") or place.stop == len(text)
            assert {index.row_of(document, offset) for offset in range(place.start, place.stop)} == {row}
            at = place.stop
        assert at == len(text)

"""Tables as CSV, whatever the length of their fields."""

import csv
import io
from collections.abc import Iterator


def table_rows(data: bytes) -> Iterator[list[str]]:
    """The rows of a table in UTF-8, one at a time.

    Raises:
        UnicodeDecodeError: where it is not UTF-8.
        csv.Error: for quotes that do not close.
    """
    before = csv.field_size_limit(len(data) + 1)  # a token of 64 kB is a field over the module's own limit
    try:
        yield from csv.reader((line.decode() for line in io.BytesIO(data)), strict=True)
    finally:
        csv.field_size_limit(before)

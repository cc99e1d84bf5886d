"""A little of what benchmarks/soak tries for hours: mutated files of every kind are read, or refused in one line."""

import sys
from collections.abc import Iterator

import pytest
from soak.fuzz import fuzz
from soak.readers import Reader, readers
from soak.trial import scratch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by what Linux tells")
CASES = 100
SEED = 4


@pytest.fixture(scope="module")
def every_reader() -> Iterator[dict[str, Reader]]:
    with scratch() as folder:
        yield readers(folder)


def test_every_reader_takes_what_it_is_mutated_from(every_reader: dict[str, Reader]) -> None:
    for reader in every_reader.values():
        for content in reader.seeds:
            reader.use(content)


def test_mutated_files_are_read_or_refused_in_one_line(every_reader: dict[str, Reader]) -> None:
    tallies = {
        name: fuzz(name, reader, SEED, lambda tried: tried < CASES, most_s=None)
        for name, reader in every_reader.items()
    }
    assert {name: tally.bad for name, tally in tallies.items() if tally.bad} == {}
    assert {name for name, tally in tallies.items() if tally.tried != CASES} == set()

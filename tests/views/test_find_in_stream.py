"""Finding in the training text, against bytes.find on every document."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_samples import run_of

from bpe_tui.views.find import find_in_stream, next_occurrence
from bpe_tui.views.request import PairSubject, TokenSubject
from engine.policy import Policy
from engine.trainer import Trainer


def trainer_of(*texts: bytes) -> Trainer:
    return run_of(*texts).trainer


def test_from_the_cursor_on_through_the_documents_and_around() -> None:
    trainer = trainer_of(b"abab", b"xx", b"ab")
    places = [(0, 0), (0, 2), (2, 0)]
    start: tuple[int, int] | None = None
    for expected in [*places, places[0]]:
        start = find_in_stream(trainer, None, start, "ab", 1)
        assert start == expected
    for expected in [(2, 0), (0, 2), (0, 0), (2, 0)]:
        start = find_in_stream(trainer, None, start, "ab", -1)
        assert start == expected


def test_within_one_document_only() -> None:
    trainer = trainer_of(b"ab", b"xaby")
    assert find_in_stream(trainer, 1, (0, 0), "ab", 1) == (1, 1)
    assert find_in_stream(trainer, 1, (1, 1), "ab", 1) == (1, 1)
    assert find_in_stream(trainer, 1, None, "zz", 1) is None


def test_queries_are_bytes_or_what_the_display_shows() -> None:
    trainer = trainer_of("a 日\n".encode())
    for query, offset in [(r"\xE6", 2), ("␣", 1), (" ", 1), ("␊", 5), ("日", 2), ("‹97›", 3)]:
        assert find_in_stream(trainer, None, None, query, 1) == (0, offset)


def test_without_documents_nothing_is_found() -> None:
    assert find_in_stream(trainer_of(), None, None, "a", 1) is None
    assert find_in_stream(trainer_of(b""), None, None, "a", -1) is None


@given(
    st.lists(st.lists(st.sampled_from([b"a", b"b"]), max_size=8).map(b"".join), min_size=1, max_size=3),
    st.sampled_from(["a", "ab", "aa", "bba"]),
    st.sampled_from([1, -1]),
)
def test_a_walk_visits_every_place_once(texts: list[bytes], query: str, direction: int) -> None:
    trainer = trainer_of(*texts)
    needle = query.encode()
    every = [(d, i) for d, text in enumerate(texts) for i in range(len(text)) if text.startswith(needle, i)]
    seen: list[tuple[int, int]] = []
    place = find_in_stream(trainer, None, None, query, direction)
    while place is not None and place not in seen:
        seen.append(place)
        place = find_in_stream(trainer, None, place, query, direction)
    assert sorted(seen) == every


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([b"a", b"a", b"b", b" "]), max_size=24).map(b"".join), min_size=1, max_size=3),
    st.sampled_from(["document", "spaces"]),
    st.integers(0, 4),
    st.data(),
)
def test_occurrences_are_those_of_a_look_at_every_token(
    texts: list[bytes], boundary: str, rank: int, data: st.DataObject
) -> None:
    run = run_of(*texts, policy=Policy(boundary=boundary), merges=rank)
    trainer = run.trainer
    tokens = [trainer.document_tokens(d) for d in range(len(texts))]
    size = len(trainer.vocabulary)
    ids = st.sampled_from([97, 98, *range(256, size)])
    pair = data.draw(st.tuples(ids, ids))
    subjects: list[PairSubject | TokenSubject] = [PairSubject(pair), TokenSubject(pair[0])]
    subject = data.draw(st.sampled_from(subjects))
    if isinstance(subject, TokenSubject):
        every = [(d, t.start) for d, placed in enumerate(tokens) for t in placed if t.token == pair[0]]
    else:
        every = [
            (d, a.start)
            for d, placed in enumerate(tokens)
            for a, b in pairwise(placed)
            if (a.token, b.token) == pair and not b.opens
        ]
        if not every:
            return  # a pair that is gone is looked for as the next merge
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpe_tui.views.find.CHUNK", 4)
        seen: list[tuple[int, int]] = []
        place = next_occurrence(trainer, subject, None, None)
        while place is not None and place not in seen:
            seen.append(place)
            place = next_occurrence(trainer, subject, None, place)
    assert seen == every


def test_with_nothing_inspected_the_next_merge_is_shown() -> None:
    trainer = trainer_of(b"xab", b"ab")
    assert next_occurrence(trainer, None, None, None) == (0, 1)
    assert next_occurrence(trainer, None, None, (0, 1)) == (1, 0)
    assert next_occurrence(trainer, None, 1, (0, 1)) == (1, 0)
    assert next_occurrence(trainer_of(b"a"), None, None, None) is None
    assert next_occurrence(trainer_of(), None, None, None) is None

"""The tables: their order, windows, filters, marks and cells, against the kernel and a recount."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from view_samples import run_of, runs

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode
from bpe_tui.views.find import find_row
from bpe_tui.views.request import MergeSubject, PairSubject, PaneName, TableRequest, TokenSubject
from bpe_tui.views.table_view import Row, TableView
from bpe_tui.views.tables import merges_view, pairs_view, rows_data, vocab_view
from engine.errors import Refusal
from engine.policy import Policy
from engine.trainer import Trainer

ALL = TableRequest(count=10_000)


def trainer_of(*texts: bytes, merges: int = 0, policy: Policy | None = None) -> Trainer:
    return run_of(*texts, merges=merges, policy=policy).trainer


def keys(view: TableView) -> list[object]:
    return [row.key for row in view.rows]


def column(view: TableView, title: str) -> list[str]:
    at = [c.title.plain for c in view.columns].index(title)
    return [row.cells[at].plain for row in view.rows]


def pairs(view: TableView) -> list[tuple[int, int]]:
    return [row.key.pair for row in view.rows if isinstance(row.key, PairSubject)]


def marked(view: TableView) -> list[tuple[object, str]]:
    return [(row.key, row.mark.plain) for row in view.rows if row.mark]


# Pairs


def test_pairs_of_aaa_and_aba_before_and_after_the_first_merge() -> None:
    trainer = trainer_of(b"aaa", b"aba")
    view = pairs_view(trainer, ALL, Mode.TEXT)
    assert pairs(view) == [(97, 97), (97, 98), (98, 97)]
    assert column(view, "count") == ["2", "1", "1"]
    assert column(view, "share") == ["50.0%", "25.0%", "25.0%"]
    assert column(view, "note") == ["next", "", ""]
    assert marked(view) == [(PairSubject((97, 97)), "▸")]
    trainer.step()
    view = pairs_view(trainer, ALL, Mode.TEXT)
    assert pairs(view) == [(97, 98), (98, 97), (256, 97)]
    assert column(view, "note") == ["next", "tie", "tie"]
    assert [row.style for row in view.rows] == ["winner", "normal", "normal"]


def test_pairs_that_may_never_merge_are_no_ties() -> None:
    trainer = trainer_of(b"abcabc", merges=1, policy=Policy(max_token_length=2))
    view = pairs_view(trainer, ALL, Mode.TEXT)
    # ab became one token: (ab, c) twice but too long, (c, ab) once
    assert [(p, n) for p, n in zip(pairs(view), column(view, "note"), strict=True) if (256 in p)] == [
        ((256, 99), ""), ((99, 256), ""),
    ]  # fmt: skip


def test_a_window_of_pairs_is_a_part_of_the_whole() -> None:
    trainer = trainer_of(b"the quick brown fox jumps over the lazy dog")
    whole = pairs_view(trainer, ALL, Mode.TEXT)
    assert whole.total == len(whole.rows) == trainer.kernel.live_pairs()
    for request in (ALL, replace(ALL, sort="ids"), replace(ALL, reverse=True), replace(ALL, filter="o")):
        everything = pairs_view(trainer, request, Mode.TEXT)
        part = pairs_view(trainer, replace(request, offset=3, count=4), Mode.TEXT)
        assert (part.rows, part.offset, part.total) == (everything.rows[3:7], 3, everything.total)


def test_pairs_by_ids_reversed_and_filtered() -> None:
    trainer = trainer_of(b"banana band")
    order = [pair for pair, _ in trainer.kernel.top(99)]
    assert pairs(pairs_view(trainer, ALL, Mode.TEXT)) == order
    assert pairs(pairs_view(trainer, replace(ALL, reverse=True), Mode.TEXT)) == order[::-1]
    by_ids = pairs_view(trainer, replace(ALL, sort="ids"), Mode.TEXT)
    assert pairs(by_ids) == sorted(order)
    places = [order.index(pair) + 1 for pair in pairs(by_ids)]
    assert column(by_ids, "order") == [str(place) for place in places]
    an = pairs_view(trainer, replace(ALL, filter="an"), Mode.TEXT)
    assert (pairs(an), an.total) == ([(97, 110)], 1)
    none = pairs_view(trainer, replace(ALL, filter="xyz"), Mode.TEXT)
    assert (none.total, none.nothing.plain) == (0, "no pair matches the filter")
    assert pairs_view(trainer_of(b"a", b"b"), ALL, Mode.TEXT).nothing.plain == "no pair left"


@settings(deadline=None, max_examples=50)
@given(runs())
def test_pairs_are_ordered_and_counted_as_the_kernel_does(run: Run) -> None:
    trainer = run.trainer
    view = pairs_view(trainer, ALL, Mode.TEXT)
    top = trainer.kernel.top(trainer.kernel.live_pairs())
    assert pairs(view) == [pair for pair, _ in top]
    assert column(view, "count") == [f"{count:,}" for _, count in top]
    winner = trainer.next_pair()
    assert [key for key, _ in marked(view)] == ([PairSubject(winner)] if winner in pairs(view) and winner else [])


# Merges


def test_merges_say_what_is_past_and_what_is_known_future() -> None:
    trainer = trainer_of(b"aaa", b"aba", merges=4)
    trainer.seek(2)
    view = merges_view(trainer, ALL, Mode.TEXT)
    assert [row.style for row in view.rows] == ["normal", "new", "future", "future"]
    assert marked(view) == [(MergeSubject(1), "▶")]
    assert column(view, "count") == ["2", "1", "1", "1"]
    assert column(view, "repl") == ["1", "1", "1", "1"]
    assert column(view, "tied") == ["1", "3", "2", "1"]
    assert column(view, "pair → token")[0].split() == ["a", "+", "a", "→", "aa"]
    assert column(view, "id") == ["256", "257", "258", "259"]


def test_merges_show_the_ids_of_the_layout() -> None:
    trainer = trainer_of(b"abab", b"abac", merges=2, policy=Policy(id_layout="framed"))
    assert column(merges_view(trainer, ALL, Mode.TEXT), "id") == ["258", "259"]


def test_merges_in_every_order() -> None:
    trainer = trainer_of(b"abababab cdcdcd aXbX", merges=9)
    merges = list(trainer.merges)
    ranks = list(range(len(merges)))

    def shown(**changes: object) -> list[int]:
        request = replace(ALL, **changes)  # type: ignore[arg-type]
        return [r.key.rank for r in merges_view(trainer, request, Mode.TEXT).rows if isinstance(r.key, MergeSubject)]

    assert shown() == ranks
    assert shown(reverse=True) == ranks[::-1]
    assert shown(sort="count") == sorted(ranks, key=lambda r: -merges[r].evidence.candidate_count)
    assert shown(sort="length") == sorted(ranks, key=lambda r: -len(merges[r].content.data))
    assert shown(filter="cd") == [r for r in ranks if b"cd" in merges[r].content.data]
    assert shown(offset=2, count=3) == [2, 3, 4]


# Vocabulary


def test_the_vocabulary_has_base_entries_and_those_made_so_far_the_newest_first() -> None:
    trainer = trainer_of(b"aaa", b"aba", merges=3)
    trainer.seek(2)
    view = vocab_view(trainer, ALL, Mode.TEXT)
    assert keys(view) == [TokenSubject(t) for t in range(257, -1, -1)]
    assert marked(view) == [(TokenSubject(257), "▶")]
    assert column(view, "token")[:2] == ["ab", "aa"]
    assert column(view, "hex")[:2] == ["61 62", "61 61"]
    assert column(view, "len")[:3] == ["2", "2", "1"]
    trainer.seek(0)
    assert (vocab_view(trainer, ALL, Mode.TEXT).total, marked(vocab_view(trainer, ALL, Mode.TEXT))) == (256, [])


@pytest.mark.parametrize(
    ("token", "mark"),
    [(0x61, "text"), (0xE6, "head"), (0x97, "mid"), (0xFF, "bad"), (0xC0, "bad")],
)
def test_the_utf8_class_of_a_byte(token: int, mark: str) -> None:
    view = vocab_view(trainer_of(b"a"), ALL, Mode.TEXT)
    row = view.find(TokenSubject(token))
    assert row is not None
    assert column(view, "utf8")[row] == mark


@settings(deadline=None, max_examples=30)
@given(runs())
def test_frequencies_are_those_of_a_count_over_the_documents(run: Run) -> None:
    trainer = run.trainer
    counted = Counter(t.token for d in range(len(trainer.documents)) for t in trainer.document_tokens(d))
    view = vocab_view(trainer, replace(ALL, sort="frequency"), Mode.TEXT)
    shown = [(row.key, now) for row, now in zip(view.rows, column(view, "now"), strict=True)]
    size = len(trainer.units.alphabet.tokens) + trainer.rank
    order = sorted(range(size), key=lambda t: (-counted[t], t))
    assert shown == [(TokenSubject(t), f"{counted[t]:,}") for t in order]


def test_the_vocabulary_by_length_by_bytes_and_by_class() -> None:
    trainer = trainer_of("日本日本".encode(), merges=3)

    def shown(**changes: object) -> list[bytes]:
        view = vocab_view(trainer, replace(ALL, **changes), Mode.TEXT)  # type: ignore[arg-type]
        return [trainer.vocabulary[r.key.token].data for r in view.rows if isinstance(r.key, TokenSubject)]

    everything = [t.data for t in trainer.vocabulary]
    assert shown(sort="bytes") == sorted(everything)
    assert [len(d) for d in shown(sort="length")] == sorted((len(d) for d in everything), reverse=True)
    learned = [m.content.data for m in trainer.merges]
    heads = [d for d in shown(filter="is:head") if len(d) > 1]
    assert heads == [d for d in learned[::-1] if d in (b"\xe6\x97", b"\xe6\x9c")]


def test_a_filter_that_cannot_be_read_is_refused() -> None:
    for bad in ("re:(", "is:nothing"):
        with pytest.raises(Refusal):
            vocab_view(trainer_of(b"a"), replace(ALL, filter=bad), Mode.TEXT)


# Find


def test_rows_data_is_in_the_order_of_the_table() -> None:
    trainer = trainer_of(b"banana band", merges=4)
    vocabulary = trainer.vocabulary
    for request in (ALL, replace(ALL, sort="ids"), replace(ALL, reverse=True), replace(ALL, filter="n")):
        view = pairs_view(trainer, request, Mode.TEXT)
        expected = [vocabulary[a].data + vocabulary[b].data for a, b in pairs(view)]
        assert rows_data(trainer, PaneName.PAIRS, replace(request, offset=5, count=1)) == expected
    assert rows_data(trainer, PaneName.MERGES, ALL) == [m.content.data for m in trainer.merges]
    assert rows_data(trainer, PaneName.VOCAB, ALL)[:4] == [m.content.data for m in trainer.merges][::-1]


def test_find_goes_on_around_the_end_in_both_directions() -> None:
    trainer = trainer_of(b"banana band", merges=4)
    data = rows_data(trainer, PaneName.PAIRS, ALL)
    hits = [i for i, d in enumerate(data) if b"n" in d]
    assert len(hits) > 1

    def find(at: int, direction: int) -> int | None:
        return find_row(trainer, PaneName.PAIRS, ALL, "n", at, direction)

    assert [find(h, 1) for h in hits] == [*hits[1:], hits[0]]
    assert [find(h, -1) for h in hits] == [hits[-1], *hits[:-1]]
    assert find_row(trainer, PaneName.PAIRS, ALL, "xyz", 0, 1) is None


def test_rows_compare_so_that_an_equal_view_costs_nothing() -> None:
    trainer = trainer_of(b"banana")
    assert pairs_view(trainer, ALL, Mode.TEXT) == pairs_view(trainer, ALL, Mode.TEXT)
    assert isinstance(pairs_view(trainer, ALL, Mode.TEXT).row(0), Row)

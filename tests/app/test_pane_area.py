"""Where the panes stand, in every room."""

import pytest

from bpe_tui.app.pane_area import FRONT, LOW, NARROW, WIDE, regions
from bpe_tui.views.request import PaneName


@pytest.mark.parametrize("focus", list(PaneName))
def test_panes_tile_every_room_and_the_focused_one_is_among_them(focus: PaneName) -> None:
    front = focus if focus in FRONT else PaneName.STREAM
    for width in range(20, 221):
        for height in range(5, 71):
            for zoomed in (False, True):
                places = regions(width, height, focus, front, zoomed)
                assert focus in places
                assert sum(r.area for r in places.values()) == width * height
                assert all(r.x >= 0 and r.y >= 0 and r.right <= width and r.bottom <= height for r in places.values())
                found = list(places.values())
                assert not any(a.overlaps(b) for i, a in enumerate(found) for b in found[:i])
                # a border takes two lines and two cells: every pane has room for something inside
                assert all(r.width >= 3 and r.height >= 3 for r in found)


def test_one_pane_where_the_room_is_small_all_where_it_is_wide() -> None:
    assert set(regions(NARROW - 1, 50, PaneName.PAIRS, PaneName.STREAM, False)) == {PaneName.PAIRS}
    assert set(regions(200, LOW - 1, PaneName.PAIRS, PaneName.STREAM, False)) == {PaneName.PAIRS}
    assert set(regions(WIDE, LOW, PaneName.PAIRS, PaneName.STREAM, False)) == set(PaneName)
    assert set(regions(WIDE, 47, PaneName.PAIRS, PaneName.STREAM, True)) == {PaneName.PAIRS}


def test_80_by_24_shows_the_four_things_of_the_program_and_the_inspector() -> None:
    # 24 lines less status line, time line and key line
    assert set(regions(80, 21, PaneName.STREAM, PaneName.STREAM, False)) == {
        PaneName.STREAM, PaneName.PAIRS, PaneName.MERGES, PaneName.VOCAB, PaneName.INSPECT,
    }  # fmt: skip


def test_stepping_through_the_focus_moves_no_pane_at_80_by_24() -> None:
    places = [regions(80, 21, focus, PaneName.STREAM, False) for focus in PaneName if focus not in FRONT]
    assert all(p == places[0] for p in places)

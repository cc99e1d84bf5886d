"""Where each pane stands: a pure function of the room, and the container that obeys it."""

from textual.containers import Container
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from bpe_tui.views.request import PaneName

NARROW, LOW = 60, 13
"""Under so many cells or lines there is one pane at a time."""
WIDE = 160
"""From so many cells on there are three columns, and every pane has a place."""
FOLDED = 20
"""Under so many lines the inspector has no place of its own; with the focus it takes the big one."""
FRONT = (PaneName.STREAM, PaneName.HELD_OUT, PaneName.STATS)
"""Panes that share the big place where there are two columns; one of them is in front."""


def regions(width: int, height: int, focus: PaneName, front: PaneName, zoomed: bool) -> dict[PaneName, Region]:
    """The panes that are visible and where, in a room of `width` cells and `height` lines.

    Args:
        width: cells.
        height: lines, those of the status line, the time line and the key line not counted.
        focus: the pane that has the focus; the only one where there is room for one, or when zoomed.
        front: which of `FRONT` is in front.
        zoomed: whether the focused pane takes all the room.
    """
    if zoomed or width < NARROW or height < LOW:
        return {focus: Region(0, 0, width, height)}
    if width >= WIDE:
        return _three_columns(width, height)
    in_big_place = focus if focus is PaneName.INSPECT and height < FOLDED else front
    return _two_columns(width, height, in_big_place)


def _two_columns(width: int, height: int, front: PaneName) -> dict[PaneName, Region]:
    left = width * 45 // 80
    foot = min(max(height // 5, 4), 10) if height >= FOLDED else 0
    top = (height - foot + 1) * 9 // 17
    places = {
        front: Region(0, 0, left, top),
        PaneName.PAIRS: Region(left, 0, width - left, top),
        PaneName.MERGES: Region(0, top, left, height - foot - top),
        PaneName.VOCAB: Region(left, top, width - left, height - foot - top),
    }
    if foot:
        places[PaneName.INSPECT] = Region(0, height - foot, width, foot)
    return places


def _three_columns(width: int, height: int) -> dict[PaneName, Region]:
    left, middle = width * 46 // 100, width * 27 // 100
    right = width - left - middle
    held_out = max(height * 30 // 100, 4)
    pairs, merges = height * 38 // 100, height * 32 // 100
    stats = max(height * 24 // 100, 4)
    return {
        PaneName.STREAM: Region(0, 0, left, height - held_out),
        PaneName.PAIRS: Region(left, 0, middle, pairs),
        PaneName.VOCAB: Region(left + middle, 0, right, height - stats),
        PaneName.MERGES: Region(left, pairs, middle, merges),
        PaneName.INSPECT: Region(left, pairs + merges, middle, height - pairs - merges),
        PaneName.HELD_OUT: Region(0, height - held_out, left, held_out),
        PaneName.STATS: Region(left + middle, height - stats, right, stats),
    }


class _PaneLayout(Layout):
    """Puts the panes where the area says."""

    name = "panes"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Place the visible panes; the others get no place and so are not drawn."""
        assert isinstance(parent, PaneArea)
        places = parent.places(size)
        by_name = {child.id: child for child in children}
        return [
            WidgetPlacement(region, NULL_OFFSET, Spacing(), by_name[name])
            for name, region in places.items()
            if name in by_name
        ]


class PaneArea(Container):
    """Holds all panes; which are visible, and where, follows from the room, the focus and the zoom."""

    DEFAULT_CSS = """
    PaneArea { height: 1fr; }
    """

    def __init__(self, *panes: Widget) -> None:
        super().__init__(*panes)
        self._layout = _PaneLayout()
        self.focus_pane = PaneName.STREAM
        self.front = PaneName.STREAM
        self.zoomed = False

    @property
    def layout(self) -> Layout:
        """The one layout of this container."""
        return self._layout

    def places(self, size: Size) -> dict[PaneName, Region]:
        """The visible panes in a room of a size."""
        return regions(size.width, size.height, self.focus_pane, self.front, self.zoomed)

    @property
    def is_single(self) -> bool:
        """Whether one pane has all the room."""
        return len(self.visible_panes) == 1

    @property
    def visible_panes(self) -> tuple[PaneName, ...]:
        """The visible panes in the order of their numbers."""
        places = self.places(self.size)
        return tuple(name for name in PaneName if name in places)

    def show_pane(self, name: PaneName, zoomed: bool) -> None:
        """Make a pane visible, bringing it to the front of its place."""
        front = name if name in FRONT else self.front
        if (name, front, zoomed) != (self.focus_pane, self.front, self.zoomed):
            self.focus_pane, self.front, self.zoomed = name, front, zoomed
            # Asked of a child, since a widget's own arrangement is forgotten only on behalf of its children.
            self.children[0].refresh(layout=True)

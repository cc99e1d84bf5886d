from bpe_tui.text.safe import EMPTY, SafeText
from bpe_tui.views.table_view import Column, Row, TableView, lay_out

FIXED, WIDE = Column(EMPTY, 5), Column(EMPTY, 8, flexible=True)
SPARE, MORE = Column(EMPTY, 6, optional=True), Column(EMPTY, 7, optional=True)


def test_the_flexible_column_takes_what_is_left() -> None:
    assert lay_out((FIXED, WIDE, FIXED), 40) == ((0, 5), (1, 28), (2, 5))
    assert lay_out((FIXED, WIDE), 3) == ((0, 5), (1, 0))
    assert lay_out((FIXED, FIXED), 40) == ((0, 5), (1, 5))


def test_optional_columns_go_last_first_when_the_flexible_one_lacks_room() -> None:
    columns = (FIXED, WIDE, SPARE, MORE)
    # 5 + 6 + 7 and three gaps leave 8 of 29, the flexible column's need; one less and the last column goes
    assert lay_out(columns, 29) == ((0, 5), (1, 8), (2, 6), (3, 7))
    assert lay_out(columns, 28) == ((0, 5), (1, 15), (2, 6))
    assert lay_out(columns, 20) == ((0, 5), (1, 14))


def test_a_view_knows_what_it_holds() -> None:
    rows = tuple(Row((SafeText.label(str(i)),), key=f"k{i}") for i in range(10, 15))
    view = TableView((FIXED,), rows, offset=10, total=100)
    assert view.row(12) is rows[2]
    assert view.row(9) is view.row(15) is None
    assert view.holds(10, 15)
    assert not view.holds(9, 12)
    assert not view.holds(14, 16)
    assert view.holds(50, 50)
    assert view.find("k13") == 13
    assert view.find("elsewhere") is None

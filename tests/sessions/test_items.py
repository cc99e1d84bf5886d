"""What msgpack data need: counted from headers as from the values themselves, for every size of header."""

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.items import memory_of

ALL = 1 << 40
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=300)
    | st.binary(max_size=300)
    | st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=300)),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=3), inner, max_size=20),
    max_leaves=60,
)


def need(value: Any) -> int:  # noqa: ANN401 - any msgpack value
    """The same by looking at the values."""
    if isinstance(value, dict):
        return 88 + sum(180 + need(name) + need(member) for name, member in value.items())
    if isinstance(value, list):
        return 88 + sum(8 + need(item) for item in value)
    if isinstance(value, str | bytes | msgpack.ExtType):
        return 64
    small = value is None or isinstance(value, bool) or (isinstance(value, int) and -32 <= value < 128)
    return 8 if small else 40


@given(VALUES)
def test_headers_tell_what_the_values_need(value: Any) -> None:  # noqa: ANN401
    data = msgpack.packb(value)
    assert memory_of(data, ALL) == need(value)
    assert memory_of(data + b"\xc0", ALL) == need(value), "what follows is not looked at"


@pytest.mark.parametrize("length", [15, 16, 31, 32, 255, 256, 65_535, 65_536])
def test_every_size_of_header(length: int) -> None:
    for value in ([1] * length, "a" * length, b"a" * length, dict.fromkeys(map(str, range(length)))):
        assert memory_of(msgpack.packb([value, 1000]), ALL) == need([value, 1000])


def test_it_stops_where_it_is_too_much() -> None:
    assert memory_of(b"\xdd\xff\xff\xff\xff", 1000) > 1000
    assert 1000 < memory_of(b"\xdc\xff\xff" + b"\x90" * 65_535, 1000) < 600_000

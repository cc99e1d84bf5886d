"""Strict JSON: equal to Python's reader on valid input, and refusing what that one lets through."""

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.strict_json import (
    ARRAY,
    BOOL,
    DEEPEST,
    OBJECT,
    STRING,
    STRINGS,
    U32,
    U64,
    Kind,
    StrictJson,
)
from engine.corpus.strict_json import as_text as shown_text
from engine.errors import ArtifactRefusal, CorpusRefusal

READER = StrictJson("invalid test JSON")

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**300), 10**300)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
text = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(scalars, lambda v: st.lists(v) | st.dictionaries(text, v))


@given(values, st.booleans())
def test_valid_json_reads_as_pythons_own_reader_does(value: object, escape: bool) -> None:
    data = json.dumps(value, ensure_ascii=escape).encode()
    assert repr(READER.parse(data)) == repr(json.loads(data))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "expecting value at column 1"),
        (b"[1] x", "extra data at column 5"),
        (b"[\n1,\n]", "expecting value at line 3 column 1"),
        (b'{"a":1,}', "property name"),
        (b"[01]", "delimiter"),
        (b"\x0b[]", "expecting value"),
        (b"[\x0b1]", "expecting value"),
        (b'["\n"]', "invalid control character at line 1 column 3"),
        (b'{"a":1,"a":1}', "repeated member 'a'"),
        (b'{"a":1,"\\u0061":2}', "repeated member 'a'"),
        (b'[{"b":{"\x1b[31m":1,"a":1,"a":2}}]', "invalid control character"),
        (b"[NaN]", "NaN is not a JSON value"),
        (b"[-Infinity]", "-Infinity is not a JSON value"),
        (b"[1e400]", "number out of range: '1e400'"),
        (b"[-1e400]", "number out of range"),
        (b"[" + b"9" * 5000 + b"]", "number out of range: '999"),
        (b'["\\ud800"]', "unpaired surrogate escape '\\ud800'"),
        (b'{"\\udc00":1}', "unpaired surrogate escape '\\udc00'"),
        (b'["\xff"]', "byte 2 is not UTF-8"),
        (b'["\xed\xa0\x80"]', "byte 2 is not UTF-8"),
        (b"\xef\xbb\xbf[]", "byte order mark"),
        (b"[" * 100_000 + b"]" * 100_000, "nested deeper than 128 levels"),
        (b'{"a":' * 100_000, "nested deeper than 128 levels"),
    ],
)
def test_what_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(CorpusRefusal) as refusal:
        READER.parse(data)
    message = str(refusal.value)
    assert message.startswith("invalid test JSON: ")
    assert why in message
    assert message.isprintable()
    assert len(message) < 200


def test_nesting_is_bounded_at_the_same_depth_for_any_breadth() -> None:
    wide = b",[]" * 300
    assert READER.parse(b"[" * DEEPEST + b"]" * DEEPEST)
    assert READER.parse(b"[" + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + wide + b"]")
    with pytest.raises(CorpusRefusal, match="nested deeper"):
        READER.parse(b"[" + b"[" * DEEPEST + b"]" * DEEPEST + wide + b"]")


def test_a_surrogate_pair_is_one_character() -> None:
    assert READER.parse(b'["\\ud83e\\udd80"]') == ["🦀"]


def test_minus_zero_is_no_integer() -> None:
    value = READER.parse(b"-0")
    assert isinstance(value, float)
    assert math.copysign(1, value) == -1


def test_the_callers_family_is_raised() -> None:
    with pytest.raises(ArtifactRefusal, match=r"^invalid artifact: "):
        StrictJson("invalid artifact", ArtifactRefusal).parse(b"{")


@pytest.mark.parametrize(
    ("kind", "accepted", "refused"),
    [
        (U32, [b"0", b"4294967295"], [b"-1", b"4294967296", b"true", b"3.0", b"-0", b'"1"', b"null", b"1e2"]),
        (U64, [b"0", b"18446744073709551615"], [b"-1", b"18446744073709551616", b"false", b"1.0"]),
        (BOOL, [b"true", b"false"], [b"0", b"1", b"null", b'"true"']),
        (STRING, [b'""'], [b"1", b"null", b"[]"]),
        (ARRAY, [b"[]", b"[1]"], [b"{}", b'""', b"null"]),
        (OBJECT, [b"{}"], [b"[]", b"null"]),
        (STRINGS, [b"[]", b'["a","b"]'], [b'["a",1]', b"[null]", b'"a"', b"{}"]),
    ],
)
def test_kinds_are_exact(kind: Kind, accepted: list[bytes], refused: list[bytes]) -> None:
    for data in accepted:
        assert READER.check(READER.parse(data), kind, "field x") == json.loads(data)
    for data in refused:
        with pytest.raises(CorpusRefusal, match=r"field x must be an?|field x must be true"):
            READER.check(READER.parse(data), kind, "field x")


def test_a_closed_object_has_exactly_its_members() -> None:
    kinds = {"id": STRING, "n": U32}
    assert READER.closed_object({"n": 1, "id": "a"}, kinds, "record 2") == {"id": "a", "n": 1}
    with pytest.raises(CorpusRefusal, match="record 2 must be an object, found an array"):
        READER.closed_object([], kinds, "record 2")
    with pytest.raises(CorpusRefusal, match="record 2 has no member 'n'"):
        READER.closed_object({"id": "a"}, kinds, "record 2")
    with pytest.raises(CorpusRefusal, match="record 2 has an unknown member 'x'; it takes id, n only"):
        READER.closed_object({"id": "a", "n": 1, "x": 0}, kinds, "record 2")
    with pytest.raises(
        CorpusRefusal, match="member 'n' of record 2 must be an integer from 0 to 4294967295, found True"
    ):
        READER.closed_object({"id": "a", "n": True}, kinds, "record 2")
    assert READER.members({"id": "a", "n": 1, "x": 0}, kinds, "record 2")["x"] == 0


def test_values_as_text() -> None:
    assert shown_text("a b") == "a b"
    assert shown_text({"a": [1, None, "é"]}) == '{"a":[1,null,"é"]}'


def outcome(read: Callable[[], object]) -> str:
    try:
        return repr(read())
    except CorpusRefusal as refusal:
        return str(refusal)


ITEMS = [b"1", b'"a"', b"[]", b'{"a":[2]}', b"[[1],null]", b"NaN", b'{"a":1,"a":2}']
BETWEEN = [b",", b" , ", b",,", b"", b"\n,\t", b";"]
ENDS = [b"]", b"", b" ]\n", b"]]"]


@given(st.lists(st.tuples(st.sampled_from(ITEMS), st.sampled_from(BETWEEN))), st.sampled_from(ENDS))
def test_items_of_an_array_are_its_value_one_at_a_time(parts: list[tuple[bytes, bytes]], end: bytes) -> None:
    data = b" [ " + b"".join(item + between for item, between in parts) + end
    assert outcome(lambda: list(READER.items(data, "it"))) == outcome(lambda: READER.parse(data))


@pytest.mark.parametrize("data", [b"{}", b'{"a":', b"1", b'"[]"', b"null"])
def test_only_arrays_have_items(data: bytes) -> None:
    with pytest.raises(CorpusRefusal, match=r"^invalid test JSON: the corpus must be an array, found "):
        list(READER.items(data, "the corpus"))


@pytest.mark.parametrize(
    ("item", "why"),
    [(b'"\\ud800"', "unpaired surrogate escape"), (b"[" * DEEPEST + b"]" * DEEPEST, "nested deeper than 128 levels")],
)
def test_an_item_is_refused_when_it_is_come_to(item: bytes, why: str) -> None:
    items = READER.items(b'["a",' + item + b"]", "it")
    assert next(items) == "a"
    with pytest.raises(CorpusRefusal, match=why):
        next(items)

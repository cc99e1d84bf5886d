"""A corpus's documents inside a session: columns, so that a million of them are a handful of values.

Texts, ids and other members lie one behind another in one bytes value each, with a column of where each ends. What is
the same for all documents (a weight of 1, the role of training, no other members) is nil.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import le
from typing import Any

import msgpack

from engine.corpus.collecting import decoded, encoded
from engine.corpus.columns import Cuts, Decoded, Strings
from engine.corpus.document import Document, Documents, Split, columns_of
from engine.corpus.strict_json import Kind, StrictJson
from engine.limits import UNBOUNDED
from sessions.columns import BYTES, numbers, packed_numbers

_ROLES = (Split.TRAIN, Split.VALIDATION, Split.TEST, Split.HELD_OUT)
"""Roles by the byte that stands for each."""
_NO_MEMBERS = b"\x80"
_ARRAYS = (*range(0x90, 0xA0), 0xDC, 0xDD)
"""First bytes of arrays, which msgpack's reader gives as maps are given here."""
_BYTES_OR_NIL = Kind("bytes or nil", lambda v: v is None or isinstance(v, bytes))
_COLUMNS = {
    "texts": BYTES, "text_ends": BYTES, "ids": BYTES, "id_ends": BYTES, "weights": _BYTES_OR_NIL,
    "splits": _BYTES_OR_NIL, "members": _BYTES_OR_NIL, "member_ends": _BYTES_OR_NIL,
}  # fmt: skip


def pack_documents(documents: Sequence[Document]) -> dict[str, bytes | None]:
    """The columns of documents by name."""
    columns = columns_of(documents)
    weights, splits = array("Q", columns.weights), [*columns.splits]
    texts, text_ends = _joined(text[:] for text in columns.texts)
    ids, id_ends = _joined(map(encoded, columns.ids))
    members, member_ends = _joined(map(_packed, columns.metadata)) if any(columns.metadata) else (None, None)
    return {
        "texts": texts,
        "text_ends": text_ends,
        "ids": ids,
        "id_ends": id_ends,
        "weights": packed_numbers(weights) if any(weight != 1 for weight in weights) else None,
        "splits": bytes(map(_ROLES.index, splits)) if set(splits) - {Split.TRAIN} else None,
        "members": members,
        "member_ends": member_ends,
    }


def unpack_documents(reader: StrictJson, value: Any) -> Documents:  # noqa: ANN401 - any msgpack value
    """The documents of packed columns.

    Raises:
        ArtifactRefusal: through `reader`, for a missing or unknown column, or one that does not fit the others.
    """
    members = reader.closed_object(value, _COLUMNS, "the documents")
    texts = _cuts(reader, members, "text")
    ids = Decoded(_cuts(reader, members, "id"), partial(_decoded, reader))
    size = len(texts)
    weights = None if members["weights"] is None else numbers(reader, members["weights"], "Q", "the weights")
    splits = None if members["splits"] is None else _splits(reader, members["splits"])
    if (members["members"] is None) != (members["member_ends"] is None):
        reader.refuse("the columns of members and of their ends must both be bytes, or both nil")
    metadata = (
        None if members["members"] is None else Decoded(_cuts(reader, members, "member"), partial(_unpacked, reader))
    )
    for column, what in ((ids, "ids"), (weights, "weights"), (splits, "splits"), (metadata, "members")):
        if column is not None and len(column) != size:
            reader.refuse(f"it has {size} documents, but {len(column)} {what}")
    if weights and not 1 <= min(weights) <= max(weights) <= UNBOUNDED:
        reader.refuse(f"a weight of a document is not from 1 to {UNBOUNDED}")
    for column in (ids, metadata):
        for _ in column or ():  # each is decoded once here, so that none fails later
            pass
    return Documents(texts, ids, weights, splits, metadata)


def _joined(values: Iterable[bytes]) -> tuple[bytes, bytes]:
    """Byte strings one behind another, and where each ends."""
    strings = Strings[bytes](bytes, bytes)
    for value in values:
        strings.append(value)
    cuts = strings.cuts()
    return cuts.data, packed_numbers(cuts.ends)


def _cuts(reader: StrictJson, members: Mapping[str, Any], name: str) -> Cuts:
    data, packed = members[f"{name}s"], members[f"{name}_ends"]
    ends = numbers(
        reader, reader.check(packed, BYTES, f"the ends of the {name}s"), "Q", f"the column of the {name}s' ends"
    )
    if not all(map(le, chain((0,), ends), ends)) or (ends[-1] if ends else 0) != len(data):
        reader.refuse(f"the ends of the {name}s do not fit their {len(data)} bytes")
    return Cuts(data, ends)


def _splits(reader: StrictJson, codes: bytes) -> list[Split]:
    if codes and max(codes) >= len(_ROLES):
        reader.refuse(f"a split is {max(codes)}: 0 to {len(_ROLES) - 1} are known")
    return [_ROLES[code] for code in codes]


def _decoded(reader: StrictJson, data: bytes) -> str:
    try:
        return decoded(data)
    except UnicodeDecodeError as error:
        reader.refuse(f"the id of a document is not UTF-8 ({error.reason})")


def _packed(members: Mapping[str, str]) -> bytes:
    data: bytes = msgpack.packb(dict(members), unicode_errors="surrogatepass")
    return data


def _unpacked(reader: StrictJson, data: bytes) -> Mapping[str, str]:
    if data == _NO_MEMBERS:
        return {}
    try:
        pairs: Any = msgpack.unpackb(data, unicode_errors="surrogatepass", object_pairs_hook=list, max_ext_len=0)
    except (ValueError, RecursionError) as error:  # msgpack's own errors are ValueErrors
        reader.refuse(f"the members of a document are malformed: {str(error)[:80]}")
    is_map = type(pairs) is list and data[0] not in _ARRAYS and all(map(_is_member, pairs))
    members = dict(pairs) if is_map else {}
    if not is_map or len(members) < len(pairs):
        reader.refuse("the members of a document are no texts by name, each name once")
    return members


def _is_member(pair: object) -> bool:
    return type(pair) is tuple and len(pair) == 2 and all(type(part) is str for part in pair)

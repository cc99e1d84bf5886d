"""Sessions as bytes: one msgpack array that any msgpack reader opens, and that only the right shape gets through.

The array holds the schema's name, its version, the payload (msgpack in a binary value) and the SHA-256 of everything
before it. The digest finds damage; whoever alters a file on purpose can renew it, so the payload is read as hostile
input all the same: under limits, with exact types, no unknown member and no extension type.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgpack

from engine.alphabet import Token
from engine.corpus.document import Corpus, Document, Documents, Split, columns_of
from engine.corpus.open import CorpusOptions
from engine.corpus.strict_json import ARRAY, BOOL, OBJECT, STRING, U64, Kind, StrictJson, integer
from engine.errors import ArtifactRefusal, Refusal
from engine.files import room
from engine.given import NOTHING_GIVEN, Given
from engine.kernel import KERNELS
from engine.limits import UNBOUNDED, Limits
from engine.policy import Policy
from engine.quoting import quoted
from sessions.columns import BYTES, pack_merges, pack_pairs, unpack_merges, unpack_pairs
from sessions.documents import pack_documents, unpack_documents
from sessions.items import memory_of
from sessions.snapshot import Session, Source

SCHEMA = "bpe-tui-session"
VERSION = 2
OLDEST = 1
"""The first version, which is read too: it kept a corpus's documents as rows."""
MAGIC: bytes = b"\x94" + msgpack.packb(SCHEMA)
"""How every session begins, whatever its version: an array of four, then the schema's name."""

MOST_BYTES = 1 << 30
"""Bytes of the largest session that is written or read."""

MOST_ROWS = 300_000
"""Documents of a session of version 1; more of them take long to read one by one."""

_DIGEST_HEAD = b"\xc4\x20"
_DIGEST_BYTES = len(_DIGEST_HEAD) + 32
_NEWER = "it was written by a newer bpe-tui, or altered: open it with that version"
_DAMAGED = "take a backup, or open the corpus again"

_HEX = frozenset("0123456789abcdef")
PLAIN = Kind("a plain value", lambda v: v is None or type(v) in (str, int, bool))
SHA256 = Kind("64 lowercase hexadecimal digits", lambda v: type(v) is str and len(v) == 64 and set(v) <= _HEX)


def _or_nil(kind: Kind) -> Kind:
    return Kind(f"{kind.name} or nil", lambda v: v is None or kind.accepts(v))


_SESSION = {
    "policy": OBJECT, "limits": OBJECT, "kernel": Kind("a kernel's name", lambda v: v in KERNELS), "source": OBJECT,
    "corpus": _or_nil(OBJECT), "receipt": _or_nil(BYTES), "merges": OBJECT, "exhausted": BOOL, "rank": U64,
    "bookmarks": ARRAY, "held_out": ARRAY, "view": OBJECT,
}  # fmt: skip
_SOURCE = {
    "path": STRING, "options": OBJECT, "name": STRING, "format": STRING, "sha256": SHA256, "outline": SHA256,
}  # fmt: skip
_OPTIONS = {
    "format": STRING, "separator": _or_nil(STRING), "split": _or_nil(STRING),
    "holdout": _or_nil(Kind("a fraction", lambda v: type(v) is float and 0 < v < 1)),
}  # fmt: skip
_GIVEN = {"name": STRING, "alphabet": ARRAY, "pairs": BYTES}
_ROWS_OR_COLUMNS = Kind("an object", lambda v: type(v) in (list, dict))
_CORPUS = {"documents": _ROWS_OR_COLUMNS, "source_bytes": U64, "checksum": STRING, "notes": ARRAY}
_SPLITS = {split.value: split for split in Split}
_SPLIT = Kind("a split", lambda v: type(v) is str and v in _SPLITS)
_DOCUMENT = (STRING, BYTES, integer(1, UNBOUNDED), _SPLIT, OBJECT)


def is_session(data: bytes) -> bool:
    """Whether a file that begins with `data` claims to be a session."""
    return data.startswith(MAGIC)


def pack(session: Session) -> bytes:
    """The bytes of a session; equal sessions give equal bytes.

    Raises:
        ArtifactRefusal: when they would be more than `MOST_BYTES`, which could not be read back.
    """
    payload = _packed(_members(session))
    if len(payload) > MOST_BYTES - 256:
        raise ArtifactRefusal(
            f"this session needs {len(payload)} bytes, over the most of {MOST_BYTES}: save it without the corpus"
        )
    body = MAGIC + _packed(VERSION) + _packed(payload)
    return body + _packed(hashlib.sha256(body).digest())


def unpack(data: bytes, name: str = "session") -> Session:
    """The session that `data` holds.

    Args:
        data: a session file's whole content.
        name: the file's name, for messages.

    Raises:
        ArtifactRefusal: in one line that names the file, for anything but an undamaged session of this version.
    """
    payload = _payload(data, quoted(name))
    reader = StrictJson(f"session {quoted(name)} is malformed", ArtifactRefusal)
    try:
        return _session(reader, _unpacked(reader, payload))
    except ArtifactRefusal:
        raise
    except Refusal as error:
        reader.refuse(str(error))


def _payload(data: bytes, name: str) -> bytes:
    """The payload inside the frame, once magic, version and digest are right."""
    if len(data) > MOST_BYTES:
        raise ArtifactRefusal(f"{name} is too large for a session: it has {len(data)} bytes, at most {MOST_BYTES}")
    if not is_session(data):
        cut = bool(data) and MAGIC.startswith(data)
        raise ArtifactRefusal(f"{name} is {'cut short' if cut else 'no session of bpe-tui'}: give a file it saved")
    version = next((v for v in map(_packed, (OLDEST, VERSION)) if data.startswith(v, len(MAGIC))), None)
    if version is None:
        raise ArtifactRefusal(f"session {name} {_version(data)}")
    body, trailer = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if trailer != _DIGEST_HEAD + hashlib.sha256(body).digest():
        raise ArtifactRefusal(f"session {name} is truncated or altered: its SHA-256 does not match; {_DAMAGED}")
    try:
        payload = msgpack.unpackb(body[len(MAGIC) + len(version) :], max_bin_len=MOST_BYTES)
    except ValueError:
        payload = None
    if type(payload) is not bytes:
        raise ArtifactRefusal(f"session {name} is malformed: it holds no payload; {_DAMAGED}")
    return payload


def _version(data: bytes) -> str:
    """What is wrong with a version that is not ours."""
    unpacker = msgpack.Unpacker(max_buffer_size=64, max_ext_len=0)
    unpacker.feed(data[len(MAGIC) : len(MAGIC) + 16])
    try:
        version = unpacker.unpack()
    except (ValueError, msgpack.OutOfData):
        version = None
    if type(version) is int and version > VERSION:
        return f"has version {version}, this program reads {VERSION}: {_NEWER}"
    return f"has no version that this program knows: it is truncated or altered; {_DAMAGED}"


def _packed(value: object) -> bytes:
    # Names may hold what no UTF-8 can (`surrogateescape`); this codec takes every str there and back.
    data: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    return data


def _unpacked(reader: StrictJson, payload: bytes) -> object:
    most = room(len(payload))
    if memory_of(payload, most) > most:
        reader.refuse(f"its small values would take over {most} bytes of memory: save it without the corpus")
    try:
        return msgpack.unpackb(
            payload,
            unicode_errors="surrogatepass",
            object_pairs_hook=_unique,
            max_str_len=len(payload),
            max_bin_len=len(payload),
            max_array_len=len(payload),
            max_map_len=len(payload),
            max_ext_len=0,
        )
    except (ValueError, RecursionError) as error:  # msgpack's own errors are ValueErrors
        reader.refuse(f"{str(error)[:80] or type(error).__name__}; {_DAMAGED}")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is repeated")
    return members


def _members(session: Session) -> dict[str, object]:
    """A session as plain values."""
    source, corpus = session.source, session.corpus
    return {
        "policy": session.policy.to_dict(),
        "limits": {name: getattr(session.limits, name) for name in Limits.__dataclass_fields__},
        "kernel": session.kernel,
        "source": {
            "path": source.path,
            "options": {name: getattr(source.options, name) for name in _OPTIONS},
            "name": source.name,
            "format": source.format,
            "sha256": source.sha256,
            "outline": source.outline,
        },
        "corpus": corpus
        and {
            "documents": pack_documents(corpus.documents),
            "source_bytes": corpus.source_bytes,
            "checksum": corpus.checksum,
            "notes": corpus.notes,
        },
        "receipt": session.receipt,
        "merges": pack_merges(session.merges),
        "exhausted": session.exhausted,
        "rank": session.rank,
        "bookmarks": session.bookmarks,
        "held_out": session.held_out,
        "view": dict(session.view),
        **({"given": _given_members(session.given)} if session.given.pairs else {}),
    }


def _given_members(given: Given) -> dict[str, object]:
    return {
        "name": given.name,
        "alphabet": [[token.data, token.ends_word] for token in given.alphabet],
        "pairs": pack_pairs(given.pairs),
    }


def _session(reader: StrictJson, value: Any) -> Session:  # noqa: ANN401 - any msgpack value
    given = {"given": OBJECT} if isinstance(value, dict) and "given" in value else {}
    members = reader.closed_object(value, _SESSION | given, "the session")
    merges = unpack_merges(reader, members["merges"])
    to_rank = integer(0, len(merges))
    source = _source(reader, members["source"])
    return Session(
        policy=Policy.from_dict(members["policy"]),
        limits=_limits(reader, members["limits"]),
        kernel=members["kernel"],
        source=source,
        corpus=None if members["corpus"] is None else _corpus(reader, members["corpus"], source),
        receipt=members["receipt"],
        merges=merges,
        exhausted=members["exhausted"],
        rank=reader.check(members["rank"], to_rank, "the rank"),
        bookmarks=_each(reader, members["bookmarks"], to_rank, "bookmark"),
        held_out=_each(reader, members["held_out"], BYTES, "held-out text"),
        view=_map(reader, members["view"], PLAIN, "the view"),
        given=_given(reader, members["given"]) if "given" in members else NOTHING_GIVEN,
    )


def _given(reader: StrictJson, value: Any) -> Given:  # noqa: ANN401 - any msgpack value
    members = reader.closed_object(value, _GIVEN, "the given merges")
    tokens = [_base_token(reader, token, n) for n, token in enumerate(members["alphabet"], 1)]
    pairs = unpack_pairs(reader, members["pairs"], "the given merges")
    if not pairs:
        reader.refuse("the given merges are none: a session without them has no such member")
    return Given(tuple(tokens), pairs, members["name"])


def _base_token(reader: StrictJson, value: Any, number: int) -> Token:  # noqa: ANN401
    where = f"base token {number} of the given merges"
    fields = reader.check(value, ARRAY, where)
    if len(fields) != 2:
        reader.refuse(f"{where} has {len(fields)} fields, not 2")
    data, ends_word = reader.check(fields[0], BYTES, where), reader.check(fields[1], BOOL, where)
    if not data and not ends_word:
        reader.refuse(f"{where} is empty: only an end-of-word mark has no bytes")
    return Token(data, ends_word)


def _limits(reader: StrictJson, value: Mapping[str, Any]) -> Limits:
    whole = integer(0, UNBOUNDED)
    return Limits(**reader.closed_object(dict(value), dict.fromkeys(Limits.__dataclass_fields__, whole), "the limits"))


def _source(reader: StrictJson, value: Any) -> Source:  # noqa: ANN401
    members = reader.closed_object(value, _SOURCE, "the source")
    options = reader.closed_object(members["options"], _OPTIONS, "the corpus options")
    return Source(**{**members, "options": CorpusOptions(**options)})


def _corpus(reader: StrictJson, value: Any, source: Source) -> Corpus:  # noqa: ANN401
    members = reader.closed_object(value, _CORPUS, "the corpus")
    return Corpus(
        source.name,
        source.format,
        _documents(reader, members["documents"]),
        source.sha256,
        members["source_bytes"],
        members["checksum"],
        _each(reader, members["notes"], STRING, "note"),
    )


def _documents(reader: StrictJson, value: Any) -> Documents:  # noqa: ANN401
    if isinstance(value, dict):
        return unpack_documents(reader, value)
    if len(value) > MOST_ROWS:
        reader.refuse(f"it has {len(value)} documents as rows: at most {MOST_ROWS} are read; open its corpus again")
    return columns_of([_document(reader, row, number) for number, row in enumerate(value, 1)])


def _document(reader: StrictJson, value: Any, number: int) -> Document:  # noqa: ANN401
    if not ARRAY.accepts(value) or len(value) != len(_DOCUMENT):
        fields = reader.check(value, ARRAY, f"document {number}")
        reader.refuse(f"document {number} has {len(fields)} fields, not {len(_DOCUMENT)}")
    for field, kind in zip(value, _DOCUMENT, strict=True):
        if not kind.accepts(field):  # words only where they are needed: there may be a million documents
            reader.check(field, kind, f"a field of document {number}")
    id, data, weight, split, metadata = value
    members = metadata and _map(reader, metadata, STRING, f"the metadata of document {number}")
    return Document(id, data, weight, _SPLITS[split], members)


def _each(reader: StrictJson, values: list[Any], kind: Kind, what: str) -> tuple[Any, ...]:
    return tuple(reader.check(value, kind, f"{what} {n}") for n, value in enumerate(values, 1))


def _map(reader: StrictJson, value: Mapping[Any, Any], kind: Kind, where: str) -> dict[str, Any]:
    for name, member in value.items():
        reader.check(name, STRING, f"a name in {where}")
        reader.check(member, kind, f"{quoted(name)} in {where}")
    return dict(value)

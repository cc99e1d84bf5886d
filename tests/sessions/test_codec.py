"""Sessions as bytes: there and back, and nothing else gets in."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from session_samples import session_of

from engine.corpus.document import Corpus, Document, Split
from engine.corpus.open import FORMATS, CorpusOptions
from engine.errors import ArtifactRefusal
from engine.kernel import KERNELS, Evidence
from engine.limits import COURSE_LIMITS, Limits
from engine.policy import Policy
from engine.profiles import PROFILES
from sessions import codec
from sessions.codec import MAGIC, pack, unpack
from sessions.snapshot import Session, Source
from sessions.store import holds_session, load, save

u32 = st.integers(0, 2**32 - 2)
u64 = st.integers(0, 2**64 - 1)
any_text = st.text(st.characters(), max_size=8)  # lone surrogates too
specials = st.text(min_size=1, max_size=8) | st.binary(min_size=1, max_size=8).map(
    lambda data: data.decode("utf-8", "surrogateescape")
)
"""What a policy takes: texts, and surrogates where they stand for single bytes."""
sha256 = st.binary(max_size=2).map(lambda b: hashlib.sha256(b).hexdigest())
evidence = st.builds(Evidence, st.tuples(u32, u32), u64, u64, u64, st.none() | st.tuples(u32, u32), u64)
options = st.builds(
    CorpusOptions,
    st.sampled_from([f for f in FORMATS if f != "text"]),
    st.none(),
    st.none() | any_text,
    st.none() | st.floats(0, 1, exclude_min=True, exclude_max=True),
) | st.builds(CorpusOptions, st.just("text"), st.none() | any_text)
documents = st.builds(
    Document,
    any_text,
    st.binary(max_size=20),
    st.integers(1, 2**63 - 1),
    st.sampled_from(Split),
    st.dictionaries(any_text, any_text, max_size=3),
)
policies = st.sampled_from([p.policy for p in PROFILES.values()]) | st.builds(
    Policy, special_tokens=st.lists(specials, max_size=3).map(tuple), budget=st.none() | st.integers(0, 9)
)


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    source = draw(st.builds(Source, any_text, options, any_text, st.sampled_from(FORMATS), sha256, sha256))
    inside = st.builds(
        Corpus,
        st.just(source.name),
        st.just(source.format),
        st.lists(documents, max_size=4).map(tuple),
        st.just(source.sha256),
        u64,
        any_text,
        st.lists(any_text, max_size=3).map(tuple),
    )
    merges = tuple(draw(st.lists(evidence, max_size=8)))
    rank = st.integers(0, len(merges))
    return Session(
        draw(policies),
        draw(st.sampled_from([Limits(), COURSE_LIMITS])),
        draw(st.sampled_from(KERNELS)),
        source,
        draw(st.none() | inside),
        draw(st.none() | st.binary(max_size=20)),
        merges,
        draw(st.booleans()),
        draw(rank),
        tuple(sorted(draw(st.sets(rank)))),
        tuple(draw(st.lists(st.binary(max_size=9), max_size=3))),
        draw(st.dictionaries(any_text, st.none() | st.booleans() | st.integers(-9, 2**64 - 1) | any_text, max_size=4)),
    )


@given(sessions())
@settings(deadline=None)
def test_there_and_back(session: Session) -> None:
    data = pack(session)
    assert unpack(data) == session
    assert pack(unpack(data)) == data


def test_the_file_is_one_msgpack_array_with_its_own_digest() -> None:
    data = pack(session_of())
    schema, version, payload, digest = msgpack.unpackb(data)
    assert (schema, version) == ("bpe-tui-session", 2)
    assert digest == hashlib.sha256(data[:-34]).digest()
    columns = msgpack.unpackb(payload)["merges"]
    assert columns["left"][:8] == bytes.fromhex("61000000 61000000"), "97 twice, little-endian"
    assert columns["candidate_count"][:16] == (2).to_bytes(8, "little") + (1).to_bytes(8, "little")
    assert columns["tie_size"][:16] == (1).to_bytes(8, "little") + (3).to_bytes(8, "little")


def test_every_truncation_is_refused() -> None:
    data = pack(session_of())
    for length in range(len(data)):
        with pytest.raises(ArtifactRefusal):
            unpack(data[:length])


def test_every_flip_of_a_byte_is_refused() -> None:
    data = pack(session_of())
    for at in range(len(data)):
        for mask in (0x01, 0x80, 0xFF):
            with pytest.raises(ArtifactRefusal) as refusal:
                unpack(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :], "x.bpes")
            assert "'x.bpes'" in str(refusal.value)


@given(st.binary(max_size=300), st.booleans())
@settings(max_examples=300)
def test_noise_is_refused(noise: bytes, framed: bool) -> None:
    """Noise as a file, and noise as the payload of an undamaged frame."""
    with pytest.raises(ArtifactRefusal):
        unpack(framed_payload(noise) if framed else noise)


def framed_payload(payload: bytes) -> bytes:
    body: bytes = MAGIC + msgpack.packb(2) + msgpack.packb(payload)
    digest: bytes = msgpack.packb(hashlib.sha256(body).digest())
    return body + digest


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_payload_altered_with_its_digest_renewed_gives_a_session_or_a_refusal(data: st.DataObject) -> None:
    payload = bytearray(msgpack.packb(members(session_of())))
    for _ in range(data.draw(st.integers(1, 3))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ArtifactRefusal):
        assert isinstance(unpack(framed_payload(bytes(payload))), Session)


def members(session: Session) -> dict[str, Any]:
    value: dict[str, Any] = msgpack.unpackb(msgpack.unpackb(pack(session))[2])
    return value


def put(*path: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    """Sets the value at the end of a path of names and positions."""
    *where, last, value = path

    def change(value_of: Any) -> None:  # noqa: ANN401
        for step in where:
            value_of = value_of[step]
        value_of[last] = value

    return change


def drop(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda m: m.pop(name)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (put("surprise", 1), "the session has an unknown member 'surprise'"),
        (drop("rank"), "the session has no member 'rank'"),
        (put("rank", "2"), "member 'rank' of the session must be an integer from 0"),
        (put("rank", True), "member 'rank' of the session must be an integer from 0"),
        (put("rank", 5), "the rank must be an integer from 0 to 4, found 5"),
        (put("rank", -1), "an integer from 0"),
        (put("exhausted", 1), "must be true or false, found 1"),
        (put("kernel", "cuda"), "must be a kernel's name, found 'cuda'"),
        (put("kernel", ["python"]), "must be a kernel's name"),
        (put("bookmarks", [9]), "bookmark 1 must be an integer from 0 to 4"),
        (put("bookmarks", {}), "must be an array"),
        (put("held_out", ["text"]), "held-out text 1 must be bytes"),
        (put("view", "zoom", [1]), "'zoom' in the view must be a plain value"),
        (put("view", "zoom", 0.5), "'zoom' in the view must be a plain value"),
        (put("view", b"zoom", 1), "a name in the view must be a string"),
        (put("policy", "tie_break", "coin"), "policy tie_break='coin' is unknown"),
        (put("policy", "min_count", "1"), "policy min_count cannot be '1'"),
        (put("policy", "extra", 1), "policy has no field 'extra'"),
        (put("limits", "nodes", 0), "limit nodes=0 is out of range"),
        (put("limits", "nodes", 2**63), "member 'nodes' of the limits must be an integer"),
        (put("source", "sha256", "A" * 64), "64 lowercase hexadecimal digits"),
        (put("source", "options", "format", "pickle"), "unknown corpus format 'pickle'"),
        (put("source", "options", "holdout", 1.5), "must be a fraction or nil"),
        (put("corpus", 5), "must be an object or nil"),
        (put("merges", "left", bytes(15)), "column left of the merges ends inside a number"),
        (put("merges", "left", bytes(12)), "the columns of the merges have different lengths: [3, 4]"),
        (put("merges", "left", "x"), "must be bytes"),
        (put("merges", "right", None), "must be bytes"),
        (put("receipt", "x"), "must be bytes or nil"),
        (put("rank", msgpack.ExtType(5, b"x")), "must be an integer"),
        (put("view", "when", msgpack.Timestamp(1)), "must be a plain value"),
    ],
)  # fmt: skip
def test_the_wrong_shape_is_refused(change: Callable[[dict[str, Any]], None], why: str) -> None:
    value = members(session_of())
    change(value)
    with pytest.raises(ArtifactRefusal) as refusal:
        unpack(framed_payload(msgpack.packb(value)), "x.bpes")
    message = str(refusal.value)
    assert message.startswith("session 'x.bpes' is malformed: ")
    # An extension type is stopped by msgpack's own limit or by the type, whichever comes first.
    assert why in message or "max_ext_len" in message


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"\x81" * 2000 + b"\xc0", "malformed"),
        (b"\x91" * 100_000 + b"\xc0", "malformed"),
        (b"\xdd\xff\xff\xff\xff", "its small values would take over"),
        (b"\xdf\xff\xff\xff\xff", "its small values would take over"),
        (b"\xc6\xff\xff\xff\xff", "malformed"),
        (b"\xdb\xff\xff\xff\xff", "malformed"),
        (b"\x82\xa1a\x01\xa1a\x02", "a member is repeated"),
        (b"\x81\x01\x02", "not allowed for map key"),
        (b"\xa2\xff\xfe", "decode"),
        (b"\xc1", "malformed"),
        (b"", "malformed"),
        (b"\xc0\xc0", "malformed"),
        (b"\xc0", "the session must be an object, found None"),
    ],
)
def test_hostile_payloads_are_refused(payload: bytes, why: str) -> None:
    with pytest.raises(ArtifactRefusal, match=why):
        unpack(framed_payload(payload))


@pytest.mark.parametrize("version", [3, 200, 2**40])
def test_a_future_version_is_refused_as_one(version: int) -> None:
    data = MAGIC + msgpack.packb(version) + b"whatever the future brings"
    with pytest.raises(ArtifactRefusal, match=f"session 'x' has version {version}, this program reads 2: .* newer"):
        unpack(data, "x")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "'x' is no session of bpe-tui"),
        (b'["aaa"]', "'x' is no session of bpe-tui"),
        (MAGIC[:9], "'x' is cut short"),
        (MAGIC, "no version that this program knows"),
        (MAGIC + b"\x00", "no version that this program knows"),
        (MAGIC + b"\xa1z", "no version that this program knows"),
    ],
)
def test_what_is_no_session_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(ArtifactRefusal, match=why):
        unpack(data, "x")


def test_a_file_over_the_limit_is_refused_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pack(session_of())
    (tmp_path / "x").write_bytes(data)
    monkeypatch.setattr(codec, "MOST_BYTES", len(data) - 1)
    monkeypatch.setattr("sessions.store.MOST_BYTES", len(data) - 1)
    with pytest.raises(ArtifactRefusal, match=f"it has more than {len(data) - 1} bytes"):
        load(tmp_path / "x")
    with pytest.raises(ArtifactRefusal, match="over the most of"):
        pack(session_of())


def test_save_and_load(tmp_path: Path) -> None:
    session = session_of()
    save(tmp_path / "x.bpes", session)
    assert load(tmp_path / "x.bpes") == session
    assert holds_session(tmp_path / "x.bpes")


def test_a_refused_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "x", session_of())
    old = (tmp_path / "x").read_bytes()
    monkeypatch.setattr(codec, "MOST_BYTES", 10)
    with pytest.raises(ArtifactRefusal):
        save(tmp_path / "x", replace(session_of(), rank=1))
    assert (tmp_path / "x").read_bytes() == old


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    for name, why in (("missing", "no such file"), ("", "it is a folder"), ("a\0b", "not a usable path")):
        with pytest.raises(ArtifactRefusal, match=f"cannot read .*: {why}"):
            load(f"{tmp_path}/{name}")
        assert not holds_session(f"{tmp_path}/{name}")

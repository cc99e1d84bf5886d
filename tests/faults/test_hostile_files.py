"""Small files that ask for all memory: each is refused in one line that names it, under an address-space limit."""

import hashlib
import json
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgpack
import pytest

from engine.alphabet import Token
from engine.corpus.open import CorpusOptions, open_corpus
from engine.given import Given
from engine.limits import Limits
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.codec import MAGIC, pack
from sessions.restore import capture
from sessions.snapshot import Session

resource = pytest.importorskip("resource")
ROOM = 400 << 20
"""Bytes of address space that a command has: the interpreter and its libraries take a quarter."""
DOUBLINGS = 45
"""Merges of a token with itself: the last one would have 2^45 bytes."""


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


def refused(*arguments: str | Path) -> str:
    """The one line that a command says when it leaves with 1."""
    done = subprocess.run(
        [sys.executable, "-m", "bpe_tui", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=limited,
        text=True,
        check=False,
    )
    last = done.stderr.splitlines()[-1] if done.stderr else ""
    assert (done.returncode, last[:9]) == (1, "bpe-tui: "), done.stderr
    assert "Traceback" not in done.stderr
    return last


def session() -> Session:
    trainer = Trainer(open_corpus(b'["abab", "abac"]'), Policy())
    trainer.learn(2)
    return capture(trainer, "-", CorpusOptions())


def doublings(base: int) -> tuple[tuple[int, int], ...]:
    return ((97, 97), *((base + rank, base + rank) for rank in range(DOUBLINGS - 1)))


def resealed(session: Session, name: str, value: bytes) -> bytes:
    """A session's bytes with a member's packed value put in the place of its own, and the digest renewed."""
    payload = msgpack.unpackb(msgpack.unpackb(pack(session), strict_map_key=False)[2], unicode_errors="surrogatepass")
    front = msgpack.packb(name)
    mark = msgpack.packb({**payload, name: None}, unicode_errors="surrogatepass")
    assert mark.count(front + b"\xc0") == 1
    body = MAGIC + b"\x01" + msgpack.packb(mark.replace(front + b"\xc0", front + value))
    return bytes(body + msgpack.packb(hashlib.sha256(body).digest()))


def test_given_merges_that_double(tmp_path: Path) -> None:
    alphabet = tuple(Token(bytes([byte])) for byte in range(256))
    bomb = replace(session(), given=Given(alphabet, doublings(256), "x"), merges=(), rank=0, bookmarks=())
    (tmp_path / "given.bpes").write_bytes(pack(bomb))
    for command in ("show", "verify"):
        line = refused(command, tmp_path / "given.bpes")
        assert "given.bpes" in line
        assert "over the limit vocabulary_bytes=33554432" in line


@pytest.mark.parametrize("stated", [Limits(), Limits(vocabulary_bytes=2**63 - 2)])
def test_learned_merges_that_double_whatever_limits_the_session_states(tmp_path: Path, stated: Limits) -> None:
    whole = session()
    merges = tuple(replace(whole.merges[0], pair=pair) for pair in doublings(256))
    (tmp_path / "limits.bpes").write_bytes(pack(replace(whole, limits=stated, merges=merges, rank=DOUBLINGS)))
    for arguments in (("encode", "a"), ("convert", "-o", tmp_path / "x.tiktoken"), ("audit",)):
        line = refused(arguments[0], tmp_path / "limits.bpes", *arguments[1:])
        assert "limits.bpes" in line
        assert "over the limit" in line


def test_a_session_can_lower_the_bounds(tmp_path: Path) -> None:
    low = replace(session(), limits=Limits(vocabulary_bytes=257))
    (tmp_path / "low.bpes").write_bytes(pack(low))
    assert "over the limit vocabulary_bytes=257" in refused("encode", tmp_path / "low.bpes", "a")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/stdin", "/"])
def test_a_session_opens_regular_files_only(tmp_path: Path, path: str) -> None:
    whole = session()
    source = replace(whole.source, path=path, options=CorpusOptions(format="text"), format="text")
    (tmp_path / "path.bpes").write_bytes(pack(replace(whole, corpus=None, source=source)))
    for command in ("show", "verify"):
        line = refused(command, tmp_path / "path.bpes")
        assert "path.bpes" in line
        assert f"the session's corpus '{path}' is no regular file" in line


def test_what_a_session_reads_is_said(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("abab")
    trainer = Trainer(open_corpus(tmp_path / "c.txt"), Policy())
    trainer.learn(1)
    kept = capture(trainer, str(tmp_path / "c.txt"), CorpusOptions(), embed=False)
    (tmp_path / "s.bpes").write_bytes(pack(kept))
    done = subprocess.run(
        [sys.executable, "-m", "bpe_tui", "show", tmp_path / "s.bpes"], capture_output=True, text=True, check=True
    )
    assert done.stderr.startswith("reading the session's corpus '")
    assert "c.txt'" in done.stderr.splitlines()[0]


@pytest.mark.parametrize(
    "value",
    [
        b"\xdd" + struct.pack(">I", 4_000_000) + b"\x90" * 4_000_000,
        b"\xdd" + struct.pack(">I", 4_000_000) + b"\x80" * 4_000_000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdf" + struct.pack(">I", 900_000) + b"".join(b"\xa6%06x\x01" % name for name in range(900_000)),
    ],
    ids=["empty arrays", "empty maps", "an array said to be huge", "a map"],
)
def test_many_small_values_of_a_session(tmp_path: Path, value: bytes) -> None:
    (tmp_path / "many.bpes").write_bytes(resealed(session(), "held_out", value))
    line = refused("show", tmp_path / "many.bpes")
    assert "many.bpes" in line
    assert "its small values would take over" in line


def test_an_empty_base_token_is_none(tmp_path: Path) -> None:
    alphabet = (Token(b""), *(Token(bytes([byte])) for byte in range(256)))
    bomb = replace(session(), given=Given(alphabet, ((98, 99),), "x"))
    (tmp_path / "empty.bpes").write_bytes(pack(bomb))
    for arguments in (("show",), ("convert", "-o", tmp_path / "x.tiktoken")):
        line = refused(arguments[0], tmp_path / "empty.bpes", *arguments[1:])
        assert "base token 1 of the given merges is empty" in line
        assert "empty.bpes" in line


def test_rules_of_a_trace_that_double(tmp_path: Path) -> None:
    rules = "".join(
        f"RULE rank={rank} training_pair={left},{right} \n" for rank, (left, right) in enumerate(doublings(256))
    )
    (tmp_path / "x.trace").write_text(f"TRACE apply-bpe-tokenizer-v1 BEGIN\nLAYOUT\n{rules}")
    line = refused("verify", tmp_path / "x.trace")
    assert "x.trace" in line
    assert "over the limit vocabulary_bytes=33554432" in line


def test_a_trace_says_more_merges_than_its_bytes_can_hold(tmp_path: Path) -> None:
    tokens = ",".join(str(97 + at % 7 * (at % 3)) for at in range(1000))
    head = f"TRACE bpe-merges-v1 BEGIN\nSTAGE index=0\nDOCUMENT stage=0 id=a tokens={tokens}\n"
    (tmp_path / "x.trace").write_text(head + "MERGE \n" * 100_000)
    line = refused("verify", tmp_path / "x.trace")
    assert "x.trace" in line
    assert "invalid trace: line 4 has 'MERGE " in line


def many_strings() -> bytes:
    return b'{"model": {"vocab": {}, "merges": [' + b'"ab",' * 3_000_000 + b'"ab"]}}'


def many_members() -> bytes:
    return json.dumps({"model": {"vocab": {f"{at:x}": at for at in range(1_000_000)}, "merges": []}}).encode()


@pytest.mark.parametrize("content", [many_strings, many_members])
def test_many_small_values_of_json(tmp_path: Path, content: Callable[[], bytes]) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content())
    line = refused("convert", tmp_path / "tokenizer.json", "-o", tmp_path / "x.tiktoken")
    assert "tokenizer.json" in line
    assert "its small values would take" in line


@pytest.mark.parametrize(
    ("name", "head", "line"),
    [
        ("x.model", b"minbpe v1\n\n0\n", b"97 97\n"),
        ("x.codes", b"#version: 0.2\n", b"a b</w>\n"),
        ("x.tiktoken", b"YQ== 0\n", b"\n"),
        ("x.csv", b"rank,left,right,token_id,\n", b"\n"),
    ],
)
def test_many_lines(tmp_path: Path, name: str, head: bytes, line: bytes) -> None:
    (tmp_path / name).write_bytes(head + line * 2_000_000)
    said = refused("convert", tmp_path / name, "-o", tmp_path / "out.tiktoken")
    assert name in said
    assert "lines: at most" in said


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?R)", "has (?R, which calls a part of the pattern"),
        ("((?1)a|b)", "has (?1, which calls a part of the pattern"),
        ("(?<x>a(?&x)?)", "has (?&, which calls a part of the pattern"),
        ("(?P<x>a(?P>x)?)", "has (?P>, which calls a part of the pattern"),
        ("((a{1000}){1000}){1000}", "is too large"),
        ("(" * 1000 + "a" + ")" * 1000, "does not compile"),
    ],
)
def test_patterns_of_files(tmp_path: Path, pattern: str, why: str) -> None:
    (tmp_path / "x.model").write_text(f"minbpe v1\n{pattern}\n0\n97 98\n")
    line = refused("encode", tmp_path / "x.model", "ab")
    assert "x.model" in line
    assert why in line


def test_a_small_file_needs_little_more_than_the_interpreter(tmp_path: Path) -> None:
    (tmp_path / "run.bpes").write_bytes(pack(session()))
    done = subprocess.run(
        [sys.executable, "-m", "bpe_tui", "encode", tmp_path / "run.bpes", "abab"],
        capture_output=True,
        preexec_fn=limited,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["256", "256"], "rank 0 joins a and b"

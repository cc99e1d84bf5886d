"""subword-nmt's codes: segmented by the library as by us, read back, and broken."""

import codecs
import io
from dataclasses import replace
from pathlib import Path

import pytest
from format_samples import example_list, small_list, texts

from engine.errors import FormatRefusal
from engine.formats.base import HOW_CHOSEN
from engine.formats.checking import written
from engine.formats.subword_nmt import SUBWORD_NMT
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.tokenizer import Tokenizer

FUSED = Policy(
    alphabet="characters", end_of_word="fused", base_order="code-point", boundary="spaces", unmatched="dropped",
    tie_break="largest-symbols", min_count=2,
)  # fmt: skip
WORDS = FUSED.changed(boundary="whitespace")
SEPARATE = WORDS.changed(end_of_word="separate")


def read(tmp_path: Path, data: bytes) -> MergeList:
    path = tmp_path / "x.codes"
    path.write_bytes(data)
    assert SUBWORD_NMT.read is not None
    return SUBWORD_NMT.read(path, Limits())


def segmented(tokenizer: Tokenizer, word: str) -> list[str]:
    """What a tokenizer makes of a word, without the marks."""
    parts = [tokenizer.token(i) for i in tokenizer.encode(word.encode())]
    return [part.data.decode() for part in parts if part is not None and part.data]


@pytest.mark.parametrize("policy", [WORDS, SEPARATE], ids=["0.2", "0.1"])
def test_the_library_segments_equally(tmp_path: Path, policy: Policy) -> None:
    library = pytest.importorskip("subword_nmt.apply_bpe")
    merges = example_list(policy.changed(min_count=1), 2000)
    assert len(merges.pairs) > 700
    path = tmp_path / "run.codes"
    path.write_bytes(written(SUBWORD_NMT, merges)[""])
    with codecs.open(str(path), encoding="utf-8") as file:
        bpe = library.BPE(file)
    known = {token.data.decode() for token in merges.alphabet if not token.ends_word}
    last = {token.data.decode() for token in merges.alphabet if token.ends_word} if policy is WORDS else known
    tried = {word for text in texts(10_000) for word in text.split() if set(word) <= known and word[-1] in last}
    assert len(tried) > 1000
    tokenizer = merges.tokenizer()
    parted = [w for w in tried if bpe.segment_tokens([w]) != _joined(segmented(tokenizer, w))]
    assert parted == []


def _joined(parts: list[str]) -> list[str]:
    return [f"{part}@@" for part in parts[:-1]] + parts[-1:]


def test_hand_made_codes(tmp_path: Path) -> None:
    found = read(tmp_path, "#version: 0.2\nl o\nlo w</w>\nи\u2028 x\n".encode().replace("и".encode(), b""))
    assert [t.symbol for t in found.alphabet] == ["l", "o", "w</w>", "x", "\u2028"]
    assert [t.symbol for t in found.tokens()[5:]] == ["lo", "low</w>", "\u2028x"]
    assert found.policy.end_of_word == "fused"
    assert found.remarks == ()


def test_without_a_version_line_the_mark_is_a_symbol(tmp_path: Path) -> None:
    found = read(tmp_path, b"w </w>\r\nlo w</w>\n".replace(b"lo", b"o"))
    assert found.policy.end_of_word == "separate"
    assert [(t.data, t.ends_word) for t in found.tokens()] == [
        (b"", True), (b"o", False), (b"w", False), (b"w", True), (b"ow", True),
    ]  # fmt: skip
    assert found.remarks == ("no version line: read as version 0.1, where </w> is a symbol of its own",)


def test_bytes(tmp_path: Path) -> None:
    data = b"#version: 0.2 byte\n\xd0 \xb8\n\xd0 \xb8</w>\n\xd0\xb8 \xd0\xb8</w>\n\xff \t\n"
    found = read(tmp_path, data)
    assert [token.spelling for token in found.tokens()[512:]] == [
        b"\xd0\xb8", b"\xd0\xb8</w>", b"\xd0\xb8\xd0\xb8</w>", b"\xff\t",
    ]  # fmt: skip
    ids = found.tokenizer().encode("\u0438\u0438 \u0438".encode() + b"\xff\tx")
    assert ids == [512 + 2, 512 + 0, 512 + 3, 256 + ord("x")]
    assert written(SUBWORD_NMT, found)[""] == data


def test_repeated_merges_count_once(tmp_path: Path) -> None:
    found = read(tmp_path, b"#version: 0.2\na b\nb c</w>\na b\na bc</w>\nab c</w>\n")
    assert [t.symbol for t in found.tokens()[-3:]] == ["ab", "bc</w>", "abc</w>"]
    assert found.remarks == ("2 lines repeat an earlier merge, or join to what one makes: not used",)


def test_the_library_reads_back_what_was_written(tmp_path: Path) -> None:
    library = pytest.importorskip("subword_nmt.apply_bpe")
    merges = small_list(FUSED, 4, "low lower\u2028 lower\u2028 newest newest".encode())
    data = written(SUBWORD_NMT, merges)[""]
    tokens = merges.tokens()
    pairs = [(tokens[left].symbol, tokens[right].symbol) for left, right in merges.pairs]
    assert list(library.BPE(io.StringIO(data.decode(), newline="\n")).bpe_codes) == pairs[::-1]


def test_losses_are_said() -> None:
    assert SUBWORD_NMT.losses is not None
    assert SUBWORD_NMT.losses(small_list(WORDS, 1, b"ab ab\tcd")) == (
        HOW_CHOSEN,
        "token ids: the format has none",
        "2 base symbols that no merge joins: the library takes every character",
        "the boundary whitespace: the library cuts at spaces (U+0020) and nowhere else",
    )


def test_refused() -> None:
    assert SUBWORD_NMT.losses is not None
    with pytest.raises(FormatRefusal, match="alphabet=bytes and end_of_word=none"):
        SUBWORD_NMT.losses(small_list(Policy(), 1, b"abab"))
    with pytest.raises(FormatRefusal, match="white space inside"):
        SUBWORD_NMT.losses(small_list(FUSED, 1, b"a\nb a\nb"))
    with pytest.raises(FormatRefusal, match="not UTF-8"):
        written(SUBWORD_NMT, small_list(FUSED, 1, b"a\xff a\xff"))
    with pytest.raises(FormatRefusal, match="without any merge"):
        written(SUBWORD_NMT, small_list(FUSED, 0, b"ab"))
    with pytest.raises(FormatRefusal, match="two are spelled '</w>'"):
        written(SUBWORD_NMT, replace(small_list(SEPARATE, 0, b"</w>"), pairs=((1, 0), (5, 4), (6, 3))))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"#version: 0.3\na b\n", "line 1 is '#version: 0.3'"),
        (
            b"#version: 0.2 bytes\na b\n",
            "line 1 is '#version: 0.2 bytes': this program reads the versions 0.1, 0.2",
        ),
        (b"#version: 0.2 byte\n\xd0\xb8 a\n", "line 2 joins '\\u0438', which is no byte and made by no line above"),
        (b"#version: 0.2 byte\na <\nw >\n/ w>\na< /w>\n", "line 5 joins to 'a</w>', which is a base symbol"),
        (b"#version: 0.2\na\n", "line 2 is 'a'"),
        (b"#version: 0.2\na b c\n", "line 2 is 'a b c'"),
        (b"#version: 0.2\na  b\n", "line 2 is 'a  b'"),
        (b"#version: 0.2\n\na b\n", "line 2 is ''"),
        (b"#version: 0.2\nab c\n", "line 2 joins 'ab', which is no character and made by no line above"),
        (b"#version: 0.2\nabc ab\nab c\n", "line 2 joins 'abc'"),
        (b"#version: 0.2\na </w>\n", "line 2 joins '</w>'"),
        (b"#version: 0.2\na \xff\n", "byte 16 is not UTF-8"),
        (b"#version: 0.2\na " + b"b" * 100_000 + b"\n", "line 2 joins 'bbbb"),
    ],
)
def test_hostile_codes_are_refused_in_one_line(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(FormatRefusal) as refusal:
        read(tmp_path, data)
    assert says in str(refusal.value)
    assert "x.codes" in str(refusal.value)
    assert "\n" not in str(refusal.value)

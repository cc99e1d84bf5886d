"""tiktoken's rank files: loaded by the library, read back, and broken."""

import ast
import base64
from dataclasses import replace
from pathlib import Path

import pytest
from format_samples import example_list, outside_ids, small_list, texts

from engine.errors import FormatRefusal
from engine.formats.boundary import pattern_of
from engine.formats.checking import difference, written
from engine.formats.tiktoken import TIKTOKEN
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.policy import Policy

BYTES = b"".join(base64.b64encode(bytes([b])) + b" %d\n" % b for b in range(256))
POLICIES = {
    "course": Policy(),
    "framed": Policy(id_layout="framed"),
    "gpt2": Policy(boundary="gpt2", base_order="bytemap"),
    "cl100k": Policy(boundary="cl100k", tie_break="first-seen"),
    "o200k": Policy(boundary="o200k", special_tokens=("<|end|>",)),
    "words": Policy(boundary="whitespace"),
    "spaces": Policy(boundary="spaces"),
    "ascii": Policy(boundary="ascii-whitespace"),
    "lines": Policy(boundary="line"),
    "gpt2-by-line": Policy(boundary="gpt2-by-line"),
    "cl100k-by-line": Policy(boundary="cl100k-by-line"),
    "o200k-by-line": Policy(boundary="o200k-by-line"),
    "own": Policy(boundary=r"pattern:\p{L}+|\d"),
}


def read(tmp_path: Path, data: bytes, limits: Limits | None = None) -> MergeList:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(data)
    assert TIKTOKEN.read is not None
    return TIKTOKEN.read(path, limits or Limits())


@pytest.mark.parametrize("name", POLICIES)
def test_the_library_gives_equal_ids(tmp_path: Path, name: str) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    from tiktoken.load import load_tiktoken_bpe

    merges = example_list(POLICIES[name], 2000)
    path = tmp_path / "run.tiktoken"
    path.write_bytes(written(TIKTOKEN, merges)[""])
    encoding = tiktoken.Encoding(
        name, pat_str=pattern_of(merges.policy), mergeable_ranks=load_tiktoken_bpe(str(path)), special_tokens={}
    )
    tried = list(texts(10_000 if name in ("course", "gpt2") else 1_000))
    ours = outside_ids(merges, tried)
    theirs = encoding.encode_ordinary_batch(tried, num_threads=1)
    assert [(t, o, h) for t, o, h in zip(tried, ours, theirs, strict=True) if o != h][:1] == []
    assert len(merges.pairs) > 100


def test_the_library_takes_bos_and_eos_as_the_loss_says(tmp_path: Path) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    from tiktoken.load import load_tiktoken_bpe

    assert TIKTOKEN.losses is not None
    merges = example_list(POLICIES["framed"], 100)
    said = next(loss for loss in TIKTOKEN.losses(merges) if "special_tokens=" in loss)
    specials = ast.literal_eval(said.partition("special_tokens=")[2].removesuffix(" when loading"))
    path = tmp_path / "run.tiktoken"
    path.write_bytes(written(TIKTOKEN, merges)[""])
    encoding = tiktoken.Encoding(
        "run",
        pat_str=pattern_of(merges.policy),
        mergeable_ranks=load_tiktoken_bpe(str(path)),
        special_tokens=specials,
        explicit_n_vocab=358,
    )
    (ids,) = outside_ids(merges, ["the abc"])
    assert encoding.encode("<|bos|>the abc<|eos|>", allowed_special="all") == [0, *ids, 1]


def test_hand_made_file(tmp_path: Path) -> None:
    found = read(tmp_path, BYTES + b"YWI= 300\r\n\n" + b"YWJh 299\n" + b"YWJj 301\n")
    assert found.pairs == ((97, 98), (256, 99))
    assert found.ids == (*range(256), 300, 301)
    assert found.orphans == ((299, b"aba"),)
    assert "document" in found.remarks[0]
    assert found.remarks[1].startswith("1 entries that no two lower ranks make")


def test_orphans_are_written_again(tmp_path: Path) -> None:
    data = BYTES + b"YWJh 256\nYWI= 257\n"
    assert written(TIKTOKEN, read(tmp_path, data)) == {"": data}


def test_base_tokens_may_have_any_ranks(tmp_path: Path) -> None:
    merges = example_list(Policy(boundary="gpt2", base_order="bytemap"), 50)
    found = read(tmp_path, written(TIKTOKEN, merges)[""])
    assert found.policy.base_order == "bytemap"
    assert (found.alphabet, found.pairs, list(found.ids)) == (merges.alphabet, merges.pairs, list(merges.ids))


def test_losses_are_said() -> None:
    assert TIKTOKEN.losses is not None
    framed = TIKTOKEN.losses(small_list(Policy(id_layout="framed", special_tokens=("<s>",)), 1, b"abab"))
    assert framed[1] == r"the boundary document: give pat_str='[\\s\\S]+' when loading"
    specials = "{'<|bos|>': 0, '<|eos|>': 1, '<s>': 2}"
    assert framed[2] == f"3 special tokens: give special_tokens={specials} when loading"
    assert framed[3] == "that documents are framed: put BOS 0 and EOS 1 around encoded texts yourself"


def test_refused_before_writing() -> None:
    assert TIKTOKEN.losses is not None
    with pytest.raises(FormatRefusal, match="characters as base tokens"):
        TIKTOKEN.losses(small_list(Policy(alphabet="characters", base_order="code-point"), 1, b"abab"))
    merges = small_list(Policy(), 2, b"ababcdcd")
    with pytest.raises(FormatRefusal, match="merge 0 has id 257, but merge 1 has 256, and ids are never renumbered"):
        TIKTOKEN.losses(replace(merges, ids=(*range(256), 257, 256)))
    same = replace(merges, pairs=((97, 97), (256, 97), (97, 256)), ids=range(259))
    with pytest.raises(FormatRefusal, match="id 258"):
        TIKTOKEN.losses(same)


def test_another_order_of_replacement_does_not_read_back() -> None:
    """`aab` by its lower ranks is `aa` and `b`, whatever the list says."""
    merges = replace(small_list(Policy(), 0, b""), pairs=((97, 97), (97, 98), (97, 257)), ids=range(259))
    with pytest.raises(FormatRefusal, match="rank 2, 'a' and 'ab', reads back otherwise"):
        written(TIKTOKEN, merges)


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        (b"/", "line 256 is b'/'"),
        (b"YWI=\n", "line 256 is b'YWI='"),
        (b"YWI= 256 7\n", "line 256"),
        (b"YW!= 256\n", "line 256 has b'YW!=', which is not base64"),
        (b"YWI 256\n", "line 256 has b'YWI', which is not base64"),
        (b"YWI= 254\n", "line 256 gives rank 254 again"),
        (b"/w== 255\nYQ== 256\n", "repeats the token"),
        (b"YWI= -1\n", "line 256 has rank b'-1'"),
        (b"YWI= 4294967296\n", "line 256 has rank b'4294967296'"),
        (b"YWI= " + b"9" * 5000 + b"\n", "line 256 has rank b'9999"),
        (b"YWI= \xd9\xa1\n", "line 256 has rank"),
        (b"\x00\n", "line 256"),
        (b"", "no token for byte 255"),
        (b"/w== 25", "line 256 gives rank 25 again"),
    ],
)
def test_hostile_files_are_refused_in_one_line(tmp_path: Path, tail: bytes, says: str) -> None:
    with pytest.raises(FormatRefusal) as refusal:
        read(tmp_path, BYTES[:-9] + tail)
    assert says in str(refusal.value)
    assert "x.tiktoken" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_expansions_are_bounded(tmp_path: Path) -> None:
    long = BYTES + b"".join(base64.b64encode(b"a" * 2**n) + b" %d\n" % (255 + n) for n in range(1, 12))
    assert len(read(tmp_path, long).pairs) == 11
    with pytest.raises(FormatRefusal, match="token_bytes"):
        read(tmp_path, long, Limits(token_bytes=1000))


def test_difference_finds_one_changed_id() -> None:
    merges = small_list(Policy(), 2, b"ababcdcd")
    assert difference(merges, merges, ids=True) is None
    assert difference(merges, replace(merges, ids=(*range(257), 300)), ids=True) == "rank 1, 'c' and 'd',"
    assert difference(merges, replace(merges, ids=(*range(1, 257), 0, 257)), ids=True) == "the base tokens or their ids"
    assert difference(merges, replace(merges, pairs=merges.pairs[:1]), ids=False) == "the number of merges, 2,"

"""Our own records of merges, JSON Lines and CSV, read back as lists."""

import json
from pathlib import Path

import pytest

from engine.errors import FormatRefusal
from engine.formats.registry import format_of, read_any
from engine.merge_list import MergeList

HEAD = "rank,left,right,token_id,candidate_count,replacements,bytes_hex,shown"
A, B = 97, 98


def read(tmp_path: Path, name: str, *lines: str) -> MergeList:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_any(path)


def record(rank: int, left: int, right: int, token: int, data: str, **more: object) -> str:
    return json.dumps({"rank": rank, "pair": [left, right], "token_id": token, "bytes_hex": data, **more})


def test_json_lines_with_and_without_a_summary(tmp_path: Path) -> None:
    lines = [record(0, A, B, 256, "6162"), record(1, 256, A, 257, "616261")]
    bare = read(tmp_path, "bare.jsonl", *lines)
    assert (bare.format, bare.pairs, [*bare.ids[:2]], bare.ids[-1]) == ("jsonl", ((A, B), (256, A)), [0, 1], 257)
    said = json.dumps({"summary": {"policy": "bpe boundary=gpt2 tie_break=first-seen", "corpus": "x"}})
    told = read(tmp_path, "told.jsonl", *lines, said)
    assert (told.pairs, told.policy.boundary, told.policy.tie_break) == (bare.pairs, "gpt2", "first-seen")


def test_framed_ids_and_the_order_of_base_tokens_follow_from_the_bytes(tmp_path: Path) -> None:
    framed = read(tmp_path, "framed.csv", HEAD, "0,99,100,258,3,3,6162,ab")
    assert (framed.pairs, framed.ids[0], framed.ids[-1]) == (((A, B),), 2, 258)
    # GPT-2's letters: ! is the first of the printable bytes, so a is 64 and b is 65
    mapped = read(tmp_path, "mapped.csv", HEAD, "0,64,65,256,3,3,6162,ab")
    assert (mapped.policy.base_order, mapped.alphabet[64].data, mapped.pairs) == ("bytemap", b"a", ((64, 65),))


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("a.csv", [HEAD, "0,97,98,256,1,1,6163,x"], "line 2 gives token 256 the bytes '6163', which its pair has not"),
        ("a.csv", [HEAD, "0,97,300,256,1,1,6162,x"], "line 2 gives token 256"),
        ("a.csv", [HEAD, "0,97,98,700,1,1,6162,x"], "line 2 makes token 700: expected 256, or 258"),
        ("a.csv", [HEAD, "1,97,98,256,1,1,6162,x"], "row 2 is no merge of rank 0"),
        ("a.csv", [HEAD, "0,97"], "row 2 is no merge of rank 0"),
        ("a.csv", [HEAD], "it has no merge"),
        ("a.csv", [HEAD, '0,97,98,256,1,1,"61'], "it is no table of merges"),
        ("a.jsonl", [record(0, A, B, 256, "6162"), record(2, A, A, 257, "6161")], "line 2 has rank 2, expected 1"),
        ("a.jsonl", [record(0, A, B, 256, "6162"), record(1, A, B, 257, "6162")], "repeats the pair"),
        ("a.jsonl", [record(0, A, B, 256, "6162"), "{"], "is no record of merges"),
        ("a.jsonl", [record(0, A, B, 256, "6162").replace("[97, 98]", "[97]")], "line 1 has a pair of 1"),
        (
            "a.jsonl",
            [record(0, 0, 1, 2, "6162"), '{"summary": {"policy": "bpe alphabet=characters base_order=code-point"}}'],
            "its base tokens are the characters of its corpus, which it does not hold",
        ),
        (
            "a.jsonl",
            [record(0, 0, 1, 2, "6162"), '{"summary": {"policy": "bpe base_bytes=seen"}}'],
            "its base tokens are the bytes of its corpus, which it does not hold",
        ),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(tmp_path: Path, name: str, lines: list[str], message: str) -> None:
    with pytest.raises(FormatRefusal) as refused:
        read(tmp_path, name, *lines)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_doubling_records_cannot_claim_more_than_the_file_holds(tmp_path: Path) -> None:
    lines = [record(rank, 255 + rank if rank else A, 255 + rank if rank else A, 256 + rank, "61") for rank in range(60)]
    with pytest.raises(FormatRefusal, match="line 1 gives token 256"):
        read(tmp_path, "double.jsonl", *lines)


def test_records_are_known_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(record(0, A, B, 256, "6162"))
    (tmp_path / "y").write_text(HEAD + "\n")
    assert [format_of(tmp_path / name).name for name in "xy"] == ["jsonl", "csv"]

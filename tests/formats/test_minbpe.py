"""minbpe's `.model`: loaded by a reader written from the format's description, read back, and broken."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from format_samples import example_list, outside_ids, small_list, texts

from engine.errors import FormatRefusal
from engine.formats.base import HOW_CHOSEN
from engine.formats.boundary import pattern_of
from engine.formats.checking import difference, written
from engine.formats.minbpe import MINBPE
from engine.limits import FILE_LIMITS
from engine.merge_list import MergeList
from engine.policy import Policy

POLICIES = {
    "course": Policy(),
    "minbpe": Policy(boundary="gpt2", unmatched="dropped", tie_break="first-seen"),
    "cl100k": Policy(boundary="cl100k"),
    "words": Policy(boundary="whitespace"),
    "own": Policy(boundary=r"pattern: \w+|\w+"),
}


def load(text: str) -> tuple[str, dict[tuple[int, int], int]]:
    """The pattern and the merges of a model file, without a line of ours."""
    lines = text.split("\n")
    assert lines[0] == "minbpe v1"
    specials = int(lines[2])
    merges = [tuple(map(int, line.split())) for line in lines[3 + specials :] if line]
    return lines[1], {(left, right): 256 + i for i, (left, right) in enumerate(merges)}


def encode(pattern: str, merges: dict[tuple[int, int], int], text: str) -> list[int]:
    """Encodes as minbpe does: chunk by chunk, the pair of the lowest id first, everywhere."""
    encoded = []
    for chunk in regex.findall(pattern, text) if pattern else [text]:
        ids = list(chunk.encode())
        while pairs := [p for p in pairwise(ids) if p in merges]:
            best = min(pairs, key=lambda p: merges[p])
            new, i = [], 0
            while i < len(ids):
                hit = tuple(ids[i : i + 2]) == best
                new.append(merges[best] if hit else ids[i])
                i += 1 + hit
            ids = new
        encoded += ids
    return encoded


def read(tmp_path: Path, data: bytes) -> MergeList:
    path = tmp_path / "x.model"
    path.write_bytes(data)
    assert MINBPE.read is not None
    return MINBPE.read(path, FILE_LIMITS)


@pytest.mark.parametrize("name", POLICIES)
def test_a_loaders_ids_are_equal(name: str) -> None:
    merges = example_list(POLICIES[name], 400)
    pattern, table = load(written(MINBPE, merges)[""].decode())
    tried = list(texts(500))
    assert [encode(pattern, table, text) for text in tried] == outside_ids(merges, tried)


@pytest.mark.parametrize("name", POLICIES)
def test_what_is_read_cuts_as_before(tmp_path: Path, name: str) -> None:
    merges = example_list(POLICIES[name], 100)
    data = written(MINBPE, merges)[""]
    found = read(tmp_path, data)
    tried = list(texts(500))
    assert outside_ids(found, tried) == outside_ids(merges, tried)
    assert written(MINBPE, found) == {"": data}


def test_hand_made_file(tmp_path: Path) -> None:
    found = read(tmp_path, b"minbpe v1\r\n\\p{L}+\r\n1\r\n<|end|> 300\r\n97 98\r\n256 99\r\n")
    assert found.pairs == ((97, 98), (256, 99))
    assert found.specials == (("<|end|>", 300),)
    assert (found.policy.boundary, found.policy.unmatched) == (r"pattern:\p{L}+", "dropped")
    assert list(found.ids) == [*range(258)]


def test_basic_files_have_an_empty_pattern(tmp_path: Path) -> None:
    assert written(MINBPE, small_list(Policy(), 1, b"abab")) == {"": b"minbpe v1\n\n0\n97 98\n"}
    assert read(tmp_path, b"minbpe v1\n\n0\n97 98\n").policy.boundary == "document"


def test_refused_before_writing() -> None:
    assert MINBPE.losses is not None
    plain = small_list(Policy(), 1, b"abab")
    assert MINBPE.losses(plain) == (HOW_CHOSEN,)
    for merges, says in (
        (small_list(Policy(id_layout="framed"), 1, b"abab"), "its first is 2"),
        (small_list(Policy(base_order="bytemap"), 1, b"abab"), "other base tokens"),
        (small_list(Policy(alphabet="characters", base_order="code-point"), 1, b"abab"), "other base tokens"),
        (replace(plain, specials=(("a b", 300),)), "splits at white space"),
        (replace(plain, specials=(("<s>", 256),)), "no id 256"),
        (replace(plain, policy=Policy(boundary="pattern:a\nb")), "several lines"),
        (replace(plain, policy=Policy(boundary="pattern:(a)b")), "capture groups"),
    ):
        with pytest.raises(FormatRefusal, match=says):
            MINBPE.losses(merges)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"minbpe v2\n\n0\n", "line 1 is 'minbpe v2'"),
        (b"minbpe v1\n", "cut short"),
        (b"minbpe v1\n\nx\n", "line 3 has 'x'"),
        (b"minbpe v1\n\n" + b"9" * 4000 + b"\n", "line 3 has '9999"),
        (b"minbpe v1\n\n7\n97 98\n", "promises 7 special tokens, but 1 lines follow"),
        (b"minbpe v1\n\n1\na b 300\n", "line 4 is 'a b 300'"),
        (b"minbpe v1\n\n1\n<s> 256\n97 98\n", "special token '<s>' has id 256"),
        (b"minbpe v1\n\n2\n<s> 300\n<s> 301\n", "line 5 gives special token '<s>' again"),
        (b"minbpe v1\n\n0\n97\n", "line 4 is '97'"),
        (b"minbpe v1\n\n0\n97 -1\n", "line 4 has '-1'"),
        (b"minbpe v1\n\n0\n97 256\n", "merge rank 0 uses unknown token 256"),
        (b"minbpe v1\n\n0\n97 98\n97 98\n", "merge rank 1 repeats the pair (97, 98)"),
        (b"minbpe v1\n\n0\n97 98\n\n98 99\n", "line 5 is ''"),
        (b"minbpe v1\n\n0\n97 98\xff\n", "byte 18 is not UTF-8"),
        (b"minbpe v1\n(\n0\n", "line 2: boundary pattern '(' does not compile"),
        (b"minbpe v1\na*\n0\n", "line 2: boundary pattern 'a*' matches the empty string"),
        (b"minbpe v1\n(a)b\n0\n", "capture groups"),
    ],
)
def test_hostile_files_are_refused_in_one_line(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(FormatRefusal) as refusal:
        read(tmp_path, data)
    assert says in str(refusal.value)
    assert "x.model" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_doubling_is_bounded(tmp_path: Path) -> None:
    """Each merge doubles the last: forty lines stand for a terabyte."""
    lines = "".join(f"{i} {i}\n" for i in (97, *range(256, 295)))
    with pytest.raises(FormatRefusal, match="vocabulary_bytes"):
        read(tmp_path, f"minbpe v1\n\n0\n{lines}".encode())


def test_kept_gaps_are_in_the_pattern() -> None:
    for boundary in ("spaces", "ascii-whitespace", "whitespace", r"pattern:\d+|[a-c]"):
        merges = small_list(Policy(boundary=boundary), 0, b"a")
        pattern = pattern_of(merges.policy)
        assert "".join(regex.findall(pattern, "a1 \t b22\u00a0\n ..c")) == "a1 \t b22\u00a0\n ..c"
    assert difference(small_list(Policy(), 1, b"abab"), small_list(Policy(), 1, b"abab"), ids=True) is None

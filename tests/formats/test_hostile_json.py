"""Hostile JSON: one clear line each, naming the file and the place; never a traceback, a hang or much memory."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizer_json import BYTE_LEVEL, byte_vocab, characters, document, read, sequence, special, split

import engine.formats.files
from engine.errors import FormatRefusal, LimitRefusal, Refusal
from engine.formats.base import FileFormat
from engine.formats.gpt2 import GPT2
from engine.formats.huggingface import HUGGINGFACE
from engine.formats.tekken import TEKKEN
from engine.limits import UNLIMITED, Limits

AB = byte_vocab("ab", "abc")
MERGES = [["a", "b"], ["ab", "c"]]
WHOLE = json.dumps(document(AB, MERGES)).encode()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"", "expecting value at column 1"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"\x1f\x8b\x08", "byte 1 is not UTF-8"),
        (b'{"model": {"vocab": {}, "vocab": {}}}', "repeated member 'vocab'"),
        (b'{"model": {"vocab": {"a": 0, "a": 1}, "merges": []}}', "repeated member 'a'"),
        (b'{"model": ' + b"[" * 100_000, "nested deeper than 128 levels"),
        (b'{"model": ' + b"[" * 200 + b"]" * 200 + b"}", "nested deeper than 128 levels"),
        (b'{"model": NaN}', "NaN is not a JSON value"),
        (b'{"model": 1' + b"0" * 5000 + b"}", "number out of range"),
        (b'{"model": "\\ud800"}', "unpaired surrogate escape"),
        (b"[]", "the file must be an object, found an array"),
        (b"{}", "the file has no member 'model'"),
        ({"model": 5}, "member 'model' of the file must be an object, found 5"),
        ({"model": {"type": "Unigram", "vocab": []}}, "its model is 'Unigram': only BPE has merges to read"),
        ({"model": {"type": "WordPiece", "vocab": {}}}, "its model is 'WordPiece': only BPE"),
        ({"model": {"type": "WordLevel", "vocab": {}}}, "its model is 'WordLevel': only BPE"),
        ({"model": {"vocab": {}}}, "its model is 'without merges': only BPE"),
        ({"model": {"type": ["BPE"]}}, "model.type must be a string, found an array"),
        ({"model": {"type": "BPE", "vocab": [], "merges": []}}, "member 'vocab' of model must be an object"),
        ({"model": {"type": "BPE", "vocab": {}, "merges": {}}}, "member 'merges' of model must be an array"),
        (document({**AB, "ab": -1}, MERGES), r"model.vocab\['ab'\] must be an integer from 0 to 4294967295, found -1"),
        (document({**AB, "ab": 2**32}, MERGES), r"model.vocab\['ab'\] must be an integer"),
        (document({**AB, "ab": 10**300}, MERGES), r"model.vocab\['ab'\] must be an integer"),
        (document({**AB, "ab": 1.0}, MERGES), r"model.vocab\['ab'\] must be an integer"),
        (document({**AB, "ab": None}, MERGES), r"model.vocab\['ab'\] must be an integer"),
        (document({**AB, "ab": 97}, MERGES), "'a' and 'ab' have one id, 97"),
        (document(AB, [5]), "merge 0 is 5: two tokens are needed"),
        (document(AB, [["a", "b", "c"]]), "merge 0 is .* two tokens are needed"),
        (document(AB, ["a b c"]), "merge 0 is 'a b c': two tokens are needed"),
        (document(AB, ["ab"]), "merge 0 is 'ab': two tokens are needed"),
        (document(AB, [["a", 5]]), "merge 0 is .* two strings are needed"),
        (
            document(AB, [["a", "b"], ["ab", "\x1b[2J"]]),
            r"merge 1 has '\\x1b\[2J', which is no token of the vocabulary",
        ),
        (document(AB, [["a", "c"]]), "merge 0 has 'ac', which is no token of the vocabulary"),
        (document({**AB, "": 900}, [["a", ""]]), "merge 0 has '', which is no token"),
        (document(AB, [["ab", "c"], ["a", "b"]]), "merge 0 uses 'ab', which no earlier merge makes: sort them"),
        (document(AB, [["a", "b"], ["a", "b"]]), "merge 1 repeats .*merge 0: keep one"),
        (document(AB, [["a", "b"], ["ab", "c"], ["a", "b"]]), "merge 2 repeats .*merge 0: keep one"),
        (document(AB, MERGES, pre_tokenizer=sequence(split({"Regex": "a" * 99_999}), BYTE_LEVEL)), "at most 10000 are"),
        (document(AB, MERGES, pre_tokenizer=sequence(split({"Regex": "(" * 9_000}), BYTE_LEVEL)), "does not compile"),
        (document(AB, MERGES, added_tokens=5), "added_tokens must be an array, found 5"),
        (document(AB, MERGES, added_tokens=[{}]), r"added_tokens\[0\] has no member 'id'"),
        (document(AB, MERGES, added_tokens=[special("", 900)]), r"added_tokens\[0\] has an empty text"),
        (
            document(AB, MERGES, added_tokens=[special("<s>", 900), special("<s>", 900)]),
            r"added_tokens\[1\] repeats '<s>' of added_tokens\[0\]: keep one",
        ),
        (document(AB, MERGES, added_tokens=[special("ab", 900)]), "added token 'ab' has id 900, but 256 in the vocab"),
        (document(AB, MERGES, added_tokens=[special("x", 256)]), "'ab' and 'x' have one id, 256"),
        (
            document(AB, MERGES, added_tokens=[{**special("x", 900), "special": 5}]),
            r"added_tokens\[0\].special must be",
        ),
        (document(AB, MERGES, model_dropout="much"), "model.dropout must be a number, found 'much'"),
        (document(AB, MERGES, model_ignore_merges=1), "model.ignore_merges must be true or false, found 1"),
        (document(AB, MERGES, normalizer={"type": "Sequence"}), "normalizer has no member 'normalizers'"),
        (document(AB, MERGES, post_processor=[]), "post_processor must be an object, found an array"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, value: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(FormatRefusal, match=message) as caught:
        read(tmp_path, value)
    text = str(caught.value)
    assert "tokenizer.json'" in text
    assert text.isprintable()
    assert len(text) < 400


@pytest.mark.parametrize("size", range(1, len(WHOLE) - 1, 997))
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, size: int) -> None:
    with pytest.raises(FormatRefusal, match=r"tokenizer\.json': \w"):
        read(tmp_path, WHOLE[:size])


def test_a_word_cannot_go_on_behind_its_end(tmp_path: Path) -> None:
    value = characters("ab", ("a</w>", "a</w>b"), [["a</w>", "b"]], model_end_of_word_suffix="</w>")
    with pytest.raises(FormatRefusal, match="merge 0 goes on behind the end of a word"):
        read(tmp_path, value)


def test_letters_that_spell_the_suffix_are_letters(tmp_path: Path) -> None:
    names = ("</", "w>", "</w>", "ba", "ba</", "ba</w>")
    merges = [["<", "/"], ["w", ">"], ["</", "w>"], ["b", "a"], ["ba", "</"], ["ba", "</w>"], ["ba</", "w>"]]
    found = read(tmp_path, characters("ab</w>", names, merges, model_end_of_word_suffix="</w>"))
    assert [found.tokens()[part].data for part in found.pairs[-1]] == [b"ba", b"</w>"], "</w> is made before ba</"
    assert not any(token.ends_word for token in found.tokens())
    assert found.remarks[0].startswith("1 merges make a token in another way")


def test_the_size_of_a_file_and_of_its_expansions_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a" * 2**n for n in range(1, 16)]
    value = document(byte_vocab(*names), [[name[: len(name) // 2]] * 2 for name in names])
    assert len(read(tmp_path, value).pairs) == 15
    path = tmp_path / "tokenizer.json"
    assert HUGGINGFACE.read is not None
    with pytest.raises(LimitRefusal, match="token_bytes=9999"):
        HUGGINGFACE.read(path, Limits(token_bytes=9999))
    path.write_bytes(b'{"model": [' + b"[]," * (1 << 21) + b"[]]}")
    with pytest.raises(FormatRefusal, match="would take 268436096 bytes of memory: at most 218103928"):
        HUGGINGFACE.read(path, UNLIMITED)
    monkeypatch.setattr(engine.formats.files, "MOST_BYTES", 1000)
    with pytest.raises(FormatRefusal, match="it has more than 1000 bytes"):
        HUGGINGFACE.read(path, UNLIMITED)


def test_no_file_and_no_regular_file_are_refused(tmp_path: Path) -> None:
    for format in (HUGGINGFACE, GPT2, TEKKEN):
        assert format.read is not None
        for path in (tmp_path / "absent.json", tmp_path):
            with pytest.raises(FormatRefusal, match="give"):
                format.read(path, UNLIMITED)


MEMBERS = (
    "type", "vocab", "merges", "pretokenizers", "pattern", "Regex", "id", "content", "a", "b", "ab", "processors",
    "single", "special_tokens", "Sequence", "SpecialToken", "ids",
)  # fmt: skip
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 300)
    | st.sampled_from(["BPE", "ByteLevel", "Split", "TemplateProcessing", "Sequence", "A", "a", "a b", "ab", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(MEMBERS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["model", "added_tokens", "pre_tokenizer", "post_processor", "normalizer", "config", "vocab"]),
        JSON,
    )
)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: dict[str, object]) -> None:
    folder = tmp_path_factory.mktemp("any")
    path = folder / "vocab.json"
    (folder / "merges.txt").write_bytes(b"a b\n")
    for given_value in (value, {**document(AB, MERGES), **value}):
        path.write_text(json.dumps(given_value))
        for format in (HUGGINGFACE, GPT2, TEKKEN):
            assert "\n" not in said(format, path)


def said(format: FileFormat, path: Path) -> str:
    """What a file is refused with, nothing where it is read; anything but a refusal is the test's end."""
    assert format.read is not None
    try:
        format.read(path, UNLIMITED)
    except Refusal as error:
        return str(error)
    return ""

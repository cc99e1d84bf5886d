"""`tokenizer.json` and the real library: equal ids both ways, token for token."""

import json
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from format_samples import EXAMPLE, example_list, outside_ids, texts
from hypothesis import given
from hypothesis import strategies as st
from tokenizer_json import characters, read

from engine.alphabet import END_OF_WORD
from engine.corpus.open import CorpusOptions, open_corpus
from engine.formats.huggingface import HUGGINGFACE
from engine.merge_list import MergeList
from engine.policy import PATTERN, Policy
from engine.tokenizer import Tokenizer
from engine.trainer import Trainer

tokenizers = pytest.importorskip("tokenizers")
models, decoders, trainers = tokenizers.models, tokenizers.decoders, tokenizers.trainers
cutters = tokenizers.pre_tokenizers

MANY = 10_000
SPECIAL = "<|end|>"
CHARACTERS = Policy(alphabet="characters", base_order="by-frequency", boundary="whitespace", unmatched="dropped")


def loaded(merges: MergeList) -> Any:  # noqa: ANN401
    """What the library makes of our file; the texts of special tokens stay content, as they do here."""
    assert HUGGINGFACE.write is not None
    tokenizer = tokenizers.Tokenizer.from_str(HUGGINGFACE.write(merges)[""].decode())
    tokenizer.encode_special_tokens = True
    return tokenizer


def library_ids(tokenizer: Any, samples: Sequence[str]) -> list[list[int]]:  # noqa: ANN401
    return [encoding.ids for encoding in tokenizer.encode_batch(samples, add_special_tokens=False)]


def known_texts(merges: MergeList, number: int) -> list[str]:
    """Texts of characters that the alphabet has, where a word ends with them too."""
    known = {token.data.decode() for token in merges.alphabet if not token.ends_word}
    ending = {token.data.decode() for token in merges.alphabet if token.ends_word} or known
    found = [" ".join(w for w in text.split() if set(w) <= known and w[-1] in ending) for text in texts(number)]
    return [text for text in found if text]


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(boundary="gpt2", base_order="bytemap"),
        Policy(boundary="cl100k"),
        Policy(id_layout="framed", special_tokens=(SPECIAL, "the")),
    ],
    ids=["document", "gpt2", "cl100k", "framed"],
)
def test_the_library_gives_our_ids_to_ten_thousand_texts(policy: Policy) -> None:
    merges = example_list(policy, 1000)
    samples = list(texts(MANY))
    tokenizer = loaded(merges)
    ours = outside_ids(merges, samples)
    assert library_ids(tokenizer, samples) == ours
    assert tokenizer.decode_batch(ours[:500]) == samples[:500]
    if policy.id_layout == "framed":
        assert tokenizer.token_to_id(SPECIAL) == 2
        assert min(chain.from_iterable(ours)) >= 4, "0 and 1 frame documents, 2 and 3 are special"


@pytest.mark.parametrize(
    "policy",
    [Policy(id_layout="framed"), Policy(id_layout="framed", boundary="gpt2", special_tokens=(SPECIAL,))],
    ids=["document", "gpt2"],
)
def test_asked_for_special_tokens_the_library_frames_as_we_do(policy: Policy) -> None:
    merges = example_list(policy, 1000)
    samples = list(texts(MANY))
    tokenizer = loaded(merges)
    ours = Tokenizer.from_pairs(policy, merges.base(), merges.pairs)
    framed = [ours.frame(ours.encode(text.encode())) for text in samples]
    assert [encoding.ids for encoding in tokenizer.encode_batch(samples)] == framed
    assert library_ids(tokenizer, samples) == [ids[1:-1] for ids in framed]
    assert tokenizer.decode_batch(framed[:500]) == samples[:500]
    two = tokenizer.encode("ab", "c")
    assert two.ids == [*ours.frame(ours.encode(b"ab")), *ours.frame(ours.encode(b"c"))]
    assert (two.type_ids[0], two.type_ids[-1]) == (0, 1)


def test_characters_are_framed_too() -> None:
    policy = CHARACTERS.changed(id_layout="framed")
    merges = example_list(policy, 100)
    samples = known_texts(merges, 2000)
    ours = Tokenizer.from_pairs(policy, merges.base(), merges.pairs)
    framed = [ours.frame(ours.encode(text.encode())) for text in samples]
    assert [encoding.ids for encoding in loaded(merges).encode_batch(samples)] == framed


@pytest.mark.parametrize("unmatched", ["kept", "dropped"])
@pytest.mark.parametrize(
    "boundary",
    [
        *("line", "spaces", "ascii-whitespace", "whitespace", "o200k", "gpt2-by-line", "cl100k-by-line"),
        *("o200k-by-line", r"pattern:\p{L}+|\p{N}"),
    ],
)
def test_every_boundary_of_bytes_has_its_equal(boundary: str, unmatched: str) -> None:
    merges = example_list(Policy(boundary=boundary, unmatched=unmatched), 300)
    samples = list(texts(2000))
    assert library_ids(loaded(merges), samples) == outside_ids(merges, samples)


@pytest.mark.parametrize("end_of_word", ["none", "fused"])
@pytest.mark.parametrize("boundary", ["whitespace", r"pattern:\w+|[^\w\s]+"])
def test_characters_too(end_of_word: str, boundary: str) -> None:
    merges = example_list(CHARACTERS.changed(end_of_word=end_of_word, boundary=boundary), 400)
    samples = known_texts(merges, 4000)
    if boundary.startswith(PATTERN):
        samples = [text for text in samples if text.replace(" ", "").isalpha()]
    assert len(samples) > 500
    assert library_ids(loaded(merges), samples) == outside_ids(merges, samples)


def trained(cut: Any, **options: Any) -> Any:  # noqa: ANN401
    """What the library trains on the example corpus."""
    suffix = options.get("end_of_word_suffix")
    tokenizer = tokenizers.Tokenizer(models.BPE(end_of_word_suffix=suffix) if suffix else models.BPE())
    tokenizer.pre_tokenizer = cut
    documents = open_corpus(EXAMPLE, CorpusOptions()).documents
    tokenizer.train_from_iterator(
        [d.data[:].decode() for d in documents], trainers.BpeTrainer(show_progress=False, **options)
    )
    return tokenizer


def byte_level(*cuts: Any) -> Any:  # noqa: ANN401
    level = cutters.ByteLevel(add_prefix_space=False, use_regex=not cuts, trim_offsets=False)
    return cutters.Sequence([*cuts, level]) if cuts else level


@pytest.mark.parametrize("old", [False, True], ids=["pairs", "strings"])
@pytest.mark.parametrize(
    ("cut", "boundary"),
    [
        (byte_level(), "gpt2"),
        (byte_level(cutters.Split(tokenizers.Regex(r"\p{L}+|\s"), "isolated")), r"pattern:\p{L}+|\s"),
        (byte_level(cutters.Split(". ", "isolated")), r"pattern:\. "),
        (cutters.ByteLevel(add_prefix_space=False, use_regex=False), "document"),
    ],
)
def test_what_the_library_trained_is_read_with_its_ids(tmp_path: Path, cut: Any, boundary: str, old: bool) -> None:  # noqa: ANN401
    alphabet = cutters.ByteLevel.alphabet()
    tokenizer = trained(cut, vocab_size=700, special_tokens=["<s>", SPECIAL], initial_alphabet=alphabet)
    value = json.loads(tokenizer.to_str())
    if old:
        value["model"]["merges"] = [" ".join(pair) for pair in value["model"]["merges"]]
    found = read(tmp_path, value)
    assert (found.policy.boundary, found.specials, len(found.ids)) == (boundary, (("<s>", 0), (SPECIAL, 1)), 698)
    samples = list(texts(2000))
    tokenizer.encode_special_tokens = True
    assert outside_ids(found, samples) == library_ids(tokenizer, samples)


@pytest.mark.parametrize("cuts", [True, False], ids=["gpt2", "document"])
def test_a_space_in_front_is_put_there_as_in_the_library(tmp_path: Path, cuts: bool) -> None:
    """In training too: the first word of a document has a space; texts that begin with other white space get one."""
    level = cutters.ByteLevel(add_prefix_space=True, use_regex=cuts)
    alphabet = cutters.ByteLevel.alphabet()
    tokenizer = trained(level, vocab_size=700, initial_alphabet=alphabet)
    found = read(tmp_path, json.loads(tokenizer.to_str()))
    assert (found.remarks, found.policy.normalizer) == ((), "prefix-space")
    own = Trainer(open_corpus(EXAMPLE, CorpusOptions(split="none")), found.policy)
    own.seek(444)
    assert tuple(own.merge_list()) == found.pairs
    samples = [*texts(MANY), *("\ta", "\na", "\u00a0a", "\u3000a", " a", "  a", "a", " ", "\ufeffa", "\0", "日本")]
    ours = outside_ids(found, samples)
    assert library_ids(tokenizer, samples) == ours
    assert library_ids(loaded(found), samples) == ours
    assert loaded(found).decode_batch(ours[-5:]) == [" a", " ", " \ufeffa", " \0", " 日本"]


def test_files_get_a_space_in_front_of_every_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"".join(d.data[:].replace(b" ", b"\n", 3) + b"\n  \n" for d in open_corpus(EXAMPLE).documents))
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = cutters.ByteLevel()
    options = {"show_progress": False, "initial_alphabet": cutters.ByteLevel.alphabet()}
    tokenizer.train([str(path)], trainers.BpeTrainer(vocab_size=700, **options))
    found = read(tmp_path, json.loads(tokenizer.to_str()))
    own = Trainer(open_corpus(path, CorpusOptions(format="lines")), found.policy)
    own.seek(444)
    assert tuple(own.merge_list()) == found.pairs
    assert len(found.pairs) == 444


@pytest.mark.parametrize("suffix", [None, END_OF_WORD, "_"])
@pytest.mark.parametrize("cut", [cutters.WhitespaceSplit(), cutters.Whitespace()])
def test_characters_that_the_library_trained_are_read(tmp_path: Path, suffix: str | None, cut: Any) -> None:  # noqa: ANN401
    options = {"end_of_word_suffix": suffix} if suffix else {}
    tokenizer = trained(cut, vocab_size=900, special_tokens=["[UNK]"], **options)
    found = read(tmp_path, json.loads(tokenizer.to_str()))
    assert len(found.pairs) > 200
    samples = [text for text in known_texts(found, 4000) if text.replace(" ", "").isalpha()]
    assert len(samples) > 500
    assert outside_ids(found, samples) == library_ids(tokenizer, samples)


CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
"""The words of CLIP's file, which ByteLevel cuts again by GPT-2's pattern."""


def clip_words(again: bool = True) -> Any:  # noqa: ANN401
    words = cutters.Split(tokenizers.Regex(CLIP), "removed", invert=True)
    return cutters.Sequence([words, cutters.ByteLevel(add_prefix_space=False, use_regex=again)])


def test_bytes_that_end_words_are_read_and_written_as_clip_has_them(tmp_path: Path) -> None:
    value = json.loads(trained(clip_words(), vocab_size=900, end_of_word_suffix=END_OF_WORD).to_str())
    letters = sorted(cutters.ByteLevel.alphabet())
    made = ["".join(pair) for pair in value["model"]["merges"]]
    names = [*letters, *(letter + END_OF_WORD for letter in letters), *dict.fromkeys(made)]
    value["model"]["vocab"] = {name: at for at, name in enumerate(names)}
    found = read(tmp_path, value)
    assert (found.remarks, found.policy.boundary, found.policy.unmatched) == ((), PATTERN + CLIP, "dropped")
    assert (found.policy.base_order, found.policy.end_of_word) == ("bytemap", "fused")
    samples = list(texts(MANY))
    ours = outside_ids(found, samples)
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(value))
    assert library_ids(tokenizer, samples) == ours
    written = loaded(found)
    assert library_ids(written, samples) == ours
    words = [" ".join(re.findall(r"[^\W\d]+", text)) for text in samples[:1000]]
    assert written.decode_batch(library_ids(written, words)) == words


def test_gpt2s_pattern_leaves_clips_words_whole() -> None:
    once, twice = clip_words(again=False), clip_words()
    for text in texts(MANY):
        assert once.pre_tokenize_str(text) == twice.pre_tokenize_str(text)


@pytest.mark.parametrize("boundary", ["spaces", "whitespace", "line"])
def test_bytes_of_a_run_that_end_words_are_written(boundary: str) -> None:
    merges = example_list(Policy(boundary=boundary, unmatched="dropped", end_of_word="fused"), 400)
    samples = list(texts(2000))
    assert library_ids(loaded(merges), samples) == outside_ids(merges, samples)


@given(st.data())
def test_lists_that_no_training_made_encode_as_in_the_library(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Unless something was left out, which is said."""
    suffix = data.draw(st.sampled_from([None, END_OF_WORD, "_"]))
    names = ["a", "b", "<", "_", *(f"{letter}{suffix}" for letter in "ab" if suffix)]
    merges: list[list[str]] = []
    for _ in range(data.draw(st.integers(0, 8))):
        pair = [data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))]
        if pair not in merges and not (suffix and pair[0].endswith(suffix)):
            merges.append(pair)
            names += ["".join(pair)] * ("".join(pair) not in names)
    value = characters("", (), merges, model_vocab={name: at for at, name in enumerate(names)})
    value["model"]["end_of_word_suffix"] = suffix
    found = read(tmp_path_factory.mktemp("list"), value)
    if found.remarks:
        assert all("left out" in remark for remark in found.remarks)
        return
    samples = data.draw(st.lists(st.text("ab ", min_size=1, max_size=30), min_size=1, max_size=20))
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(value))
    assert outside_ids(found, samples) == library_ids(tokenizer, samples)


def test_words_are_what_the_library_takes_for_words() -> None:
    r"""Its `\w` and ours, over all characters that both know."""
    from engine.pretokenize import splitter

    cut = splitter(Policy(boundary=r"pattern:\w+|[^\w\s]+", unmatched="dropped"))
    points = [
        chr(c) for c in chain(range(0x2000), range(0x3000, 0x3100), range(0xAC00, 0xAC50)) if chr(c).isprintable()
    ]
    library = [cutters.Whitespace().pre_tokenize_str(f"a{c}") for c in points]
    ours = [len(list(cut(f"a{c}".encode()))) for c in points]
    differing = [c for c, theirs, own in zip(points, library, ours, strict=True) if len(theirs) != own]
    assert differing == []

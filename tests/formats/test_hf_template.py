"""BOS and EOS in `tokenizer.json`: written with a template, known by it, and nothing else taken for it."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from format_samples import small_list
from tokenizer_json import byte_vocab, document, read, special

from engine.errors import FormatRefusal
from engine.formats.checking import written
from engine.formats.gpt2 import GPT2
from engine.formats.huggingface import HUGGINGFACE
from engine.formats.tiktoken import TIKTOKEN
from engine.limits import UNLIMITED
from engine.merge_list import MergeList
from engine.policy import Policy

FRAMED = Policy(id_layout="framed")
MERGES = [["a", "b"]]


def piece(name: str) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": 0}} if name in "AB" else {"SpecialToken": {"id": name, "type_id": 0}}


def template(*names: str, **ids: Any) -> dict[str, Any]:  # noqa: ANN401
    """A template of these pieces over `bos` 0 and `eos` 1, or other ids."""
    tokens = {name: {"id": name, "ids": i, "tokens": [name]} for name, i in {"bos": [0], "eos": [1], **ids}.items()}
    pieces = [piece(name) for name in names]
    return {"type": "TemplateProcessing", "single": pieces, "pair": [], "special_tokens": tokens}


def framed(folder: Path, processor: object, first: int = 2, added: tuple[str, ...] = ("bos", "eos")) -> MergeList:
    tokens = [special(text, i) for i, text in enumerate(added)]
    value = document(byte_vocab("ab", first=first), MERGES, added_tokens=tokens, post_processor=processor)
    return read(folder, value)


def written_value(merges: MergeList) -> dict[str, Any]:
    value = json.loads(written(HUGGINGFACE, merges)[""])
    assert isinstance(value, dict)
    return value


def test_a_framed_run_is_written_whole() -> None:
    value = written_value(small_list(FRAMED, 1, b"abab"))
    assert [(token["id"], token["content"], token["special"]) for token in value["added_tokens"]] == [
        (0, "<|bos|>", True),
        (1, "<|eos|>", True),
    ]
    assert sorted(value["model"]["vocab"].values()) == [*range(259)]
    bos, eos = (piece(name) for name in ("<|bos|>", "<|eos|>"))
    assert value["post_processor"]["single"] == [bos, piece("A"), eos]
    assert [next(iter(part.values()))["id"] for part in value["post_processor"]["pair"]] == [
        "<|bos|>", "A", "<|eos|>", "<|bos|>", "B", "<|eos|>",
    ]  # fmt: skip
    assert written_value(small_list(Policy(), 1, b"abab"))["post_processor"] is None


def test_names_that_a_text_or_a_special_token_has_are_left_to_it() -> None:
    learned = small_list(FRAMED, 6, b"<|bos|>" * 5)
    assert learned.tokens()[-1].data == b"<|bos|>"
    assert [token["content"] for token in written_value(learned)["added_tokens"]] == ["<|bos_|>", "<|eos|>"]
    given = small_list(FRAMED.changed(special_tokens=("<|eos|>", "<|eos_|>")), 1, b"abab")
    value = written_value(given)
    assert [(token["id"], token["content"]) for token in value["added_tokens"]] == [
        (0, "<|bos|>"),
        (1, "<|eos__|>"),
        (2, "<|eos|>"),
        (3, "<|eos_|>"),
    ]
    assert value["post_processor"]["single"][2] == piece("<|eos__|>")


@pytest.mark.parametrize("around", [template("bos", "A", "eos"), {"type": "Sequence", "processors": [
    {"type": "ByteLevel", "trim_offsets": True}, template("bos", "A", "eos"),
]}], ids=["template", "sequence"])  # fmt: skip
def test_a_template_of_ids_0_and_1_is_the_framed_layout(tmp_path: Path, around: dict[str, Any]) -> None:
    found = framed(tmp_path, around, first=3, added=("bos", "eos", "<pad>"))
    assert found.remarks == ()
    policy = found.run_policy
    assert (policy.id_layout, policy.special_tokens) == ("framed", ("<pad>",))
    assert found.specials == (("bos", 0), ("eos", 1), ("<pad>", 2))
    again = written_value(found)
    assert [token["content"] for token in again["added_tokens"]] == ["bos", "eos", "<pad>"], "names are kept"
    assert again["post_processor"]["single"] == [piece("bos"), piece("A"), piece("eos")]


@pytest.mark.parametrize(
    ("processor", "first", "added"),
    [
        (template("eos", "A", "bos"), 2, ("bos", "eos")),
        (template("bos", "A"), 2, ("bos", "eos")),
        (template("bos", "A", "eos", "eos"), 2, ("bos", "eos")),
        (template("bos", "A", "A", "eos"), 2, ("bos", "eos")),
        (template("A"), 2, ("bos", "eos")),
        (template(), 2, ("bos", "eos")),
        (template("bos", "A", "eos", bos=[0, 0]), 2, ("bos", "eos")),
        (template("bos", "A", "eos", bos=[7]), 2, ("bos", "eos")),
        (template("bos", "A", "eos", bos=[]), 2, ("bos", "eos")),
        (template("bos", "A", "eos"), 3, ("bos", "eos")),
        (template("bos", "A", "eos"), 0, ()),
        (template("bos", "A", "eos"), 2, ("eos", "bos")),
        ({"type": "Sequence", "processors": [template("bos", "A", "eos")] * 2}, 2, ("bos", "eos")),
        ({"type": "RobertaProcessing", "cls": ["bos", 0], "sep": ["eos", 1]}, 2, ("bos", "eos")),
        ({"type": "Unheard"}, 2, ("bos", "eos")),
    ],
)  # fmt: skip
def test_other_post_processors_are_told(
    tmp_path: Path, processor: dict[str, Any], first: int, added: tuple[str, ...]
) -> None:
    found = framed(tmp_path, processor, first, added)
    assert not found.framed
    told = [remark for remark in found.remarks if "is not applied: no special tokens are put around" in remark]
    assert len(told) == len(processor.get("processors", [processor]))
    if first == 2:
        assert (found.run_policy.id_layout, found.run_policy.special_tokens) == ("raw", added)


@pytest.mark.parametrize(
    ("processor", "message"),
    [
        ({"type": "TemplateProcessing"}, "post_processor has no member 'single'"),
        ({**template(), "single": "$A"}, "member 'single' of post_processor must be an array, found '\\$A'"),
        ({**template(), "special_tokens": []}, "member 'special_tokens' of post_processor must be an object"),
        ({**template(), "single": ["$A"]}, r"post_processor.single\[0\] must be an object, found '\$A'"),
        ({**template(), "single": [{}]}, r"post_processor.single\[0\] has no member 'SpecialToken'"),
        ({**template(), "single": [{"Sequence": "A"}]}, r"single\[0\].Sequence must be an object, found 'A'"),
        ({**template(), "single": [{"SpecialToken": {"id": 5}}]}, r"'id' of .*single\[0\].SpecialToken must"),
        (template("A", "B"), r"single\[1\] is the text 'B': where one text stands alone it is called 'A'"),
        (template("x\x1b", "A"), r"single\[0\] is 'x\\x1b', which post_processor.special_tokens does not hold: add it"),
        (template("bos", "A", bos=5), r"'ids' of post_processor.special_tokens\['bos'\] must be an array, found 5"),
        (template("bos", "A", bos=[-1]), r"special_tokens\['bos'\].ids\[0\] must be an integer from 0 to 4294967295"),
        ({"type": "Sequence", "processors": [template("A"), template("z")]}, r"processors\[1\].single\[0\] is 'z'"),
        ({"type": "Sequence"}, "post_processor has no member 'processors'"),
        ({"type": 7}, "member 'type' of post_processor must be a string, found 7"),
    ],
)  # fmt: skip
def test_a_template_that_says_nothing_is_refused_in_one_line(
    tmp_path: Path, processor: dict[str, Any], message: str
) -> None:
    with pytest.raises(FormatRefusal, match=message) as caught:
        framed(tmp_path, processor)
    assert "tokenizer.json'" in str(caught.value)
    assert str(caught.value).isprintable()


def test_ids_of_bos_and_eos_that_something_else_has_are_refused(tmp_path: Path) -> None:
    around = template("bos", "A", "eos")
    with pytest.raises(FormatRefusal, match="and 'bos' have one id, 0: each needs its own"):
        framed(tmp_path, around, first=0)
    twice = document(byte_vocab(first=2), [], added_tokens=[special("bos", 0), special("eos", 0)])
    with pytest.raises(FormatRefusal, match="'bos' and 'eos' have one id, 0: each needs its own"):
        read(tmp_path, twice)


def test_entries_that_are_not_added_keep_their_ids_and_frame_nothing(tmp_path: Path) -> None:
    vocab = {"bos": 0, "eos": 1, **byte_vocab("ab", first=2)}
    found = read(tmp_path, document(vocab, MERGES, post_processor=template("bos", "A", "eos")))
    assert found.orphans == ((0, b"bos"), (1, b"eos"))
    assert not found.frames
    assert any(re.search("is not applied", remark) for remark in found.remarks)
    value = written_value(found)
    assert (value["added_tokens"], value["post_processor"], value["model"]["vocab"]["eos"]) == ([], None, 1)


def test_ids_survive_every_conversion(tmp_path: Path) -> None:
    """From a run to the three formats and from each to the others; only tiktoken's file has no BOS and EOS to keep."""
    run = small_list(FRAMED, 3, b"abcabcabab")
    for first in (HUGGINGFACE, GPT2, TIKTOKEN):
        one = reread(first, run, tmp_path)
        for second in (HUGGINGFACE, GPT2, TIKTOKEN):
            other = reread(second, replace(one, policy=run.policy), tmp_path)
            assert (other.pairs, [*other.ids]) == (run.pairs, [*run.ids])
            assert other.run_policy.id_layout == "framed"
            assert other.framed == (second is not TIKTOKEN)


def reread(format: Any, merges: MergeList, folder: Path) -> MergeList:  # noqa: ANN401
    for name, data in written(format, merges).items():
        (folder / (name or "file")).write_bytes(data)
    found = format.read(folder if "file" not in [n or "file" for n in format.files] else folder / "file", UNLIMITED)
    assert isinstance(found, MergeList)
    return found

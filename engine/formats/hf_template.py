"""Post-processors of `tokenizer.json`: BOS and EOS around every text, and back (tokenizers 0.23).

The library puts them there wherever it is asked for special tokens (`add_special_tokens`, its default).
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from engine.corpus.strict_json import ARRAY, OBJECT, STRING, U32, JsonValue, StrictJson
from engine.formats.hf_boundary import steps_of
from engine.layout import BOS, EOS
from engine.merge_list import MergeList
from engine.quoting import quoted

_TEMPLATE = "TemplateProcessing"
Special = tuple[str, int]
"""The text of a special token, and its id."""


def template_of(controls: Sequence[Special]) -> dict[str, Any]:
    """The post-processor that puts BOS and EOS around a text, and around each text of a pair."""
    single, other = (_around(controls, text, at) for at, text in enumerate("AB"))
    tokens = {text: {"id": text, "ids": [i], "tokens": [text]} for text, i in controls}
    return {"type": _TEMPLATE, "single": single, "pair": [*single, *other], "special_tokens": tokens}


def _around(controls: Sequence[Special], text: str, type_id: int) -> list[dict[str, Any]]:
    bos, eos = ({"SpecialToken": {"id": name, "type_id": type_id}} for name, _ in controls)
    return [bos, {"Sequence": {"id": text, "type_id": type_id}}, eos]


def framed(reader: StrictJson, value: JsonValue, merges: MergeList) -> MergeList:
    """A list with what the file's `post_processor` does: framing where ids are those of a framed layout, else remarks.

    Raises:
        FormatRefusal: for a template that does not say what a text becomes; the library cannot use it either.
    """
    steps = steps_of(reader, value, "post_processor", "processors")
    others = [(step, where) for step, where in steps if step["type"] != "ByteLevel"]
    frames = [step["type"] == _TEMPLATE and _frames(reader, step, where, merges.specials) for step, where in others]
    found = replace(merges, framed=frames == [True])
    if found.framed and found.frames:
        return found
    remarks = (
        f"the post-processor {quoted(step['type'])} is not applied: no special tokens are put around texts"
        for step, _ in others
    )
    return replace(merges, remarks=(*merges.remarks, *remarks))


def _frames(reader: StrictJson, template: dict[str, Any], where: str, specials: Collection[Special]) -> bool:
    """Whether a template puts the special tokens of ids 0 and 1 around a text, and nothing else."""
    parts = reader.members(template, {"single": ARRAY, "special_tokens": OBJECT}, where)
    pieces = [_piece(reader, piece, parts["special_tokens"], where, at) for at, piece in enumerate(parts["single"])]
    by_id = {i: (text, i) for text, i in specials}
    return pieces == [by_id.get(BOS, ()), None, by_id.get(EOS, ())]


def _piece(
    reader: StrictJson, piece: JsonValue, tokens: dict[str, JsonValue], where: str, at: int
) -> tuple[str | int, ...] | None:
    """The name and the ids of a special token in a template; None for the text itself."""
    place = f"{where}.single[{at}]"
    if isinstance(piece, dict) and "Sequence" in piece:
        text = reader.members(piece["Sequence"], {"id": STRING}, f"{place}.Sequence")["id"]
        if text != "A":
            reader.refuse(f"{place} is the text {quoted(text)}: where one text stands alone it is called 'A'")
        return None
    special = reader.members(piece, {"SpecialToken": OBJECT}, place)["SpecialToken"]
    name = reader.members(special, {"id": STRING}, f"{place}.SpecialToken")["id"]
    if name not in tokens:
        reader.refuse(f"{place} is {quoted(name)}, which {where}.special_tokens does not hold: add it there")
    entry = f"{where}.special_tokens[{quoted(name)}]"
    ids = reader.members(tokens[name], {"ids": ARRAY}, entry)["ids"]
    return (name, *(reader.check(i, U32, f"{entry}.ids[{n}]") for n, i in enumerate(ids)))

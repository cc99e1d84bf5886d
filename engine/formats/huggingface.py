"""Hugging Face `tokenizer.json` with a BPE model (tokenizers 0.20 and later; merges of earlier ones are read too).

Read are byte level (ByteLevel as pre-tokenizer or as normalizer) and character level, with the pre-tokenizers of
`hf_boundary` and the template of `hf_template`. What changes texts or ids otherwise (normalizers, other templates,
dropout, unknown tokens, byte fallback) is told in remarks. `Metaspace`, `continuing_subword_prefix` and models other
than BPE are refused.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.corpus.strict_json import ARRAY, BOOL, OBJECT, STRING, U32, JsonValue, Kind, StrictJson
from engine.errors import FormatRefusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, space_left
from engine.formats.bytemap import mapped
from engine.formats.hf_boundary import Cut, cut_of, differences, holds_space, pre_tokenizer_of, steps_of
from engine.formats.hf_template import framed, template_of
from engine.formats.json_in import file_in, member, parse_file, policy_in, recogniser
from engine.formats.named import Assembly, Names, Spelling, names_of, vocab_of
from engine.layout import CONTROLS
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.normalize import PREFIX_SPACE
from engine.policy import Policy
from engine.quoting import quoted

NAME = "huggingface"
FILE = "tokenizer.json"
SUFFIX = "</w>"
_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
"""The decoder of bytes."""
MOST_TOLD = 4
"""Special tokens that a message names."""
_VERSION = "#version"
_MEMBERS = re.compile(
    rb'\s*\{.*?"(?:added_tokens"\s*:\s*\[|(?:model|pre_tokenizer|post_processor|truncation)"\s*:\s*(?:\{|null))',
    re.DOTALL,
)
_NUMBER = Kind("a number", lambda value: type(value) in (int, float))
_ADDED: dict[str, Kind] = {"id": U32, "content": STRING}


def _read(path: Path, limits: Limits) -> MergeList:
    reader, value = parse_file(file_in(path, FILE))
    top = reader.members(value, {"model": OBJECT}, "the file")
    model = _model(reader, top["model"])
    added = _added(reader, top)
    cut = cut_of(reader, top.get("pre_tokenizer"))
    normalizers = [step["type"] for step, _ in steps_of(reader, top.get("normalizer"), "normalizer", "normalizers")]
    spelling = _spelling_of(reader, model, cut, normalizers)
    vocab = _vocab(reader, model["vocab"], added)
    forgiving = member(reader, model, "ignore_merges", BOOL, "model") is True
    assembly = Assembly(vocab, spelling, lambda number: f"{reader.prefix}: merge {number}", forgiving, limits)
    found = assembly.follow(_merges(reader, model["merges"]), {token["content"] for token in added})
    base_order = found.byte_order if spelling.byte_level else "as-given"
    unheard = [*_text_remarks(reader, top, normalizers, spelling), *_model_remarks(reader, model)]
    merges = MergeList(
        name=path.name,
        format=NAME,
        policy=_policy(reader, spelling, base_order, cut),
        alphabet=found.alphabet,
        pairs=found.pairs,
        ids=found.ids,
        specials=tuple((token["content"], token["id"]) for token in added),
        orphans=found.orphans,
        remarks=(*found.remarks, *cut.remarks, *unheard, *_added_remarks(added)),
    )
    return framed(reader, top.get("post_processor"), merges)


def _model(reader: StrictJson, model: dict[str, Any]) -> dict[str, Any]:
    """The model, which must be BPE; files before version 0.20 do not always say its type."""
    kind = member(reader, model, "type", STRING, "model")
    if kind not in ("BPE", None) or (kind is None and "merges" not in model):
        reader.refuse(f"its model is {quoted(kind or 'without merges')}: only BPE has merges to read")
    return reader.members(model, {"vocab": OBJECT, "merges": ARRAY}, "model")


def _added(reader: StrictJson, top: dict[str, Any]) -> list[dict[str, Any]]:
    found = member(reader, top, "added_tokens", ARRAY, "") or []
    assert isinstance(found, list)
    added = [reader.members(token, _ADDED, f"added_tokens[{at}]") for at, token in enumerate(found)]
    first: dict[str, int] = {}
    for at, token in enumerate(added):
        if first.setdefault(token["content"], at) != at:
            text = quoted(token["content"])
            reader.refuse(f"added_tokens[{at}] repeats {text} of added_tokens[{first[token['content']]}]: keep one")
        if not token["content"]:
            reader.refuse(f"added_tokens[{at}] has an empty text: every special token needs one")
        for flag in ("special", "lstrip", "rstrip", "single_word"):
            member(reader, token, flag, BOOL, f"added_tokens[{at}]")
    return added


def _vocab(reader: StrictJson, vocab: dict[str, Any], added: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The ids of all names, each id once; an added token may stand in the vocabulary too."""
    ids: dict[int, str] = {}
    entries = [*vocab.items(), *((token["content"], token["id"]) for token in added)]
    for at, (name, number) in enumerate(entries):
        if type(number) is not int or not U32.accepts(number):
            reader.check(number, U32, f"model.vocab[{quoted(name)}]")
        if ids.setdefault(number, name) != name:
            reader.refuse(f"{quoted(ids[number])} and {quoted(name)} have one id, {number}: each needs its own")
        if at >= len(vocab) and vocab.get(name, number) != number:
            reader.refuse(f"the added token {quoted(name)} has id {number}, but {vocab[name]} in the vocabulary")
    return vocab


def _merges(reader: StrictJson, merges: Sequence[JsonValue]) -> Iterator[tuple[int, Names]]:
    """The merges with their numbers, as pairs or as strings with one space (before version 0.20).

    Strings that begin with `#version` are left out, as the library does.
    """
    for at, merge in enumerate(merges):
        if isinstance(merge, str) and merge.startswith(_VERSION):
            continue
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(parts, list) and len(parts) == 2):
            reader.refuse(f"merge {at} is {quoted(merge)}: two tokens are needed")
        left, right = parts
        if not (isinstance(left, str) and isinstance(right, str)):
            reader.refuse(f"merge {at} is {quoted(merge)}: two strings are needed")
        yield at, (left, right)


def _spelling_of(reader: StrictJson, model: dict[str, Any], cut: Cut, normalizers: Sequence[str]) -> Spelling:
    prefix = member(reader, model, "continuing_subword_prefix", STRING, "model")
    suffix = member(reader, model, "end_of_word_suffix", STRING, "model") or ""
    assert isinstance(suffix, str)
    if prefix:
        reader.refuse(
            f"model.continuing_subword_prefix is {quoted(prefix)}: parts inside a word have names of their own, "
            "which a run does not tell apart; train without it, or use its own library"
        )
    maps = "ByteLevel" in normalizers
    if maps and (cut.byte_level or cut.boundary != "document"):
        reader.refuse(
            "the normalizer ByteLevel comes before a pre_tokenizer that cuts its letters: only null can follow"
        )
    return Spelling(cut.byte_level or maps, suffix)


def _policy(reader: StrictJson, spelling: Spelling, base_order: str, cut: Cut) -> Policy:
    return policy_in(
        reader,
        "pre_tokenizer",
        cut.boundary,
        normalizer=PREFIX_SPACE if cut.spaced else "none",
        unmatched=cut.unmatched,
        alphabet="bytes" if spelling.byte_level else "characters",
        base_order=base_order,
        end_of_word="fused" if spelling.end_of_word else "none",
    )


def _text_remarks(
    reader: StrictJson, top: dict[str, Any], normalizers: Sequence[str], spelling: Spelling
) -> Iterator[str]:
    """What is done to texts before and after encoding that is not done here."""
    for kind in normalizers:
        if kind != "ByteLevel":
            yield f"the normalizer {quoted(kind)} is not applied: texts that it changes come to other tokens"
    for name in ("truncation", "padding"):
        if top.get(name) is not None:
            yield f"{name} is not applied"
    decoders = steps_of(reader, top.get("decoder"), "decoder", "decoders")
    if not spelling.byte_level and any(step["type"] == "ByteLevel" for step, _ in decoders):
        yield "the decoder maps bytes but nothing maps them before: texts lose what is not in the alphabet"


def _model_remarks(reader: StrictJson, model: dict[str, Any]) -> Iterator[str]:
    if any(isinstance(merge, str) and merge.startswith(_VERSION) for merge in model["merges"]):
        yield f"merges that begin with {_VERSION} are left out, as the library does"
    dropout = member(reader, model, "dropout", _NUMBER, "model")
    if dropout:
        yield f"dropout {quoted(dropout)} is not applied: every merge that fits is made"
    unknown = member(reader, model, "unk_token", STRING, "model")
    if unknown is not None:
        yield f"characters outside the alphabet are refused here, not turned into {quoted(unknown)}"
    if member(reader, model, "byte_fallback", BOOL, "model"):
        yield "characters outside the alphabet are refused here, not turned into bytes (byte_fallback)"
    if member(reader, model, "ignore_merges", BOOL, "model"):
        yield "a piece that is an entry is not looked up whole (ignore_merges): merges alone make tokens here"


def _added_remarks(added: Sequence[dict[str, Any]]) -> Iterator[str]:
    plain = sum(token.get("special") is not True for token in added)
    if plain:
        yield f"{plain} added tokens are not special: they are taken for special tokens"
    wide = sum(any(token.get(flag) for flag in ("lstrip", "rstrip", "single_word")) for token in added)
    if wide:
        yield f"{wide} added tokens take white space around them or whole words only: they are taken as they stand"


def _spelling(merges: MergeList) -> Spelling:
    policy = merges.policy
    if policy.end_of_word == "separate":
        raise FormatRefusal(f"{NAME} has no end of word as a token of its own: train with end_of_word=fused")
    return Spelling(policy.alphabet == "bytes", SUFFIX if policy.end_of_word == "fused" else "")


def _write(merges: MergeList) -> Files:
    spelling = _spelling(merges)
    names = names_of(merges, spelling)
    specials = merges.special_tokens(names)
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_special(*entry) for entry in specials],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer_of(merges.policy),
        "post_processor": template_of(specials[: len(CONTROLS)]) if merges.frames else None,
        "decoder": _decoder(spelling),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": spelling.end_of_word or None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocab_of(merges, names, specials),
            "merges": [[names[left], names[right]] for left, right in merges.pairs],
        },
    }
    return {"": json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"}


def _special(text: str, number: int) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": number, "content": text, **flags}


def _decoder(spelling: Spelling) -> dict[str, Any] | None:
    if spelling.byte_level and spelling.end_of_word:
        space = {"type": "Replace", "pattern": {"String": spelling.end_of_word}, "content": mapped(b" ")}
        last = {"type": "Replace", "pattern": {"Regex": r" \z"}, "content": ""}  # Strip fails at an empty text
        return {"type": "Sequence", "decoders": [space, _BYTES, last]}
    if spelling.byte_level:
        return _BYTES
    return {"type": "BPEDecoder", "suffix": spelling.end_of_word} if spelling.end_of_word else {"type": "Fuse"}


def _losses(merges: MergeList) -> tuple[str, ...]:
    spelling = _spelling(merges)
    names = names_of(merges, spelling)
    specials = merges.special_tokens(names)
    vocab = vocab_of(merges, names, specials)
    pre_tokenizer_of(merges.policy)
    losses = [HOW_CHOSEN, *differences(merges.policy.boundary)]
    if not holds_space(merges.policy):
        losses += space_left(merges.policy)
    free = next((i for i, number in enumerate(sorted(vocab.values())) if i != number), None)
    if free is not None:
        losses.append(f"ids without an entry, such as {free}, stay free")
    if specials:
        texts = ", ".join(quoted(text) for text, _ in specials[:MOST_TOLD])
        losses.append(
            f"the text of a special token ({texts}{', ...' * (len(specials) > MOST_TOLD)}) becomes its id wherever it "
            "stands, where here it is content, unless encode_special_tokens is set"
        )
    if not spelling.byte_level:
        losses.append("characters outside the alphabet: the library leaves them out without a word")
    elif len(merges.alphabet) < 256:
        losses.append("bytes outside the alphabet: the library leaves them out without a word")
    if merges.policy.boundary == "document" and spelling.byte_level:
        losses.append("texts must be encoded by this file: readers of its vocabulary and merges alone split words")
    return tuple(losses)


HUGGINGFACE = FileFormat(
    name=NAME,
    about="tokenizer.json of Hugging Face tokenizers and transformers: merges, ids, boundary, special tokens",
    endings=(),  # `.json` is our artifact's
    recognises=recogniser(FILE, _MEMBERS),
    read=_read,
    losses=_losses,
    write=_write,
)

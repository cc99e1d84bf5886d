"""Small `tokenizer.json` files written by hand for the tests."""

import json
from pathlib import Path
from typing import Any

from engine.alphabet import BYTE_TO_UNICODE
from engine.formats.huggingface import HUGGINGFACE
from engine.limits import UNLIMITED
from engine.merge_list import MergeList

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def split(pattern: dict[str, str], behavior: str = "Isolated", invert: bool = False) -> dict[str, Any]:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "pretokenizers": list(steps)}


def byte_vocab(*names: str, first: int = 0) -> dict[str, int]:
    """All bytes in the order of their values, then these names."""
    return {name: first + at for at, name in enumerate((*BYTE_TO_UNICODE, *names))}


def document(vocab: dict[str, Any], merges: list[Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A byte-level file without a boundary; members of the model go by `model_NAME`."""
    model = {"type": "BPE", "vocab": vocab, "merges": merges}
    top: dict[str, Any] = {"version": "1.0", "added_tokens": [], "pre_tokenizer": BYTE_LEVEL}
    for name, value in changes.items():
        owner = model if name.startswith("model_") else top
        owner[name.removeprefix("model_")] = value
    return {**top, "model": model}


def characters(names: str, merged: tuple[str, ...], merges: list[Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A file of single characters and merged names, cut at white space."""
    vocab = {name: at for at, name in enumerate((*names, *merged))}
    return document(vocab, merges, **{"pre_tokenizer": {"type": "WhitespaceSplit"}, **changes})


def special(text: str, number: int, **flags: bool) -> dict[str, Any]:
    return {"id": number, "content": text, "special": True, **flags}


def read(folder: Path, value: object) -> MergeList:
    """What the format reads from a value that is written as `tokenizer.json`."""
    path = folder / "tokenizer.json"
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode())
    assert HUGGINGFACE.read is not None
    return HUGGINGFACE.read(path, UNLIMITED)

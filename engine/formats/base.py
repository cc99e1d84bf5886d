"""What a file format is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import FormatRefusal
from engine.limits import Limits
from engine.merge_list import MergeList
from engine.normalize import MARKERS, PREFIX_SPACE
from engine.policy import Policy

HOW_CHOSEN = "how merges were chosen: tie rule, counts, limits of the run"
"""What no format of another library holds."""
Files = Mapping[str, bytes]
"""What is written: contents by file name; a name that is empty is the file that the user names."""


def space_left(policy: Policy) -> tuple[str, ...]:
    """What a format without a word for it leaves to the reader where texts get a space in front, in words."""
    if policy.normalizer != PREFIX_SPACE:
        return ()
    return (f"the space in front of texts (normalizer={PREFIX_SPACE}): put it there before encoding",)


def require_plain_texts(policy: Policy) -> None:
    """Refuse a policy that rewrites texts before they are cut, for formats that have no word for it.

    Raises:
        FormatRefusal: naming the field and its value.
    """
    rewriting = [("normalizer", policy.normalizer)] if policy.normalizer not in ("none", PREFIX_SPACE) else []
    rewriting += [("boundary", policy.boundary)] if policy.boundary in MARKERS else []
    for field, value in rewriting:
        raise FormatRefusal(f"{field}={value} rewrites texts, which this format cannot say: keep the session (.bpes)")


def require_bytes_alone(policy: Policy) -> None:
    """Refuse bytes that carry an end-of-word mark, for formats whose base tokens of bytes are bytes alone.

    Raises:
        FormatRefusal: naming the field and its value.
    """
    if policy.alphabet == "bytes" and policy.end_of_word != "none":
        others = "choose subword-nmt or huggingface, or " * (policy.end_of_word == "fused")
        raise FormatRefusal(
            f"end_of_word={policy.end_of_word} marks bytes, which this format cannot say: {others}keep the "
            "session (.bpes)"
        )


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One format.

    Attributes:
        name: for `--to` and messages.
        about: which libraries load it, and what it holds, in a few words.
        endings: endings of file names that stand for it when writing.
        recognises: whether a file is of this format, by its path and its first 64 kB.
        read: reads a file; None where only writing is possible. Raises `FormatRefusal` in one line.
        losses: what writing would lose or leave to the reader, in words; raises `FormatRefusal` for what the format
            cannot express at all.
        write: the files; None where only reading is possible.
        has_ids: whether a file fixes the base tokens and every token's id.
        files: the names of what is written, see `Files`.
    """

    name: str
    about: str
    endings: tuple[str, ...]
    recognises: Callable[[Path, bytes], bool]
    read: Callable[[Path, Limits], MergeList] | None
    losses: Callable[[MergeList], tuple[str, ...]] | None
    write: Callable[[MergeList], Files] | None
    has_ids: bool = True
    files: tuple[str, ...] = ("",)

"""GPT-2's pair of files: `vocab.json` gives ids by name, `merges.txt` one merge a line.

`merges.txt` is UTF-8 whatever the platform, its lines end at LF only, and only its first line can be a version line:
later ones that begin with `#` are merges. Neither file says how texts are cut; GPT-2's pattern is what its readers use.
The names `encoder.json` and `vocab.bpe`, of GPT-2's first release, are read too.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from engine.corpus.strict_json import OBJECT, U32, StrictJson
from engine.errors import FormatRefusal
from engine.formats.base import HOW_CHOSEN, FileFormat, Files, space_left
from engine.formats.files import read_lines, refuse
from engine.formats.json_in import parse_file
from engine.formats.named import Assembly, Names, Spelling, names_of, vocab_of
from engine.layout import CONTROLS
from engine.limits import Limits
from engine.merge_list import CONTROL_TEXTS, MergeList
from engine.policy import Policy
from engine.quoting import quoted

NAME = "gpt2"
VOCAB, MERGES = "vocab.json", "merges.txt"
_PAIRS = ((VOCAB, MERGES), ("encoder.json", "vocab.bpe"))
_VERSION = "#version"
_HEADER = f"{_VERSION}: 0.2\n"
_SPECIAL = re.compile(r"<[^<>\s]+>")
"""How special tokens are written in published pairs: `<|endoftext|>`, `<s>`, `<mask>`."""
_SPELLING = Spelling(byte_level=True)


def _pair(path: Path) -> tuple[Path, Path] | None:
    """The two files of a folder, or those of which one is given; both must be there."""
    for vocab, merges in _PAIRS:
        if os.path.isdir(path):
            found = path / vocab, path / merges
        elif path.name.endswith((vocab, merges)):
            front = path.name.removesuffix(vocab).removesuffix(merges)
            found = path.with_name(front + vocab), path.with_name(front + merges)
        else:
            continue
        if all(map(os.path.isfile, found)):
            return found
    return None


def _recognises(path: Path, head: bytes) -> bool:
    return _pair(path) is not None


def _read(path: Path, limits: Limits) -> MergeList:
    pair = _pair(path)
    if pair is None:
        refuse(path, f"{VOCAB} and {MERGES} must lie side by side, give one of them or their folder")
    reader, value = parse_file(pair[0])
    vocab = _vocab(reader, reader.check(value, OBJECT, "the file"))
    lines = _lines(pair[1])
    place = quoted(str(pair[1]))
    assembly = Assembly(vocab, _SPELLING, lambda line: f"{place}: line {line}", forgiving=False, limits=limits)
    found = assembly.follow(_merges(pair[1], lines), ())
    named = {number: name for name, number in vocab.items()}
    specials = tuple((named[i], i) for i, _ in found.orphans if _SPECIAL.fullmatch(named[i]))
    others = {number for _, number in specials}
    framed = specials[: len(CONTROLS)] == tuple(zip(CONTROL_TEXTS, CONTROLS, strict=True))
    return MergeList(
        name=path.name,
        format=NAME,
        policy=Policy(base_order=found.byte_order, boundary="gpt2"),
        alphabet=found.alphabet,
        pairs=found.pairs,
        ids=found.ids,
        specials=specials,
        orphans=tuple(entry for entry in found.orphans if entry[0] not in others),
        remarks=(*found.remarks, *_remarks(lines, bool(specials), framed)),
        framed=framed,
    )


def _vocab(reader: StrictJson, vocab: dict[str, int]) -> dict[str, int]:
    names: dict[int, str] = {}
    for name, number in vocab.items():
        reader.check(number, U32, quoted(name))
        if names.setdefault(number, name) != name:
            reader.refuse(f"{quoted(names[number])} and {quoted(name)} have one id, {number}: each needs its own")
    return vocab


def _lines(path: Path) -> list[str]:
    data = read_lines(path)
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refuse(path, f"line {line} is not UTF-8 ({error.reason}): save it as UTF-8")
    return lines if lines[-1] else lines[:-1]


def _merges(path: Path, lines: list[str]) -> Iterator[tuple[int, Names]]:
    """The merges with the numbers of their lines."""
    for at, line in enumerate(lines, 1):
        if at == 1 and line.startswith(_VERSION):
            continue
        if line.endswith("\r"):
            refuse(path, f"line {at} ends with CR LF: save it with LF alone")
        left, space, right = line.partition(" ")
        if not space or " " in right:
            refuse(path, f"line {at} is {quoted(line)}: two tokens with one space between are needed")
        yield at, (left, right)


def _remarks(lines: list[str], specials: bool, framed: bool) -> Iterator[str]:
    yield "the files do not say how texts are cut: GPT-2's pattern is taken"
    if specials:
        yield "entries written <...> that no merge makes are taken for special tokens"
    if framed:
        yield f"{' and '.join(CONTROL_TEXTS)} are taken for BOS and EOS, since their ids are 0 and 1"
    if any(line.startswith(_VERSION) for line in lines[1:]):
        yield f"Hugging Face's reader leaves out merges that begin with {_VERSION}: they are merges here"


def _vocabulary(merges: MergeList) -> tuple[list[str], dict[str, int]]:
    """The name of each kernel id, and all entries; special tokens of another writing would read back as plain ones.

    BOS and EOS are entries too: readers number special tokens that a vocabulary lacks from its size on, and with two
    free ids below those would be the last merges' own.
    """
    if merges.policy.alphabet != "bytes":
        raise FormatRefusal(f"{NAME} is byte level, this list has characters: choose huggingface")
    names = names_of(merges, _SPELLING)
    return names, vocab_of(merges, names, _specials(merges, names))


def _specials(merges: MergeList, names: list[str]) -> list[tuple[str, int]]:
    return [entry for entry in merges.special_tokens(names) if _SPECIAL.fullmatch(entry[0])]


def _lines_of(merges: MergeList, names: list[str]) -> list[str]:
    return [f"{names[left]} {names[right]}\n" for left, right in merges.pairs]


def _write(merges: MergeList) -> Files:
    names, vocab = _vocabulary(merges)
    return {
        VOCAB: json.dumps(vocab, ensure_ascii=False, separators=(",", ":")).encode() + b"\n",
        MERGES: "".join([_HEADER, *_lines_of(merges, names)]).encode(),
    }


def _losses(merges: MergeList) -> tuple[str, ...]:
    names, _ = _vocabulary(merges)
    losses = [HOW_CHOSEN, *space_left(merges.policy)]
    if merges.policy.boundary != "gpt2":
        losses.append(
            f"the boundary {quoted(merges.policy.boundary)}: readers cut texts by GPT-2's pattern unless they are told"
        )
    other = [text for text, _ in merges.specials if not _SPECIAL.fullmatch(text)]
    if other:
        losses.append(f"special tokens that are not written <...>, such as {quoted(other[0])}, are left out")
    if merges.frames:
        losses.append("that documents are framed: BOS and EOS are entries, but no reader puts them around texts")
    if _specials(merges, names):
        losses.append("that special tokens are special: they are entries like others")
    dropped = sum(line.startswith(_VERSION) for line in _lines_of(merges, names))
    if dropped:
        losses.append(f"{dropped} merges begin with {_VERSION}: Hugging Face's reader leaves them out")
    return tuple(losses)


GPT2 = FileFormat(
    name=NAME,
    about="vocab.json and merges.txt of GPT-2 and its readers: merges and ids, no boundary",
    endings=(),
    recognises=_recognises,
    read=_read,
    losses=_losses,
    write=_write,
    files=(VOCAB, MERGES),
)

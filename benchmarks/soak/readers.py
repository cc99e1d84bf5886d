"""Every way in: what each reader takes, how that is mutated, and what is done with what was read."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

from bpe_tui.app.config import load_config
from bpe_tui.exports import Format, export, targets_of
from bpe_tui.merge_sources import merge_list_from
from engine import artifact
from engine.binding import receipt_binding
from engine.corpus.document import Corpus
from engine.corpus.open import CorpusOptions, open_corpus
from engine.formats.ids import WRITERS, read_ids
from engine.formats.registry import FORMATS, read_any
from engine.limits import UNLIMITED
from engine.merge_list import MergeList
from engine.pairs_file import read_pairs
from engine.policy import Policy, parse_policy
from engine.trace_check import check_apply_trace, check_merge_trace
from engine.trainer import Trainer
from sessions.codec import pack, unpack
from sessions.restore import restore
from sessions.store import load

from . import seeds
from .mutate import Mutation, bytes_mutated, json_mutated, line_mutated, session_mutated
from .trial import refusals_allowed

_TEXT = "the lights \x1b[2J日本 low".encode() + b"\xff"
_BYTES: tuple[Mutation, ...] = (bytes_mutated,)
_JSON, _LINES = (*_BYTES, json_mutated), (*_BYTES, line_mutated)
_IDS = [*range(300), 70_000]
_PAIRS = (b"#version: 0.2\nt h\nth e\n", b"74 68\n7468 65\n", b'[[[116],[104]],["t","h"],[256,101]]', b"l o</w>\n")
_POLICIES = (
    b'bpe boundary=gpt2 id_layout=framed special_tokens=["<|a|>","b"]',
    b'bpe boundary="pattern:[a-z]+ ?" budget=7 exact=yes max_token_length=5',
)
_SETTINGS = b'theme = "nord"\nascii = true\nmouse = false\n[keys]\n"step.next" = "right,n"\n'
_FILES = {
    Format.HUGGINGFACE: _JSON, Format.TIKTOKEN: _BYTES, Format.MINBPE: _BYTES, Format.SUBWORD_NMT: _BYTES,
    Format.JSONL: _LINES, Format.CSV: _BYTES,
}  # fmt: skip
"""Formats of one file, and how they are mutated."""
_WRITTEN = [format for format in FORMATS.values() if format.write is not None]

Use = Callable[[bytes], object]
Exports = Mapping[Format, Sequence[seeds.Files]]


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader.

    Attributes:
        seeds: contents that it takes.
        mutations: how they are changed.
        use: reads a content, and uses what was read as the program does.
    """

    seeds: tuple[bytes, ...]
    mutations: tuple[Mutation, ...]
    use: Use


def readers(folder: Path) -> dict[str, Reader]:
    """All readers by name.

    Args:
        folder: an empty one, where they find their files and leave what they write.
    """
    seeds.write_corpora(folder)
    files = seeds.exported(folder)
    return {**_own(folder, files), **_of_tokenizers(folder, files), **_of_corpora(folder)}


def _own(folder: Path, exported: Exports) -> dict[str, Reader]:
    """Files that are this program's or the course's."""
    sessions, artifacts, traces = (
        tuple(file[""] for file in exported[format]) for format in (Format.SESSION, Format.ARTIFACT, Format.TRACE)
    )
    corpus = seeds.texts(folder)
    ids = tuple(write(_IDS) for write in WRITERS.values())
    return {
        "session": Reader(sessions, (session_mutated,), partial(_use_session, folder)),
        "session altered": Reader(sessions, _BYTES, partial(_refuse_altered, sessions)),
        "session as list": Reader(sessions, (session_mutated,), partial(_use_session_list, folder)),
        "artifact": Reader(artifacts, _JSON, _use_artifact),
        "trace": Reader((traces[0], seeds.apply_trace()), _BYTES, _use_trace),
        "manifest": Reader((seeds.manifest(folder),), _JSON, partial(_use_manifest, folder)),
        "receipt": Reader((seeds.receipt(folder),), _JSON, lambda data: receipt_binding(data, corpus)),
        "settings": Reader((_SETTINGS,), _BYTES, lambda data: load_config(_placed(folder / "config.toml", data))),
        "policy": Reader(_POLICIES, _BYTES, _use_policy),
        "ids": Reader(ids, _BYTES, lambda data: read_ids(data, "ids")),
        "pairs": Reader(_PAIRS, _BYTES, _use_pairs),
    }


def _of_tokenizers(folder: Path, exported: Exports) -> dict[str, Reader]:
    """Formats of other libraries, our tables of merges, and the door that knows them all by content."""
    found: dict[str, Reader] = {}
    for format, mutations in _FILES.items():
        use = _file_use(folder / "read", format)
        found[format] = Reader(tuple(file[""] for file in exported[format]), mutations, use)
    found["tekken"] = Reader((seeds.tekken(),), _JSON, _file_use(folder / "read", "tekken"))
    every = tuple(seed for reader in found.values() for seed in reader.seeds)
    found["any tokenizer"] = Reader(
        every, _BYTES, lambda data: _use_list(read_any(_placed(folder / "any", data)), data)
    )
    gpt2 = exported[Format.GPT2][0]
    for name, mutations in (("vocab.json", _JSON), ("merges.txt", _BYTES)):
        found[f"gpt2 {name}"] = Reader((gpt2[name],), mutations, _folder_use(folder / f"gpt2 {name}", name, gpt2))
    return found


def _of_corpora(folder: Path) -> dict[str, Reader]:
    """Every format of a corpus, and the choice among them."""
    course = (folder / seeds.CORPUS).read_bytes()
    records = b"".join(json.dumps(record).encode() + b"\n" for record in seeds.RECORDS)
    prepared = b'{"id":"a","text":"bee bee"}\n{"id":"b","text":"tea tea"}\n'
    generic = b'["a a", {"id": 1, "text": "b b", "split": "test", "m": {"x": [1]}}]'
    plain = "\n".join(seeds.TEXTS).encode() + b"\r\n\xff\xfe"
    made: dict[str, tuple[tuple[bytes, ...], tuple[Mutation, ...]]] = {
        "course-json": ((course,), _JSON),
        "json": ((course, generic), _JSON),
        "prepared-jsonl": ((prepared,), _LINES),
        "jsonl": ((records, prepared), _LINES),
        "text": ((plain,), _BYTES),
        "lines": ((plain,), _BYTES),
        "words": ((seeds.WORD_COUNTS,), _BYTES),
        "auto": ((course, records, generic, seeds.WORD_COUNTS, plain), _BYTES),
    }
    path, found = folder / "corpus", dict[str, Reader]()
    for format, (contents, mutations) in made.items():
        found[f"corpus {format}"] = Reader(contents, mutations, _corpus_use(path, CorpusOptions(format, split="none")))
    found["corpus separated"] = Reader((plain,), _BYTES, _corpus_use(path, CorpusOptions(separator="the")))
    inside = folder / "folder"
    inside.mkdir()
    (inside / "first.txt").write_bytes(plain)
    found["corpus folder"] = Reader((plain,), _BYTES, lambda data: _use_folder(inside, data))
    return found


# What is done with what was read


def _use_list(merges: MergeList, data: bytes) -> None:
    """Encode, decode, and write in one format, which the input chooses, so that a try can be repeated."""
    with refusals_allowed():
        tokenizer = merges.tokenizer()
        tokenizer.decode(tokenizer.encode(_TEXT))
    with refusals_allowed():
        str(merges.run_policy)
    format = _WRITTEN[crc32(data) % len(_WRITTEN)]
    assert format.write is not None
    with refusals_allowed():
        format.write(merges)


def _use_session(folder: Path, data: bytes) -> None:
    session = load(_placed(folder / "s.bpes", data))
    assert unpack(pack(session)) == session, "a session does not read back as it is"
    trainer = restore(session, folder=folder)
    trainer.seek(0)
    trainer.seek(session.rank)
    for format in Format:
        with refusals_allowed():
            export(trainer, format, targets_of(format, str(folder / "written")), session)


def _refuse_altered(undamaged: tuple[bytes, ...], data: bytes) -> None:
    unpack(data)
    assert data in undamaged, "an altered session is taken"


def _use_session_list(folder: Path, data: bytes) -> None:
    _use_list(merge_list_from(str(_placed(folder / "s.bpes", data))), data)


def _use_artifact(data: bytes) -> None:
    read = artifact.load(data)
    assert artifact.load(read.to_bytes()) == read, "an artifact does not read back as it is"
    read.tokenizer().encode(_TEXT)


def _use_trace(data: bytes) -> None:
    for check in (check_merge_trace, check_apply_trace):
        with refusals_allowed():
            check(data)


def _use_manifest(folder: Path, data: bytes) -> None:
    open_corpus(folder / seeds.CORPUS, CorpusOptions(split=str(_placed(folder / "splits.json", data))))


def _use_policy(data: bytes) -> None:
    policy = parse_policy(data.decode("utf-8", "surrogateescape"))
    assert parse_policy(str(policy)) == policy, "a policy line does not read back as it is"


def _use_pairs(data: bytes) -> None:
    for characters in (False, True):
        with refusals_allowed():
            read_pairs(data, "pairs", characters=characters)


def _file_use(path: Path, name: str) -> Use:
    """Read a file of a format."""
    read = FORMATS[name].read
    assert read is not None
    return lambda data: _use_list(read(_placed(path, data), UNLIMITED), data)


def _folder_use(folder: Path, name: str, files: seeds.Files) -> Use:
    """Read GPT-2's folder of two files, one of them mutated."""
    folder.mkdir()
    for other, content in files.items():
        (folder / other).write_bytes(content)
    read = FORMATS["gpt2"].read
    assert read is not None

    def use(data: bytes) -> None:
        _placed(folder / name, data)
        _use_list(read(folder, UNLIMITED), data)

    return use


def _corpus_use(path: Path, options: CorpusOptions) -> Use:
    """Open a file as a corpus, and train."""

    def use(data: bytes) -> None:
        _train(open_corpus(_placed(path, data), options))

    return use


def _use_folder(folder: Path, data: bytes) -> None:
    _placed(folder / "second.txt", data)
    _train(open_corpus(folder))


def _train(corpus: Corpus) -> None:
    trainer = Trainer(corpus, Policy(boundary="gpt2", budget=5))
    trainer.seek(5)
    trainer.seek(0)


def _placed(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path

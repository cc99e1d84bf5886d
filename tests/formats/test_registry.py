"""Every format is known by its content, and what is written in one reads back equal."""

from dataclasses import replace
from pathlib import Path

import pytest
from format_samples import example_list, small_list

from engine.artifact import canonical_bytes
from engine.binding import binding_of
from engine.corpus.document import Document, corpus_of
from engine.errors import FormatRefusal
from engine.formats.checking import difference, written
from engine.formats.registry import FORMATS, format_of, read_any
from engine.limits import Limits
from engine.policy import Policy
from engine.profiles import profile
from engine.trainer import Trainer

WRITABLE = [f for f in FORMATS.values() if f.write is not None]
WORDS = profile("subword-nmt").policy


def put(folder: Path, files: dict[str, bytes], name: str) -> Path:
    """The files in a folder; where there is one, it has a name that says nothing."""
    for own, data in files.items():
        (folder / (own or name)).write_bytes(data)
    return folder / name if "" in files else folder


def test_names_and_endings_are_told_apart() -> None:
    assert [*FORMATS] == [f.name for f in FORMATS.values()]
    endings = [ending for f in FORMATS.values() for ending in f.endings]
    assert len(endings) == len({*endings})
    assert ".json" not in endings
    assert {f.name for f in WRITABLE} == {"huggingface", "gpt2", "tiktoken", "minbpe", "subword-nmt"}


@pytest.mark.parametrize("format", WRITABLE, ids=lambda f: f.name)
def test_a_file_is_known_by_its_content(tmp_path: Path, format: object) -> None:
    found = next(f for f in WRITABLE if f is format)
    merges = example_list(Policy(boundary="gpt2") if found.has_ids else WORDS, 100)
    path = put(tmp_path, dict(written(found, merges)), "nameless")
    assert format_of(path) is found
    again = read_any(path)
    assert again.format == found.name
    assert difference(merges, again, ids=found.has_ids) is None
    assert {*written(found, again).items()} == {*written(found, merges).items()}
    assert found.files == tuple(written(found, merges))


@pytest.mark.parametrize("source", ["huggingface", "tiktoken", "minbpe", "gpt2"])
@pytest.mark.parametrize("target", ["huggingface", "tiktoken", "minbpe", "gpt2"])
def test_ids_survive_every_way_between_formats(tmp_path: Path, source: str, target: str) -> None:
    merges = example_list(Policy(), 60)
    first = read_any(put(tmp_path, dict(written(FORMATS[source], merges)), "x"))
    (tmp_path / "second").mkdir()
    second = read_any(put(tmp_path / "second", dict(written(FORMATS[target], first)), "y"))
    assert difference(merges, second, ids=True) is None


def test_our_artifact_is_one_format_among_others(tmp_path: Path) -> None:
    corpus = corpus_of(b"abab", "t", "text", [Document("d", b"abab", 1)])
    trainer = Trainer(corpus, Policy(id_layout="framed"))
    trainer.seek(1)
    path = tmp_path / "x"
    path.write_bytes(canonical_bytes(trainer, binding_of(corpus)))
    found = read_any(path)
    assert (found.format, found.pairs, found.ids) == ("artifact", ((97, 98),), range(2, 259))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatRefusal, match="invalid tokenizer artifact"):
        read_any(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 100,
        b"some text\n",
        b"{",
        b"[1, 2]",
        b'{"a": 1}',
        b"\x0a\x0e\n\x05<unk>\x15",
        b"#version: 0.2\na b\n",
    ],
)
def test_other_files_are_refused_with_what_was_looked_for(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(data)
    with pytest.raises(FormatRefusal, match=r"x\.bin' is no tokenizer file .* it looked for artifact, huggingface, "):
        read_any(path)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatRefusal, match="no such file"):
        read_any(tmp_path / "none")
    with pytest.raises(FormatRefusal, match="no tokenizer file"):
        read_any(tmp_path)
    with pytest.raises(FormatRefusal, match="not a usable path"):
        read_any(Path("a\0b"))
    with pytest.raises(FormatRefusal, match="it is a device"):
        read_any(Path("/dev/zero"))


def test_what_is_only_read_is_not_written() -> None:
    with pytest.raises(FormatRefusal, match="tekken is read here, not written"):
        written(FORMATS["tekken"], small_list(Policy(), 1, b"abab"))


def test_a_writer_that_changes_ids_is_caught() -> None:
    """A format whose writer renumbers is refused by the comparison, not reported as written."""
    tiktoken = FORMATS["tiktoken"]
    write = tiktoken.write
    assert write is not None
    merges = small_list(Policy(), 2, b"ababcdcd")
    careless = replace(tiktoken, write=lambda m: write(replace(m, ids=(*range(256), 300, 301))))
    with pytest.raises(FormatRefusal, match="rank 0, 'a' and 'b', reads back otherwise; nothing was written"):
        written(careless, merges)


def test_no_room_for_the_check_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(FormatRefusal, match=r"tiktoken cannot be checked: .*no such file"):
        written(FORMATS["tiktoken"], small_list(Policy(), 1, b"abab"))


def test_limits_hold_while_reading(tmp_path: Path) -> None:
    merges = example_list(Policy(), 60)
    path = put(tmp_path, dict(written(FORMATS["tiktoken"], merges)), "x")
    with pytest.raises(FormatRefusal, match="vocabulary_bytes"):
        read_any(path, Limits(vocabulary_bytes=300))


@pytest.mark.parametrize("format", WRITABLE, ids=lambda f: f.name)
def test_rules_that_rewrite_texts_are_refused(format: object) -> None:
    found = next(f for f in WRITABLE if f is format)
    merges = example_list(Policy() if found.has_ids else WORDS, 5)
    assert found.losses is not None
    with pytest.raises(FormatRefusal, match="normalizer=nmt-nfkc"):
        found.losses(replace(merges, policy=merges.policy.changed(normalizer="nmt-nfkc")))
    for boundary in ("sp-words", "yttm-words"):
        with pytest.raises(FormatRefusal, match=boundary):
            found.losses(replace(merges, policy=merges.policy.changed(boundary=boundary)))

"""Folders of text files."""

import hashlib
import os
from pathlib import Path

import pytest

from engine.corpus.folder import read_folder
from engine.errors import CorpusRefusal


def test_text_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "z.py").write_bytes(b"z\r\n")
    (tmp_path / "b.txt").write_bytes(b"b")
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "é.md").write_bytes(b"\xff")
    corpus = read_folder(tmp_path, "texts")
    assert [(d.id, d.data) for d in corpus.documents] == [
        ("a", b"a"),
        ("b.txt", b"b"),  # U+002E comes before U+002F
        ("b/z.py", b"z\r\n"),
        ("é.md", b"\xff"),
    ]
    assert (corpus.name, corpus.format, corpus.source_bytes) == ("texts", "folder", 6)
    assert corpus.notes == ("read 4 files as plain text, one document each",)


def test_identity_is_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"xy")
    eight = (1).to_bytes(8, "little") + b"a" + (2).to_bytes(8, "little") + b"xy"
    assert read_folder(tmp_path, "t").sha256 == hashlib.sha256(eight).hexdigest()
    (tmp_path / "a").rename(tmp_path / "ax")
    assert read_folder(tmp_path, "t").sha256 != hashlib.sha256(eight).hexdigest()


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "late-nul.txt").write_bytes(b"x" * 8_000 + b"\0")
    (tmp_path / ".hidden").write_bytes(b"h")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_bytes(b"h")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere")
    corpus = read_folder(tmp_path, "t")
    assert [d.id for d in corpus.documents] == ["a.txt", "late-nul.txt"]
    assert corpus.notes == (
        "read 2 files as plain text, one document each (left out: 1 binary, 1 empty, 2 hidden, 2 not a regular file)",
    )


def test_links_to_files_are_followed_and_loops_are_not_entered(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    (tmp_path / "b.txt").symlink_to("a.txt")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "self").symlink_to("self")
    corpus = read_folder(tmp_path, "t")
    assert [(d.id, d.data) for d in corpus.documents] == [("a.txt", b"a"), ("b.txt", b"a")]
    assert corpus.notes[0].endswith("(left out: 1 linked folder, 1 not a regular file)")


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/a\xff", "wb") as file:
        file.write(b"x")
    assert [d.id for d in read_folder(tmp_path, "t").documents] == [r"a\xff"]


def test_no_text(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(CorpusRefusal, match=r"holds no text file \(left out: 1 empty\)"):
        read_folder(tmp_path, "t")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused_not_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    (tmp_path / "a.txt").chmod(0)
    with pytest.raises(
        CorpusRefusal, match=r"cannot read .*: permission denied; give a readable one, or move it out of the folder"
    ):
        read_folder(tmp_path, "t")


def test_a_folder_that_cannot_be_listed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked").mkdir()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(
        CorpusRefusal, match=r"cannot read .*: permission denied; give a readable one, or move it out of the folder"
    ):
        read_folder(tmp_path, "t")

"""The real program on a real pseudo-terminal: what it writes, how it ends, what it keeps."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile import HOSTILE
from terminal import COLOUR, FRAMEWORK, ROOT, Terminal, foreign

from sessions.locks import lock_at_once
from sessions.store import load

Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    """Start the program with arguments; its state lies in the test's own folder, and it is closed whatever happens."""
    opened: list[Terminal] = []

    def start(*arguments: object, **options: object) -> Terminal:
        opened.append(Terminal(*map(str, arguments), state=tmp_path / "state", **options))  # type: ignore[arg-type]
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for i, token in enumerate(HOSTILE.values()):
        (folder / f"{i:02}\u202e[@click=app.quit]\x1b]0;owned\x07.txt").write_bytes((token[:200] + b"\n") * 2)
    (folder / "line.txt").write_bytes(b"\x1b]52;c;cm0=\x07\xe6[/x]\xe2\x80\xae" * 50_000)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(["aaa", "aba"]))
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Enough different text that learning all of it takes a while."""
    path = tmp_path / "large.txt"
    path.write_text(" ".join(f"{i * 2654435761 % 2**32:x}" for i in range(60_000)))
    return path


def test_a_walk_through_a_hostile_corpus_writes_no_foreign_control_byte(
    open_terminal: Open, hostile_folder: Path
) -> None:
    terminal = open_terminal(hostile_folder, size=(160, 45))
    terminal.until(b"PAUSED")
    for keys in ("l", "L", "]", *"1234567"):
        terminal.press(keys)
        terminal.until_quiet()
    for keys in (
        "2",
        "jjjj",
        "\r",
        "\x1b[6~",
        "x",
        "x",
        "x",
        "x",
        "G",
        "3",
        "G",
        "4",
        "G",
        "1",
        "w",
        "w",
        "y",
        "G",
        "z",
    ):
        terminal.press(keys)
        terminal.until_quiet()
    copied = re.findall(rb"\x1b\]52;c;[A-Za-z0-9+/=]*\x07", terminal.output)
    assert len(copied) == 1  # the one copy that was asked for, by `y`
    for key, question, words in [
        ("/", "find: ", "[/x]\r"), ("t", "go to (", "\\x1b\r"), ("e", "encode: ", "[@click=app.quit]\r"),
        ("?", "searches", "q"),
    ]:  # fmt: skip
        terminal.answer(key, question, words)
        terminal.until_quiet()
    terminal.answer("q", "Discard", "d")  # discard
    assert terminal.ended() == 0
    output = terminal.output.replace(copied[0], b"")
    assert foreign(output) == []
    text = FRAMEWORK.sub(b"", output).decode()  # strictly: no lone byte of a token either
    assert not set(text) & set("\x9b\x85\u202e\u2066\u200d\u0300\ufe0f\u1161\u3164\ue000\ufeff\u2028🇩🏽")
    for payload in (b"\x1b]0;owned", b"\x1b]8;;http", b"\x1b]52;c;cm0", b"\x1b[2J\x1b[31;1mred"):
        assert payload not in output
    assert "‹E6›" in text


def test_the_filter_would_notice() -> None:
    for name in ("OSC 0 title", "OSC 8 link", "OSC 52 clipboard", "all of C0"):
        assert foreign(HOSTILE[name])


def test_idle_writes_nothing(open_terminal: Open, small: Path) -> None:
    terminal = open_terminal(small)
    terminal.until(b"PAUSED")
    terminal.until_quiet()
    assert terminal.read(1.5) == b""
    terminal.press("l")
    terminal.until(b"unsaved")
    terminal.answer("q", "Discard", "d")
    assert terminal.ended() == 0


def test_no_colour_writes_no_colour(open_terminal: Open, small: Path) -> None:
    coloured, plain = open_terminal(small), open_terminal(small, NO_COLOR="1")
    for terminal in (coloured, plain):
        terminal.until(b"PAUSED")
        terminal.press("l2z4")
        terminal.until_quiet()
        terminal.answer("q", "Discard", "d")
        assert terminal.ended() == 0
    assert COLOUR.search(coloured.output)
    assert COLOUR.search(plain.output) is None


@pytest.mark.parametrize("term", ["dumb", "vt100", "linux"])
def test_terminals_of_few_abilities_are_left_as_they_were(open_terminal: Open, small: Path, term: str) -> None:
    terminal = open_terminal(small, size=(80, 24), TERM=term)
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until_quiet()
    terminal.answer("q", "Discard", "d")
    assert terminal.ended() == 0
    assert terminal.output.rindex(b"\x1b[?1049l") > terminal.output.index(b"\x1b[?1049h")
    assert terminal.output.rindex(b"\x1b[?25h") > terminal.output.index(b"\x1b[?25l")


def test_it_is_left_while_it_learns(open_terminal: Open, large: Path) -> None:
    terminal = open_terminal(large)
    terminal.until(b"PAUSED")
    terminal.answer("t", "go to (", "100000\r")
    terminal.until(b"WORKING")
    terminal.answer("q", "Discard", "d")
    assert terminal.ended() == 0


def test_it_is_left_while_it_opens(open_terminal: Open, large: Path) -> None:
    terminal = open_terminal(large)
    terminal.until(b"bpe-tui")
    terminal.press("q")
    assert terminal.ended() == 0


def test_ctrl_c_twice(open_terminal: Open, small: Path) -> None:
    terminal = open_terminal(small)
    terminal.until(b"PAUSED")
    terminal.press("\x03")
    terminal.until(b"again")
    terminal.press("\x03")
    assert terminal.ended() == 0


def test_a_refused_corpus_gives_the_terminal_back_and_says_why(open_terminal: Open, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    terminal = open_terminal(bad)
    assert terminal.ended() == 1
    words = terminal.last_words()
    assert words.startswith("bpe-tui: ")
    assert "bad.json" in words
    assert words.count("\n") == 1


def test_a_killed_run_is_offered_again_at_its_last_snapshot(open_terminal: Open, large: Path, tmp_path: Path) -> None:
    terminal = open_terminal(large)
    terminal.until(b"PAUSED")
    folder = tmp_path / "state" / "bpe-tui" / "recovery"
    terminal.press("]")
    terminal.until_true(lambda: len([*folder.glob("*.bpes")]) == 1)
    terminal.press("]]]]")  # snapshots may be written at this very moment
    os.kill(terminal.process.pid, signal.SIGKILL)
    terminal.process.wait()
    (snapshot,) = folder.glob("*.bpes")
    rank = load(snapshot).rank
    assert rank >= 100
    again = open_terminal(large)
    again.until(f"c goes on at rank {rank:,}".encode())
    again.press("c")
    again.until(b"unsaved")
    again.answer("q", "Discard", "d")
    assert again.ended() == 0
    assert [*folder.glob("*.bpes")] == []


ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)


@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_ends_the_program_and_keeps_the_work(
    open_terminal: Open, small: Path, tmp_path: Path, number: signal.Signals
) -> None:
    terminal = open_terminal(small)
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until(b"unsaved")
    os.kill(terminal.process.pid, number)
    assert terminal.ended() == 128 + number
    (snapshot,) = (tmp_path / "state" / "bpe-tui" / "recovery").glob("*.bpes")
    assert load(snapshot).rank == 1


def test_a_terminal_that_goes_away_ends_the_program_and_keeps_the_work(
    open_terminal: Open, small: Path, tmp_path: Path
) -> None:
    terminal = open_terminal(small)
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until(b"unsaved")
    terminal.hang_up()
    assert terminal.process.wait() == 128 + signal.SIGHUP
    (snapshot,) = (tmp_path / "state" / "bpe-tui" / "recovery").glob("*.bpes")
    assert load(snapshot).rank == 1


@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_ends_the_program_where_the_work_cannot_be_kept_and_says_so(
    open_terminal: Open, small: Path, tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "file").write_bytes(b"")
    terminal = open_terminal(small, XDG_STATE_HOME=str(tmp_path / "file"))
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until(b"unsaved")
    os.kill(terminal.process.pid, number)
    assert terminal.ended() == 128 + number
    if number != signal.SIGHUP:  # then nobody is there to be told
        assert terminal.last_words().startswith("bpe-tui: cannot keep a recovery snapshot in")


def test_a_signal_ends_the_program_though_the_work_cannot_be_kept_in_time(
    open_terminal: Open, small: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "state" / "bpe-tui" / "recovery"
    terminal = open_terminal(small)
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until(b"unsaved")
    folder.mkdir(parents=True)
    with lock_at_once(folder):  # what is written here waits for the folder's lock
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
    assert terminal.last_words() == "bpe-tui: ended before the work could be kept\r\n"
    assert [*folder.glob("*.bpes")] == []


def test_a_crash_shows_its_fault_once_the_work_is_kept(open_terminal: Open, small: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from bpe_tui import goto\n"
        "def fails(*_): raise ZeroDivisionError('a fault of ours')\n"
        "goto.destination = fails\n"
    )
    terminal = open_terminal(small, PYTHONPATH=f"{tmp_path}:{ROOT}")
    terminal.until(b"PAUSED")
    terminal.press("l")
    terminal.until(b"unsaved")
    terminal.answer("t", "go to (", "1\r")
    assert terminal.ended() == 1
    words = terminal.last_words()
    assert "ZeroDivisionError: a fault of ours" in words
    assert "the work is kept: open the corpus again, then c goes on" in words
    (snapshot,) = (tmp_path / "state" / "bpe-tui" / "recovery").glob("*.bpes")
    assert load(snapshot).rank == 1


@pytest.mark.parametrize(
    "environment",
    [
        {"LINES": "9" * 21},
        {"COLUMNS": "100000", "LINES": "100000"},
        {"LINES": "-4", "COLUMNS": "x"},
        {"TEXTUAL_DRIVER": "no.such:Driver"},
        {"TEXTUAL_LOG": "/no/such/folder/log"},
        {"TEXTUAL_COLOR_SYSTEM": "none such"},
    ],
)
def test_an_odd_environment_is_no_obstacle(open_terminal: Open, small: Path, environment: dict[str, str]) -> None:
    terminal = open_terminal(small, **environment)
    terminal.until(b"PAUSED")
    terminal.press("q")
    assert terminal.ended() == 0

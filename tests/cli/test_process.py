"""The command line as a process: streams, exit codes, imports, and terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import HOSTILE

from bpe_tui import __version__
from bpe_tui.cli import COMMANDS

from .cli_run import Run

HERE = Path(__file__).resolve().parents[2]

WITHOUT_A_SCREEN = [
    ["--help"],
    ["--version"],
    ["{corpus}"],
    ["train", "{corpus}", "--merges", "2"],
    ["train", "{corpus}", "--merges", "2", "--json"],
    ["train", "{corpus}", "--merges", "2", "-o", "{folder}/y.json"],
    ["show", "{session}"],
    ["encode", "{session}", "aab"],
    ["decode", "{session}", "256"],
    ["export", "{session}", "-o", "{folder}/z.csv"],
    ["verify", "{session}"],
    ["profiles"],
    *([name, "--help"] for name in COMMANDS),
]
IMPORTED = """
import json
import sys
from bpe_tui.cli import main
told = [(main(arguments), "textual" in sys.modules) for arguments in json.loads(sys.argv[1])]
sys.stderr.write("\\n" + json.dumps(told))
"""


def test_nothing_without_a_screen_imports_textual(run: Run, two: Path, tmp_path: Path) -> None:
    session = tmp_path / "x.bpes"
    assert run("train", two, "--merges", 2, "-o", session).code == 0
    lines = [[a.format(corpus=two, session=session, folder=tmp_path) for a in line] for line in WITHOUT_A_SCREEN]
    done = subprocess.run(  # one process for all: the first that imports it, and those after, would show
        [sys.executable, "-c", IMPORTED, json.dumps(lines)],
        cwd=HERE, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    told = zip(WITHOUT_A_SCREEN, json.loads(done.stderr.splitlines()[-1]), strict=True)
    assert [(line, code, imported) for line, (code, imported) in told] == [
        (line, 2 if line == ["{corpus}"] else 0, False) for line in WITHOUT_A_SCREEN
    ]


def test_help_and_version(process: Run) -> None:
    done = process("--help")
    assert (done.code, done.err) == (0, "")
    assert all(f"\n  {name} " in done.out for name in COMMANDS)
    assert "exit codes: 0 done; 1 refused" in done.out
    assert process("--version").out == f"bpe-tui {__version__}\n"
    assert process().code == 2


def test_no_terminal_is_said_in_one_line(process: Run, two: Path) -> None:
    for arguments in ((str(two),), ("open", str(two)), ("-",), ("no-such-file",)):
        done = process(*arguments)
        assert (done.code, done.data) == (2, b"")
        assert done.err == (
            "bpe-tui: no terminal to explore in; without one use bpe-tui train, show, encode, decode, export, convert, "
            "verify, audit, compare, check or profiles\n"
        )


def test_data_and_talk_do_not_mix(process: Run, two: Path) -> None:
    done = process("train", str(two), "--merges", "2", "--json")
    assert len(done.json) == 3
    assert "policy: bpe" in done.err
    assert "\x1b" not in done.out + done.err, "no colour and no bar where there is no terminal"


def test_arguments_that_are_no_utf8(process: Run, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[31m.txt"
    with open(path, "wb") as file:
        file.write(b"abab")
    done = process("train", path, "--merges", "1")
    assert done.code == 0
    assert "\x1b" not in done.err
    done = process("train", path, "--merges", "1", b"--\x1b]0;x\x07\xff")
    assert done.code == 2
    assert "\x1b" not in done.err


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_bytes(bytes(range(256)) * 40)
    command = [sys.executable, "-m", "bpe_tui", "train", str(corpus), "--merges", "3000", "--json"]
    with subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as training:
        assert training.stdout is not None
        assert training.stderr is not None
        training.stdout.close()
        talk = training.stderr.read().decode()
    assert training.returncode == 141
    assert "Traceback" not in talk
    assert "Exception" not in talk


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "bpe_tui", "profiles", "--json"]
        done = subprocess.run(command, cwd=HERE, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"bpe-tui: cannot write the output: no space left on device\n"


@pytest.mark.parametrize("arguments", [["train", "--help"], ["--help"], ["profiles", "--json"]])
@pytest.mark.parametrize(("redirection", "why"), [(">/dev/full", "no space left on device"), (">&-", "bad file desc")])
def test_output_that_goes_nowhere_is_a_failure(arguments: list[str], redirection: str, why: str) -> None:
    command = f'exec "$0" -m bpe_tui {" ".join(arguments)} {redirection}'
    done = subprocess.run(["sh", "-c", command, sys.executable], cwd=HERE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"bpe-tui: cannot write the output: {why}")
    assert done.stderr.count(b"\n") == 1


def test_talk_that_goes_nowhere_is_not(two: Path) -> None:
    command = 'exec "$0" -m bpe_tui train "$1" --merges 1 2>/dev/full'
    done = subprocess.run(["sh", "-c", command, sys.executable, two], cwd=HERE, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert b"a + a" in done.stdout


def test_what_programs_read_is_the_same_on_every_terminal(process: Run, two: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("[[97,98]]")
    for arguments in (
        ["check", str(tmp_path / "mine.jsonl"), "--corpus", str(two), "--merges", "1", "--json"],
        ["compare", "course", "sennrich", "--corpus", str(two), "--merges", "1", "--json"],
        [
            "train",
            str(two),
            "--merges",
            "1",
            "--boundary",
            "pattern:\u00e9|.",
            "-o",
            str(tmp_path / "x.csv"),
            "--force",
        ],
    ):
        found = []
        for environment in ({"PYTHONUTF8": "1"}, {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}):
            done = process(*arguments, **environment)
            written = tmp_path / "x.csv"
            found.append((done.code, done.data, written.read_bytes() if written.exists() else b""))
        assert found[0] == found[1]
        assert found[0][0] in (0, 1)


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "corpus")
    command = [sys.executable, "-m", "bpe_tui", "train", str(tmp_path / "corpus"), "--merges", "1"]
    # The pipe opens when the other side reads it: it is at work then. What runs in the background of a script was
    # started with this signal ignored, so it is set back.
    with subprocess.Popen(
        command, cwd=HERE, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    ) as training:
        with open(tmp_path / "corpus", "wb"):
            training.send_signal(signal.SIGINT)
        assert training.stderr is not None
        talk = training.stderr.read()
    assert training.returncode == 130
    assert talk == b""


def test_ascii_where_the_terminal_has_no_utf8(process: Run, two: Path) -> None:
    done = process("train", str(two), "--merges", "1", PYTHONIOENCODING="ascii")
    assert " ".join(done.out.splitlines()[1].split()) == "0 a + a aa 97,97 256 2 1 1 a + b x1 61 61"


def on_a_terminal(arguments: list[str], columns: int, **environment: str) -> bytes:
    """What a command prints on a pseudo-terminal."""
    leader, follower = pty.openpty()
    command = ["sh", "-c", f'stty cols {columns} -onlcr; exec "$@"', "sh", sys.executable, "-m", "bpe_tui", *arguments]
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    with subprocess.Popen(
        command, cwd=HERE, stdin=follower, stdout=follower, stderr=subprocess.DEVNULL,
        env={**clean, "TERM": "xterm-256color", **environment},
    ):  # fmt: skip
        os.close(follower)
        printed = bytearray()
        try:
            while chunk := os.read(leader, 65536):
                printed += chunk
        except OSError:  # how Linux says that the other side is closed
            pass
    os.close(leader)
    return bytes(printed)


def test_a_table_fits_the_terminal_and_shows_no_control_byte(tmp_path: Path) -> None:
    corpus = tmp_path / "hostile.txt"
    corpus.write_bytes(b"".join(data * 3 for data in HOSTILE.values()))
    arguments = ["train", str(corpus), "--merges", "200"]
    plain = on_a_terminal(arguments, 80, NO_COLOR="1").decode()
    lines = plain.splitlines()
    assert len(lines) == 201
    assert not {c for c in plain if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0} - {"\n"}
    assert max(map(len, lines)) <= 80
    coloured = on_a_terminal(arguments, 80)
    assert b"\x1b[" in coloured
    assert b"\x1b]" not in coloured

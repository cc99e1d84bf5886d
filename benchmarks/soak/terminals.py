"""Hostile texts, names and arguments on a pseudo-terminal; no byte of theirs may reach it as a control."""

import argparse
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from random import Random

from hostile import HOSTILE
from terminal import FRAMEWORK, Terminal, foreign

from bpe_tui.cli import COMMANDS

from .figures import Report
from .trial import scratch

SIZE = (100, 40)
EVIL = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202e[@click=app.quit]"
"""A name, an argument and an answer."""
KEYS = (*"lLhH]1234567zxvwbjkGgsSdDnNmy'A+-", "\r", "\t", "\x1b[6~", "\x1b[5~")
ANSWERS = (
    ("/", "find: ", "\\x1b\r"),
    ("t", "go to (", "\\x1b\r"),
    ("e", "encode: ", "\x1b[200~\x1b]0;x\x07\u202e\x1b[201~\r"),
)
_PROGRESS = re.compile(rb"\r?\x1b\[1A|\r\x1b\[2K|\x1b\[2K|\r\n")
"""What the bars of commands write besides the framework's own sequences."""
_CLIPBOARD = re.compile(rb"\x1b\]52;c;[A-Za-z0-9+/=]*\x07")
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me"}
_LOOKS: tuple[dict[str, str], ...] = (
    {}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"},
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much."""
    parser.add_argument("--keys", metavar="N", type=int, default=200, help="keys in each corpus (default: 200)")


def run(args: argparse.Namespace) -> Report:
    """Commands first, then walks in the explorer."""
    report = Report()
    draw = Random(args.seed)
    with scratch() as folder:
        corpora = _corpora(folder, draw)
        session = str(folder / f"{EVIL}.bpes")
        for environment in _LOOKS:
            outputs, bad = _commanded(folder, corpora, session, environment)
            name = " ".join("=".join(item) for item in environment.items()) or "commands"
            report.add({"what": name, "runs": len(outputs), "keys": 0, "bytes": sum(outputs), "bad": len(bad)}, bad)
        for name, corpus in corpora.items():
            size, bad = _explored(folder, corpus, args.keys, draw)
            row = {"what": f"explorer: {name}", "runs": 1, "keys": args.keys, "bytes": size, "bad": len(bad)}
            report.add(row, bad)
    return report


def _corpora(folder: Path, draw: Random) -> dict[str, str]:
    """Corpora of hostile texts under hostile names."""
    tokens = [*HOSTILE.values(), EVIL.encode("utf-8", "surrogateescape")]
    blob = b"".join(draw.choice(tokens)[:200] + draw.choice((b"", b" ", b"the ")) for _ in range(20_000))
    (folder / f"text{EVIL}.txt").write_bytes(blob)
    records = [{"id": f"{EVIL}{n}", "text": token.decode("latin-1"), EVIL: EVIL} for n, token in enumerate(tokens)]
    (folder / f"records{EVIL}.json").write_text(json.dumps(records))
    words = {re.sub(rb"[\t\r\n]", b"", token) for token in tokens}
    table = b"".join(b"%b\t%d\n" % (word, n) for n, word in enumerate(sorted(words - {b""}), 1))
    (folder / f"words{EVIL}.tsv").write_bytes(table)
    inside = folder / f"folder{EVIL}"
    inside.mkdir()
    for n, token in enumerate(tokens):
        (inside / f"{n}{EVIL}.txt").write_bytes(token)
    return {path.name.removesuffix(path.suffix)[:4]: str(path) for path in sorted(folder.iterdir())}


def _lines(folder: Path, corpora: dict[str, str], session: str) -> Iterator[list[str]]:
    """Command lines that show much of hostile corpora, and hostile arguments of every command."""
    text = corpora["text"]
    yield ["train", text, "--boundary", "gpt2", "--merges", "300", "-o", session]
    for corpus in corpora.values():
        yield ["train", corpus, "--merges", "50"]
    yield ["train", text, "--merges", "3", "--trace"]
    yield ["train", text, "--merges", "300", "--json"]
    yield ["show", session, "--top", "300"]
    yield ["audit", session, "--all", "--corpus", text]
    yield ["decode", session, *map(str, range(256, 500))]
    yield ["encode", session, EVIL, "--trace"]
    yield ["compare", "rustbpe", "cs336", "--corpus", text, "--merges", "50"]
    yield ["verify", session]
    yield ["export", session, "--to", "huggingface", "-o", str(folder / f"{EVIL}.json")]
    for command in COMMANDS:
        yield [command, EVIL]
        yield [command, EVIL, f"--{EVIL}"]
        yield [command, session, "--corpus", EVIL, "--limit", EVIL, "--profile", EVIL]
        yield [command, text, "-o", f"{EVIL}/{EVIL}"]


def _commanded(
    folder: Path, corpora: dict[str, str], session: str, environment: dict[str, str]
) -> tuple[list[int], dict[str, int]]:
    """Run the commands; the bytes that each wrote, and what was bad."""
    outputs, bad = [], dict[str, int]()
    for line in _lines(folder, corpora, session):
        terminal = Terminal(*line, state=folder / "state", size=SIZE, **environment)
        try:
            code = terminal.ended()
        finally:
            terminal.close()
        outputs.append(len(terminal.output))
        wrong = wrong_with(terminal.output) or (f"exit code {code}" if code not in (0, 1, 2) else "")
        if wrong:
            bad[f"{wrong} by {line}"] = 1
    return outputs, bad


def _explored(folder: Path, corpus: str, keys: int, draw: Random) -> tuple[int, dict[str, int]]:
    """Walk through a corpus by random keys and hostile answers; the bytes that came, and what was bad."""
    terminal = Terminal(corpus, state=folder / "state", size=draw.choice(((160, 45), (80, 24), (50, 20))))
    pressed = draw.choices(KEYS, k=keys)
    try:
        terminal.until(b"PAUSED")
        for key in pressed:
            terminal.press(key)
            terminal.read(0.05)
        for key, question, words in ANSWERS:
            terminal.press("\x1b")
            terminal.until_quiet()
            terminal.answer(key, question, words)
            terminal.until_quiet()
        ended = terminal.process.poll()
    finally:
        terminal.close()
    output, copied = _CLIPBOARD.subn(b"", terminal.output)
    wrong = wrong_with(output)
    if ended is not None:
        wrong = f"it ended with {ended}"
    if copied > pressed.count("y"):
        wrong = f"the clipboard was written {copied} times, {pressed.count('y')} times by a key"
    return len(terminal.output), {f"{wrong} in {corpus!r}": 1} if wrong else {}


def wrong_with(output: bytes) -> str:
    """What a terminal would obey or hide in what was written; empty if nothing."""
    rest = FRAMEWORK.sub(b"", _PROGRESS.sub(b"", output))
    if controls := foreign(rest):
        at = next(at for at, byte in enumerate(rest) if byte == controls[0])
        return f"control bytes, first {rest[max(at - 20, 0) : at + 20]!r}"
    if b"Traceback (most" in rest:
        return f"a traceback, {rest[-200:]!r}"
    try:
        text = rest.decode()
    except UnicodeDecodeError as error:
        return f"no UTF-8: {rest[error.start : error.start + 20]!r}"
    hidden = {char for char in text if char > "\x7f" and unicodedata.category(char) in _HIDDEN}
    return f"hidden characters {sorted(map(ascii, hidden))}" if hidden else ""

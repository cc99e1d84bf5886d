"""The canonical artifact: the published bytes, its determinism, and every refusal of its validation."""

import hashlib
import io
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import KERNELS, corpus, weighted_corpora

from engine.artifact import artifact_of, canonical_bytes, is_canonical, load
from engine.binding import Binding, binding_of, receipt_binding
from engine.corpus.document import Corpus
from engine.corpus.open import open_corpus
from engine.corpus.prepared import read_training_stream
from engine.errors import ArtifactRefusal, LimitRefusal, PolicyRefusal
from engine.limits import COURSE_LIMITS, Limits
from engine.policy import Policy
from engine.trace import write_trace
from engine.trainer import Trainer

PUBLISHED = "8b1534b8711b1b55c97466fcdd94c6059395acf553e25ba66a6e4911604014b9"
FRAMED = Policy(id_layout="framed")
BINDING = Binding("0" * 64, "1" * 64, "prepared-jsonl", "fixture")
TWO = corpus(b"abab", b"abac")
Change = Callable[[dict[str, Any]], None]


def frozen(
    texts: Corpus, rank: int, policy: Policy = FRAMED, limits: Limits | None = None, kernel: str = "auto"
) -> bytes:
    trainer = Trainer(texts, policy, limits, kernel)
    trainer.seek(rank)
    return canonical_bytes(trainer, BINDING)


# The published payload


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layout", ["raw", "framed"])
def test_the_published_payload_byte_for_byte(learn_llm: Path, kernel: str, layout: str) -> None:
    folder = learn_llm / "practical-ch03"
    texts = open_corpus(folder / "train.jsonl")
    binding = receipt_binding((folder / "corpus-receipt.json").read_bytes(), texts)
    policy = Policy(budget=2, exact=True, id_layout=layout)
    trainer = Trainer(texts, policy, COURSE_LIMITS, kernel)
    trainer.seek(2)
    data = canonical_bytes(trainer, binding)
    assert data == (folder / "incremental-tokenizer.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == PUBLISHED


def test_the_published_payload_loads(learn_llm: Path) -> None:
    data = (learn_llm / "practical-ch03" / "incremental-tokenizer.json").read_bytes()
    artifact = load(data, COURSE_LIMITS)
    tokenizer = artifact.tokenizer()
    assert tokenizer.encode(b"acac") == [259, 259]
    assert tokenizer.frame(tokenizer.encode(b"abac")) == [0, 258, 259, 1]
    assert artifact.counters.tokens_per_byte == 0.5
    assert str(artifact.policy) == str(Policy(budget=2, exact=True, id_layout="framed"))
    assert artifact.to_bytes() == data
    assert is_canonical(data)


class Trickle(io.RawIOBase):
    """A stream that gives at most `width` bytes at a time."""

    def __init__(self, data: bytes, width: int) -> None:
        self._inner, self._width = io.BytesIO(data), width

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        part = self._inner.read(min(self._width, len(buffer)))
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("texts", [("abab", "abac"), ("café\nпривет",)])
def test_how_a_stream_arrives_changes_no_byte_of_artifact_and_trace(texts: tuple[str, ...]) -> None:
    data = b"".join(json.dumps({"id": text, "text": text}).encode() + b"\n" for text in texts)
    results = set()
    for width in range(1, len(data) + 1):
        stream = io.BufferedReader(Trickle(data, width), buffer_size=width)
        trainer = Trainer(read_training_stream(stream, "stream"), FRAMED.changed(budget=2, exact=True))
        trainer.seek(2)
        results.add((canonical_bytes(trainer, binding_of(trainer.corpus)), "\n".join(write_trace(trainer))))
    assert len(results) == 1


# Writing


@settings(deadline=None, max_examples=50)
@given(weighted_corpora(), st.integers(0, 8))
def test_what_is_written_is_read_back_and_is_the_same_from_every_kernel(texts: Corpus, rank: int) -> None:
    data = frozen(texts, rank)
    assert data == frozen(texts, rank, kernel="reference") == frozen(texts, rank, Policy())
    artifact = load(data)
    assert is_canonical(data)
    trainer = Trainer(texts, FRAMED)
    trainer.seek(rank)
    assert artifact == artifact_of(trainer, BINDING)
    for document in trainer.documents:
        assert artifact.tokenizer().encode(document.data[:]) == trainer.tokenizer().encode(document.data[:])


def test_equal_ranks_give_equal_bytes_however_far_the_run_went() -> None:
    trainer = Trainer(TWO, FRAMED)
    trainer.seek(4)
    trainer.seek(2)
    assert canonical_bytes(trainer, BINDING) == frozen(TWO, 2, FRAMED.changed(budget=2))
    assert load(canonical_bytes(trainer, BINDING)).policy.budget == 2


def test_a_budget_beyond_the_last_pair_is_what_was_asked_for() -> None:
    """`abcdefgh` three times has nine merges: 8 stop early, 10 find the end; both bytes are fixed by what was asked."""
    texts = corpus(b"abcdefgh" * 3)
    eight, ten = (load(frozen(texts, n, FRAMED.changed(budget=n))) for n in (8, 10))
    assert (eight.tokenizer().size, eight.policy.budget, len(eight.rules)) == (266, 8, 8)
    assert (ten.policy.budget, len(ten.rules)) == (10, 9)
    assert eight.to_bytes() != ten.to_bytes()
    at_the_last_pair = frozen(texts, 9, FRAMED.changed(budget=10))
    assert at_the_last_pair == ten.to_bytes()


def test_a_vocabulary_budget_counts_as_merges() -> None:
    policy = FRAMED.changed(budget=260, budget_unit="vocabulary", exact=True)
    assert frozen(TWO, 2, policy) == frozen(TWO, 2, FRAMED.changed(budget=2, exact=True))


def test_an_exact_budget_out_of_reach_is_refused() -> None:
    trainer = Trainer(TWO, FRAMED.changed(budget=9, exact=True))
    trainer.seek(4)
    with pytest.raises(PolicyRefusal, match="exhausted pairs before the exact merge count: learned 4 of 9"):
        canonical_bytes(trainer, BINDING)
    trainer.seek(3)
    assert load(canonical_bytes(trainer, BINDING)).policy == FRAMED.changed(budget=3, exact=True)


def test_counters_are_weighted() -> None:
    weighted, written_out = corpus(b"abab", b"", weights=[3, 2]), corpus(b"abab", b"abab", b"abab", b"", b"")
    counters = load(frozen(weighted, 1)).counters
    assert counters == load(frozen(written_out, 1)).counters
    assert (counters.content_tokens, counters.control_tokens) == (6, 10)
    assert (counters.input_bytes, counters.training_documents, counters.tokens_per_byte) == (12, 5, 0.5)
    assert load(frozen(corpus(b""), 0)).counters.tokens_per_byte is None


def test_another_receipt_changes_the_bytes_and_no_rule() -> None:
    trainer = Trainer(TWO, FRAMED)
    trainer.seek(2)
    other = Binding("2" * 64, BINDING.input_sha256, "prepared-jsonl", "fixture")
    one, two = canonical_bytes(trainer, BINDING), canonical_bytes(trainer, other)
    assert one != two
    assert load(one).rules == load(two).rules
    assert one == canonical_bytes(trainer, BINDING)
    trainer.tokenizer().encode(b"ac" * 100)
    assert one == canonical_bytes(trainer, BINDING)


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        (Policy(alphabet="characters", base_order="as-given"), "alphabet='characters', only alphabet=bytes"),
        (Policy(base_order="bytemap"), "base_order='bytemap', only base_order=byte-value"),
        (Policy(boundary="spaces"), "boundary='spaces', only boundary=document"),
        (Policy(counting="non-overlapping"), "counting='non-overlapping', only counting=overlapping"),
        (Policy(tie_break="largest-bytes"), "tie_break='largest-bytes', only tie_break=smallest-ids"),
        (Policy(min_count=2), "min_count=2, only min_count=1"),
        (Policy(max_token_length=4), "max_token_length=4, only max_token_length=none"),
        (Policy(special_tokens=("x",)), r"special_tokens=\('x',\), only special_tokens=none"),
    ],
)
def test_a_policy_that_the_format_cannot_express_is_refused_with_a_way_out(policy: Policy, names: str) -> None:
    with pytest.raises(ArtifactRefusal, match=f"cannot express policy {names}; save a session"):
        frozen(TWO, 1, policy)


@pytest.mark.parametrize("limit", [{"artifact_bytes": 700}, {"artifact_bytes": 1}])
def test_the_artifacts_size_is_limited_both_ways(limit: dict[str, int]) -> None:
    with pytest.raises(LimitRefusal, match=f"over the limit artifact_bytes={limit['artifact_bytes']}"):
        frozen(TWO, 2, limits=Limits().replaced(limit))
    data = frozen(TWO, 2)
    with pytest.raises(LimitRefusal, match=f"this artifact needs {len(data)}, over the limit artifact_bytes"):
        load(data, Limits().replaced(limit))
    assert load(data, Limits(artifact_bytes=len(data))) == load(data)


# Loading


def changed(change: Change) -> bytes:
    value = json.loads(frozen(TWO, 2, FRAMED.changed(budget=2, exact=True)))
    change(value)
    return json.dumps(value).encode()


def put(value: object, *path: str | int) -> Change:
    def change(top: dict[str, Any]) -> None:
        at: Any = top
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    def change(top: dict[str, Any]) -> None:
        at: Any = top
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]

    return change


REFUSED: list[tuple[Change, str]] = [
    (put(9, "schema_version"), "unsupported schema_version 9: this program reads 1 only"),
    (put(2, "layout_version"), "unsupported layout_version 2"),
    (put("other", "trainer_semantics"), "unsupported trainer_semantics 'other'"),
    (put(1, "surprise"), "the artifact has an unknown member 'surprise'"),
    (put(1, "counters", "surprise"), "'counters' has an unknown member 'surprise'"),
    (put(1, "policy", "surprise"), "'policy' has an unknown member 'surprise'"),
    (put(1, "training", "surprise"), "'training' has an unknown member 'surprise'"),
    (put(1, "merges", 1, "surprise"), "merge 1 has an unknown member 'surprise'"),
    (drop("merges"), "the artifact has no member 'merges'"),
    (drop("merges", 0, "left"), "merge 0 has no member 'left'"),
    (put({}, "merges"), "'merges' of the artifact must be an array"),
    (put([1], "merges"), "merge 0 must be an object"),
    (put(True, "counters", "input_bytes"), "'input_bytes' of 'counters' must be an integer"),
    (put(2.0, "policy", "merge_count"), "'merge_count' of 'policy' must be an integer"),
    (put(-1, "merges", 0, "left"), "'left' of merge 0 must be an integer from 0 to 4294967295"),
    (put(2**32, "merges", 0, "token_id"), "'token_id' of merge 0 must be an integer"),
    (put(2**64, "counters", "input_bytes"), "must be an integer from 0 to 18446744073709551615"),
    (put(1, "policy", "exact_merge_count"), "'exact_merge_count' of 'policy' must be true or false"),
    (put("nfc", "policy", "normalization"), "unsupported normalization 'nfc'"),
    (put("gpt2", "policy", "pretokenization"), "unsupported pretokenization 'gpt2'"),
    (put("first-seen", "policy", "tie_break"), "unsupported tie_break 'first-seen'"),
    (put(4_294_967_039, "policy", "merge_count"), "4294967039 merges exceed the u32 token-ID space"),
    (put("test", "training", "split"), "split='test' is unknown"),
    (put("all", "training", "scope"), "scope='all' is unknown"),
    (put("raw", "training", "input_encoding"), "input_encoding='raw' is unknown"),
    (put("F" * 64, "training", "input_sha256"), "is not 64 lowercase hexadecimal digits"),
    (put("0" * 63, "training", "corpus_receipt_sha256"), "is not 64 lowercase hexadecimal digits"),
    (put(1, "policy", "merge_count"), "it holds 2 merges, but its policy asks for exactly 1"),
    (put(3, "policy", "merge_count"), "it holds 2 merges, but its policy asks for exactly 3"),
    (put(5, "counters", "control_tokens"), "control_tokens 5 is not twice training_documents 2"),
    (put(9, "counters", "content_tokens"), "content_tokens 9 exceeds input_bytes 8"),
    (put(3, "counters", "content_tokens"), "input_bytes 8 less 4 replacements is not content_tokens 3"),
    (put(0, "merges", 1, "rank"), "merge 1 has rank 0"),
    (put(260, "merges", 1, "token_id"), "merge 1 makes token 260, not 259"),
    (put(0, "merges", 0, "replacements"), "merge 0 has 0 replacements of 3 candidates"),
    (put(4, "merges", 0, "replacements"), "merge 0 has 4 replacements of 3 candidates"),
    (put(1, "merges", 0, "left"), "merge 0 uses the control token 1"),
    (put(258, "merges", 0, "left"), "merge rank 0 uses unknown token 258"),
    (put(259, "merges", 1, "right"), "merge rank 1 uses unknown token 259"),
    (put(100, "merges", 1, "right"), r"merge rank 1 repeats the pair \(99, 100\) of rank 0"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_every_broken_rule_is_refused(change: Change, message: str) -> None:
    with pytest.raises(ArtifactRefusal, match=message) as caught:
        load(changed(change))
    assert str(caught.value).startswith("invalid tokenizer artifact: ")
    assert "\n" not in str(caught.value)


def test_weighted_bytes_are_a_fixture_only() -> None:
    def change(top: dict[str, Any]) -> None:
        top["training"] |= {"input_encoding": "weighted-bytes-v1", "scope": "prepared-corpus"}

    with pytest.raises(ArtifactRefusal, match="input_encoding=weighted-bytes-v1 needs scope=fixture"):
        load(changed(change))


@pytest.mark.parametrize("path", ["", "counters", "policy", "training"])
def test_a_repeated_member_is_refused(path: str) -> None:
    text = frozen(TWO, 2).decode()
    inside = json.loads(text)[path] if path else json.loads(text)
    name = sorted(inside)[0]
    first = f'"{name}":{json.dumps(inside[name], sort_keys=True, separators=(",", ":"))}'
    assert text.count(first) == 1
    with pytest.raises(ArtifactRefusal, match=f"repeated member '{name}'"):
        load(text.replace(first, f"{first},{first}").encode())


def test_the_first_broken_rule_in_order_is_named() -> None:
    """Policy, binding, versions, number of rules, counters, merges, sum, pair table: each hides what follows."""
    order = [
        put(100, "merges", 1, "right"),
        put(9, "counters", "input_bytes"),
        put(0, "merges", 1, "rank"),
        put(10, "counters", "content_tokens"),
        put(5, "counters", "control_tokens"),
        put(1, "policy", "merge_count"),
        put("other", "trainer_semantics"),
        put(2, "layout_version"),
        put(9, "schema_version"),
        put("test", "training", "split"),
        put("nfc", "policy", "normalization"),
    ]
    names = ["repeats the pair", "less 4 replacements", "has rank 0", "exceeds input_bytes", "not twice", "exactly 1",
             "trainer_semantics", "layout_version", "schema_version", "split='test'", "normalization"]  # fmt: skip
    for count, name in enumerate(names, 1):

        def change(top: dict[str, Any], count: int = count) -> None:
            for one in order[:count]:
                one(top)

        with pytest.raises(ArtifactRefusal, match=name):
            load(changed(change))


@given(st.integers(0, 780), st.integers(0, 255))
def test_a_cut_or_altered_artifact_never_raises_anything_but_a_refusal(at: int, byte: int) -> None:
    data = frozen(TWO, 2)
    at %= len(data) - 1
    with pytest.raises(ArtifactRefusal):
        load(data[:at])
    altered = data[:at] + bytes([byte]) + data[at + 1 :]
    with suppress(ArtifactRefusal):
        load(altered)


def test_other_spellings_load_and_are_not_canonical() -> None:
    data = frozen(TWO, 2)
    value = json.loads(data)
    spellings = [
        data[:-1],
        data + b"\n",
        json.dumps(value).encode(),
        json.dumps(dict(reversed(value.items()))).encode(),
    ]
    for spelling in spellings:
        assert load(spelling) == load(data)
        assert not is_canonical(spelling)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(token_bytes=1), "needs 2, over the limit token_bytes=1"),
        (Limits(vocabulary_bytes=257), "needs 258, over the limit vocabulary_bytes=257"),
        (Limits(nodes=1), "number of merges needs 2, over the limit nodes=1"),
    ],
)
def test_loading_is_limited(limits: Limits, message: str) -> None:
    with pytest.raises(LimitRefusal, match=message):
        load(frozen(TWO, 2), limits)

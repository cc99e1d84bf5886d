"""Encoding, compiled and in Python: both equal replaying the merges one after the other, and each other."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import BYTE_BOUNDARIES, trained

import engine.tokenizer
from engine.alphabet import build_alphabet
from engine.errors import LimitRefusal
from engine.kernel.reference import replace_pair
from engine.layout import Layout
from engine.limits import Limits
from engine.policy import Policy
from engine.tokenizer import MergeTable, Tokenizer

compiled = pytest.mark.skipif(not engine.tokenizer.has_compiled(), reason="the compiled encoder is not built")

AWKWARD = ("a", "b", " ", "\n", "\r", "\t", "'", "s", "L", "é", "ß", "7", "٣", ".", "\u00a0", "\u3000", "中", "\u0301")
"""Characters that the boundaries tell apart."""


def table_of(policy: Policy, pairs: Sequence[tuple[int, int]], *, built: bool = True) -> MergeTable:
    """A table of merges in kernel ids; with `built` off it is encoded in Python wherever it runs."""
    alphabet = build_alphabet(policy, ())
    with pytest.MonkeyPatch.context() as patch:
        if not built:
            patch.setattr(engine.tokenizer, "has_compiled", lambda: False)
        table = MergeTable(alphabet, Layout(policy, len(alphabet.tokens)), Limits())
    for pair in pairs:
        table.add(pair)
    return table


def replayed(ids: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Every merge in order, over the whole piece."""
    tokens = list(ids)
    for rank, pair in enumerate(pairs):
        tokens = replace_pair(tokens, pair, 256 + rank)
    return tokens


@st.composite
def merge_lists(draw: st.DrawFn, most: int = 12) -> list[tuple[int, int]]:
    """Distinct pairs of tokens that are there; mostly such lists as no training makes."""
    pairs: list[tuple[int, int]] = []
    for rank in range(draw(st.integers(0, most))):
        tokens = st.sampled_from([*b"ab \xc3\xa9\n", *range(256, 256 + rank)])
        pair = (draw(tokens), draw(tokens))
        if pair not in pairs:
            pairs.append(pair)
        else:
            break
    return pairs


def texts(most: int = 60) -> st.SearchStrategy[bytes]:
    """Some bytes that repeat, of which a few form no character."""
    parts = st.sampled_from([b"a", b"b", b"ab", b"aa", b" ", b"\n", "é".encode(), b"\xa9", b"aaaaaaaabaaab" * 5])
    return st.lists(parts, max_size=most).map(b"".join)


@given(pairs=merge_lists(), data=texts())
@pytest.mark.parametrize("built", [pytest.param(True, marks=compiled, id="compiled"), pytest.param(False, id="python")])
def test_any_merge_list_encodes_as_its_replay_at_every_rank(
    built: bool, pairs: list[tuple[int, int]], data: bytes
) -> None:
    policy = Policy()
    table = table_of(policy, pairs, built=built)
    for rank in range(len(pairs) + 1):
        assert Tokenizer(policy, table, rank).encode(data) == replayed(data, pairs[:rank])


@compiled
@pytest.mark.parametrize("boundary", [*BYTE_BOUNDARIES, r"pattern:[ab]+|\s"])
@given(
    pairs=merge_lists(),
    parts=st.lists(st.sampled_from([*(c.encode() for c in AWKWARD), b"\xff", b"\xe4\xb8", b"ab" * 40]), max_size=60),
    changes=st.fixed_dictionaries({
        "unmatched": st.sampled_from(["kept", "dropped"]),
        "base_order": st.sampled_from(["byte-value", "bytemap"]),
        "id_layout": st.sampled_from(["raw", "framed"]),
    }),
)  # fmt: skip
def test_compiled_equals_python_at_every_boundary(
    boundary: str, pairs: list[tuple[int, int]], parts: list[bytes], changes: dict[str, str]
) -> None:
    policy = Policy(boundary=boundary, special_tokens=("ab",)).changed(**changes)
    both = [Tokenizer(policy, table_of(policy, pairs, built=built)) for built in (True, False)]
    data = b"".join(parts)
    first, second = (tokenizer.encode(data) for tokenizer in both)
    assert first == second
    assert both[0].encode(data, specials=True) == both[1].encode(data, specials=True)


@pytest.mark.parametrize("plain", [False, True], ids=["installed", "python"])
def test_merging_leaves_what_it_is_given(plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if plain:
        monkeypatch.setattr(engine.tokenizer, "has_compiled", lambda: False)
    policy = Policy()
    tokenizer = Tokenizer.from_pairs(policy, build_alphabet(policy, []), [(97, 98), (98, 99), (97, 257)])
    ids = [97, 98, 99]
    assert tokenizer.merge(ids) == [256, 99]
    assert ids == [97, 98, 99]


def test_an_alphabet_without_characters_encodes_nothing() -> None:
    policy = Policy(alphabet="characters", base_order="code-point")
    assert Tokenizer(policy, table_of(policy, [])).encode(b"") == []


@compiled
@pytest.mark.parametrize("end_of_word", ["none", "fused", "separate"])
def test_characters_are_merged_as_in_python(end_of_word: str) -> None:
    text = "ab abab бб ббаб " * 9
    policy = Policy(alphabet="characters", base_order="code-point", boundary="whitespace", unmatched="dropped")
    policy = policy.changed(end_of_word=end_of_word)
    trainer = trained(text.encode(), merges=9, policy=policy)
    for rank in range(trainer.rank + 1):
        tokenizer = trainer.tokenizer(rank)
        slow = Tokenizer(policy, trainer.tokenizer()._table, rank)
        slow._encoder = slow._scanner = None
        assert tokenizer.encode(text.encode()) == slow.encode(text.encode())


def test_a_fresh_encode_of_training_text_is_the_training_text() -> None:
    """What training made of its own units is what encoding makes of them, at every rank."""
    policy = Policy(boundary="gpt2")
    trainer = trained(b"it's the cat's mat; the cats' mats are the mats " * 3, merges=30, policy=policy)
    for rank in range(trainer.rank, -1, -1):
        trainer.seek(rank)
        tokenizer = trainer.tokenizer()
        for unit, data in enumerate(trainer.units.sequences):
            assert tokenizer.encode(bytes(data)) == [t for _, t in trainer.kernel.unit_tokens(unit)]


# What is remembered


@pytest.fixture
def words() -> tuple[list[tuple[int, int]], bytes]:
    """Merges over three letters, and a text of 20,000 words, most of them different."""
    choice = random.Random(5)
    pairs = [(a, b) for a in b"abc" for b in b"abc"] + [(256 + i, 257 + i) for i in range(8)]
    sizes = choice.choices([3, 9, 15, 16, 17, 40, 80, 300], weights=[30, 30, 20, 20, 20, 5, 2, 1], k=20_000)
    return pairs, b" ".join(bytes(choice.choices(b"abc", k=size)) for size in sizes)


@compiled
def test_forgetting_changes_nothing(
    words: tuple[list[tuple[int, int]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, data = words
    policy = Policy(boundary="gpt2")
    expected = Tokenizer(policy, table_of(policy, pairs, built=False)).encode(data)
    for room in (0, 200_000, 1 << 30):
        monkeypatch.setattr("engine._encoder.CACHE_BYTES", room)
        tokenizer = Tokenizer(policy, table_of(policy, pairs))
        assert tokenizer.encode(data) == expected
        assert tokenizer.encode(data) == expected


def test_one_table_serves_all_ranks_while_it_grows() -> None:
    """abab at ranks 0, 1 and 2 of (a b), (ab ab); each answer stays after the others and after growing."""
    policy = Policy(boundary="gpt2")
    table = table_of(policy, [(97, 98)])
    before = Tokenizer(policy, table)
    assert before.encode(b"abab") == [256, 256]
    table.add((256, 256))
    after = Tokenizer(policy, table)
    for _ in range(2):
        assert after.encode(b"abab") == [257]
        assert before.encode(b"abab") == [256, 256]
        assert Tokenizer(policy, table, 0).encode(b"abab") == [97, 98, 97, 98]


# Long pieces


@compiled
def test_a_long_line_without_spaces(words: tuple[list[tuple[int, int]], bytes]) -> None:
    pairs, data = words
    policy = Policy()
    line = data.replace(b" ", b"")
    assert Tokenizer(policy, table_of(policy, pairs)).encode(line) == replayed(line, pairs)


def test_equal_characters_with_odd_merges() -> None:
    """Ranks aa, aaa, aaaa, aaaaaaa: an even run has no letter for the second; three letters more end as the fourth."""
    policy = Policy(boundary="gpt2")
    table = table_of(policy, [(97, 97), (256, 97), (256, 256), (258, 257)])
    assert Tokenizer(policy, table).encode(b"a" * 1_000_000) == [258] * 250_000
    assert Tokenizer(policy, table).encode(b"a" * 1_000_003) == [258] * 249_999 + [259]


# Batches and threads


@pytest.fixture(params=[pytest.param(True, marks=compiled, id="compiled"), pytest.param(False, id="python")])
def tokenizer(request: pytest.FixtureRequest, words: tuple[list[tuple[int, int]], bytes]) -> Tokenizer:
    policy = Policy(boundary="gpt2", id_layout="framed")
    return Tokenizer(policy, table_of(policy, words[0], built=request.param))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_batch_is_its_texts_one_by_one(
    threads: int, tokenizer: Tokenizer, words: tuple[list[tuple[int, int]], bytes]
) -> None:
    lines = [words[1][at : at + 997] for at in range(0, 60_000, 997)]
    assert tokenizer.encode_batch(lines, threads) == [tokenizer.encode(line) for line in lines]
    assert tokenizer.encode_batch([b"", b"ab", b""], threads) == [[], tokenizer.encode(b"ab"), []]
    assert tokenizer.encode_batch([], threads) == []


def test_a_batch_is_limited_text_by_text() -> None:
    policy = Policy()
    small = Tokenizer.from_pairs(policy, build_alphabet(policy, ()), [], Limits(nodes=3))
    assert small.encode_batch([b"abc", b"abc"]) == [[97, 98, 99]] * 2
    with pytest.raises(LimitRefusal, match="text's length in bytes needs 4, over the limit nodes=3"):
        small.encode_batch([b"abc", b"abcd"])


@compiled
def test_threads_share_a_table_at_different_ranks(words: tuple[list[tuple[int, int]], bytes]) -> None:
    pairs, data = words
    policy = Policy(boundary="gpt2")
    table = table_of(policy, pairs)
    ranks = [0, 3, 9, 17] * 3
    expected = {rank: Tokenizer(policy, table, rank).encode(data) for rank in set(ranks)}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda rank: Tokenizer(policy, table, rank).encode(data), ranks))
    assert found == [expected[rank] for rank in ranks]


# What the compiled encoder refuses to be given


@compiled
def test_wrong_use_is_an_error_and_no_crash() -> None:
    from engine._encoder import Encoder

    encoder = Encoder(256, bytes(range(256)), 0)
    for pair in ((256, 97), (97, 256)):
        with pytest.raises(ValueError, match="no token is made yet"):
            encoder.add(*pair)
    with pytest.raises(ValueError, match="no base token has the id 256"):
        encoder.merge([256], 0)
    with pytest.raises(ValueError, match="no compiled scanner for the boundary pattern:x"):
        encoder.encode(b"x", "pattern:x", False, 0)
    with pytest.raises(TypeError):
        encoder.encode(None, "gpt2", False, 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        encoder.encode_batch([b"x", None], "gpt2", False, 0, 2)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="256 ids of base tokens"):
        Encoder(255, bytes(range(256)), 0)
    characters = Encoder(3, None, 0)
    assert not characters.cuts("gpt2")
    assert characters.merge([2, 0, 1], 5) == [2, 0, 1]

"""The merges behind a list of tokens: equal to those that training chose, or refused with the rank."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.tokenizer
from engine.corpus.document import Document, corpus_of
from engine.errors import FormatRefusal, LimitRefusal
from engine.formats.recover import recover
from engine.limits import Limits
from engine.policy import CHOICES, Policy
from engine.trainer import Trainer

BYTES = [bytes([byte]) for byte in range(256)]


def trained(texts: Sequence[bytes], policy: Policy) -> list[tuple[int, int]]:
    documents = [Document(f"d{i}", text) for i, text in enumerate(texts)]
    trainer = Trainer(corpus_of(b"".join(texts), "test", "text", documents), policy)
    trainer.seek(200)
    return list(trainer.merge_list())


def expansions(pairs: Sequence[tuple[int, int]]) -> list[bytes]:
    tokens = list(BYTES)
    for left, right in pairs:
        tokens.append(tokens[left] + tokens[right])
    return tokens


@given(
    st.lists(st.text("ab \n", max_size=60), min_size=1, max_size=4),
    st.sampled_from(CHOICES["tie_break"]),
    st.sampled_from(CHOICES["counting"]),
    st.sampled_from(["document", "gpt2", "spaces"]),
    st.booleans(),
)
def test_the_pairs_of_any_run_come_back(texts: list[str], tie: str, counting: str, boundary: str, built: bool) -> None:
    pairs = trained([t.encode() for t in texts], Policy(tie_break=tie, counting=counting, boundary=boundary))
    with pytest.MonkeyPatch.context() as patch:
        if not built:
            patch.setattr(engine.tokenizer, "has_compiled", lambda: False)
        found = recover(expansions(pairs))
    assert list(found.pairs) == pairs
    assert [token.data for token in found.alphabet] == BYTES
    assert found.order == tuple(range(256 + len(pairs)))
    assert found.orphans == ()


def test_bytes_may_stand_anywhere_and_only_some_be_there() -> None:
    found = recover([b"b", b"a", b"ab", b"c", b"abc"])
    assert [token.data for token in found.alphabet] == [b"b", b"a", b"c"]
    assert found.pairs == ((1, 0), (3, 2))
    assert found.order == (0, 1, 3, 2, 4)


def test_a_pair_is_what_lower_ranks_leave_not_any_two_tokens_that_fit() -> None:
    tokens = [b"a", b"b", b"c", b"bc", b"ab", b"abc"]
    assert recover(tokens).pairs[-1] == (0, 3), "bc comes first, so abc is a + bc although ab + c would give it too"


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ([b"a", b"b", b"aab"], r"rank 9 is made by no merge of two: its bytes b'aab' come to 3 tokens"),
        ([b"a", b"b", b"ac"], r"rank 9 .* its bytes b'ac' hold a byte that is no token"),
        ([b"a", b"b", b"ab", b"ab"], r"rank 11 repeats the token b'ab' of rank 9: keep one"),
        ([b"a", b"b", b""], r"rank 9 is an empty token"),
        ([b"a", b"b", b"aab" * 100_000], r"rank 9 is made by no merge of two: its bytes b'aab.*300000 tokens"),
    ],
)
def test_what_no_merges_make_is_refused_with_its_rank(tokens: list[bytes], message: str) -> None:
    with pytest.raises(FormatRefusal, match=message):
        recover(tokens, [3, 4, 9, 11][: len(tokens)])


def test_tokens_that_no_merge_makes_can_be_listed() -> None:
    found = recover([b"a", b"b", b"aab", b"ab", b"aabab"], orphans=True)
    assert (found.pairs, found.order, found.orphans) == (((0, 1),), (0, 1, 3), (2, 4))


def test_expansions_are_bounded() -> None:
    doubled = [b"a" * 2**n for n in range(12)]
    assert len(recover(doubled).pairs) == 11
    with pytest.raises(LimitRefusal, match="token_bytes=1024"):
        recover(doubled, limits=Limits(token_bytes=1024))

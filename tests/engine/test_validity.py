"""Sentencepiece's rule for pieces: by hand, and the same however a piece is put together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import KERNELS, corpus

from engine.errors import PolicyRefusal
from engine.kernel.scripts import script_of
from engine.kernel.validity import INVALID, joined, kind_of
from engine.policy import Policy
from engine.trainer import Trainer

FILTERED = Policy(alphabet="characters", base_order="code-point", piece_filter="sentencepiece")


@pytest.mark.parametrize(
    "piece",
    [
        "ab", "\u2581ab", "\u2581", "a\u0301b", "\u0301\u0301", "\u0301a", "\u2581\u0301", "12.", "\t.", "\u0438\u0439",
        "\u3042\u30ab\u6f22", "\u3042\u30fc", "\u3005\u6f22", "\u2581\u30fc\u6f22", "\ufffd.", "\U0010ffff.",
        "\u058a\u0561",
    ],
)  # fmt: skip
def test_a_piece_is_of_one_script_with_the_mark_in_front(piece: str) -> None:
    assert kind_of(piece) != INVALID


@pytest.mark.parametrize(
    "piece",
    [
        "a\u2581", "\u2581\u2581", "\u2581a\u2581", "a1", "a.", "a\u0438", "a\u0301.", "\u0301a\u0438", "\u3042.",
        "\u3042a", "\u30fca", "\0", "a\0", "a\x1f", " a", "a\u2585", "\udcff", "a\udcff", "\u30fb\u30ab",
    ],
)  # fmt: skip
def test_what_is_no_piece(piece: str) -> None:
    assert kind_of(piece) == INVALID


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latn"), ("\xb5", "Zyyy"), ("\u03bc", "Grek"), ("\u0300", "Zinh"), ("\u3042", "Hira"), ("\u30a2", "Kana"),
        ("\u30fc", "Zyyy"), ("\u4e00", "Hani"), ("\uac00", "Hang"), ("\ue000", "Zyyy"), ("\U0001f642", "Zyyy"),
        # Unicode 9.0 has these, later versions changed them:
        ("\u0953", "Deva"), ("\u0589", "Zyyy"),
        # Later characters: Georgian capitals (11.0), Latin in 8.0 and 11.0, Nushu (10.0), a Han extension (13.0).
        ("\u1c90", "Zyyy"), ("\ua7b7", "Latn"), ("\ua7b8", "Zyyy"), ("\U0001b170", "Zyyy"), ("\U00030000", "Zyyy"),
    ],
)  # fmt: skip
def test_scripts_are_those_of_unicode_9(character: str, script: str) -> None:
    assert script_of(character) == script


texts = st.text(
    st.sampled_from("ab\u0301\u0438\u2581.\t\u3042\u30ab\u30fc\u6f22\0\u2585\udcff\u0953"), min_size=1, max_size=6
)


@given(texts, texts)
def test_the_kind_of_a_joined_piece_needs_only_the_kinds_of_its_parts(left: str, right: str) -> None:
    assert joined(kind_of(left), kind_of(right)) == kind_of(left + right)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_filter_forbids_merges_and_leaves_counts_alone(kernel: str) -> None:
    trainer = Trainer(corpus("a.a.a.\u2581ab\u2581ab".encode()), FILTERED, kernel=kernel)
    trainer.seek(9)
    assert [m.content.symbol for m in trainer.merges] == ["ab", "\u2581ab"]
    trainer.seek(0)
    dot, a = (next(i for i, t in enumerate(trainer.vocabulary) if t.symbol == s) for s in ".a")
    assert trainer.kernel.count((a, dot)) == 3
    assert not trainer.kernel.mergeable((a, dot), 3)
    assert trainer.kernel.tied(3) == 0
    assert trainer.kernel.top(1)[0][0] != (a, dot)
    assert trainer.audit().exact


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"alphabet": "bytes", "base_order": "byte-value"}, "piece_filter needs alphabet=characters"),
        ({"end_of_word": "fused", "boundary": "spaces"}, "piece_filter needs alphabet=characters and end_of_word=none"),
        ({"piece_filter": "none", "coverage": 0}, "coverage=0 is out of range: give 1 to 1000000"),
        ({"piece_filter": "none", "coverage": 1_000_001}, "coverage=1000001 is out of range"),
    ],
)
def test_contradictions_are_refused(changes: dict[str, object], names: str) -> None:
    with pytest.raises(PolicyRefusal, match=names):
        FILTERED.changed(**changes)

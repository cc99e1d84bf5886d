"""Sentencepiece's pieces in order, its normalizer and its scripts; and the near misses, each where it parts."""

import io
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.validity import INVALID, joined, kind_of
from engine.normalize import nmt_nfkc, prepared
from engine.policy import Policy
from engine.profiles.sentencepiece import SENTENCEPIECE
from engine.trainer import Trainer

from .lists import first_difference, trainer_of
from .texts import TEXTS

RULES = {"sentencepiece": "nmt_nfkc", "sentencepiece-identity": "identity"}
POLICIES = {profile.name: profile.policy for profile in SENTENCEPIECE}
SIZE = 2000


def trained(file: Path, size: int, rule: str, **options: object) -> Any:  # noqa: ANN401 - the library has no types
    """A model of the peer."""
    library = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    library.SentencePieceTrainer.train(
        input=str(file),
        model_writer=model,
        model_type="bpe",
        vocab_size=size,
        normalization_rule_name=rule,
        minloglevel=2,
        hard_vocab_limit=False,
        **options,
    )
    return library.SentencePieceProcessor(model_proto=model.getvalue())


def theirs(file: Path, size: int, rule: str, **options: object) -> list[str]:
    """All pieces of a trained model by id: controls, merges, characters."""
    processor = trained(file, size, rule, **options)
    return [processor.id_to_piece(piece) for piece in range(processor.get_piece_size())]


def run(text: str, policy: Policy, size: int | None) -> Trainer:
    """Our run until the vocabulary has that many entries, or to the last pair."""
    return trainer_of(text, policy.changed(budget=size, budget_unit="vocabulary"), 2**31)


def pieces(trainer: Trainer) -> list[str]:
    """The entries of our vocabulary in sentencepiece's order."""
    base = len(trainer.units.alphabet.tokens)
    symbols = [token.symbol for token in trainer.vocabulary]
    return [*trainer.policy.special_tokens, *symbols[base:], *symbols[:base]]


@pytest.mark.parametrize("name", POLICIES)
def test_all_pieces(text: str, file: Path, name: str) -> None:
    ours = run(text, POLICIES[name], SIZE)
    assert pieces(ours) == theirs(file, SIZE, RULES[name])
    assert ours.learned > 1500


@pytest.mark.parametrize("name", POLICIES)
def test_where_no_pair_is_left_it_goes_on_with_pieces_of_no_count(text: str, file: Path, name: str) -> None:
    ours = run(text, POLICIES[name], None)
    found = theirs(file, 20_000, RULES[name])
    learned, base = len(POLICIES[name].special_tokens) + ours.learned, len(ours.units.alphabet.tokens)
    assert ours.exhausted
    assert found[:learned] == pieces(ours)[:learned]
    assert found[-base:] == pieces(ours)[-base:]
    assert len(found) > learned + base


@pytest.mark.parametrize("name", POLICIES)
def test_lines_are_encoded_into_the_same_pieces(text: str, file: Path, name: str) -> None:
    model = trained(file, 1000, RULES[name], character_coverage=1.0)
    tokenizer = run(text, POLICIES[name].changed(coverage=None), 1000).tokenizer()
    for line in text.split("\n"):
        ours = [piece.decode() for piece in tokenizer.pieces(tokenizer.encode(line.encode()))]
        assert ours == model.encode(line, out_type=str), ascii(line)


def test_departures_by_their_smallest_texts(tmp_path: Path) -> None:
    def both(text: str, coverage: float = 1.0) -> tuple[list[str], list[str]]:
        file = tmp_path / "text"
        file.write_bytes(text.encode())
        policy = POLICIES["sentencepiece"].changed(coverage=round(coverage * 1_000_000))
        ours = pieces(run(text, policy, None))[3:]
        return ours, theirs(file, 30, "nmt_nfkc", character_coverage=coverage)[3:]

    assert both("ab") == (["ab", "▁ab", "a", "b", "▁"], ["ab", "▁ab", "▁a", "a", "b", "▁"])
    assert both("\u2585a\nb") == (["▁b", "▁", "a", "b"], ["▁b", "b", "▁"])
    assert both("a<s>" * 50 + "b", 0.98)[0] == ["a", "b"]
    assert both("a<s>" * 50 + "b", 0.98)[1] == ["a"]
    long = "a" * 4193 + "\nb"
    assert both(long)[1] == ["▁b", "b", "▁"]
    assert "a" in both(long)[0]


@pytest.mark.parametrize("coverage", [0.98, 0.99, 0.9999, 1.0])
def test_coverage(text: str, file: Path, coverage: float) -> None:
    ours = run(text, POLICIES["sentencepiece"].changed(coverage=round(coverage * 1_000_000)), 1000)
    assert pieces(ours) == theirs(file, 1000, "nmt_nfkc", character_coverage=coverage)


MISSES: list[tuple[str, dict[str, object], int]] = [
    ("english", {"counting": "non-overlapping"}, 8),
    ("english", {"tie_break": "smallest-symbols"}, 148),
    ("english", {"tie_break": "smallest-ids"}, 117),
    ("english", {"piece_filter": "none"}, 125),
    ("multilingual", {"piece_filter": "none"}, 1),
    ("english", {"max_token_length": 16, "length_rule": "exclusive"}, 1032),
    ("english", {"normalizer": "none"}, 28),
    ("odd", {"counting": "non-overlapping"}, 8),
]


@pytest.mark.parametrize(("text_name", "change", "place"), MISSES)
def test_near_misses_part_where_they_part(
    text_name: str, change: dict[str, object], place: int, tmp_path: Path
) -> None:
    """The rank of the first other piece."""
    text = TEXTS[text_name]()
    file = tmp_path / "text"
    file.write_bytes(text.encode())
    policy = POLICIES["sentencepiece"].changed(**change)
    ours = pieces(run(text, policy, None))[3:]
    found = theirs(file, SIZE, "nmt_nfkc")[3:]
    assert first_difference(ours[: len(found)], found) == place


def test_the_normalizer_over_every_code_point_and_many_sequences() -> None:
    library = pytest.importorskip("sentencepiece")
    normalizer = library.SentencePieceNormalizer(
        rule_name="nmt_nfkc", add_dummy_prefix=False, escape_whitespaces=False, remove_extra_whitespaces=False
    )
    every = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000 and code != 0x0A]
    other = [c for c in every if normalizer.normalize(c) != nmt_nfkc(c)]
    assert all(unicodedata.category(c) == "Cn" for c in other), "only characters that this Python does not know"
    source = random.Random(17)
    composed = [d for c in every if len(d := unicodedata.normalize("NFKD", c)) > 1]
    marks = sorted({c for d in composed for c in d[1:]})
    for _ in range(20_000):
        parts = [source.choice(source.choice((composed, marks, [" ", "a", "\uff76", "\uff9e"]))) for _ in range(4)]
        text = "".join(parts)
        assert normalizer.normalize(text) == nmt_nfkc(text), ascii(text)


@pytest.mark.parametrize("name", POLICIES)
def test_lines_are_marked_as_it_marks_them(name: str) -> None:
    library = pytest.importorskip("sentencepiece")
    normalizer = library.SentencePieceNormalizer(
        rule_name=RULES[name], add_dummy_prefix=True, escape_whitespaces=True, remove_extra_whitespaces=True
    )
    source = random.Random(18)
    parts = [" ", "  ", "a", "b", "\u2581", "\xa8", "\u3000", "\t", "\x01", "\ufdfa", "\xa0", "e\u0301", "\ufffd", "\0"]
    for _ in range(5_000):
        line = "".join(source.choices(parts, k=source.randrange(8)))
        assert normalizer.normalize(line).encode() == prepared(POLICIES[name], line.encode()), ascii(line)


def test_what_it_joins_with_a_full_stop_and_with_a_letter(tmp_path: Path) -> None:
    """All assigned characters of the first three planes, each behind `.` and behind `a`: which pairs become a piece."""
    every = [chr(code) for code in range(1, 0x33480) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    words = [first + c for c in every if c not in "\n \x1f\u2585\u2581." for first in ".a"]
    file = tmp_path / "text"
    file.write_bytes("\n".join(" ".join(words[at : at + 500]) for at in range(0, len(words), 500)).encode())
    found = {*theirs(file, 10**6, "identity", character_coverage=1.0, max_sentencepiece_length=2)}
    assert [word for word in words if (word in found) != (kind_of(word) != INVALID)] == []
    assert 10_000 < sum(word in found for word in words) < len(words) - 10_000
    assert joined(kind_of("a"), kind_of("\u0301")) == kind_of("a")

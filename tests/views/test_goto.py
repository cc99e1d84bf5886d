"""What the go-to prompt understands."""

import pytest

from bpe_tui.goto import destination
from engine.errors import Refusal


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("512", 512),
        (" 512 ", 512),
        ("0", 0),
        ("٣", 3),
        ("+50", 150),
        ("-50", 50),
        ("-500", 0),
        ("25%", 50),
        ("12.5 %", 25),
        ("100%", 200),
        ("250%", 200),
        ("0%", 0),
        ("end", 120),
        ("last", 120),
        ('"the"', b"the"),
        ('"␣the"', b" the"),
        (r'"\xE6"', b"\xe6"),
        ('"a"', b"a"),
        ('"""', b'"'),
    ],
)
def test_answers_at_rank_100_of_120_known_with_a_budget_of_200(text: str, place: int | bytes) -> None:
    assert destination(text, 100, 120, 200) == place


def test_without_a_budget_a_share_is_of_what_is_known() -> None:
    assert destination("50%", 0, 120, None) == 60
    assert destination("50%", 0, 0, None) == 0


@pytest.mark.parametrize(
    "text", ["", "x", "1.5", "12 13", "+", "--5", "1e3", "%", "the", '"', '""', "9" * 13, "0x10", "\x1b[2J", "[/x]"]
)
def test_anything_else_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(Refusal, match="give 512, ") as refused:
        destination(text, 0, 10, 20)
    assert str(refused.value).isprintable()

"""docs/comparing.md names every mistake that is tried."""

import re
from pathlib import Path

from engine.mistakes import known_mistakes
from engine.policy import Policy

PAGE = Path(__file__).resolve().parents[2] / "docs" / "comparing.md"


def test_every_known_mistake_is_on_the_page() -> None:
    plain = Policy(special_tokens=("<|s|>",), max_token_length=8, min_count=2)
    policies = [
        plain,
        plain.changed(tie_break="largest-bytes", boundary="gpt2"),
        plain.changed(base_order="bytemap"),
        plain.changed(alphabet="characters", base_order="code-point"),
    ]
    tried = {mistake.name for policy in policies for mistake in known_mistakes(policy)}
    table = PAGE.read_text().partition("| name | mistake |")[2]
    named = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall("`(.*?)`", row)}
    assert {re.sub(r":\d+$", ":N", name) for name in tried} == named

"""`bpe-tui profiles`: all of them, one explained, one as a line for `--policy`."""

import pytest

from engine.policy import Policy, parse_policy
from engine.profiles import PROFILES

from .cli_run import Run

HUGGING_FACE = PROFILES["huggingface"]


def test_the_list_gives_each_name_with_its_peer_and_line(run: Run) -> None:
    lines = run("profiles").out.splitlines()
    heads, policies = lines[::2], lines[1::2]
    assert [head.partition(":")[0] for head in heads] == list(PROFILES)
    assert [parse_policy(line.strip()) for line in policies] == [p.policy for p in PROFILES.values()]
    assert heads[0] == "course: documents of bytes; ties take the smallest ids; every pair may be learned"
    assert all(head.endswith(f" [{p.peer}]") for head, p in zip(heads, PROFILES.values(), strict=True) if p.peer)


def test_one_is_explained_field_by_field(run: Run) -> None:
    lines = run("profiles", "cs336").out.splitlines()
    assert lines == [
        "cs336: Stanford CS336, assignment 1: bytes in GPT-2's pieces; ties take the greatest pair of bytes",
        "  bpe alphabet=bytes boundary=gpt2 unmatched=dropped counting=overlapping tie_break=largest-bytes min_count=1 "
        "id_layout=raw",
        "differs from the default policy in",
        "  boundary=gpt2",
        "    the assignment gives GPT-2's pattern",
        "  unmatched=dropped",
        "    it finds all matches of a pattern: text that a pattern of your own misses does not train",
        "  tie_break=largest-bytes",
        "    the greatest pair (left bytes, right bytes) wins; the joined bytes are not what is compared",
        "reproduces the rule of assignment 1",
        "  1,000 merges of each test text against a trainer of its rule; by hand, its own list of 243 merges",
    ]


def test_departures_are_told(run: Run) -> None:
    lines = run("profiles", "huggingface").out.splitlines()
    assert f"reproduces {HUGGING_FACE.peer}" in lines
    at = lines.index("where it departs from this rule")
    assert lines[at + 1 :] == [f"  {departure}" for departure in HUGGING_FACE.departures]


def test_the_default_differs_in_nothing(run: Run) -> None:
    assert run("profiles", "course").out.splitlines() == [
        "course: documents of bytes; ties take the smallest ids; every pair may be learned",
        f"  {Policy()}",
    ]


def test_json_has_the_reasons(run: Run) -> None:
    assert [record["name"] for record in run("profiles", "--json").json] == list(PROFILES)
    (record,) = run("profiles", "huggingface", "--json").json
    assert record["peer"] == "tokenizers 0.23.3"
    assert record["differs"]["base_order"] == {"value": "bytemap", "why": HUGGING_FACE.why["base_order"]}
    assert record["departures"] == list(HUGGING_FACE.departures)
    assert parse_policy(record["policy"]) == HUGGING_FACE.policy


@pytest.mark.parametrize("name", PROFILES)
def test_every_change_has_a_reason_and_every_peer_a_check(name: str) -> None:
    profile = PROFILES[name]
    assert set(profile.why) == set(profile.changes)
    assert bool(profile.peer) == bool(profile.verified)


def test_the_line_alone_needs_a_name(run: Run) -> None:
    done = run("profiles", "--line")
    assert done.code == 2
    assert "--line prints one policy line: give NAME" in done.err
    assert run("profiles", "cs336", "--line", "--json").code == 2


def test_an_unknown_name_is_refused_with_the_known_ones(run: Run) -> None:
    done = run("profiles", "nobody")
    assert done.code == 1
    assert "profile 'nobody' is unknown: choose course, incremental" in done.err

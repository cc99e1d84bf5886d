"""Limits from files can only lower those of the program."""

from engine.limits import Limits


def test_each_limit_is_the_lower_of_two() -> None:
    stated, ours = Limits(nodes=10, token_bytes=500), Limits(nodes=20, vocabulary_bytes=300)
    assert stated.lowered(ours) == Limits(nodes=10, token_bytes=500, vocabulary_bytes=300)
    assert stated.lowered(ours) == ours.lowered(stated)

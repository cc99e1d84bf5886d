"""Which rule parted two merge lists, as one sentence."""

from collections.abc import Iterator
from dataclasses import fields

from engine.alphabet import Token
from engine.compare import Divergence, Joined, Side, find
from engine.errors import PolicyRefusal
from engine.given import Given
from engine.policy import Policy
from engine.quoting import quoted
from engine.trainer import Trainer

Sentence = tuple[str | Token, ...]
"""Words of ours, and tokens for whoever shows them to spell."""
LETTERS = ("A", "B")
TIES = {
    "smallest-ids": "the smaller ids",
    "first-seen": "the pair that stands first in the text",
    "largest-bytes": "the greater bytes",
    "largest-symbols": "the greater symbols",
    "smallest-symbols": "the smaller symbols",
    "shortest-then-smallest-joined": "the shorter joined token, then the smaller",
}
"""What a tie rule takes."""
COUNTED = {"overlapping": "overlapping windows", "non-overlapping": "runs of two"}
CHOOSING = frozenset(
    ("base_order", "tie_break", "min_count", "budget", "budget_unit", "exact", "max_token_length", "length_rule",
     "piece_filter", "id_layout")
)  # fmt: skip
"""Policy fields that choose among counted pairs; every other one can change a count."""
TOGETHER = (("boundary", "unmatched"), ("special_tokens", "special_tokens_as"), ("alphabet", "end_of_word"))
"""Fields that change counts only in company."""


def parting(a: Side, b: Side, where: Divergence) -> Sentence:
    """The sentence that names the rule; the trainers stand where the lists part."""
    sides = a, b
    for i, pair in enumerate(where.pairs):
        if pair is None and where.standings[i].best:
            return (f"{LETTERS[i]} ends: {sides[i].ending}",)
    for i, other in ((0, 1), (1, 0)):
        pair = where.pairs[other]
        if pair is not None and (why := _barred(sides[i], pair, where, i)):
            return why
    for i, side in enumerate(sides):
        if where.pairs[i] is not None and not where.standings[i].maximal[i]:
            return _no_maximum(LETTERS[i], side, where, i)
    for i in (0, 1):
        pair, counts = where.pairs[i], (where.standings[0].counts[i], where.standings[1].counts[i])
        if pair is not None and counts[0] != counts[1]:
            return _counted(a, b, pair, (counts[0] or 0, counts[1] or 0), where.rank)
    return _tie(a, b, where.standings[0].best)


def spelled(pair: Joined) -> Sentence:
    """`left + right`."""
    return (pair[0], " + ", pair[1])


def _barred(side: Side, pair: Joined, where: Divergence, i: int) -> Sentence:
    """Why a side cannot merge the other's pair, whatever it counts; empty where it could."""
    letter, policy = LETTERS[i], side.trainer.policy
    ids = find(side.trainer, pair)
    if ids is None:
        missing = pair[0] if find(side.trainer, (pair[0], pair[0])) is None else pair[1]
        return (f"{letter} has no token ", missing, f": its base tokens are {policy.alphabet}", _word_end(policy))
    count = where.standings[1 - i].counts[1 - i] or 0
    if count < policy.min_count:
        return (f"{letter} stops: min_count {policy.min_count}, and ", *spelled(pair), f" counts {count:,}")
    if side.trainer.kernel.mergeable(pair=ids, count=count):
        return ()
    whole = pair[0] + pair[1]
    tokens = [side.trainer.vocabulary[token] for token in ids]
    length = sum(token.span if policy.alphabet == "characters" else len(token.data) for token in tokens)
    exclusive = policy.length_rule == "exclusive"
    if policy.max_token_length is None or length + exclusive <= policy.max_token_length:
        return (f"{letter}'s piece filter {policy.piece_filter} excludes ", whole)
    rule = f" ({policy.length_rule})" if exclusive else ""
    return (f"{letter}'s length bound of {policy.max_token_length}{rule} excludes ", whole)


def _word_end(policy: Policy) -> str:
    return "" if policy.end_of_word == "none" else f", with end_of_word={policy.end_of_word}"


def _no_maximum(letter: str, side: Side, where: Divergence, i: int) -> Sentence:
    here, pair = where.standings[i], where.pairs[i]
    assert pair is not None, "only a pair that is there can be no maximum"
    rule = "its rule" if side.known else "what its file tells of its rule"
    best = (" counts ", *spelled(here.first[0]), f" {here.best:,}") if here.first else (" merges nothing",)
    return (f"{letter}'s list was not made from this corpus by {rule}: it merges ", *spelled(pair),
            f", which counts {here.counts[i] or 0:,} where the corpus", *best)  # fmt: skip


def _tie(a: Side, b: Side, count: int) -> Sentence:
    head = f"both count {count:,}; "
    for i, side in enumerate((a, b)):
        if not side.known:
            return (f"{head}{LETTERS[1 - i]} takes {_taken((b, a)[i], a, b)}, {LETTERS[i]} the other: "
                    "its file names no tie rule",)  # fmt: skip
    rules = _taken(a, a, b), _taken(b, a, b)
    if rules[0] == rules[1]:
        return (f"{head}both take {rules[0]}, over tokens in another order",)
    return (f"{head}A takes {rules[0]}, B {rules[1]}",)


def _taken(side: Side, a: Side, b: Side) -> str:
    policy = side.trainer.policy
    orders = {one.trainer.policy.base_order for one in (a, b)}
    by_ids = policy.tie_break == "smallest-ids" and len(orders) > 1
    return TIES[policy.tie_break] + (f" in {policy.base_order} order" if by_ids else "")


# Counts


def _counted(a: Side, b: Side, pair: Joined, counts: tuple[int, int], rank: int) -> Sentence:
    """Why two sides count one pair differently."""
    group = _deciding(a, b, pair, counts[1], rank)
    values = [[getattr(side.trainer.policy, name) for name in group] for side in (a, b)]
    head: Sentence = ("of ", *spelled(pair), ", ")
    if group == ("counting",):
        ways = [COUNTED[value[0]] for value in values]
        return (*head, f"A counts {ways[0]} ({counts[0]:,}), B {ways[1]} ({counts[1]:,})")
    if group == TOGETHER[0] and values[0][0] != values[1][0]:
        cutter = 0 if counts[0] < counts[1] else 1
        cut, free = (values[i][0].partition(":")[0] for i in (cutter, 1 - cutter))
        return (f"{LETTERS[cutter]}'s boundary {cut} cuts between ", pair[0], " and ", pair[1],
                f" where {LETTERS[1 - cutter]}'s {free} does not: "
                f"A counts {counts[0]:,}, B {counts[1]:,}")  # fmt: skip
    said = (" ".join(f"{n}={_said(v)}" for n, v in zip(group, value, strict=True)) for value in values)
    ways = [f"{letter} counts {count:,} ({words})" for letter, count, words in zip(LETTERS, counts, said, strict=True)]
    return (*head, ", ".join(ways))


def _said(value: object) -> str:
    plain = isinstance(value, str) and value.isascii() and value.isprintable()
    return str(value) if plain else quoted(value)


def _deciding(a: Side, b: Side, pair: Joined, wanted: int, rank: int) -> tuple[str, ...]:
    """The fields that make A count as B does: one group where one is enough, else all that differ."""
    groups = list(_differing(a.trainer.policy, b.trainer.policy))
    if len(groups) > 1:
        for group in groups:
            if _recounted(a, b.trainer.policy, group, pair, rank) == wanted:
                return group
    return tuple(name for group in groups for name in group)


def _differing(a: Policy, b: Policy) -> Iterator[tuple[str, ...]]:
    names = [field.name for field in fields(Policy) if field.name not in CHOOSING]
    alone = [(name,) for name in names if not any(name in group for group in TOGETHER)]
    for group in (*alone, *TOGETHER):
        if any(getattr(a, name) != getattr(b, name) for name in group):
            yield group


def _recounted(a: Side, b: Policy, group: tuple[str, ...], pair: Joined, rank: int) -> int | None:
    """What A would count with some of B's fields; None where they do not fit A's others."""
    try:
        changed = a.trainer.policy.changed(budget=None, exact=False, **{name: getattr(b, name) for name in group})
    except PolicyRefusal:
        return None
    given = Given(a.merges.alphabet, a.merges.pairs[:rank])
    trainer = Trainer(a.trainer.corpus, changed, a.trainer.limits, a.trainer.kernel.name, given=given)
    trainer.seek(rank)
    ids = find(trainer, pair)
    return None if ids is None else trainer.kernel.count(ids)

"""Which rule parted two merge lists, as one sentence."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from engine.alphabet import Token, byte_order
from engine.compare import Divergence, Joined, Side, find
from engine.errors import LimitRefusal, PolicyRefusal
from engine.given import Given
from engine.orders import TIES, Order
from engine.policy import Policy
from engine.quoting import quoted
from engine.replayer import Inferred, Told, inferred, untold
from engine.trainer import Trainer

Sentence = tuple[str | Token, ...]
"""Words of ours, and tokens for whoever shows them to spell."""
LETTERS = ("A", "B")
COUNTED = {"overlapping": "overlapping windows", "non-overlapping": "runs of two"}
CHOOSING = frozenset(
    ("base_order", "tie_break", "min_count", "budget", "budget_unit", "exact", "max_token_length", "length_rule",
     "piece_filter", "id_layout")
)  # fmt: skip
"""Policy fields that choose among counted pairs; every other one can change a count."""
TOGETHER = (("boundary", "unmatched"), ("special_tokens", "special_tokens_as"), ("alphabet", "end_of_word"))
"""Fields that change counts only in company."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Which rule parted two lists.

    Attributes:
        sentence: the rule in words.
        inferred: for A and B, what its ties tell where a tie parted them and its file names no rule.
    """

    sentence: Sentence
    inferred: tuple[Inferred | None, Inferred | None] = (None, None)


def parting(a: Side, b: Side, where: Divergence, told: Told = untold) -> Parting:
    """The sentence that names the rule; the trainers stand where the lists part.

    Args:
        a: one side.
        b: the other.
        where: where they part.
        told: hears of the ranks that are replayed to find a rule; what it raises ends the work.
    """
    sentence = _untied(a, b, where)
    if sentence:
        return Parting(sentence)
    ties = _inferred(a, where.rank, told), _inferred(b, where.rank, told)
    return Parting(_tie(a, b, where.standings[0].best, ties), ties)


def _untied(a: Side, b: Side, where: Divergence) -> Sentence:
    """What parted them other than a tie; empty where it was one."""
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
    return ()


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


# Ties


def _inferred(side: Side, rank: int, told: Told) -> Inferred | None:
    """What the ties of a list from a file tell; None where that is not asked, or would exceed a limit."""
    try:
        return None if side.known else inferred(side.trainer, rank, told)
    except LimitRefusal:
        return None


def _tie(a: Side, b: Side, count: int, ties: tuple[Inferred | None, Inferred | None]) -> Sentence:
    head = f"both count {count:,}; "
    differ = _base_order(a) != _base_order(b)
    rules = [_rule(side, found, differ) for side, found in zip((a, b), ties, strict=True)]
    if rules[0] and rules[0] == rules[1]:
        return (f"{head}both take {rules[0]}, over tokens in another order",)
    clauses: list[str] = []
    for letter, rule, found in zip(LETTERS, rules, ties, strict=True):
        if rule:
            verb = "" if any(rules[: len(clauses)]) else " takes"
            clauses.append(f"{letter}{f' (by its {_first(found.ties)})' if found else ''}{verb} {rule}")
        elif found:
            clauses.append(f"no rule known here fits {letter}'s {_first(found.ties)}")
        else:
            clauses.append(f"{letter}'s file names no tie rule")
    return (head + ", ".join(clauses),)


def _first(ties: int) -> str:
    return f"first {ties:,} ties" if ties > 1 else "first tie"


def _rule(side: Side, found: Inferred | None, orders_differ: bool) -> str:
    """What a side takes at a tie, in words; empty where nobody knows."""
    tie = side.trainer.policy.tie_break
    orders = (Order(tie, TIES[tie]),) if side.known else found.orders if found else ()
    by_ids = f" in {_base_order(side)} order" if orders_differ else ""
    return " or ".join(order.words + (by_ids if order.name == "smallest-ids" else "") for order in orders)


def _base_order(side: Side) -> str:
    """The order of a side's base tokens; a file may have one of its own."""
    policy = side.trainer.policy
    own = [token.data for token in side.merges.alphabet]
    if policy.alphabet == "bytes":
        named = own == [bytes([byte]) for byte in byte_order(policy.base_order) if bytes([byte]) in own]
    else:
        named = policy.base_order != "as-given"
    return policy.base_order if named else "its file's"


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

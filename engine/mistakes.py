"""A merge list of somebody's own against a profile: the first wrong merge, and the mistake that explains the list."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.alphabet import Alphabet, Token
from engine.compare import SLICE_S, Joined, Standing, content, first_difference, standing
from engine.errors import PolicyRefusal
from engine.formats.bytemap import mapped
from engine.given import Given
from engine.kernel import Pair
from engine.parting import TIES, Sentence, spelled
from engine.policy import Policy
from engine.trainer import Trainer

Tied = tuple[Pair, Joined]
"""A pair with the highest count, by kernel ids and by content."""
Key = Callable[[Tied], Any]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known way to go wrong.

    Attributes:
        name: a short name, for records.
        words: what was done, in words.
        policy: the policy that training went by.
        key: how ties were ordered, where no tie rule of a policy does so.
        greatest: whether the greatest key won, else the least.
    """

    name: str
    words: str
    policy: Policy
    key: Key | None = None
    greatest: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """How far a mistake reproduces a list.

    Attributes:
        mistake: the mistake.
        merges: merges that it reproduces from the first on; more than the right ones.
        whole: whether that is the whole list.
    """

    mistake: Mistake
    merges: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first wrong merge.

    Attributes:
        rank: its rank.
        pairs: the right merge and the list's; None where either has ended.
        standing: the true counts of both there.
        sentence: what is wrong.
    """

    rank: int
    pairs: tuple[Joined | None, Joined | None]
    standing: Standing
    sentence: Sentence


def check(trainer: Trainer, wanted: Sequence[Joined]) -> Wrong | None:
    """Compare a list with all that a trainer has learned under the right policy; None where it is right."""
    right = learned(trainer)
    rank = first_difference(right, wanted)
    if rank is None:
        return None
    trainer.seek(rank)
    pairs = (right[rank] if rank < len(right) else None, wanted[rank] if rank < len(wanted) else None)
    found = standing(trainer, pairs)
    return Wrong(rank, pairs, found, _sentence(trainer, pairs, found))


def learned(trainer: Trainer, start: int = 0) -> list[Joined]:
    """What each learned merge joins, from a rank on."""
    tokens = trainer.vocabulary
    return [(content(tokens[left]), content(tokens[right])) for left, right in trainer.kernel.pairs(start)]


def _sentence(trainer: Trainer, pairs: tuple[Joined | None, Joined | None], here: Standing) -> Sentence:
    right, own = pairs
    policy = trainer.policy
    if own is None:
        assert right is not None, "one of two lists that differ goes on"
        return (f"the list ends before {trainer.learned:,} merges; next comes ", *spelled(right),
                f", which counts {here.counts[0]:,}")  # fmt: skip
    mine = here.counts[1]
    counted = ("the list merges ", *spelled(own))
    if mine is None:
        return (*counted, ", but one of its tokens is neither a base token nor made by an earlier merge")
    if right is None:
        why = f"min_count is {policy.min_count}" if mine < policy.min_count else trainer.stop_reason
        return (*counted, f", which counts {mine:,}, but training has ended: {why}")
    if here.maximal[1]:
        return (f"both count {mine:,}; the tie goes to {TIES[policy.tie_break]}: ", *spelled(right),
                ", not ", *spelled(own))  # fmt: skip
    return (*counted, f", which counts {mine:,}; ", *spelled(right), f" counts {here.counts[0]:,}")


# Known mistakes


def known_mistakes(right: Policy) -> Iterator[Mistake]:
    """The known mistakes as ways to train, each with one thing changed."""
    for name, words, changes in _changes(right):
        try:
            yield Mistake(name, words, right.changed(**changes))
        except PolicyRefusal:
            continue  # the change contradicts another field: such training cannot be
    for name, words, key, greatest in _orders(right.alphabet == "characters"):
        yield Mistake(name, words, right, key, greatest)


def _changes(right: Policy) -> Iterator[tuple[str, str, dict[str, object]]]:
    characters = right.alphabet == "characters"
    ties = ["first-seen", "smallest-ids"]
    ties += ["largest-symbols", "smallest-symbols"] if characters else ["largest-bytes"]
    for tie in ties:
        if tie != right.tie_break:
            yield f"tie:{tie}", f"ties go to {TIES[tie]}", {"tie_break": tie}
    if not characters and right.base_order == "byte-value":
        yield ("ids:bytemap", "ties go to the smaller ids, with bytes numbered as GPT-2's letters are",
               {"base_order": "bytemap", "tie_break": "smallest-ids"})  # fmt: skip
    if right.base_order == "bytemap":
        yield "ids:byte-value", "base tokens are numbered by byte value", {"base_order": "byte-value"}
    if right.counting == "overlapping":
        yield "counting", "a run of equal tokens is counted without overlap", {"counting": "non-overlapping"}
    else:
        yield "counting", "every adjacent window is counted, overlapping ones too", {"counting": "overlapping"}
    boundaries = {
        "document": "boundaries are crossed: pairs reach from one pre-token into the next",
        "line": "text is cut at line ends only",
        "gpt2": "text is cut by GPT-2's pattern",
        "cl100k": "text is cut by cl100k's pattern",
        "o200k": "text is cut by o200k's pattern",
    }
    for boundary, words in boundaries.items():
        if boundary != right.boundary:
            yield f"boundary:{boundary}", words, {"boundary": boundary}
    yield ("boundary:whitespace", "text is split at white space, which is lost",
           {"boundary": "whitespace", "unmatched": "dropped"})  # fmt: skip
    if right.special_tokens and right.special_tokens_as == "cut":
        yield "specials", "special tokens are counted as text", {"special_tokens_as": "text"}
    for least in (right.min_count - 1, right.min_count + 1):
        if least > 0:
            words = f"pairs that occur fewer than {least} times are never merged"
            yield f"min_count:{least}", words if least > 1 else "pairs that occur once are merged", {"min_count": least}
    if right.max_token_length is not None:
        other = "exclusive" if right.length_rule == "inclusive" else "inclusive"
        yield "length", f"the longest token's length is {other}", {"length_rule": other}
        yield "length:none", "tokens have no longest length", {"max_token_length": None}


def _orders(characters: bool) -> Iterator[tuple[str, str, Key, bool]]:
    yield "tie:largest-ids", "ties go to the larger ids", _ids, True
    for greatest, word in ((True, "greater"), (False, "smaller")):
        text, key = ("text", _joined_text) if characters else ("bytes", _joined_bytes)
        yield f"joined:{word}", f"ties compare the joined {text}, not the pair: the {word} wins", key, greatest
        if not characters:
            words = f"ties compare GPT-2's letters instead of bytes: the {word} pair wins"
            yield f"letters:{word}", words, _letters, greatest
    if not characters:
        yield "tie:smallest-bytes", "ties go to the smaller bytes", _bytes, False


def _ids(tied: Tied) -> object:
    return tied[0]


def _bytes(tied: Tied) -> object:
    return tuple(token.data for token in tied[1])


def _letters(tied: Tied) -> object:
    return tuple(mapped(token.data) for token in tied[1])


def _joined_bytes(tied: Tied) -> object:
    return b"".join(token.data for token in tied[1])


def _joined_text(tied: Tied) -> object:
    return "".join(token.symbol for token in tied[1])


# Trying them


def findings(
    right: Trainer, wanted: Sequence[Joined], wrong: Wrong, told: Callable[[int, int | None], None]
) -> list[Finding]:
    """The mistakes that give the wrong merge too, the one that reproduces most of the list first.

    Args:
        right: the trainer under the right policy.
        wanted: the list.
        wrong: its first wrong merge.
        told: hears (mistakes tried, mistakes there are) now and then; what it raises ends the work.
    """
    mistakes = list(known_mistakes(right.policy.changed(budget=None, exact=False)))
    found = []
    for at, mistake in enumerate(mistakes):

        def pause(at: int = at) -> None:
            told(at, len(mistakes))

        pause()
        merges = _reproduced(mistake, right, wanted, wrong, pause)
        if merges > wrong.rank:
            found.append(Finding(mistake, min(merges, len(wanted)), merges >= len(wanted)))
    return sorted(found, key=lambda finding: -finding.merges)


def _reproduced(
    mistake: Mistake, right: Trainer, wanted: Sequence[Joined], wrong: Wrong, pause: Callable[[], None]
) -> int:
    """Merges of the list that a mistake gives from the first on; one more where it also ends as the list does."""
    if mistake.key is not None:
        return _walked(mistake, right, wanted, wrong.rank, pause)
    trainer = Trainer(right.corpus, mistake.policy, right.limits, right.kernel.name)
    equal = 0
    while not trainer.finished and equal < len(wanted):
        trainer.learn(len(wanted), SLICE_S)
        pause()
        for own in learned(trainer, equal):
            if equal == len(wanted) or own != wanted[equal]:
                return equal
            equal += 1
    ends = equal == len(wanted) and trainer.next_pair() is None
    return equal + (ends and wrong.pairs[1] is None)


def _walked(mistake: Mistake, right: Trainer, wanted: Sequence[Joined], wrong: int, pause: Callable[[], None]) -> int:
    """The same for an order of ties that no policy has: every merge of the list is held against its tie set."""
    alphabet = right.units.alphabet
    pairs = linked(wanted, alphabet)
    if wrong >= len(pairs):
        return 0
    given = Given(alphabet.tokens, tuple(pairs))
    trainer = Trainer(right.corpus, mistake.policy, right.limits, right.kernel.name, given=given)
    trainer.seek(wrong)
    if not _best(trainer, pairs[wrong], mistake):  # most fail here
        return 0
    for rank, pair in enumerate(pairs):
        trainer.seek(rank)
        pause()
        if not _best(trainer, pair, mistake):
            return rank
    return len(pairs)


def _best(trainer: Trainer, pair: Pair, mistake: Mistake) -> bool:
    """Whether a pair has the highest count, and none of the others that have it a better key."""
    kernel, tokens, key = trainer.kernel, trainer.vocabulary, mistake.key
    assert key is not None
    if kernel.count(pair) != next((count for _, count in kernel.top(1)), 0):
        return False
    keys = {p: key((p, (content(tokens[p[0]]), content(tokens[p[1]])))) for p, _ in trainer.ties()}
    return pair in keys and keys[pair] == (max if mistake.greatest else min)(keys.values())


def linked(wanted: Sequence[Joined], alphabet: Alphabet) -> list[Pair]:
    """The ids of a list's merges, up to the first that joins a token not made before, or repeats an earlier one."""
    ids = {content(token): i for i, token in enumerate(alphabet.tokens)}
    pairs: dict[Pair, None] = {}
    for left, right in wanted:
        first, second = ids.get(left), ids.get(right)
        if first is None or second is None or (first, second) in pairs:
            break
        ids.setdefault(Token(left.data + right.data, right.ends_word), len(alphabet.tokens) + len(pairs))
        pairs[first, second] = None
    return list(pairs)

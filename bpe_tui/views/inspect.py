"""The inspector: everything about the row under the cursor, as facts in the order of their weight."""

from collections.abc import Iterator

from bpe_tui.run import Run
from bpe_tui.text.cells import Mode, show, show_str
from bpe_tui.text.safe import EMPTY, SafeText, join
from bpe_tui.text.wrap import flow
from bpe_tui.views.request import MergeSubject, PairSubject, PlaceSubject, Subject, TokenSubject
from bpe_tui.views.spelling import counted, label, number, pair_text, share, token_text
from engine.kernel import Pair
from engine.placement import OUTSIDE, PlacedToken
from engine.trainer import Merge, Trainer
from engine.utf8 import utf8_class

TOKEN_WIDTH = 40
MANY = 12
"""How many descendants, ties or places are listed before the rest is counted."""

TIE_RULES = {
    "smallest-ids": "the smaller left id, then the smaller right id",
    "first-seen": "the pair whose first place in the text comes first",
    "largest-bytes": "the greater bytes, left before right",
    "largest-symbols": "the greater symbols, left before right",
    "smallest-symbols": "the alphabetically smaller symbols, left before right",
    "shortest-then-smallest-joined": "the shorter joined token, then the smaller one",
}
"""What each tie rule prefers, in words."""


def inspect_view(run: Run, subject: Subject | None, width: int, mode: Mode) -> tuple[SafeText, ...]:
    """The facts about a subject as lines of a width; a hint when there is none."""
    return tuple(flow((fact for fact in _facts(run, subject, mode) if fact), width)) if width > 0 else ()


def _facts(run: Run, subject: Subject | None, mode: Mode) -> Iterator[SafeText]:
    trainer = run.trainer
    match subject:
        case PairSubject(pair):
            yield from _pair(trainer, pair, mode)
        case MergeSubject(rank) if rank < trainer.learned:
            yield from _merge(trainer, trainer.merges[rank], mode)
        case TokenSubject(token) if token < len(trainer.vocabulary):
            yield from _token(run, token, mode)
        case PlaceSubject(document, offset):
            yield from _place(run, document, offset, mode)
        case _:
            yield from _next(trainer, mode)


def _next(trainer: Trainer, mode: Mode) -> Iterator[SafeText]:
    """With nothing under the cursor: the merge that comes next."""
    pair = trainer.next_pair()
    if pair is None:
        yield label(f"no merge comes next: {trainer.stop_reason}")
    else:
        yield from _pair(trainer, pair, mode)


def _pair(trainer: Trainer, pair: Pair, mode: Mode) -> Iterator[SafeText]:
    kernel = trainer.kernel
    count = kernel.count(pair)
    shown = trainer.layout.shown
    yield (
        pair_text(trainer, pair, mode, TOKEN_WIDTH)
        + label(f" = {shown(pair[0])}, {shown(pair[1])} · count ")
        + number(count)
        + label(" of ")
        + number(trainer.windows)
        + label(" adjacent windows, ")
        + share(count, trainer.windows)
    )
    yield from _standing(trainer, pair, count, mode)
    data = trainer.vocabulary[pair[0]] + trainer.vocabulary[pair[1]]
    yield (
        label("would become ")
        + token_text(data, mode, TOKEN_WIDTH)
        + label(
            f" · {counted(len(data.data), 'byte')} {data.data[:TOKEN_WIDTH].hex(' ').upper()}"
            f" · {utf8_class(data.data).value}"
        )
    )
    yield from _places(trainer, pair)


def _standing(trainer: Trainer, pair: Pair, count: int, mode: Mode) -> Iterator[SafeText]:
    """Why this pair is next, or why it is not."""
    winner = trainer.next_pair()
    policy = trainer.policy
    if winner is None:
        yield label("no merge comes next: ") + label(trainer.stop_reason or "no pair may be merged")
        return
    best = trainer.kernel.count(winner)
    if trainer.next_is_given:
        yield from _standing_of_given(trainer, pair, winner, mode)
        return
    rule = f"{policy.tie_break}: {TIE_RULES[policy.tie_break]}"
    if pair == winner:
        others = trainer.kernel.tied(best) - 1
        yield label(
            f"next: highest count, tied with {others:,} more; {rule}" if others else "next: highest count alone"
        )
    elif not trainer.kernel.mergeable(pair, count):
        yield label("never merged: too long, too rare or no piece by the policy")
    elif count == best:
        yield label("not next: tied with ") + pair_text(trainer, winner, mode, TOKEN_WIDTH) + label(f"; {rule}")
    else:
        yield (
            label("not next: ")
            + pair_text(trainer, winner, mode, TOKEN_WIDTH)
            + label(f" has {best:,}, {best - count:,} more")
        )


def _standing_of_given(trainer: Trainer, pair: Pair, winner: Pair, mode: Mode) -> Iterator[SafeText]:
    """Where a list says what comes next: which pair that is, and how far the most frequent other one is ahead."""
    source = label("given by ") + show_str(trainer.given.name, width=TOKEN_WIDTH)
    if pair != winner:
        text = pair_text(trainer, winner, mode, TOKEN_WIDTH)
        yield label("not next: ") + text + label(" is, ") + source
        return
    rival, most = next(((p, c) for p, c in trainer.kernel.top(2) if p != winner), (None, 0))
    count = trainer.kernel.count(winner)
    if rival is None or most <= count:
        yield label("next: ") + source + label("; no pair counts more here")
    else:
        text = pair_text(trainer, rival, mode, TOKEN_WIDTH)
        yield label("next: ") + source + label("; here ") + text + label(f" has {most:,}, {most - count:,} more")


def _places(trainer: Trainer, pair: Pair) -> Iterator[SafeText]:
    """Where it stands first, where units are documents and so have a place of their own."""
    found = trainer.kernel.occurrences(pair, 1)
    if found and trainer.units.documents:
        unit, position = found[0]
        document = trainer.documents[trainer.units.documents.index(unit)]
        yield label(f"first at symbol {position:,} of ") + show_str(document.id, width=TOKEN_WIDTH)


def _merge(trainer: Trainer, merge: Merge, mode: Mode) -> Iterator[SafeText]:
    evidence = merge.evidence
    shown = trainer.layout.shown
    yield (
        label(f"rank {merge.rank:,}: ")
        + pair_text(trainer, evidence.pair, mode, TOKEN_WIDTH)
        + label(" → ")
        + token_text(merge.content, mode, TOKEN_WIDTH)
        + label(f" = {shown(merge.token)} · {'applied' if merge.rank < trainer.rank else 'known future'}")
    )
    yield label(f"count {evidence.candidate_count:,} · replaced {evidence.replacements:,}") + (
        label(" (windows overlap, matches do not)") if evidence.replacements < evidence.candidate_count else EMPTY
    )
    yield from _decision(trainer, merge, mode)
    yield from _content(trainer, merge.token)


def _decision(trainer: Trainer, merge: Merge, mode: Mode) -> Iterator[SafeText]:
    """Why it won: the count alone, or the tie rule, and over whom."""
    evidence, policy = merge.evidence, trainer.policy
    if merge.rank < len(trainer.given.pairs):
        yield from _given(trainer, merge, mode)
        return
    if evidence.runner_up is None:
        yield label("it was the only pair left")
        return
    rival = pair_text(trainer, evidence.runner_up, mode, TOKEN_WIDTH)
    if evidence.tie_size > 1:
        rule = f"{policy.tie_break}: {TIE_RULES[policy.tie_break]}"
        yield label(f"won a tie of {evidence.tie_size:,} by {rule}; second was ") + rival
    else:
        ahead = evidence.candidate_count - evidence.runner_up_count
        yield label("won by its count, ") + number(ahead) + label(" ahead of ") + rival


def _given(trainer: Trainer, merge: Merge, mode: Mode) -> Iterator[SafeText]:
    """Why it is there: somebody's list has it; and what this corpus says of it."""
    evidence = merge.evidence
    source = label("given by ") + show_str(trainer.given.name, width=TOKEN_WIDTH)
    if evidence.runner_up is None:
        yield source
        return
    rival = pair_text(trainer, evidence.runner_up, mode, TOKEN_WIDTH)
    behind = evidence.runner_up_count - evidence.candidate_count
    if behind > 0:
        yield source + label("; here ") + rival + label(f" has {evidence.runner_up_count:,}, {behind:,} more")
    elif behind:
        yield source + label(f"; the most frequent here too, {-behind:,} ahead of ") + rival
    else:
        yield source + label(f"; one of {evidence.tie_size:,} with the highest count here, another is ") + rival


def _token(run: Run, token: int, mode: Mode) -> Iterator[SafeText]:
    trainer = run.trainer
    base = len(trainer.units.alphabet.tokens)
    entry = trainer.vocabulary[token]
    origin = EMPTY
    if token >= base:
        pair = trainer.merges[token - base].evidence.pair
        ids = f" ({trainer.layout.shown(pair[0])}, {trainer.layout.shown(pair[1])})"
        origin = label(" = ") + pair_text(trainer, pair, mode, TOKEN_WIDTH) + label(f"{ids} · rank {token - base:,}")
    else:
        origin = label(" · base token")
    yield label(f"{trainer.layout.shown(token)} ") + token_text(entry, mode, TOKEN_WIDTH) + origin
    yield from _content(trainer, token)
    yield from _life(run, token)
    yield from _tree(trainer, token, mode)


def _content(trainer: Trainer, token: int) -> Iterator[SafeText]:
    entry = trainer.vocabulary[token]
    if not entry.data:
        return
    yield (
        label(counted(len(entry.data), "byte") + " ")
        + show(entry.data[:TOKEN_WIDTH], Mode.HEX)
        + label("…" if len(entry.data) > TOKEN_WIDTH else "")
        + label(f" · {utf8_class(entry.data).value}")
    )


def _life(run: Run, token: int) -> Iterator[SafeText]:
    """How often it stands in the text now and stood there when it was made, and what was made from it."""
    trainer = run.trainer
    born = token - len(trainer.units.alphabet.tokens)
    now = f"now {counted(trainer.kernel.frequency(token), 'time')} in the training text"
    if born >= 0:
        now += f", {trainer.merges[born].evidence.replacements:,} when it was made"
    if born >= trainer.rank:
        now = "not made yet at this rank"
    yield label(now)
    made = len(trainer.units.alphabet.tokens) + trainer.rank
    children = [c for c in run.vocabulary.children(token) if c < made]
    if children:
        names = join((token_text(trainer.vocabulary[c], Mode.TEXT, 12) for c in children[:MANY]), label(" "))
        more = len(children) - MANY
        yield label(f"in {counted(len(children), 'merge')}: ") + names + label(f" +{more:,}" if more > 0 else "")


def _tree(trainer: Trainer, token: int, mode: Mode, depth: int = 3) -> Iterator[SafeText]:
    """Its parents down to three generations, on one line."""
    if token >= len(trainer.units.alphabet.tokens):
        yield label("made of ") + _branch(trainer, token, mode, depth)


def _branch(trainer: Trainer, token: int, mode: Mode, depth: int) -> SafeText:
    base = len(trainer.units.alphabet.tokens)
    if token < base or depth == 0:
        return token_text(trainer.vocabulary[token], mode, 12)
    left, right = trainer.merges[token - base].evidence.pair
    inner = _branch(trainer, left, mode, depth - 1) + label(" + ") + _branch(trainer, right, mode, depth - 1)
    return label("(") + inner + label(")")


def _place(run: Run, document: int, offset: int, mode: Mode) -> Iterator[SafeText]:
    trainer = run.trainer
    placed = next(iter(trainer.document_tokens(document, offset, offset + 1)), None)
    if placed is None:
        yield label("nothing here: the document is empty")
        return
    where = label(f"bytes {placed.start:,} to {placed.stop:,} of ") + show_str(
        trainer.documents[document].id, width=TOKEN_WIDTH
    )
    if placed.token == OUTSIDE:
        yield label("not part of any unit: no merge touches it") + label(" · ") + where
        return
    yield from _token(run, placed.token, mode)
    yield where
    yield from _why_not_longer(trainer, document, placed, mode)


def _why_not_longer(trainer: Trainer, document: int, placed: PlacedToken, mode: Mode) -> Iterator[SafeText]:
    """Why this token and the next are two."""
    data = trainer.documents[document].data
    following = trainer.document_tokens(document, placed.stop, placed.stop + 1) if placed.stop < len(data) else []
    if not following:
        yield label("it ends the document: merges never cross that end")
        return
    after = following[0]
    if after.opens:
        yield label(f"a boundary follows ({trainer.policy.boundary}): no merge crosses it")
        return
    pair = (placed.token, after.token)
    yield (
        label("with the next token: ")
        + pair_text(trainer, pair, mode, TOKEN_WIDTH)
        + label(f", count {trainer.kernel.count(pair):,}")
    )

"""Traces: a run, or an encoding, as lines that another program can check step by step.

Formats: `bpe-merges-v1` (ids of the trainer: bytes 0 to 255, rank r is 256 + r) and `apply-bpe-tokenizer-v1` (content
ids beside them), read off the published output of the course behind the project, chapters 3 and 4.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from urllib.parse import quote

from engine.artifact import LAYOUT_VERSION, require_course_rules
from engine.errors import ArtifactRefusal
from engine.kernel import Pair
from engine.layout import BOS, EOS
from engine.quoting import quoted
from engine.tokenizer import Tokenizer
from engine.trainer import Merge, Trainer

MERGES = "bpe-merges-v1"
APPLY = "apply-bpe-tokenizer-v1"
_PLAIN = "!\"#$&'()*+,/:;<=>?@[\\]^`{|}"
"""The printable ASCII, but for `%`, that a name keeps besides letters, digits and `_.-~`."""


def write_trace(trainer: Trainer) -> Iterator[str]:
    """The lines of the merges that are applied now, without line ends: every stage from rank 0 to the present one.

    The trainer travels while the lines are taken and stands at its rank again after the last; do not use it in between.

    Raises:
        ArtifactRefusal: for a policy, a document's weight or a repeated document id that the format cannot express.
        LimitRefusal: when a round prints more values than the limit `trace_values`.
    """
    what = f"the trace {MERGES}"
    require_course_rules(trainer.policy, what)
    names: set[str] = set()
    for document in trainer.documents:
        if document.weight != 1 or document.id in names:
            why = f"has weight {document.weight}" if document.weight != 1 else "is there twice"
            raise ArtifactRefusal(
                f"{what} cannot express that document {quoted(document.id)} {why}; save a session (.bpes) instead"
            )
        names.add(document.id)
    return _merge_lines(trainer)


def _merge_lines(trainer: Trainer) -> Iterator[str]:
    last = trainer.rank
    try:
        yield f"TRACE {MERGES} BEGIN"
        for merge in islice(trainer.merges, last):
            trainer.seek(merge.rank)
            values = 3 * trainer.kernel.live_pairs() + trainer.tokens - merge.evidence.replacements
            trainer.limits.check("trace_values", values, f"the trace of rank {merge.rank}")
            yield from _stage(trainer)
            yield from _candidates(trainer, merge)
        trainer.seek(last)
        yield from _stage(trainer)
        yield f"TRACE {MERGES} END"
    finally:
        trainer.seek(last)


def _stage(trainer: Trainer) -> Iterator[str]:
    yield f"STAGE index={trainer.rank}"
    for number, document in enumerate(trainer.documents):
        tokens = _ids(placed.token for placed in trainer.document_tokens(number))
        yield f"DOCUMENT stage={trainer.rank} id={_word(document.id)} tokens={tokens}"


def _candidates(trainer: Trainer, merge: Merge) -> Iterator[str]:
    evidence, rank = merge.evidence, merge.rank
    for pair, count in sorted(trainer.kernel.top(trainer.kernel.live_pairs())):
        winner = "yes" if pair == evidence.pair else "no"
        yield f"CANDIDATE rank={rank} {_sides(pair)} count={count} winner={winner}"
    yield (
        f"MERGE rank={rank} {_sides(evidence.pair)} count={evidence.candidate_count} "
        f"replacements={evidence.replacements} token={merge.token} bytes_hex={_hex(merge.content.data)}"
    )


def write_apply_trace(tokenizer: Tokenizer, cases: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """The lines of a tokenizer with framed ids and of each named text that it encodes, without line ends.

    Raises:
        ArtifactRefusal: for a policy that the format cannot express.
        LimitRefusal: when a text exceeds the tokenizer's limits.
    """
    require_course_rules(tokenizer.policy, f"the trace {APPLY}")
    if not tokenizer.layout.framed:
        raise ArtifactRefusal(f"the trace {APPLY} needs id_layout=framed, found raw: train with --id-layout framed")
    return _apply_lines(tokenizer, cases)


def _apply_lines(tokenizer: Tokenizer, cases: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    layout = tokenizer.layout
    yield f"TRACE {APPLY} BEGIN"
    yield (
        f"LAYOUT version={LAYOUT_VERSION} bos={BOS} eos={EOS} content_offset={layout.offset} byte_count={layout.base} "
        f"merge_count={tokenizer.merges} vocabulary_size={tokenizer.size}"
    )
    for rank in range(tokenizer.merges):
        pair, token = tokenizer.pair_of(rank), layout.of_rank(rank)
        yield (
            f"RULE rank={rank} training_pair={_ids(map(layout.kernel, pair))} training_token={layout.kernel(token)} "
            f"content_pair={_ids(pair)} content_token={token} bytes_hex={_hex(tokenizer.pieces([token])[0])}"
        )
    for name, data in cases:
        yield from _case(tokenizer, _word(name), data)
    yield f"TRACE {APPLY} END"


def _case(tokenizer: Tokenizer, name: str, data: bytes) -> Iterator[str]:
    initial, steps = tokenizer.trace(data)
    content = tokenizer.encode(data)
    yield f"CASE id={name} input_hex={_hex(data)}"
    yield f"INITIAL case={name} tokens={_ids(initial)}"
    yield f"APPLIED case={name} ranks={_ids(step.rank for step in steps)}"
    yield f"CONTENT case={name} tokens={_ids(content)}"
    yield f"DOCUMENT case={name} tokens={_ids(tokenizer.frame(content))}"
    for index, (token, piece) in enumerate(zip(content, tokenizer.pieces(content), strict=True)):
        yield f"PIECE case={name} index={index} token={token} bytes_hex={_hex(piece)}"
    yield f"DECODED case={name} bytes_hex={_hex(tokenizer.decode(content))}"


def _word(name: str) -> str:
    """A name as one printable ASCII word: everything else is percent-encoded."""
    return quote(name, safe=_PLAIN, errors="surrogateescape")


def _sides(pair: Pair) -> str:
    return f"left={pair[0]} right={pair[1]}"


def _ids(ids: Iterable[int]) -> str:
    return ",".join(map(str, ids))


def _hex(data: Sequence[int]) -> str:
    return ",".join(f"{byte:02x}" for byte in data)

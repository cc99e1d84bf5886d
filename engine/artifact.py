"""The canonical artifact: a trained tokenizer as bytes that depend on nothing but the data and the rules.

Compact JSON, keys sorted at every level, one newline at the end, content ids of layout version 1 (bytes from 2, rank r
is 258 + r). Schema, rules and the order of validation: the practical course behind the project, chapter 3.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from engine.alphabet import build_alphabet
from engine.binding import Binding, canonical_json
from engine.corpus.strict_json import ARRAY, BOOL, OBJECT, STRING, U32, U64, StrictJson
from engine.errors import ArtifactRefusal, IdentityRefusal, PolicyRefusal, TokenizerRefusal
from engine.layout import CONTROLS, Layout
from engine.limits import UNLIMITED, Limits
from engine.policy import Policy
from engine.quoting import quoted
from engine.tokenizer import MergeTable, Tokenizer
from engine.trainer import Trainer

SCHEMA_VERSION = 1
LAYOUT_VERSION = 1
TRAINER_SEMANTICS = "overlapping-count-leftmost-replace-v1"
_VERSIONS = {
    "schema_version": SCHEMA_VERSION,
    "layout_version": LAYOUT_VERSION,
    "trainer_semantics": TRAINER_SEMANTICS,
}
_RULES = {
    "normalization": "none",
    "pretokenization": "raw-bytes-only",
    "tie_break": "count-descending-pair-ascending",
}
_FIXED_FIELDS = (
    "normalizer", "alphabet", "base_bytes", "end_of_word", "base_order", "boundary", "counting", "tie_break",
    "min_count", "max_token_length", "special_tokens",
)  # fmt: skip
_FRAMED = Policy(id_layout="framed")
_ALPHABET = build_alphabet(_FRAMED, ())
_LAYOUT = Layout(_FRAMED, len(_ALPHABET.tokens))
_U64_MAX = 2**64 - 1

_JSON = StrictJson("invalid tokenizer artifact", ArtifactRefusal)
_TOP = {
    "counters": OBJECT,
    "layout_version": U32,
    "merges": ARRAY,
    "policy": OBJECT,
    "schema_version": U32,
    "trainer_semantics": STRING,
    "training": OBJECT,
}
_COUNTERS = dict.fromkeys(("content_tokens", "control_tokens", "input_bytes", "training_documents"), U64)
_MERGE = {"candidate_count": U64, "left": U32, "rank": U64, "replacements": U64, "right": U32, "token_id": U32}
_POLICY = {"exact_merge_count": BOOL, "merge_count": U64, **dict.fromkeys(_RULES, STRING)}
_TRAINING = dict.fromkeys(("corpus_receipt_sha256", "input_encoding", "input_sha256", "scope", "split"), STRING)


@dataclass(frozen=True, slots=True)
class Counters:
    """Totals over the training documents, each as often as its weight says.

    Attributes:
        content_tokens: tokens after the last merge.
        control_tokens: BOS and EOS of every document.
        input_bytes: bytes before any merge.
        training_documents: documents.
    """

    content_tokens: int
    control_tokens: int
    input_bytes: int
    training_documents: int

    @property
    def tokens_per_byte(self) -> float | None:
        """Content tokens over input bytes; None without any byte."""
        return self.content_tokens / self.input_bytes if self.input_bytes else None


class Rule(NamedTuple):
    """One merge of an artifact, in content ids."""

    candidate_count: int
    left: int
    rank: int
    replacements: int
    right: int
    token_id: int


@dataclass(frozen=True, slots=True)
class Artifact:
    """A tokenizer artifact whose every rule holds.

    Attributes:
        policy: framed ids; its budget is the number of merges asked for.
        binding: the data it was trained on.
        counters: totals over that data.
        rules: the merges by rank.
        table: the same merges, ready to encode.
    """

    policy: Policy
    binding: Binding
    counters: Counters
    rules: tuple[Rule, ...]
    table: MergeTable = field(compare=False, repr=False)

    def tokenizer(self) -> Tokenizer:
        """The tokenizer, with framed ids."""
        return Tokenizer(self.policy, self.table)

    def to_bytes(self) -> bytes:
        """The canonical bytes.

        Raises:
            LimitRefusal: when they exceed the limit `artifact_bytes`.
        """
        data = canonical_json(
            {
                **_VERSIONS,
                "counters": asdict(self.counters),
                "merges": [rule._asdict() for rule in self.rules],
                "policy": {
                    **_RULES,
                    "exact_merge_count": self.policy.exact,
                    "merge_count": self.policy.budget,
                },
                "training": asdict(self.binding),
            }
        )
        self.table.limits.check("artifact_bytes", len(data), "the canonical artifact")
        return data


def require_course_rules(policy: Policy, what: str) -> None:
    """Refuse a policy with a choice that `what` cannot express.

    Raises:
        ArtifactRefusal: naming the first such field, its value and the way out.
    """
    plain = Policy()
    for name in _FIXED_FIELDS:
        value, only = getattr(policy, name), getattr(plain, name)
        if value != only:
            raise ArtifactRefusal(
                f"{what} cannot express policy {name}={quoted(value)}, only {name}={only or 'none'}; "
                "save a session (.bpes) instead"
            )


def artifact_of(trainer: Trainer, binding: Binding) -> Artifact:
    """The artifact of the merges that are applied now.

    Its merge count is what training would have to be asked for to give these very merges: the budget where no pair
    is left, else the present rank. So equal ranks give equal bytes, however far the run has learned.

    Raises:
        ArtifactRefusal: for a policy that the format cannot express.
        PolicyRefusal: when an exact budget cannot be reached.
        TokenizerRefusal: when the ids do not fit 32 bits.
        LimitRefusal: when the weighted totals do not fit 64 bits, or a limit of the trainer is exceeded.
    """
    require_course_rules(trainer.policy, "the canonical artifact")
    rank, budget = trainer.rank, trainer.budget
    spent = budget is not None and trainer.kernel.live_pairs() == 0
    asked = budget if spent and budget is not None else rank
    if trainer.policy.exact and asked != rank:
        raise PolicyRefusal(
            f"training exhausted pairs before the exact merge count: learned {rank} of {asked}; "
            "ask for fewer or drop exact"
        )
    _LAYOUT.check_merges(asked)
    rules = [
        Rule(
            m.evidence.candidate_count,
            _LAYOUT.shown(m.evidence.pair[0]),
            m.rank,
            m.evidence.replacements,
            _LAYOUT.shown(m.evidence.pair[1]),
            _LAYOUT.shown(m.token),
        )
        for m in islice(trainer.merges, rank)
    ]
    policy = _FRAMED.changed(budget=asked, exact=trainer.policy.exact)
    return Artifact(policy, binding, _counters(trainer), tuple(rules), _table(rules, trainer.limits))


def canonical_bytes(trainer: Trainer, binding: Binding) -> bytes:
    """The canonical artifact of the merges that are applied now; refusals as in `artifact_of` and `to_bytes`."""
    return artifact_of(trainer, binding).to_bytes()


def load(data: bytes, limits: Limits = UNLIMITED) -> Artifact:
    """The artifact that `data` holds, with every rule checked, in the order of the specification.

    Other key order, white space or a missing newline are accepted; `is_canonical` tells.

    Raises:
        ArtifactRefusal: for the first rule that does not hold.
        LimitRefusal: when the data, the merges or their expansions exceed a limit.
    """
    limits.check("artifact_bytes", len(data), "this artifact")
    top = _JSON.closed_object(_JSON.parse(data), _TOP, "the artifact")
    counters = Counters(**_JSON.closed_object(top["counters"], _COUNTERS, "'counters'"))
    members = _JSON.closed_object(top["policy"], _POLICY, "'policy'")
    training = _JSON.closed_object(top["training"], _TRAINING, "'training'")
    rules = [
        Rule(**_JSON.closed_object(merge, _MERGE, f"merge {position}")) for position, merge in enumerate(top["merges"])
    ]
    policy = _policy(members)
    try:
        binding = Binding(**training)
    except IdentityRefusal as error:
        _JSON.refuse(str(error))
    _expect(top, _VERSIONS)
    _check_rules(rules, policy, counters, limits)
    try:
        table = _table(rules, limits)
    except TokenizerRefusal as error:
        _JSON.refuse(str(error))
    return Artifact(policy, binding, counters, tuple(rules), table)


def is_canonical(data: bytes, limits: Limits = UNLIMITED) -> bool:
    """Whether data that loads is, byte for byte, what writing it again gives; refusals as in `load`."""
    return load(data, limits).to_bytes() == data


def _counters(trainer: Trainer) -> Counters:
    documents = sum(d.weight for d in trainer.documents)
    if len(CONTROLS) * documents > _U64_MAX:
        raise ArtifactRefusal(
            f"{documents} weighted documents have more control tokens than 64 bits count: scale the weights down"
        )
    return Counters(trainer.tokens, len(CONTROLS) * documents, trainer.units.weighted_symbols, documents)


def _policy(members: dict[str, Any]) -> Policy:
    _expect(members, _RULES)
    try:
        _LAYOUT.check_merges(members["merge_count"])
    except TokenizerRefusal as error:
        _JSON.refuse(str(error))
    return _FRAMED.changed(budget=members["merge_count"], exact=members["exact_merge_count"])


def _expect(members: dict[str, Any], values: dict[str, Any]) -> None:
    for name, value in values.items():
        if members[name] != value:
            _JSON.refuse(f"unsupported {name} {quoted(members[name])}: this program reads {quoted(value)} only")


def _check_rules(rules: Sequence[Rule], policy: Policy, counters: Counters, limits: Limits) -> None:
    """The rules on counts and ids, up to the pair table's own."""
    limits.check("nodes", len(rules), "this artifact's number of merges")
    asked = policy.budget or 0
    if len(rules) > asked or (policy.exact and len(rules) != asked):
        _JSON.refuse(f"it holds {len(rules)} merges, but its policy asks for {'exactly ' * policy.exact}{asked}")
    if counters.control_tokens != len(CONTROLS) * counters.training_documents:
        _JSON.refuse(
            f"control_tokens {counters.control_tokens} is not twice training_documents {counters.training_documents}"
        )
    if counters.content_tokens > counters.input_bytes:
        _JSON.refuse(f"content_tokens {counters.content_tokens} exceeds input_bytes {counters.input_bytes}")
    for position, rule in enumerate(rules):
        _check_rule(rule, position)
    replaced = sum(rule.replacements for rule in rules)
    if counters.input_bytes - replaced != counters.content_tokens:
        _JSON.refuse(
            f"input_bytes {counters.input_bytes} less {replaced} replacements is not "
            f"content_tokens {counters.content_tokens}"
        )


def _check_rule(rule: Rule, position: int) -> None:
    if rule.rank != position:
        _JSON.refuse(f"merge {position} has rank {rule.rank}: ranks count up from 0")
    if rule.token_id != _LAYOUT.of_rank(position):
        _JSON.refuse(f"merge {position} makes token {rule.token_id}, not {_LAYOUT.of_rank(position)}")
    if not 0 < rule.replacements <= rule.candidate_count:
        _JSON.refuse(
            f"merge {position} has {rule.replacements} replacements of {rule.candidate_count} candidates: "
            "at least one, and no more than counted"
        )
    for operand in (rule.left, rule.right):
        if operand in CONTROLS:
            _JSON.refuse(f"merge {position} uses the control token {operand}")


def _table(rules: Sequence[Rule], limits: Limits) -> MergeTable:
    table = MergeTable(_ALPHABET, _LAYOUT, limits)
    for rule in rules:
        table.add((_LAYOUT.kernel(rule.left), _LAYOUT.kernel(rule.right)))
    return table

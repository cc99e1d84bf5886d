"""Binding: what ties an artifact to the data it was trained on, and the corpus receipts that say so.

A corpus receipt is a JSON object that names a training stream by its SHA-256; the artifact holds the receipt's own
SHA-256. The receipt names evidence and approves nothing. Rules: the practical course behind the project, chapter 3.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.corpus.document import Corpus
from engine.corpus.identity import weighted_bytes_sha256
from engine.corpus.strict_json import OBJECT, STRING, StrictJson, integer
from engine.errors import IdentityRefusal
from engine.quoting import quoted

PREPARED = "prepared-jsonl"
"""Both the reader's format and the binding's input encoding."""
WEIGHTED = "weighted-bytes-v1"
FIXTURE = "fixture"
SPLIT = "train"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_CHOICES = {"split": (SPLIT,), "scope": (FIXTURE, "prepared-corpus"), "input_encoding": (PREPARED, WEIGHTED)}
_RECEIPT_JSON = StrictJson("invalid corpus receipt", IdentityRefusal)
_RECEIPT = {"schema_version": integer(1, 1), "scope": STRING, "split": STRING, "input": OBJECT}
_INPUT = {"encoding": STRING, "sha256": STRING}


@dataclass(frozen=True, slots=True)
class Binding:
    """The member `training` of an artifact.

    Attributes:
        corpus_receipt_sha256: SHA-256 (hex) of the corpus receipt's bytes.
        input_sha256: SHA-256 (hex) of the training input, by its encoding.
        input_encoding: `prepared-jsonl` (the stream's bytes) or `weighted-bytes-v1` (the documents' own bytes).
        scope: `fixture` or `prepared-corpus`; weighted bytes are always a fixture.
        split: always `train`.

    Raises:
        IdentityRefusal: naming the member that breaks its rule.
    """

    corpus_receipt_sha256: str
    input_sha256: str
    input_encoding: str
    scope: str
    split: str = SPLIT

    def __post_init__(self) -> None:
        for name in ("corpus_receipt_sha256", "input_sha256"):
            value = getattr(self, name)
            if not _SHA256.fullmatch(value):
                raise IdentityRefusal(f"binding {name} {quoted(value)} is not 64 lowercase hexadecimal digits")
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise IdentityRefusal(f"binding {name}={quoted(value)} is unknown: it can be {', '.join(choices)}")
        if self.input_encoding == WEIGHTED and self.scope != FIXTURE:
            raise IdentityRefusal(f"binding input_encoding={WEIGHTED} needs scope={FIXTURE}, found {self.scope}")


def canonical_json(value: Mapping[str, object]) -> bytes:
    """Compact JSON with keys sorted at every level, ASCII only, and one newline at the end."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def corpus_receipt(corpus: Corpus) -> bytes:
    """The receipt of a corpus that came without one: the same bytes for the same training input, always.

    A prepared stream that trains as a whole is named by its own hash; any other corpus by its training documents.
    """
    encoding = PREPARED if corpus.format == PREPARED and not corpus.held_out else WEIGHTED
    training = corpus.training
    return canonical_json(
        {
            "documents": sum(d.weight for d in training),
            "input": {"encoding": encoding, "sha256": _input_sha256(corpus, encoding)},
            "input_bytes": sum(len(d.data) * d.weight for d in training),
            "schema_version": 1,
            "scope": FIXTURE,
            "split": SPLIT,
        }
    )


def receipt_binding(receipt: bytes, corpus: Corpus) -> Binding:
    """The binding that a corpus receipt gives; members of the receipt that are not asked for are ignored.

    Raises:
        IdentityRefusal: for a malformed receipt, one of another corpus, or one of a stream that is held out in part.
    """
    members = _RECEIPT_JSON.members(_RECEIPT_JSON.parse(receipt), _RECEIPT, "the receipt")
    named = _RECEIPT_JSON.members(members["input"], _INPUT, "member 'input'")
    sha256 = hashlib.sha256(receipt).hexdigest()
    binding = Binding(sha256, named["sha256"], named["encoding"], members["scope"], members["split"])
    found = _input_sha256(corpus, binding.input_encoding)
    if found != binding.input_sha256:
        raise IdentityRefusal(
            f"training stream SHA-256 mismatch: the receipt names {binding.input_sha256}, the corpus has {found}; "
            "give the corpus that the receipt was written for, or leave the receipt out"
        )
    return binding


def binding_of(corpus: Corpus) -> Binding:
    """The binding of a corpus that came without a receipt."""
    return receipt_binding(corpus_receipt(corpus), corpus)


def _input_sha256(corpus: Corpus, encoding: str) -> str:
    if encoding == WEIGHTED:
        return weighted_bytes_sha256(corpus.training)
    if corpus.format != PREPARED:
        raise IdentityRefusal(
            f"the receipt binds {PREPARED}, but the corpus was read as {corpus.format}: use --format {PREPARED}"
        )
    if corpus.held_out:
        raise IdentityRefusal(
            f"the receipt binds the whole stream, but {len(corpus.held_out)} of its documents are held out: "
            "train on all of them, or leave the receipt out"
        )
    return corpus.sha256

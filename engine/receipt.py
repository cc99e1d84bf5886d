"""The producer receipt: who made an artifact, when and with what. A file of its own, never hashed into the artifact."""

import hashlib
from dataclasses import asdict, dataclass

from engine.binding import canonical_json


@dataclass(frozen=True, slots=True)
class Producer:
    """What made an artifact.

    Attributes:
        program: name and version of the program.
        kernel: the merge kernel that ran.
        platform: interpreter and machine, as the caller words it.
        time: when, as the caller words it (ISO 8601, UTC).
    """

    program: str
    kernel: str
    platform: str
    time: str


def producer_receipt(artifact: bytes, corpus_receipt: bytes, producer: Producer) -> bytes:
    """The receipt of an artifact, as canonical JSON.

    Args:
        artifact: the artifact's bytes, named by their SHA-256.
        corpus_receipt: the corpus receipt, kept whole as text, so that the hash in the artifact can be checked.
        producer: what made it.
    """
    return canonical_json(
        {
            "artifact": {"bytes": len(artifact), "sha256": hashlib.sha256(artifact).hexdigest()},
            "corpus_receipt": corpus_receipt.decode("utf-8"),
            "producer": asdict(producer),
            "schema_version": 1,
        }
    )

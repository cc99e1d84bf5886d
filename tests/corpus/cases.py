"""The course's small corpus of chapter 2: three pairs of documents in two languages, and a manifest for it."""

import json
from typing import Any

from engine.corpus.course import CORPUS_JSON, fnv1a64, read_course
from engine.corpus.document import Corpus


def base_documents() -> list[dict[str, Any]]:
    return [
        {"id": f"{tongue}-{n}", "language": tongue, "provenance_group": f"pair-{n}", "text": f"{tongue} text {n}"}
        for n in ("one", "two", "three")
        for tongue in ("en", "ru")
    ]


def source_of(documents: list[dict[str, Any]]) -> bytes:
    return json.dumps(documents, indent=2).encode() + b"\n"


def base_manifest(source: bytes) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "corpus_checksum": fnv1a64(source),
        "strategy": "fixed-paired-document-holdout-v1",
        "train": ["en-one", "ru-one"],
        "validation": ["en-two", "ru-two"],
        "test": ["en-three", "ru-three"],
    }


def read(source: bytes) -> Corpus:
    return read_course(CORPUS_JSON.items(source, "the corpus"), source, "corpus.json")

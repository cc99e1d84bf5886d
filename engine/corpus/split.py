"""Split manifests: which documents of a course corpus train, validate and test.

Parsing checks the shape only; every rule on values runs when a manifest meets its corpus. The rules and their
order are those of chapter 2 of the course learn_llm.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from engine.corpus.document import Corpus, Split, columns_of
from engine.corpus.strict_json import STRING, STRINGS, U32, StrictJson
from engine.errors import CorpusRefusal, IdentityRefusal
from engine.quoting import quoted

STRATEGY = "fixed-paired-document-holdout-v1"
_MANIFEST_JSON = StrictJson("invalid split manifest JSON")
_ROLES = (Split.TRAIN, Split.VALIDATION, Split.TEST)
_MEMBERS = {"schema_version": U32, "corpus_checksum": STRING, "strategy": STRING} | dict.fromkeys(_ROLES, STRINGS)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest as it stands in its file; nothing but its shape is known to be right.

    Attributes:
        schema_version: 1 is the only one known.
        corpus_checksum: the ``fnv1a64:…`` checksum of the corpus it splits.
        strategy: how the split was made.
        partitions: document ids of train, validation and test, in that order.
    """

    schema_version: int
    corpus_checksum: str
    strategy: str
    partitions: Mapping[Split, tuple[str, ...]]


def parse_manifest(data: bytes) -> Manifest:
    """The manifest that `data` holds.

    Raises:
        CorpusRefusal: if it is not strict JSON of exactly a manifest's shape.
    """
    members = _MANIFEST_JSON.closed_object(_MANIFEST_JSON.parse(data), _MEMBERS, "the manifest")
    partitions = {role: tuple(members[role]) for role in _ROLES}
    return Manifest(members["schema_version"], members["corpus_checksum"], members["strategy"], partitions)


def apply_manifest(corpus: Corpus, manifest: Manifest) -> Corpus:
    """The corpus with the manifest's role in each document.

    Raises:
        IdentityRefusal: if the manifest was written for other corpus bytes.
        CorpusRefusal: for the first other broken rule.
    """
    if manifest.schema_version != 1:
        raise CorpusRefusal(f"unsupported split schema version {manifest.schema_version}: only 1 is known")
    if manifest.strategy != STRATEGY:
        raise CorpusRefusal(f"unsupported split strategy {quoted(manifest.strategy)}: only {STRATEGY} is known")
    if manifest.corpus_checksum != corpus.checksum:
        raise IdentityRefusal(
            f"corpus checksum mismatch: the manifest is for {quoted(manifest.corpus_checksum)}, "
            f"the corpus is {quoted(corpus.checksum)}"
        )
    _check_source_order(corpus, manifest)
    roles = _roles(corpus, manifest)
    _check_groups(corpus, roles)
    documents = columns_of(corpus.documents)
    return replace(corpus, documents=documents.split_as([roles[id] for id in documents.ids]))


def find_manifest(corpus: Path) -> Path | None:
    """The manifest beside a corpus NAME.json, if any: ``NAME.splits.json``, else ``splits.json``."""
    beside = (corpus.with_name(f"{corpus.stem}.splits.json"), corpus.with_name("splits.json"))
    return next((path for path in beside if os.path.isfile(path) and path != corpus), None)


def _check_source_order(corpus: Corpus, manifest: Manifest) -> None:
    position = {document.id: p for p, document in enumerate(corpus.documents)}
    for role, ids in manifest.partitions.items():
        if not ids:
            raise CorpusRefusal(f"{role} partition is empty")
        known = [id for id in ids if id in position]
        for before, after in pairwise(known):
            if position[before] >= position[after]:
                raise CorpusRefusal(
                    f"{role} partition ids do not preserve corpus source order: "
                    f"{quoted(after)} comes after {quoted(before)}"
                )


def _roles(corpus: Corpus, manifest: Manifest) -> dict[str, Split]:
    known = {document.id for document in corpus.documents}
    roles: dict[str, Split] = {}
    for role, id in _entries(manifest):
        if id not in known:
            raise CorpusRefusal(f"{role} partition contains unknown document {quoted(id)}")
        if id in roles:
            raise CorpusRefusal(
                f"document {quoted(id)} appears in more than one manifest position: {roles[id]} and {role}"
            )
        roles[id] = role
    for document in corpus.documents:
        if document.id not in roles:
            raise CorpusRefusal(f"the manifest does not cover corpus document {quoted(document.id)}")
    return roles


def _entries(manifest: Manifest) -> Iterator[tuple[Split, str]]:
    return ((role, id) for role, ids in manifest.partitions.items() for id in ids)


def _check_groups(corpus: Corpus, roles: Mapping[str, Split]) -> None:
    first_role: dict[str, Split] = {}
    for document in corpus.documents:
        group, role = document.metadata["provenance_group"], roles[document.id]
        if first_role.setdefault(group, role) is not role:
            raise CorpusRefusal(f"provenance group {quoted(group)} is split between {first_role[group]} and {role}")

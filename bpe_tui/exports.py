"""Exports: what a run is written as, each checked before it is written and compared after."""

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bpe_tui.merge_records import Record, merge_records
from bpe_tui.text.cells import show
from bpe_tui.text.glyphs import for_programs
from engine.alphabet import build_alphabet
from engine.artifact import artifact_of, load, require_course_rules
from engine.binding import Binding, binding_of, receipt_binding
from engine.errors import ArtifactRefusal, Refusal
from engine.files import Identity
from engine.formats.base import Files
from engine.formats.checking import written
from engine.formats.registry import FORMATS
from engine.formats.tables import table_rows
from engine.merge_list import MergeList, learned_list, merge_list_of
from engine.policy import Policy
from engine.quoting import quoted
from engine.trace import write_trace
from engine.trace_check import check_merge_trace
from engine.trainer import Trainer
from sessions.atomic import Content, write_together
from sessions.codec import pack, unpack
from sessions.snapshot import Session
from sessions.targets import Target, Written, target_of


class Format(StrEnum):
    """What a run can be written as."""

    ARTIFACT = "artifact"
    TRACE = "trace"
    JSONL = "jsonl"
    CSV = "csv"
    SESSION = "session"
    HUGGINGFACE = "huggingface"
    GPT2 = "gpt2"
    TIKTOKEN = "tiktoken"
    MINBPE = "minbpe"
    SUBWORD_NMT = "subword-nmt"


FOREIGN = {Format(name): format for name, format in FORMATS.items() if format.write is not None}
"""Formats of other libraries."""

ENDINGS = {
    ".json": Format.ARTIFACT,
    ".trace": Format.TRACE,
    ".jsonl": Format.JSONL,
    ".csv": Format.CSV,
    ".bpes": Format.SESSION,
    **{ending: Format(format.name) for format in FOREIGN.values() for ending in format.endings},
}
"""The ending of a file's name that stands for each format."""

ABOUT = {
    Format.ARTIFACT: "canonical tokenizer; equal rules and data, equal bytes",
    Format.TRACE: "bpe-merges-v1: every stage, candidate and merge",
    Format.JSONL: "merges with their evidence, one JSON object a line",
    Format.CSV: "merges with their evidence, as a table",
    Format.SESSION: "session of this program, to go on with",
    **{name: format.about for name, format in FOREIGN.items()},
}

_CSV_COLUMNS = (
    "rank", "left", "right", "token_id", "candidate_count", "replacements", "bytes_hex", "shown", "utf8", "tie_size",
    "runner_up_left", "runner_up_right", "runner_up_count",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a format would make of a run.

    Attributes:
        losses: what it would not hold or leaves to the reader, in words.
        refusal: why it cannot hold the run at all, or None.
    """

    losses: tuple[str, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """A finished file of an export.

    Attributes:
        path: the file.
        format: what it holds.
        merges: how many merges.
        size: bytes.
        sha256: SHA-256 (hex) of its bytes.
    """

    path: str
    format: Format
    merges: int
    size: int
    sha256: str


def format_of(path: str, *, named: bool = False) -> Format:
    """The format that a file's name asks for; `named` where the user may name it with `--to` instead.

    Raises:
        ArtifactRefusal: for an ending that stands for none.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(f"{e} ({f})" for e, f in ENDINGS.items())
        raise ArtifactRefusal(
            f"{quoted(path)} has no ending that names a format: choose {known}{', or use --to' * named}"
        )
    return ENDINGS[ending]


def require(format: Format, policy: Policy) -> None:
    """Refuse a policy that a format cannot express, before any work is done for it.

    Raises:
        ArtifactRefusal: naming the field, its value and the way out.
    """
    if format in (Format.ARTIFACT, Format.TRACE):
        require_course_rules(policy, f"the {format}")
    elif format in FOREIGN:
        policy = policy.changed(base_bytes="all")  # a corpus may have them all
        losses_of(learned_list("", policy, build_alphabet(policy, ()).tokens, ()), format)


def losses_of(merges: MergeList, format: Format) -> tuple[str, ...]:
    """What a format of another library would not hold of a merge list; nothing for our own.

    Raises:
        FormatRefusal: when it cannot hold the list at all.
    """
    foreign = FOREIGN.get(format)
    return () if foreign is None or foreign.losses is None else foreign.losses(merges)


def outlook(trainer: Trainer, format: Format) -> Outlook:
    """What a format would make of the merges that are applied now."""
    try:
        require(format, trainer.policy)
        return Outlook(losses_of(merge_list_of(trainer), format))
    except Refusal as refusal:
        return Outlook(refusal=str(refusal))


def targets_of(
    format: Format, path: str, read: Collection[Identity] = (), own: Written | None = None
) -> dict[str, Target]:
    """Where each file of a format goes, by its name in the format.

    One file goes to the path itself; several go into the folder that it names, or else have it as a prefix of their
    names (`run` gives `run-vocab.json`).

    Raises:
        ArtifactRefusal: as `sessions.targets.target_of`, which says what the arguments are.
    """
    names = FOREIGN[format].files if format in FOREIGN else ("",)
    if names == ("",):
        return {"": target_of(path, read, own)}
    paths = {name: os.path.join(path, name) if os.path.isdir(path) else f"{path}-{name}" for name in names}
    return {name: target_of(path, read, own) for name, path in paths.items()}


def export(trainer: Trainer, format: Format, targets: Mapping[str, Target], session: Session) -> tuple[Exported, ...]:
    """Write the merges that are applied now, and read them back before success is reported.

    Args:
        trainer: the run at the rank to write; a trace travels through it and comes back.
        format: what to write.
        targets: where its files go, from `targets_of`; each is written in one step.
        session: the run's session, which is written for `Format.SESSION` and whose receipt binds an artifact.

    Raises:
        Refusal: when the format cannot express the policy, a limit is exceeded, or the file cannot be written.
        ArtifactRefusal: when what was written does not read back as it is.
        Changed: when a target is not what it was any more.
    """
    if format in FOREIGN:
        return export_list(merge_list_of(trainer), format, targets)
    return _put({"": _WRITERS[format](trainer, session)}, format, targets, trainer.rank)


def export_list(merges: MergeList, format: Format, targets: Mapping[str, Target]) -> tuple[Exported, ...]:
    """Write a merge list in a format of another library; otherwise as `export`."""
    return _put(written(FOREIGN[format], merges), format, targets, len(merges.pairs))


def _put(files: Files, format: Format, targets: Mapping[str, Target], merges: int) -> tuple[Exported, ...]:
    write_together([Content(target.path, files[name], target.seen) for name, target in targets.items()])
    return tuple(
        Exported(target.path, format, merges, len(files[name]), hashlib.sha256(files[name]).hexdigest())
        for name, target in targets.items()
    )


def binding(trainer: Trainer, receipt: bytes | None) -> Binding:
    """The binding of a run: its receipt's, or that of the corpus itself where there is none.

    Raises:
        IdentityRefusal: for a receipt of another corpus.
    """
    return binding_of(trainer.corpus) if receipt is None else receipt_binding(receipt, trainer.corpus)


def _artifact(trainer: Trainer, session: Session) -> bytes:
    artifact = artifact_of(trainer, binding(trainer, session.receipt))
    data = artifact.to_bytes()
    _same(load(data, trainer.limits) == artifact, Format.ARTIFACT)
    return data


def _trace(trainer: Trainer, session: Session) -> bytes:
    data = "".join(f"{line}\n" for line in write_trace(trainer)).encode("ascii")
    _same(check_merge_trace(data, trainer.limits) == trainer.rank, Format.TRACE)
    return data


def _jsonl(trainer: Trainer, session: Session) -> bytes:
    records = list(merge_records(trainer))
    lines = [json.dumps(record) for record in records]
    _same([json.loads(line) for line in lines] == records, Format.JSONL)
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _csv(trainer: Trainer, session: Session) -> bytes:
    with for_programs():
        rows = [_cells(record) for record in merge_records(trainer) if "rank" in record]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((_CSV_COLUMNS, *rows))
    data = text.getvalue().encode()
    _same([*table_rows(data)][1:] == rows, Format.CSV)
    return data


def _cells(record: Record) -> list[str]:
    left, right = record["pair"]
    runner_up = record["runner_up"] or {"pair": ("", ""), "count": 0}
    next_left, next_right = runner_up["pair"]
    values = {
        **record,
        "left": left,
        "right": right,
        # Quotes keep a spreadsheet from taking a token such as `=1+1` for a formula.
        "shown": f'"{show(bytes.fromhex(str(record["bytes_hex"]))).plain}"',
        "runner_up_left": next_left,
        "runner_up_right": next_right,
        "runner_up_count": runner_up["count"],
    }
    return [str(values[name]) for name in _CSV_COLUMNS]


def _session(trainer: Trainer, session: Session) -> bytes:
    data = pack(session)
    _same(unpack(data) == session, Format.SESSION)
    return data


_WRITERS: dict[Format, Callable[[Trainer, Session], bytes]] = {
    Format.ARTIFACT: _artifact,
    Format.TRACE: _trace,
    Format.JSONL: _jsonl,
    Format.CSV: _csv,
    Format.SESSION: _session,
}


def _same(same: bool, format: Format) -> None:
    if not same:
        raise ArtifactRefusal(f"the {format} does not read back as this run: nothing was written; please report this")

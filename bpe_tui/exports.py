"""Exports: what a run is written as, each checked before it is written and compared after."""

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bpe_tui.merge_records import Record, merge_records
from bpe_tui.text.cells import show
from engine.artifact import artifact_of, load, require_course_rules
from engine.binding import Binding, binding_of, receipt_binding
from engine.errors import ArtifactRefusal
from engine.policy import Policy
from engine.quoting import quoted
from engine.trace import write_trace
from engine.trace_check import check_merge_trace
from engine.trainer import Trainer
from sessions.atomic import write_atomically
from sessions.codec import pack, unpack
from sessions.snapshot import Session


class Format(StrEnum):
    """What a run can be written as."""

    ARTIFACT = "artifact"
    TRACE = "trace"
    JSONL = "jsonl"
    CSV = "csv"
    SESSION = "session"


ENDINGS = {
    ".json": Format.ARTIFACT,
    ".trace": Format.TRACE,
    ".jsonl": Format.JSONL,
    ".csv": Format.CSV,
    ".bpes": Format.SESSION,
}
"""The ending of a file's name that stands for each format."""

ABOUT = {
    Format.ARTIFACT: "canonical tokenizer; equal rules and data, equal bytes",
    Format.TRACE: "bpe-merges-v1: every stage, candidate and merge",
    Format.JSONL: "merges with their evidence, one JSON object a line",
    Format.CSV: "merges with their evidence, as a table",
    Format.SESSION: "session of this program, to go on with",
}

_CSV_COLUMNS = (
    "rank", "left", "right", "token_id", "candidate_count", "replacements", "bytes_hex", "shown", "utf8", "tie_size",
    "runner_up_left", "runner_up_right", "runner_up_count",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exported:
    """A finished export.

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


def format_of(path: str) -> Format:
    """The format that a file's name asks for.

    Raises:
        ArtifactRefusal: for an ending that stands for none.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(f"{e} ({f})" for e, f in ENDINGS.items())
        raise ArtifactRefusal(f"{quoted(path)} has no ending that names a format: choose {known}")
    return ENDINGS[ending]


def require(format: Format, policy: Policy) -> None:
    """Refuse a policy that a format cannot express, before any work is done for it.

    Raises:
        ArtifactRefusal: naming the field, its value and the way out.
    """
    if format in (Format.ARTIFACT, Format.TRACE):
        require_course_rules(policy, f"the {format}")


def export(trainer: Trainer, format: Format, path: str, session: Session) -> Exported:
    """Write the merges that are applied now, and read them back before success is reported.

    Args:
        trainer: the run at the rank to write; a trace travels through it and comes back.
        format: what to write.
        path: the file, replaced in one step if it is there.
        session: the run's session, which is written for `Format.SESSION` and whose receipt binds an artifact.

    Raises:
        Refusal: when the format cannot express the policy, a limit is exceeded, or the file cannot be written.
        ArtifactRefusal: when what was written does not read back as it is.
    """
    data = _WRITERS[format](trainer, session)
    write_atomically(path, data)
    if _read(path) != data:
        raise ArtifactRefusal(f"{quoted(path)} does not read back as it was written: check the disk, export again")
    return Exported(os.fspath(path), format, trainer.rank, len(data), hashlib.sha256(data).hexdigest())


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
    lines = list(write_trace(trainer))
    _same(check_merge_trace(lines, trainer.limits) == trainer.rank, Format.TRACE)
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _jsonl(trainer: Trainer, session: Session) -> bytes:
    records = list(merge_records(trainer))
    lines = [json.dumps(record) for record in records]
    _same([json.loads(line) for line in lines] == records, Format.JSONL)
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _csv(trainer: Trainer, session: Session) -> bytes:
    rows = [_cells(record) for record in merge_records(trainer) if "rank" in record]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((_CSV_COLUMNS, *rows))
    _same(list(csv.reader(io.StringIO(text.getvalue())))[1:] == rows, Format.CSV)
    return text.getvalue().encode()


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


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = (error.strerror or "input error").lower()
        raise ArtifactRefusal(f"cannot read {quoted(path)} back: {why}; it was written but not checked") from None

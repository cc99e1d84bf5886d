"""Measure everything, side by side: `python benchmarks/run.py`. See benchmarks/README.md."""

import argparse
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

from corpora import corpora_in, unlike_published
from environment import HERE, WORK, commit, machine, prepare, versions
from jobs import JOBS, Job
from report import report
from rounds import Results, Runner

RESULTS = HERE / "RESULTS.md"


def main() -> int:
    """Build what is missing, run the jobs, print and keep the results."""
    names = [job.name for job in JOBS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", metavar="DIR", type=Path, default=WORK / "corpora", help="built where missing")
    parser.add_argument("--venv", metavar="DIR", type=Path, help="the peers' environment; made where missing")
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="rounds of each job (default: 5)")
    parser.add_argument("--only", metavar="JOB,...", help=f"some jobs, without writing RESULTS.md: {', '.join(names)}")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else names
    if unknown := [name for name in only if name not in names]:
        parser.error(f"unknown job {unknown[0]}: choose {', '.join(names)}")

    corpora = corpora_in(args.corpora.resolve())
    changed = unlike_published(corpora)
    runner = Runner(prepare(args.venv and args.venv.resolve()), corpora, lambda words: print(words, file=sys.stderr))
    text = f"other package versions, so other text in {', '.join(changed)}" if changed else "as published"
    command = shlex.join(["python", "benchmarks/run.py", *(["--runs", str(args.runs)] if args.runs != 5 else [])])
    about = [
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}, `{command}`",
        machine(),
        versions(),
        f"corpora: {text}",
        f"medians of {args.runs} rounds A B C A B C …, each figure from a fresh process on the same core",
    ]
    found: list[tuple[Job, Results]] = []
    for job in JOBS:
        if job.name in only:
            print(f"{job.name}: {job.title}", file=sys.stderr)
            found.append((job, runner.run(job.contenders, args.runs)))
            if not args.only:  # what is there when the run is broken off is worth keeping
                RESULTS.write_text(report(found, about))
    print(report(found, about))
    return 1 if any(results.differences or "ours" in results.failed for _, results in found) else 0


if __name__ == "__main__":
    sys.exit(main())

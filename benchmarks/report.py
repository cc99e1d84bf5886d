"""What a run found, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from jobs import Bar, Job
from rounds import Results

TIMES = ("wall_s", "cpu_s")


def report(found: Sequence[tuple[Job, Results]], about: Iterable[str]) -> str:
    """The whole page: what was measured where, the table, the bars, and what only we do."""
    alone = [(job, results) for job, results in found if not results.of(job.contenders[0].name, job.clock)]
    raced = [(job, results) for job, results in found if (job, results) not in alone]
    parts = ["# Results", "\n".join(f"* {line}" for line in about)]
    if raced:
        rows = (row for job, results in raced for row in _race(job, results))
        head = ("job", "who", "wall s", "CPU s", "times ours (spread)", "peak MB", "compared")
        parts += ["## Side by side", table(head, "llrrrrl", rows)]
    if alone:
        rows = (row for job, results in alone for row in _figures(job, results))
        parts += ["## Travelling and looking", table(("job", "figure", "median", "spread"), "llrr", rows)]
    bars = [row for job, results in found for row in _bars(job, results)]
    if bars:
        parts += ["## Bars", table(("job", "bar", "measured (spread)", ""), "llrl", bars)]
    differences = [f"* {job.name}: {words}" for job, results in found for words in results.differences]
    parts += ["## Differences", "\n".join(differences) or "None: every merge list and every id is as it must be."]
    return "\n\n".join(parts) + "\n"


def _race(job: Job, results: Results) -> Iterator[tuple[str, ...]]:
    ours = job.contenders[0].name
    for contender in job.contenders:
        name, title = contender.name, job.title if contender is job.contenders[0] else ""
        if name in results.failed:
            yield title, name, "–", "–", "–", "–", results.failed[name]
            continue
        wall, cpu = (_spread(results.of(name, clock)) for clock in TIMES)
        ratios = [r[name][job.clock] / r[ours][job.clock] for r in results.rounds if name in r]
        number = "ids" if contender.task == "encode" else f"{results.compared.get(name, 0):,} merges"
        compared = f"{number} as {contender.equals}" if name in results.compared else ""
        memory = f"{median(results.of(name, 'peak_mb')):,.0f}"
        yield title, name, wall, cpu, "1" if name == ours else _spread(ratios), memory, compared


def _figures(job: Job, results: Results) -> Iterator[tuple[str, ...]]:
    name = job.contenders[0].name
    title = job.title
    if name in results.failed:
        yield title, results.failed[name], "–", "–"
        return
    for figure in results.rounds[0][name]:
        values = results.of(name, figure)
        yield title, figure, number(median(values)), f"{number(min(values))} to {number(max(values))}"
        title = ""


def _bars(job: Job, results: Results) -> Iterator[tuple[str, ...]]:
    title = job.title
    for bar in job.bars:
        values = _values(bar, results)
        wanted = f"{'stretch: ' if bar.stretch else ''}{bar.words}"
        if values:
            middle = median(values)
            met = middle >= bar.bound if bar.least else middle <= bar.bound
            yield title, wanted, _spread(values), "met" if met else "missed"
        else:
            yield title, wanted, "–", "not measured"
        title = ""


def _values(bar: Bar, results: Results) -> list[float]:
    values = []
    for figures in results.rounds:
        try:
            values.append(bar.value(figures))
        except KeyError:  # a contender that failed
            return []
    return values


def _spread(values: Sequence[float]) -> str:
    if len(values) == 1:
        return number(values[0])
    return f"{number(median(values))} ({number(min(values))} to {number(max(values))})"


def number(value: float) -> str:
    """A figure to three digits; whole and large numbers as they are."""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def table(head: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> str:
    """A table; `align` has an l or r for each column."""
    lines = [head, ["---:" if side == "r" else "---" for side in align], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

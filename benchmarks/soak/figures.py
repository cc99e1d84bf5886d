"""What an attack found, in figures and words."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

Row = dict[str, str | int | float]
"""Figures by the name of their column; the first says what the row is about."""


@dataclass(slots=True)
class Report:
    """A table, and what was bad.

    Attributes:
        rows: all with the same columns.
        bad: what was bad and how often, by the words of its first time.
    """

    rows: list[Row] = field(default_factory=list)
    bad: dict[str, int] = field(default_factory=dict)

    def add(self, row: Row, bad: dict[str, int]) -> None:
        """Take a row in, with what was bad in it, and show that work goes on."""
        self.rows.append(row)
        for words, times in bad.items():
            self.bad[words] = self.bad.get(words, 0) + times
        print("  ".join(f"{name} {_shown(value)}" for name, value in row.items()), file=sys.stderr)

    def text(self) -> str:
        """A Markdown table with a line of sums, and a list of what was bad."""
        columns = list(self.rows[0])
        body = [[_shown(row[name]) for name in columns] for row in self.rows]
        body.append(["all", *(_total([row[name] for row in self.rows], name) for name in columns[1:])])
        lines = [columns, ["---", *("---:" for _ in columns[1:])], *body]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return table + "".join(f"\n- {times} times: {words}" for words, times in self.bad.items())


def _total(values: Sequence[str | int | float], name: str) -> str:
    """The sum of counts, the largest of seconds and megabytes."""
    numbers = [value for value in values if not isinstance(value, str)]
    return _shown(max(numbers, default=0) if name.startswith("most ") else sum(numbers))


def _shown(value: str | int | float) -> str:
    return value if isinstance(value, str) else f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"

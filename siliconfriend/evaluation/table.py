"""Print rows of JSON as a table: a column for each recipe, a line for each measure.

Measures have their names in JSON; a share or a count of questions has its confidence interval.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
"""The result of one recipe, as the command prints it with ``--json``."""
TRIALS = {
    **dict.fromkeys(("hit", "complete", "sure"), "questions"),
    **dict.fromkeys(("prompt", "said", "first", "found", "likely"), "asked"),
    "claimed": "nothing_to_find",
}
"""Number of trials for each measure with an interval, by name."""
NAMES = ("recipe", "phase", "source")  # the fields that head a row's column
STANDARD_SCORE = 1.959963984540054  # of the normal distribution, for a 95% interval


def ratio(part: int, whole: int) -> float | None:
    """Return a share, or None if the denominator is 0."""
    return part / whole if whole else None


def mean(numbers: Iterable[float]) -> float:
    """Return the mean of some numbers; 0 of none."""
    held = [*numbers]
    return sum(held) / len(held) if held else 0.0


def show_table(rows: Sequence[Row], note: str) -> None:
    """Print rows with the same fields, as wide as the terminal allows, and a note below."""
    from rich.console import Console
    from rich.table import Table

    table = Table("")
    for row in rows:
        table.add_column(", ".join(row[name] for name in NAMES if name in row), justify="right")
    columns = [dict(_cells(row)) for row in rows]
    for name in dict.fromkeys(name for column in columns for name in column):
        table.add_row(name, *(column.get(name, "–") for column in columns))
    console = Console(width=None if sys.stdout.isatty() else 180)  # room in a file or a pipe
    console.print(table)
    console.print(note, highlight=False)


def _cells(row: Row, group: str = "", around: Row | None = None) -> Iterator[tuple[str, str]]:
    """Yield the measures of a row by name, those of an inner object behind its own name."""
    around = (around or {}) | row
    for name, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{group}{name} ", around)
        elif group or name not in NAMES:
            trials = [
                around.get(TRIALS[key]) for key in (name, *group.split()[:1]) if key in TRIALS
            ]
            yield f"{group}{name}", _cell(value, trials[0] if trials else None)


def _cell(value: Any, trials: int | None) -> str:
    """Write a share or a count with its interval; a list as its length."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return str(len(value))
    written = f"{value:.2f}" if isinstance(value, float) else str(value)
    if trials is None:
        return written
    count = round(value * trials) if isinstance(value, float) else value
    low, high = wilson_interval(count, trials)
    return f"{written} ({low:.2f}–{high:.2f})"


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a share (E. B. Wilson, 1927); (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, STANDARD_SCORE**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)

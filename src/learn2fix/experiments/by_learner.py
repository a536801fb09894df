"""Learners beside each other: by number of labels, and by how often an answer is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from learn2fix.experiments.measures import MEASURES, subject_means
from learn2fix.experiments.rows import RepairRow, Row
from learn2fix.experiments.tables import Table, table

NOISE = "+noise"


def noise_of(row: Row) -> float:
    """The chance that an answer was wrong, as the feedback column says."""
    return float(row.feedback.partition(NOISE)[2] or 0)


def learner_tables(rows: Sequence[Row]) -> tuple[Table, ...]:
    """A table a strategy that was run with several learners, or with noise; a line a learner and noise."""
    asked = [row for row in rows if not isinstance(row, RepairRow)]
    found = []
    for strategy in sorted({row.strategy for row in asked}):
        of_it = [row for row in asked if row.strategy == strategy]
        if len({(row.learner, noise_of(row)) for row in of_it}) > 1:
            found.append(_learners(strategy, of_it))
    return tuple(found)


def _learners(strategy: str, rows: Sequence[Row]) -> Table:
    budgets = sorted({row.labels for row in rows})
    lines = []
    for noise, learner in sorted({(noise_of(row), row.learner) for row in rows}):
        kept = [row for row in rows if row.learner == learner and noise_of(row) == noise]
        cells = [_cell([row for row in kept if row.labels == labels]) for labels in budgets]
        lines.append([learner, f"{100 * noise:g} %", str(len({row.subject for row in kept})), *cells])
    return table(
        f"Learners of --strategy {strategy}",
        ["learner", "wrong answers", "subjects", *(f"{labels} labels" for labels in budgets)],
        lines,
        "accuracy / accuracy on failing tests, means over subjects of the mean over runs",
    )


def _cell(rows: Sequence[Row]) -> str:
    means = [subject_means(rows, MEASURES[name]).values() for name in ("accuracy", "failing_recall")]
    return " / ".join(f"{fmean(values):.3f}".removeprefix("0") if values else "–" for values in means)

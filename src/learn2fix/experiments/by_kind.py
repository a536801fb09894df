"""The table of results by kind of input, where subjects of every kind took part."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.experiments.kinds import InputKind
from learn2fix.experiments.measures import series_of
from learn2fix.experiments.rows import KindRow, Row
from learn2fix.experiments.tables import Table, figure, percent, table

SHOWN_BY_KIND = {
    "repaired": "repaired",
    "correct": "right patch",
    "correct_of_repaired": "right of repaired",
    "agrees": "on fresh inputs too",
    "form_proved": "form proved",
    "in_form": "in form",
}


def kind_tables(rows: Sequence[Row]) -> tuple[Table, ...]:
    """The figures for each kind of input, where subjects of every kind took part."""
    by_kind: dict[str, list[Row]] = {}
    for row in rows:
        if isinstance(row, KindRow):
            by_kind.setdefault(row.kind, []).append(row)
    if not by_kind:
        return ()
    kinds = [str(kind) for kind in InputKind if kind in by_kind]
    groups = [(kind, by_kind[kind]) for kind in kinds] + [
        ("all", [row for kind in kinds for row in by_kind[kind]])
    ]
    lines = [
        [
            f"{kind}: {series.name}",
            str(len(series.subjects)),
            str(series.failed),
            *(figure(series.mean(name)) for name in ("accuracy", "failing_recall")),
            figure(series.mean("questions"), 1),
            *(percent(series.mean(name)) for name in SHOWN_BY_KIND),
        ]
        for kind, members in groups
        for series in series_of(members)
    ]
    return (
        table(
            "Figures by kind of input",
            [
                "kind",
                "subjects",
                "failed jobs",
                "accuracy",
                "failing recall",
                "questions",
                *SHOWN_BY_KIND.values(),
            ],
            lines,
            "right: the patched program prints what the golden program prints on every held-out test to "
            "which that has an answer; on fresh inputs too: also on every fuzzed input; form proved: how the "
            "input is read was found, and foretold how others are; in form: questions that keep the form",
        ),
    )

"""The paper's three questions answered from rows: tables, tests of significance, box plots, one HTML file.

Every figure is a mean over subjects of the mean over a subject's runs, so that a subject counts once however
often it ran. Published figures are restricted to the subjects that the rows are about.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from learn2fix.errors import UsageError
from learn2fix.experiments.by_kind import kind_tables
from learn2fix.experiments.by_learner import learner_tables
from learn2fix.experiments.measures import Series, series_of
from learn2fix.experiments.plots import inline
from learn2fix.experiments.research_questions import accuracy_section, effort_section, repair_section
from learn2fix.experiments.rows import Row
from learn2fix.experiments.tables import Section, Table, figure, percent, table

BASELINE = "published l2f"
"""The published settings that ours are compared with: the paper's own."""


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    about: str
    sections: tuple[Section, ...]

    def text(self) -> str:
        parts = [self.title, self.about, ""]
        for section in self.sections:
            parts += [f"== {section.title} ==", ""]
            parts += [each.text() for each in section.tables]
        return "\n".join(parts)

    def html(self) -> str:
        body = "\n".join(
            f"<section><h2>{html.escape(section.title)}</h2>"
            + "".join(
                f"<figure>{inline(svg, caption)}<figcaption>{html.escape(caption)}</figcaption></figure>"
                for caption, svg in section.plots
            )
            + "".join(each.html() for each in section.tables)
            + "</section>"
            for section in self.sections
        )
        return PAGE.format(title=html.escape(self.title), about=html.escape(self.about), body=body)


def summary(rows: Sequence[Row]) -> Table:
    """The table that `bench` prints at its end."""
    lines = []
    for series in series_of(rows):
        asked = series.questions
        lines.append(
            [
                series.name,
                f"{len(series.subjects)} × {series.runs / max(1, len(series.subjects)):.3g}",
                str(series.failed),
                *(figure(series.mean(name)) for name in ("accuracy", "failing_recall", "balanced")),
                f"{fmean(asked):.1f}/{median(asked):g}" if asked else "–",
                *(percent(series.mean(name)) for name in ("repaired", "correct_of_repaired", "correct")),
                percent(series.mean("golden")),
                figure(series.mean("cpu_seconds"), 1),
            ]
        )
    return table(
        "Summary (means over subjects)",
        [
            "setting",
            "subjects × runs",
            "failed jobs",
            "accuracy",
            "failing recall",
            "balanced",
            "questions mean/median",
            "repaired",
            "of these right",
            "right patch",
            "golden agrees",
            "CPU s",
        ],
        lines,
        "right: the patch offered passes every held-out test; right patch: share of all subjects, "
        "failed jobs counted as no patch",
    )


def make_report(
    rows: Sequence[Row],
    published: Sequence[Series] = (),
    classes: Mapping[str, str] | None = None,
) -> Report:
    if not rows:
        raise UsageError("there are no rows to report on", "run bench first, with --out results.csv")
    ours = series_of(rows)
    subjects = frozenset(row.subject for row in rows)
    theirs = [kept for series in published if (kept := series.only(subjects)).subjects]
    budgets = {series.labels for series in ours}
    baseline = [series for series in theirs if series.kind == BASELINE and series.labels in budgets]
    sections = [
        Section("Overview", (summary(rows),)),
        accuracy_section(ours, theirs, baseline),
        effort_section(ours, theirs, baseline),
        repair_section(ours, theirs, baseline),
    ]
    if by_kind := kind_tables(rows):
        sections.append(Section("By kind of input", by_kind))
    if by_learner := learner_tables(rows):
        sections.append(Section("By learner", by_learner))
    if classes:
        sections.append(class_section(ours, baseline, classes))
    sections.append(Section("Subject by subject", (subject_table(ours, baseline),)))
    runs = sorted({row.run for row in rows})
    about = (
        f"{len(subjects)} subjects, {len(rows)} rows, runs {runs[0]} to {runs[-1]}; "
        "means over subjects of the mean over runs"
        + ("; published figures are of the same subjects" if theirs else "")
    )
    return Report("Learning when a bug shows, and repairing it: results", about, tuple(sections))


def class_section(ours: Sequence[Series], baseline: Sequence[Series], classes: Mapping[str, str]) -> Section:
    """The same figures for each defect class, classes with most subjects first."""
    present = sorted({name for series in ours for name in series.subjects})
    members: dict[str, list[str]] = {}
    for name in present:
        members.setdefault(classes.get(name, "unknown"), []).append(name)
    rows = [
        [
            f"{defect}: {series.name}",
            str(len(kept.subjects)),
            *(figure(kept.mean(name)) for name in ("accuracy", "failing_recall")),
            *(percent(kept.mean(name)) for name in ("repaired", "score", "correct")),
        ]
        for defect, names in sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
        for series in (*ours, *baseline)
        if (kept := series.only(names)).subjects
    ]
    columns = ["class", "subjects", "accuracy", "failing recall", "repairability", "score", "right patch"]
    return Section("By defect class", (table("Figures by defect class", columns, rows),))


def subject_table(ours: Sequence[Series], baseline: Sequence[Series]) -> Table:
    """One line a subject and budget: ours, and what was published for it."""
    found = {(each.kind, each.labels): each for each in (*ours, *baseline) if not each.manual}
    kinds = list(dict.fromkeys(kind for kind, _ in found))
    budgets = sorted({labels for _, labels in found if labels is not None})
    shown = [
        (measure, kind)
        for measure in ("accuracy", "failing_recall", "repaired", "correct")
        for kind in kinds
        if any(series.kind == kind and series.of(measure) for series in found.values())
    ]
    short = {"failing_recall": "recall", "correct": "right"}
    names = sorted({name for series in ours for name in series.subjects})
    rows = []
    for name in names:
        for labels in budgets:
            cells = [
                figure(found[kind, labels].of(measure).get(name) if (kind, labels) in found else None, 2)
                for measure, kind in shown
            ]
            rows.append([f"{name}, {labels} labels", *cells])
    columns = [f"{short.get(measure, measure)} {kind.removeprefix('published ')}" for measure, kind in shown]
    return table("Figures of each subject", ["subject", *columns], rows)


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; color: #111; background: #fff; margin: 2em auto; max-width: 77em; padding: 0 1em; }}
h1 {{ font-size: 1.5em; margin-bottom: .2em; }} h2 {{ margin-top: 2em; border-bottom: 2px solid #111; }}
section {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 1.2em 0 .4em; font-variant-numeric: tabular-nums; font-size: .9em; }}
caption {{ text-align: left; font-weight: 600; padding-bottom: .3em; }}
th, td {{ padding: .2em .7em; text-align: right; border-bottom: 1px solid #ccc; vertical-align: bottom; }}
thead th {{ border-top: 2px solid #111; border-bottom: 1px solid #111; font-weight: 600; }}
td {{ white-space: nowrap; }}
th:first-child {{ text-align: left; font-weight: normal; white-space: nowrap; }} thead th:first-child {{ font-weight: 600; }}
figure {{ margin: 1.2em 0; }} figure img {{ max-width: 100%; height: auto; }}
figcaption, .note {{ color: #444; font-size: .85em; max-width: 60em; margin: .2em 0 1em; }}
@media print {{ body {{ max-width: none; margin: 0; font-size: 10px; }} figure, tr {{ break-inside: avoid; }} section {{ overflow: visible; }} }}
</style></head><body>
<h1>{title}</h1><p>{about}</p>
{body}
</body></html>
"""  # noqa: E501 - a style sheet reads best one rule a line

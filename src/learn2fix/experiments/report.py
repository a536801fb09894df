"""The paper's three questions answered from rows: tables, tests of significance, box plots, one HTML file.

Every figure is a mean over subjects of the mean over a subject's runs, so that a subject counts once however
often it ran. Published figures are restricted to the subjects that the rows are about.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from learn2fix.errors import UsageError
from learn2fix.experiments.by_kind import kind_tables
from learn2fix.experiments.measures import Series, series_of
from learn2fix.experiments.plots import Box, box_plot, inline
from learn2fix.experiments.rows import Row
from learn2fix.experiments.significance import Comparison, paired, unpaired
from learn2fix.experiments.tables import Table, figure, p_value, percent, table

BASELINE = "published l2f"
"""The published settings that ours are compared with: the paper's own."""


@dataclass(frozen=True, slots=True)
class Section:
    """A question with its tables and plots."""

    title: str
    tables: tuple[Table, ...]
    plots: tuple[tuple[str, str], ...] = ()
    """Captions and SVGs."""


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
    title: str = "Learning when a bug shows, and repairing it: results",
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
    if classes:
        sections.append(class_section(ours, baseline, classes))
    sections.append(Section("Subject by subject", (subject_table(ours, baseline),)))
    runs = sorted({row.run for row in rows})
    about = (
        f"{len(subjects)} subjects, {len(rows)} rows, runs {runs[0]} to {runs[-1]}; "
        "means over subjects of the mean over runs"
        + ("; published figures are of the same subjects" if theirs else "")
    )
    return Report(title, about, tuple(sections))


def accuracy_section(ours: Sequence[Series], theirs: Sequence[Series], baseline: Sequence[Series]) -> Section:
    measures = ("accuracy", "failing_recall", "passing_recall", "balanced")
    rows = [
        [
            series.name,
            str(len(series.of("accuracy"))),
            *(figure(series.mean(name)) for name in measures),
            figure(median(series.values("accuracy")) if series.values("accuracy") else None),
        ]
        for series in (*ours, *theirs)
        if series.of("accuracy")
    ]
    tests = comparisons(ours, baseline, ("accuracy", "failing_recall", "balanced"))
    return Section(
        "RQ1: how accurate is the learned oracle?",
        (
            table(
                "RQ1: accuracy by label budget",
                [
                    "setting",
                    "subjects",
                    "accuracy",
                    "failing recall",
                    "passing recall",
                    "balanced",
                    "median acc.",
                ],
                rows,
                "failing recall is the accuracy given that the test fails, passing recall that it passes",
            ),
            comparison_table("RQ1: is the difference more than chance?", tests),
        ),
        (
            _plot(
                "Accuracy, also on failing and passing tests alone, by number of labels; a value a subject",
                [
                    (title, boxes((*ours, *baseline), name))
                    for title, name in (
                        ("accuracy", "accuracy"),
                        ("failing recall", "failing_recall"),
                        ("passing recall", "passing_recall"),
                    )
                ],
            ),
        ),
    )


def effort_section(ours: Sequence[Series], theirs: Sequence[Series], baseline: Sequence[Series]) -> Section:
    rows = []
    tests: list[Comparison | None] = []
    for series in (*ours, *theirs):
        if not series.of("labelled_share"):
            continue
        made, asked = series.mean("p_generate_fail"), series.mean("p_label_fail")
        ratio = asked / made if made and asked is not None else None
        rows.append(
            [
                series.name,
                str(len(series.of("labelled_share"))),
                figure(series.mean("generated"), 0),
                percent(series.mean("labelled_share")),
                percent(made),
                percent(asked),
                figure(ratio, 2),
            ]
        )
    for series in (*ours, *baseline):
        label, made_name = f"labelled, {series.name}", f"generated, {series.name}"
        asked_of, made_of = series.of("p_label_fail"), series.of("p_generate_fail")
        tests.append(paired("P(fails)", label, asked_of, made_name, made_of))
        tests.append(unpaired("P(fails)", label, list(asked_of.values()), made_name, list(made_of.values())))
    return Section(
        "RQ2: how much is asked, and are failing tests asked about?",
        (
            table(
                "RQ2: labelling effort",
                [
                    "setting",
                    "subjects",
                    "generated",
                    "share labelled",
                    "P(generated fails)",
                    "P(labelled fails)",
                    "ratio",
                ],
                rows,
            ),
            comparison_table("RQ2: does a labelled test fail more often than a generated one?", tests),
        ),
        (
            _plot(
                "Share of generated tests that are labelled; chance that a generated or labelled test fails",
                [
                    (title, boxes((*ours, *baseline), name))
                    for title, name in (
                        ("share labelled", "labelled_share"),
                        ("P(generated test fails)", "p_generate_fail"),
                        ("P(labelled test fails)", "p_label_fail"),
                    )
                ],
            ),
        ),
    )


def repair_section(ours: Sequence[Series], theirs: Sequence[Series], baseline: Sequence[Series]) -> Section:
    rows = [
        [
            series.name,
            str(len(series.of("repaired"))),
            percent(series.mean("repaired")),
            percent(series.mean("score")),
            percent(series.mean("p_label_fail")),
            percent(series.mean("correct")),
            percent(series.mean("correct_of_repaired")),
            percent(series.mean("golden")),
        ]
        for series in (*ours, *theirs)
        if series.of("repaired")
    ]
    tests = comparisons(ours, baseline, ("repaired", "correct"))
    for series in ours:
        for other in baseline:
            if other.labels == series.labels:
                # Not the same subjects are repaired by both, so the scores are not paired.
                tests.append(
                    unpaired("score", series.name, series.values("score"), other.name, other.values("score"))
                )
    return Section(
        "RQ3: is the program repaired, and is the repair right?",
        (
            table(
                "RQ3: repair",
                [
                    "setting",
                    "subjects",
                    "repairability",
                    "validation score",
                    "failing share",
                    "right patch",
                    "right of repaired",
                    "golden agrees",
                ],
                rows,
                "repairability: runs with a patch; validation score: held-out tests that pass on it; failing "
                "share: labelled tests that fail; right: all held-out tests pass; golden agrees: fresh "
                "fuzzed inputs on which patched and golden program print the same; manual: repaired from the "
                "subject's own tests",
            ),
            comparison_table("RQ3: is the difference more than chance?", tests),
        ),
        (
            _plot(
                "Share of runs repaired, held-out tests that pass on the patch, share of runs repaired right",
                [
                    (title, boxes((*ours, *baseline), name))
                    for title, name in (
                        ("repairability", "repaired"),
                        ("validation score", "score"),
                        ("right patch", "correct"),
                    )
                ],
            ),
        ),
    )


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
    found = {(series.kind, series.labels): series for series in (*ours, *baseline)}
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


def comparisons(
    ours: Sequence[Series], baseline: Sequence[Series], measures: Iterable[str]
) -> list[Comparison | None]:
    """More labels against fewer, one setting against another with the same budget, ours against published."""
    found: list[Comparison | None] = []
    for measure in measures:
        for more, less in _pairs(ours, baseline):
            found.append(paired(measure, more.name, more.of(measure), less.name, less.of(measure)))
            found.append(unpaired(measure, more.name, more.values(measure), less.name, less.values(measure)))
    return found


def _pairs(ours: Sequence[Series], baseline: Sequence[Series]) -> Iterable[tuple[Series, Series]]:
    by_kind: dict[str, list[Series]] = {}
    for series in ours:
        by_kind.setdefault(series.kind, []).append(series)
    for group in by_kind.values():
        ordered = sorted(group, key=lambda series: series.labels or 0)
        for less, more in pairwise(ordered):
            yield more, less
    for i, series in enumerate(ours):
        for other in (*ours[i + 1 :], *baseline):
            if other.labels == series.labels and other.kind != series.kind:
                yield series, other


def comparison_table(title: str, found: Iterable[Comparison | None]) -> Table:
    """One line a question, the paired test and the unpaired one beside each other."""
    lines: dict[tuple[str, str, str], dict[bool, Comparison]] = {}
    for test in found:
        if test is not None:
            lines.setdefault((test.measure, test.more, test.less), {})[test.paired] = test
    rows = []
    for (measure, more, less), tests in lines.items():
        pairs, apart = tests.get(True), tests.get(False)
        one = pairs or apart
        assert one is not None
        rows.append(
            [
                f"{measure.replace('_', ' ')}: {more} > {less}",
                f"{one.difference:+.3f}",
                str(pairs.count[0]) if pairs else "–",
                p_value(pairs.p) if pairs else "–",
                figure(pairs.effect, 2) if pairs else "–",
                f"{apart.count[0]}, {apart.count[1]}" if apart else "–",
                p_value(apart.p) if apart else "–",
                figure(apart.effect, 2) if apart else "–",
            ]
        )
    return table(
        title,
        ["question", "difference", "pairs", "p paired", "r", "n", "p unpaired", "A12"],
        rows,
        "paired: Wilcoxon's signed-rank test over subjects, one-sided; r: matched-pairs rank-biserial "
        "correlation (0 is no effect, 1 all one way). Unpaired: rank-sum test, two-sided; A12: chance that a "
        "value of the first is the larger (0.5 is no effect). p is not corrected for the number of tests.",
    )


def boxes(series: Iterable[Series], measure: str) -> list[Box]:
    return [Box(each.kind, str(each.labels), tuple(each.values(measure))) for each in series]


def _plot(caption: str, panels: Sequence[tuple[str, Sequence[Box]]]) -> tuple[str, str]:
    kinds = list(dict.fromkeys(box.kind for _, each in panels for box in each))
    return caption, box_plot(panels, kinds)


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; color: #111; background: #fff; margin: 2em auto; max-width: 72em; padding: 0 1em; }}
h1 {{ font-size: 1.5em; margin-bottom: .2em; }} h2 {{ margin-top: 2em; border-bottom: 2px solid #111; }}
section {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 1.2em 0 .4em; font-variant-numeric: tabular-nums; font-size: .9em; }}
caption {{ text-align: left; font-weight: 600; padding-bottom: .3em; }}
th, td {{ padding: .2em .7em; text-align: right; border-bottom: 1px solid #ccc; vertical-align: bottom; }}
thead th {{ border-top: 2px solid #111; border-bottom: 1px solid #111; font-weight: 600; }}
th:first-child {{ text-align: left; font-weight: normal; white-space: nowrap; }} thead th:first-child {{ font-weight: 600; }}
figure {{ margin: 1.2em 0; }} figure img {{ max-width: 100%; height: auto; }}
figcaption, .note {{ color: #444; font-size: .85em; max-width: 60em; margin: .2em 0 1em; }}
@media print {{ body {{ max-width: none; margin: 0; font-size: 10px; }} figure, tr {{ break-inside: avoid; }} section {{ overflow: visible; }} }}
</style></head><body>
<h1>{title}</h1><p>{about}</p>
{body}
</body></html>
"""  # noqa: E501 - a style sheet reads best one rule a line

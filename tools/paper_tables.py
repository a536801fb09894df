"""The tables of docs/paper.md and docs/cluster.md, from results/: python tools/paper_tables.py [--write]

The rows are made by `python -m benchmarks triangle 30 results/triangle.csv` and `learn2fix bench subjects`.
The test suite checks that nothing would change.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from learn2fix.experiments.by_learner import learner_tables  # noqa: E402
from learn2fix.experiments.measures import MEASURES, read_published, subject_means  # noqa: E402
from learn2fix.experiments.rows import RepairRow, Row, read_rows  # noqa: E402
from learn2fix.experiments.rules import differences, read_rules, rules_table  # noqa: E402
from learn2fix.experiments.significance import paired  # noqa: E402
from learn2fix.experiments.tables import Table, p_value, table  # noqa: E402

ALL_SUBJECTS, ALL_RUNS, CORES = 552, 30, 8 * 16
"""What the paper has run, and the machines of docs/cluster.md."""
RESULTS = ROOT / "results"
CLOSE = 0.97
"""Accuracy from which on a condition is close to the true one; never a bug is .954."""


def triangle() -> str:
    with (RESULTS / "triangle.csv").open(newline="") as file:
        return triangle_table(list(csv.DictReader(file))).markdown()


def triangle_table(rows: Sequence[dict[str, str]]) -> Table:
    lines = []
    for labels in sorted({int(row["labels"]) for row in rows}):
        of_it = [row for row in rows if int(row["labels"]) == labels]
        accuracy, recall = ([float(row[name]) for row in of_it] for name in ("accuracy", "recall"))
        # Of the best ones the shortest.
        best = min(of_it, key=lambda row: (-float(row["accuracy"]), len(row["condition"]), row["condition"]))
        lines.append(
            [
                str(labels),
                str(len(of_it)),
                f"{fmean(accuracy):.3f} ({min(accuracy):.3f} to {max(accuracy):.3f})",
                f"{fmean(recall):.2f} ({min(recall):.2f} to {max(recall):.2f})",
                f"{sum(value >= CLOSE for value in accuracy)} of {len(of_it)}",
                f"{median(float(row['seconds']) for row in of_it):.0f}",
                f"`{best['condition']}`",
            ]
        )
    return table(
        "Steve's triangle",
        ["labels", "seeds", "accuracy", "failing-recall", "close", "CPU seconds", "the best condition"],
        lines,
    )


def subjects() -> str:
    return rules_table(read_rules(RESULTS / "subjects.csv")).markdown()


def published() -> str:
    """Names of the published list are those of results/published-subjects.txt."""
    names = (RESULTS / "published-subjects.txt").read_text().split()
    return differences(read_rules(RESULTS / "subjects.csv"), frozenset(names)).markdown()


MEASURED = {
    "accuracy": "accuracy",
    "failing-recall": "failing_recall",
    "labelled of generated": "labelled_share",
    "failing of generated": "p_generate_fail",
    "failing of labelled": "p_label_fail",
}
"""Columns that stand beside published figures, and their measures."""


def run() -> str:
    """The paper's strategy and, for the same subjects, what was published."""
    rows, said = read_rows(RESULTS / "paper-run.csv"), read_published(RESULTS / "published-run.csv")
    lines = []
    for strategy, labels in sorted({(row.strategy, row.labels) for row in rows}):
        ours = [row for row in rows if (row.strategy, row.labels) == (strategy, labels)]
        theirs = next(series for series in said if series.name == f"published l2f-{labels}")
        name = f"`--strategy {strategy.replace('+', ' --')}`"
        in_time = [row for row in ours if asked_all(row)]
        for what, kept in ((name, ours), (f"{name}, runs that asked all questions", in_time)):
            same = theirs.only({row.subject for row in kept})
            means = {name: same.of(measure) for name, measure in MEASURED.items()}
            lines.append(_line(what, labels, kept))
            lines.append(_cells("as published, same subjects", labels, same.of("accuracy"), None, means))
    return table("The run", ["", "labels", "subjects", "runs", *MEASURED], lines).markdown()


def asked_all(row: Row) -> bool:
    """Whether the limit of time left room for all questions, as in every run that was published."""
    return row.questions >= row.labels - ("as-run" not in row.strategy)


def _line(what: str, labels: int, rows: Sequence[Row]) -> list[str]:
    means = {name: subject_means(rows, MEASURES[measure]) for name, measure in MEASURED.items()}
    return _cells(what, labels, {row.subject: 1.0 for row in rows}, len(rows), means)


def _cells(
    what: str,
    labels: int,
    subjects: Mapping[str, float],
    runs: int | None,
    means: Mapping[str, Mapping[str, float]],
) -> list[str]:
    figures = [f"{fmean(of_it.values()):.3f}" if of_it else "–" for of_it in means.values()]
    return [what, str(labels), str(len(subjects)), "" if runs is None else str(runs), *figures]


COMPARED = {
    "accuracy": "accuracy",
    "failing-recall": "failing_recall",
    "a patch is offered": "repaired",
    "it passes all held-out tests": "correct",
}


def guided() -> str:
    """Our strategy against every published setting, paired by subject, one-sided."""
    rows, said = read_rows(RESULTS / "guided-run.csv"), read_published(RESULTS / "published-run.csv")
    ours = {name: subject_means(rows, MEASURES[measure]) for name, measure in COMPARED.items()}
    lines = [
        ["guided, 10 labels", str(len(ours["accuracy"])), *(f"{_mean(ours[name])}" for name in COMPARED)]
    ]
    for series in sorted(said, key=lambda series: series.name):
        cells = []
        for name, measure in COMPARED.items():
            test = paired(name, "guided", ours[name], series.name, series.of(measure))
            cells.append("" if test is None else f"{_mean(series.of(measure))} (p {p_value(test.p)})")
        lines.append([series.name, str(len(series.subjects)), *cells])
    return table("Guided", ["", "subjects", *COMPARED], lines).markdown()


def _mean(values: Mapping[str, float]) -> str:
    return f"{fmean(values.values()):.3f}" if values else "–"


def repaired() -> str:
    """GenProg's edits on the subjects' own tests and on learned ones, beside the published figures."""
    said = read_published(RESULTS / "published-run.csv")
    learned = [row for row in read_rows(RESULTS / "paper-run.csv") if row.strategy == "paper"]
    ours: dict[str, list[Row]] = {"manual": list(read_rows(RESULTS / "repair-genprog.csv", RepairRow))}
    ours |= {f"{n} labels": [row for row in learned if row.labels == n] for n in (10, 20, 30)}
    lines = []
    for tests, rows in ours.items():
        labels = tests.partition(" ")[0]
        name = "published l2f-10 manual" if tests == "manual" else f"published l2f-{labels}"
        theirs = next(series for series in said if series.name == name)
        names = {row.subject for row in rows}
        for who, of in (
            ("ours", {m: subject_means(rows, MEASURES[m]) for m in PATCHES}),
            ("as published", {m: theirs.only(names).of(m) for m in PATCHES}),
        ):
            failing = list(of["still_failing"].values())
            spread = [f"{fmean(failing):.3f}", f"{median(failing):.3f}"] if failing else ["–", "–"]
            lines.append([tests, who, str(len(names)), _mean(of["repaired"]), *spread, _mean(of["correct"])])
    head = ["tests", "", "subjects", "repairability", "held-out tests that fail on the patch, mean", "median"]
    return table("Repair", [*head, "the patch passes all held-out tests"], lines).markdown()


PATCHES = ("repaired", "still_failing", "correct")


def learners() -> str:
    return learner_tables(read_rows(RESULTS / "learners.csv"))[0].markdown()


def cost() -> str:
    """CPU time of a job with all its budgets, and of as many as the paper has run."""
    guided = read_rows(RESULTS / "guided-run.csv")
    paper = [row for row in read_rows(RESULTS / "paper-run.csv") if row.strategy == "paper"]
    lines = []
    for name, rows in (("`guided`, 10 labels", guided), ("`paper`, 10, 20, 30 labels", paper)):
        seconds = [row.cpu_seconds for row in rows if row.labels == max(each.labels for each in rows)]
        hours = fmean(seconds) * ALL_SUBJECTS * ALL_RUNS / 3600
        middle = f"{fmean(seconds):.1f} ({median(seconds):.1f})"
        lines.append([name, str(len(seconds)), middle, f"{hours:.0f}", f"{hours / CORES:.1f}"])
    head = ["", "jobs measured", "CPU seconds a job, mean (median)", "16,560 jobs, core hours"]
    return table("Cost", [*head, "on 8 machines with 16 cores each, hours"], lines).markdown()


TABLES: dict[str, Callable[[], str]] = {
    "triangle": triangle,
    "subjects": subjects,
    "published subjects": published,
    "run": run,
    "repair": repaired,
    "guided": guided,
}


DOCUMENTS: dict[str, dict[str, Callable[[], str]]] = {
    "docs/paper.md": TABLES,
    "docs/cluster.md": {"cost": cost},
}


def updated(text: str, tables: Mapping[str, Callable[[], str]] = TABLES) -> str:
    """A document with its tables as the rows are now."""
    for name, made in tables.items():
        begin, end = f"<!-- {name}: made by tools/paper_tables.py -->\n", f"<!-- end of {name} -->\n"
        head, found, rest = text.partition(begin)
        assert found, f"there is no place for {name}"
        text = head + begin + "\n" + made() + "\n" + end + rest.partition(end)[2]
    return text


def main() -> None:
    for name, tables in DOCUMENTS.items():
        text = updated((ROOT / name).read_text("utf-8"), tables)
        if "--write" in sys.argv:
            (ROOT / name).write_text(text, "utf-8")
        else:
            print(text, end="")


if __name__ == "__main__":
    main()

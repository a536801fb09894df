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

from learn2fix.experiments.measures import MEASURES, read_published, subject_means  # noqa: E402
from learn2fix.experiments.rows import read_rows  # noqa: E402
from learn2fix.experiments.rules import differences, read_rules, rules_table  # noqa: E402
from learn2fix.experiments.tables import Table, table  # noqa: E402

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
        names = {row.subject for row in ours}
        means = {name: subject_means(ours, MEASURES[measure]) for name, measure in MEASURED.items()}
        theirs = next(series for series in said if series.name == f"published l2f-{labels}")
        lines.append(_line(f"`--strategy {strategy.replace('+', ' --')}`", labels, means))
        published = {
            name: {subject: value for subject, value in theirs.of(measure).items() if subject in names}
            for name, measure in MEASURED.items()
        }
        lines.append(_line("as published, same subjects", labels, published))
    return table("The run", ["", "labels", "subjects", *MEASURED], lines).markdown()


def _line(what: str, labels: int, means: Mapping[str, Mapping[str, float]]) -> list[str]:
    figures = [f"{fmean(of_it.values()):.3f}" if of_it else "–" for of_it in means.values()]
    return [what, str(labels), str(max(map(len, means.values()))), *figures]


def cost() -> str:
    """CPU time of a job at ten labels, and of as many as the paper has run."""
    guided = read_rows(RESULTS / "fresh-3.csv")
    paper = [row for row in read_rows(RESULTS / "paper-run.csv") if row.strategy == "paper"]
    lines = []
    for name, rows in (("`guided`, repair included", guided), ("`paper --learn-only`", paper)):
        seconds = [row.cpu_seconds for row in rows if row.labels == 10]
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

"""The tables of docs/paper.md, from the rows in results/: python tools/paper_tables.py [--write]

The rows are made by `python -m benchmarks triangle 30 results/triangle.csv` and `learn2fix bench subjects`.
The test suite checks that nothing would change.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, median

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from learn2fix.experiments.rules import differences, read_rules, rules_table  # noqa: E402
from learn2fix.experiments.tables import Table, table  # noqa: E402

DOCUMENT = ROOT / "docs/paper.md"
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


TABLES: dict[str, Callable[[], str]] = {
    "triangle": triangle,
    "subjects": subjects,
    "published subjects": published,
}


def updated(text: str) -> str:
    """The document with the tables as the rows are now."""
    for name, made in TABLES.items():
        begin, end = f"<!-- {name}: made by tools/paper_tables.py -->\n", f"<!-- end of {name} -->\n"
        head, found, rest = text.partition(begin)
        assert found, f"{DOCUMENT} has no place for {name}"
        text = head + begin + "\n" + made() + "\n" + end + rest.partition(end)[2]
    return text


def main() -> None:
    text = updated(DOCUMENT.read_text("utf-8"))
    if "--write" in sys.argv:
        DOCUMENT.write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()

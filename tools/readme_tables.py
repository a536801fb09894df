"""Recomputes the figures in README.md and results/README.md from results/*.csv, and writes them in place.

A row of a table is recognised by its first cells, and its other cells by the header of their column; rows of
published figures are left alone. The test suite checks that nothing would change.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import cast

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from benchmarks import projects, sizes  # noqa: E402

from learn2fix.experiments.calibration import calibration_error  # noqa: E402
from learn2fix.experiments.measures import MEASURES, subject_means  # noqa: E402
from learn2fix.experiments.rows import KindRow, RepairRow, Row, SeededRow, read_rows  # noqa: E402
from learn2fix.experiments.seeded import UNSEEDED  # noqa: E402
from learn2fix.experiments.tables import table  # noqa: E402

DOCUMENTS = ("README.md", "results/README.md")

Cell = Callable[[Sequence[Row]], str]


def mean(measure: str) -> Cell:
    def cell(rows: Sequence[Row]) -> str:
        values = subject_means(rows, MEASURES[measure]).values()
        return figure(fmean(values)) if values else "–"

    return cell


def figure(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def of_all(counted: Callable[[Row], object]) -> Cell:
    return lambda rows: f"{sum(bool(counted(row)) for row in rows)} of {len(rows)}"


def median_and_mean(value: Callable[[Row], float], digits: int) -> Cell:
    def cell(rows: Sequence[Row]) -> str:
        values = [value(row) for row in rows]
        middle = f"{median(values):.{digits}f}" if digits else f"{median(values):g}"
        return f"{middle} ({fmean(values):.1f})"

    return cell


def repair(value: Callable[[RepairRow], object]) -> Cell:
    return of_all(lambda row: value(cast(RepairRow, row)))


def kind(value: Callable[[KindRow], object]) -> Cell:
    return of_all(lambda row: value(cast(KindRow, row)))


def seeded(value: Callable[[SeededRow], object]) -> Cell:
    return lambda rows: str(sum(bool(value(cast(SeededRow, row))) for row in rows))


def claimed(rows: Sequence[Row]) -> str:
    offered = [row for row in cast(Sequence[SeededRow], rows) if row.signals]
    error = calibration_error([row.confidence for row in offered], [bool(row.right) for row in offered])
    return figure(error or 0.0)


COLUMNS: dict[str, Cell] = {
    "seeded bugs": lambda rows: str(len(rows)),
    "called the repair": seeded(lambda row: row.repaired),
    "rightly": seeded(lambda row: row.repaired and row.right),
    "undecided": seeded(lambda row: row.status == "undecided"),
    "with the right one first": seeded(lambda row: row.status == "undecided" and row.right),
    "no patch": seeded(lambda row: row.status in ("no_patch", "stopped")),
    "calibration error": claimed,
    "accuracy": mean("accuracy"),
    "failing-recall": mean("failing_recall"),
    "balanced accuracy": mean("balanced"),
    "a patch is offered": of_all(lambda row: row.repaired),
    "it passes all held-out tests": of_all(MEASURES["correct"]),
    "agreement with golden": mean("golden"),
    "questions (median)": lambda rows: f"{median(row.questions for row in rows):g}",
    "questions, median (mean)": median_and_mean(lambda row: row.questions, 0),
    "CPU seconds, median (mean)": median_and_mean(lambda row: row.cpu_seconds, 1),
    "a patch passes all training tests": repair(lambda row: row.repaired),
    "the first patch passes all held-out tests": repair(lambda row: row.first_right),
    "some plausible patch does": repair(lambda row: row.right),
    "right": kind(lambda row: row.repaired and row.heldout_as_golden == row.heldout_answered),
    "right on fresh inputs too": kind(
        lambda row: (
            row.repaired
            and row.heldout_as_golden == row.heldout_answered
            and row.golden_agree == row.golden_total
        )
    ),
    "form proved": kind(lambda row: row.form == "proved"),
    "questions in form": lambda rows: (
        f"{sum(cast(KindRow, row).in_form for row in rows)} of {sum(row.questions for row in rows)}"
    ),
    "subjects": lambda rows: str(len({row.subject for row in rows})),
    "10 answers": lambda rows: accuracy_and_recall(rows, 10),
    "30 answers": lambda rows: accuracy_and_recall(rows, 30),
    "programs": lambda rows: str(len(rows)),
    "repaired right": lambda rows: str(
        sum(row.repaired and row.golden_agree == row.golden_total for row in rows)
    ),
    "answers (mean, most)": lambda rows: (
        f"{fmean(row.questions for row in rows):.1f}, {max(row.questions for row in rows)}"
    ),
    "CPU seconds (median)": lambda rows: f"{median(row.cpu_seconds for row in rows):.1f}",
}
"""Header of a column → what its cells say about the rows of an experiment."""


def accuracy_and_recall(rows: Sequence[Row], labels: int) -> str:
    kept = [row for row in rows if row.labels == labels]
    return f"{mean('accuracy')(kept)}/{mean('failing_recall')(kept)}"


def rows_of(name: str, labels: int | None = None) -> list[Row]:
    kinds = {"repair": RepairRow, "kinds": KindRow, "seeded": SeededRow}
    row_type = next((each for start, each in kinds.items() if name.startswith(start)), Row)
    found = [row for row in read_rows(ROOT / "results" / name, row_type) if row.status != UNSEEDED]
    return [row for row in found if labels is None or row.labels == labels]


def experiments() -> dict[tuple[str, ...], list[Row]]:
    """The first cells of a row → the rows of the experiment that it is about."""
    paper = "first sample, `--strategy paper --learner smt`"
    found = {
        ("learn2fix, 40 fresh subjects", "≤ 10"): rows_of("fresh.csv"),
        ("learn2fix, first sample", "≤ 10"): rows_of("guided.csv"),
        ("the same, verdicts only", "≤ 10"): rows_of("verdict.csv"),
        ("the same, verdicts only", "10"): rows_of("paper-verdict.csv"),
        ("learn2fix",): rows_of("repair-dev-sample.csv"),
        ("learn2fix, `--learner tree` (accuracy / failing-recall)",): rows_of("tree-dev-sample.csv"),
    }
    found |= {(paper, str(labels)): rows_of("paper.csv", labels) for labels in (10, 20, 30)}
    kinds = rows_of("kinds.csv")
    found["every kind",] = kinds
    for row in kinds:
        found.setdefault((cast(KindRow, row).kind,), []).append(row)
    bugs = rows_of("seeded.csv")
    found["seeded, both languages",] = bugs
    for language in ("c", "python"):
        found[f"seeded, {language}",] = [row for row in bugs if cast(KindRow, row).kind == language]
    zoo = rows_of("python-zoo.csv")
    found["all",] = zoo
    for row in zoo:
        about = tomllib.loads((ROOT / "tests/zoo" / row.subject / "subject.toml").read_text())
        found.setdefault((about["family"],), []).append(row)
    return found


LOOKED_AT = "the same, looked at"
SAMPLES = {
    "first 12 a kind, before": "every-kind-1-before.csv",
    LOOKED_AT: "every-kind-1.csv",
    "second 12 a kind": "every-kind-2.csv",
    "third 12 a kind": "every-kind-3.csv",
    "fourth 12 a kind": "every-kind-4.csv",
    "fifth": "every-kind-5.csv",
    "sixth, 8 a kind": "every-kind-6.csv",
    "seventh, 8 a kind": "every-kind-7.csv",
    "eighth": "every-kind-8.csv",
    "ninth, 9 a kind": "every-kind-9.csv",
}
"""Programs of every kind, in the order in which they were run."""
LAST = ("eighth", "ninth, 9 a kind")


def sampled(names: Iterable[str]) -> list[KindRow]:
    return [row for name in names for row in read_rows(ROOT / "results" / SAMPLES[name], KindRow)]


def first_right(row: KindRow) -> bool:
    """Whether the first patch answers as the golden program, called the repair or not."""
    return 0 < row.heldout_as_golden == row.heldout_answered


def share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})".replace("%", " %")


def about_sample(name: str, rows: Sequence[KindRow]) -> list[str]:
    called = [row for row in rows if row.status == "repaired"]
    right = sum(map(first_right, called))
    claims = [row for row in rows if row.signals]
    error = calibration_error([row.confidence for row in claims], [first_right(row) for row in claims])
    return [
        name,
        str(len(rows)),
        str(len(called)),
        share(right, len(called)),
        share(right, len(rows)),
        share(sum(map(first_right, rows)), len(rows)),
        str(sum(row.status not in ("repaired", "undecided") for row in rows)),
        f"{median(row.questions for row in rows):g}",
        figure(error or 0.0),
        str(sum(row.form == "proved" for row in rows)),
        median_and_mean(lambda row: row.cpu_seconds, 1)(rows),
    ]


SAMPLE_HEAD = [
    "", "subjects", "called", "of these rightly", "of all", "first patch right, called or not",
    "none", "questions", "claims off by", "forms proved", "CPU seconds, median (mean)",
]  # fmt: skip


def sample_table(lines: Sequence[list[str]], columns: Sequence[int]) -> str:
    head, *rows = ([line[place] for place in columns] for line in (SAMPLE_HEAD, *lines))
    return table("", head, rows).markdown()


def new_ones() -> list[list[str]]:
    """All samples that were new to the tool, and the last two."""
    return [
        about_sample("all that were new", sampled(name for name in SAMPLES if name != LOOKED_AT)),
        about_sample("the last two", sampled(LAST)),
    ]


def samples() -> str:
    lines = [about_sample(name, sampled([name])) for name in SAMPLES]
    kinds = sorted({row.kind for row in sampled(LAST)})
    by_kind = [
        about_sample(f"{kind}, the last two", [row for row in sampled(LAST) if row.kind == kind])
        for kind in kinds
    ]
    return sample_table([*lines, *new_ones(), *by_kind], range(len(SAMPLE_HEAD)))


def samples_in_short() -> str:
    return sample_table(new_ones(), (0, 1, 2, 3, 4, 5, 7))


TABLES: dict[str, Callable[[], str]] = {
    "projects": projects.table,
    "sizes": sizes.table,
    "samples": samples,
    "samples in short": samples_in_short,
}
"""Name of a table that is made whole → its text."""


def whole(text: str) -> str:
    """The document with the tables that stand between two marks."""
    for name, made in TABLES.items():
        begin, end = f"<!-- {name}: made by tools/readme_tables.py -->\n", f"<!-- end of {name} -->\n"
        head, found, rest = text.partition(begin)
        if found:
            text = f"{head}{begin}\n{made()}\n{end}{rest.partition(end)[2]}"
    return text


SENTENCE = re.compile(
    r"(a patch\s+for )\d+(; the first one passes all held-out tests for )\d+(, some plausible one for )\d+"
)


def updated(text: str) -> str:
    """The document with every figure that the results know."""
    known = experiments()
    header: list[str] = []
    lines = whole(text).split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not header:
            header = cells
        rows = known.get(tuple(cells[:2])) or known.get((cells[0],))
        if rows is not None:
            pairs = zip(header, cells, strict=True)
            cells = [COLUMNS[name](rows) if name in COLUMNS else cell for name, cell in pairs]
            lines[number] = f"| {' | '.join(cells)} |"
    return SENTENCE.sub(in_sentence, "\n".join(lines))


def in_sentence(match: re.Match[str]) -> str:
    """Repair alone, in words."""
    rows = cast(Sequence[RepairRow], rows_of("repair-dev-sample.csv"))
    offered, first, some = (
        sum(bool(value) for value in values)
        for values in zip(*((row.repaired, row.first_right, row.right) for row in rows), strict=True)
    )
    return f"{match[1]}{offered}{match[2]}{first}{match[3]}{some}"


def main() -> None:
    for name in DOCUMENTS:
        path = ROOT / name
        path.write_text(updated(path.read_text()))


if __name__ == "__main__":
    main()

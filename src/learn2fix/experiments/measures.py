"""Measures of rows, and their means by subject."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median

from learn2fix.errors import UsageError
from learn2fix.experiments.rows import KindRow, RepairRow, Row

Measure = Callable[[Row], float | None]
"""None where a row says nothing about it: a fraction of nothing is not 0."""
LEARNED = "learned"
"""The status of a run that was to repair nothing."""


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def passing_recall(row: Row) -> float | None:
    return share(row.val_correct - row.val_failing_correct, row.val_total - row.val_failing)


def failing_recall(row: Row) -> float | None:
    return share(row.val_failing_correct, row.val_failing)


def balanced(row: Row) -> float | None:
    both = passing_recall(row), failing_recall(row)
    return None if None in both else fmean(each for each in both if each is not None)


def correct(row: Row) -> float:
    """A patch was offered and passes every held-out test. A job that failed offered none."""
    passed, total = heldout(row)
    return float(bool(row.repaired) and 0 < passed == total)


def heldout(row: Row) -> tuple[int, int]:
    """Held-out tests that the patch passes, and their number.

    Where subjects of every kind take part, a test passes when the patched program prints what the golden
    program prints; tests to which that has no answer do not count.
    """
    if isinstance(row, KindRow):
        return row.heldout_as_golden, row.heldout_answered
    return row.heldout_passed, row.heldout_total


def still_failing(row: Row) -> float | None:
    """Share of the held-out tests that fail on the patch."""
    passed = share(*heldout(row)) if row.repaired else None
    return None if passed is None else 1 - passed


def unless_manual(value: Measure) -> Measure:
    """What nothing can be said of where a program was repaired from tests that exist, or the job failed."""
    return lambda row: None if row.failed or isinstance(row, RepairRow) else value(row)


def where_repaired(value: Measure) -> Measure:
    """What nothing can be said of where repair was not asked for: such a run has not failed to repair."""
    return lambda row: None if row.status == LEARNED else value(row)


def agrees(row: Row) -> float:
    """A right patch that also prints what the golden program prints on every fresh input."""
    return float(bool(correct(row)) and row.golden_agree == row.golden_total)


MEASURES: dict[str, Measure] = {
    "accuracy": lambda row: share(row.val_correct, row.val_total),
    "failing_recall": failing_recall,
    "passing_recall": passing_recall,
    "balanced": balanced,
    "validation_failing": lambda row: float(row.val_failing) if row.val_total else None,
    "validation_passing": lambda row: float(row.val_total - row.val_failing) if row.val_total else None,
    "generated": unless_manual(lambda row: float(row.generated)),
    "labelled_share": lambda row: share(row.labelled, row.generated),
    "failing_labelled_share": lambda row: share(row.labelled_failing, row.generated_failing),
    "p_generate_fail": lambda row: share(row.generated_failing, row.generated),
    "p_label_fail": lambda row: share(row.labelled_failing, row.labelled),
    "repaired": where_repaired(lambda row: float(row.repaired)),
    "score": lambda row: share(*heldout(row)) if row.repaired else None,
    "still_failing": still_failing,
    "correct": where_repaired(correct),
    "agrees": where_repaired(agrees),
    "correct_of_repaired": lambda row: correct(row) if row.repaired else None,
    "golden": lambda row: share(row.golden_agree, row.golden_total) if row.repaired else None,
    "training_tests": lambda row: float(row.labels) if isinstance(row, RepairRow) else None,
    "questions": unless_manual(lambda row: float(row.questions)),
    "cpu_seconds": lambda row: row.cpu_seconds,
    "form_proved": lambda row: (
        float(row.form == "proved") if isinstance(row, KindRow) and not row.failed else None
    ),
    "in_form": lambda row: share(row.in_form, row.questions) if isinstance(row, KindRow) else None,
}

PUBLISHED = {
    "accuracy": "accuracy",
    "failing_recall": "failing_recall",
    "passing_recall": "passing_recall",
    "labelled_share": "labelled_share",
    "p_generate_fail": "p_generate_fail",
    "p_label_fail": "p_label_fail",
    "auto_repair": "repaired",
    "auto_score": "score",
    "auto_correct": "correct",
}
"""Columns of a file of published figures → measures."""
MANUAL = {"manual_repair": "repaired", "manual_score": "score", "manual_correct": "correct"}
"""Published repair from the subject's own tests instead of the labelled ones."""


REPAIRERS = ("edits", "genprog", "genetic", "synthesis")
DEFAULT_REPAIRERS = {"paper": "genprog"}
"""Who repairs where the strategy's name does not say; our own search otherwise."""


@dataclass(frozen=True)
class Series:
    """The figures of one setting: by measure, each subject's mean over its runs."""

    name: str
    labels: int | None
    """None where nobody was asked."""
    kind: str
    """The setting without its budget: `guided`, `paper tree`, `published l2f`."""
    published: bool = False
    figures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    runs: int = 0
    failed: int = 0
    questions: tuple[int, ...] = ()
    repairer: str = ""
    manual: bool = False
    """Repaired from the subject's own training tests."""

    @property
    def tests(self) -> str:
        """What a program was repaired from, as in the paper's figures."""
        return "manual" if self.manual else str(self.labels)

    @property
    def subjects(self) -> frozenset[str]:
        return frozenset(self.figures.get("accuracy", {})) | frozenset(self.figures.get("repaired", {}))

    def of(self, measure: str) -> Mapping[str, float]:
        return self.figures.get(measure, {})

    def values(self, measure: str) -> list[float]:
        return list(self.of(measure).values())

    def mean(self, measure: str) -> float | None:
        """The mean over subjects, each counted once however often it ran."""
        values = self.values(measure)
        return fmean(values) if values else None

    def share_of_subjects(self, measure: str) -> float | None:
        """The share of the subjects with more than nothing of it: those repaired in a run at least, say."""
        values = self.values(measure)
        return fmean(value > 0 for value in values) if values else None

    def median(self, measure: str) -> float | None:
        values = self.values(measure)
        return median(values) if values else None

    def only(self, subjects: Iterable[str]) -> Series:
        kept = frozenset(subjects)
        figures = {
            measure: {name: value for name, value in found.items() if name in kept}
            for measure, found in self.figures.items()
        }
        return replace(self, figures=figures)


def subject_means(rows: Iterable[Row], measure: Measure) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for row in rows:
        value = measure(row)
        if value is not None:
            found.setdefault(row.subject, []).append(value)
    return {name: fmean(values) for name, values in sorted(found.items())}


def series_of(rows: Sequence[Row]) -> list[Series]:
    """One series for each setting and budget, in order; repairs from manual tests are one a setting."""
    groups: dict[tuple[str, str, str, int], list[Row]] = {}
    for row in rows:
        manual = isinstance(row, RepairRow)
        groups.setdefault((row.strategy, row.learner, row.feedback, -1 if manual else row.labels), []).append(
            row
        )
    settings = sorted({key[:3] for key in groups})
    found = []
    for key in sorted(groups):
        kind, manual = _setting_name(key[:3], settings), key[3] < 0
        found.append(
            Series(
                f"{kind}, {'manual tests' if manual else f'{key[3]} labels'}",
                None if manual else key[3],
                kind,
                figures={name: subject_means(groups[key], measure) for name, measure in MEASURES.items()},
                runs=len(groups[key]),
                failed=sum(row.failed for row in groups[key]),
                questions=() if manual else tuple(row.questions for row in groups[key] if not row.failed),
                repairer=_repairer(key[0]),
                manual=manual,
            )
        )
    return found


def _repairer(strategy: str) -> str:
    first, *parts = strategy.split("+")
    named = next((part for part in parts if part in REPAIRERS), None)
    return named or DEFAULT_REPAIRERS.get(first, "learn2fix")


def manual_of(series: Series, among: Iterable[Series]) -> Series | None:
    """The same repair tool given the subjects' own tests; of several, that of the same budget."""
    found = [
        other
        for other in among
        if other.manual
        and other.published == series.published
        and (other.kind == f"{series.kind} manual" if series.published else other.repairer == series.repairer)
    ]
    return min(found, key=lambda other: other.labels != series.labels, default=None)


def _setting_name(setting: tuple[str, str, str], settings: Sequence[tuple[str, str, str]]) -> str:
    """The shortest name that tells the settings apart."""
    strategy, learner, feedback = setting
    alike = [other for other in settings if other[0] == strategy]
    words = [strategy]
    if len({other[1] for other in alike}) > 1:
        words.append(learner)
    if len({other[2] for other in settings}) > 1:
        words.append(feedback)
    return " ".join(words)


def read_published(path: Path) -> list[Series]:
    """The settings of a file with the columns setting, subject and figures; empty cells are not known."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from None
    if not lines or not {"setting", "subject"} <= set(lines[0]):
        raise UsageError(f"{path} holds no published figures", "its columns begin with setting,subject,runs")
    figures: dict[str, dict[str, dict[str, float]]] = {}
    runs: dict[str, int] = {}
    for number, line in enumerate(lines, 2):
        for columns, suffix in ((PUBLISHED, ""), (MANUAL, " manual")):
            for column, measure in columns.items():
                cell = line.get(column)
                if not cell:
                    continue
                name = line["setting"] + suffix
                try:
                    value = float(cell)
                except ValueError:
                    raise UsageError(f"{path}, line {number}: {column} is {cell!r}, not a number") from None
                figures.setdefault(name, {}).setdefault(measure, {})[line["subject"]] = value
        runs[line["setting"]] = runs.get(line["setting"], 0) + _count(line.get("runs"))
    found = []
    for name, measured in figures.items():
        whole = dict(measured)
        whole |= {name: made for name, made in _derived(measured).items() if made}
        setting, _, manual = name.partition(" ")
        head, _, tail = setting.rpartition("-")
        labels = int(tail) if tail.isdigit() and head else None
        kind = f"published {head if labels is not None else setting}" + (f" {manual}" if manual else "")
        count = runs.get(setting, 0)
        found.append(Series(f"published {name}", labels, kind, True, whole, count, manual=bool(manual)))
    return found


def _derived(measured: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Measures that can be derived from published ones."""
    failing, passing = measured.get("failing_recall", {}), measured.get("passing_recall", {})
    offered, right = measured.get("repaired", {}), measured.get("correct", {})
    asked, failing_asked = measured.get("labelled_share", {}), measured.get("p_label_fail", {})
    made = measured.get("p_generate_fail", {})
    return {
        "still_failing": {name: 1 - value for name, value in measured.get("score", {}).items()},
        # A ratio of means over runs for the mean of ratios, which was not published.
        "failing_labelled_share": {
            name: min(1.0, asked[name] * failing_asked[name] / chance)
            for name, chance in made.items()
            if chance and name in asked and name in failing_asked
        },
        "balanced": {name: (value + passing[name]) / 2 for name, value in failing.items() if name in passing},
        "correct_of_repaired": {
            name: right[name] / share for name, share in offered.items() if share and name in right
        },
    }


def _count(cell: str | None) -> int:
    return int(cell) if cell and cell.isdigit() else 0


def read_classes(path: Path) -> dict[str, str]:
    """Subject to defect class: `subject,class`, or Codeflaws' own list with tabs (its first two columns)."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from None
    pairs = (line.replace("\t", ",").split(",") for line in lines if line.strip())
    classes = {cells[0].strip(): cells[1].strip() for cells in pairs if len(cells) >= 2}
    classes.pop("subject", None)
    if not classes:
        raise UsageError(f"{path} holds no defect classes", "write lines like 1-A-bug-1-2,ORRN")
    return classes

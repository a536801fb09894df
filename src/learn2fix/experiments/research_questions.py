"""RQ1 to RQ3 of the paper: how good the oracle is, what it takes of a person, how good the patches are.

Each with the paper's table, its figure (3 to 5) and tests of significance. What was published for the same
subjects stands beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median

from learn2fix.experiments.measures import Series, manual_of
from learn2fix.experiments.paper_tests import paper_tests
from learn2fix.experiments.plots import Box, Panel, Scale, drawing_of
from learn2fix.experiments.significance import Comparison, paired, unpaired
from learn2fix.experiments.tables import Section, Table, figure, p_value, percent, table

PRINTED = (
    ("manual", 0.024, 0.149),
    ("10", 0.016, 0.138),
    ("20", 0.0, 0.101),
    ("30", 0.0, 0.103),
)
"""Figure 6 of the paper: tests, then the share of held-out tests that fail on the patch, median and mean."""


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
            paper_tests("RQ1", ours, theirs),
            comparison_table("RQ1: is the difference more than chance?", tests),
        ),
        (
            (
                "Figure 3: accuracy, also on failing tests alone; how many tests there are",
                drawing_of(
                    [
                        Panel("(a) accuracy", boxes((*ours, *baseline), "accuracy")),
                        Panel("conditional accuracy", boxes((*ours, *baseline), "failing_recall")),
                        _counts("(b) passing tests", ours, "validation_passing"),
                        _counts("failing tests", ours, "validation_failing"),
                    ]
                ),
            ),
        ),
    )


def effort_section(ours: Sequence[Series], theirs: Sequence[Series], baseline: Sequence[Series]) -> Section:
    rows = []
    tests: list[Comparison | None] = []
    for series in (*ours, *theirs):
        if not series.of("labelled_share"):
            continue
        ratios = times_more(series)
        rows.append(
            [
                series.name,
                str(len(series.of("labelled_share"))),
                figure(series.mean("generated"), 0),
                *(percent(series.median(name)) for name in EFFORT),
                *(percent(series.mean(name)) for name in ("p_generate_fail", "p_label_fail")),
                figure(median(ratios) if ratios else None, 1),
                figure(fmean(ratios) if ratios else None, 1),
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
                    "of these labelled",
                    "failing ones labelled",
                    "P(generated fails)",
                    "P(labelled fails)",
                    "P(generated fails), mean",
                    "P(labelled fails), mean",
                    "times more, median",
                    "times more, mean",
                ],
                rows,
                "medians over subjects, but for what is called a mean; times more: how much more often a "
                "labelled test fails than a generated one, where a generated one fails at all. Published "
                "shares of failing tests that are labelled are derived from the other three",
            ),
            paper_tests("RQ2", ours, theirs),
            comparison_table("RQ2: does a labelled test fail more often than a generated one?", tests),
        ),
        (
            (
                "Figure 4: share of generated and of failing tests that are labelled; chance that a "
                "generated or labelled test fails",
                drawing_of(
                    [
                        Panel(title, boxes((*ours, *baseline), name))
                        for title, name in zip(
                            ("(a) generated labelled", "failing labelled", "(b) P(generate)", "P(label)"),
                            EFFORT,
                            strict=True,
                        )
                    ]
                ),
            ),
        ),
    )


EFFORT = ("labelled_share", "failing_labelled_share", "p_generate_fail", "p_label_fail")


def times_more(series: Series) -> list[float]:
    """For each subject, how much more often a labelled test fails than a generated one."""
    made = series.of("p_generate_fail")
    return [asked / made[name] for name, asked in series.of("p_label_fail").items() if made.get(name)]


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
        for series in with_manual((*ours, *theirs))
    ]
    ordered = with_manual((*ours, *(series for series in theirs if series in baseline or series.manual)))
    bars = tuple(
        Box(_box_name(series), series.tests, (share,))
        for series in ordered
        if (share := series.share_of_subjects("repaired")) is not None
    )
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
            patch_table(ours, theirs),
            paper_tests("RQ3", ours, theirs),
            table(
                "RQ3: repair, run by run",
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
            (
                "Figure 5: subjects repaired in a run at least; training tests that come with a subject; "
                "share of held-out tests that pass on the patch",
                drawing_of(
                    [
                        Panel("repairability", bars, Scale.BAR, "tests"),
                        _counts("manual tests", ours, "training_tests"),
                        Panel("validation score", boxes(ordered, "score"), below="tests"),
                    ]
                ),
            ),
        ),
    )


def patch_table(ours: Sequence[Series], theirs: Sequence[Series]) -> Table:
    """RQ3 as in the paper: manual tests against learned ones, for each repair tool."""
    rows = [
        [
            _patch_name(series),
            series.tests,
            str(len(series.of("repaired"))),
            percent(series.share_of_subjects("repaired")),
            percent(series.mean("repaired")),
            percent(series.median("still_failing")),
            percent(series.mean("still_failing")),
        ]
        for series in with_manual((*ours, *theirs))
    ]
    rows += [
        ["in the paper", tests, "552", "–", "–", percent(middle), percent(mean)]
        for tests, middle, mean in PRINTED
    ]
    return table(
        "RQ3: patches from manual and from learned tests",
        [
            "setting",
            "tests",
            "subjects",
            "repaired in a run",
            "of all runs",
            "still failing, median",
            "still failing, mean",
        ],
        rows,
        "tests: the subject's own (manual), or so many labelled ones; repaired in a run: subjects with a "
        "patch in at least one of their runs; still failing: held-out tests that fail on the patch, over "
        "subjects with a patch",
    )


def _patch_name(series: Series) -> str:
    return series.kind if series.published else f"{series.kind} ({series.repairer})"


def with_manual(every: Sequence[Series]) -> list[Series]:
    """The series that repair: manual tests first, then the learned ones of the same repair tool."""
    found: list[Series] = []
    repairing = [series for series in every if series.of("repaired")]
    for series in repairing:
        if not series.manual:
            manual = manual_of(series, repairing)
            published = [each.kind for each in found if each.published]
            if manual is not None and manual not in found and manual.kind not in published:
                found.append(manual)
            found.append(series)
    alone = [each for each in repairing if each.manual and not each.published and each not in found]
    return found + alone


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


def boxes(series: Iterable[Series], measure: str) -> tuple[Box, ...]:
    return tuple(Box(_box_name(each), each.tests, tuple(each.values(measure))) for each in series)


def _box_name(series: Series) -> str:
    """Manual tests of one repair tool look like the labelled ones of the same."""
    return series.kind.removesuffix(" manual")


def _counts(title: str, ours: Sequence[Series], measure: str) -> Panel:
    """How many there are of each subject, which no setting changes."""
    known = {name: value for series in ours for name, value in series.of(measure).items()}
    box = Box("subjects", "", tuple(value for _, value in sorted(known.items())))
    return Panel(title, (box,), Scale.COUNT, "")

"""The paper's own tests of significance, with its sides, on our rows and on the published figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from learn2fix.experiments.measures import Series, manual_of
from learn2fix.experiments.significance import Comparison, paired, unpaired
from learn2fix.experiments.tables import Table, figure, p_value, table

MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Claim:
    """One measure with two numbers of labels: is it larger with the first?"""

    question: str
    measure: str
    words: str
    more: str
    less: str
    said: str
    """What p is in the paper."""
    paired: bool = True
    """Wilcoxon's signed-rank test, one-sided: larger with `more`. Else the rank-sum test, two-sided."""


CLAIMS = (
    *(
        Claim("RQ1", measure, words, more, less, said)
        for measure, words, said in (
            ("accuracy", "accuracy grows", "< 0.0001"),
            ("failing_recall", "conditional accuracy grows", "> 0.05"),
        )
        for less, more in (("10", "20"), ("20", "30"))
    ),
    *(
        Claim("RQ2", measure, f"share of {which} tests that are labelled falls", more, less, "< 0.01")
        for measure, which in (("labelled_share", "generated"), ("failing_labelled_share", "failing"))
        for more, less in (("10", "20"), ("20", "30"))
    ),
    *(
        Claim("RQ2", "p_label_fail", "chance that a labelled test fails grows", more, less, "< 0.0001")
        for less, more in (("10", "20"), ("20", "30"))
    ),
    Claim("RQ3", "score", "validation score differs", "20", MANUAL, "< 0.001", paired=False),
    Claim("RQ3", "score", "validation score differs", "30", "20", "> 0.05", paired=False),
)


def compared(claim: Claim, kind: str, among: Sequence[Series]) -> Comparison | None:
    """None where a side is missing."""
    sides = [_side(tests, kind, claim, among) for tests in (claim.more, claim.less)]
    more, less = sides
    if more is None or less is None:
        return None
    if claim.paired:
        return paired(claim.measure, more.name, more.of(claim.measure), less.name, less.of(claim.measure))
    return unpaired(
        claim.measure, more.name, more.values(claim.measure), less.name, less.values(claim.measure)
    )


def _side(tests: str, kind: str, claim: Claim, among: Sequence[Series]) -> Series | None:
    learned = {each.tests: each for each in among if each.kind == kind and not each.manual}
    if tests != MANUAL:
        return learned.get(tests)
    other = learned.get(claim.more)
    return None if other is None else manual_of(other, among)


def paper_tests(question: str, ours: Iterable[Series], theirs: Iterable[Series]) -> Table:
    """Each claim of one question: in the paper, on our rows, on what was published for the same subjects."""
    among = (*ours, *theirs)
    kinds = list(dict.fromkeys(series.kind for series in among if not series.manual))
    rows = []
    for claim in CLAIMS:
        if claim.question != question:
            continue
        for kind in kinds:
            test = compared(claim, kind, among)
            if test is None:
                continue
            arrow = f"{claim.more} against {claim.less}" if not claim.paired else _from_to(claim)
            rows.append(
                [
                    f"{claim.words}, {arrow}: {kind}",
                    "paired, one-sided" if claim.paired else "unpaired, two-sided",
                    str(test.count[0]) if claim.paired else f"{test.count[0]}, {test.count[1]}",
                    f"{test.difference:+.3f}",
                    p_value(test.p),
                    figure(test.effect, 2),
                    claim.said,
                ]
            )
    return table(
        f"{question}: the paper's tests of significance",
        ["claim", "Wilcoxon's test", "n", "difference", "p", "r or A12", "p in the paper"],
        rows,
        "the paper's p are of all its 552 subjects, published ones here of the subjects of these rows",
    )


def _from_to(claim: Claim) -> str:
    first, last = sorted((claim.more, claim.less), key=int)
    return f"{first} to {last} labels"

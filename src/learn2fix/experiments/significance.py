"""Tests of significance and how large a difference is. scipy is imported only here, and only when used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """Is `more` larger than `less`?"""

    measure: str
    more: str
    less: str
    paired: bool
    count: tuple[int, int]
    """Values on either side; for paired tests the number of pairs, twice."""
    difference: float
    """Mean of the one minus mean of the other, over the values that were compared."""
    p: float
    effect: float
    """Paired: matched-pairs rank-biserial correlation, -1..1. Unpaired: Vargha–Delaney A12, 0..1."""


def paired(
    measure: str, more: str, left: Mapping[str, float], less: str, right: Mapping[str, float]
) -> Comparison | None:
    """Wilcoxon's signed-rank test over shared subjects, one-sided: left is larger. None without pairs."""
    names = sorted(left.keys() & right.keys())
    if not names:
        return None
    differences = [left[name] - right[name] for name in names]
    return Comparison(
        measure,
        more,
        less,
        True,
        (len(names), len(names)),
        sum(differences) / len(names),
        signed_rank_p(differences),
        rank_biserial(differences),
    )


def unpaired(
    measure: str, more: str, left: Sequence[float], less: str, right: Sequence[float]
) -> Comparison | None:
    """Wilcoxon's rank-sum test (Mann and Whitney's U), two-sided. None when a side is empty."""
    if not left or not right:
        return None
    difference = sum(left) / len(left) - sum(right) / len(right)
    return Comparison(
        measure,
        more,
        less,
        False,
        (len(left), len(right)),
        difference,
        rank_sum_p(left, right),
        a12(left, right),
    )


def signed_rank_p(differences: Sequence[float]) -> float:
    from scipy.stats import wilcoxon

    if not any(differences):
        return 1.0
    return float(wilcoxon(differences, alternative="greater").pvalue)


def rank_sum_p(left: Sequence[float], right: Sequence[float]) -> float:
    from scipy.stats import mannwhitneyu

    if len({*left, *right}) == 1:
        return 1.0
    return float(mannwhitneyu(left, right, alternative="two-sided").pvalue)


def a12(left: Sequence[float], right: Sequence[float]) -> float:
    """The chance that a value of the left is larger than one of the right, ties counted half."""
    ranks = _ranks([*left, *right])
    u = sum(ranks[: len(left)]) - len(left) * (len(left) + 1) / 2
    return u / (len(left) * len(right))


def rank_biserial(differences: Sequence[float]) -> float:
    """Share of the rank sum on the positive side minus that on the negative; equal pairs do not count."""
    moved = [difference for difference in differences if difference]
    if not moved:
        return 0.0
    ranks = _ranks([abs(difference) for difference in moved])
    signed = sum(rank if difference > 0 else -rank for rank, difference in zip(ranks, moved, strict=True))
    return signed / sum(ranks)


def _ranks(values: Sequence[float]) -> list[float]:
    """From 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            ranks[index] = (start + 1 + end) / 2
        start = end
    return ranks

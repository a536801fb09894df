"""Whether claims hold: how far the claimed chances are from the shares that came true."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from statistics import fmean

BINS = 5


def bins(chances: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float, int]]:
    """Claims in bins of equal size: mean claim, share that is right, and how many there are."""
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    cuts = [round(len(order) * part / BINS) for part in range(BINS + 1)]
    parts = (order[low:high] for low, high in itertools.pairwise(cuts))
    return [
        (fmean(chances[i] for i in part), fmean(right[i] for i in part), len(part)) for part in parts if part
    ]


def calibration_error(chances: Sequence[float], right: Sequence[bool]) -> float | None:
    """Mean distance of claim and truth over the bins (expected calibration error); None without claims."""
    if not chances:
        return None
    found = bins(chances, right)
    return sum(size * abs(claim - truth) for claim, truth, size in found) / len(chances)

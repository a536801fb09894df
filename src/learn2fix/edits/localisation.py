"""Which places are suspicious: formulas on how many failing and passing tests execute a line."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt


def ochiai(
    failing_hits: Mapping[int, int], passing_hits: Mapping[int, int], total_failing: int
) -> dict[int, float]:
    """Ochiai's suspicion of every line that some test executes: 0 … 1."""

    def score(failed: int, passed: int) -> float:
        return failed / sqrt(total_failing * (failed + passed)) if failed and total_failing else 0.0

    lines = sorted({*failing_hits, *passing_hits})
    return {line: score(failing_hits.get(line, 0), passing_hits.get(line, 0)) for line in lines}


def genprog_weights(failing_hits: Mapping[int, int], passing_hits: Mapping[int, int]) -> dict[int, float]:
    """GenProg's weights: 1.0 where only failing tests come, 0.1 where passing ones come too."""
    return {
        line: 0.1 if passing_hits.get(line, 0) else 1.0 for line in sorted(failing_hits) if failing_hits[line]
    }

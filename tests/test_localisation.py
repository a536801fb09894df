"""The formulas of suspicion."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.edits.localisation import genprog_weights, ochiai

HITS = st.dictionaries(st.integers(1, 30), st.integers(0, 9))


def test_ochiai_ranks_a_line_that_only_failing_tests_execute_first() -> None:
    scores = ochiai({3: 2, 4: 2, 5: 1}, {3: 8, 5: 0, 9: 4}, total_failing=2)
    assert scores[4] == pytest.approx(1.0)
    assert scores[3] == pytest.approx(2 / (2 * 10) ** 0.5)
    assert scores[9] == 0.0
    assert max(scores, key=lambda line: scores[line]) == 4


@settings(deadline=None)
@given(HITS, HITS)
def test_suspicion_is_between_none_and_certain(failing: dict[int, int], passing: dict[int, int]) -> None:
    total = max(failing.values(), default=0)
    scores = ochiai(failing, passing, total)
    assert set(scores) == {*failing, *passing}
    assert all(0.0 <= score <= 1.0 for score in scores.values())


def test_genprog_weights() -> None:
    assert genprog_weights({1: 2, 2: 1, 3: 0}, {2: 5, 4: 1}) == {1: 1.0, 2: 0.1}

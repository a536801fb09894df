"""Several values of an input changed as one."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.fuzzing.relations import changed_together

NUMBERS = st.integers(-50, 50)
VALUES = st.lists(
    st.one_of(NUMBERS, st.booleans(), st.text("abc", max_size=4), st.lists(NUMBERS, max_size=4)), max_size=5
)


@given(VALUES, st.integers(0, 999))
def test_types_and_lengths_stay_and_truth_values_never_change(values: list[Any], seed: int) -> None:
    changed = changed_together(values, random.Random(seed))
    assert [type(value) for value in changed] == [type(value) for value in values]
    for before, after in zip(values, changed, strict=True):
        if isinstance(before, bool):
            assert before == after
        if isinstance(before, list):
            assert len(before) == len(after)


@given(st.lists(NUMBERS, min_size=2, max_size=6), st.integers(0, 999))
def test_numbers_move_by_one_step_or_change_places(values: list[int], seed: int) -> None:
    changed = changed_together(values, random.Random(seed))
    steps = {abs(after - before) for before, after in zip(values, changed, strict=True)} - {0}
    assert len(steps) <= 1 or sorted(changed) == sorted(values)


def test_every_way_is_taken_and_what_holds_between_values_can_survive() -> None:
    sums, differences = set(), set()
    for seed in range(200):
        a, b = changed_together((Fraction(4), 9), random.Random(seed))
        sums.add(a + b)
        differences.add(b - a)
    assert 13 in sums
    assert {5, -5} <= differences


def test_a_text_is_made_of_the_letters_of_others() -> None:
    made = {changed_together(("ab", "c", "x"), random.Random(seed)) for seed in range(300)}
    assert any("".join(sorted(third)) == "abc" for _, _, third in made)
    assert any(first == "c" for first, _, _ in made)

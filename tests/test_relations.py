"""Several values of an input changed as one."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.fuzzing.relations import changed_together, taken_over

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


NESTED = st.recursive(
    st.one_of(NUMBERS, st.booleans(), st.text("abc", max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.text("xyz", max_size=2), inner, max_size=3),
    ),
    max_leaves=8,
)


def scalars(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [each for item in value.items() for each in scalars(item)]
    return [each for item in value for each in scalars(item)] if isinstance(value, list | tuple) else [value]


@given(st.lists(NESTED, max_size=4), st.integers(0, 999))
def test_what_is_taken_over_was_there_and_takes_one_place(values: list[Any], seed: int) -> None:
    changed = taken_over(values, random.Random(seed))
    before, after = scalars(values), scalars(changed)
    assert len(before) == len(after)
    different = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    assert len(different) <= 1
    for old, new in different:
        assert type(old) is type(new)
        assert new in before


def test_a_name_of_a_list_becomes_a_key_of_a_table() -> None:
    stock, orders = {"nut": 5, "bolt": 9}, [("nut", 3), ("nut", 1)]
    made = [changed_together((stock, orders), random.Random(seed)) for seed in range(200)]
    assert any(("bolt", 1) in orders for _, orders in made)
    assert all(list(stock) == ["nut", "bolt"] for stock, _ in made)

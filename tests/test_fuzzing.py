"""Fuzzing: new, near, of the same type and length, inside the ranges, repeatable, and it ends."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.line_domain import KINDS, Line

from learn2fix.domain import Range, call_domain, parse_ranges
from learn2fix.fuzzing import EXTENDED, PAPER, Contract, Fuzzer, Operator, infer
from learn2fix.fuzzing.light import Hangs, Light, at_least
from learn2fix.fuzzing.mutations import decimals, mutate, round_unit
from learn2fix.fuzzing.shrinking import size, smaller
from learn2fix.fuzzing.singly import singly
from learn2fix.model import Input, Kind


def fuzzer(*values: Any, seed: int = 1, ranges: Any = None, **options: Any) -> Fuzzer:
    space = Line(ranges or tuple(Range() for _ in values), tuple(KINDS[type(value)] for value in values))
    return Fuzzer(space, [space.render(values)], random.Random(seed), **options)


numbers = st.integers(-(10**12), 10**12) | st.fractions(-1000, 1000, max_denominator=1000)


@given(st.lists(numbers, min_size=1, max_size=6), st.integers(0, 99), st.sampled_from([PAPER, EXTENDED]))
@settings(max_examples=60, deadline=None)
def test_new_inputs_are_distinct_typed_and_of_the_same_length(
    values: list[Any], seed: int, operators: tuple[Operator, ...]
) -> None:
    made = fuzzer(*values, seed=seed, operators=operators).take(30)
    assert len(made) == 30
    assert len({new.text for new in made} | {" ".join(map(str, values))}) == 31
    for new in made:
        assert [type(value) for value in new.values] == [type(value) for value in values]


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=4), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_ranges_are_kept(values: list[int], seed: int) -> None:
    made = fuzzer(*values, seed=seed, ranges=(Range(-20, 20),) * len(values), operators=EXTENDED).take(20)
    assert all(-20 <= value <= 20 for new in made for value in new.values)


def test_same_seed_same_inputs() -> None:
    texts = [[new.text for new in fuzzer(2, 2, 2, seed=seed).take(50)] for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]


def test_an_exhausted_neighbourhood_ends_and_is_complete() -> None:
    finite = fuzzer(3, ranges=(Range(1, 6),))
    assert sorted(new.values[0] for new in finite) == [1, 2, 4, 5, 6]
    assert next(finite, None) is None
    assert {new.text for new in fuzzer(True, False)} == {"True True", "False True", "False False"}


def test_seen_and_seeds_never_come_and_forgotten_inputs_may() -> None:
    finite = fuzzer(3, ranges=(Range(1, 6),), seen=["4"])
    finite.add_seed(Input("5", (5,)))
    made = finite.take(9)
    assert {new.text for new in made} == {"1", "2", "6"}
    finite.forget(made[:1])
    assert finite.take(9) == made[:1]


def test_single_values_change_wherever_they_lie_those_of_other_rows_first() -> None:
    values = (3, [(2, "a", 1), (1, "b", 0)], True)
    made = list(singly(values))
    assert made[:3] == [
        (4, [(2, "a", 1), (1, "b", 0)], True),
        (3, [(1, "a", 1), (1, "b", 0)], True),
        (3, [(2, "b", 1), (1, "b", 0)], True),
    ]
    assert (3, [(2, "a", 0), (1, "b", 0)], True) in made
    assert (3, [(2, "a", 1), (1, "b", 0)], False) in made
    assert all(new != values for new in made)
    assert len({repr(new) for new in made}) == len(made)


def test_of_many_values_some_change() -> None:
    rows = [[n] * 10 for n in range(100)]
    changed = {
        (row, place)
        for (new,) in singly((rows,))
        for row, items in enumerate(new)
        for place, item in enumerate(items)
        if item != row
    }
    assert 40 <= len(changed) <= 60
    assert len({row for row, _ in changed}) > 30


def test_sampled_neighbours_stay_available() -> None:
    finite = fuzzer(3, ranges=(Range(1, 6),))
    assert len(finite.sample(9, random.Random(1))) == 5
    assert len(finite.take(9)) == 5


def test_a_new_seed_opens_its_neighbourhood() -> None:
    made = fuzzer(1, operators=[Operator.INCREMENT])
    made.add_seed(Input("1000", (1000,)))
    assert any(new.values[0] > 900 for new in made.take(4))


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        (Operator.INCREMENT, 7, 8),
        (Operator.DECREMENT, 7, 6),
        (Operator.ADD_TEN, 7, 17),
        (Operator.SUBTRACT_TEN, 7, -3),
        (Operator.TIMES_TEN, -7, -70),
        (Operator.BY_TEN, 79, 7),
        (Operator.BY_TEN, -79, -7),
        (Operator.BY_TEN, Fraction(7), Fraction(7, 10)),
        (Operator.COPY, 7, 4),
    ],
)
def test_the_operators_do_what_they_are_called(operator: Operator, value: Any, expected: Any) -> None:
    assert mutate(value, operator, [4], random.Random(1)) == expected


def test_copying_is_possible_only_when_switched_on() -> None:
    def copied(operators: tuple[Operator, ...]) -> bool:
        made = {new.text for new in fuzzer(123456, 654321, operators=operators).take(300)}
        return "123456 123456" in made or "654321 654321" in made

    assert not copied(PAPER)
    assert copied(EXTENDED)


@given(st.integers(-(10**9), 10**9), st.integers(0, 99))
def test_random_numbers_keep_the_magnitude(value: int, seed: int) -> None:
    new = mutate(value, Operator.MAGNITUDE, [], random.Random(seed))
    assert len(str(abs(new))) <= len(str(abs(value)))


def test_decimals_are_kept() -> None:
    for seed in range(50):
        new = mutate(Fraction("2.50"), Operator.MAGNITUDE, [], random.Random(seed))
        assert decimals(new) <= 1
        assert abs(new) < 10


values_of_python = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=6,
)


@given(values_of_python, st.sampled_from(EXTENDED), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_every_python_value_is_mutated_to_one_of_its_type(value: Any, operator: Operator, seed: int) -> None:
    before = repr(value)
    new = mutate(value, operator, [], random.Random(seed))
    assert type(new) is type(value)
    assert repr(value) == before


def test_the_contract_reads_sign_and_magnitude() -> None:
    contract = infer([(3, -5, 0, "x", Fraction(1, 2)), (70, 4, 9, "y", Fraction(3))])
    assert contract.bounds == (Range(1, 100), Range(-10, 10), Range(0, 10), Range(), Range(0, 10))
    assert contract.holds((50, -1, 0, "thing", Fraction(1)))
    assert not contract.holds((0, -1, 0, "thing", Fraction(1)))
    assert infer([]).holds((1, 2, 3))


@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1, max_size=5))
def test_every_known_input_meets_the_contract_read_off_it(known: list[tuple[int, int]]) -> None:
    contract = infer(known)
    assert all(contract.holds(values) for values in known)


def test_the_contract_holds_until_the_usual_is_exhausted() -> None:
    made = [new.values[0] for new in fuzzer(5, contract=Contract((Range(1, 9),))).take(20)]
    assert sorted(made[:8]) == [1, 2, 3, 4, 6, 7, 8, 9]
    assert len(made) == 20


def test_avoided_areas_are_soft() -> None:
    kind = fuzzer(50, 50)
    kind.avoid(lambda values: values[0] > values[1])
    assert 0 < sum(a > b for a, b in (new.values for new in kind.take(1000))) < 200


def test_words_stay_words() -> None:
    made = fuzzer("ab", 3, operators=EXTENDED).take(200)
    assert all(len(new.text.split()) == 2 and new.values[0] == new.text.split()[0] for new in made)


def test_a_whole_number_where_reals_are_read_gets_decimals() -> None:
    space = Line((Range(),), (Kind.REAL,))
    made = Fuzzer(space, [Input("3", (3,))], random.Random(1)).take(50)
    assert any(new.values[0].denominator > 1 for new in made)


def test_equal_positions_change_alike_only_when_asked_to() -> None:
    def equal(together: float) -> int:
        return sum(len(set(new.values)) == 1 for new in fuzzer(2, 2, 2, together=together).take(300))

    assert equal(0.0) < 10 < equal(0.3) < equal(1.0)


def test_what_is_equal_but_of_another_type_is_not_changed_alike() -> None:
    """True == 1 in Python, and neither becomes the other."""
    for new in fuzzer(1, True, 1, together=1.0).take(20):
        assert [type(value) for value in new.values] == [int, bool, int]
        assert new.values[0] == new.values[2]


# Inputs that are soon done with, and smaller ones


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(PLAIN, min_size=1, max_size=3))
@settings(deadline=None)
def test_smaller_inputs_are_smaller_in_one_position_and_of_the_same_types(values: list[Any]) -> None:
    for new in islice(smaller(values), 80):
        changed = [place for place in range(len(values)) if new[place] is not values[place]]
        assert len(changed) == 1
        (place,) = changed
        assert type(new[place]) is type(values[place])
        assert size(new[place]) < size(values[place])
        if isinstance(values[place], tuple):
            assert len(new[place]) == len(values[place])


def test_an_input_shrinks_to_the_smallest_that_still_tells() -> None:
    """What shrinking is for: `'b'` and a negative number survive, everything else goes."""
    values: tuple[Any, ...] = ([7, -12, 30, 5], "xyzb", {"k": 4, "m": 5})
    while True:
        better = (
            new for new in smaller(values) if any(x < 0 for x in new[0]) and "b" in new[1] and "k" in new[2]
        )
        found = next(better, None)
        if found is None:
            break
        values = found
    assert values == ([-1], "b", {"k": 0})


@given(st.integers(5, 60), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_heavy_inputs_are_not_taken_and_few_are_looked_at(most: int, seed: int) -> None:
    looked: list[int] = []

    def work(inputs: Any) -> list[int]:
        looked.extend(given.values[0] for given in inputs)
        return [max(given.values[0], 0) for given in inputs]

    light = Light(fuzzer(5, seed=seed, operators=EXTENDED), work, most)
    taken = [new.values[0] for new in light.take(30)]
    assert taken
    assert all(value <= most for value in taken)
    # Each heavy one that is looked at is lighter than all before it: their number grows like a logarithm.
    assert sum(value > most for value in looked) <= 40


@given(PLAIN)
def test_a_value_is_as_large_as_itself(value: Any) -> None:
    if "nan" not in repr(value):
        assert at_least([value], [value])
        assert at_least([[value, 1]], [[value]])
    assert not at_least([[1]], [[2]])
    assert not at_least([3], [4])


def test_what_is_usual_is_widened_before_anything_goes() -> None:
    near = fuzzer(5, contract=Contract((Range(1, 9),)), operators=EXTENDED, widenings=1)
    assert near.usual_left
    made = [new.values[0] for new in near.take(40)]
    assert not near.usual_left
    assert sorted(made[:8]) == [1, 2, 3, 4, 6, 7, 8, 9]
    assert all(1 <= value <= 90 for value in made[:25])
    near.forget([])
    assert not near.usual_left
    near.add_seed(Input("50", (50,)))
    assert near.usual_left


def test_a_widened_contract_keeps_the_signs() -> None:
    wide = Contract((Range(1, 9), Range(-9, 0), Range(-9, 9), Range())).widened(1)
    assert wide.bounds == (Range(1, 90), Range(-90, 0), Range(-90, 90), Range())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=40))
def test_what_never_ends_is_known_by_two_values_at_most(tried: list[tuple[int, int, int]]) -> None:
    hangs = Hangs()
    for values in tried:
        hangs.note(values, values[1:] == (1, 1))
    for values in tried:
        if values[1:] != (1, 1):
            assert not hangs.likely(values)
    if tried.count((0, 1, 1)) + tried.count((2, 1, 1)) >= 2:
        assert hangs.likely((3, 1, 1))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 9), st.integers())
@settings(max_examples=30, deadline=None)
def test_inputs_of_functions_stay_in_their_ranges(xs: list[int], n: int, seed: int) -> None:
    domain = call_domain([f"{xs}, {n}, 'word'"], ["xs", "n", "word"])
    domain = domain.with_ranges(parse_ranges(["1..9"], domain.variables))
    start = domain.parse(f"{xs}, {n}, 'word'")
    made = Fuzzer(domain, [start], random.Random(seed), operators=EXTENDED).take(15)
    assert made
    for new in made:
        assert all(1 <= number <= 9 for number in [*new.values[0], new.values[1]])


@given(st.integers(-(10**9), 10**9), st.integers(0, 2**32))
def test_round_numbers_have_round_neighbours(value: int, seed: int) -> None:
    unit = round_unit(value)
    assert unit == 0 or (value % unit == 0 and value % (10 * unit) != 0 and unit >= 100)
    assert bool(unit) is (value != 0 and value % 100 == 0)
    made = {mutate(value, Operator.INTERESTING, (), random.Random(seed + i)) for i in range(40)}
    assert any(each % unit == 0 and abs(each - value) <= 10 * unit for each in made) if unit else made

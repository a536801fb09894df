"""Trees and forests: true to the labels, readable, graded where the labels leave it open."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learn2fix.model import Example, Kind, Point, Variable
from learn2fix.oracles.decision_tree import ForestLearner, TreeLearner, middle, somewhere
from learn2fix.oracles.doubt import DoubtingLearner, doubting
from learn2fix.oracles.features import literals
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.registry import LEARNERS, learner
from learner_conformance import LearnerConformance, problems

ABO = [Variable("a"), Variable("b"), Variable("out")]


class TestTree(LearnerConformance):
    def learner(self) -> Learner:
        return TreeLearner()


class TestForest(LearnerConformance):
    def learner(self) -> Learner:
        return ForestLearner(trees=20)


class TestDoubting(LearnerConformance):
    def learner(self) -> Learner:
        return DoubtingLearner(TreeLearner())


class TestByName:
    @pytest.mark.parametrize("name", LEARNERS)
    def test_every_learner_is_found_by_its_name(self, name: str) -> None:
        assert learner(name).name == name


def sampled(fails: str, seed: int, count: int, high: int = 20) -> list[Example]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        a, b = rng.randint(0, high), rng.randint(0, high)
        out = rng.choice([a, b, a + b, 0])
        found.append(Example((a, b, out), bool(eval(fails, {"a": a, "b": b, "out": out}))))
    return found


@pytest.mark.parametrize(
    "condition",
    [
        "a > 12",
        "a == b",
        "a > b",
        "out == a",
        "a % 3 == 1",
        "out == 0",
        "a + b <= 14",
        "a - b <= 4",
        "a > 9 and b % 2",
    ],
)
def test_finds_plain_conditions(condition: str) -> None:
    examples = sampled(condition, 1, 120)
    fresh = sampled(condition, 2, 300)
    for each in (TreeLearner(), ForestLearner()):
        oracle = each.learn(ABO, examples, random.Random(1))
        right = sum((oracle.chance(e.point) >= 0.5) == e.failing for e in fresh)
        assert right >= 285, (each.name, oracle.formula.text(ABO))


def test_the_condition_is_short_when_the_truth_is() -> None:
    oracle = TreeLearner().learn(ABO, sampled("a % 3 == 1", 1, 60), random.Random(1))
    assert oracle.formula.text(ABO) == "a % 3 == 1"
    oracle = TreeLearner().learn(ABO, sampled("a == b", 1, 200, high=6), random.Random(1))
    assert oracle.formula.text(ABO) == "a == b"


@given(problems())
@example(
    (
        [Variable("x"), Variable("y")],
        [Example((0, y), False) for y in (-1, 0, 1)]
        + [Example((x, 1), False) for x in (1, 2)]
        + [Example((0, Fraction(1, 2)), True)],
    )
)
@settings(max_examples=60, deadline=None)
def test_the_condition_of_a_tree_is_the_tree_on_all_labels(
    problem: tuple[list[Variable], list[Example]],
) -> None:
    variables, examples = problem
    oracle = TreeLearner().learn(variables, examples, random.Random(1))
    for each in examples:
        assert oracle.formula.holds(each.point) == each.failing


def test_a_forest_doubts_between_the_labels_and_not_at_them() -> None:
    examples = [Example((0,), False), Example((1,), False), Example((99,), True), Example((100,), True)]
    oracle = ForestLearner().learn([Variable("a")], examples, random.Random(1))
    assert oracle.chance((0,)) == 0.0
    assert oracle.chance((100,)) == 1.0
    assert 0.2 < oracle.chance((10,)) < 0.8
    assert len(oracle.votes((10,))) == 50


scalars = st.integers(-5, 5) | st.fractions(-3, 3, max_denominator=4) | st.sampled_from(["x", "y"])


@given(st.lists(st.tuples(scalars, scalars), min_size=1, max_size=8, unique=True))
def test_masks_say_on_which_points_a_literal_holds(points: list[Point]) -> None:
    variables = [Variable("a", Kind.REAL), Variable("b", Kind.REAL)]
    for mask, literal in literals(points, variables):
        for value in {literal.low} if literal.equal else {literal.low, middle(literal.low, literal.high)}:
            condition = literal.formula(value, True, False)
            opposite = literal.formula(value, False, False)
            for place, point in enumerate(points):
                assert condition.holds(point) == bool(mask >> place & 1)
                assert opposite.holds(point) != condition.holds(point)


numbers = st.integers(-(10**20), 10**20) | st.fractions(max_denominator=1000)


@given(numbers, numbers, st.integers(0, 99))
def test_thresholds_lie_in_the_gap(one: int | Fraction, other: int | Fraction, seed: int) -> None:
    low, high = min(one, other), max(one, other)
    if low == high:
        return
    for value in (middle(low, high), somewhere(low, high, random.Random(seed))):
        assert low <= value < high
        if isinstance(low, int) and isinstance(high, int):
            assert isinstance(value, int)


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(3, 4, 3), (90, 112, 100), (0, 1000, 30), (437, 1600, 1000), (-7, 9, 0)]
)
def test_thresholds_are_round(low: int, high: int, expected: int) -> None:
    assert middle(low, high) == expected


def test_an_oracle_of_yes_and_no_learns_to_doubt() -> None:
    variables = [Variable("a")]
    examples = [Example((0,), False), Example((1,), False), Example((99,), True), Example((100,), True)]
    crisp = TreeLearner().learn(variables, examples, random.Random(1))
    oracle = doubting(crisp, variables, examples, random.Random(1))
    assert oracle.formula == crisp.formula
    for value in range(-20, 200):
        assert (oracle.chance((value,)) >= 0.5) == (crisp.chance((value,)) >= 0.5)
    assert oracle.chance((0,)) == 0.0
    assert oracle.chance((100,)) == 1.0
    assert 0.1 < oracle.chance((10,)) < 0.9

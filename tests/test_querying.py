"""Query rules: which of the generated tests they pick, and when they stop."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.model import Ending, Example, Input, Kind, Observation, Outcome, Point, Variable
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.protocol import Oracle
from learn2fix.querying import (
    Ask,
    AsRunRule,
    Case,
    PaperRule,
    Skip,
    SpreadRule,
    State,
    Stop,
    UncertaintyRule,
    rule,
)
from learn2fix.querying.baselines import uncertainty
from learn2fix.querying.spread import distances


class Threshold:
    """Failing from a number on; certain, or with one chance everywhere below."""

    def __init__(self, least: float, below: float = 0.0) -> None:
        self.least = least
        self.below = below

    def chance(self, point: Point) -> float:
        return 1.0 if float(point[0]) >= self.least else self.below

    @property
    def formula(self) -> Formula | None:
        return None


def case(*point: int) -> Case:
    text = " ".join(map(str, point))
    return Case(Observation(Input(text, point), Outcome(Ending.EXITED, b"0")), point)


def state(
    oracle: Oracle,
    examples: Sequence[Example],
    neighbours: Sequence[Case] = (),
    asked: int = 0,
    around: Callable[[Case], Sequence[Case]] = lambda case: (),
) -> State:
    def learn(points: Sequence[Example]) -> Oracle:
        """The least failing number seen is the threshold."""
        learned.append(tuple(points))
        return Threshold(min(float(e.point[0]) for e in points if e.failing))

    learned: list[tuple[Example, ...]] = []
    LEARNED[id(oracle)] = learned
    return State(
        variables=(Variable("a", Kind.INT),),
        examples=tuple(examples),
        oracle=oracle,
        learn=learn,
        neighbours=lambda count: list(neighbours)[:count],
        around=lambda case, count: list(around(case))[:count],
        rng=random.Random(1),
        asked=asked,
        remaining=9,
    )


LEARNED: dict[int, list[tuple[Example, ...]]] = {}
FAILING, PASSING = Example((100,), True), Example((0,), False)


def test_the_paper_asks_what_is_predicted_to_fail_without_a_committee() -> None:
    oracle = Threshold(100)
    assert isinstance(PaperRule().choose(state(oracle, [FAILING, PASSING]), [case(150)]), Ask)
    assert LEARNED[id(oracle)] == []


@pytest.mark.parametrize(("value", "asked"), [(59, True), (50, True), (49, False), (10, False)])
def test_the_committee_has_two_oracles_a_neighbour_and_half_of_them_suffice(value: int, asked: bool) -> None:
    # Assumed failing, neighbour n moves the threshold to n; assumed passing, it stays at 100. So a test t has
    # as many votes as there are neighbours up to t: all ten (half of the committee) from 50 on.
    neighbours = [case(n) for n in range(41, 51)]
    oracle = Threshold(100)
    here = state(oracle, [FAILING, PASSING], around=lambda test: neighbours)
    choice = PaperRule().choose(here, [case(value)])
    assert isinstance(choice, Ask if asked else Skip)
    assumed = [examples[-1] for examples in LEARNED[id(oracle)]]
    # Once eleven are against, the other nine are not learned.
    assert len(assumed) == (11 if value == 10 else 20)
    assert [e.failing for e in assumed] == ([False, True] * 10)[: len(assumed)]
    assert all(examples[:-1] == (FAILING, PASSING) for examples in LEARNED[id(oracle)])


def test_the_committee_is_made_of_neighbours_of_the_very_test_that_is_decided() -> None:
    oracle = Threshold(100)
    here = state(
        oracle, [FAILING, PASSING], around=lambda test: [case(int(test.point[0]) + n) for n in (-1, 1)]
    )
    paper = PaperRule()
    for value in (10, 20, 10):
        paper.choose(here, [case(value)])
    assumed = [examples[-1].point[0] for examples in LEARNED[id(oracle)]]
    assert assumed == [9, 9, 11, 11, 19, 19, 21, 21, 9, 9, 11, 11]


def test_as_run_the_committee_is_made_near_failing_tests_and_anew_only_after_a_label() -> None:
    paper, oracle = AsRunRule(), Threshold(100)
    here = state(oracle, [FAILING, PASSING], [case(n) for n in range(10)])
    paper.choose(here, [case(5)])
    learned = list(LEARNED[id(oracle)])
    # No more of them than decide the vote, and the next test gets the same ones.
    assert 10 < len(learned) < 20
    for _ in range(2):
        paper.choose(here, [case(5)])
    assert LEARNED[id(oracle)] == learned
    paper.choose(state(oracle, [FAILING, PASSING, Example((7,), False)], [case(1)]), [case(5)])
    assert len(LEARNED[id(oracle)]) == 2


@pytest.mark.parametrize(
    ("failing", "passing", "asked"), [(10, 0, False), (11, 0, True), (19, 2, True), (18, 2, False)]
)
def test_as_run_a_test_predicted_to_pass_is_asked_when_nearly_all_labels_fail(
    failing: int, passing: int, asked: bool
) -> None:
    labels = [FAILING] * failing + [PASSING] * passing
    choices = [
        rule.choose(state(Threshold(100), labels, [case(200)], around=lambda test: [case(200)]), [case(5)])
        for rule in (AsRunRule(), PaperRule())
    ]
    assert [isinstance(choice, Ask) for choice in choices] == [asked, False]


def test_uncertainty_takes_the_least_certain() -> None:
    pool = [case(120), case(3), case(130)]
    choice = UncertaintyRule().choose(state(Threshold(100, below=0.4), [FAILING]), pool)
    assert isinstance(choice, Ask)
    assert choice.index == 1


def test_spread_looks_around_until_both_answers_are_known() -> None:
    pool = [case(n) for n in (99, 101, 5000, 102)]
    far = SpreadRule().choose(state(Threshold(0), [FAILING], asked=1), pool)
    assert isinstance(far, Ask)
    assert far.index == 2
    assert not far.fair
    drawn = SpreadRule().choose(state(Threshold(0), [FAILING], asked=2), pool)
    assert isinstance(drawn, Ask)
    assert drawn.fair


def test_spread_prefers_uncertain_and_far_and_stops_when_calm() -> None:
    pool = [case(1), case(10), case(100000)]
    rule = SpreadRule()
    choice = rule.choose(state(Threshold(100, below=0.4), [FAILING, PASSING]), pool)
    assert isinstance(choice, Ask)
    assert choice.index == 1
    certain = state(Threshold(100), [FAILING, PASSING])
    kinds = [type(rule.choose(certain, pool)) for _ in range(3)]
    assert kinds == [Ask, Ask, Stop]
    never_doubted = SpreadRule()
    assert all(isinstance(never_doubted.choose(certain, pool), Ask) for _ in range(5))
    unstopped = SpreadRule(stops=False)
    assert all(isinstance(unstopped.choose(certain, pool), Ask) for _ in range(5))


@pytest.mark.parametrize("name", ["paper", "as-run", "random", "uncertainty", "spread"])
def test_rules_by_name(name: str) -> None:
    assert rule(name).name == name
    with pytest.raises(ValueError, match="paper"):
        rule("no such rule")


@given(st.floats(0, 1))
def test_uncertainty_is_largest_at_one_half(chance: float) -> None:
    assert 0 <= uncertainty(chance) <= uncertainty(0.5) == 1
    assert uncertainty(chance) == pytest.approx(uncertainty(1 - chance))


scalars = st.integers() | st.fractions() | st.text(max_size=3)


@given(st.lists(st.tuples(scalars, scalars), min_size=1, max_size=6))
def test_distances_are_finite_and_zero_just_for_what_is_known(points: list[Point]) -> None:
    found = distances(points, points[:1])
    assert found[0] == 0
    assert all(0 <= distance < 1e6 for distance in found)
    texts = [p for p in points if isinstance(p[0], str) != isinstance(points[0][0], str)]
    assert all(found[points.index(p)] >= 1 for p in texts)


def test_spread_prefers_usual_inputs() -> None:
    def known(examples: Sequence[Example], asked: int) -> State:
        return replace(
            state(Threshold(50, 0.5), examples, asked=asked), usual=lambda each: each.point[0] < 40
        )

    pool = [case(49), case(5), case(30), case(48), case(47)]
    for asked in range(6):
        chosen = SpreadRule().choose(known([FAILING], asked), pool)
        assert isinstance(chosen, Ask)
        assert chosen.index in (1, 2)
        assert not chosen.fair
    both = [Example((0,), False), Example((100,), True)]
    chosen = SpreadRule().choose(known(both, 4), pool)
    assert isinstance(chosen, Ask)
    assert chosen.index in (1, 2)
    far = [case(5), case(49)]
    strange = SpreadRule().choose(known([Example((4,), False), Example((1000,), True)], 4), far)
    assert isinstance(strange, Ask)
    assert strange.index == 1  # worth it all the same


def test_whole_numbers_larger_than_any_float_have_a_distance() -> None:
    huge = 7**1000
    near, far = distances([(huge,), (-huge,)], [(huge + 1,)])
    assert 0 <= near < far

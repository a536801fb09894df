"""The learner of readable conditions: always fits, cuts in the middle, prefers what a person would write."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formulas import bound, compare

from learn2fix.model import Example, Kind, Point, Variable
from learn2fix.oracles.covering import Effort
from learn2fix.oracles.cuts import cut
from learn2fix.oracles.formula import FALSE, TRUE, And, Formula, Linear, Or
from learn2fix.oracles.incal import IncalAsRun, IncalLra
from learn2fix.oracles.literals import make_data
from learn2fix.oracles.partition import partitioned
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.recentring import recentred
from learn2fix.oracles.smt_lra import FormulaOracle, SmtLra
from learn2fix.oracles.smtlib import script
from learn2fix.oracles.work import OutOfWork, Work
from learn2fix.oracles.z3_adapter import half_plane
from learner_conformance import LearnerConformance, problems

ABC = [Variable("a"), Variable("b"), Variable("c")]


class TestSmtLra(LearnerConformance):
    examples = 100

    def learner(self) -> Learner:
        return SmtLra()


class TestSmtLraWithLittleEffort(LearnerConformance):
    """Completeness must not depend on how much is searched."""

    def learner(self) -> Learner:
        return SmtLra(effort=Effort(literals=3, beam=1, depth=2, restarts=0, terms=1, nodes=1))


class TestSmtLraOutOfWork(LearnerConformance):
    """Nothing may be done at all: what comes back still fits."""

    steps = 0

    def learner(self) -> Learner:
        return SmtLra()


class TestIncal(LearnerConformance):
    examples = 15
    steps = 2_000_000
    after_deadline = 10**12  # a check of z3 is counted when it ends; that it is interrupted has its own test

    def learner(self) -> Learner:
        return IncalLra()


def learn(variables: list[Variable], examples: list[Example], learner: SmtLra | None = None) -> FormulaOracle:
    return (learner or SmtLra()).learn(variables, examples, random.Random(1), Work(100_000_000))


def labelled(points: Sequence[Point], condition: Callable[..., bool]) -> list[Example]:
    return [Example(point, bool(condition(*point))) for point in points]


def triples(count: int, low: int = 1, high: int = 6, seed: int = 0) -> list[tuple[int, int, int]]:
    rng = random.Random(seed)
    return sorted(
        {(rng.randint(low, high), rng.randint(low, high), rng.randint(low, high)) for _ in range(count)}
    )


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_the_examples_does_not_matter(
    problem: tuple[list[Variable], list[Example]], rng: random.Random
) -> None:
    variables, examples = problem
    shuffled = rng.sample(examples, len(examples))
    assert learn(variables, examples).formula == learn(variables, shuffled).formula


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=16, unique=True), st.data()
)
@settings(max_examples=60, deadline=None)
def test_dense_labels_are_fitted(points: list[tuple[int, int]], data: st.DataObject) -> None:
    examples = [Example(point, data.draw(st.booleans())) for point in points]
    oracle = learn([Variable("x"), Variable("y")], examples)
    assert not oracle.wrong
    assert all(oracle.formula.holds(e.point) == e.failing for e in examples)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (lambda a, b, c: a <= 3, "a <= 3"),
        (lambda a, b, c: b == 4, "b == 4"),
        (lambda a, b, c: a == c, "a == c"),
        (lambda a, b, c: a > b, "a > b"),
        (lambda a, b, c: c % 2 == 1, "c % 2 == 1"),
        (lambda a, b, c: a == b and b == c, "a == b and b == c"),
        (lambda a, b, c: a + b <= 6, "a + b <= 6"),
        (lambda a, b, c: (a + b + c) % 2 == 0, "(a + b + c) % 2 == 0"),
        (lambda a, b, c: a > b or c == 1, "c <= 1 or a > b"),
        (lambda a, b, c: a + b <= c, "a + b <= c"),
    ],
)
def test_conditions_are_found_again(condition: Callable[..., bool], text: str) -> None:
    oracle = learn(ABC, labelled(triples(300), condition))
    assert oracle.formula.text(ABC) == text
    assert not oracle.exhausted


def test_steves_triangle() -> None:
    def bug(a: int, b: int, c: int) -> bool:
        return (a == b and b == c and a != 1) or (a == b and c == 1 and a != 1)

    oracle = learn(ABC, labelled(triples(400), bug))
    grid = itertools.product(range(1, 7), repeat=3)
    assert all(oracle.formula.holds(point) == bug(*point) for point in grid)
    assert oracle.formula.text(ABC) == "a > 1 and a == b and (c <= 1 or b == c)"


def test_failing_points_alone_give_true_and_passing_ones_false() -> None:
    assert learn(ABC, [Example((2, 2, 2), True)]).formula == TRUE
    assert learn(ABC, [Example((2, 2, 2), False)]).formula == FALSE


@pytest.mark.parametrize("width", [1, 2, 4, 6])
def test_parity_of_all_inputs(width: int) -> None:
    rng = random.Random(width)
    points = sorted({tuple(rng.randint(-50, 50) for _ in range(width)) for _ in range(30)})
    oracle = learn([Variable(f"x{i}") for i in range(width)], labelled(points, lambda *x: sum(x) % 2 == 1))
    assert not oracle.wrong
    unseen = [tuple(rng.randint(-50, 50) for _ in range(width)) for _ in range(50)]
    assert all(oracle.formula.holds(point) == (sum(point) % 2 == 1) for point in unseen)


def test_parity_that_no_remainder_explains_is_still_fitted() -> None:
    examples = [Example((Fraction(i, 2),), i % 2 == 0) for i in range(20)]
    oracle = learn([Variable("x", Kind.REAL)], examples)
    assert not oracle.wrong
    assert not oracle.exhausted


@pytest.mark.parametrize(
    ("low", "high", "whole", "expected"),
    [
        (3, 4, True, ("<=", 3)),
        (9, 10, True, ("<", 10)),
        (10, 11, True, ("<=", 10)),
        (-1, 0, True, ("<", 0)),
        (0, 1, True, ("<=", 0)),
        (3, 7, True, ("<=", 5)),
        (0, 100, True, ("<=", 50)),
        (3, 900, True, ("<=", 500)),
        (-5, 80, True, ("<=", 0)),
        (-80, 5, True, ("<", 0)),
        (3, 4, False, ("<=", Fraction(7, 2))),
        (Fraction(1, 10), Fraction(2, 10), False, ("<=", Fraction(3, 20))),
        (Fraction(3, 10), Fraction(49, 10), False, ("<=", 3)),
    ],
)
def test_cuts_are_round_and_in_the_middle(
    low: int, high: int, whole: bool, expected: tuple[str, object]
) -> None:
    assert cut(low, high, whole) == expected


@given(
    st.one_of(st.integers(), st.fractions(max_denominator=1000)),
    st.one_of(st.integers(min_value=1), st.fractions(min_value=Fraction(1, 10**6), max_denominator=10**6)),
    st.booleans(),
)
def test_a_cut_separates_and_stays_in_the_middle_half(
    low: int | Fraction, gap: int | Fraction, whole: bool
) -> None:
    high = low + gap
    op, limit = cut(low, high, whole)
    literal = Linear(((1, 0),), op, limit)
    assert literal.holds((low,))
    assert not literal.holds((high,))
    if not low < 0 < high and gap > 1:
        assert low + Fraction(gap) / 4 <= limit <= high - Fraction(gap) / 4


def test_a_bound_is_moved_to_the_middle_of_what_the_other_literals_leave() -> None:
    """Alone, 40 and 50 are told apart; where b == 1 there is nothing between 10 and 90."""
    failing: list[Point] = [(10, 1), (0, 1)]
    passing: list[Point] = [(90, 1), (12, 2), (40, 2)]
    data = make_data(ABC[:2], failing, passing)
    formula = And((bound(1, "==", 1), bound(0, "<=", 11)))
    assert recentred(formula, data) == And((bound(1, "==", 1), bound(0, "<=", 50)))


@given(problems())
@settings(max_examples=60, deadline=None)
def test_recentring_changes_nothing_on_the_examples(problem: tuple[list[Variable], list[Example]]) -> None:
    variables, examples = problem
    data = make_data(
        variables, [e.point for e in examples if e.failing], [e.point for e in examples if not e.failing]
    )
    literals: list[Formula] = [bound(0, "<=", 1), bound(0, ">", -2), bound(0, "<", 3)]
    if len(variables) > 1:
        literals += [compare(0, "<", 1), bound(1, ">=", 0)]
    formula = Or((And(tuple(literals[:2])), And(tuple(literals[2:]))))
    moved = recentred(formula, data)
    assert all(moved.holds(e.point) == formula.holds(e.point) for e in examples)


def test_a_stated_number_of_wrong_labels_is_tolerated() -> None:
    points = [(a, b, 5) for a in range(1, 7) for b in range(1, 7)]
    truth = labelled(points, lambda a, b, c: a > b)
    noisy = [Example(e.point, not e.failing) if e.point == (2, 5, 5) else e for e in truth]
    strict = learn(ABC, noisy)
    assert not strict.wrong
    assert strict.formula.text(ABC) != "a > b"
    tolerant = learn(ABC, noisy, SmtLra(wrong_labels=1))
    assert tolerant.formula.text(ABC) == "a > b"
    assert tolerant.wrong == (Example((2, 5, 5), True),)
    assert tolerant.wrong


def test_tolerance_is_not_used_without_need() -> None:
    examples = labelled(triples(40), lambda a, b, c: a == b and c > 2)
    assert not learn(ABC, examples, SmtLra(wrong_labels=3)).wrong


def test_contradictory_labels_are_reported() -> None:
    examples = [Example((1,), True), Example((1,), False), Example((2,), False)]
    oracle = learn([Variable("x")], examples)
    assert oracle.wrong == (Example((1,), False),)


def test_running_out_of_work_is_declared() -> None:
    examples = labelled(triples(40), lambda a, b, c: (a * b + c) % 3 == 0)
    oracle = SmtLra().learn(ABC, examples, random.Random(1), Work(100_000))
    assert oracle.exhausted
    assert not oracle.wrong


@given(problems())
@settings(max_examples=100, deadline=None)
def test_a_partition_is_right_on_all_points(problem: tuple[list[Variable], list[Example]]) -> None:
    variables, examples = problem
    failing = [e.point for e in examples if e.failing]
    passing = [e.point for e in examples if not e.failing]
    formula = partitioned(make_data(variables, failing, passing))
    assert all(formula.holds(e.point) == e.failing for e in examples)


def test_a_partition_of_many_alternating_points_is_not_deep() -> None:
    examples = [Example((i,), i % 2 == 1) for i in range(300)]
    data = make_data(
        [Variable("x")],
        [e.point for e in examples if e.failing],
        [e.point for e in examples if not e.failing],
    )
    formula = partitioned(data)
    assert isinstance(formula, Or)
    assert len(formula.parts) == 150
    assert all(formula.holds(e.point) == e.failing for e in examples)


@pytest.mark.quality
def test_steves_condition_from_thirty_labels_near_the_failing_input() -> None:
    """Random neighbours of (2, 2, 2), a third of them failing; accuracy on all triples up to 6."""

    def program(right: bool, a: int, b: int, c: int) -> int:
        if min(a, b, c) <= 0:
            return 4
        if a == b and b == c if right else (a == b) == c:
            return 1
        return 2 if a in (b, c) or b == c else 3

    def example(a: int, b: int, c: int) -> Example:
        shown = program(False, a, b, c)
        return Example((a, b, c, shown), shown != program(True, a, b, c))

    grid = [example(*point) for point in itertools.product(range(1, 7), repeat=3)]
    accuracies = []
    for seed in range(20):
        rng = random.Random(seed)
        seen = {(2, 2, 2): example(2, 2, 2)}
        while len(seen) < 30:
            # A neighbour is any input of which two or three sides are equal, or any near input at all.
            a, b, c = (rng.choice((1, 2, 3, rng.randint(0, 12))) for _ in range(3))
            point = rng.choice([(a, a, a), (a, a, c), (a, b, b), (a, b, a), (a, b, c)])
            new = example(*point)
            if new.failing or sum(e.failing for e in seen.values()) * 3 >= len(seen):
                seen[point] = new
        oracle = learn([*ABC, Variable("out")], list(seen.values()))
        accuracies.append(sum(oracle.formula.holds(e.point) == e.failing for e in grid) / len(grid))
    # Always answering "fine" is right on .954 of the triples.
    assert sum(accuracy > 0.99 for accuracy in accuracies) >= 13
    assert min(accuracies) > 0.9


def test_what_is_learned_is_accepted_as_smtlib() -> None:
    oracle = learn(ABC, labelled(triples(100), lambda a, b, c: a == b and b == c and a != 1))
    solver = z3.Solver()
    solver.from_string(script(oracle.formula, ABC))
    assert solver.check() == z3.sat


def test_z3_finds_small_whole_coefficients() -> None:
    points = list(itertools.product(range(-3, 4), repeat=2))
    inside = [p for p in points if 3 * p[0] - 2 * p[1] <= 4]
    outside = [p for p in points if 3 * p[0] - 2 * p[1] > 4]
    found = half_plane(inside, outside, 3)
    assert found is not None
    assert max(found[0] * x + found[1] * y for x, y in inside) < min(
        found[0] * x + found[1] * y for x, y in outside
    )
    assert half_plane([(0, 0), (1, 1)], [(0, 1), (1, 0)], None) is None


def test_general_half_planes_come_last_with_small_coefficients() -> None:
    def bug(a: int, b: int, c: int) -> bool:
        return 3 * a - 2 * b + 5 * c <= 4

    oracle = learn(ABC, labelled(triples(60, -9, 9), bug))
    assert len(oracle.formula.literals()) == 1
    unseen = triples(300, -9, 9, seed=1)
    assert sum(oracle.formula.holds(point) == bug(*point) for point in unseen) >= 0.95 * len(unseen)


def test_incal_as_run_learns_the_passing_condition_in_double_precision() -> None:
    x = [Variable("x")]
    oracle = IncalAsRun().learn(x, [Example((0,), False), Example((4,), True)], random.Random(1))
    assert [oracle.chance((value,)) for value in (-9, 0, 4, 9)] == [0.0, 0.0, 1.0, 1.0]
    assert oracle.formula is not None
    assert [oracle.formula.holds((value,)) for value in (-9, 0, 4, 9)] == [False, False, True, True]
    # Neither number has a double of its own, so what was learned exactly is evaluated wrongly.
    large = [Example((2**60,), False), Example((2**60 + 1,), True)]
    assert IncalAsRun().learn(x, large, random.Random(1)).chance((2**60 + 1,)) == 0.0
    assert IncalLra().learn(x, large, random.Random(1)).chance((2**60 + 1,)) == 1.0


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.builds(
            Example,
            st.tuples(st.integers(-3, 3), st.sampled_from([1, 2, "no", Fraction(1, 3)])),
            st.booleans(),
        ),
        min_size=2,
        max_size=7,
        unique_by=lambda example: example.point,
    )
)
def test_incal_learns_the_same_whatever_it_learned_before(examples: list[Example]) -> None:
    variables = [Variable("x"), Variable("output")]
    shared = IncalLra()
    for size in range(2, len(examples) + 1):
        known, last = examples[: size - 1], examples[size - 1].point
        # As a committee does: the labels, then one more with either answer.
        for some in (known, [*known, Example(last, True)], [*known, Example(last, False)]):
            once = IncalLra().learn(variables, some, random.Random(1))
            assert shared.learn(variables, some, random.Random(1)) == once


def test_incal_asks_nothing_whose_answer_follows() -> None:
    x = [Variable("x")]
    # Not one half-plane, nor two clauses over one: the first four sizes are in vain.
    stripes = [Example((value,), value in (0, 4)) for value in range(6)]
    learner, before, after = IncalLra(), Work(10**9), Work(10**9)
    learner.learn(x, stripes, random.Random(1), before)
    learner.learn(x, [*stripes, Example((6,), False)], random.Random(1), after)
    fresh = Work(10**9)
    IncalLra().learn(x, [*stripes, Example((6,), False)], random.Random(1), fresh)
    assert after.steps > fresh.steps
    again = Work(0)
    assert learner.learn(x, stripes, random.Random(1), again).formula is not None
    assert again.steps == 0


@pytest.mark.parametrize("learner", [IncalLra(covers=False), IncalAsRun()])
def test_incal_without_a_cover_says_that_it_is_out_of_work(learner: Learner) -> None:
    parity = [Example((i,), i % 2 == 1) for i in range(40)]
    with pytest.raises(OutOfWork):
        learner.learn([Variable("x")], parity, random.Random(1), Work(500_000))


def test_z3_is_interrupted_at_the_deadline() -> None:
    """Without an interruption this takes days."""
    polls = iter(range(6))
    work = Work(10**15, lambda: next(polls, None) is not None)
    examples = [Example((i, (7 * i) % 11), i % 2 == 1) for i in range(60)]
    oracle = IncalLra().learn([Variable("x"), Variable("y")], examples, random.Random(1), work)
    assert oracle.exhausted
    assert not oracle.wrong


def test_incal_finds_half_planes_and_says_when_it_could_not() -> None:
    grid: list[Point] = list(itertools.product(range(4), repeat=2))
    two = [Variable("x"), Variable("y")]
    plane = IncalLra().learn(two, labelled(grid, lambda x, y: 3 * x - 2 * y <= 1), random.Random(1))
    assert not plane.wrong
    assert not plane.exhausted
    assert len(plane.formula.literals()) == 1
    parity = IncalLra().learn(
        [Variable("x")], [Example((i,), i % 2 == 1) for i in range(40)], random.Random(1), Work(500_000)
    )
    assert parity.exhausted
    assert not parity.wrong

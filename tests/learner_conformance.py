"""What every learner must do, whatever it is made of. Subclass it, and say how to make one:

    class TestMyLearner(LearnerConformance):
        def learner(self) -> Learner:
            return MyLearner()

`fits_exactly` is for learners that promise to be right on all examples when the points are distinct.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learn2fix.model import Example, Kind, Point, Scalar, Variable
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.work import STEPS, Work

OVERRUN = 2_000_000
"""Maximum number of steps beyond what was allowed: the last thing that was begun, one check of z3 at most."""
CRASH = "⟨crash: SIGSEGV⟩"

scalars: st.SearchStrategy[Scalar] = st.one_of(
    st.integers(-3, 3),
    st.integers(-(10**30), 10**30),
    st.fractions(min_value=-5, max_value=5, max_denominator=10),
    st.sampled_from(["", "yes", CRASH, "3"]),
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Variable], list[Example]]:
    """Up to 12 distinct points of up to 4 variables with any labels."""
    width = draw(st.integers(1, 4))
    points = draw(st.lists(st.tuples(*[scalars] * width), min_size=1, max_size=12, unique=True))
    kinds = [draw(st.sampled_from([Kind.INT, Kind.REAL, Kind.ANY])) for _ in range(width)]
    variables = [Variable(f"x{i}", kind) for i, kind in enumerate(kinds)]
    return variables, [Example(point, draw(st.booleans())) for point in points]


class LearnerConformance:
    """Tests that hold for every learner."""

    fits_exactly = True
    steps = STEPS
    """The work that learning may take."""
    after_deadline = 2_000_000
    """Maximum number of steps, a fraction of a second, between a deadline and the end."""
    examples = 60
    """Number of random problems to try."""

    def learner(self) -> Learner:
        raise NotImplementedError

    def learn(self, variables: Sequence[Variable], examples: Sequence[Example], seed: int = 1) -> Oracle:
        return self.learner().learn(variables, examples, random.Random(seed), Work(self.steps))

    def check_fit(self, oracle: Oracle, examples: Sequence[Example]) -> None:
        """Right on all examples, or (unless `fits_exactly`) at least a chance on each."""
        for example in examples:
            chance = oracle.chance(example.point)
            assert 0.0 <= chance <= 1.0
            if self.fits_exactly:
                assert (chance >= 0.5) == example.failing, example

    def test_has_a_name(self) -> None:
        assert self.learner().name

    @pytest.mark.hypothesis
    def test_fits_distinct_points(self) -> None:
        @given(problems())
        @settings(max_examples=self.examples, deadline=None, suppress_health_check=list(HealthCheck))
        def run(problem: tuple[list[Variable], list[Example]]) -> None:
            variables, examples = problem
            self.check_fit(self.learn(variables, examples), examples)

        run()

    def test_formula_and_chance_agree(self) -> None:
        variables, examples = _box()
        oracle = self.learn(variables, examples)
        if oracle.formula is not None:
            for x in range(-3, 12):
                for y in range(-3, 12):
                    assert oracle.formula.holds((x, y)) == (oracle.chance((x, y)) >= 0.5)

    def test_learns_something(self) -> None:
        """On a plain condition with many labels every learner is much better than chance."""
        variables, examples = _box()
        oracle = self.learn(variables, examples)
        grid = [(x, y) for x in range(10) for y in range(10)]
        right = sum((oracle.chance(point) >= 0.5) == _in_box(point) for point in grid)
        assert right >= 80

    def test_same_examples_and_seed_give_the_same_oracle(self) -> None:
        variables, examples = _box()
        first, second = self.learn(variables, examples), self.learn(variables, examples)
        assert first.formula == second.formula
        grid = [(x, y) for x in range(-3, 13) for y in range(-3, 13)]
        assert [first.chance(p) for p in grid] == [second.chance(p) for p in grid]

    def test_a_clock_that_jumps_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        variables, examples = _box()
        quiet = self.learn(variables, examples)
        jumps = random.Random(1)
        for name in ("monotonic", "perf_counter", "process_time", "time"):
            monkeypatch.setattr(time, name, lambda: jumps.uniform(0, 1e9))
        jumpy = self.learn(variables, examples)
        monkeypatch.undo()
        assert jumpy.formula == quiet.formula
        grid = [(x, y) for x in range(-3, 13) for y in range(-3, 13)]
        assert [jumpy.chance(p) for p in grid] == [quiet.chance(p) for p in grid]

    @pytest.mark.parametrize("polls", [0, 1, 20])
    def test_past_its_deadline_it_ends_soon(self, polls: int) -> None:
        """The deadline passes while it learns. What comes back is an oracle, and little was done after it."""
        left = iter(range(polls))
        at_deadline: list[int] = []

        def within() -> bool:
            if next(left, None) is not None:
                return True
            at_deadline.append(work.steps)
            return False

        work = Work(10**12, within)
        variables, examples = _hard()
        oracle = self.learner().learn(variables, examples, random.Random(1), work)
        assert all(0.0 <= oracle.chance(example.point) <= 1.0 for example in examples)
        if at_deadline:
            assert at_deadline[0] - work.steps <= self.after_deadline

    @pytest.mark.parametrize("steps", [0, 10_000, 1_000_000])
    def test_it_does_no_more_work_than_allowed(self, steps: int) -> None:
        variables, examples = _hard()
        work = Work(steps)
        oracle = self.learner().learn(variables, examples, random.Random(1), work)
        assert all(0.0 <= oracle.chance(example.point) <= 1.0 for example in examples)
        assert work.steps >= -OVERRUN

    def test_examples_are_not_changed(self) -> None:
        variables, examples = _box()
        before = list(examples)
        self.learn(variables, examples)
        assert examples == before

    def test_failing_points_alone_mean_always(self) -> None:
        oracle = self.learn([Variable("x")], [Example((3,), True), Example((5,), True)])
        assert oracle.chance((3,)) >= 0.5
        assert oracle.chance((-(10**6),)) >= 0.5
        assert oracle.chance((CRASH,)) >= 0.5

    def test_passing_points_alone_mean_never(self) -> None:
        oracle = self.learn([Variable("x")], [Example((3,), False), Example((5,), False)])
        assert oracle.chance((3,)) < 0.5
        assert oracle.chance((CRASH,)) < 0.5

    def test_no_examples_at_all(self) -> None:
        assert 0.0 <= self.learn([Variable("x")], []).chance((1,)) <= 1.0

    def test_text_where_numbers_are_expected(self) -> None:
        variables = [Variable("x"), Variable("out")]
        examples = [
            Example((1, 1), False),
            Example((2, 4), False),
            Example((3, CRASH), True),
            Example((9, CRASH), True),
            Example((5, "usage"), False),
        ]
        oracle = self.learn(variables, examples)
        self.check_fit(oracle, examples)
        assert 0.0 <= oracle.chance((4, "never seen")) <= 1.0
        assert 0.0 <= oracle.chance(("text", "too")) <= 1.0

    def test_fractions(self) -> None:
        examples = [Example((Fraction(i, 10),), i > 4) for i in range(10)]
        oracle = self.learn([Variable("x", Kind.REAL)], examples)
        self.check_fit(oracle, examples)
        assert oracle.chance((Fraction(2, 7),)) < 0.5
        assert oracle.chance((Fraction(6, 7),)) >= 0.5

    def test_numbers_of_thirty_digits(self) -> None:
        huge = 10**30
        examples = [Example((huge + i,), i >= 3) for i in range(6)]
        oracle = self.learn([Variable("x")], examples)
        self.check_fit(oracle, examples)
        assert 0.0 <= oracle.chance((-(10**40),)) <= 1.0

    def test_one_point_twice_with_contradictory_labels(self) -> None:
        """Not an error: the majority counts, failing on a tie; and the other points are still learned."""
        examples = [
            Example((1,), True),
            Example((1,), False),
            Example((7,), False),
            Example((7,), False),
            Example((7,), True),
            Example((9,), False),
        ]
        oracle = self.learn([Variable("x")], examples)
        if self.fits_exactly:
            assert oracle.chance((1,)) >= 0.5
            assert oracle.chance((7,)) < 0.5
            assert oracle.chance((9,)) < 0.5
        else:
            assert 0.0 <= oracle.chance((1,)) <= 1.0

    def test_repeated_examples_change_nothing_that_was_right(self) -> None:
        variables, examples = _box()
        self.check_fit(self.learn(variables, examples + examples[:5]), examples)


def _in_box(point: Point) -> bool:
    x, y = point
    assert isinstance(x, int)
    assert isinstance(y, int)
    return x >= 4 and y <= 6


def _hard() -> tuple[list[Variable], list[Example]]:
    """Labels that no short condition explains."""
    rng = random.Random(3)
    points = sorted({(rng.randint(-30, 30), rng.randint(-30, 30), rng.randint(0, 9)) for _ in range(60)})
    return [Variable(name) for name in "xyz"], [Example(point, rng.random() < 0.5) for point in points]


def _box() -> tuple[list[Variable], list[Example]]:
    rng = random.Random(7)
    points = sorted({(rng.randint(0, 9), rng.randint(0, 9)) for _ in range(40)})
    return [Variable("x"), Variable("y")], [Example(point, _in_box(point)) for point in points]

"""What every learner must do, whatever it is made of. Subclass it, and say how to make one:

    class TestMyLearner(LearnerConformance):
        def learner(self) -> Learner:
            return MyLearner()

`fits_exactly` is for learners that promise to be right on all examples when the points are distinct.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learn2fix.model import Example, Kind, Point, Scalar, Variable
from learn2fix.oracles.protocol import Learner, Oracle

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
    seconds = 5.0
    examples = 60
    """How many random problems to try."""

    def learner(self) -> Learner:
        raise NotImplementedError

    def learn(self, variables: Sequence[Variable], examples: Sequence[Example], seed: int = 1) -> Oracle:
        return self.learner().learn(variables, examples, random.Random(seed), seconds=self.seconds)

    def check_fit(self, oracle: Oracle, examples: Sequence[Example]) -> None:
        """Right on all examples, or (unless `fits_exactly`) at least a chance on each."""
        for example in examples:
            chance = oracle.chance(example.point)
            assert 0.0 <= chance <= 1.0
            if self.fits_exactly:
                assert (chance >= 0.5) == example.failing, example

    def test_has_a_name(self) -> None:
        assert self.learner().name

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


def _box() -> tuple[list[Variable], list[Example]]:
    rng = random.Random(7)
    points = sorted({(rng.randint(0, 9), rng.randint(0, 9)) for _ in range(40)})
    return [Variable("x"), Variable("y")], [Example(point, _in_box(point)) for point in points]

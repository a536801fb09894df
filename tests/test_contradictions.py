"""Contradictory answers are noticed, slips are pointed out, and honest answers are left alone."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.model import (
    Answer,
    Ending,
    Example,
    Input,
    Kind,
    Label,
    Observation,
    Outcome,
    Variable,
    Verdict,
)
from learn2fix.oracles.contradictions import contradicted, likely_slip

X = (Variable("x", Kind.INT), Variable("y", Kind.INT))


def label(text: str, verdict: Verdict) -> Label:
    return Label(Observation(Input(text), Outcome(Ending.EXITED, b"1")), Answer(verdict))


def test_the_opposite_of_the_same_point_is_found() -> None:
    def point(each: Label) -> tuple[float, ...]:
        return (float(each.observation.input.text),)

    known = [label("1", Verdict.BUG), label("2.0", Verdict.OK), label("3", Verdict.UNSURE)]
    assert contradicted(label("2", Verdict.BUG), known, point) == known[1]  # type: ignore[arg-type]
    assert contradicted(label("2.00", Verdict.OK), known, point) is None  # type: ignore[arg-type]
    assert contradicted(label("3", Verdict.BUG), known, point) is None  # type: ignore[arg-type]
    assert contradicted(label("1.0", Verdict.UNSURE), known, point) is None  # type: ignore[arg-type]


@given(st.integers(-20, 20), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_honest_answers_about_a_threshold_are_no_slips(limit: int, seed: int) -> None:
    rng = random.Random(seed)
    points = [(rng.randint(-60, 60), rng.randint(-60, 60)) for _ in range(12)]
    assert likely_slip(X, [Example(point, point[0] > limit) for point in points]) is None


def test_a_slip_far_inside_is_pointed_out_with_the_condition_without_it() -> None:
    examples = [Example((x, (x * x) % 7), x > 10) for x in range(-30, 51, 3) if x != -12]
    slip = Example((-12, 2), True)
    found = likely_slip(X, [*examples, slip])
    assert found is not None
    assert found[0] == slip
    assert found[1].text(X) == "x > 10"
    assert likely_slip(X, examples) is None
    assert likely_slip(X, [*examples[:5], slip]) is None  # too few to say

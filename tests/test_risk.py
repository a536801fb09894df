"""The stated risk: exact where it can be computed, and in simulation at least as large as the truth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.line_domain import integers, labelled, running
from tests.simulated_bugs import BUGS, Bug

from learn2fix.fuzzing import EXTENDED, PAPER, Fuzzer, infer
from learn2fix.labels.learning import Learned, Learning, Setup
from learn2fix.model import Answer, Observation, Verdict
from learn2fix.oracles.decision_tree import ForestLearner, TreeLearner
from learn2fix.oracles.risk import Prediction, assess, at_most, clopper_pearson, from_answers, from_committee
from learn2fix.querying import AsRunRule, SpreadRule, Stop

RIGHT_BUG, RIGHT_PASS = Prediction(0.9, True), Prediction(0.1, False)
MISSED_BUG, FALSE_ALARM = Prediction(0.1, True), Prediction(0.9, False)


@pytest.mark.parametrize(
    ("wrong", "total", "expected"),
    [(0, 10, 0.2589), (0, 3, 0.6316), (1, 10, 0.3942), (5, 5, 1.0), (0, 0, 1.0)],
)
def test_clopper_and_pearson(wrong: int, total: int, expected: float) -> None:
    assert clopper_pearson(wrong, total) == pytest.approx(expected, abs=1e-4)


@given(st.integers(0, 30), st.floats(0.01, 0.99))
def test_at_most_is_a_distribution(total: int, share: float) -> None:
    assert at_most(total, total, share) == pytest.approx(1.0)
    chances = [at_most(k, total, share) for k in range(total + 1)]
    assert chances == sorted(chances)


@given(st.integers(1, 40), st.floats(0.02, 0.98))
def test_the_exact_bound_covers_random_samples(total: int, share: float) -> None:
    """Summed over all samples, the bound lies below the truth with a chance of at most 5 %."""
    missed = sum(
        at_most(k, total, share) - (at_most(k - 1, total, share) if k else 0.0)
        for k in range(total + 1)
        if clopper_pearson(k, total) < share - 1e-9
    )
    assert missed <= 0.05 + 1e-9


def test_right_answers_lower_the_risk_and_wrong_ones_raise_it() -> None:
    few = assess([RIGHT_BUG, RIGHT_PASS] * 3, [0.1], 0.5)
    many = assess([RIGHT_BUG, RIGHT_PASS] * 15, [0.1], 0.5)
    wrong = assess([RIGHT_BUG, MISSED_BUG, FALSE_ALARM] * 10, [0.1], 0.5)
    assert many.upper95 < few.upper95
    assert many.estimate < wrong.estimate
    assert from_answers([RIGHT_BUG] * 20, 0.5) < from_answers([RIGHT_BUG, FALSE_ALARM] * 10, 0.5)


def test_what_was_never_asked_about_may_all_be_wrong() -> None:
    # Only predicted bugs were asked about, and four of five generated inputs are predicted to pass.
    assert from_answers([RIGHT_BUG] * 100, 0.2) >= 0.8


def test_a_committee_that_disagrees_bounds_little() -> None:
    answers = [RIGHT_BUG] * 10 + [RIGHT_PASS] * 10
    assert from_committee(answers, []) == 1.0
    assert from_committee(answers, [0.0] * 50) == pytest.approx(0.1)
    assert from_committee(answers, [0.0] * 40 + [0.6] * 10) == pytest.approx(0.7)
    assert from_committee([*answers[:-2], MISSED_BUG, FALSE_ALARM], [0.0] * 50) == pytest.approx(0.2)


def test_a_committee_that_heard_only_one_answer_bounds_nothing() -> None:
    assert from_committee([RIGHT_BUG] * 19, [0.0] * 50) == 1.0


@given(
    st.lists(st.builds(Prediction, st.floats(0, 1), st.booleans()), max_size=30),
    st.lists(st.floats(0, 1), max_size=20),
    st.floats(0, 1),
)
def test_a_risk_is_a_chance_and_its_bound_is_no_smaller(
    predictions: list[Prediction], shares: list[float], bugs: float
) -> None:
    risk = assess(predictions, shares, bugs)
    assert 0 <= risk.estimate <= risk.upper95 <= 1
    assert risk.method


def simulate(bug: Bug, seed: int, labels: int, paper: bool) -> tuple[Learned, float]:
    """What a run ends with, and how often its oracle is wrong on fresh inputs of the same kind."""
    line = integers(len(bug.failing))
    first = labelled(line, bug.buggy, bug.failing, Verdict.BUG)
    contract = None if paper else infer([bug.failing])
    given = [first.observation.input]
    operators = PAPER if paper else EXTENDED
    rule = AsRunRule() if paper else SpreadRule(stops=False)
    if isinstance(rule, SpreadRule):
        rule.pool, rule.growth = 40, 2
    learning = Learning(
        Setup(
            domain=line,
            known=[first],
            run=running(bug.buggy),
            fuzzer=Fuzzer(line, given, random.Random(seed), operators=operators, contract=contract),
            learner=TreeLearner() if paper else ForestLearner(trees=15),
            rule=rule,
            rng=random.Random(seed),
            labels=labels,
            generated=400,
        )
    )
    while len(learning.asked) < labels and not isinstance(chosen := learning.choose(), Stop):
        shows = bug.shows(*chosen[0].observation.input.values)
        learning.record(Answer(Verdict.BUG if shows else Verdict.OK))
    fresh = learning.setup.fuzzer.sample(120, random.Random(seed + 1000))
    observations = [
        Observation(new, outcome) for new, outcome in zip(fresh, running(bug.buggy)(fresh), strict=True)
    ]
    wrong = [
        (learning.oracle.chance(line.point(each)) >= 0.5) != bug.shows(*each.input.values)
        for each in observations
    ]
    return learning.learned(), sum(wrong) / len(wrong)


@pytest.mark.quality
@pytest.mark.parametrize("paper", [False, True])
def test_the_bound_covers_the_truth_in_simulated_runs(paper: bool) -> None:
    covered = total = 0
    for seed, bug in enumerate(BUGS):
        for labels in (6, 14):
            learned, truth = simulate(bug, seed, labels, paper)
            risk = learned.risk(committee=25)
            covered += truth <= risk.upper95
            total += 1
    assert covered / total >= 0.95


@pytest.mark.quality
def test_the_bound_says_something() -> None:
    bounds = [simulate(bug, 1, 20, False)[0].risk().upper95 for bug in BUGS[:5]]
    assert sum(bounds) / len(bounds) < 0.35

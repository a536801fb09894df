"""Confidence is weighed from what a session knows; what is not likely enough is not called the repair."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeProgram, problem_of
from tests.strategy_conformance import STRATEGIES, program, run

from learn2fix.errors import BuildError
from learn2fix.guided.confidence import Model, confidence, model
from learn2fix.guided.signals import Signals

SURE = Signals(
    weight=1.0,
    majority=1.0,
    few_answers=0.25,
    cut_short=0,
    cost=1.0,
    foreseen_bugs=2,
    foreseen_fines=1,
    unconfirmed=0.25,
    unsettled=0.0,
    surprises=0,
    held=3,
    unanswered=0,
    fixes=0.0,
    changed=0.2,
    right_answers=3,
    switched_off=0,
    unexecuted=0.0,
    structured=0,
)


def test_the_model_weighs_signals_that_there_are() -> None:
    assert set(model().weights) <= {field.name for field in fields(Signals)}


def test_a_patch_that_everything_speaks_for_is_likely() -> None:
    assert confidence(SURE) >= 0.9


@pytest.mark.parametrize(
    "worse",
    [
        {"weight": 0.3, "majority": 0.6, "unsettled": 0.2},
        {"switched_off": 1},
        {"unexecuted": 0.5},
        {"unconfirmed": 1.0},
        {"cut_short": 1},
        {"few_answers": 1.0},
    ],
)
def test_what_speaks_against_a_patch_makes_it_less_likely(worse: dict[str, float]) -> None:
    assert confidence(replace(SURE, **worse)) < confidence(SURE) - 0.02  # type: ignore[arg-type]


def test_a_patch_that_several_things_speak_against_is_not_called_the_repair() -> None:
    assert confidence(replace(SURE, switched_off=1, cut_short=1, surprises=3)) < 0.8
    assert confidence(replace(SURE, few_answers=1.0, cost=3.5)) < 0.8
    assert confidence(replace(SURE, majority=0.4, weight=0.2, unsettled=0.2)) < 0.8


@given(st.floats(-1e6, 1e6), st.dictionaries(st.sampled_from("ab"), st.floats(-1e6, 1e6)))
def test_a_chance_is_a_chance(bias: float, weights: dict[str, float]) -> None:
    assert 0 <= Model(bias, weights).chance({"a": 1.0, "b": -3.0}) <= 1


def split() -> FakeProgram:
    """Two fixes that are as likely and differ everywhere; the failing input has both print the same."""
    return FakeProgram(lambda a, b: 0, {"sum": lambda a, b: a + b, "product": lambda a, b: a * b})


def test_without_an_answer_two_fixes_that_differ_are_undecided() -> None:
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(split(), "2 2", "4"), labels=0)
    found = strategy.findings()
    assert found.status == "undecided"
    assert len(found.patches) == 2
    assert sum(patch.confidence for patch in found.patches) <= 1
    strategy.close()


class Choosy(FakeProgram):
    """As the user builds it, one of its fixes does not hold."""

    def patched(self, text: bytes) -> FakeProgram:
        if text == b"sum":
            raise BuildError("it does not compile")
        return super().patched(text)


def test_where_the_likeliest_fix_does_not_hold_the_next_one_has_its_share() -> None:
    fixes = {"sum": lambda a, b: a + b, "product": lambda a, b: a * b}
    found = []
    for some in (fixes, {"product": fixes["product"]}):
        _, strategy, _ = run(
            STRATEGIES["guided"], problem_of(Choosy(lambda a, b: 0, some), "2 2", "4"), labels=0
        )
        found.append(strategy.findings())
        strategy.close()
    assert [len(each.patches) for each in found] == [1, 1]
    assert found[0].patches[0].confidence >= 0.8 * found[1].patches[0].confidence


def test_what_is_enough_is_up_to_the_user() -> None:
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(split(), "2 2", "4", confident=0.0), labels=0)
    assert strategy.findings().status == "repaired"
    strategy.close()


def test_the_signals_are_told() -> None:
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(program(), "3 5"), labels=10)
    found = strategy.findings()
    assert found.status == "repaired"
    assert found.signals["weight"] == pytest.approx(1.0, abs=0.2)
    assert found.signals["foreseen_bugs"] >= 1
    assert found.patches[0].confidence == pytest.approx(model().chance(found.signals))
    strategy.close()

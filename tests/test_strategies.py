"""Every strategy passes the conformance suite; and what only the guided one does."""

from __future__ import annotations

import pytest
from tests.fake_program import FakeProgram, problem_of
from tests.strategy_conformance import STRATEGIES, StrategyConformance, make, program, run

from learn2fix.model import Answer, Question, Verdict, once_each

__all__ = ["make"]


class TestEveryStrategy(StrategyConformance):
    pass


def test_the_right_fix_is_found_and_offered() -> None:
    asked, strategy, _ = run(STRATEGIES["guided"], problem_of(program(), "3 5"), labels=10)
    found = strategy.findings()
    assert found.patches[0].candidate.edits[0].text == b"right"
    assert found.status == "repaired"
    assert 0 < len(asked) < 10
    strategy.close()


def test_nothing_is_offered_when_no_fix_agrees() -> None:
    hopeless = FakeProgram(lambda a, b: a, {"always the second": lambda a, b: b, "sum": lambda a, b: a + b})
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(hopeless, "3 5"))
    assert strategy.findings().status == "no_patch"
    strategy.close()


def test_a_program_that_never_ends_on_the_failing_input_is_repaired() -> None:
    endless = FakeProgram(
        lambda a, b: ... if b > a else a,
        {"sum": lambda a, b: a + b, "right": max, "never ends": lambda a, b: ...},
        work_of=lambda given: 10**9 if given.values[1] > given.values[0] else 10,
    )
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(endless, "3 5"))
    assert strategy.findings().patches[0].candidate.edits[0].text == b"right"
    strategy.close()


def test_inputs_that_take_long_are_neither_run_nor_asked_about() -> None:
    slow = program()
    slow.work_of = lambda given: 10**7 if sum(given.values) > 50 else 10
    asked, strategy, _ = run(STRATEGIES["guided"], problem_of(slow, "3 5"))
    assert asked
    assert all(sum(question.observation.input.values) <= 50 for question in asked)
    strategy.close()


@pytest.mark.parametrize("feedback", ["verdict", "choice", "output"])
def test_choices_are_what_fixes_print_and_verdicts_get_none(feedback: str) -> None:
    def said(question: Question) -> Answer:
        wanted, shown = str(max(question.observation.input.values)), question.observation.outcome.response
        offered = [str(choice) for choice in question.choices]
        assert question.reported == (question.number == 1 and feedback != "verdict")
        assert feedback != "verdict" or not offered
        assert not offered or (str(shown) in offered) != question.reported
        if wanted == str(shown):
            return Answer(Verdict.OK)
        return Answer(Verdict.BUG, wanted if wanted in offered else None)

    problem = problem_of(program(), "3 5", feedback=feedback)
    asked, strategy, _ = run(STRATEGIES["guided"], problem, said, labels=10)
    assert any(question.choices for question in asked) == (feedback != "verdict")
    assert strategy.findings().patches[0].candidate.edits[0].text == b"right"
    strategy.close()


def test_fixes_that_differ_where_the_bug_was_reported_are_told_apart_by_a_second_offer() -> None:
    """They differ on the reported input alone, and what is right there is not among the first responses."""
    fixes = {f"fix {n}": (lambda a, b, n=n: 100 + n if (a, b) == (3, 5) else max(a, b)) for n in range(12)}
    odd = FakeProgram(lambda a, b: 0 if (a, b) == (3, 5) else max(a, b), fixes)

    def said(question: Question) -> Answer:
        given, shown = question.observation.input, question.observation.outcome.response
        offered = [str(choice) for choice in question.choices]
        right = "110" if given.values == (3, 5) else str(max(given.values))
        if right == str(shown):
            return Answer(Verdict.OK)
        if right in offered:
            return Answer(Verdict.BUG, right)
        return Answer(Verdict.BUG, rejected=tuple(each for each in offered if each != str(shown)))

    problem = problem_of(odd, "3 5", feedback="choice")
    asked, strategy, _ = run(STRATEGIES["guided"], problem, said, labels=10)
    offers = [set(question.choices) for question in asked if question.reported]
    assert len(offers) == 2
    assert not offers[0] & offers[1]
    found = strategy.findings()
    assert found.patches[0].candidate.edits[0].text == b"fix 10"
    assert found.questions == len(asked)
    (label,) = [each for each in once_each(found.labels) if each.observation.input.values == (3, 5)]
    assert label.answer.expected == "110"
    strategy.close()


def test_the_one_fix_that_is_left_is_confirmed_where_the_bug_was_reported() -> None:
    """None of the first responses was right there, and nothing tells the fixes that are left apart."""
    fixes = {f"fix {n}": (lambda a, b, n=n: 100 + n if (a, b) == (3, 5) else max(a, b)) for n in range(9)}
    odd = FakeProgram(lambda a, b: 0 if (a, b) == (3, 5) or a > 5 else max(a, b), fixes)

    def said(question: Question) -> Answer:
        offered = [str(choice) for choice in question.choices]
        shown, right = str(question.observation.outcome.response), max(question.observation.input.values)
        if not question.reported:
            return Answer(Verdict.OK) if shown == str(right) else Answer(Verdict.BUG, str(right))
        return (
            Answer(Verdict.BUG, "108") if "108" in offered else Answer(Verdict.BUG, rejected=tuple(offered))
        )

    problem = problem_of(odd, "3 5", feedback="choice")
    asked, strategy, _ = run(STRATEGIES["guided"], problem, said, labels=10)
    offers = [[str(each) for each in question.choices] for question in asked if question.reported]
    assert len(offers) == 2
    assert "108" not in offers[0]
    assert offers[1] == ["108"]
    assert strategy.findings().patches[0].candidate.edits[0].text == b"fix 8"
    strategy.close()


def test_fixes_that_differ_where_nobody_said_what_is_right_are_not_one_fix() -> None:
    """Else any of them would be offered with the trust that belongs to all."""
    fixes = {f"fix {n}": (lambda a, b, n=n: 100 + n if (a, b) == (3, 5) else max(a, b)) for n in range(4)}
    odd = FakeProgram(lambda a, b: 0 if (a, b) == (3, 5) else max(a, b), fixes)
    problem = problem_of(odd, "3 5", feedback="output")
    _, strategy, _ = run(
        STRATEGIES["guided"],
        problem,
        lambda question: Answer(Verdict.BUG if question.reported else Verdict.OK),
        labels=6,
    )
    found = strategy.findings()
    assert found.status == "undecided"
    assert len({patch.candidate.edits for patch in found.patches}) > 1
    assert found.patches[0].confidence < 0.5
    assert "on '3 5' it gives" in " ".join(found.doubts)
    strategy.close()

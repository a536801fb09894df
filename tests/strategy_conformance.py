"""What every strategy does, whoever answers: run over each of them in test_strategies.py.

A new strategy (conversation.protocol) is added to STRATEGIES and passes these tests.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fake_program import FakeProgram, problem_of

from learn2fix import events
from learn2fix.conversation.loop import converse
from learn2fix.conversation.problem import Problem
from learn2fix.conversation.protocol import Strategy
from learn2fix.guided.from_tests import FromTests
from learn2fix.guided.strategy import Guided
from learn2fix.labels.strategy import FromLabels
from learn2fix.model import Answer, Control, Question, Reply, Verdict

Make = Callable[[Problem], Strategy]


def source_of(problem: Problem) -> FakeProgram:
    program = problem.subject
    assert isinstance(program, FakeProgram)
    return program


def as_paper(problem: Problem, as_run: bool = False) -> Problem:
    return replace(problem, options=replace(problem.options, strategy="paper", as_run=as_run))


STRATEGIES: dict[str, Make] = {
    "guided": lambda problem: Guided(problem, source_of(problem)),
    "from tests": lambda problem: FromTests(problem, source_of(problem)),
    "labels, forest": lambda problem: FromLabels(problem, "forest", "spread", None),
    "labels, smt, paper": lambda problem: FromLabels(problem, "smt", "paper", None),
    "paper": lambda problem: FromLabels(as_paper(problem), "incal", "paper", None),
    "paper, as run": lambda problem: FromLabels(as_paper(problem, as_run=True), "incal", "as-run", None),
    "labels, patches, paper": lambda problem: FromLabels(problem, "patches", "paper", source_of(problem)),
}


def larger(a: int, b: int) -> int:
    return max(a, b)


def program() -> FakeProgram:
    """The larger of two numbers, wrong where the second one is; several fixes, one of them right."""
    return FakeProgram(
        lambda a, b: a,
        {
            "always the second": lambda a, b: b,
            "sum": lambda a, b: a + b,
            "right": larger,
            "right on small numbers": lambda a, b: max(a, b) if a + b < 1000 else a,
            "never ends": lambda a, b: ...,
            "divides": lambda a, b: a // (b - b),
            "smaller": min,
        },
    )


def truth(question: Question) -> Answer:
    wanted = str(larger(*question.observation.input.values))
    right = str(question.observation.outcome.response) == wanted
    return Answer(Verdict.OK) if right else Answer(Verdict.BUG, wanted)


def uneven_clock(seed: int) -> Callable[[], float]:
    """Time that passes in leaps, and now and then stands still."""
    rng, now = random.Random(seed), [0.0]

    def clock() -> float:
        now[0] += rng.choice((0.0, 0.001, 7.0))
        return now[0]

    return clock


def run(
    make: Make, problem: Problem, answer: Callable[[Question], Reply] = truth, labels: int = 6
) -> tuple[list[Question], Strategy, str]:
    strategy = make(problem)
    conversation = converse(strategy, labels=labels, late=lambda: problem.late, emit=problem.emit)
    asked: list[Question] = []
    try:
        question = next(conversation)
        while True:
            asked.append(question)
            strategy.condition(lambda: False)  # what is read between two questions changes nothing
            strategy.chances([question.observation])
            question = conversation.send(answer(question))
    except StopIteration as end:
        return asked, strategy, end.value


class StrategyConformance:
    """Subclasses provide the fixture `make`."""

    def test_asks_at_most_as_often_as_agreed_about_distinct_inputs(self, make: Make) -> None:
        asked, strategy, reason = run(make, problem_of(program(), "3 5", "5"))
        assert len(asked) <= 6
        assert len({question.observation.input.text for question in asked} | {"3 5"}) == len(asked) + 1
        assert [question.number for question in asked] == list(range(1, len(asked) + 1))
        found = strategy.findings()
        assert found.questions == len(asked)
        assert [label.observation for label in found.labels[1:]] == [q.observation for q in asked]
        assert reason
        strategy.close()

    def test_the_same_answers_lead_to_the_same_questions_whatever_the_clock_says(self, make: Make) -> None:
        runs = []
        for seed in (1, 2):
            asked, strategy, reason = run(make, problem_of(program(), "3 5", clock=uneven_clock(seed)))
            found = strategy.findings()
            runs.append((asked, reason, found.condition, [patch.id for patch in found.patches]))
            strategy.close()
        assert runs[0] == runs[1]

    def test_replaying_a_prefix_of_the_answers_arrives_at_the_same_question(self, make: Make) -> None:
        asked, strategy, _ = run(make, problem_of(program(), "3 5"))
        strategy.close()
        again, strategy, reason = run(
            make,
            problem_of(program(), "3 5"),
            lambda question: Control.FINISH if question.number == 3 else truth(question),
        )
        assert again == asked[: len(again)]
        assert len(asked) < 3 or reason == "the person finished"
        strategy.close()

    def test_answers_that_teach_nothing_do_no_harm(self, make: Make) -> None:
        for verdict in (Verdict.UNSURE, Verdict.INVALID):
            _, strategy, _ = run(make, problem_of(program(), "3 5"), lambda _, v=verdict: Answer(v))
            found = strategy.findings()
            assert all(0.0 <= chance <= 1.0 for chance in strategy.chances([found.labels[0].observation]))
            strategy.close()

    def test_what_was_answered_is_predicted_as_answered(self, make: Make) -> None:
        _, strategy, _ = run(make, problem_of(program(), "3 5", "5"))
        for label in strategy.findings().labels:
            chance = strategy.chances([label.observation])[0]
            assert chance == (1.0 if label.answer.verdict is Verdict.BUG else 0.0)
        strategy.close()

    def test_when_the_time_is_up_it_ends_with_what_it_knows(self, make: Make) -> None:
        now = [0.0]
        problem = problem_of(program(), "3 5", clock=lambda: now[0], timeout=10)

        def late(question: Question) -> Answer:
            now[0] = 11.0
            return truth(question)

        asked, strategy, _ = run(make, problem, late)
        assert len(asked) <= 1
        assert strategy.findings().questions == len(asked)
        strategy.close()

    def test_events_tell_the_story(self, make: Make) -> None:
        heard: list[events.Event] = []
        asked, strategy, reason = run(make, problem_of(program(), "3 5", emit=heard.append))
        told = [event for event in heard if isinstance(event, events.Asked)]
        assert [event.question for event in told] == asked
        assert [event.reason for event in heard if isinstance(event, events.Stopped)] == [reason]
        strategy.close()


@pytest.fixture(params=STRATEGIES)
def make(request: pytest.FixtureRequest) -> Make:
    return STRATEGIES[request.param]

"""Patches as the oracle of the paper's loop: asked about as the paper asks, and refused without a source."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fake_program import FakeProgram, problem_of
from tests.learner_conformance import LearnerConformance

from learn2fix.conversation.problem import Problem
from learn2fix.edits.protocol import Hints
from learn2fix.errors import UsageError
from learn2fix.labels.patch_learner import PatchLearner
from learn2fix.model import Answer, Candidate, Example, Question, Verdict
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.registry import learner
from learn2fix.repair.space import Space
from learn2fix.session import Options, Result, Session

FIXES: dict[str, Callable[[int, int], int]] = {
    "never": lambda a, b: a + b,
    "equal": lambda a, b: a + b + (a == b),
    "less": lambda a, b: a + b + (a < b),
    "at most": lambda a, b: a + b + (a <= b),
    "large": lambda a, b: a + b + (a > 5),
}


def patches() -> tuple[PatchLearner, Problem]:
    """Of a program that adds up two numbers and fails on 2 2; a right answer may be one more."""
    program = FakeProgram(FIXES["never"], FIXES)
    problem = problem_of(program, "2 2")

    def stage(space: Space) -> Iterator[Candidate]:
        return program.edits(Hints())

    space = Space(program.evaluator(problem.clock), [stage], clock=problem.clock)
    sketch = problem.observe([problem.domain.render((a, b)) for a in range(4) for b in range(4)])
    return PatchLearner(problem, space, sketch, learner("forest")), problem


class TestPatchLearner(LearnerConformance):
    """On points that it never saw as inputs, it learns as its fallback does."""

    def learner(self) -> Learner:
        return patches()[0]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8, unique=True),
    st.sampled_from(sorted(FIXES)),
    st.integers(0, 7),
)
@settings(max_examples=60)
def test_on_inputs_that_were_run_the_patches_that_agree_decide(
    values: list[tuple[int, int]], truth: str, slip: int
) -> None:
    learned, problem = patches()
    observations = problem.observe([problem.domain.render(each) for each in values])
    learned.saw(observations)
    examples = [
        Example(problem.domain.point(each), FIXES[truth](*each.input.values) != sum(each.input.values))
        for each in observations
    ]
    variables = problem.domain.all_variables
    oracle = learned.learn(variables, examples, random.Random(1))
    assert [oracle.chance(e.point) >= 0.5 for e in examples] == [e.failing for e in examples]
    again = learned.learn(variables, examples, random.Random(1))
    assert [again.chance(e.point) for e in examples] == [oracle.chance(e.point) for e in examples]
    # Whatever is said of an input, an oracle comes back that agrees with it: of patches, or of labels alone.
    wrong = [replace(e, failing=e.failing != (place == slip)) for place, e in enumerate(examples)]
    mistaken = learned.learn(variables, wrong, random.Random(1))
    assert [mistaken.chance(e.point) >= 0.5 for e in wrong] == [e.failing for e in wrong]


PROGRAM = """\
def bill(price: int, count: int) -> int:
    total = price * count
    if count > 10:
        total = total - total // 10
    return total
"""
CHOICE = Options(strategy="paper", learner="patches", labels=5, seed=2, only_learn=True, mutations="extended")


def right(price: int, count: int) -> int:
    total = price * count
    return total - total // 10 if count >= 10 else total


def reply(question: Question) -> Answer:
    observation = question.observation
    wanted = str(right(*observation.input.values))
    return Answer(Verdict.OK) if str(observation.outcome.response) == wanted else Answer(Verdict.BUG, wanted)


def converse(session: Session) -> tuple[Result, list[Question]]:
    asked: list[Question] = []
    conversation = session.conversation()
    try:
        question = next(conversation)
        while True:
            asked.append(question)
            question = conversation.send(reply(question))
    except StopIteration as stop:
        return stop.value, asked


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "shop.py"
    path.write_text(PROGRAM)
    return f"{path}:bill"


def test_the_patches_are_asked_about_as_in_the_paper(program: str) -> None:
    asked = []
    for _ in range(2):
        with Session.create(program, ["100, 10"], CHOICE) as session:
            result, questions = converse(session)
            asked.append([question.observation.input.text for question in questions])
            assert result.oracle_kind == "patches"
            assert result.effort.candidates > 100
            for question in questions:
                assert question.why.startswith(("so far, this looks like the bug", "one more answer could"))
            bug, fine, other = session.chances(["70, 10", "70, 9", "70, 11"])
            assert bug > 0.5 > max(fine, other)
            assert "10" in result.condition
    assert asked[0] == asked[1]


def test_without_source_patches_are_refused() -> None:
    command = [sys.executable, "-c", "print(int(input()) + 1)"]
    with pytest.raises(UsageError, match="--learner tree"):
        Session.create(command, ["1"], CHOICE)


def test_what_only_failing_inputs_say_is_unsure(tmp_path: Path) -> None:
    """One failing input says nothing of the others; labels of both kinds do, near them."""
    command = [sys.executable, "-c", "print(int(input()) + 1)"]
    for name in ("smt", "tree", "forest"):
        options = Options(learner=name, labels=4, seed=random.Random(1).randrange(99))
        with Session.create(command, ["5"], options) as session:
            assert session.predict(["5", "6"]) == [Verdict.BUG, Verdict.UNSURE]
            conversation = session.conversation()
            question = next(conversation)
            for _ in range(3):
                value = question.observation.input.values[0]
                question = conversation.send(Answer(Verdict.BUG if value >= 5 else Verdict.OK))
            said = [label.answer.verdict for label in session.result().labels]
            assert set(said) == {Verdict.BUG, Verdict.OK}
            assert session.predict(["9"]) != session.predict(["1"])

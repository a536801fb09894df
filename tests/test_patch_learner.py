"""Patches as the oracle of the paper's loop: asked about as the paper asks, and refused without a source."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from learn2fix.errors import UsageError
from learn2fix.model import Answer, Question, Verdict
from learn2fix.session import Options, Result, Session

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
    for learner in ("smt", "tree", "forest"):
        options = Options(strategy="paper", learner=learner, labels=4, seed=random.Random(1).randrange(99))
        with Session.create(command, ["5"], options) as session:
            assert session.predict(["5", "6"]) == [Verdict.BUG, Verdict.UNSURE]
            conversation = session.conversation()
            question = next(conversation)
            for _ in range(3):
                value = question.observation.input.values[0]
                question = conversation.send(Answer(Verdict.BUG if value > 0 else Verdict.OK))
            said = [label.answer.verdict for label in session.result().labels]
            assert set(said) == {Verdict.BUG, Verdict.OK}
            assert session.predict(["1000"]) != session.predict(["-1000"])

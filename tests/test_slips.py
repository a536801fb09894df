"""Answers that do not fit the others are asked for again, and what is said then counts."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeProgram, problem_of

from learn2fix.conversation.loop import converse
from learn2fix.conversation.result import Findings
from learn2fix.guided.slips import MOST_AGAIN, odds_of_slip
from learn2fix.guided.strategy import Guided
from learn2fix.labels.strategy import FromLabels
from learn2fix.model import Answer, Question, Reply, Verdict
from learn2fix.people import Context, drive
from learn2fix.people.phrasing import question_lines, sentence
from learn2fix.store.codec import question_from_json, question_to_json

COSTS = st.floats(0, 20)


@given(st.floats(0.01, 0.4), st.integers(1, 10), COSTS, COSTS, COSTS, COSTS)
def test_the_better_the_fix_that_an_answer_refutes_the_likelier_a_slip(
    noise: float, answers: int, first: float, left: float, without: float, more: float
) -> None:
    odds = odds_of_slip(noise, answers, first, left, without)
    assert odds_of_slip(noise, answers, first, left, without + more) <= odds
    assert odds_of_slip(noise, answers, first, left + more, without) >= odds
    assert odds_of_slip(noise, answers + 1, first, left, without) >= odds
    assert odds_of_slip(noise, answers, first, left, math.inf) == 0


def median(a: int, b: int, c: int) -> int:
    return sorted((a, b, c))[1]


def program() -> FakeProgram:
    """The middle one of three numbers, wrong where it is the last; no wrong fix is near."""
    return FakeProgram(
        lambda a, b, c: max(a, b) if min(a, b) < c < max(a, b) else median(a, b, c),
        {
            "right": median,
            "last": lambda a, b, c: c,
            "sum": lambda a, b, c: a + b + c,
            "smallest": min,
            "first": lambda a, b, c: a,
        },
    )


def truth(question: Question) -> Answer:
    wanted = str(median(*question.observation.input.values))
    right = str(question.observation.outcome.response) == wanted
    return Answer(Verdict.OK) if right else Answer(Verdict.BUG, wanted)


def opposite(question: Question) -> Answer:
    return Answer(Verdict.BUG) if truth(question).verdict is Verdict.OK else Answer(Verdict.OK)


def session(
    reply: Callable[[Question], Reply], **options: object
) -> tuple[Findings, list[tuple[Question, Reply]]]:
    strategy = Guided(problem := problem_of(program(), "1 9 4", "4", **options), program())
    asked: list[tuple[Question, Reply]] = []
    conversation = converse(strategy, labels=problem.options.labels, late=lambda: False)
    try:
        question = next(conversation)
        while True:
            asked.append((question, reply(question)))
            question = conversation.send(asked[-1][1])
    except StopIteration:
        found = strategy.findings()
    strategy.close()
    return found, asked


def test_where_all_answers_are_right_nothing_is_asked_again() -> None:
    found, asked = session(truth)
    assert found.patches[0].candidate.edits[0].text == b"right"
    assert not [question for question, _ in asked if question.again is not None]


@pytest.mark.parametrize("slip", [2, 3])
def test_a_slip_is_asked_for_again_and_what_is_said_then_counts(slip: int) -> None:
    clean, plain = session(truth)
    found, asked = session(
        lambda question: (
            opposite(question) if question.number == slip and question.again is None else truth(question)
        )
    )
    again = [question for question, _ in asked if question.again is not None]
    assert [question.observation.input for question in again] == [plain[slip - 1][0].observation.input]
    assert again[0].again == asked[slip - 1][1]
    assert found.patches[0].candidate.edits == clean.patches[0].candidate.edits
    assert found.status == "repaired"
    assert found.questions == len(asked)
    assert all(label.answer == truth(Question(1, 0, label.observation)) for label in found.labels[1:])


def test_who_insists_is_believed_and_asked_no_third_time() -> None:
    _, asked = session(opposite)
    again = [question.observation.input for question, _ in asked if question.again is not None]
    assert len(again) <= MOST_AGAIN
    assert len(set(again)) == len(again)


def test_with_noise_an_answer_that_fits_no_fix_is_set_aside_at_the_end() -> None:
    def slips_last(question: Question) -> Answer:
        return opposite(question) if question.number == 3 else truth(question)

    found, asked = session(slips_last, labels=3)
    assert len(asked) == 3
    assert not found.patches
    noisy, _ = session(slips_last, labels=3, noise=0.2)
    assert noisy.patches[0].candidate.edits[0].text == b"right"


class Slipping:
    """Says the opposite in its third answer."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def reply(self, question: Question, context: Context) -> Reply:
        self.asked.append(question)
        slips = question.number == 3 and question.again is None
        return opposite(question) if slips else truth(question)


def test_a_session_with_a_question_asked_again_is_replayed_exactly() -> None:
    saved: list[tuple[Question, Reply]] = []

    def conversation() -> object:
        return converse(Guided(problem_of(program(), "1 9 4", "4"), program()), labels=10, late=lambda: False)

    first = Slipping()
    drive(conversation, first, on_reply=lambda *each: saved.append(each), on_undo=lambda: None)  # type: ignore[arg-type]
    assert any(question.again is not None for question in first.asked)
    second = next(place for place, (question, _) in enumerate(saved) if question.again is not None)
    for kept in (second, second + 1):
        later = Slipping()
        stored = [(question_from_json(question_to_json(q)), reply) for q, reply in saved[:kept]]
        drive(conversation, later, stored, on_reply=lambda *_: None, on_undo=lambda: pytest.fail("changed"))  # type: ignore[arg-type]
        assert later.asked == [question for question, _ in saved[kept:]]


def test_the_other_answers_are_shown_beside_the_one_in_doubt() -> None:
    _, asked = session(
        lambda question: (
            opposite(question) if question.number == 3 and question.again is None else truth(question)
        )
    )
    place, (question, _) = next((i, each) for i, each in enumerate(asked) if each[0].again is not None)
    context = Context(history=tuple(asked[:place]))
    shown = "\n".join(question_lines(question, context))
    for other, _ in asked[:place]:
        assert (f"answered {other.observation.input.text}" in shown) is (
            other.observation.input != question.observation.input
        )
    assert "does not fit the other answers" in sentence(question, context)


def test_the_other_answers_stand_on_a_line_each() -> None:
    _, asked = session(
        lambda question: (
            opposite(question) if question.number == 3 and question.again is None else truth(question)
        )
    )
    place, (question, _) = next((i, each) for i, each in enumerate(asked) if each[0].again is not None)
    grid = Context(history=tuple(asked[:place]), described=lambda given: "r = 1\ng =\n  ..\n  ##")
    lines = [line for line in question_lines(question, grid) if "answered" in line]
    assert lines
    assert all(line.startswith("  answered r = 1, g = .. ## -> ") for line in lines)


def without_source(reply: Callable[[Question], Reply], **options: object) -> list[Question]:
    """The questions about a program of which nothing but its answers is known."""
    larger = FakeProgram(lambda a, b: a, {})
    strategy = FromLabels(problem_of(larger, "3 5", **options), "smt", "spread", None)
    conversation = converse(strategy, labels=16, late=lambda: False)
    asked: list[Question] = []
    try:
        asked.append(next(conversation))
        while True:
            asked.append(conversation.send(reply(asked[-1])))
    except StopIteration:
        assert strategy.findings().questions == len(asked)
    strategy.close()
    return asked


def larger_of(question: Question) -> Answer:
    a, b = question.observation.input.values
    return Answer(Verdict.BUG) if b > a else Answer(Verdict.OK)


def test_without_a_source_the_answer_that_makes_the_condition_odd_is_asked_for_again() -> None:
    def slips(question: Question) -> Answer:
        truth = larger_of(question)
        if question.number != 9 or question.again is not None:
            return truth
        return Answer(Verdict.OK if truth.verdict is Verdict.BUG else Verdict.BUG)

    assert not [question for question in without_source(larger_of) if question.again is not None]
    asked = without_source(slips)
    again = [question for question in asked if question.again is not None]
    assert again[0].observation == asked[8].observation
    assert len(again) <= MOST_AGAIN


def test_a_slip_that_is_corrected_in_the_last_answer_is_still_mended() -> None:
    found, asked = session(
        lambda question: (
            opposite(question) if question.number == 3 and question.again is None else truth(question)
        ),
        labels=4,
    )
    assert asked[-1][0].again is not None
    assert found.patches[0].candidate.edits[0].text == b"right"

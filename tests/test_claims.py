"""Whole sessions in which a wrong fix is near: nothing is called the repair that was not seen to hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from learn2fix.model import Answer, Question, Verdict
from learn2fix.session import Options, Result, Session

LEAP = """def leap(y):
    if y % 100 == 0:
        return False
    return y % 4 == 0
"""
MEAN = """def mean(values):
    total = 0
    for value in values:
        total += value
    return total // len(values)
"""
GRADE = """#include <stdio.h>

int main(void) {
    int points;
    if (scanf("%d", &points) != 1)
        return 1;
    if (points > 50)
        printf("passed\\n");
    else
        printf("failed, try again\\n");
    return 0;
}
"""


def session(
    program: str, failing: str, right: Callable[..., object], folder: Path, source: str
) -> tuple[Result, list[Question]]:
    """A reporter who knows what is right, and says so."""
    (folder / program.partition(":")[0]).write_text(source)
    asked: list[Question] = []
    with Session.create(str(folder / program), [failing], Options(seed=1, timeout=300.0)) as opened:
        conversation = opened.conversation()
        try:
            question = next(conversation)
            while True:
                asked.append(question)
                wanted = str(right(*question.observation.input.values))
                fine = str(question.observation.outcome.response) == wanted
                question = conversation.send(Answer(Verdict.OK) if fine else Answer(Verdict.BUG, wanted))
        except StopIteration as end:
            return end.value, asked


def test_a_leap_year_is_asked_about_in_other_centuries(tmp_path: Path) -> None:
    """`y <= 1999` fits a year 2000 that should be a leap year, and most years that are asked about."""

    def leap(y: int) -> bool:
        return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)

    result, asked = session("leap.py:leap", "2000", leap, tmp_path, LEAP)
    centuries = [q.observation.input.values[0] for q in asked if q.observation.input.values[0] % 100 == 0]
    assert len({*centuries, 2000}) >= 3
    if result.status == "repaired":
        fixed: dict[str, Callable[[int], bool]] = {}
        exec(result.patches[0].candidate.apply(LEAP.encode()), fixed)
        assert [fixed["leap"](y) for y in range(1500, 2500, 4)] == [leap(y) for y in range(1500, 2500, 4)]


def test_an_empty_list_leads_to_other_lists(tmp_path: Path) -> None:
    def mean(values: list[int]) -> int:
        return sum(values) // len(values) if values else 0

    result, asked = session("mean.py:mean", "[]", mean, tmp_path, MEAN)
    assert any(question.observation.input.values[0] for question in asked)
    assert "always" not in result.shows
    fixed: dict[str, Callable[[list[int]], int]] = {}
    exec(result.patches[0].candidate.apply(MEAN.encode()), fixed)
    assert [fixed["mean"](each) for each in ([], [3], [1, 2, 6])] == [0, 3, 3]


def test_a_message_is_not_replaced_by_what_was_expected(tmp_path: Path) -> None:
    def grade(points: int) -> str:
        return "passed" if points >= 50 else "failed, try again"

    result, _ = session("grade.c", "50", grade, tmp_path, GRADE)
    assert result.status == "repaired"
    assert b"failed, try again" in result.patches[0].candidate.apply(GRADE.encode())
    assert result.signals["expected_text"] == 0

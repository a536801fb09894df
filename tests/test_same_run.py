"""The same seed and answers give the same run, on a machine that stalls and under a clock that jumps."""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from learn2fix.model import Answer, Control, Question, Verdict
from learn2fix.session import Options, Result, Session

PROGRAMS = {
    "larger.c": """#include <stdio.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\\n", a > b + 1 ? b : a);
    return 0;
}
""",
    "larger.py:larger": """def larger(a, b):
    while b > a + 1:
        a += 2
    return a
""",
}
"""The larger of two numbers, wrong in two ways."""
FAILING = {"larger.c": "3 5", "larger.py:larger": "3, 6"}


@pytest.fixture(scope="module", params=PROGRAMS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("program")
    (folder / request.param.partition(":")[0]).write_text(PROGRAMS[request.param])
    return str(folder / request.param), FAILING[request.param]


@pytest.fixture(scope="module")
def undisturbed(program: tuple[str, str]) -> tuple[list[Question], Result]:
    asked, result = converse(*program, time.monotonic)
    assert asked
    assert result.patches
    return asked, result


def right(question: Question) -> Answer:
    expected = str(max(question.observation.input.values))
    shown = str(question.observation.outcome.response)
    return Answer(Verdict.OK) if expected == shown else Answer(Verdict.BUG, expected)


def jumping_clock(seed: int) -> Callable[[], float]:
    rng, now = random.Random(seed), [0.0]

    def clock() -> float:
        now[0] += rng.choice((0.0, 0.001, 3.0))
        return now[0]

    return clock


def _spin(until: float) -> None:
    while time.monotonic() < until:
        pass


@contextmanager
def busy_machine() -> Iterator[None]:
    spinning = [
        multiprocessing.get_context("spawn").Process(
            target=_spin, args=(time.monotonic() + 120,), daemon=True
        )
        for _ in range(os.cpu_count() or 2)
    ]
    for process in spinning:
        process.start()
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.join()


def converse(
    program: str, failing: str, clock: Callable[[], float], think: float = 0.0, stop_after: int = 99
) -> tuple[list[Question], Result]:
    options = Options(seed=3, labels=2, timeout=1e6)
    asked: list[Question] = []
    with Session.create(program, [failing], options, clock=clock, id="same") as session:
        conversation = session.conversation()
        try:
            question = next(conversation)
            while True:
                asked.append(question)
                time.sleep(think)
                reply = right(question) if len(asked) < stop_after else Control.FINISH
                question = conversation.send(reply)
        except StopIteration as end:
            return asked, end.value


def found(result: Result) -> tuple[object, ...]:
    effort = result.effort
    return (
        result.reason,
        result.condition,
        [(patch.id, patch.confidence) for patch in result.patches],
        (effort.generated, effort.candidates),
    )


def test_the_same_run_on_an_idle_and_on_a_loaded_machine(
    program: tuple[str, str], undisturbed: tuple[list[Question], Result]
) -> None:
    asked, result = undisturbed
    # Somebody who thinks, and a clock that jumps: the same questions, the same patches, the same effort.
    thoughtful, again = converse(*program, jumping_clock(1), think=0.3)
    assert thoughtful == asked
    assert found(again) == found(result)
    with busy_machine():
        stalled, again = converse(*program, jumping_clock(2))
    assert stalled == asked
    assert found(again) == found(result)


def test_a_replay_of_the_first_answers_comes_to_the_same_questions(
    program: tuple[str, str], undisturbed: tuple[list[Question], Result]
) -> None:
    asked, _ = undisturbed
    replayed, _ = converse(*program, jumping_clock(5), stop_after=2)
    assert replayed == asked[: len(replayed)]

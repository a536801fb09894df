"""The search behind the questions: whoever answers does not wait for it, and a replay comes to the same."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from learn2fix.model import Answer, Basis, Question, Verdict
from learn2fix.session import Options, Session

SOURCE = """#include <stdio.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\\n", a > b + 1 ? b : a);
    return 0;
}
"""
"""The larger of two numbers; wrong twice."""
FAILING = "3 5"


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> str:
    source = tmp_path_factory.mktemp("larger") / "larger.c"
    source.write_text(SOURCE)
    return str(source)


def right(question: Question) -> Answer:
    expected = str(max(question.observation.input.values))
    shown = str(question.observation.outcome.response)
    return Answer(Verdict.OK) if expected == shown else Answer(Verdict.BUG, expected)


def uneven_clock(seed: int) -> Callable[[], float]:
    """Time that passes in leaps: now and then it is late long before the search is through."""
    rng, now = random.Random(seed), [0.0]

    def clock() -> float:
        now[0] += rng.choice((0.0, 0.001, 0.4))
        return now[0]

    return clock


def ask(session: Session, bases: tuple[Basis, ...] = (), *, waits: bool) -> list[Question]:
    conversation = session.conversation(bases, waits=waits)
    asked = []
    try:
        question = next(conversation)
        while True:
            asked.append(question)
            session.condition(lambda: False)  # what is read between two questions changes nothing
            question = conversation.send(right(question))
    except StopIteration:
        return asked


@pytest.mark.parametrize("seed", [1, 3])
def test_answers_replayed_on_the_bases_of_the_first_run_lead_to_the_same_questions(
    larger: str, seed: int
) -> None:
    options = Options(seed=seed, labels=3, timeout=1e6)
    with Session.create(larger, [FAILING], options, clock=uneven_clock(seed)) as session:
        first = ask(session, waits=False)
    bases = tuple(question.basis for question in first)
    counts = [basis[:2] for basis in bases]
    assert counts == sorted(counts)
    assert all(basis.sketched >= basis.committee > 0 for basis in bases)
    assert bases[0].searched > 0
    for clock, waits in ((time.monotonic, True), (uneven_clock(seed + 10), False)):
        with Session.create(larger, [FAILING], options, clock=clock) as session:
            assert ask(session, bases, waits=waits) == first


def test_who_waits_is_asked_the_same_whatever_the_clock_says(larger: str) -> None:
    options = Options(seed=4, labels=2, timeout=1e6)
    runs = []
    for clock in (uneven_clock(1), uneven_clock(2)):
        with Session.create(larger, [FAILING], options, clock=clock) as session:
            runs.append(ask(session, waits=True))
    assert runs[0] == runs[1]


def test_who_is_there_does_not_wait_for_the_whole_search(larger: str) -> None:
    options = Options(seed=1, labels=1, timeout=1e9)
    now = [0.0]

    def slow() -> float:
        now[0] += 10.0
        return now[0]

    with Session.create(larger, [FAILING], options, clock=slow) as session:
        hurried = next(session.conversation(waits=False)).basis.searched
    with Session.create(larger, [FAILING], options, clock=slow) as session:
        whole = next(session.conversation(waits=True)).basis.searched
    assert 0 < hurried < whole

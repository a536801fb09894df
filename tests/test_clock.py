"""The clock of `--timeout` counts the tool's work, and no thinking."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.conversation.clock import PausingClock


def test_a_night_without_an_answer_costs_nothing() -> None:
    now = [100.0]
    clock = PausingClock(lambda: now[0])
    now[0] += 5
    assert clock() == 5
    with clock.waiting():
        now[0] += 36_000
        assert clock() == 5
    assert clock() == 5
    now[0] += 1
    assert clock() == 6
    clock.restart()
    assert clock() == 0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10**5)), max_size=20))
def test_the_clock_shows_the_work(steps: list[tuple[bool, int]]) -> None:
    now = [0]
    clock = PausingClock(lambda: now[0])
    for waits, seconds in steps:
        if waits:
            with clock.waiting():
                now[0] += seconds
        else:
            now[0] += seconds
    assert clock() == sum(seconds for waits, seconds in steps if not waits)

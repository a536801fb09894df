"""The one loop of all strategies: ask, record, stop. `reply = yield question`.

Whoever drives it (terminal, web page, golden program) sends an Answer, or Control.FINISH. The same seed and
the same answers give the same questions, so a stored session is resumed, and an answer undone, by making
a new conversation and sending it the stored answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from learn2fix import events
from learn2fix.conversation.protocol import Stop, Strategy
from learn2fix.errors import NotFailing
from learn2fix.model import Answer, Control, Question, Reply, Verdict


def converse(
    strategy: Strategy, *, labels: int, late: Callable[[], bool], emit: events.Emit = events.ignore
) -> Generator[Question, Reply, str]:
    """Asks at most `labels` questions, and none when it is late; returns why there was no further one."""
    asked = 0
    while not (reason := _spent(asked, labels, late)):
        chosen = strategy.choose()
        if isinstance(chosen, Stop):
            reason = chosen.reason
            break
        question = Question(
            asked + 1,
            labels - asked - 1,
            chosen.observation,
            chosen.choices,
            chosen.reported,
            chosen.why,
            chosen.again,
            min(chosen.least, labels - asked - 1),
        )
        emit(events.Asked(question))
        reply = yield question
        if reply is Control.FINISH:
            reason = "the person finished"
            break
        if not isinstance(reply, Answer):
            raise ValueError(f"{reply!r} is not an answer; undo by replaying the answers before it")
        emit(events.Answered(question, reply))
        if question.reported and reply.verdict is Verdict.OK:
            given = question.observation.input.text.strip()
            raise NotFailing(f"the failing input {given!r} was called ok, so there is nothing to repair")
        strategy.record(question, reply)
        asked += 1
    emit(events.Stopped(reason))
    strategy.finish()
    return reason


def _spent(asked: int, labels: int, late: Callable[[], bool]) -> str:
    if asked >= labels:
        return "the agreed number of questions was asked" if labels else "nobody was to be asked"
    return "the time is up" if late() else ""

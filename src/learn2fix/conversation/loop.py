"""The one loop of all strategies: ask, record, stop. `reply = yield question`.

Whoever drives it (terminal, web page, golden program) sends an Answer, or Control.FINISH. The same seed and
the same answers give the same questions, so a stored session is resumed, and an answer undone, by making
a new conversation and sending it the stored answers.
"""

from __future__ import annotations

from collections.abc import Generator

from learn2fix import events
from learn2fix.conversation.problem import Problem
from learn2fix.conversation.protocol import Stop, Strategy
from learn2fix.model import Answer, Control, Question, Reply


def converse(strategy: Strategy, problem: Problem) -> Generator[Question, Reply, str]:
    """Runs to the end; returns why no further question was asked."""
    asked = 0
    while not (reason := _spent(problem, asked)):
        chosen = strategy.choose()
        if isinstance(chosen, Stop):
            reason = chosen.reason
            break
        remaining = problem.options.labels - asked - 1
        question = Question(asked + 1, remaining, chosen.observation, chosen.proposal, chosen.why)
        problem.emit(events.Asked(question))
        reply = yield question
        if reply is Control.FINISH:
            reason = "the person finished"
            break
        if not isinstance(reply, Answer):
            raise ValueError(f"{reply!r} is not an answer; undo by replaying the answers before it")
        problem.emit(events.Answered(question, reply))
        strategy.record(question, reply)
        asked += 1
    problem.emit(events.Stopped(reason))
    strategy.finish()
    return reason


def _spent(problem: Problem, asked: int) -> str:
    if not problem.options.asks:
        return "nobody was to be asked"
    if asked >= problem.options.labels:
        return "the agreed number of questions was asked"
    return "the time is up" if problem.late else ""

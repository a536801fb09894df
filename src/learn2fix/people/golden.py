"""A correct program answers instead of a person; for experiments, tests and the demo."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable

from learn2fix.model import Answer, Ending, Input, Outcome, Question, Same, Verdict
from learn2fix.people.phrasing import choices, none_of_these
from learn2fix.people.protocol import Context, Feedback, answer_to


class Golden:
    """Answers like a person who knows what is right, and errs with probability `noise`."""

    def __init__(
        self,
        run: Callable[[Input], Outcome],
        feedback: Feedback = Feedback.OUTPUT,
        noise: float = 0.0,
        rng: random.Random | None = None,
        undefined: Callable[[Input], bool] = lambda given: False,
        same: Same = operator.eq,
        deliberate: Callable[[Outcome], bool] = lambda outcome: False,
        always: bool = False,
    ) -> None:
        """`undefined`: where the program does what its language leaves undefined, an input makes no sense,
        unless it does so on a failing input too. `deliberate`: what ends so on purpose has answered.
        `always`: every input makes sense, and any difference is the bug, as in the paper."""
        if noise and rng is None:
            raise ValueError("a golden program that errs needs a source of randomness")
        self._run = run
        self._feedback = feedback
        self._noise = noise
        self._rng = rng
        self._undefined = undefined
        self._same = same
        self._deliberate = deliberate
        self._always = always

    def outcome(self, given: Input) -> Outcome:
        """What is right there, byte for byte."""
        return self._run(given)

    def reply(self, question: Question, context: Context) -> Answer:
        outcome = self._run(question.observation.input)
        right = outcome.response
        means = outcome.answered or self._means(outcome, context)
        odd = self._undefined(question.observation.input) and not any(map(self._undefined, context.failing))
        if not self._always and (not means or odd):
            return Answer(Verdict.INVALID)
        errs = self._rng is not None and self._rng.random() < self._noise
        wrong = not self._same(right, question.observation.outcome.response)
        if errs:
            # Nobody takes back the report itself by mistake.
            return Answer(Verdict.OK if wrong and not question.reported else Verdict.BUG)
        if not wrong:
            return Answer(Verdict.OK)
        if not means:
            return Answer(Verdict.BUG)
        if self._feedback is Feedback.OUTPUT:
            return answer_to(question, Verdict.BUG, str(right))
        offered = [each for each in choices(question) if not each.own]
        if self._feedback is Feedback.VERDICT or not offered:
            return Answer(Verdict.BUG)
        recognised = (each.answer(question) for each in offered if self._same(right, each.response))
        return next(recognised, none_of_these(question))

    def _means(self, outcome: Outcome, context: Context) -> bool:
        """An exception counts as an answer if it is raised on purpose, or if the right answer to a failing
        input is one of its kind."""
        if outcome.ending is not Ending.RAISED:
            return False
        if self._deliberate(outcome):
            return True
        kind = outcome.detail.partition(":")[0]
        meant = (self._run(given) for given in context.failing)
        return any(each.ending is Ending.RAISED and each.detail.partition(":")[0] == kind for each in meant)

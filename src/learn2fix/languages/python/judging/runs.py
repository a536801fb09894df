"""What the original does on one input, as the process in the sandbox tells it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from learn2fix.languages.evaluator import WORK_LIMIT
from learn2fix.languages.python.judging.process import Record
from learn2fix.model import Counted, Ending, Response

MOST_ORIGINAL = 1_000_000
"""Steps after which the original is taken not to end."""
ENDED = math.inf

TOO_DEEP = RecursionError.__name__


@dataclass(frozen=True, slots=True)
class Run:
    """What the original does on one input."""

    answer: Response
    steps: int
    """WORK_LIMIT where it does not end."""
    cut: float
    """Steps after which it was ended; ENDED when it came to an end by itself."""
    deep: bool
    """It ended in a RecursionError."""
    counts: tuple[int, ...] | None
    """How often each statement ran; None where that is not known."""

    @property
    def ended(self) -> bool:
        return self.cut == ENDED

    def idle(self, statements: frozenset[int] | None, on: bool) -> bool:
        """Whether nothing that a candidate changes was executed; `on`: it changes something at all."""
        if statements is None:
            return False
        return not on or not any(self.executed(statement) for statement in statements)

    def executed(self, statement: int) -> int:
        return 1 if self.counts is None else self.counts[statement]


def read_run(record: Record, visits: int, most: int, counted: Counted) -> Run:
    """A record of the original; hostile, so the counts may be anything."""
    listed, _, shown = record.text.partition(b"\n")
    numbers = tuple(int(number) for number in listed.split(b",") if number.isdigit())
    counts = numbers if visits and len(numbers) == visits else None
    record = record if counts is None else record._replace(text=shown)
    outcome, answer = record.outcome, record.response(counted)
    deep = outcome.ending is Ending.RAISED and outcome.detail.startswith(TOO_DEEP)
    if outcome.ending is not Ending.TIMEOUT:
        return Run(answer, record.steps, ENDED, deep, counts)
    # One that was killed was stuck where no step is counted: more steps would not help.
    killed = visits and counts is None
    return Run(answer, WORK_LIMIT, MOST_ORIGINAL if killed else most, deep, counts)


def gave_up(answer: Response) -> bool:
    """Whether it used up its steps or frames, and might have gone on with more of them."""
    deep = answer.ending is Ending.RAISED and answer.text.startswith(TOO_DEEP)
    return deep or answer.ending is Ending.TIMEOUT

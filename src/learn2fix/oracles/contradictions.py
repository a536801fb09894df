"""Answers that cannot all be right, and answers that fit the others so badly that they may be slips."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from learn2fix.model import Example, Label, Point, Variable, Verdict
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.smt_lra import SmtLra
from learn2fix.oracles.work import Work

FEWEST = 8
"""With fewer answers than this, any of them may be the exception."""
CHEAPER = 1.2
"""So much simpler the condition must get without an answer: that it is an exception of its own, more or less.

Bugs have honest exceptions too, so this is a reason to look at the answer again and no more."""
COMPANY = 3
"""So many other answers of its kind there must be: the first bug seen is no slip because it is alone."""

SLIP_STEPS = 4_000_000
"""Work allowed for looking for a slip: one formula for each answer left out."""
JUDGED = (Verdict.BUG, Verdict.OK)


def contradicted(label: Label, others: Sequence[Label], point: Callable[[Label], Point]) -> Label | None:
    """An earlier label that says the opposite of the same point."""
    if label.answer.verdict not in JUDGED:
        return None
    here = point(label)
    for other in others:
        verdict = other.answer.verdict
        if verdict in JUDGED and verdict is not label.answer.verdict and point(other) == here:
            return other
    return None


def likely_slip(
    variables: Sequence[Variable], examples: Sequence[Example], work: Work | None = None
) -> tuple[Example, Formula] | None:
    """The one answer without which the condition is much simpler, and that condition."""
    if len(examples) < FEWEST or len({example.failing for example in examples}) < 2:
        return None
    tolerant = SmtLra(wrong_labels=1, mistake=CHEAPER)
    found = tolerant.learn(variables, examples, random.Random(0), work or Work(SLIP_STEPS))
    if len(found.wrong) != 1 or found.exhausted:
        return None
    slip = found.wrong[0]
    alike = sum(example.failing is slip.failing for example in examples)
    return (slip, found.formula) if alike > COMPANY else None

"""Answers that cannot all be right, and answers that fit the others so badly that they may be mistakes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from learn2fix.model import Example, Label, Point, Variable, Verdict
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.smt_lra import SmtLra
from learn2fix.oracles.work import Work

FEWEST = 8
"""Minimum number of answers: among fewer, any of them may be the exception."""
CHEAPER = 1.2
"""Minimum cost that leaving out an answer must save: about that of an exception made for it alone.

Bugs have honest exceptions too, so this is a reason to look at the answer again and no more."""
COMPANY = 3
"""Minimum number of other answers of the same kind: the first bug seen is not a mistake for being alone."""

SLIP_STEPS = 4_000_000
"""Work allowed for looking for a mistake, which learns one formula for each answer left out."""
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


def likely_slip(variables: Sequence[Variable], examples: Sequence[Example]) -> tuple[Example, Formula] | None:
    """The one answer without which the condition is much simpler, and that condition."""
    if len(examples) < FEWEST or len({example.failing for example in examples}) < 2:
        return None
    tolerant = SmtLra(wrong_labels=1, mistake=CHEAPER)
    found = tolerant.learn(variables, examples, random.Random(0), Work(SLIP_STEPS))
    if len(found.wrong) != 1 or found.exhausted:
        return None
    slip = found.wrong[0]
    alike = sum(example.failing is slip.failing for example in examples)
    return (slip, found.formula) if alike > COMPANY else None

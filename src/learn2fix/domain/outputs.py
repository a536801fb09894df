"""What a program printed, as numbers where it printed numbers and as text where it did not."""

from __future__ import annotations

from fractions import Fraction

from learn2fix.domain.numbers import parse_number
from learn2fix.model import Kind, Outcome, Scalar, Variable

MOST_NUMBERS = 4
"""More numbers than this are one text: a learner gains nothing from twenty output columns."""


def output_variables(outcome: Outcome, taken: frozenset[str] = frozenset()) -> tuple[Variable, ...]:
    """The variables of the output, read off one observed outcome."""
    name = "output"
    while name in taken:
        name += "_"
    numbers = _numbers(outcome)
    if numbers is None or not 1 <= len(numbers) <= MOST_NUMBERS:
        return (Variable(name, Kind.TEXT),)
    kinds = [Kind.INT if isinstance(number, int) else Kind.REAL for number in numbers]
    if len(kinds) == 1:
        return (Variable(name, kinds[0]),)
    return tuple(Variable(f"{name}{i}", kind) for i, kind in enumerate(kinds, 1))


def output_values(outcome: Outcome, variables: tuple[Variable, ...]) -> tuple[Scalar, ...]:
    """One value a variable: the numbers printed, or the whole answer as text when they do not fit."""
    if len(variables) == 1 and variables[0].kind is Kind.TEXT:
        return (str(outcome.response),)
    numbers = _numbers(outcome)
    if numbers is None or len(numbers) != len(variables):
        return (str(outcome.response),) * len(variables)
    return tuple(numbers)


def _numbers(outcome: Outcome) -> list[int | Fraction] | None:
    if not outcome.completed:
        return None
    numbers = [parse_number(token) for token in outcome.response.text.split()]
    return [n for n in numbers if n is not None] if None not in numbers else None

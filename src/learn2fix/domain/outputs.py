"""What a program printed, as numbers where it printed numbers and as text where it did not."""

from __future__ import annotations

import re
from fractions import Fraction

from learn2fix.domain.numbers import parse_number
from learn2fix.model import Kind, Outcome, Response, Scalar, Variable

MOST_NUMBERS = 4
"""More numbers than this are one text: a learner gains nothing from twenty output columns."""


def output_variables(outcome: Outcome, taken: frozenset[str] = frozenset()) -> tuple[Variable, ...]:
    """The variables of the output, read off one observed outcome; the exit status last, where it counts."""
    name, numbers = _free("output", taken), _numbers(outcome)
    status = (Variable(_free("status", taken)),) if outcome.counted.status else ()
    if numbers is None or not 1 <= len(numbers) <= MOST_NUMBERS:
        return (Variable(name, Kind.TEXT), *status)
    kinds = [Kind.INT if isinstance(number, int) else Kind.REAL for number in numbers]
    if len(kinds) == 1:
        return (Variable(name, kinds[0]), *status)
    return (*(Variable(f"{name}{i}", kind) for i, kind in enumerate(kinds, 1)), *status)


def _free(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def output_values(outcome: Outcome, variables: tuple[Variable, ...]) -> tuple[Scalar, ...]:
    """One value a variable: the numbers printed, or the whole answer as text when they do not fit."""
    if outcome.counted.status:
        status = outcome.status if outcome.completed else str(outcome.response)
        return (*_printed_values(outcome, variables[:-1]), status)
    return _printed_values(outcome, variables)


def paper_value(value: Scalar) -> int | Fraction:
    """A value as the paper's learner takes it: yes is 1, no is 0, and so is what is no number."""
    if not isinstance(value, str):
        return value
    number = parse_number(value.strip())
    return int(value.strip().lower() == "yes") if number is None else number


def _printed_values(outcome: Outcome, variables: tuple[Variable, ...]) -> tuple[Scalar, ...]:
    text = outcome.response.text if outcome.completed else str(outcome.response)
    if len(variables) == 1 and variables[0].kind is Kind.TEXT:
        return (text,)
    numbers = _numbers(outcome)
    if numbers is None or len(numbers) != len(variables):
        return (text,) * len(variables)
    return tuple(numbers)


def _numbers(outcome: Outcome) -> list[int | Fraction] | None:
    if not outcome.completed:
        return None
    numbers = [parse_number(token) for token in outcome.response.text.split()]
    return [n for n in numbers if n is not None] if None not in numbers else None


NUMBER = re.compile(r"(?<![\w.])([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?!\w|\.[0-9])")
FRACTION = re.compile(r"[0-9][.eE]|\.[0-9]")
FEWEST_ROUNDED = 2
"""Decimals from which an expected number may be rounded; 2.5 is taken as exact."""


def same_output(
    expected: Response, found: Response, tolerance: float | None = None, fractions: bool = True
) -> bool:
    """Whether a program that prints `found` prints what is expected.

    Numbers with a fraction are compared by value, everything else as text. Without a tolerance, a person who
    writes 0.33 may mean 0.333333, but 3 means 3.000000 and not 3.4: a whole number has no digits left out.
    With tolerance 0 numbers are text as well.

    `fractions`: the program is one that prints numbers with a fraction. Where it is not, 3.000000 is another
    format than 3, which only a wrong fix brings.
    """
    if expected == found:
        return True
    if not (expected.completed and found.completed):
        return False
    if expected.status not in (None, found.status) or expected.stderr not in (None, found.stderr):
        return False
    if not FRACTION.search(expected.text) and not FRACTION.search(found.text):
        return expected.text == found.text
    # Texts stand at even places, between the numbers.
    wanted, printed = NUMBER.split(expected.text), NUMBER.split(found.text)
    if len(wanted) != len(printed) or wanted[::2] != printed[::2]:
        return False
    pairs = [(a, b) for a, b in zip(wanted[1::2], printed[1::2], strict=True) if a != b]
    if not fractions and any(("." in right) is not ("." in number) for right, number in pairs):
        return False
    return all(_close(right, number, tolerance, expected.written) for right, number in pairs)


def _close(expected: str, found: str, tolerance: float | None, written: bool) -> bool:
    numbers = parse_number(expected), parse_number(found)
    if tolerance == 0 or None in numbers or all(isinstance(each, int) for each in numbers):
        return False  # 007 is not 7
    right, number = (Fraction(each or 0) for each in numbers)
    apart = abs(right - number)
    if tolerance is not None:
        # As judges of programs have it: the error may be absolute or relative.
        return apart <= Fraction(tolerance) * max(Fraction(1), abs(right))
    shown = decimals(expected)
    rounded = written and FEWEST_ROUNDED <= shown < decimals(found)
    return not apart or (rounded and apart * 2 * 10**shown <= 1)


def decimals(number: str) -> int:
    """Number of digits after the point, as an exponent moves it."""
    mantissa, _, exponent = number.lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)

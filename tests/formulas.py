"""Short ways to write formulas."""

from __future__ import annotations

from learn2fix.model import Scalar
from learn2fix.oracles.formula import Formula, Is, Number, Op, linear


def compare(left: int, op: Op, right: int) -> Formula:
    """`left op right` for two variables."""
    return linear([(1, left), (-1, right)], op, 0)


def bound(variable: int, op: Op, value: Number) -> Formula:
    """`variable op value`."""
    return linear([(1, variable)], op, value)


def equals(variable: int, value: Scalar) -> Formula:
    """The variable holds this number or this text."""
    return Is(variable, value) if isinstance(value, str) else bound(variable, "==", value)

"""Numbers as programs write them: exact in, exact out."""

from __future__ import annotations

import re
from fractions import Fraction

INTEGER = re.compile(r"[-+]?[0-9]+\Z")
REAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][-+]?[0-9]+)?\Z")

LONGEST = 400
"""Characters of a number that is still read as one: a flood of digits is text, not arithmetic."""
LARGEST_EXPONENT = 400


def parse_number(token: str) -> int | Fraction | None:
    """The exact value of an integer or decimal, None when the token is neither (nan and inf are text)."""
    if len(token) > LONGEST or not token.isascii():
        return None
    if INTEGER.match(token):
        return int(token)
    match = REAL.match(token)
    if not match:
        return None
    if match[2] and abs(int(match[2][1:])) > LARGEST_EXPONENT:
        return None
    return Fraction(token)


def format_number(value: int | Fraction) -> str:
    """The shortest plain decimal that is exactly the value; a value without one is rounded to 12 places."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if value.denominator == 1:
        return str(value.numerator)
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives) if rest == 1 else 12
    scaled = round(value * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}"
    if rest != 1:
        text = text.rstrip("0").rstrip(".")
    return "-" + text if scaled < 0 else text

"""Small buggy functions and what they should do, of many kinds, for simulations that need no compiler."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    name: str
    buggy: Callable[..., int]
    golden: Callable[..., int]
    failing: tuple[int, ...]

    def shows(self, *values: int) -> bool:
        return self.buggy(*values) != self.golden(*values)


def _triangle(a: int, b: int, c: int) -> int:
    return 1 if a == b == c else 2 if a in (b, c) or b == c else 3


def _steve(a: int, b: int, c: int) -> int:
    # C's `a == b == c` compares a truth value with c.
    return 1 if int(a == b) == c else 2 if a in (b, c) or b == c else 3


def _median(a: int, b: int, c: int) -> int:
    return sorted((a, b, c))[1]


def _wrong_median(a: int, b: int, c: int) -> int:
    return b if a <= b <= c or c <= b <= a else a if b <= a <= c else c


def _leap(year: int) -> int:
    return int(year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))


BUGS = (
    Bug(
        "wrong limit",
        lambda a: 10 * a if a < 50 else 400,
        lambda a: 10 * a if a <= 60 else 400,
        (55,),
    ),
    Bug("missing clamp", lambda a, b: a - b, lambda a, b: max(a - b, 0), (3, 9)),
    Bug("wrong comparison", lambda a, b: a if a < b else b, lambda a, b: max(a, b), (4, 7)),
    Bug("odd numbers", lambda a: a // 2, lambda a: (a + 1) // 2, (7,)),
    Bug("every third", lambda a, b: a + b, lambda a, b: a + b + (a % 3 == 0), (9, 4)),
    Bug("leap years", lambda y: int(y % 4 == 0), _leap, (1900,)),
    Bug("triangle", _steve, _triangle, (2, 2, 2)),
    Bug("median", _wrong_median, _median, (5, 1, 3)),
    Bug("equal inputs", lambda a, b: abs(a - b), lambda a, b: abs(a - b) if a != b else a, (6, 6)),
    Bug("wrong discount", lambda p, q: p * q, lambda p, q: p * q * 9 // 10 if q >= 10 else p * q, (100, 12)),
    Bug("both large", lambda a, b: a + b, lambda a, b: a + b - (a > 40 and b > 40), (60, 70)),
    Bug("either negative", lambda a, b: a * b, lambda a, b: abs(a * b), (-3, 5)),
    Bug("rare", lambda a, b: a + b, lambda a, b: a + b if a != 17 else b, (17, 3)),
    Bug("nearly always", lambda a: a + 1, lambda a: a if a != 0 else 1, (12,)),
    Bug("square root", lambda a: math.isqrt(abs(a)), lambda a: round(math.sqrt(abs(a))), (8,)),
    Bug("sum over a limit", lambda a, b, c: a + b + c, lambda a, b, c: min(a + b + c, 100), (50, 40, 30)),
    Bug("output zero", lambda a, b: a % (abs(b) + 1), lambda a, b: a % (abs(b) + 1) or b, (12, 3)),
    Bug("last digit", lambda a: a // 10, lambda a: (a + 5) // 10, (17,)),
)

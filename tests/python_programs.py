"""Python programs that tests change, and evaluators that are closed after the test."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.sandbox import Sandbox

SHOP = textwrap.dedent(
    '''\
    """Prices."""
    import math

    RATE = 2  # tax


    def helper(xs, n):
        total = 0
        for i in range(1, n):
            total += xs[i]
        return total


    def discount(price, qty=1, names=[]):
        """Discount for many."""
        if qty > 10 and price >= 100:
            price = price * 0.5
        elif not qty:
            return None
        else:
            price -= 1
        names.append(price)
        s = helper([1, 2, 3], 2)
        while s > 0:
            s -= 1
            if s == 3: break
        for name in names:
            if name > 1000:
                return "much"
        else:
            s += len([n for n in names if n])
        return round(price * qty + s * RATE / 2)
    '''
).encode()

SCRIPT = textwrap.dedent(
    """\
    import sys

    def total(words):
        found = 0
        for word in words:
            found += int(word)
        return found

    n = int(input())
    words = sys.stdin.readline().split()
    if len(words) < n:
        print("few")
        sys.exit(3)
    print(total(words[:n]))
    """
).encode()

Make = Callable[..., PythonEvaluator]


@contextmanager
def making(sandbox: Sandbox, folder: Path) -> Iterator[Make]:
    """A function that makes evaluators."""
    made: list[PythonEvaluator] = []

    def make(source: bytes, function: str | None = "discount", **options: bool) -> PythonEvaluator:
        path = folder / "shop.py"
        path.write_bytes(source)
        made.append(PythonEvaluator(path, function, sandbox, **options))
        return made[-1]

    try:
        yield make
    finally:
        for evaluator in made:
            evaluator.close()

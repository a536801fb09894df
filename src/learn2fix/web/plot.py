"""A plot over the two most informative inputs: answers as dots, predictions as regions.

Axes carry values in order, not to scale: tests go from 2 to 2000 by factors of ten, and what matters is
which values are equal, next to each other, or on one side of a limit.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from learn2fix.domain import Domain
from learn2fix.domain.inputs import scalar
from learn2fix.errors import Learn2FixError
from learn2fix.model import Example, Kind, Label, Verdict
from learn2fix.oracles.readable import brief
from learn2fix.oracles.registry import learner

if TYPE_CHECKING:
    from learn2fix.session import Session

MIN_VALUES, MAX_VALUES = 8, 13
Number = int | Fraction
NUMERIC = (Kind.INT, Kind.REAL)


@dataclass(frozen=True, slots=True)
class Dot:
    column: int
    row: int
    verdict: Verdict
    text: str
    apart: bool
    """Whether its other inputs differ from what the regions assume."""


@dataclass(frozen=True, slots=True)
class Plot:
    x: str
    y: str
    """ "" when there is only one input."""
    xs: tuple[str, ...]
    ys: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    """cells[row][column]: the chance that the bug shows."""
    dots: tuple[Dot, ...]
    fixed: str
    """The values of the other inputs that the regions assume."""
    by: str
    """Who predicts: "the fixes that are left" or "the answers alone"."""


Predict = Callable[[Sequence[tuple[Any, ...]]], Sequence[float]]


def plot_of_labels(domain: Domain, labels: Sequence[Label], condition: str = "") -> Plot | None:
    """Predictions from the answers alone, cheap enough for every question."""
    rows = [(tuple(domain.parse(label.observation.input.text).values), label) for label in labels]
    examples = _examples(rows)
    oracle = learner("forest").learn(domain.variables, examples, random.Random(1))

    def predict(grid: Sequence[tuple[Any, ...]]) -> list[float]:
        return [oracle.chance(tuple(scalar(value) for value in values)) for values in grid]

    return _draw(domain, rows, condition, predict, "the answers alone")


def _examples(rows: Sequence[tuple[tuple[Any, ...], Label]]) -> list[Example]:
    return [
        Example(tuple(scalar(value) for value in values), label.answer.verdict is Verdict.BUG)
        for values, label in rows
        if label.answer.verdict in (Verdict.BUG, Verdict.OK)
    ]


def suggested_by_labels(domain: Domain, labels: Sequence[Label]) -> str:
    """The simplest condition that the answers alone suggest; "" while they say too little, or too much."""
    rows = [(tuple(domain.parse(label.observation.input.text).values), label) for label in labels]
    examples = _examples(rows)
    if all(example.failing for example in examples):
        return ""
    oracle = learner("tree").learn(domain.variables, examples, random.Random(1))
    return brief(oracle.formula, domain.variables)


def plot_of_session(session: Session, labels: Sequence[Label], condition: str) -> Plot | None:
    """Predictions of the session itself; only while no question is open, because it runs the program."""
    domain = session.domain
    rows = [(tuple(domain.parse(label.observation.input.text).values), label) for label in labels]

    def predict(grid: Sequence[tuple[Any, ...]]) -> list[float]:
        return session.chances([domain.render(values).text for values in grid])

    return _draw(domain, rows, condition, predict, "the fixes that are left")


def _draw(
    domain: Domain, rows: Sequence[tuple[tuple[Any, ...], Label]], condition: str, predict: Predict, by: str
) -> Plot | None:
    chosen = telling(domain, rows, condition)
    if not chosen or not rows:
        return None
    home = rows[0][0]
    x, y = chosen[0], chosen[1] if len(chosen) > 1 else None
    xs = axis([values[x] for values, _ in rows], home[x], domain.variables[x].kind)
    ys = axis([values[y] for values, _ in rows], home[y], domain.variables[y].kind) if y is not None else [0]
    grid = []
    for down in ys:
        for across in xs:
            values = list(home)
            values[x] = across
            if y is not None:
                values[y] = down
            grid.append(tuple(values))
    try:
        chances = list(predict(grid))
    except Learn2FixError:
        return None
    cells = tuple(tuple(chances[r * len(xs) : (r + 1) * len(xs)]) for r in range(len(ys)))
    dots = tuple(
        Dot(
            nearest(xs, values[x]),
            nearest(ys, values[y]) if y is not None else 0,
            label.answer.verdict,
            label.observation.input.text.strip(),
            any(value != home[i] for i, value in enumerate(values) if i not in (x, y)),
        )
        for values, label in rows
    )
    names = [variable.name for variable in domain.variables]
    others = [f"{name} = {home[i]}" for i, name in enumerate(names) if i not in (x, y)]
    fixed = ", ".join(others[:4]) + (", …" if len(others) > 4 else "")
    return Plot(
        names[x], names[y] if y is not None else "", tuple(map(write, xs)),
        tuple(map(write, ys)) if y is not None else ("",), cells, dots, fixed, by,
    )  # fmt: skip


def telling(domain: Domain, rows: Sequence[tuple[tuple[Any, ...], Label]], condition: str) -> list[int]:
    """Up to two numeric inputs: those the condition speaks of most, then those that part the answers best."""
    sides = [
        (values, label.answer.verdict is Verdict.BUG)
        for values, label in rows
        if label.answer.verdict in (Verdict.BUG, Verdict.OK)
    ]

    def score(i: int) -> tuple[int, float, int]:
        mentioned = len(re.findall(rf"(?<!\w){re.escape(domain.variables[i].name)}(?!\w)", condition))
        return mentioned, information([(values[i], bug) for values, bug in sides]), -i

    numeric = [
        i
        for i, variable in enumerate(domain.variables)
        if variable.kind in NUMERIC and all(isinstance(values[i], int | Fraction) for values, _ in rows)
    ]
    return sorted(sorted(numeric, key=score, reverse=True)[:2])


def information(pairs: Sequence[tuple[Number, bool]]) -> float:
    """Information gain of the best threshold on this value, in bits."""

    def entropy(part: Sequence[tuple[Number, bool]]) -> float:
        share = sum(bug for _, bug in part) / len(part) if part else 0.0
        return -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)

    best = 0.0
    for limit in {value for value, _ in pairs}:
        low = [pair for pair in pairs if pair[0] <= limit]
        high = [pair for pair in pairs if pair[0] > limit]
        left = (len(low) * entropy(low) + len(high) * entropy(high)) / len(pairs)
        best = max(best, entropy(pairs) - left)
    return best


def axis(values: Sequence[Number], home: Number, kind: Kind) -> list[Number]:
    """Values for an axis, in order: the failing input's, its neighbours, the answers', and some between."""
    step: Number = 1 if kind is Kind.INT else max(abs(Fraction(home)) / 10, Fraction(1, 10))
    found: list[Number] = []
    for value in (home, *values, home - step, home + step):
        if value not in found and len(found) < MAX_VALUES:
            found.append(value)
    while len(found) < MAX_VALUES:
        found.sort()
        if len(found) < MIN_VALUES:
            # Pad a short axis, so that the plot shows where a region ends.
            found += [found[0] - step, found[-1] + step]
            continue
        gaps = [(b - a, a, b) for a, b in itertools.pairwise(found) if b - a > step]
        if not gaps:
            break
        _, a, b = max(gaps)
        middle: Number = (a + b) // 2 if kind is Kind.INT else Fraction(a + b) / 2
        found.append(middle)
    return sorted(found)[:MAX_VALUES]


def nearest(values: Sequence[Number], value: Number) -> int:
    return min(range(len(values)), key=lambda i: float(abs(Fraction(values[i]) - Fraction(value))))


def write(value: Number) -> str:
    if isinstance(value, int) or value.denominator == 1:
        text = str(int(value))
        return text if len(text) <= 8 else f"{float(value):.2g}" if len(text) < 300 else text[:4] + "…"
    return f"{float(value):.4g}"

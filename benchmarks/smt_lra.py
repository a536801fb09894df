"""Learning time of the SMT(LRA) learner by points and dimensions, beside the paper's algorithm (incal).

Each dimension is a variable: all inputs, and the output of the buggy program when there is more than one.
Labels are those of small buggy programs like the ones of the zoo: a parity, Steve's triangle, a wrong order,
a wrong range, a wrong plane, and a parity of all inputs.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles.incal import IncalLra
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.smt_lra import SmtLra
from learn2fix.oracles.work import Work

POINTS = (5, 10, 20, 30, 50)
DIMENSIONS = (1, 2, 3, 4, 6, 9)
LIMIT = 16_000_000
"""Steps for one formula, about four seconds; the original had no limit."""


@dataclass(frozen=True)
class Bug:
    """When the buggy program goes wrong, and what it should compute; its output is off by one then."""

    name: str
    shows: Callable[[Sequence[int]], bool]
    golden: Callable[[Sequence[int]], int]


def _triangle(x: Sequence[int]) -> bool:
    return len(set(x[:3])) == 1 and x[0] != 1


BUGS = (
    Bug("parity", lambda x: x[0] % 2 == 1, max),
    Bug("parity of all", lambda x: sum(x) % 2 == 1, max),
    Bug("triangle", _triangle, lambda x: len(set(x))),
    Bug("order", lambda x: x[0] > x[-1] or x[0] == 7, min),
    Bug("range", lambda x: 3 <= x[0] <= 40 and x[-1] > 0, max),
    Bug("plane", lambda x: 2 * x[0] + 3 * x[-1] > 20 + x[len(x) // 2], lambda x: x[0] * x[-1]),
)


def labelled(bug: Bug, points: int, dimensions: int, rng: random.Random) -> list[Example]:
    """Inputs near each other, about half of them failing where that many can be found."""
    inputs = max(1, dimensions - 1)
    found: dict[Point, bool] = {}
    for attempt in range(400 * points):
        x = [rng.choice((rng.randint(-4, 12), rng.randint(-60, 60))) for _ in range(inputs)]
        for place in range(1, inputs):
            if rng.random() < 0.4:
                x[place] = x[0]
        failing = bug.shows(x)
        if attempt < 200 * points and sum(found.values()) * 2 > len(found) and failing:
            continue
        if attempt < 200 * points and sum(found.values()) * 2 < len(found) and not failing:
            continue
        found.setdefault((*x, bug.golden(x) + failing) if dimensions > 1 else tuple(x), failing)
        if len(found) == points:
            break
    return [Example(point, failing) for point, failing in found.items()]


@dataclass(frozen=True)
class Cell:
    """One learner on one set of examples."""

    seconds: float
    length: int
    right: float
    exhausted: bool


def measure(learner: Learner, examples: Sequence[Example], dimensions: int) -> Cell:
    variables = [Variable(f"x{i}") for i in range(dimensions)]
    start = time.perf_counter()
    oracle = learner.learn(variables, examples, random.Random(1), Work(LIMIT))
    seconds = time.perf_counter() - start
    right = sum((oracle.chance(e.point) >= 0.5) == e.failing for e in examples) / len(examples)
    length = len(oracle.formula.text(variables)) if oracle.formula else 0
    return Cell(seconds, length, right, bool(getattr(oracle, "exhausted", False)))


def main() -> None:
    print("             | ours                             | incal")
    print("points  dims | median s  worst s  length  right | median s  gave up    length")
    gave_up: dict[tuple[str, int], Cell] = {}
    ratios: list[float] = []
    for points in POINTS:
        for dimensions in DIMENSIONS:
            ours: list[Cell] = []
            theirs: list[Cell] = []
            for bug in BUGS:
                examples = labelled(
                    bug, points, dimensions, random.Random(f"{bug.name} {points} {dimensions}")
                )
                ours.append(measure(SmtLra(), examples, dimensions))
                # What was given up on fewer points is not tried on more, and counts the same.
                cell = gave_up.get((bug.name, dimensions)) or measure(IncalLra(), examples, dimensions)
                theirs.append(cell)
                if cell.exhausted:
                    gave_up[bug.name, dimensions] = cell
            ratios.append(_median(theirs) / _median(ours))
            lengths = [cell.length for cell in theirs if not cell.exhausted]
            print(
                f"{points:6} {dimensions:5} | {_median(ours):8.3f} {max(c.seconds for c in ours):8.3f}"
                f" {statistics.median(c.length for c in ours):7.0f} {min(c.right for c in ours):6.2f}"
                f" | {_median(theirs):8.3f} {sum(c.exhausted for c in theirs):5} of {len(theirs)}"
                f" {statistics.median(lengths) if lengths else float('nan'):7.0f}",
                flush=True,
            )
    ratio = statistics.median(ratios)
    print(f"incal takes {ratio:.1f} times as long (median of the rows; given up after {LIMIT:,} steps)")


def _median(cells: Sequence[Cell]) -> float:
    return statistics.median(cell.seconds for cell in cells)

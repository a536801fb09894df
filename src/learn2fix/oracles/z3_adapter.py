"""All that is asked of z3, in exact numbers: one separating half-plane, and INCAL's CNF over half-planes.

z3 is imported when first asked (a tenth of a second). Each question has its own context: no state is shared
between threads, and z3's resource count, which limits the work, starts at zero and repeats exactly.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learn2fix.model import Scalar
from learn2fix.oracles.formula import Number
from learn2fix.oracles.work import UNLIMITED, OutOfWork, Work

Vector = Sequence[Number]

DEFINED = re.compile(r"\(define-fun (\w+) \(\) \w+\s+([^a-z]*|true|false)\)(?=\s*(?:\(define|$))")
"""A name and its value in a model; long numbers stand on lines of their own."""
DIGITS = re.compile(r"[0-9.]+")

PLANE_STEPS = 500_000
"""Maximum resource count of one check for a half-plane: a fraction of a second."""
STEPS_A_UNIT = 2
"""Approximate number of steps that take as long as one unit of z3's resource count."""
LARGEST_LIMIT = 2**32 - 1
"""The largest limit that z3 takes, hours of work."""
STEPS_A_NODE = 20
"""Steps to hand z3 one node of an expression."""
OLDER_SIMPLEX = 2
"""z3's arithmetic when INCAL was published: which of the formulas that fit is found depends on it."""
POLL_SECONDS = 0.1
"""Between two looks at a deadline while z3 is at work."""


def half_plane(
    inside: Sequence[Vector],
    outside: Sequence[Vector],
    largest: int | None,
    work: Work | None = None,
    steps: int = PLANE_STEPS,
) -> tuple[Number, ...] | None:
    """Coefficients whose sum is smaller on every inside vector than on each outside one.

    With `largest`, whole coefficients up to that size. None when there are none, or when the work in all or
    z3's `steps` for one check did not suffice. Begins with a few vectors and adds those that are on the
    wrong side (as INCAL does), faster than all at once.
    """
    import z3

    work = work or Work()
    context = z3.Context()
    sort = z3.Real if largest is None else z3.Int
    width = len(inside[0])
    weights = [sort(f"w{i}", context) for i in range(width)]
    bound = z3.Real("b", context)
    solver = z3.SolverFor("QF_LRA" if largest is None else "QF_LIRA", context)
    # Set once: z3 counts it anew for each check, and starts over when an option changes.
    solver.set("rlimit", steps)
    if largest is not None:
        solver.add(*(z3.And(w <= largest, w >= -largest) for w in weights))
    pending = [(vector, True) for vector in inside] + [(vector, False) for vector in outside]
    chosen = pending[:2] + pending[len(inside) : len(inside) + 2]
    asked = 0
    while True:
        for vector, within in chosen[asked:]:
            total = z3.Sum(
                [w * _rational(z3, value, context) for w, value in zip(weights, vector, strict=True)]
            )
            solver.add(total <= bound if within else total > bound)
        asked = len(chosen)
        if _check(solver, work) != z3.sat:
            return None
        model = solver.model()
        values = [_number(model.eval(w, model_completion=True)) for w in weights]
        limit = _number(model.eval(bound, model_completion=True))
        wrong = [item for item in pending if _within(values, limit, item[0]) != item[1]]
        if not wrong:
            return tuple(values)
        chosen += wrong[:4]


@dataclass(frozen=True, slots=True)
class Plane:
    """sum of coefficients times variables <= bound."""

    coefficients: tuple[Number, ...]
    bound: Number


@dataclass(frozen=True, slots=True)
class Clauses:
    """A CNF: for each clause the literals used, each an index and a sign."""

    planes: tuple[Plane, ...]
    clauses: tuple[tuple[tuple[int, bool], ...], ...]
    """An index below len(planes) is a plane, from there on a fact."""


def cnf(
    points: Sequence[Sequence[Scalar]],
    labels: Sequence[bool],
    facts: Sequence[Sequence[bool]],
    clauses: int,
    planes: int,
    work: Work,
) -> Clauses | None:
    """INCAL's question: `clauses` clauses over `planes` half-planes that fit the labels exactly.

    `facts` are fixed literals (one row a fact, a truth value a point) that clauses may use too: what
    the points hold as text. None when there is no such CNF; OutOfWork when z3 could not decide.
    """
    import z3

    context = z3.Context()
    solver = z3.SolverFor("QF_LRA", context)
    solver.set("arith.solver", OLDER_SIMPLEX)
    width = len(points[0]) if points else 0
    literals = planes + len(facts)
    work.spend(len(points) * (planes * width + clauses * literals) * STEPS_A_NODE)
    # As text, which z3 reads ten times faster than nodes can be handed to it one by one.
    solver.from_string(_question(points, labels, facts, clauses, planes, width))
    solver.set("rlimit", min(max(1, work.steps // STEPS_A_UNIT), LARGEST_LIMIT))
    answer = _check(solver, work)
    if answer == z3.unknown:
        raise OutOfWork
    if answer == z3.unsat:
        return None
    # As text too: one call in place of one for each value.
    model = dict(DEFINED.findall(solver.model().sexpr()))

    def number(name: str) -> Number:
        """What the model leaves open may be anything."""
        text = model.get(name, "0")
        top, *below = map(Fraction, DIGITS.findall(text))
        value = (top / below[0] if below else top) * (-1 if text.startswith("(-") else 1)
        return value.numerator if value.denominator == 1 else value

    found = tuple(
        Plane(tuple(number(f"w{h}_{d}") for d in range(width)), number(f"b{h}")) for h in range(planes)
    )
    chosen = tuple(
        tuple(
            (h, sign == "p")
            for h in range(literals)
            for sign in "pn"
            if model.get(f"{sign}{c}_{h}") == "true"
        )
        for c in range(clauses)
    )
    return Clauses(found, chosen)


def _question(
    points: Sequence[Sequence[Scalar]],
    labels: Sequence[bool],
    facts: Sequence[Sequence[bool]],
    clauses: int,
    planes: int,
    width: int,
) -> str:
    """The question of `cnf` in SMT-LIB: weights w, bounds b, which literals (p, negated n) a clause has."""
    literals = planes + len(facts)
    lines = [f"(declare-const w{h}_{d} Real)" for h in range(planes) for d in range(width)]
    lines += [f"(declare-const b{h} Real)" for h in range(planes)]
    lines += [
        f"(declare-const {sign}{c}_{h} Bool)"
        for c in range(clauses)
        for sign in "pn"
        for h in range(literals)
    ]
    lines += _without_symmetries(clauses, planes, literals)
    for place, (point, label) in enumerate(zip(points, labels, strict=True)):
        holds = []
        for h in range(planes):
            parts = [f"(* w{h}_{d} {_written(v)})" for d, v in enumerate(point) if not isinstance(v, str)]
            # A half-plane over a variable that holds text is false, as in `formula`.
            texts = [f"(= w{h}_{d} 0.0)" for d, v in enumerate(point) if isinstance(v, str)]
            meets = " ".join(["(and", *texts, f"(<= (+ 0.0 {' '.join(parts)}) b{h}))"])
            lines += [f"(declare-const s{place}_{h} Bool)", f"(assert (= s{place}_{h} {meets}))"]
            holds.append(f"s{place}_{h}")
        holds += ["true" if fact[place] else "false" for fact in facts]
        met = []
        for c in range(clauses):
            positive = [f"(and p{c}_{h} {literal})" for h, literal in enumerate(holds)]
            negative = [f"(and n{c}_{h} (not {literal}))" for h, literal in enumerate(holds)]
            met.append(f"(or {' '.join(positive + negative)})")
        every = f"(and {' '.join(met)})"
        lines.append(f"(assert {every})" if label else f"(assert (not {every}))")
    return "\n".join(lines)


def _without_symmetries(clauses: int, planes: int, literals: int) -> Iterator[str]:
    """What INCAL demands of a CNF because there is always one like it: a bound is 0 or 1, no clause holds a
    literal and its negation, and clauses are in lexicographic order."""
    for h in range(planes):
        yield f"(assert (or (= b{h} 1.0) (= b{h} 0.0)))"
    for c in range(clauses):
        for h in range(literals):
            yield f"(assert (not (and p{c}_{h} n{c}_{h})))"
    for c in range(clauses - 1):
        alike = ["true"]
        for h in range(literals):
            not_less = f"(or p{c}_{h} n{c + 1}_{h} (and (not n{c}_{h}) (not p{c + 1}_{h})))"
            yield f"(assert (=> (and {' '.join(alike)}) {not_less}))"
            alike += [f"(= p{c}_{h} p{c + 1}_{h})", f"(= n{c}_{h} n{c + 1}_{h})"]


def _written(value: Number) -> str:
    """A number as SMT-LIB writes a real one."""
    top, bottom = abs(value.numerator), value.denominator
    size = f"{top}.0" if bottom == 1 else f"(/ {top}.0 {bottom}.0)"
    return size if value >= 0 else f"(- {size})"


def _check(solver: Any, work: Work) -> Any:
    """The solver's answer; unknown when it is out of work, or past the deadline."""
    import z3

    if work.spent:
        return z3.unknown
    limited = work.steps < UNLIMITED // 2
    before = _resource_count(solver) if limited else 0
    with _WATCHER.watching(solver.ctx, work):
        answer = solver.check()
    if limited:
        work.steps -= (_resource_count(solver) - before) * STEPS_A_UNIT
    return answer


def _resource_count(solver: Any) -> int:
    return next((value for name, value in solver.statistics() if name == "rlimit count"), 0)


class _Watcher:
    """Interrupts what is at work past its deadline: one thread for all checks, most of which are short."""

    def __init__(self) -> None:
        self._begin()
        # A forked process has the object, perhaps locked, but not its thread.
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, tuple[Any, Work]] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, context: Any, work: Work) -> Iterator[None]:
        if work.within is None:
            yield
            return
        with self._lock:
            self._watched[id(context)] = context, work
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._watched.pop(id(context), None)

    def _watch(self) -> None:
        while True:
            time.sleep(POLL_SECONDS)
            with self._lock:
                if not self._watched:
                    self._thread = None
                    return
                for context, work in self._watched.values():
                    if work.late:
                        context.interrupt()


_WATCHER = _Watcher()


def _within(weights: Vector, bound: Number, vector: Vector) -> bool:
    return sum(w * v for w, v in zip(weights, vector, strict=True)) <= bound


def _rational(z3: Any, value: Number, context: Any) -> Any:
    return z3.RealVal(f"{value.numerator}/{value.denominator}", context)


def _number(value: Any) -> Number:
    fraction = Fraction(value.as_fraction()) if hasattr(value, "as_fraction") else Fraction(value.as_long())
    return fraction.numerator if fraction.denominator == 1 else fraction

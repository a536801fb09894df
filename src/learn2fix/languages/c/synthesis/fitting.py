"""Small C expressions that have given values: enumerated by size, of those with equal values one.

Rows are what the variables of a place held when it was visited. A whole-number expression is wanted that has
one of the accepted values in every row, or a condition that is true in some rows and false in others.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from math import gcd, lcm

from learn2fix.edits.priors import priors
from learn2fix.languages.c.words import ATOM, LEVEL, TERNARY, UNARY
from learn2fix.oracles.z3_adapter import half_plane

LARGEST = 1 << 62
"""Values beyond would overflow."""
MOST_TERMS = 800
"""Terms that an expression is made of; conditions compare fewer."""
COMPARED = 220
MOST_TARGETS = 12
SOLVED = 3
"""Of these targets, so many are solved for exactly, which takes longer."""
ATOMS = 260
"""Comparisons that are joined by && and ||."""
MONOMIALS = 3
FEWEST_ROWS = 2
"""A factor that is 0 in some rows is not 0 in so many others."""
EXTREMES = 60
"""Terms of which two are tried as the larger and the smaller."""

SIZE = priors("c").synthesis

Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """An expression, how tightly it binds, its size in leaves and operators, and its value in each row."""

    text: str
    level: int
    size: float
    values: Values

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Fit:
    """A text that has the wanted values, and how far-fetched it is."""

    text: str
    level: int
    size: float


def quotient(a: int, b: int) -> int:
    """As C divides: towards zero."""
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def leaves(variables: Mapping[str, Values], constants: Mapping[str, int], rows: int) -> list[Term]:
    found = [Term(name, ATOM, SIZE["leaf"], values) for name, values in variables.items()]
    for text, value in constants.items():
        level = UNARY if value < 0 else ATOM
        size = SIZE["leaf" if abs(value) <= 2 else "large_constant"]
        found.append(Term(text, level, size, (value,) * rows))
    return _distinct(found)


def _distinct(terms: Sequence[Term]) -> list[Term]:
    """One of those with the same values, the smallest."""
    best: dict[Values, Term] = {}
    for term in sorted(terms, key=lambda t: t.size):
        if all(abs(value) < LARGEST for value in term.values):
            best.setdefault(term.values, term)
    return list(best.values())


def combined(left: Term, right: Term) -> Iterator[Term]:
    """All that one operator makes of two terms."""
    size = left.size + right.size
    pairs = list(zip(left.values, right.values, strict=True))
    plus, times = LEVEL["+"], LEVEL["*"]
    yield Term(f"{left.at(plus)} + {right.at(plus + 1)}", plus, size, tuple(a + b for a, b in pairs))
    yield Term(f"{left.at(plus)} - {right.at(plus + 1)}", plus, size, tuple(a - b for a, b in pairs))
    scaled = left.text.isdigit() or right.text.isdigit()
    multiplied = tuple(a * b for a, b in pairs)
    larger = size if scaled else size + SIZE["product"]
    yield Term(f"{left.at(times)} * {right.at(times + 1)}", times, larger, multiplied)
    if all(b for b in right.values):
        divided = tuple(quotient(a, b) for a, b in pairs)
        larger = size + SIZE["quotient"]
        yield Term(f"{left.at(times)} / {right.at(times + 1)}", times, larger, divided)
        rest = tuple(a - b * q for (a, b), q in zip(pairs, divided, strict=True))
        yield Term(f"{left.at(times)} % {right.at(times + 1)}", times, larger, rest)
    for sign, choose in (("<", min), (">", max)):
        first, second = left.at(TERNARY + 1), right.at(TERNARY + 1)
        compared = f"{left.at(LEVEL['<'])} {sign} {right.at(LEVEL['<'] + 1)}"
        text = f"{compared} ? {first} : {second}"
        yield Term(text, TERNARY, size + SIZE["choice"], tuple(choose(a, b) for a, b in pairs))


def terms(small: Sequence[Term], most: int = MOST_TERMS) -> list[Term]:
    """The leaves, and what one and two operators make of them, as far as there is room."""
    if not small:
        return []
    second = [term for a, b in product(small, small) for term in combined(a, b)]
    found = _distinct([*small, *second])[:most]
    if len(found) < most:
        third = (
            term
            for a, b in product(found[len(small) :], small)
            for pair in ((a, b), (b, a))
            for term in combined(*pair)
        )
        found = _distinct([*found, *islice(third, 12 * most)])[:most]
    return found


def values(
    variables: Mapping[str, Values], constants: Mapping[str, int], accepted: Sequence[frozenset[int]]
) -> Iterator[Fit]:
    """Whole-number expressions with an accepted value in every row, smallest first."""
    small = leaves(variables, constants, len(accepted))
    pool = terms(small)
    found = {
        t.text: Fit(t.text, t.level, t.size)
        for t in pool
        if all(value in wanted for value, wanted in zip(t.values, accepted, strict=True))
    }
    by_values = {term.values: term for term in pool}
    for number, target in enumerate(_targets(accepted)):
        for fit in _met_halfway(by_values, pool, target):
            found.setdefault(fit.text, fit)
        if number < SOLVED:
            for fit in (*_polynomials(variables, target), *_products(pool, target), *_extremes(pool, target)):
                found.setdefault(fit.text, fit)
    yield from sorted(found.values(), key=lambda fit: (fit.size, fit.text))


def _targets(accepted: Sequence[frozenset[int]]) -> Iterator[Values]:
    ordered = [sorted(wanted, key=lambda v: (abs(v), v))[:3] for wanted in accepted]
    yield from islice(product(*ordered), MOST_TARGETS)


def _met_halfway(known: Mapping[Values, Term], pool: Sequence[Term], target: Values) -> Iterator[Fit]:
    """target = a + b, a - b or a * b: for each a the b is looked up."""
    plus, times = LEVEL["+"], LEVEL["*"]
    for a in pool:
        b = known.get(tuple(t - x for t, x in zip(target, a.values, strict=True)))
        if b is not None and a.size >= b.size:
            yield Fit(f"{a.at(plus)} + {b.at(plus + 1)}", plus, a.size + b.size)
        b = known.get(tuple(x - t for t, x in zip(target, a.values, strict=True)))
        if b is not None:
            yield Fit(f"{a.at(plus)} - {b.at(plus + 1)}", plus, a.size + b.size)
        if all(x and t % x == 0 for t, x in zip(target, a.values, strict=True)):
            b = known.get(tuple(t // x for t, x in zip(target, a.values, strict=True)))
            if b is not None and a.size >= b.size:
                yield Fit(f"{a.at(times)} * {b.at(times + 1)}", times, a.size + b.size)


def _products(pool: Sequence[Term], target: Values) -> Iterator[Fit]:
    """target = a * b where a is 0 in some rows, in which b may be anything."""
    times = LEVEL["*"]
    for a in pool:
        if a.size > SIZE["small_factor"] or all(a.values):
            continue
        rows = [(i, t // x) for i, (t, x) in enumerate(zip(target, a.values, strict=True)) if x]
        exact = all(t % x == 0 if x else t == 0 for t, x in zip(target, a.values, strict=True))
        if not exact or len(rows) < FEWEST_ROWS:
            continue
        for b in pool:
            if all(b.values[i] == wanted for i, wanted in rows):
                yield Fit(f"{a.at(times)} * {b.at(times + 1)}", times, a.size + b.size)
                break


def _extremes(pool: Sequence[Term], target: Values) -> Iterator[Fit]:
    """target = the larger (the smaller) of a and b, where each of the two is the one in some row."""
    for sign, fits in ((">", operator.le), ("<", operator.ge)):
        sides = [
            t for t in pool if all(map(fits, t.values, target)) and any(map(operator.eq, t.values, target))
        ]
        for a, b in combinations(sides[:EXTREMES], 2):
            if all(x == t or y == t for x, y, t in zip(a.values, b.values, target, strict=True)):
                compared = f"{a.at(LEVEL['<'])} {sign} {b.at(LEVEL['<'] + 1)}"
                text = f"{compared} ? {a.at(TERNARY + 1)} : {b.at(TERNARY + 1)}"
                yield Fit(text, TERNARY, a.size + b.size + SIZE["choice"])


def _polynomials(variables: Mapping[str, Values], target: Values) -> Iterator[Fit]:
    """Monomials up to degree 2 with exact whole coefficients over one divisor, found by elimination: any few
    of them, or all of one kind where there are enough rows."""
    rows = len(target)
    single = list(variables.items())[:5]
    linear: list[tuple[str, Values]] = [("", (1,) * rows), *single]
    mixed = [*linear, *(_product(a, b) for a, b in combinations(single, 2))]
    monomials = [*mixed, *(_product(a, a) for a in single)]
    few = (chosen for count in range(2, MONOMIALS + 1) for chosen in combinations(monomials, count))
    for chosen in (*few, tuple(linear), tuple(mixed), tuple(monomials)):
        # As many unknowns as rows fit anything.
        weights = solve([column for _, column in chosen], target) if len(chosen) < rows else None
        if weights is None or (len(chosen) <= MONOMIALS and not all(weights)):
            continue
        parts = [(name, weight) for (name, _), weight in zip(chosen, weights, strict=True) if weight]
        fit = _written(*zip(*parts, strict=True)) if len(parts) > 1 else None
        if fit is not None:
            yield fit


def _product(one: tuple[str, Values], other: tuple[str, Values]) -> tuple[str, Values]:
    (a, x), (b, y) = one, other
    return f"{a} * {b}", tuple(p * q for p, q in zip(x, y, strict=True))


def solve(columns: Sequence[Values], target: Values) -> list[Fraction] | None:
    """The one way to write the target as a sum of multiples of the columns, if there is just one."""
    rows = [[*map(Fraction, row)] for row in zip(*columns, target, strict=True)]
    width = len(columns)
    for pivot in range(width):
        found = next((i for i in range(pivot, len(rows)) if rows[i][pivot]), None)
        if found is None:
            return None
        rows[pivot], rows[found] = rows[found], rows[pivot]
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for i in range(len(rows)):
            if i != pivot and rows[i][pivot]:
                factor = rows[i][pivot]
                rows[i] = [v - factor * p for v, p in zip(rows[i], rows[pivot], strict=True)]
    if any(row[width] for row in rows[width:]):
        return None
    return [rows[i][width] for i in range(width)]


def _written(names: Sequence[str], weights: Sequence[Fraction]) -> Fit | None:
    divisor = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * divisor) for weight in weights]
    if divisor > 12 or any(abs(weight) > 1000 for weight in whole):
        return None
    parts = sorted(zip(whole, names, strict=True), key=lambda part: (part[0] < 0, not part[1]))
    text = ""
    for weight, name in parts:
        size = abs(weight)
        part = str(size) if not name else name if size == 1 else f"{size} * {name}"
        text += (f" {'-' if weight < 0 else '+'} " if text else "-" if weight < 0 else "") + part
    cost = _linear_size(parts) + sum(name.count("*") for _, name in parts)
    if divisor > 1:
        return Fit(f"({text}) / {divisor}", LEVEL["/"], cost + SIZE["divisor"])
    return Fit(text, LEVEL["+"] if len(parts) > 1 or text[0] != "-" else UNARY, cost)


def _linear_size(parts: Sequence[tuple[int, str]]) -> float:
    return sum(SIZE["leaf"] + SIZE["coefficient"] * (abs(weight) > 1) for weight, _ in parts)


RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True, slots=True)
class _Atom:
    text: str
    level: int
    size: float
    mask: int
    """Bit i: true in row i."""


def conditions(
    variables: Mapping[str, Values],
    constants: Mapping[str, int],
    wanted: Sequence[bool],
    original: Sequence[bool],
) -> Iterator[tuple[str, Fit]]:
    """Conditions that are true just where wanted: `only` them, or joined to the original by && or ||."""
    rows = len(wanted)
    pool = terms(leaves(variables, constants, rows), COMPARED)
    atoms = _atoms(pool, rows)
    full = (1 << rows) - 1
    goal, now = _mask(wanted), _mask(original)
    ways = []
    if not goal & ~now:
        ways.append(("&&", now))
    if not now & ~goal:
        ways.append(("||", full & ~now))
    ways.append(("only", full))
    found: list[tuple[float, str, Fit]] = []
    for way, care in ways:
        extra = SIZE["replaced_condition"] if way == "only" else 0
        for atom in atoms:
            if not (atom.mask ^ goal) & care:
                found.append((atom.size + extra, way, Fit(atom.text, atom.level, atom.size + extra)))
        for fit in _joined(atoms, goal & care, ~goal & care & full):
            found.append((fit.size + extra, way, fit))
    plane = _half_plane(variables, wanted)
    if plane is not None:
        found.append((plane.size + SIZE["replaced_condition"], "only", plane))
    found.sort(key=lambda item: (item[0], item[1], item[2].text))
    for _, way, fit in found:
        yield way, fit


def _mask(truths: Sequence[bool]) -> int:
    return sum(1 << i for i, truth in enumerate(truths) if truth)


def _atoms(pool: Sequence[Term], rows: int) -> list[_Atom]:
    """Comparisons of two terms; of those true in the same rows the smallest few."""
    found: dict[int, list[_Atom]] = {}
    full = (1 << rows) - 1
    ordered = sorted(pool, key=lambda t: t.size)
    pairs = (
        (a, b) for i, a in enumerate(ordered) for b in ordered[:i] if a.size + b.size <= SIZE["compared"]
    )
    for a, b in sorted(pairs, key=lambda pair: pair[0].size + pair[1].size)[:12_000]:
        if a.text[0].isdigit() and not b.text[0].isdigit():
            a, b = b, a
        less = equal = 0
        for i, (x, y) in enumerate(zip(a.values, b.values, strict=True)):
            if x < y:
                less |= 1 << i
            elif x == y:
                equal |= 1 << i
        masks = (less, less | equal, full & ~(less | equal), full & ~less, equal, full & ~equal)
        for relation, mask in zip(RELATIONS, masks, strict=True):
            if mask in (0, full):
                continue
            level = LEVEL[relation]
            atom = _Atom(f"{a.at(level)} {relation} {b.at(level + 1)}", level, a.size + b.size, mask)
            same = found.setdefault(mask, [])
            if len(same) < 6:
                same.append(atom)
    every = [atom for same in found.values() for atom in same]
    return sorted(every, key=lambda atom: (atom.size, atom.text))


def _joined(atoms: Sequence[_Atom], yes: int, no: int) -> Iterator[Fit]:
    """P && Q and P || Q: true in the rows of `yes`, false in those of `no`."""
    best: dict[int, _Atom] = {}
    for atom in atoms:
        if atom.mask & yes == yes and ~atom.mask & no:
            best.setdefault(~atom.mask & no, atom)
    level = LEVEL["&&"]
    for p, q in combinations(list(best.items())[:ATOMS], 2):
        if p[0] | q[0] == no and no not in (p[0], q[0]):
            yield Fit(f"{p[1].text} && {q[1].text}", level, p[1].size + q[1].size)
    best = {}
    for atom in atoms:
        if not atom.mask & no and atom.mask & yes:
            best.setdefault(atom.mask & yes, atom)
    level = LEVEL["||"]
    for p, q in combinations(list(best.items())[:ATOMS], 2):
        if p[0] | q[0] == yes and yes not in (p[0], q[0]):
            yield Fit(f"{p[1].text} || {q[1].text}", level, p[1].size + q[1].size)


def _half_plane(variables: Mapping[str, Values], wanted: Sequence[bool]) -> Fit | None:
    """A sum of few variables, each with a small whole weight, compared with a number; by the solver."""
    names = list(variables)[:4]
    vectors = list(zip(*(variables[name] for name in names), strict=True)) if names else []
    inside = [v for v, yes in zip(vectors, wanted, strict=bool(names)) if yes]
    outside = [v for v, yes in zip(vectors, wanted, strict=bool(names)) if not yes]
    if len(names) < 2 or not inside or not outside or len(vectors) <= len(names) + 1:
        return None
    weights = half_plane(inside, outside, 4, steps=100_000)
    if weights is None:
        return None
    whole = [int(weight) for weight in weights]
    divisor = gcd(*whole) or 1
    whole = [weight // divisor for weight in whole]
    bound = max(sum(w * x for w, x in zip(whole, vector, strict=True)) for vector in inside)
    parts = [(w, n) for w, n in zip(whole, names, strict=True) if w]
    if not parts:
        return None
    left = ""
    for weight, name in sorted(parts, key=lambda part: part[0] < 0):
        part = name if abs(weight) == 1 else f"{abs(weight)} * {name}"
        left += (f" {'-' if weight < 0 else '+'} " if left else "-" if weight < 0 else "") + part
    return Fit(f"{left} <= {bound}", LEVEL["<="], _linear_size(parts) + SIZE["bound"])

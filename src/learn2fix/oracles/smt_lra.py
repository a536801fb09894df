"""The SMT(LRA) learner: the cheapest condition that all failing points satisfy and no passing one does.

INCAL's problem (Kolb et al., 2018; the learner of the Learn2Fix paper), solved the other way round:
instead of asking a solver for k clauses over h arbitrary half-planes, literals that a person would
write are listed in the order of their readability, and the cheapest disjunctive or conjunctive form
over them is searched for. General half-planes come last, from z3. Distinct points always get a formula
that is right on all of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles import covering, literals
from learn2fix.oracles.covering import Effort, Item, Term
from learn2fix.oracles.formula import FALSE, TRUE, Formula, Terms, conjunction, disjunction
from learn2fix.oracles.literals import Data, Pool
from learn2fix.oracles.partition import partitioned
from learn2fix.oracles.recentring import recentred
from learn2fix.oracles.simplify import simplified
from learn2fix.oracles.work import OutOfWork, Work

# The least that a literal of the later pools can cost; a formula that is cheaper needs no look at them.
PAIRS_FROM = 1.6
WIDE_FROM = 3.6
PLANES_FROM = 5.0

POLISHED = 40
"""Maximum number of literals of a formula that is polished; longer ones are not for reading."""


STEPS_A_VALUE = 8
"""Steps to weigh, sort and bound one value of a term."""


@dataclass(frozen=True, slots=True)
class FormulaOracle:
    """A condition, and how it stands to the labels that it was learned from."""

    formula: Formula
    exhausted: bool = False
    """The search was cut short for want of work: a cheaper formula may exist."""
    wrong: tuple[Example, ...] = ()
    """Labels that the formula contradicts: taken for mistakes, or outvoted on the same point."""

    def chance(self, point: Point) -> float:
        return 1.0 if self.formula.holds(point) else 0.0


@dataclass(frozen=True)
class SmtLra:
    """Up to `wrong_labels` labels are taken for mistakes where that makes the condition much shorter."""

    wrong_labels: int = 0
    effort: Effort = field(default_factory=Effort)
    name: str = "smt"

    mistake: float = 2.0
    """Cost that each label declared a mistake must save."""

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> FormulaOracle:
        work = work or Work()
        failing, passing = settle(examples)
        formula, exhausted = self._fit(variables, failing, passing, work)
        for _ in range(self.wrong_labels):
            cheaper = self._without_one(variables, failing, passing, formula.cost - self.mistake, work)
            if cheaper is None:
                break
            formula, failing, passing = cheaper
        wrong = tuple(example for example in examples if formula.holds(example.point) != example.failing)
        return FormulaOracle(formula, exhausted, tuple(dict.fromkeys(wrong)))

    def _fit(
        self,
        variables: Sequence[Variable],
        failing: Sequence[Point],
        passing: Sequence[Point],
        work: Work,
    ) -> tuple[Formula, bool]:
        if not failing or not passing:
            return (TRUE if failing else FALSE), False
        search = Search(literals.make_data(variables, failing, passing), self.effort, work)
        formula = search.run()
        if not work.late and len(formula.literals()) <= POLISHED:
            formula = simplified(recentred(formula, search.data))
        return formula, search.exhausted

    def _without_one(
        self,
        variables: Sequence[Variable],
        failing: list[Point],
        passing: list[Point],
        ceiling: float,
        work: Work,
    ) -> tuple[Formula, list[Point], list[Point]] | None:
        """The label without which the formula gets cheapest, if it gets below the ceiling."""
        best: tuple[float, Formula, list[Point], list[Point]] | None = None
        for suspect in sorted(failing + passing, key=literals.order):
            if work.spent or ceiling < 1.0:
                break
            fewer_failing = [point for point in failing if point != suspect]
            fewer_passing = [point for point in passing if point != suspect]
            if not fewer_failing or not fewer_passing:
                continue
            formula, _ = self._fit(variables, fewer_failing, fewer_passing, work)
            if formula.cost <= (ceiling if best is None else best[0] - 1e-9):
                best = formula.cost, formula, fewer_failing, fewer_passing
        return None if best is None else best[1:]


def settle(examples: Sequence[Example]) -> tuple[list[Point], list[Point]]:
    """Distinct failing and passing points; of contradictory labels the majority counts, failing on a tie."""
    votes: Counter[Point] = Counter()
    for example in examples:
        votes[example.point] += 1 if example.failing else -1
    failing = [point for point, vote in votes.items() if vote >= 0]
    passing = [point for point, vote in votes.items() if vote < 0]
    return sorted(failing, key=literals.order), sorted(passing, key=literals.order)


class Search:
    """One run over one set of examples: pools of growing size until no later one can pay."""

    def __init__(self, data: Data, effort: Effort, work: Work) -> None:
        self.data = data
        self.effort = effort
        self.work = work
        self.pool = Pool.empty(data)
        self.cost = float("inf")
        self.formula: Formula | None = None
        self.exhausted = False

    def run(self) -> Formula:
        data, pool = self.data, self.pool
        try:
            literals.add_texts(pool)
            for terms in literals.simple_terms(data.width):
                self._add(terms, literals.MODULI)
            for terms in literals.pair_terms(data.width):
                if terms[1][0] < 0:
                    self._add(terms, relations_only=True)
            if (parity := literals.parity_terms(data)) is not None:
                self._add(parity, (2,))
            self._search()
            if self.cost > PAIRS_FROM:
                for terms in literals.pair_terms(data.width):
                    self._add(terms, (2, 3))
                self._search()
            if self.cost > WIDE_FROM:
                for terms in literals.wide_terms(data.width):
                    self._add(terms)
                self._search()
            if self.cost > PLANES_FROM:
                self._planes()
                self._search()
        except OutOfWork:
            self.exhausted = True
        if self.formula is None:
            self.formula = partitioned(data)
        return self.formula

    def _add(self, terms: Terms, moduli: Sequence[int] = (), relations_only: bool = False) -> None:
        self.work.spend(len(self.data.points) * (STEPS_A_VALUE * len(terms) + len(moduli)))
        literals.add_term(self.pool, terms, moduli, relations_only)

    def _disjunctive(self) -> list[Item]:
        failing, passing = self.data.failing, self.data.passing
        return [Item(cost, m & failing, m & passing, key) for m, (cost, key, _, _) in self.pool.best.items()]

    def _conjunctive(self) -> list[Item]:
        """A clause misses no failing point and many passing ones: a term of what its literals miss."""
        failing, passing = self.data.failing, self.data.passing
        return [
            Item(cost, passing & ~m, failing & ~m, key) for m, (cost, key, _, _) in self.pool.best.items()
        ]

    def _search(self) -> None:
        failing, passing = self.data.failing, self.data.passing
        alone = self.pool.best.get(failing)
        if alone is not None and alone[0] < self.cost:
            # A single literal that fits makes most of the others too expensive to look at.
            self.cost, self.formula = alone[0], alone[2](*alone[3])
        found = covering.cheapest(self._disjunctive(), failing, passing, self.cost, self.effort, self.work)
        if found is not None:
            self.cost, self.formula = found[0], self._built(found[1], conjunction, disjunction)
        found = covering.cheapest(self._conjunctive(), passing, failing, self.cost, self.effort, self.work)
        if found is not None:
            self.cost, self.formula = found[0], self._built(found[1], disjunction, conjunction)

    def _planes(self) -> None:
        """General half-planes: between the classes, and between what the best literals leave of them."""
        failing, passing = self.data.failing, self.data.passing
        every = [(m, cost, key) for m, (cost, key, _, _) in self.pool.best.items()]
        above = sorted(
            (item for item in every if item[0] & failing == failing), key=lambda i: _leftover(i, passing)
        )
        inside = sorted(
            (item for item in every if not item[0] & passing), key=lambda i: _leftover(i, failing, True)
        )
        tasks = [(failing, passing)]
        tasks += [(failing, passing & mask) for mask, _, _ in above[:2]]
        tasks += [(failing & ~mask, passing) for mask, _, _ in inside[:2]]
        for want, avoid in tasks:
            if (terms := literals.plane_terms(self.data, want, avoid, self.work)) is not None:
                self._add(terms)

    def _built(
        self,
        terms: Sequence[Term],
        inner: Callable[[Sequence[Formula]], Formula],
        outer: Callable[[Sequence[Formula]], Formula],
    ) -> Formula:
        used = {key for term in terms for key in term.keys}
        made = {key: maker(*arguments) for _, key, maker, arguments in self.pool.best.values() if key in used}
        ordered = sorted(terms, key=lambda term: (len(term.keys), min(term.keys, default=0), term.keys))
        return outer([inner([made[key] for key in sorted(term.keys)]) for term in ordered])


def _leftover(item: tuple[int, float, int], others: int, inverted: bool = False) -> tuple[float, int]:
    """Rank of a literal: the others that it leaves to be dealt with, and its cost."""
    mask, cost, key = item
    left = others & ~mask if inverted else others & mask
    return left.bit_count() + cost, key

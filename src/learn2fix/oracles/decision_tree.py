"""Trees and small forests over extended features: an oracle in milliseconds, from labels alone.

A tree is grown from the top: the split at a node is drawn by how many bits it saves, less the price of
its literal. The single tree takes the best split each time and is what a person reads; a forest draws
many trees, all true to every label, so that where they disagree the labels leave the answer open.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Union

from learn2fix.model import Example, Kind, Point, Scalar, Variable
from learn2fix.oracles.features import Feature, Literal, literals
from learn2fix.oracles.formula import Formula, Not, Number, conjunction, disjunction
from learn2fix.oracles.simplify import simplified
from learn2fix.oracles.work import Work

STEPS_A_SPLIT = 10
"""Steps to weigh one split of one node."""


@dataclass(frozen=True, slots=True)
class Leaf:
    chance: float


@dataclass(frozen=True, slots=True)
class Node:
    literal: Literal
    value: Scalar
    yes: Tree
    no: Tree


Tree = Union[Leaf, Node]  # noqa: UP007  (a recursive alias needs the old spelling before 3.12)


class TreeLearner:
    """One tree: the best split at every node, thresholds in the middle of the gap."""

    name = "tree"

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> TreeOracle:
        return TreeOracle(_Grower(variables, examples).best(), tuple(variables), tuple(examples))


class ForestLearner:
    """Many drawn trees that vote, and the one best tree to read."""

    name = "forest"

    def __init__(self, trees: int = 50) -> None:
        self._trees = trees

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> ForestOracle:
        grower = _Grower(variables, examples)
        drawn = grower.forest(self._trees, rng, work or Work())
        return ForestOracle(drawn, TreeOracle(grower.best(), tuple(variables), tuple(examples)))


class TreeOracle:
    """A single tree and the condition it stands for."""

    def __init__(self, tree: Tree, variables: tuple[Variable, ...], examples: tuple[Example, ...]) -> None:
        self.tree = tree
        self._variables = variables
        self._texts = {
            place
            for example in examples
            for place, value in enumerate(example.point)
            if isinstance(value, str)
        }
        self._formula: Formula | None = None

    def chance(self, point: Point) -> float:
        tree = self.tree
        while isinstance(tree, Node):
            tree = tree.yes if _holds(tree, tree.literal.feature.value(point)) else tree.no
        return tree.chance

    @property
    def formula(self) -> Formula:
        if self._formula is None:
            self._formula = self._condition()
        return self._formula

    def _condition(self) -> Formula:
        """Either where it fails or, when that is shorter, all but where it passes."""
        failing = simplified(disjunction(map(conjunction, self._paths(self.tree, True))))
        passing = simplified(disjunction(map(conjunction, self._paths(self.tree, False))))
        return failing if failing.cost <= passing.cost + 0.5 else simplified(Not(passing))

    def _paths(self, tree: Tree, failing: bool) -> list[list[Formula]]:
        if isinstance(tree, Leaf):
            return [[]] if (tree.chance >= 0.5) == failing else []
        numeric = all(
            self._variables[place].kind in (Kind.INT, Kind.REAL, Kind.BOOL) and place not in self._texts
            for _, place in tree.literal.feature.terms
        )
        found = []
        for positive, below in ((True, tree.yes), (False, tree.no)):
            literal = tree.literal.formula(tree.value, positive, numeric)
            found += [[literal, *path] for path in self._paths(below, failing)]
        return found


class ForestOracle:
    """The mean vote of drawn trees. Features are computed once a point, not once a tree."""

    def __init__(self, trees: Sequence[Tree], best: TreeOracle) -> None:
        self.best = best
        slots: dict[Feature, int] = {}
        self._trees = [_compiled(tree, slots) for tree in trees]
        self._features = list(slots)

    def chance(self, point: Point) -> float:
        return sum(self.votes(point)) / len(self._trees)

    def votes(self, point: Point) -> list[float]:
        """What each tree says."""
        values = [feature.value(point) for feature in self._features]
        found = []
        for tree in self._trees:
            while isinstance(tree, tuple):
                slot, equal, limit, yes, no = tree
                value = values[slot]
                if equal:
                    tree = yes if value == limit else no
                else:
                    low = value is not None and not isinstance(value, str) and value <= limit  # type: ignore[operator]
                    tree = yes if low else no
            found.append(tree)
        return found

    @property
    def formula(self) -> Formula:
        return self.best.formula


Compiled = Union[float, tuple[int, bool, Scalar, "Compiled", "Compiled"]]  # noqa: UP007  (likewise)


def _compiled(tree: Tree, slots: dict[Feature, int]) -> Compiled:
    if isinstance(tree, Leaf):
        return tree.chance
    slot = slots.setdefault(tree.literal.feature, len(slots))
    return slot, tree.literal.equal, tree.value, _compiled(tree.yes, slots), _compiled(tree.no, slots)


def _holds(node: Node, value: Scalar | None) -> bool:
    if node.literal.equal:
        return value == node.value
    return value is not None and not isinstance(value, str) and value <= node.value  # type: ignore[operator]


class _Grower:
    """Grows trees on one set of examples; sets of examples are bits of an int."""

    def __init__(self, variables: Sequence[Variable], examples: Sequence[Example]) -> None:
        points, self.failing = _agreed(examples)
        self.everything = (1 << len(points)) - 1
        # Literals that hold on the same points explain the same: weighed together, told apart last.
        self.groups: dict[int, list[Literal]] = {}
        for mask, literal in literals(points, variables):
            self.groups.setdefault(mask, []).append(literal)
        self.cheapest = {mask: min(group, key=_price) for mask, group in self.groups.items()}
        self.within = {
            mask: list(accumulate(2.0**-literal.price for literal in group))
            for mask, group in self.groups.items()
        }
        self.splits: dict[int, tuple[list[int], list[float]]] = {}
        size = len(points) + 1
        self.entropy = [[_entropy(total, failing) for failing in range(total + 1)] for total in range(size)]

    def best(self) -> Tree:
        return self._best(self.everything)

    def _best(self, node: int) -> Tree:
        leaf = self._leaf(node)
        if leaf is not None:
            return leaf
        mask, literal = min(
            self.cheapest.items(),
            key=lambda item: (round(self._bits(node, item[0]) + item[1].price, 9), _order(item[1])),
        )
        value = literal.low if literal.equal else middle(literal.low, literal.high)
        return Node(literal, value, self._best(node & mask), self._best(node & ~mask))

    def forest(self, trees: int, rng: random.Random, work: Work) -> list[Tree]:
        """That many drawn trees; fewer, but at least one, when the work runs out before."""
        drawn: list[Tree] = []
        while not drawn or (len(drawn) < trees and not work.spent):
            known = len(self.splits)
            drawn.append(self._drawn(self.everything, rng))
            # Weighing the splits of a node is what takes time, and it is done once for each node.
            work.steps -= (1 + len(self.splits) - known) * len(self.groups) * STEPS_A_SPLIT
        return drawn

    def _drawn(self, node: int, rng: random.Random) -> Tree:
        leaf = self._leaf(node)
        if leaf is not None:
            return leaf
        masks, weights = self._distribution(node)
        mask = rng.choices(masks, cum_weights=weights)[0]
        literal = rng.choices(self.groups[mask], cum_weights=self.within[mask])[0]
        value = literal.low if literal.equal else somewhere(literal.low, literal.high, rng)
        return Node(literal, value, self._drawn(node & mask, rng), self._drawn(node & ~mask, rng))

    def _distribution(self, node: int) -> tuple[list[int], list[float]]:
        if node not in self.splits:
            masks = [mask for mask in self.groups if 0 != node & mask != node]
            bits = [self._bits(node, mask) for mask in masks]
            least = min(bits)
            weights = accumulate(
                self.within[mask][-1] * 2.0 ** (least - bit) for mask, bit in zip(masks, bits, strict=True)
            )
            self.splits[node] = masks, list(weights)
        return self.splits[node]

    def _leaf(self, node: int) -> Leaf | None:
        total, failing = node.bit_count(), (node & self.failing).bit_count()
        splittable = 0 < failing < total and any(0 != node & mask != node for mask in self.groups)
        if splittable:
            return None
        return Leaf(failing / total if total else 0.5)

    def _bits(self, node: int, mask: int) -> float:
        """What is left to explain after the split."""
        yes, no = node & mask, node & ~mask
        if not yes or not no:
            return math.inf
        failing, entropy = self.failing, self.entropy
        return (
            entropy[yes.bit_count()][(yes & failing).bit_count()]
            + entropy[no.bit_count()][(no & failing).bit_count()]
        )


def _entropy(total: int, failing: int) -> float:
    if failing in (0, total):
        return 0.0
    share = failing / total
    return -total * (share * math.log2(share) + (1 - share) * math.log2(1 - share))


def _price(literal: Literal) -> float:
    return literal.price


def _order(literal: Literal) -> tuple[object, ...]:
    """Ties are broken by the variables, then by the value: never by the order of a dictionary."""
    return literal.feature.terms, literal.feature.modulus, literal.equal, str(literal.low)


def _agreed(examples: Sequence[Example]) -> tuple[list[Point], int]:
    """Each point once, with its most frequent label (failing on a tie), and the failing ones as bits."""
    votes: dict[Point, Counter[bool]] = {}
    for example in examples:
        votes.setdefault(example.point, Counter())[example.failing] += 1
    failing = sum(1 << place for place, count in enumerate(votes.values()) if count[True] >= count[False])
    return list(votes), failing


def middle(low: Scalar, high: Scalar) -> Number:
    """A round number near the middle of [low, high): by magnitude where the ends are far apart."""
    if isinstance(low, str) or isinstance(high, str):
        raise TypeError("there is nothing between texts")
    return _round_between(low, high, _at(low, high, 0.5))


def somewhere(low: Scalar, high: Scalar, rng: random.Random) -> Number:
    """A random number in [low, high)."""
    if isinstance(low, str) or isinstance(high, str):
        raise TypeError("there is nothing between texts")
    found = _at(low, high, rng.random())
    if isinstance(low, int) and isinstance(high, int):
        return min(max(math.floor(found), low), high - 1)
    return min(max(Fraction(found), Fraction(low)), Fraction(low + 9 * high) / 10)


def _at(low: Number, high: Number, share: float) -> float | Number:
    """The number at this share of the way, along magnitudes when the ends differ by more than tenfold."""
    if low < -(10**15) or high > 10**15:
        return low + (high - low) * Fraction(round(share * 1000), 1000)
    if low >= 0 and high > 10 * (low + 1):
        return math.expm1(math.log1p(low) * (1 - share) + math.log1p(high) * share)
    if high <= 0 and low < 10 * (high - 1):
        return -math.expm1(math.log1p(-low) * (1 - share) + math.log1p(-high) * share)
    return low + (high - low) * Fraction(round(share * 1000), 1000)


def _round_between(low: Number, high: Number, near: float | Number) -> Number:
    """The roundest number in [low, high) not far from `near`."""
    if isinstance(low, int) and isinstance(high, int):
        centre: int = min(max(math.floor(near), low), high - 1)
        reach = min(centre - low, high - 1 - centre) // 2
        step: int = 10 ** len(str(max(abs(low), abs(high))))
        while step > 1:
            for candidate in (centre - centre % step, centre - centre % step + step):
                if abs(candidate - centre) <= reach:
                    return candidate
            step //= 10
        return centre
    centre_exact = Fraction(near)
    span = Fraction(high) - Fraction(low)
    places = 0
    while True:
        candidate_exact = Fraction(round(centre_exact * 10**places), 10**places)
        if low <= candidate_exact < high and abs(candidate_exact - centre_exact) <= span / 4:
            return candidate_exact.numerator if candidate_exact.denominator == 1 else candidate_exact
        places += 1

"""The cheapest disjunction of conjunctions of given literals that covers one class and nothing of the other.

By duality the same search gives the cheapest conjunction of disjunctions (see `smt_lra`). Literals are
bit masks over the examples. Conjunctions of one and two literals are enumerated completely, as are
those of any length that cover the whole class; longer ones are found by a beam, which is restarted on
whatever is still uncovered, and in the end by greedy growth from a single point, which never fails when
the points are distinct. The choice among the conjunctions is a weighted set cover, by branch and bound.
Work is counted in steps, not in seconds, so results repeat exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from learn2fix.oracles.work import Work

Mask = int


@dataclass(frozen=True, slots=True)
class Item:
    """A literal: what it costs to read, and which wanted and unwanted points it covers."""

    cost: float
    want: Mask
    avoid: Mask
    key: int
    """Its place in the pool: the smaller of two equals wins."""


@dataclass(frozen=True, slots=True)
class Term:
    """A conjunction of literals that covers no unwanted point."""

    cost: float
    want: Mask
    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of the search."""

    literals: int = 250
    beam: int = 12
    depth: int = 4
    restarts: int = 4
    terms: int = 250
    nodes: int = 2000


GROUP = 0.02
"""Charged for each conjunction, so that one beats two of the same length."""


def cheapest(
    items: Iterable[Item], want: Mask, avoid: Mask, ceiling: float, effort: Effort, work: Work
) -> tuple[float, list[Term]] | None:
    """Terms that together cover `want`, cheaper than `ceiling`; None when none were found."""
    every = list(items)
    useful = _useful(every, want, avoid, ceiling, effort.literals, work)
    terms: dict[Mask, Term] = {}

    def keep(cost: float, covered: Mask, keys: tuple[int, ...]) -> None:
        known = terms.get(covered)
        if known is None or cost < known.cost - 1e-9:
            terms[covered] = Term(cost, covered, keys)

    for item in useful:
        if not item.avoid:
            keep(item.cost + GROUP, item.want, (item.key,))
    _whole(useful, want, avoid, ceiling, effort, keep, work)
    if ceiling > 2.0:
        _pairs(useful, ceiling, keep, work)
    uncovered = want
    for restart in itertools.count():
        if restart < effort.restarts and ceiling > 3.0:
            _beam(useful, uncovered, ceiling, effort, keep, work)
        uncovered &= ~_union(terms.values())
        if not uncovered:
            break
        grown = _grown(every, uncovered & -uncovered, avoid, work)
        if grown is None or grown[0] >= ceiling:
            return None
        keep(*grown)
    return _cover(list(terms.values()), want, ceiling, effort, work)


def _useful(
    items: Iterable[Item], want: Mask, avoid: Mask, ceiling: float, limit: int, work: Work
) -> list[Item]:
    """At most `limit` literals by what they tell for their cost, none beaten by another in every respect."""
    # A literal that is not enough alone needs another, and the cheapest costs 1.
    room = ceiling - 1.0
    able = [
        i
        for i in items
        if i.want and (i.cost < room or (i.cost < ceiling and i.want == want and not i.avoid))
    ]
    if len(able) > limit:
        able = _most_telling(able, want, avoid.bit_count(), 2 * limit)
    kept: list[Item] = []
    merits: list[Mask] = []
    for item in sorted(able, key=lambda i: (i.cost, i.avoid.bit_count() - i.want.bit_count(), i.key)):
        # One mask of all that is good about it: what it rightly covers and what it rightly leaves out.
        merit = item.want | (avoid & ~item.avoid)
        work.spend(len(merits))
        for other in merits:
            if other & merit == merit:
                break
        else:
            kept.append(item)
            merits.append(merit)
    if len(kept) > limit:
        kept = _most_telling(kept, want, avoid.bit_count(), limit)
        kept.sort(key=lambda i: (i.cost, i.key))
    return kept


def _most_telling(items: list[Item], want: Mask, total: int, limit: int) -> list[Item]:
    def worth(item: Item) -> float:
        return math.sqrt(item.want.bit_count()) * (total - item.avoid.bit_count() + 0.5) / item.cost

    ranked = sorted(items, key=lambda i: (-worth(i), i.key))
    chosen = ranked[:limit]
    # Every wanted point gets a few literals of its own, or rare cases would have none.
    for item in ranked[limit:]:
        if item.want.bit_count() <= 2 and item.avoid.bit_count() * 4 <= total:
            chosen.append(item)
            if len(chosen) > limit + limit // 4:
                break
    return chosen


State = tuple[float, Mask, Mask, tuple[int, ...]]
"""A conjunction under way: its cost, what it covers of either class, its literals."""

Keep = Callable[[float, Mask, tuple[int, ...]], None]


def _whole(
    items: Sequence[Item],
    want: Mask,
    avoid: Mask,
    ceiling: float,
    effort: Effort,
    keep: Keep,
    work: Work,
) -> None:
    """The cheapest single conjunction that covers all that is wanted: a weighted hitting set."""
    full = [item for item in items if item.want == want]
    best = ceiling
    nodes = effort.nodes

    def search(left: Mask, cost: float, keys: tuple[int, ...]) -> None:
        nonlocal best, nodes
        nodes -= 1
        if not left:
            if cost < best - 1e-9:
                best = cost
                keep(cost, want, keys)
            return
        if nodes < 0 or cost + 1.0 > best:
            return
        # The point that is hardest to exclude is excluded first, which keeps the tree narrow.
        work.spend(left.bit_count())
        choices: list[Item] | None = None
        rest = left
        while rest:
            bit = rest & -rest
            rest ^= bit
            excluding = excluders[bit]
            if choices is None or len(excluding) < len(choices):
                choices = excluding
                if len(choices) < 2:
                    break
        for item in sorted(choices or [], key=lambda i: (left & i.avoid).bit_count() + 3 * i.cost):
            if cost + item.cost < best - 1e-9:
                search(left & item.avoid, cost + item.cost, (*keys, item.key))

    if not full:
        return
    excluders: dict[Mask, list[Item]] = {}
    rest = avoid
    while rest:
        bit = rest & -rest
        rest ^= bit
        excluders[bit] = [item for item in full if not item.avoid & bit]
    search(avoid, GROUP, ())


def _pairs(items: Sequence[Item], ceiling: float, keep: Keep, work: Work) -> None:
    mixed = [item for item in items if item.avoid]
    for place, first in enumerate(mixed):
        work.spend(place)
        want, avoid, room = first.want, first.avoid, ceiling - first.cost
        for second in mixed[:place]:
            if not second.avoid & avoid and second.want & want and second.cost < room:
                keep(first.cost + second.cost + GROUP, first.want & second.want, (first.key, second.key))


def _beam(items: Sequence[Item], want: Mask, ceiling: float, effort: Effort, keep: Keep, work: Work) -> None:
    """Conjunctions of three and more literals, extended from the most promising ones."""
    mixed = [item for item in items if item.avoid and item.want & want]
    if not mixed:
        return
    states: list[State] = [(item.cost, item.want, item.avoid, (item.key,)) for item in mixed]

    def promise(state: State) -> tuple[float, float]:
        cost, covered, unwanted, _ = state
        good, bad = (covered & want).bit_count(), unwanted.bit_count()
        return (bad + 0.5) / (good + bad + 1) * (1 + 0.1 * cost) - 0.02 * good, cost

    for depth in range(2, effort.depth + 1):
        states.sort(key=promise)
        states = states[: effort.beam]
        work.spend(len(states) * len(mixed))
        longer: dict[tuple[Mask, Mask], State] = {}
        for cost, covered, unwanted, keys in states:
            for item in mixed:
                both = covered & item.want
                if not both & want:
                    continue
                left = unwanted & item.avoid
                if left == unwanted:
                    continue
                total = cost + item.cost
                if total >= ceiling:
                    break  # items come by cost
                if not left:
                    if depth > 2:
                        keep(total + GROUP, both, (*keys, item.key))
                    continue
                known = longer.get((both, left))
                if known is None or total < known[0]:
                    longer[both, left] = (total, both, left, (*keys, item.key))
        states = list(longer.values())
        if not states:
            return


def _grown(
    items: Sequence[Item], seed: Mask, avoid: Mask, work: Work
) -> tuple[float, Mask, tuple[int, ...]] | None:
    """Any conjunction that covers the seed: at each step the literal that excludes most for its cost."""
    around = [item for item in items if item.want & seed]
    cost, covered = GROUP, -1
    keys: tuple[int, ...] = ()
    while avoid:
        work.spend(len(around))
        best = max(
            around, key=lambda i: ((avoid & ~i.avoid).bit_count() / i.cost, i.want.bit_count()), default=None
        )
        if best is None or not avoid & ~best.avoid:
            return None
        cost, covered, avoid, keys = (
            cost + best.cost,
            covered & best.want,
            avoid & best.avoid,
            (*keys, best.key),
        )
    return cost, covered, keys


def _cover(
    terms: list[Term], want: Mask, ceiling: float, effort: Effort, work: Work
) -> tuple[float, list[Term]] | None:
    """The cheapest set of terms whose union is all that is wanted."""
    ranked = sorted(terms, key=lambda t: (t.cost, -t.want.bit_count(), t.keys))
    kept: list[Term] = []
    union = 0
    for term in ranked:
        covered = term.want
        work.spend(len(kept))
        if len(kept) < effort.terms or covered & ~union:
            for other in kept:
                if other.want & covered == covered:
                    break
            else:
                kept.append(term)
                union |= covered
    if union & want != want:
        return None
    best = _greedy(kept, want)
    best_cost = sum(term.cost for term in best)
    by_point = {
        bit: [term for term in kept if term.want & bit]
        for bit in (1 << i for i in range(want.bit_length()) if want >> i & 1)
    }
    least = {
        bit: min(term.cost / (term.want & want).bit_count() for term in group)
        for bit, group in by_point.items()
    }
    single = {bit: group[0].cost for bit, group in by_point.items()}
    nodes = effort.nodes
    best_cost = min(best_cost, ceiling)
    found = best if sum(term.cost for term in best) <= best_cost else None

    def search(left: Mask, cost: float, chosen: tuple[Term, ...]) -> None:
        nonlocal best_cost, found, nodes
        nodes -= 1
        if not left:
            if cost < best_cost - 1e-9:
                best_cost, found = cost, list(chosen)
            return
        if nodes < 0:
            return
        work.spend(left.bit_count())
        share = highest = 0.0
        choices: list[Term] | None = None
        rest = left
        while rest:
            bit = rest & -rest
            rest ^= bit
            share += least[bit]
            if single[bit] > highest:
                highest = single[bit]
            if choices is None or len(by_point[bit]) < len(choices):
                choices = by_point[bit]
        if cost + max(share, highest) >= best_cost - 1e-9:
            return
        for term in sorted(choices or [], key=lambda t: t.cost / (t.want & left).bit_count()):
            if cost + term.cost < best_cost - 1e-9:
                search(left & ~term.want, cost + term.cost, (*chosen, term))

    search(want, 0.0, ())
    return None if found is None else (best_cost, found)


def _union(terms: Iterable[Term]) -> Mask:
    union = 0
    for term in terms:
        union |= term.want
    return union


def _greedy(terms: Sequence[Term], want: Mask) -> list[Term]:
    chosen: list[Term] = []
    left = want
    while left:
        best = min(
            (term for term in terms if term.want & left), key=lambda t: t.cost / (t.want & left).bit_count()
        )
        chosen.append(best)
        left &= ~best.want
    needed: list[Term] = []
    for place, term in enumerate(chosen):
        others = _union(needed) | _union(chosen[place + 1 :])
        if want & ~others:
            needed.append(term)
    return needed

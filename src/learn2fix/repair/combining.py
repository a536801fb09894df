"""Edits that are each right on some of the bugs that were seen, and together perhaps on all of them.

Where a program has two mistakes, no single edit agrees with every answer, but some agree with those about one
of the mistakes. Which answers each edit meets tells which of them to combine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice

from learn2fix.model import Candidate

Met = frozenset[int]
"""The places of the requirements that an edit meets."""
Pairs = Callable[[Sequence[Candidate], Sequence[Candidate]], Iterator[Candidate]]
"""Each of the first with each of the second, the cheapest sums first."""

ALIKE = 40
"""Number of edits that meet the same requirements, the cheapest, that are combined with others."""
MOST_GROUPS = 30
"""Number of sets of requirements that are looked at, those with the cheapest edits."""
LEADING = 300
"""Number of pairs that still miss something and are combined with a third edit."""


@dataclass(frozen=True, slots=True)
class Group:
    """Edits that meet the same requirements, the cheapest first."""

    met: Met
    members: tuple[Candidate, ...]


def grouped(met: Mapping[int, Met], candidates: Sequence[Candidate]) -> list[Group]:
    """The edits by what they meet, those with the cheapest members first; edits that meet nothing are left
    out."""
    members: dict[Met, list[Candidate]] = {}
    for number in sorted(met, key=lambda number: (candidates[number].cost, number)):
        group = members.setdefault(met[number], []) if met[number] else []
        if len(group) < ALIKE:
            group.append(candidates[number])
    groups = [Group(places, tuple(found)) for places, found in members.items()]
    return sorted(groups, key=lambda group: group.members[0].cost)[:MOST_GROUPS]


def combined(groups: Sequence[Group], wanted: Met, pairs: Pairs) -> Iterator[Candidate]:
    """Two edits that meet all that is wanted between them; where there are none, three."""
    two = [
        (first, second)
        for place, first in enumerate(groups)
        for second in groups[place + 1 :]
        if first.met | second.met >= wanted and not first.met >= wanted and not second.met >= wanted
    ]
    if two:
        return merge(*(pairs(a.members, b.members) for a, b in two), key=_cost)
    three: list[Iterable[Candidate]] = []
    for place, first in enumerate(groups):
        for further, second in enumerate(groups[place + 1 :], place + 1):
            both = first.met | second.met
            for third in groups[further + 1 :]:
                if both | third.met >= wanted and both - third.met and third.met - both:
                    leading = list(islice(pairs(first.members, second.members), LEADING))
                    three.append(pairs(leading, third.members))
    return merge(*three, key=_cost)


def _cost(candidate: Candidate) -> float:
    return candidate.cost

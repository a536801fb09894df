"""Inputs solved for: values at which two fixes part by what they say, laid into known inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from learn2fix.domain import Domain
from learn2fix.languages.protocol import Repairable
from learn2fix.languages.symbolic import parting
from learn2fix.model import Candidate, Input, Kind

MOST_PAIRS = 12
"""Number of pairs of fixes that are solved for at a time."""


def solved(
    repairable: Repairable, domain: Domain, fixes: Sequence[Candidate], seeds: Sequence[Input]
) -> Iterator[Input]:
    """Inputs that may part the first fix from one of the others."""
    names = [variable.name for variable in domain.variables if variable.kind in (Kind.INT, Kind.ANY)]
    read = [repairable.meaning(fix.apply(repairable.text)) for fix in fixes[: MOST_PAIRS + 1]]
    seen = {seed.text for seed in seeds}
    for other in read[1:]:
        if read[0] is None or other is None:
            continue
        for found in parting(read[0], other, names):
            for seed in seeds:
                for values in _laid(domain, seed.values, found):
                    given = domain.render(values) if domain.inside(values) else None
                    if given is not None and given.text not in seen:
                        seen.add(given.text)
                        yield given


def _laid(domain: Domain, values: Sequence[Any], found: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """The input with these values in their places; an item of a list at its beginning, and at its end."""
    places = {variable.name: place for place, variable in enumerate(domain.variables)}
    for end in (0, -1) if any("[" in name for name in found) else (0,):
        laid = [list(value) if isinstance(value, list) else value for value in values]
        for number, (name, value) in enumerate(found.items()):
            place = places[name.split("[")[0]]
            if "[" not in name and _whole(laid[place]):
                laid[place] = value
            elif isinstance(items := laid[place], list) and "[" in name:
                # Items that stand at different indices in the program are different ones here.
                at = (number if end == 0 else -1 - number) % max(1, len(items))
                if items and _whole(items[at]):
                    items[at] = value
        yield tuple(laid)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

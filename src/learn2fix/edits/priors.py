"""How likely each operator is to be the cure: the one place where such numbers stand is `priors.toml`.

A cost is the negative logarithm of a likelihood, so that costs of independent things add up.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Priors:
    """The costs of one language."""

    operators: Mapping[str, float]
    """Operator → its cost."""
    traits: Mapping[str, float]
    """What makes a change less likely than its operator's others → what that adds; never negative."""
    synthesis: Mapping[str, float]
    """What expressions that are fitted to values cost, and how the size of one is counted."""
    unlisted: float
    """An operator that nothing is known of yet."""
    character: float
    """Each character of new text, and half of it for each that goes."""
    longest: int
    """Number of characters beyond which further ones cost nothing."""
    innocent: float
    """A line that only passing tests execute, against the most suspicious one."""
    unknown: float
    """The suspicion of a line that executes nothing, such as a declaration: 0 innocent, 1 guilty."""
    unreached: float
    """A line that no failing test executes; not finite: such edits are left out."""
    repeated: float
    """The same change at one more place."""
    guarded: float
    """An inserted statement that is done only where a condition holds."""
    neighbours: float
    """Two edits at once that are on neighbouring lines, …"""
    line: float
    """… for each line between them, …"""
    function: float
    """… farther apart in one function, …"""
    elsewhere: float
    """… and in two."""

    def of(self, operator: str) -> float:
        return self.operators.get(operator, self.unlisted)


@cache
def priors(language: str) -> Priors:
    table = tomllib.loads(files("learn2fix.edits").joinpath("priors.toml").read_text("utf-8"))[language]
    named = {kind: table.get(kind, {}) for kind in ("operators", "traits", "synthesis")}
    return Priors(**named, **table["general"])

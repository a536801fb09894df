"""Values that hold values of their own kind, such as `(left, right)` and `{"value": 3, "next": None}`.

Changing one by its places alone would put numbers where branches belong; here branches are cut off, put on
and exchanged, and what else a node holds is changed by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

DEEPEST = 5
"""Number of levels below which no branch is put on."""
DEEPER = 0.5
"""Chance that the change is made in a branch of a node rather than at the node itself."""
OWN = 0.4
"""Chance that what a node holds beside its branches is changed, where it holds anything."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What the nodes of one value have in common."""

    nodes: list[Any]
    branches: list[Hashable]
    """The places of a node that hold another one, in some node."""
    ends: list[Any]
    """What stands there where there is no other one."""

    @classmethod
    def of(cls, root: Any) -> Tree | None:
        """None where no value of this kind is inside, or nothing says how a branch ends: two points of two
        numbers are no tree."""
        if not isinstance(root, tuple | dict) or not root:
            return None
        nodes = list(_nodes(root, root))
        branches = sorted(
            {place for node in nodes for place, part in _parts(node) if _alike(part, root)}, key=str
        )
        ends = [part for node in nodes for place, part in _parts(node) if place in branches]
        ends = [part for part in ends if not _alike(part, root)]
        uneven = any(_ends_in_part(node, branches, root) for node in nodes)
        return cls(nodes, branches, ends) if uneven or (branches and None in ends) else None

    def changed(self, node: Any, rng: random.Random, change: Callable[[Any], Any], depth: int = 1) -> Any:
        """The node with one thing in it changed; `change`: what is done to a value that is no branch."""
        parts = dict(_parts(node))
        below = [place for place in self.branches if _alike(parts.get(place), self.nodes[0])]
        if below and rng.random() < DEEPER:
            place = rng.choice(below)
            return _with(node, place, self.changed(parts[place], rng, change, depth + 1))
        own = [place for place in parts if place not in self.branches]
        if own and rng.random() < OWN:
            place = rng.choice(own)
            return _with(node, place, change(parts[place]))
        return _with(node, rng.choice(self.branches), self._branch(rng, depth))

    def _branch(self, rng: random.Random, depth: int) -> Any:
        end = rng.choice(self.ends)
        if depth >= DEEPEST or rng.random() < 0.4:
            return end
        grown = deepcopy(rng.choice(self.nodes))
        if rng.random() < 0.5 or _levels(grown, self.nodes[0]) + depth > DEEPEST:
            for place in self.branches:
                grown = _with(grown, place, end)
        return grown


def _parts(node: Any) -> Iterator[tuple[Hashable, Any]]:
    return iter(node.items() if isinstance(node, dict) else enumerate(node))


def _alike(value: Any, root: Any) -> bool:
    if type(value) is not type(root):
        return False
    return value.keys() == root.keys() if isinstance(value, dict) else len(value) == len(root)


def _ends_in_part(node: Any, branches: list[Hashable], root: Any) -> bool:
    """Whether some of its branches end here, and some go on."""
    return len({_alike(part, root) for place, part in _parts(node) if place in branches}) > 1


def _nodes(value: Any, root: Any) -> Iterator[Any]:
    if _alike(value, root):
        yield value
        for _, part in _parts(value):
            yield from _nodes(part, root)


def _levels(value: Any, root: Any) -> int:
    if not _alike(value, root):
        return 0
    return 1 + max(_levels(part, root) for _, part in _parts(value))


def _with(node: Any, place: Any, part: Any) -> Any:
    if isinstance(node, dict):
        return {**node, place: part}
    return (*node[:place], part, *node[place + 1 :])

"""Trees with one thing changed: branches are cut off, put on and exchanged.

Changing one by its places alone would put numbers where branches belong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from learn2fix.domain.trees import Tree, alike, levels, parts

DEEPEST = 5
"""Number of levels below which no branch is put on."""
DEEPER = 0.5
"""Chance that the change is made in a branch of a node rather than at the node itself."""
OWN = 0.4
"""Chance that what a node holds beside its branches is changed, where it holds anything."""
ENDING = 0.4
"""Chance that a branch is cut off, and …"""
SMALL = 0.5
"""… that one which is put on has no branches of its own."""


def changed(tree: Tree, node: Any, rng: random.Random, change: Callable[[Any], Any], depth: int = 1) -> Any:
    """The node with one thing in it changed; `change`: what is done to a value that is no branch."""
    held = dict(parts(node))
    below = [place for place in tree.branches if alike(held.get(place), tree.nodes[0])]
    if below and rng.random() < DEEPER:
        place = rng.choice(below)
        return _with(node, place, changed(tree, held[place], rng, change, depth + 1))
    own = [place for place in held if place not in tree.branches]
    if own and rng.random() < OWN:
        place = rng.choice(own)
        return _with(node, place, change(held[place]))
    return _with(node, rng.choice(tree.branches), _branch(tree, rng, depth))


def _branch(tree: Tree, rng: random.Random, depth: int) -> Any:
    end = rng.choice(tree.ends)
    if depth >= DEEPEST or rng.random() < ENDING:
        return end
    grown = deepcopy(rng.choice(tree.nodes))
    if rng.random() < SMALL or levels(grown, tree.nodes[0]) + depth > DEEPEST:
        for place in tree.branches:
            grown = _with(grown, place, end)
    return grown


def _with(node: Any, place: Any, part: Any) -> Any:
    if isinstance(node, dict):
        return {**node, place: part}
    return (*node[:place], part, *node[place + 1 :])

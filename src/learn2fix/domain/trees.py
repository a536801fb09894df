"""Values that hold values of their own kind, such as `(left, right)` and `{"value": 3, "next": None}`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any


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
        held = {place for node in nodes for place, part in parts(node) if alike(part, root)}
        branches = sorted(held, key=str)
        ends = [part for node in nodes for place, part in parts(node) if place in branches]
        ends = [part for part in ends if not alike(part, root)]
        uneven = any(_ends_in_part(node, branches, root) for node in nodes)
        return cls(nodes, branches, ends) if uneven or (branches and None in ends) else None


def parts(node: Any) -> Iterator[tuple[Hashable, Any]]:
    """What a node holds, by place."""
    return iter(node.items() if isinstance(node, dict) else enumerate(node))


def alike(value: Any, root: Any) -> bool:
    """Whether a value may be a node of the same tree."""
    if type(value) is not type(root):
        return False
    return value.keys() == root.keys() if isinstance(value, dict) else len(value) == len(root)


def levels(value: Any, root: Any) -> int:
    if not alike(value, root):
        return 0
    return 1 + max(levels(part, root) for _, part in parts(value))


def _ends_in_part(node: Any, branches: list[Hashable], root: Any) -> bool:
    """Whether some of its branches end here, and some go on."""
    return len({alike(part, root) for place, part in parts(node) if place in branches}) > 1


def _nodes(value: Any, root: Any) -> Iterator[Any]:
    if alike(value, root):
        yield value
        for _, part in parts(value):
            yield from _nodes(part, root)

"""The syntax tree of a C file as plain Python nodes.

Offsets are byte offsets. Where source is needed as text it is decoded as Latin-1, so that a character is a
byte whatever the encoding, and bytes that are not UTF-8 survive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator


class Node:
    """A node of the tree; `field` is the name of its place in the parent."""

    __slots__ = ("children", "end", "field", "has_error", "named", "parent", "start", "type")

    def __init__(self, kind: str, start: int, end: int, named: bool, field: str, parent: Node | None) -> None:
        self.type = kind
        self.start = start
        self.end = end
        self.named = named
        self.field = field
        self.parent = parent
        self.children: list[Node] = []
        self.has_error = False

    def child(self, field: str) -> Node | None:
        for child in self.children:
            if child.field == field:
                return child
        return None

    def each(self, field: str) -> list[Node]:
        """All children in a place that can be filled more than once."""
        return [child for child in self.children if child.field == field]

    def of(self, field: str) -> Node:
        """The child in a place that the grammar always fills (empty where the source has an error)."""
        return self.child(field) or Node("missing", self.end, self.end, True, field, self)

    def inner(self) -> list[Node]:
        """Named children without comments."""
        return [child for child in self.children if child.named and child.type != "comment"]

    def walk(self) -> Iterator[Node]:
        """This node and everything below, in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def above(self) -> Iterator[Node]:
        """The parents, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def __repr__(self) -> str:
        return f"<{self.type} {self.start}:{self.end}>"


class Lines:
    """Offsets to 1-based lines."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        return offset - self._starts[self.at(offset) - 1] + 1

    def indent(self, text: str, offset: int) -> str:
        """The white space before the line of an offset."""
        start = self._starts[self.at(offset) - 1]
        stripped = text[start:offset].lstrip(" \t")
        return text[start : offset - len(stripped)]

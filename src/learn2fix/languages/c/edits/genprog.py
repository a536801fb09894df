"""GenProg's edits of statements in C, on the user's own source."""

from __future__ import annotations

from collections.abc import Mapping

from learn2fix.edits.genprog import Edits, StatementOperators
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.places import Point, is_block_child, is_body, own, separator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.model import Edit


class GenProgEdits(StatementOperators[Node]):
    def __init__(self, source: bytes, weights: Mapping[int, float]) -> None:
        self._program = Program(source, Hints())
        nodes = [node for node in own(self._program) if self._program.of(node) != ";"]
        super().__init__(source, nodes, weights)

    def line(self, node: Node) -> int:
        return self._program.lines.at(node.start)

    def start(self, node: Node) -> int:
        return node.start

    def deleted(self, node: Node) -> Edits:
        return (Edit(node.start, node.end, b"" if is_block_child(node) else b";"),)

    def appended(self, node: Node, fix: Node) -> Edits:
        point = Point(node, True, separator(self._program, node), is_body(node), frozenset())
        pieces = point.insert(self._program.of(fix))
        return tuple(Edit(start, end, text.encode("latin-1")) for start, end, text in pieces)

    def swapped(self, first: Node, second: Node) -> Edits:
        return (
            Edit(first.start, first.end, self._text(second)),
            Edit(second.start, second.end, self._text(first)),
        )

    def appendable(self, fix: Node, node: Node) -> bool:
        """Whether the variables of a statement are visible beside another."""
        return self._program.free_names(fix) <= {s.name for s in self._program.scope.visible(node.start)}

    def swappable(self, first: Node, second: Node) -> bool:
        if first.start < second.end and second.start < first.end:
            return False
        return self.appendable(first, second) and self.appendable(second, first)

    def valid(self, edits: Edits) -> bool:
        """Not when half of a pair of braces went missing."""
        text = b"".join(edit.text for edit in edits)
        return text.count(b"{") == text.count(b"}")

    def _text(self, node: Node) -> bytes:
        return self._source[node.start : node.end]

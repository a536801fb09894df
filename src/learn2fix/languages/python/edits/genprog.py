"""GenProg's edits of statements in Python: whole lines, with the indentation of their new place."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping

import libcst as cst

from learn2fix.edits.catalogue import Piece
from learn2fix.edits.genprog import Edits, StatementOperators
from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.names import assignments
from learn2fix.languages.python.edits.program import LOOPS, Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import deleted, is_movable
from learn2fix.languages.python.tree import walk
from learn2fix.model import apply_edits

INNER = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
"""What has a scope of its own; jumps inside do not leave it."""


class GenProgEdits(StatementOperators[Statement]):
    """Definitions, imports and docstrings stay where they are."""

    def __init__(self, source: bytes, weights: Mapping[int, float]) -> None:
        self._program = Program(source, Hints())
        nodes = [node for node in self._program.statements if is_movable(node)]
        self._needs = {node: self._needed(node) for node in nodes}
        super().__init__(source, nodes, weights)

    def line(self, node: Statement) -> int:
        return self._program.tree.line(self.start(node))

    def start(self, node: Statement) -> int:
        return self._program.tree.span(node)[0]

    def deleted(self, node: Statement) -> Edits:
        return self._edits(deleted(self._program, node))

    def appended(self, node: Statement, fix: Statement) -> Edits:
        program = self._program
        return self._edits(program.below(node, program.shifted(fix, program.indent(node))))

    def swapped(self, first: Statement, second: Statement) -> Edits:
        program = self._program
        return self._edits(
            (*program.lines(first), program.shifted(second, program.indent(first))),
            (*program.lines(second), program.shifted(first, program.indent(second))),
        )

    def appendable(self, fix: Statement, node: Statement) -> bool:
        return self._fits(fix, node, self._program.lines(node)[1])

    def swappable(self, first: Statement, second: Statement) -> bool:
        (start, end), (other_start, other_end) = self._program.lines(first), self._program.lines(second)
        if start < other_end and other_start < end:
            return False
        return self._fits(first, second, other_start) and self._fits(second, first, start)

    def valid(self, edits: Edits) -> bool:
        try:
            with warnings.catch_warnings(action="ignore"):
                ast.parse(apply_edits(self._source, tuple(sorted(edits))))
        except (SyntaxError, ValueError):
            return False
        return True

    def _edits(self, *pieces: Piece) -> Edits:
        made = (self._program.tree.edit(*piece) for piece in pieces)
        return tuple(edit for edit in made if edit is not None)

    def _fits(self, fix: Statement, node: Statement, offset: int) -> bool:
        """Whether a statement may stand where another does, and finds its variables bound at the offset."""
        program = self._program
        owner = self._owner(node)
        for inner in _own(fix):
            if isinstance(inner, cst.Return) and not isinstance(owner, cst.FunctionDef):
                return False
            if isinstance(inner, cst.Yield | cst.Await | cst.Nonlocal) and owner is not self._owner(fix):
                return False
        if _jumps(fix) and not self._in_loop(node):
            return False
        loops = [program.tree.span(loop) for loop in program.loops(node)]
        return self._needs[fix] <= set(program.scope(node).visible(offset, loops))

    def _needed(self, node: Statement) -> frozenset[str]:
        """Variables of its function that a statement reads before it binds them."""
        scope = self._program.scope(node)
        targets = {
            target: inner
            for inner in walk(node)
            if not isinstance(inner, cst.AugAssign)
            for target, _ in assignments(inner)
        }
        bound: set[str] = set()
        if not isinstance(node, cst.SimpleStatementLine):
            bound = {target.value for target in targets if isinstance(target, cst.Name)}
        read = {inner.value for inner in walk(node) if isinstance(inner, cst.Name) and inner not in targets}
        return frozenset(name for name in read - bound if name in scope.bound)

    def _owner(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return next((above for above in self._program.tree.above(node) if isinstance(above, INNER)), None)

    def _in_loop(self, node: cst.CSTNode) -> bool:
        """Whether a jump may stand here: in the body of a loop, and not in its `else`."""
        child: cst.CSTNode = node
        for above in self._program.tree.above(node):
            if isinstance(above, INNER):
                return False
            if isinstance(above, LOOPS) and child is above.body:
                return True
            child = above
        return False


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node and what is in it, without what has a scope of its own."""
    yield node
    for child in node.children:
        if not isinstance(child, INNER):
            yield from _own(child)


def _jumps(node: cst.CSTNode) -> bool:
    """Whether `break` or `continue` lead out of a statement."""
    if isinstance(node, cst.Break | cst.Continue):
        return True
    if isinstance(node, LOOPS):
        return node.orelse is not None and _jumps(node.orelse)
    return any(_jumps(child) for child in node.children if not isinstance(child, INNER))

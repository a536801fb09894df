"""GenProg's edits of statements in C: those of its normal form, written as edits of the user's own source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from learn2fix.edits.genprog import Edits, StatementOperators
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.normal_form import A_LOOP, Statement, statements
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.words import LOOPS


class GenProgEdits(StatementOperators[Statement]):
    def __init__(self, source: bytes, weights: Mapping[int, float]) -> None:
        self._program = Program(source, Hints())
        self._visible = cache(self._usable)
        super().__init__(source, statements(self._program), weights)

    def _usable(self, offset: int) -> set[str]:
        """What may be used at an offset: variables, and whether there is a loop to leave."""
        loops = (node.child("body") for node in self._program.statements if node.type in LOOPS)
        inside = any(body is not None and body.start <= offset < body.end for body in loops)
        return {s.name for s in self._program.scope.visible(offset)} | ({A_LOOP} if inside else set())

    def line(self, node: Statement) -> int:
        return self._program.lines.at(node.node.start)

    def start(self, node: Statement) -> int:
        return node.node.start

    def deleted(self, node: Statement) -> Edits:
        return node.put("") if node.put is not None else ()

    def appended(self, node: Statement, fix: Statement) -> Edits:
        return node.append(fix.text) if node.append is not None else ()

    def swapped(self, first: Statement, second: Statement) -> Edits:
        if first.put is None or second.put is None:
            return ()
        there, here = first.put(second.text), second.put(first.text)
        return (*there, *here) if there and here else ()

    def copied(self, fix: Statement) -> bool:
        return bool(fix.text)

    def appendable(self, fix: Statement, node: Statement) -> bool:
        """Whether the variables of a statement are visible beside another."""
        if fix.local is not None and fix.local is not node.local:
            return False
        return fix.names <= self._visible(node.offset)

    def swappable(self, first: Statement, second: Statement) -> bool:
        if first.node.start < second.node.end and second.node.start < first.node.end:
            return False
        return self.appendable(first, second) and self.appendable(second, first)

    def valid(self, edits: Edits) -> bool:
        """Not when half of a pair of braces went missing."""
        text = b"".join(edit.text for edit in edits)
        return text.count(b"{") == text.count(b"}")

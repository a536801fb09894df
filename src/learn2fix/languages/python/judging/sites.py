"""Many changes of one tree in one program, chosen by switches.

Each place that candidates change becomes a site: `x < 3` becomes `(x <= 3 if _l2f_4 == 1 else …) if _l2f_4
else x < 3`. With every switch at 0 it is the original; with one set it is a candidate. Only the chosen
alternative is ever evaluated, so nothing needs to be pure and every expression fits. A statement, or several
put in its place, is chosen by `if` in the same way.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from learn2fix.languages.python.judging.counting import (
    HERE,
    Code,
    compile_tree,
    counted,
    counting,
    is_counted,
)
from learn2fix.languages.python.judging.schema import Change, Role, Schema

SWITCH = "_l2f_"
MOST_IN_ONE = 3000
"""Alternatives in one program: the compiler's time grows with the program, its memory too."""


@dataclass(frozen=True, slots=True)
class Program:
    """Something to execute: its code, and how many switches and counted statements it has."""

    code: Code
    switches: int = 0
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Variant:
    """A candidate: a program, its switches that are on, and the statements it changes."""

    program: int
    """Index of the program."""
    on: tuple[tuple[int, int], ...] = ()
    """(switch, value) pairs; none is the original."""
    statements: frozenset[int] | None = None
    """Statements that it changes: where none of them runs it is the original. None: unknown."""
    pure: bool = True


@dataclass(slots=True)
class Sites:
    """The alternatives at each node of the tree, for one program."""

    schema: Schema
    switches: dict[tuple[int, Role], int] = field(default_factory=dict)
    """(id of the node, role) → switch."""
    alternatives: list[list[list[ast.AST]]] = field(default_factory=list)

    def add(self, change: Change) -> tuple[tuple[int, int], ...]:
        if change.counts:
            change.counts = False  # once, however often it is woven
            change.parts = [(node, role, [counted(n) for n in new]) for node, role, new in change.parts]
        return tuple(self._value(node, role, new) for node, role, new in change.parts)

    def _value(self, node: ast.AST, role: Role, new: list[ast.AST]) -> tuple[int, int]:
        switch = self.switches.setdefault((id(node), role), len(self.alternatives))
        if switch == len(self.alternatives):
            self.alternatives.append([])
        self.alternatives[switch].append(new)
        return switch, len(self.alternatives[switch])

    def program(self) -> Program:
        tree = _Weaver(self).woven(self.schema.tree)
        return Program(compile_tree(tree, self.schema.name, self.schema.elsewhere), len(self.alternatives))


class _Weaver:
    """The tree with all alternatives in it. Nodes of the original are never changed, only copied."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._inner = _nodes_above(sites)

    def woven(self, node: ast.AST) -> ast.AST:
        changed = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    setattr(changed, name, [new for child in value for new in self._statement(child)])
                else:
                    setattr(changed, name, [self._child(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(changed, name, self._child(value))
        return counting(changed)

    def _child(self, node: ast.AST) -> ast.AST:
        found = self.woven(node) if id(node) in self._inner else node
        switch = self._sites.switches.get((id(node), Role.INSTEAD))
        if switch is None or not isinstance(found, ast.expr):
            return found
        return ast.IfExp(_switch(switch), _choose(switch, self._sites.alternatives[switch], 1), found, **HERE)

    def _statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        inner = self.woven(node) if id(node) in self._inner else node
        assert isinstance(inner, ast.stmt)
        before, instead, after, gate = (
            self._sites.switches.get((id(node), role))
            for role in (Role.BEFORE, Role.INSTEAD, Role.AFTER, Role.GATE)
        )
        alternatives = self._sites.alternatives
        if before is not None:
            yield ast.If(_switch(before), _choose_block(before, alternatives[before], 1), [], **HERE)
        if instead is not None:
            inner = ast.If(
                _switch(instead), _choose_block(instead, alternatives[instead], 1), [inner], **HERE
            )
        if gate is not None:
            test = ast.IfExp(
                _switch(gate), _choose(gate, alternatives[gate], 1), ast.Constant(True, **HERE), **HERE
            )
            inner = ast.If(test, [inner], [], **HERE)
        yield inner
        if after is not None:
            yield ast.If(_switch(after), _choose_block(after, alternatives[after], 1), [], **HERE)


def _nodes_above(sites: Sites) -> set[int]:
    """Nodes that hold a site, or that count: the others are used as they are."""
    found: set[int] = set()
    places = {node for node, _ in sites.switches}

    def visit(node: ast.AST) -> bool:
        inside = is_counted(node)
        for child in ast.iter_child_nodes(node):
            inside = visit(child) | inside
        if inside:
            found.add(id(node))
        return inside or id(node) in places

    visit(sites.schema.tree)
    return found


def _switch(number: int) -> ast.expr:
    return ast.Name(f"{SWITCH}{number}", ast.Load(), **HERE)


def _below(switch: int, value: int) -> ast.expr:
    return ast.Compare(_switch(switch), [ast.Lt()], [ast.Constant(value, **HERE)], **HERE)


def _choose(switch: int, several: Sequence[Sequence[ast.AST]], first: int) -> ast.expr:
    if len(several) == 1:
        found = several[0][0]
        assert isinstance(found, ast.expr)
        return found
    half = len(several) // 2
    test = _below(switch, first + half)
    low, high = _choose(switch, several[:half], first), _choose(switch, several[half:], first + half)
    return ast.IfExp(test, low, high, **HERE)


def _choose_block(switch: int, several: Sequence[Sequence[ast.AST]], first: int) -> list[ast.stmt]:
    if len(several) == 1:
        return [node for node in several[0] if isinstance(node, ast.stmt)]
    half = len(several) // 2
    test = _below(switch, first + half)
    low, high = several[:half], several[half:]
    blocks = _choose_block(switch, low, first), _choose_block(switch, high, first + half)
    return [ast.If(test, *blocks, **HERE)]

"""What the edits of statements share: which may be moved, taken out, and what stands around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

import libcst as cst

from learn2fix.edits.catalogue import Piece
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.source import Statement

JUMPS = (cst.Return, cst.Break, cst.Continue, cst.Raise)


def small(node: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """The only small statement of a line."""
    return node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None


def is_statement(node: cst.CSTNode | None) -> TypeGuard[Statement]:
    return isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement)


def is_docstring(node: cst.CSTNode) -> bool:
    inner = small(node)
    return isinstance(inner, cst.Expr) and isinstance(inner.value, cst.BaseString)


def is_movable(node: cst.CSTNode) -> bool:
    return (
        not isinstance(node, cst.FunctionDef | cst.ClassDef)
        and not is_docstring(node)
        and not isinstance(small(node), cst.Import | cst.ImportFrom | cst.Global | cst.Nonlocal)
    )


def movable(program: Program) -> Iterator[tuple[Statement, list[Statement], int]]:
    """The statements that may be moved, each with its block and its place in it."""
    for node in program.statements:
        block = program.block(node)
        if node in block and is_movable(node):
            yield node, block, block.index(node)


def at_fault(program: Program) -> Iterator[Statement]:
    """The statements beside which others may be put: those of functions, or all of a script."""
    for node in program.statements:
        if is_movable(node) and (program.function is None or program.owner(node) is not None):
            yield node


def deleted(program: Program, node: Statement) -> Piece:
    """The lines taken out; `pass` where a block would be empty."""
    start, end = program.lines(node)
    if len(program.block(node)) > 1:
        return start, end, ""
    return start, end, f"{program.indent(node)}pass{program.tree.newline}"


def bodies(program: Program) -> Iterator[tuple[cst.FunctionDef, Statement]]:
    """Functions, each with the first statement after its docstring."""
    for node in program.every(cst.FunctionDef):
        if isinstance(node.body, cst.IndentedBlock):
            first = next((s for s in node.body.body if not is_docstring(s)), None)
            if is_statement(first) and program.own_lines(first):
                yield node, first


def unindented(program: Program, branch: cst.Else, indent: str) -> str | None:
    """The statements of a branch with another indentation; None where they share its line."""
    if isinstance(branch.body, cst.IndentedBlock) and all(map(program.own_lines, branch.body.body)):
        return "".join(program.shifted(inner, indent) for inner in branch.body.body)
    return None

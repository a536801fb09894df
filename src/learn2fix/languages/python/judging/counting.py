"""Programs that count what they do.

A step is a turn of a loop or comprehension or an entry into a function: a call of TICK (WHILE in a `while`,
whose state is looked at: see worker.py). What multiplies, raises to a power or shifts is done by a function
that charges large numbers to the same account, since a loop of few turns can make numbers that take for ever.
"""

from __future__ import annotations

import ast
import re
from types import CodeType
from typing import Any

from learn2fix.languages.python.judging.trees import FUNCTIONS, LOOPS, is_text

TICK, WHILE, VISIT = "_l2f_tick", "_l2f_while", "_l2f_visit_"
GROWING: dict[type[ast.operator], str] = {
    ast.Mult: "_l2f_multiply",
    ast.Pow: "_l2f_power",
    ast.LShift: "_l2f_shift",
}
"""Operators whose results can be far larger than their operands, and what does their work."""
WEIGH = "_l2f_weigh"
HERE: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
"""Where made-up nodes stand: nobody looks, but the compiler asks."""
COUNTED = (*LOOPS, *FUNCTIONS, ast.comprehension)
WORDS = re.compile(rb"\*|<<|\b(?:for|while|def)\b")


def may_count(text: bytes) -> bool:
    """Whether the tree of this text can hold anything that is counted."""
    return WORDS.search(text) is not None


def is_counted(node: ast.AST) -> bool:
    return isinstance(node, COUNTED) or (
        isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in GROWING
    )


def counting(node: ast.AST) -> ast.AST:
    """What stands in the place of a node that is ours to change and whose children count already."""
    if isinstance(node, (*LOOPS, *FUNCTIONS)):
        place = 1 if node.body and is_text(node.body[0]) else 0
        tick = _call(WHILE if isinstance(node, ast.While) else TICK)
        node.body = [*node.body[:place], ast.Expr(tick, **HERE), *node.body[place:]]
    elif isinstance(node, ast.comprehension):
        node.ifs = [ast.UnaryOp(ast.Not(), _call(TICK), **HERE), *node.ifs]
    elif isinstance(node, ast.BinOp) and type(node.op) in GROWING:
        return _call(GROWING[type(node.op)], node.left, node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in GROWING and isinstance(node.target, ast.Name):
        # Done in place, as ever, with a value that has been weighed.
        name = ast.Name(node.target.id, ast.Load(), **HERE)
        kind = ast.Constant(list(GROWING).index(type(node.op)), **HERE)
        node.value = _call(WEIGH, kind, name, node.value)
    return node


class _Counting(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        return counting(self.generic_visit(node))


def counted(tree: ast.AST) -> ast.AST:
    """A tree that is ours to change, counting."""
    return _Counting().visit(tree) if any(map(is_counted, ast.walk(tree))) else tree


def visit_statement(number: int) -> ast.stmt:
    """Counts that a statement is executed."""
    return ast.Expr(_call(f"{VISIT}{number}"), **HERE)


Code = CodeType | str
"""A program, compiled; or as text for an interpreter of another version."""


def compile_tree(tree: ast.AST, name: str, elsewhere: bool = False) -> Code:
    """`elsewhere`: for another version of Python, which compiles it again."""
    assert isinstance(tree, ast.Module)
    code: CodeType = compile(tree, name, "exec", dont_inherit=True)
    return ast.unparse(ast.fix_missing_locations(tree)) if elsewhere else code


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load(), **HERE), list(arguments), [], **HERE)

"""Which names some nodes bind, and where the nodes may stand."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from learn2fix.languages.python.judging.trees import COMPREHENSIONS, SCOPES

UNUSUAL: frozenset[type[ast.AST]] = frozenset(
    {ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Break, ast.Continue, ast.NamedExpr, *SCOPES}
    | {ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.MatchStar}
    | {ast.MatchMapping, *COMPREHENSIONS}
)


class Facts:
    """What some nodes bind and where they may stand, found in one walk: it is done for every candidate."""

    __slots__ = ("bound", "jumps", "returns")

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.bound: dict[str, int] = {}
        """How often each name is bound; `=…` stands for declarations, scopes inside, and yields."""
        self.returns = False
        """A return that no function among the nodes holds."""
        self.jumps = False
        """A break or continue that no loop among the nodes holds."""
        for node in nodes:
            self._visit(node, False, False)

    def _bind(self, name: str) -> None:
        self.bound[name] = self.bound.get(name, 0) + 1

    def _visit(self, node: ast.AST, looped: bool, comprehension: bool) -> None:
        kind = type(node)
        if kind is ast.Name:
            # What a comprehension binds is its own.
            if not comprehension and type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                self._bind(node.id)  # type: ignore[attr-defined]
            return
        if kind is ast.Constant:
            return
        if kind in UNUSUAL:
            self._unusual(node, looped)
            if isinstance(node, SCOPES):
                return
            comprehension = comprehension or isinstance(node, COMPREHENSIONS)
        loop = kind is ast.While or kind is ast.For
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                self._visit(value, looped, comprehension)
            elif isinstance(value, list):
                inner = looped or (loop and name == "body")
                for child in value:
                    if isinstance(child, ast.AST):
                        self._visit(child, inner, comprehension)

    def _unusual(self, node: ast.AST, looped: bool) -> None:
        match node:
            case ast.Return():
                self.returns = True
            case ast.Yield() | ast.YieldFrom() | ast.Await():
                self.returns = True
                self._bind("=yield")
            case ast.Break() | ast.Continue():
                self.jumps = self.jumps or not looped
            case ast.NamedExpr():
                self._bind(node.target.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._bind(node.name)
                self._bind("=" + _names_inside(node))
            case ast.Lambda():
                self._bind("=" + _names_inside(node))
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self._bind((alias.asname or alias.name).split(".")[0])
            case ast.Global() | ast.Nonlocal():
                for name in node.names:
                    self._bind("=" + name)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
                self._bind(node.name)
            case ast.MatchMapping() if node.rest:
                self._bind(node.rest)
            case _:
                pass


def bound_in(scope: ast.AST) -> dict[str, int]:
    """How often each name is bound in a function, class or module, its parameters included."""
    found = Facts(getattr(scope, "body", ())).bound
    arguments = getattr(scope, "args", None)
    if isinstance(arguments, ast.arguments):
        for argument in ast.walk(arguments):
            if isinstance(argument, ast.arg):
                found[argument.arg] = found.get(argument.arg, 0) + 1
    return found


def _names_inside(node: ast.AST) -> str:
    """The names that a scope inside another one speaks of: what it takes from outside may depend on them."""
    return ",".join(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}))

"""What the edits need to know of one Python file: expressions, statements, names in reach, constants."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import libcst as cst

from learn2fix.edits.catalogue import Change, Piece, Unusual
from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.kinds import UNKNOWN
from learn2fix.languages.python.edits.names import (
    Scope,
    reachable,
    read_names,
    read_scope,
    type_of,
    used_class_data,
    used_constants,
)
from learn2fix.languages.python.edits.samples import arguments
from learn2fix.languages.python.edits.source import Source, Statement
from learn2fix.languages.python.tree import Tree, walk
from learn2fix.model import Edit

LOOPS = (cst.For, cst.While)
COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
MOST_CONSTANTS = 12
UNTOUCHED = (
    cst.Annotation,
    cst.Decorator,
    cst.Import,
    cst.ImportFrom,
    cst.Global,
    cst.Nonlocal,
    cst.MatchPattern,
    cst.TypeAlias,
    cst.TypeParameters,
)
"""What no run evaluates, what only describes, and patterns, where no expression may stand."""

SIMPLE = (cst.Name, cst.Subscript, cst.Attribute, cst.Call, cst.BinaryOperation, cst.UnaryOperation)
HOLDERS = (
    cst.Return,
    cst.Assign,
    cst.AugAssign,
    cst.AnnAssign,
    cst.Arg,
    cst.Index,
    cst.Slice,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.ListComp,
    cst.GeneratorExp,
    cst.IfExp,
    cst.DictElement,
    cst.FormattedStringExpression,
    cst.Yield,
    cst.Element,
)
"""What holds a whole value: it is returned, assigned, passed, indexed, compared, shown."""

Atoms = list[tuple[str, tuple[str, ...]]]
"""Small conditions, and the traits that make them less likely."""
N = TypeVar("N", bound=cst.CSTNode)


def aliases(tree: Tree) -> dict[str, str]:
    """What imports rename: `from rates import tax as t` gives t → tax."""
    return {
        alias.evaluated_alias: alias.evaluated_name
        for node in walk(tree.module)
        if isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar)
        for alias in node.names
        if alias.evaluated_alias
    }


class Program(Source):
    """One parsed file, and what hints say of it."""

    def __init__(self, source: bytes, hints: Hints) -> None:
        super().__init__(source)
        self.hints = hints
        self.names = read_names(self.tree)
        self.function = hints.function if hints.function in self.names.functions else None
        self.targets = reachable(self.names, self.function, aliases(self.tree))
        self._scopes: dict[cst.FunctionDef | cst.Module, Scope] = {}
        # Asked for again and again, by every operator.
        self._every: dict[type[cst.CSTNode], list[Any]] = {}
        self._reads: dict[type[cst.CSTNode], list[Any]] = {}
        self._kinds: dict[cst.BaseExpression, str] = {}
        self.atoms: dict[cst.CSTNode, Atoms] = {}
        self._scope_of: dict[cst.CSTNode, Scope] = {}
        self._visible: dict[cst.CSTNode, list[str]] = {}

    # -- what may be edited ---------------------------------------------------------------------------------

    @cached_property
    def roots(self) -> list[cst.CSTNode]:
        """Function definitions, and the module-level data that they read; the module itself for a script."""
        if self.function is None:
            return [self.tree.module]
        used = used_constants(self.tree, self.names, self.targets)
        found: list[cst.CSTNode] = [self.names.functions[name] for name in self.targets]
        data = used_class_data(self.names, self.targets)
        return [*found, *(self.names.constants[name] for name in used), *data]

    @cached_property
    def nodes(self) -> list[cst.CSTNode]:
        return [node for root in self.roots for node in self._walk(root)]

    def _walk(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        if isinstance(node, UNTOUCHED):
            return
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString):
            return
        yield node
        for child in node.children:
            yield from self._walk(child)

    @cached_property
    def expressions(self) -> list[cst.BaseExpression]:
        """Every expression whose value is read: no target of an assignment, no name of what is called."""
        return [n for n in self.nodes if isinstance(n, cst.BaseExpression) and self.is_read(n)]

    def every(self, kind: type[N]) -> list[N]:
        """The nodes of one kind."""
        found = self._every.get(kind)
        if found is None:
            found = self._every[kind] = [node for node in self.nodes if isinstance(node, kind)]
        return found

    def reads(self, kind: type[N]) -> list[N]:
        """The expressions of one kind whose value is read."""
        found = self._reads.get(kind)
        if found is None:
            found = self._reads[kind] = [node for node in self.expressions if isinstance(node, kind)]
        return found

    def is_read(self, node: cst.BaseExpression) -> bool:
        parent = self.tree.parent(node)
        if isinstance(node, cst.StarredElement):
            return False
        match parent:
            case (
                cst.AssignTarget()
                | cst.Param()
                | cst.FunctionDef()
                | cst.ClassDef()
                | cst.NameItem()
                | cst.AsName()
            ):
                return isinstance(parent, cst.Param) and node is parent.default
            case cst.For() | cst.CompFor() | cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr():
                return node is not parent.target
            case cst.Call():
                return node is not parent.func
            case cst.Attribute():
                return node is not parent.attr
            case cst.Arg():
                return node is not parent.keyword
            case cst.ConcatenatedString() | cst.Del() | cst.ExceptHandler():
                return False
            case cst.Element() | cst.StarredElement():
                return not self.in_target(parent)
            case cst.FormattedStringExpression():
                return node is parent.expression
            case _:
                return True

    def in_target(self, node: cst.CSTNode) -> bool:
        child: cst.CSTNode = node
        for parent in self.tree.above(node):
            if isinstance(parent, cst.Tuple | cst.List | cst.Element | cst.StarredElement):
                child = parent
                continue
            if isinstance(parent, cst.AssignTarget | cst.Del | cst.AsName):
                return True
            return isinstance(parent, cst.For | cst.CompFor) and child is parent.target
        return False

    @cached_property
    def conditions(self) -> list[cst.BaseExpression]:
        """Expressions whose truth decides something."""
        return [node for node in self.expressions if self._decides(node)]

    def _decides(self, node: cst.BaseExpression) -> bool:
        match self.tree.parent(node):
            case cst.If() | cst.While() | cst.CompIf() | cst.BooleanOperation():
                return True
            case (cst.IfExp() | cst.Assert()) as parent:
                return node is parent.test
            case cst.Return():
                return isinstance(node, cst.Comparison | cst.BooleanOperation)
            case cst.UnaryOperation() as parent:
                return isinstance(parent.operator, cst.Not)
            case _:
                return False

    @cached_property
    def values(self) -> list[tuple[cst.BaseExpression, str]]:
        """Expressions that are whole values, and what they roughly are."""
        return [
            (node, self.kind(node))
            for node in self.expressions
            if isinstance(node, SIMPLE)
            and isinstance(self.tree.parent(node), HOLDERS)
            and not (isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not))
            and not (isinstance(node, cst.Name) and node.value not in self.visible(node))
        ]

    @cached_property
    def statements(self) -> list[Statement]:
        return [
            node
            for node in self.nodes
            if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement)
            and self.own_lines(node)
            and not (isinstance(node, cst.If) and self.is_elif(node))
        ]

    @cached_property
    def definitions(self) -> frozenset[int]:
        """Lines that run before any test does: headers of functions, module-level data."""
        found: set[int] = set()
        for root in self.roots:
            start, end = self.tree.span(root)
            if isinstance(root, cst.FunctionDef):
                end = self.tree.span(root.body)[0] - 1
            if not isinstance(root, cst.Module):
                found.update(range(self.tree.line(start), self.tree.line(end) + 1))
        return frozenset(found)

    def is_base(self, node: cst.CSTNode) -> bool:
        """Whether an attribute or an item of the expression is taken."""
        parent = self.tree.parent(node)
        return isinstance(parent, cst.Attribute | cst.Subscript) and node is parent.value

    def owner(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function that a node stands in."""
        found = (above for above in self.tree.above(node) if isinstance(above, cst.FunctionDef | cst.Lambda))
        first = next(found, None)
        return first if isinstance(first, cst.FunctionDef) else None

    def loops(self, node: cst.CSTNode) -> list[cst.For | cst.While]:
        """Loops around a node in the same function, innermost first."""
        found: list[cst.For | cst.While] = []
        for above in self.tree.above(node):
            if isinstance(above, cst.FunctionDef):
                break
            if isinstance(above, LOOPS):
                found.append(above)
        return found

    # -- names and types ------------------------------------------------------------------------------------

    def scope(self, node: cst.CSTNode) -> Scope:
        found = self._scope_of.get(node)
        if found is None:
            found = self._scope_of[node] = self._find_scope(node)
        return found

    def _find_scope(self, node: cst.CSTNode) -> Scope:
        # By the definition, not by its name: a property and its setter share one.
        around = (above for above in (node, *self.tree.above(node)) if isinstance(above, cst.FunctionDef))
        owner = next(around, self.tree.module)
        if owner not in self._scopes:
            self._scopes[owner] = read_scope(self.tree, self.names, owner, self._given(owner))
        return self._scopes[owner]

    def _given(self, owner: cst.FunctionDef | cst.Module) -> dict[str, object]:
        """What the parameters of the function are in failing calls; nothing for other functions."""
        if self.function is None or owner is not self.names.functions[self.function]:
            return {}
        assert isinstance(owner, cst.FunctionDef)
        listed = [*owner.params.posonly_params, *owner.params.params, *owner.params.kwonly_params]
        names = [each.name.value for each in listed if each.name.value not in ("self", "cls")]
        return arguments(self.hints.given, names)

    def visible(self, node: cst.CSTNode) -> list[str]:
        """Data that can be read where a node stands, what a comprehension around it binds first."""
        found = self._visible.get(node)
        if found is None:
            found = self._visible[node] = self._find_visible(node)
        return found

    def _find_visible(self, node: cst.CSTNode) -> list[str]:
        inner: list[str] = []
        for above in self.tree.above(node):
            if isinstance(above, COMPREHENSIONS):
                clause: cst.CompFor | None = above.for_in
                while clause is not None:
                    # The first iterable is computed outside.
                    if node is not clause.iter:
                        inner += [n.value for n in walk(clause.target) if isinstance(n, cst.Name)]
                    clause = clause.inner_for_in
            if isinstance(above, cst.Lambda):
                inner += [p.name.value for p in above.params.params]
            if isinstance(above, cst.FunctionDef):
                break
        scope = self.scope(node)
        loops = [self.tree.span(loop) for loop in self.loops(node)]
        # A name bound by the very statement is not there yet.
        start = self.tree.span(node)[0]
        for above in self.tree.above(node):
            if isinstance(above, cst.SimpleStatementLine):
                start = self.tree.span(above)[0]
                break
        found = [*inner, *scope.visible(start, loops)]
        for name in [each for each in found if each in self.names.attributes]:
            found += [f"{name}.{attribute}" for attribute in self.names.attributes_of(name)]
        return list(dict.fromkeys(name for name in found if name not in ("self", "cls", "_")))

    def local(self, node: cst.CSTNode) -> list[str]:
        """Those of them that are not module-level data."""
        constants = self.scope(node).constants
        return [
            name for name in self.visible(node) if name not in constants or name in self.scope(node).bound
        ]

    def kind(self, node: cst.BaseExpression) -> str:
        found = self._kinds.get(node)
        if found is None:
            found = self._kinds[node] = type_of(node, self.scope(node))
        return found

    def name_type(self, name: str, node: cst.CSTNode) -> str:
        base, _, attribute = name.rpartition(".")
        known = self.scope(node).type(name)
        return self.names.attributes_of(base).get(attribute, known) if base and known == UNKNOWN else known

    # -- what ordering asks for -----------------------------------------------------------------------------

    def lines_of(self, piece: Piece) -> range:
        start, end, _ = piece
        first, last = self.tree.line(start), self.tree.line(max(start, end - 1))
        # An insertion stands at the start of the line it comes before; the line it follows counts as well.
        follows = start == end == self.tree.line_start(start)
        return range(max(1, first - 1) if follows else first, last + 1)

    def reached(self, piece: Piece) -> bool:
        lines, executed = self.lines_of(piece), self.hints.executed
        return executed is None or not executed.isdisjoint(lines) or self.definitions.issuperset(lines)

    def edit(self, piece: Piece) -> Edit | None:
        start, end, text = piece
        for left, right, quote in self._formatted:
            # Before Python 3.12 an expression in an f-string has no quotes of that string, escapes or lines.
            if left <= start and end <= right and any(sign in text for sign in (quote, "\\", "\n", "#")):
                return None
        return self.tree.edit(start, end, text)

    def squeeze(self, text: str) -> str:
        """White space has a meaning in Python: all of it is kept."""
        return text

    @cached_property
    def _formatted(self) -> list[tuple[int, int, str]]:
        """The expressions in f-strings, and the quotes around them."""
        return [
            (*self.tree.span(part), node.start[-1])
            for node in self.every(cst.FormattedString)
            for part in node.parts
            if isinstance(part, cst.FormattedStringExpression)
        ]

    # -- constants ------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> list[str]:
        """Numbers written in the functions at fault, most frequent first."""
        return self._frequent(n for n in self.nodes if isinstance(n, cst.Integer | cst.Float))

    @cached_property
    def strings(self) -> list[str]:
        return self._frequent(n for n in self.nodes if isinstance(n, cst.SimpleString) and not n.prefix)

    def _frequent(self, nodes: Iterator[cst.CSTNode]) -> list[str]:
        counts: dict[str, int] = {}
        for node in nodes:
            text = self.of(node)
            if len(text) <= 40:
                counts[text] = counts.get(text, 0) + 1
        return sorted(counts, key=lambda text: -counts[text])[:MOST_CONSTANTS]

    @cached_property
    def test_numbers(self) -> list[str]:
        """Numbers of failing inputs, their neighbours, and numbers of expected outputs."""
        found: dict[str, None] = {}
        near: dict[str, None] = {}
        for values in self.hints.inputs:
            for value in values:
                if isinstance(value, bool):
                    continue
                found[number(value)] = None
                if value == int(value):
                    near[number(value - 1)] = near[number(value + 1)] = None
        for known in self.expected_values:
            if isinstance(known, int | float) and not isinstance(known, bool) and math.isfinite(known):
                found[repr(known)] = None
        return [*found, *(text for text in near if text not in found)][:MOST_CONSTANTS]

    @cached_property
    def expected_values(self) -> list[object]:
        """Expected outputs that are Python values."""
        found: list[object] = []
        for text in self.hints.expected:
            try:
                value = ast.literal_eval(text)
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                continue
            if value not in found and len(text) <= 60:
                found.append(value)
        return found

    def expected_literals(self, kinds: tuple[type, ...]) -> list[str]:
        return [repr(value) for value in self.expected_values if type(value) in kinds][:4]


def number(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) or value.denominator == 1 else repr(float(value))


SECOND_CHOICE = ("second choice",)
"""The trait of what an operator can do as well, but is less likely to be right."""


def choice(change: Change, likely: bool) -> Change | Unusual:
    return change if likely else Unusual(change, SECOND_CHOICE)


def unsure(change: Change, kind: str) -> Change | Unusual:
    """The change, less likely where nothing tells the type of what it changes."""
    return Unusual(change, ("a value of unknown type",)) if kind == UNKNOWN else change

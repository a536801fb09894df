"""What the edits need to know of one Python file: expressions, statements, names in reach, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import libcst as cst

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.names import (
    MAPPING,
    NUMBER,
    SEQUENCE,
    TEXT,
    TRUTH,
    Scope,
    reachable,
    read_names,
    read_scope,
    type_of,
    used_constants,
)
from learn2fix.languages.python.tree import Tree, walk

Piece = tuple[int, int, str]
"""An edit in the making: replace [start, end) of the UTF-8 text."""
Draft = tuple[float, str, tuple[Piece, ...]]
"""A candidate in the making: weight, kind, edits."""
Drafts = Iterator[Draft]

# How tightly an expression holds together.
LOWEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, PLUS, TIMES, UNARY, POWER, ATOM = range(14)
LEVELS: dict[type[cst.CSTNode], int] = {
    cst.Or: OR,
    cst.And: AND,
    cst.BitOr: BIT_OR,
    cst.BitXor: BIT_XOR,
    cst.BitAnd: BIT_AND,
    cst.LeftShift: SHIFT,
    cst.RightShift: SHIFT,
    cst.Add: PLUS,
    cst.Subtract: PLUS,
    cst.Multiply: TIMES,
    cst.Divide: TIMES,
    cst.FloorDivide: TIMES,
    cst.Modulo: TIMES,
    cst.MatrixMultiply: TIMES,
    cst.Power: POWER,
}
LOOSE = (cst.Lambda, cst.IfExp, cst.NamedExpr, cst.Yield, cst.Tuple, cst.StarredElement)
LOOPS = (cst.For, cst.While)
COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
MOST_CONSTANTS = 12

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def one(weight: float, kind: str, piece: Piece) -> Draft:
    return weight, kind, (piece,)


class Program:
    """One parsed file, and what hints say of it."""

    def __init__(self, source: bytes, hints: Hints) -> None:
        self.tree = Tree(source)
        self.hints = hints
        self.names = read_names(self.tree)
        self.function = hints.function if hints.function in self.names.functions else None
        self.targets = reachable(self.names, self.function)
        self._scopes: dict[str | None, Scope] = {}
        # Asked for at every node, again and again.
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
        return found + [self.names.constants[name] for name in used]

    @cached_property
    def nodes(self) -> list[cst.CSTNode]:
        return [node for root in self.roots for node in self._walk(root)]

    def _walk(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        # What no run evaluates, or what only describes, is left alone.
        if isinstance(
            node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom | cst.Global | cst.Nonlocal
        ):
            return
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString):
            return
        yield node
        for child in node.children:
            yield from self._walk(child)

    @cached_property
    def expressions(self) -> list[cst.BaseExpression]:
        """Every expression whose value is read: no target of an assignment, no name of what is called."""
        return [n for n in self.nodes if isinstance(n, cst.BaseExpression) and self._is_value(n)]

    def _is_value(self, node: cst.BaseExpression) -> bool:
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
            case cst.Element():
                return not self._in_target(parent)
            case cst.FormattedStringExpression():
                return node is parent.expression
            case cst.MatchValue() | cst.MatchSingleton() | cst.MatchAs() | cst.MatchClass():
                return False
            case _:
                return True

    def _in_target(self, node: cst.CSTNode) -> bool:
        child: cst.CSTNode = node
        for parent in self.tree.above(node):
            if isinstance(parent, cst.Tuple | cst.List | cst.Element):
                child = parent
                continue
            if isinstance(parent, cst.AssignTarget | cst.Del):
                return True
            return isinstance(parent, cst.For | cst.CompFor) and child is parent.target
        return False

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

    def own_lines(self, node: cst.CSTNode) -> bool:
        """Whether a statement stands on lines of its own, so that lines can be moved and put beside it."""
        start, end = self.tree.span(node)
        before = self.tree.slice(self.tree.line_start(start), start)
        after = self.tree.slice(end, self.tree.line_end(end)).strip()
        return not before.strip() and (not after or after.startswith("#"))

    def is_elif(self, node: cst.CSTNode) -> bool:
        return isinstance(self.tree.parent(node), cst.If)

    # -- places ---------------------------------------------------------------------------------------------

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end of the whole lines of a statement."""
        start, end = self.tree.span(node)
        return self.tree.line_start(start), self.tree.line_end(max(start, end - 1))

    def indent(self, node: cst.CSTNode) -> str:
        return self.tree.indent(self.tree.span(node)[0])

    @cached_property
    def unit(self) -> str:
        """One level of indentation."""
        return self.tree.module.default_indent

    def lines_text(self, node: cst.CSTNode) -> str:
        """The statement's lines; the last one always ends in a line break."""
        text = self.tree.slice(*self.lines(node))
        return text if text.endswith("\n") else text + self.tree.newline

    def before(self, node: cst.CSTNode, *lines: str) -> Piece:
        """Lines put before a statement, with its indentation."""
        start, _ = self.lines(node)
        indent = self.indent(node)
        return start, start, "".join(indent + line + self.tree.newline for line in lines)

    def after(self, node: cst.CSTNode, *lines: str) -> Piece:
        """Lines put after a statement, with its indentation."""
        _, end = self.lines(node)
        indent = self.indent(node)
        text = "".join(indent + line + self.tree.newline for line in lines)
        if self.tree.slice(max(0, end - 1), end) != "\n":
            text = self.tree.newline + text.rstrip("\r\n")
        return end, end, text

    def shifted(self, node: cst.CSTNode, indent: str) -> str:
        """A statement's lines with another indentation."""
        old = self.indent(node)
        return "".join(
            indent + line[len(old) :] if line.startswith(old) and line.strip() else line
            for line in self.lines_text(node).splitlines(keepends=True)
        )

    def block(self, node: cst.CSTNode) -> list[Statement]:
        """The statements of the block that a statement stands in."""
        parent = self.tree.parent(node)
        if isinstance(parent, cst.IndentedBlock | cst.Module):
            return [
                s for s in parent.body if isinstance(s, cst.SimpleStatementLine | cst.BaseCompoundStatement)
            ]
        return []

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
        name: str | None = None
        for above in [node, *self.tree.above(node)]:
            if isinstance(above, cst.FunctionDef):
                name = next(n for n, f in self.names.functions.items() if f is above)
                break
        if name not in self._scopes:
            self._scopes[name] = read_scope(self.tree, self.names, name)
        return self._scopes[name]

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
        return list(dict.fromkeys(name for name in found if name not in ("self", "cls", "_")))

    def local(self, node: cst.CSTNode) -> list[str]:
        """Those of them that are not module-level data."""
        constants = self.scope(node).constants
        return [
            name for name in self.visible(node) if name not in constants or name in self.scope(node).bound
        ]

    def kind(self, node: cst.BaseExpression) -> str:
        return type_of(node, self.scope(node))

    def name_type(self, name: str, node: cst.CSTNode) -> str:
        return self.scope(node).type(name)

    # -- text -----------------------------------------------------------------------------------------------

    def of(self, node: cst.CSTNode) -> str:
        return self.tree.code(node)

    def level(self, node: cst.CSTNode) -> int:
        match node:
            case cst.BinaryOperation() | cst.BooleanOperation():
                return LEVELS.get(type(node.operator), PLUS)
            case cst.Comparison():
                return COMPARE
            case cst.UnaryOperation():
                return NOT if isinstance(node.operator, cst.Not) else UNARY
            case cst.Await():
                return POWER
            case _:
                return LOWEST if isinstance(node, LOOSE) else ATOM

    def slot(self, node: cst.CSTNode) -> int:
        """How tightly an expression must hold together to stand in a node's place without parentheses."""
        if getattr(node, "lpar", ()):
            return LOWEST
        parent = self.tree.parent(node)
        match parent:
            case cst.BinaryOperation():
                level = LEVELS.get(type(parent.operator), PLUS)
                if level == POWER:
                    return ATOM if node is parent.left else UNARY
                return level if node is parent.left else level + 1
            case cst.BooleanOperation():
                level = LEVELS[type(parent.operator)]
                return level if node is parent.left else level + 1
            case cst.UnaryOperation():
                return NOT if isinstance(parent.operator, cst.Not) else UNARY
            case cst.Comparison() | cst.ComparisonTarget():
                return BIT_OR
            case cst.Attribute() | cst.Call() | cst.Await():
                return ATOM
            case cst.Subscript():
                return ATOM if node is parent.value else LOWEST
            case cst.IfExp():
                return LOWEST if node is parent.orelse else OR
            case cst.CompFor() | cst.CompIf() | cst.FormattedStringExpression() | cst.Assert():
                return OR
            case cst.StarredElement() | cst.StarredDictElement():
                return BIT_OR
            case cst.Arg():
                return BIT_OR if parent.star else OR
            case cst.Param() | cst.Element() | cst.DictElement() | cst.Index() | cst.Slice() | cst.Lambda():
                return OR
            case _:
                return LOWEST

    def wrap(self, node: cst.CSTNode, level: int) -> str:
        """The text of a node, in parentheses when it holds together less than a level asks."""
        text = self.of(node)
        if getattr(node, "lpar", ()):
            return self.tree.outer_code(node)
        return text if self.level(node) >= level else f"({text})"

    def put(self, node: cst.CSTNode, text: str, level: int = ATOM) -> Piece:
        """Replace an expression; parentheses come and go as the place needs them."""
        start, end = self.tree.span(node)
        if getattr(node, "lpar", ()) and level == ATOM and len(node.lpar) == 1 and "\n" not in text:  # type: ignore[attr-defined]
            # `(a + b) * c` becomes `a * c`, unless that would glue two words together.
            outer_start, outer_end = self.tree.outer(node)
            around = self.tree.slice(max(0, outer_start - 1), outer_start)
            follow = self.tree.slice(outer_end, outer_end + 1)
            if not (around[-1:].isalnum() or around == "_" or follow.isalnum()):
                return outer_start, outer_end, text
        if level < self.slot(node):
            text = f"({text})"
        before = self.tree.slice(max(0, start - 1), start)
        if before and (before.isalnum() or before == "_") and text[:1].isalnum():
            text = " " + text
        if before == "{" and text.startswith("{"):
            text = " " + text
        return start, end, text

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
            if isinstance(known, int | float) and not isinstance(known, bool) and known == known:
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


NUMERIC, TEXTUAL = (NUMBER, TRUTH), (TEXT,)
SIZED = (TEXT, SEQUENCE, MAPPING)

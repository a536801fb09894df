"""What edits need to know of one C file: expressions by role, names in scope, constants, what is executed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, TypeVar

from learn2fix.edits.catalogue import Piece
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.parsed import Parsed, squeezed
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import Type
from learn2fix.languages.c.words import ARITHMETIC, ATOM, EXPRESSIONS, NUMBER, STATEMENTS, parse_number, strip
from learn2fix.model import Edit

MOST_CONSTANTS = 24
LONG_TABLE = 12
LARGE = 30_000
"""Bytes of a program from which on functions that no failing run enters are left alone."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A small value that can stand in an expression at some place."""

    text: str
    type: Type
    level: int = ATOM


class Program(Parsed):
    """One parsed file, and what hints say of it."""

    def __init__(self, source: bytes, hints: Hints) -> None:
        super().__init__(source)
        self.hints = hints
        self.memo: dict[Callable[[Program], Any], Any] = {}
        self._terms: dict[int, list[tuple[Leaf, set[str]]]] = {}
        self._leaves: dict[tuple[str, ...], list[Leaf]] = {}

    # -- what ordering asks ---------------------------------------------------------------------------------

    def lines_of(self, piece: Piece) -> tuple[int]:
        return (self.lines.at(piece[0]),)

    def reached(self, piece: Piece) -> bool:
        return self.unreached is None or not self.unreached[piece[0]]

    def edit(self, piece: Piece) -> Edit:
        start, end, text = piece
        return Edit(start, end, text.encode("latin-1"))

    squeeze = staticmethod(squeezed)

    @cached_property
    def unreached(self) -> bytearray | None:
        """1 for every offset in a statement that no failing test reaches; None when that is not known."""
        executed = self.hints.executed
        if executed is None:
            return None
        dead = bytearray(len(self.text) + 1)
        for node in self.statements:
            # Declarations execute nothing, so no test speaks for or against them.
            if node.type == "declaration":
                continue
            lines = range(self.lines.at(node.start), self.lines.at(max(node.start, node.end - 1)) + 1)
            if not any(line in executed for line in lines):
                dead[node.start : node.end] = b"\1" * (node.end - node.start)
        return dead

    # -- what may be edited ---------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> list[Node]:
        """Bodies of the functions that can run: reached from the given one or main; all without either."""
        start = self.hints.function or "main"
        if start not in self.functions:
            return [body for node in self.root.walk() if (body := _body(node)) is not None]
        reached, todo = {start}, [start]
        while todo:
            for node in (inner for top in self.definitions[todo.pop()] for inner in top.walk()):
                if node.type == "identifier":
                    name = self.of(node)
                    if name in self.functions and name not in reached:
                        reached.add(name)
                        todo.append(name)
            # A macro may call a function by a name that is only in its text.
            for name in self.functions:
                if name not in reached and any(
                    re.search(rf"\b{name}\b", self.of(m.value)) for m in self.macros.values()
                ):
                    reached.add(name)
                    todo.append(name)
        nodes = sorted(
            (node for name in reached for node in self.definitions[name] if self._entered(node)),
            key=lambda node: node.start,
        )
        return [body for node in nodes if (body := _body(node)) is not None]

    def _entered(self, function: Node) -> bool:
        """Whether a failing run executes some of a function; in a small program all of them are looked at."""
        executed = self.hints.executed
        if executed is None or len(self.source) < LARGE:
            return True
        lines = range(self.lines.at(function.start), self.lines.at(function.end) + 1)
        return any(line in executed for line in lines)

    def can_run(self, symbol: Symbol) -> bool:
        """Whether a symbol is one of a function that can run, or of all."""
        place = symbol.declarator.start
        every = (node for nodes in self.definitions.values() for node in nodes)
        inside = next((node for node in every if node.start <= place < node.end), None)
        return inside is None or inside.child("body") in self.bodies

    @cached_property
    def nodes(self) -> list[Node]:
        """Every node of the bodies, of first values of globals, and of macros that are expressions."""
        found = [node for body in self.bodies for node in body.walk()]
        for symbol in self.scope.symbols:
            if symbol.role == "global" and symbol.initial is not None:
                found += list(symbol.initial.walk())
        for macro in self.macros.values():
            if macro.value.children:
                found += list(macro.value.walk())
        return found

    @cached_property
    def expressions(self) -> list[Node]:
        """Every expression that is computed at run time: no called name, label, size or type."""
        return [node for node in self.nodes if node.type in EXPRESSIONS and not self._fixed(node)]

    def _fixed(self, node: Node) -> bool:
        parent = node.parent
        if parent is None:
            return False
        if parent.type == "call_expression" and node.field == "function":
            return True
        if node.field in ("size", "label", "declarator", "designator", "field"):
            return True
        child = node
        for above in node.above():
            if above.type == "case_statement" and child.field == "value":
                return True
            if (
                above.type in ("array_declarator", "sizeof_expression", "type_descriptor")
                and child.field != "declarator"
            ):
                return True
            if above.type in STATEMENTS:
                return above.type == "declaration" and (
                    self.of(above).startswith("static") or self.body_of(above) is None
                )
            child = above
        return False

    @cached_property
    def values(self) -> list[Node]:
        """Expressions whose number is used, and that may be replaced by another number."""
        return [
            node
            for node in self.expressions
            if node.type
            not in ("parenthesized_expression", "string_literal", "concatenated_string", "comma_expression")
            and not self.is_target(node)
            and not self.is_base(node)
            and (node.parent is None or node.parent.type != "expression_statement")
            and not self._is_step(node)
            and self.type_of(node).numeric
        ]

    @cached_property
    def value_ids(self) -> frozenset[int]:
        return frozenset(id(node) for node in self.values)

    def is_target(self, node: Node) -> bool:
        """Whether an expression is written to, or its address is taken."""
        child, parent = node, node.parent
        while parent is not None and parent.type == "parenthesized_expression":
            child, parent = parent, parent.parent
        if parent is None:
            return False
        if parent.type == "assignment_expression":
            return child.field == "left"
        if parent.type == "update_expression":
            return True
        return parent.type == "pointer_expression" and self.operator(parent) == "&"

    def is_base(self, node: Node) -> bool:
        """Whether an expression names an array that is indexed, a pointer that is followed, or a struct."""
        parent = node.parent
        if parent is None:
            return False
        if parent.type in ("subscript_expression", "field_expression"):
            return node.field == "argument"
        return parent.type == "pointer_expression"

    def needs_integer(self, node: Node) -> bool:
        """Whether no real number may stand where a node stands: as an index, or beside `%`."""
        parent = node.parent
        child = node
        while parent is not None and parent.type in (
            "parenthesized_expression",
            "binary_expression",
            "conditional_expression",
        ):
            if parent.type == "binary_expression":
                operator = self.operator(parent)
                if operator in ("%", "&", "|", "^", "<<", ">>"):
                    return True
                if operator not in "+-*/":
                    return False
            child, parent = parent, parent.parent
        if parent is None:
            return False
        if parent.type == "subscript_expression":
            return child.field == "index"
        if parent.type == "assignment_expression":
            return self.operator(parent) in ("%=", "&=", "|=", "^=", "<<=", ">>=") and child.field == "right"
        return parent.type in ("case_statement", "array_declarator", "switch_statement")

    def _is_step(self, node: Node) -> bool:
        """Whether a value is thrown away: the step of a `for`, an assignment as a statement."""
        parent = node.parent
        if node.type not in ("assignment_expression", "update_expression", "call_expression"):
            return False
        while parent is not None and parent.type in ("comma_expression", "parenthesized_expression"):
            node, parent = parent, parent.parent
        if parent is None:
            return False
        return parent.type == "expression_statement" or (
            parent.type == "for_statement" and node.field in ("update", "initializer")
        )

    @cached_property
    def conditions(self) -> list[Node]:
        """What `if`, loops and `?:` decide on, without its parentheses."""
        found = []
        for node in self.nodes:
            if node.type in (
                "if_statement",
                "while_statement",
                "do_statement",
                "for_statement",
                "conditional_expression",
            ):
                condition = node.child("condition")
                if condition is not None:
                    found.append(strip(condition))
        return found

    @cached_property
    def statements(self) -> list[Node]:
        return [
            node
            for node in self.nodes
            if node.type in STATEMENTS and node.parent is not None and node.field != "initializer"
        ]

    @cached_property
    def calls(self) -> list[Node]:
        return [node for node in self.nodes if node.type == "call_expression"]

    def arguments(self, call: Node) -> list[Node]:
        return call.of("arguments").inner()

    def statement_of(self, node: Node) -> Node:
        """The nearest statement around a node."""
        if node.type in STATEMENTS:
            return node
        return next((above for above in node.above() if above.type in STATEMENTS), node)

    def free_names(self, node: Node) -> set[str]:
        """Variables that a statement uses and does not declare."""
        found = set()
        for child in node.walk():
            if child.type == "identifier":
                symbol = self.scope.find(self.of(child), child.start)
                if (
                    symbol is not None
                    and symbol.role != "function"
                    and not node.start <= symbol.begin < node.end
                ):
                    found.add(symbol.name)
        return found

    # -- values at hand -------------------------------------------------------------------------------------

    def variables(self, offset: int) -> list[Symbol]:
        """Numeric scalars visible at an offset, nearest declaration last."""
        return [symbol for symbol in self.scope.visible(offset) if symbol.type.numeric]

    def leaves(self, node: Node) -> list[Leaf]:
        """Small numeric values that can be used at a node: variables, then elements and members in use."""
        function = self.body_of(node)
        names = [symbol for symbol in self.scope.visible(node.start) if symbol.role != "function"]
        key = (str(function.start if function else -1), *(f"{s.name}@{s.begin}" for s in names))
        found = self._leaves.get(key)
        if found is None:
            used = self._used_in(function)
            scalars = [Leaf(s.name, s.type) for s in names if s.type.numeric and s.name in used]
            visible = {symbol.name for symbol in names} | set(self.macros)
            parts = [leaf for leaf, inside in self._parts(function) if inside <= visible]
            found = self._leaves[key] = scalars + parts
        return found

    def _used_in(self, function: Node | None) -> set[str]:
        top = function if function is not None else self.root
        return {self.of(node) for node in top.walk() if node.type == "identifier"}

    def _parts(self, function: Node | None) -> list[tuple[Leaf, set[str]]]:
        """Array elements and struct members that a function uses, the most used first."""
        counted: dict[str, list[Node]] = {}
        for node in (function or self.root).walk():
            if (
                node.type in ("subscript_expression", "field_expression")
                and node.end - node.start <= 16
                and self.type_of(node).numeric
            ):
                counted.setdefault("".join(self.of(node).split()), []).append(node)
        ranked = sorted(counted.items(), key=lambda item: (-len(item[1]), item[1][0].start))[:10]
        result = []
        for text, nodes in ranked:
            if "++" in text or "--" in text or "(" in text:
                continue
            inside = {self.of(child) for child in nodes[0].walk() if child.type == "identifier"}
            result.append((Leaf(text, self.type_of(nodes[0])), inside))
        return result

    def terms(self, node: Node) -> list[Leaf]:
        """Small arithmetic expressions of the function that can be used at a node, most used first."""
        function = self.body_of(node)
        key = function.start if function is not None else -1
        if key not in self._terms:
            self._terms[key] = self._small_terms(function)
        visible = {symbol.name for symbol in self.scope.visible(node.start)} | set(self.macros)
        return [leaf for leaf, inside in self._terms[key] if inside <= visible][:4]

    def _small_terms(self, function: Node | None) -> list[tuple[Leaf, set[str]]]:
        counted: dict[str, list[Node]] = {}
        for node in (function or self.root).walk():
            if (
                node.type == "binary_expression"
                and node.end - node.start <= 12
                and self.operator(node) in ARITHMETIC
                and node.parent is not None
                and self.type_of(node).numeric
            ):
                text = self.of(node)
                if not any(mark in text for mark in ("++", "--", "(", "\n")):
                    counted.setdefault("".join(text.split()), []).append(node)
        ranked = sorted(counted.values(), key=lambda nodes: (-len(nodes), nodes[0].start))[:8]
        return [
            (
                Leaf(self.of(nodes[0]), self.type_of(nodes[0]), self.level(nodes[0])),
                {self.of(child) for child in nodes[0].walk() if child.type == "identifier"},
            )
            for nodes in ranked
        ]

    @cached_property
    def constants(self) -> dict[str, int]:
        """Numbers of the file as written, how often each occurs; sizes of arrays and long tables left out."""
        counted: dict[str, int] = {}
        for node in self.nodes:
            if node.type == "number_literal" and not self.in_table(node):
                counted[self.of(node)] = counted.get(self.of(node), 0) + 1
        for macro in self.macros.values():
            word = self.of(macro.value).strip("() \t\r")
            if macro.parameters < 0 and NUMBER.fullmatch(word):
                counted[macro.name] = counted.get(macro.name, 0) + 1
        # Many constants make a space that nobody can search: the most used ones are the most useful.
        most = set(sorted(counted, key=lambda word: -counted[word])[:MOST_CONSTANTS])
        return {word: count for word, count in counted.items() if word in most}

    def in_table(self, node: Node) -> bool:
        """Whether a number is the size of an array or one of many in a list."""
        parent = node.parent
        if parent is None:
            return False
        if parent.type == "initializer_list":
            return len(parent.children) > 2 * LONG_TABLE
        return parent.type == "array_declarator"

    @cached_property
    def moduli(self) -> list[str]:
        """Large whole constants of the file: what remainders are taken by."""
        found = []
        for word in self.constants:
            macro = self.macros.get(word)
            value = parse_number(self.of(macro.value).strip("() \t\r") if macro is not None else word)
            if value is not None and value >= 7:
                found.append(word)
        return found

    @cached_property
    def known(self) -> list[str]:
        """Constants from the failing inputs and expected outputs, with their neighbours."""
        found: dict[str, None] = {}
        for values in self.hints.inputs[:4]:
            for value in values[:6]:
                if isinstance(value, int) and abs(value) < 10**18:
                    for near in (value, value - 1, value + 1):
                        found.setdefault(str(near))
        for output in self.hints.expected[:6]:
            for word in output.split()[:4]:
                if re.fullmatch(r"-?\d{1,18}", word):
                    found.setdefault(str(int(word)))
                elif re.fullmatch(r"-?\d{1,12}\.\d{1,12}", word):
                    found.setdefault(word)
        return list(found)[:40]


def _body(node: Node) -> Node | None:
    return node.child("body") if node.type == "function_definition" else None


R = TypeVar("R")


def once(function: Callable[[Program], R]) -> Callable[[Program], R]:
    """Worked out at most once for a program: several operators ask for the same."""

    @wraps(function)
    def remembered(program: Program) -> R:
        if function not in program.memo:
            program.memo[function] = function(program)
        found: R = program.memo[function]
        return found

    return remembered

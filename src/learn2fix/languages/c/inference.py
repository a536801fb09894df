"""Which type an expression has, as coarsely as edits need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from learn2fix.languages.c.library import PROTOTYPES
from learn2fix.languages.c.scope import Scope, type_words
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import (
    DOUBLE_TYPE,
    INT_TYPE,
    LONG,
    LONG_TYPE,
    TEXT_TYPE,
    UNKNOWN_TYPE,
    Type,
    larger,
    literal_type,
    named_type,
)
from learn2fix.languages.c.words import RELATIONAL, operator_of


class Types:
    """The types of one file's expressions."""

    def __init__(self, text: str, scope: Scope, macros: Mapping[str, str]) -> None:
        self._text = text
        self._scope = scope
        self._macros = macros
        """Name → text."""
        self._known: dict[int, Type] = {}

    def _of(self, node: Node) -> str:
        return self._text[node.start : node.end]

    def type_of(self, node: Node) -> Type:
        found = self._known.get(id(node))
        return self._infer(node, {}, self._known) if found is None else found

    def type_under(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        """The type of an expression if some names (by the offset of their declarator) had another type."""
        return self._infer(node, overrides, {})

    def _infer(self, top: Node, overrides: Mapping[int, Type], known: dict[int, Type]) -> Type:
        """Operands first and without recursion: sums of a thousand terms are that deep."""
        waiting = [(top, self._operands(top))]
        while waiting:
            node, operands = waiting[-1]
            missing = [operand for operand in operands if id(operand) not in known]
            if missing:
                waiting += [(operand, self._operands(operand)) for operand in missing]
                continue
            known[id(node)] = self._combined(node, [known[id(operand)] for operand in operands], overrides)
            waiting.pop()
        return known[id(top)]

    def _operands(self, node: Node) -> list[Node]:
        """The parts that decide the type of an expression."""
        match node.type:
            case "parenthesized_expression":
                return node.inner()[-1:]
            case "comma_expression":
                return node.each("right")
            case "binary_expression":
                operator = operator_of(node)
                if operator in RELATIONAL or operator in ("&&", "||"):
                    return []
                return (
                    node.each("left")
                    if operator in ("<<", ">>")
                    else [*node.each("left"), *node.each("right")]
                )
            case "unary_expression":
                return [] if operator_of(node) == "!" else node.each("argument")
            case "pointer_expression" | "update_expression" | "subscript_expression":
                return node.each("argument")
            case "assignment_expression":
                return node.each("left")
            case "conditional_expression":
                return [*node.each("consequence"), *node.each("alternative")]
            case "call_expression" if self._is_macro_call(node):
                return node.of("arguments").inner()
            case _:
                return []

    def _combined(self, node: Node, operands: Sequence[Type], overrides: Mapping[int, Type]) -> Type:
        """The type of an expression whose operands have some types."""
        match node.type:
            case "number_literal":
                return literal_type(self._of(node))
            case "char_literal" | "true" | "false":
                return INT_TYPE
            case "string_literal" | "concatenated_string":
                return TEXT_TYPE
            case "identifier":
                return self._name_type(node, overrides)
            case "binary_expression" | "unary_expression" if not operands:
                return INT_TYPE
            case "binary_expression" | "conditional_expression" if len(operands) == 2:
                return larger(*operands)
            case "pointer_expression" if operands:
                step = 1 if operator_of(node) == "&" else -1
                return _deeper(operands[0], step)
            case "subscript_expression" if operands:
                return _deeper(operands[0], -1)
            case "field_expression":
                return self._scope.member_types.get(self._of(node.of("field")), UNKNOWN_TYPE)
            case "cast_expression":
                if node.start in overrides:
                    return overrides[node.start]
                described = node.of("type")
                kind = named_type(type_words(described.child("type"), self._text), self._scope.typedefs)
                return _deeper(kind, self._of(described).count("*"))
            case "sizeof_expression":
                return LONG_TYPE
            case "call_expression":
                return self._call_type(node, operands, overrides)
            case _:
                return operands[0] if operands else UNKNOWN_TYPE

    def _name_type(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        name = self._of(node)
        symbol = self._scope.find(name, node.start)
        if symbol is not None:
            return overrides.get(symbol.declarator.start, symbol.type)
        macro = self._macros.get(name)
        return UNKNOWN_TYPE if macro is None else literal_type(macro.strip("() \t\r"))

    def _is_macro_call(self, node: Node) -> bool:
        name = self._of(node.of("function"))
        return (
            name in self._macros
            and self._library_type(name) is None
            and not self._scope.find(name, node.start)
        )

    def _library_type(self, name: str) -> Type | None:
        """The type of what a library function returns, where it is more than an int."""
        prototype = PROTOTYPES.get(name)
        if prototype is None:
            return None
        if prototype.returns.floating:
            return DOUBLE_TYPE
        return LONG_TYPE if prototype.returns.base == LONG and not prototype.returns.depth else None

    def _call_type(self, node: Node, arguments: Sequence[Type], overrides: Mapping[int, Type]) -> Type:
        name = self._of(node.of("function"))
        library = self._library_type(name)
        if library is not None:
            return library
        symbol = self._scope.find(name, node.start)
        if symbol is not None:
            return overrides.get(symbol.declarator.start, symbol.type)
        kind = INT_TYPE
        for argument in arguments:
            kind = larger(kind, argument)
        return kind


def _deeper(kind: Type, step: int) -> Type:
    return Type(kind.base, max(0, kind.depth + step), kind.name)

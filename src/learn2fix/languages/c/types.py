"""Which type an expression has, as coarsely as edits need it."""

from __future__ import annotations

from collections.abc import Mapping

from learn2fix.languages.c.scope import (
    CHAR,
    DOUBLE_TYPE,
    INT_TYPE,
    LONG_TYPE,
    RANK,
    TEXT_TYPE,
    UNKNOWN_TYPE,
    Scope,
    Type,
    base_class,
    type_words,
)
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import RELATIONAL, operator_of

REAL_FUNCTIONS = frozenset(
    [
        "sqrt",
        "pow",
        "ceil",
        "floor",
        "round",
        "fabs",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "log",
        "log10",
        "log2",
        "exp",
        "fmod",
        "cbrt",
        "hypot",
        "trunc",
        "fmax",
        "fmin",
        "sqrtl",
        "powl",
        "ceill",
        "floorl",
        "roundl",
        "fabsl",
        "sqrtf",
        "powf",
        "atof",
        "strtod",
        "sinl",
        "cosl",
    ]
)
LONG_FUNCTIONS = frozenset(
    ["strlen", "llabs", "labs", "atoll", "strtol", "strtoll", "time", "clock", "fread"]
)


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
        if found is None:
            found = self._known[id(node)] = self._infer(node, {})
        return found

    def type_under(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        """The type of an expression if some names (by the offset of their declarator) had another type."""
        return self._infer(node, overrides)

    def _infer(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        infer = self._infer if overrides else lambda child, _: self.type_of(child)
        match node.type:
            case "number_literal":
                return number_type(self._of(node))
            case "char_literal" | "true" | "false":
                return INT_TYPE
            case "string_literal" | "concatenated_string":
                return TEXT_TYPE
            case "identifier":
                return self._name_type(node, overrides)
            case "parenthesized_expression":
                inner = node.inner()
                return infer(inner[-1], overrides) if inner else UNKNOWN_TYPE
            case "comma_expression":
                return infer(node.of("right"), overrides)
            case "binary_expression":
                operator = operator_of(node)
                if operator in RELATIONAL or operator in ("&&", "||"):
                    return INT_TYPE
                left = infer(node.of("left"), overrides)
                if operator in ("<<", ">>"):
                    return left
                return larger(left, infer(node.of("right"), overrides))
            case "unary_expression":
                if operator_of(node) == "!":
                    return INT_TYPE
                return infer(node.of("argument"), overrides)
            case "pointer_expression":
                inner_type = infer(node.of("argument"), overrides)
                step = 1 if operator_of(node) == "&" else -1
                return Type(inner_type.base, max(0, inner_type.depth + step), inner_type.name)
            case "update_expression":
                return infer(node.of("argument"), overrides)
            case "assignment_expression":
                return infer(node.of("left"), overrides)
            case "conditional_expression":
                then = node.child("consequence")
                other = infer(node.of("alternative"), overrides)
                return larger(infer(then, overrides), other) if then is not None else other
            case "subscript_expression":
                base = infer(node.of("argument"), overrides)
                return Type(base.base, max(0, base.depth - 1), base.name)
            case "field_expression":
                return self._scope.member_types.get(self._of(node.of("field")), UNKNOWN_TYPE)
            case "cast_expression":
                if node.start in overrides:
                    return overrides[node.start]
                described = node.of("type")
                words = type_words(described.child("type"), self._text)
                kind = base_class(words, self._scope.typedefs)
                return Type(kind.base, kind.depth + self._of(described).count("*"), kind.name)
            case "sizeof_expression":
                return LONG_TYPE
            case "call_expression":
                return self._call_type(node, overrides)
            case _:
                return UNKNOWN_TYPE

    def _name_type(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        name = self._of(node)
        symbol = self._scope.find(name, node.start)
        if symbol is not None:
            return overrides.get(symbol.declarator.start, symbol.type)
        macro = self._macros.get(name)
        if macro is not None:
            return number_type(macro.strip("() \t\r"))
        return UNKNOWN_TYPE

    def _call_type(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        name = self._of(node.of("function"))
        if name in REAL_FUNCTIONS:
            return DOUBLE_TYPE
        if name in LONG_FUNCTIONS:
            return LONG_TYPE
        symbol = self._scope.find(name, node.start)
        if symbol is not None:
            return overrides.get(symbol.declarator.start, symbol.type)
        if name in self._macros:
            kind = INT_TYPE
            for argument in node.of("arguments").inner():
                kind = larger(kind, self._infer(argument, overrides))
            return kind
        return INT_TYPE


def number_type(word: str) -> Type:
    lowered = word.lower()
    if not lowered.startswith("0x") and any(character in lowered for character in ".e"):
        return Type("f", 0, "float") if lowered.endswith("f") else DOUBLE_TYPE
    if "l" in lowered:
        return LONG_TYPE
    digits = lowered.strip("-+ul")
    if digits.isdigit() and int(digits) > 2147483647:
        return LONG_TYPE
    return INT_TYPE


def larger(left: Type, right: Type) -> Type:
    """The type of a mixed expression."""
    if left.depth or right.depth:
        return left if left.depth >= right.depth else right
    if left.base not in RANK or right.base not in RANK:
        return left if right.base not in RANK else right
    chosen = left if RANK[left.base] >= RANK[right.base] else right
    return INT_TYPE if chosen.base == CHAR else chosen

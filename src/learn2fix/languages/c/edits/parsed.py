"""One parsed C file: its text, types, macros and functions, and how tightly expressions hold together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from learn2fix.edits.catalogue import Piece
from learn2fix.languages.c.inference import Types
from learn2fix.languages.c.layout import parts
from learn2fix.languages.c.scope import build, read_macros
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.c.tree import Lines, Node
from learn2fix.languages.c.types import Type
from learn2fix.languages.c.words import ASSIGN, ATOM, COMMA, LEVEL, POSTFIX, TERNARY, UNARY, operator_of

_SPACE = str.maketrans("", "", " \t\r\n")
_QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')


class Parsed:
    """The text of a file and its tree; a character is a byte."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.text = source.decode("latin-1")
        self.lines = Lines(self.text)
        self.root = parse(source)
        self.scope = build(self.root, self.text)
        macros = read_macros(self.root, self.text)
        self.macros = {name: macro for name, macro in macros.items() if macro.defined}
        values = {name: self.of(macro.value) for name, macro in self.macros.items()}
        self.types = Types(self.text, self.scope, values)

    def of(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def operator(self, node: Node) -> str:
        return operator_of(node)

    def type_of(self, node: Node) -> Type:
        return self.types.type_of(node)

    def type_under(self, node: Node, overrides: Mapping[int, Type]) -> Type:
        return self.types.type_under(node, overrides)

    def level(self, node: Node) -> int:
        """How tightly an expression holds together."""
        match node.type:
            case "binary_expression":
                return LEVEL.get(self.operator(node), 3)
            case "conditional_expression":
                return TERNARY
            case "assignment_expression":
                return ASSIGN
            case "comma_expression":
                return COMMA
            case "unary_expression" | "cast_expression" | "pointer_expression" | "sizeof_expression":
                return UNARY
            case "update_expression":
                return POSTFIX if node.children and node.children[0].named else UNARY
            case "number_literal":
                return UNARY if self.text[node.start] in "+-" else ATOM
            case _:
                return ATOM

    def slot(self, node: Node) -> int:
        """How tightly an expression must hold together to stand in a node's place without parentheses."""
        parent = node.parent
        if parent is None:
            return COMMA
        match parent.type:
            case "binary_expression":
                level = LEVEL.get(self.operator(parent), 3)
                return level if node.field == "left" else level + 1
            case "conditional_expression":
                return TERNARY + 1 if node.field == "condition" else TERNARY
            case "unary_expression" | "cast_expression" | "pointer_expression" | "sizeof_expression":
                return UNARY
            case "subscript_expression":
                return POSTFIX if node.field == "argument" else COMMA
            case "field_expression" | "call_expression" | "update_expression":
                return POSTFIX
            case (
                "argument_list"
                | "init_declarator"
                | "initializer_list"
                | "comma_expression"
                | "array_declarator"
            ):
                return ASSIGN
            case "assignment_expression":
                return ASSIGN if node.field == "right" else POSTFIX
            case "preproc_body":
                return ATOM
            case _:
                return COMMA

    def wrap(self, node: Node, level: int) -> str:
        """The text of a node, in parentheses when it holds together less than a level asks."""
        text = self.of(node)
        return text if self.level(node) >= level else f"({text})"

    def put(self, node: Node, text: str, level: int = ATOM) -> Piece:
        """Replace a node; parentheses and spaces are added where the place needs them."""
        if level < self.slot(node):
            text = f"({text})"
        before = self.text[node.start - 1 : node.start]
        after = self.text[node.end : node.end + 1]
        if before and ((before in "+-&<>=|" and text[:1] == before) or (_wordy(before) and _wordy(text[:1]))):
            text = " " + text
        if after and _wordy(after) and _wordy(text[-1:]):
            text += " "
        return (node.start, node.end, text)

    @cached_property
    def functions(self) -> dict[str, Node]:
        return {name: nodes[-1] for name, nodes in self.definitions.items()}

    @cached_property
    def definitions(self) -> dict[str, list[Node]]:
        """All functions of a name: each file of a program may have one that is static."""
        found: dict[str, list[Node]] = {}
        for symbol in self.scope.symbols:
            if symbol.role == "function" and symbol.declaration.type == "function_definition":
                found.setdefault(symbol.name, []).append(symbol.declaration)
        return found

    @cached_property
    def _several(self) -> bool:
        return bool(parts(self.source))

    def declares(self, name: str, node: Node) -> bool:
        """Whether the file that a node is in knows a function or macro of this name."""
        return not self._several or name in self.macros or self.scope.find(name, node.start) is not None

    def body_of(self, node: Node) -> Node | None:
        for above in node.above():
            if above.type == "function_definition":
                return above
        return None


def squeezed(text: str) -> str:
    """Text without white space outside of quotes."""
    if '"' not in text and "'" not in text:
        return text.translate(_SPACE)
    parts, position = [], 0
    for match in _QUOTED.finditer(text):
        parts += [text[position : match.start()].translate(_SPACE), match.group()]
        position = match.end()
    return "".join([*parts, text[position:].translate(_SPACE)])


def _wordy(character: str) -> bool:
    return character.isalnum() or character == "_"

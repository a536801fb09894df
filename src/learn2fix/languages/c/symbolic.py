"""A C program as statements of Python, as far as they are arithmetic over whole numbers (`symbolic`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from learn2fix.languages.c.edits.parsed import Parsed
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import DOUBLE, FLOAT
from learn2fix.languages.c.words import READERS, parse_number
from learn2fix.languages.symbolic import Meaning

BINARY: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.FloorDiv(), "%": ast.Mod(),
}  # fmt: skip
COMPARED: dict[str, ast.cmpop] = {
    "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(), "==": ast.Eq(), "!=": ast.NotEq(),
}  # fmt: skip
JOINED: dict[str, ast.boolop] = {"&&": ast.And(), "||": ast.Or()}
EFFECTS = ("assignment_expression", "update_expression")


def meaning(source: bytes) -> Meaning:
    program = Parsed(source)
    reader = _Reader(program)
    functions = [
        ast.FunctionDef(name, reader.arguments, reader.block(node.of("body")), [])
        for name, node in program.functions.items()
    ]
    return Meaning(ast.Module(list[ast.stmt](functions), []), truncates=True)


def expression(text: str) -> ast.expr:
    """An expression by itself, over whole numbers."""
    program = Parsed(f"int f(void) {{ return {text}; }}".encode())
    found = next(node for node in program.root.walk() if node.type == "return_statement")
    return _Reader(program).value(found.inner()[0])


class _Reader:
    arguments = ast.arguments([], [], None, [], [], None, [])

    def __init__(self, program: Parsed) -> None:
        self._program = program

    def block(self, node: Node | None) -> list[ast.stmt]:
        return [] if node is None else list(self._statements(node))

    def _statements(self, node: Node) -> Iterator[ast.stmt]:
        match node.type:
            case "compound_statement" | "else_clause":
                for child in node.inner():
                    yield from self._statements(child)
            case "declaration":
                for child in node.each("declarator"):
                    if child.type == "init_declarator" and child.of("declarator").type == "identifier":
                        name = self._program.of(child.of("declarator"))
                        yield _assign(name, self.value(child.of("value")))
            case "expression_statement":
                for child in node.inner():
                    yield from self._effect(child)
            case "if_statement":
                test = self.value(node.of("condition"))
                yield from self._beforehand(node.of("condition"))
                yield ast.If(test, self.block(node.of("consequence")), self.block(node.child("alternative")))
            case "while_statement" | "do_statement" | "for_statement":
                if (first := node.child("initializer")) is not None:
                    yield from self._statements(first) if first.type == "declaration" else self._effect(first)
                condition = node.child("condition")
                holds = condition is not None and node.type != "do_statement"
                test = self.value(node.of("condition")) if holds else ast.Constant(True)
                body = [*(self._beforehand(condition) if condition else ()), *self.block(node.of("body"))]
                if (update := node.child("update")) is not None:
                    body += self._effect(update)
                yield ast.While(test, body, [])
            case "return_statement":
                yield ast.Return(self.value(node.inner()[0]) if node.inner() else None)
            case "break_statement":
                yield ast.Break()
            case "continue_statement":
                yield ast.Continue()
            case _:
                yield from self._beforehand(node)

    def _beforehand(self, node: Node) -> Iterator[ast.stmt]:
        """What is read or changed inside of something that is no plain statement."""
        for each in node.walk():
            if each.type in EFFECTS:
                yield from _forgotten(self._name(each.child("left") or each.child("argument")))
            elif each.type == "call_expression":
                yield from self._call(each)

    def _effect(self, node: Node) -> Iterator[ast.stmt]:
        match node.type:
            case "comma_expression":
                for child in node.inner():
                    yield from self._effect(child)
            case "assignment_expression" if node.of("left").type == "identifier":
                name, right = self._program.of(node.of("left")), self.value(node.of("right"))
                op = self._program.operator(node).removesuffix("=")
                if not op:
                    yield _assign(name, right)
                elif op in BINARY:
                    yield _assign(name, ast.BinOp(_name(name), BINARY[op], right))
                else:
                    yield from _forgotten(name)
            case "update_expression" if node.of("argument").type == "identifier":
                name = self._program.of(node.of("argument"))
                sign = "+" if "++" in self._program.of(node) else "-"
                yield _assign(name, ast.BinOp(_name(name), BINARY[sign], ast.Constant(1)))
            case "call_expression":
                yield from self._call(node)
            case _:
                yield from self._beforehand(node)

    def _call(self, node: Node) -> Iterator[ast.stmt]:
        """A reader fills what it is given from outside; another function may write anything there."""
        arguments = node.of("arguments").inner()
        written = [
            self._name(each.of("argument"))
            for each in arguments
            if each.type == "pointer_expression" and self._program.of(each).startswith("&")
        ]
        names = [name for name in written if name]
        if self._program.of(node.of("function")) in READERS:
            if names:
                yield ast.Global(names)
            return
        for name in names:
            yield from _forgotten(name)
        yield ast.Expr(ast.Call(_name("call"), [self.value(each) for each in arguments], []))

    def _name(self, node: Node | None) -> str:
        while node is not None and node.type == "subscript_expression":
            node = node.child("argument")
        return self._program.of(node) if node is not None and node.type == "identifier" else ""

    def value(self, node: Node) -> ast.expr:
        text = self._program.of(node)
        match node.type:
            case "parenthesized_expression":
                return self.value(node.inner()[0])
            case "number_literal" if isinstance(number := parse_number(text), int):
                return ast.Constant(number)
            case "identifier" if self._program.type_of(node).base not in (FLOAT, DOUBLE):
                return _name(text)
            case "subscript_expression" if self._program.type_of(node).base not in (FLOAT, DOUBLE):
                return ast.Subscript(
                    self.value(node.of("argument")), self.value(node.of("index")), ast.Load()
                )
            case "unary_expression" if self._program.operator(node) in ("!", "-"):
                sign: ast.unaryop = ast.Not() if self._program.operator(node) == "!" else ast.USub()
                return ast.UnaryOp(sign, self.value(node.of("argument")))
            case "conditional_expression":
                parts = (self.value(node.of(name)) for name in ("condition", "consequence", "alternative"))
                return ast.IfExp(*parts)
            case "binary_expression":
                op, sides = self._program.operator(node), (node.of("left"), node.of("right"))
                left, right = map(self.value, sides)
                if op in BINARY:
                    return ast.BinOp(left, BINARY[op], right)
                if op in COMPARED:
                    return ast.Compare(left, [COMPARED[op]], [right])
                if op in JOINED:
                    return ast.BoolOp(JOINED[op], [left, right])
        # A text by itself: not arithmetic, and the same wherever it is written the same.
        return ast.Call(_name("unknown"), [ast.Constant(text)], [])


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _forgotten(name: str) -> Iterator[ast.stmt]:
    if name:
        yield ast.Delete([ast.Name(name, ast.Del())])

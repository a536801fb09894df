"""Tests that work on objects: fixtures, setUp and what is done before an assert become the code of an input.

    @pytest.fixture
    def account():
        return Account("Ann", 100)

    def test_withdraw(account):
        account.withdraw(30)
        assert account.balance == 70

is `account = Account('Ann', 100); account.withdraw(30); account.balance`, which should be 70. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learn2fix.languages.python.modules import defining, find_module, imported, parsed
from learn2fix.languages.python.signatures import Definitions


@dataclass
class Scenario:
    """The statements of one test, up to each assertion."""

    code: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


class Scenarios:
    """Reads the tests of one file that work on objects of one module."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self._path = path
        self._fixtures = _fixtures(tree)
        for above in (path.parent, *path.absolute().parents[:3]):
            shared = above / "conftest.py"
            if shared.is_file():
                self._fixtures = _fixtures(parsed(shared)) | self._fixtures
        self._imports = imported(tree)
        self._setups = {
            node.name: inner
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            for inner in node.body
            if isinstance(inner, ast.FunctionDef) and inner.name in ("setUp", "setup_method")
        }

    def begin(self, test: ast.FunctionDef, owner: str, values: Mapping[str, Any]) -> Scenario | None:
        """What comes before the test's own statements; None where a fixture cannot be followed."""
        scenario = Scenario()
        if owner in self._setups:
            for node in self._setups[owner].body:
                if not self.add(scenario, node, values):
                    return None
        for argument in test.args.args:
            name = argument.arg
            if name == "self" or name in values:
                continue
            if not self._inline(scenario, name, values):
                return None
        return scenario

    def _inline(self, scenario: Scenario, name: str, values: Mapping[str, Any], depth: int = 4) -> bool:
        fixture = self._fixtures.get(name)
        if fixture is None or not depth:
            return False
        if name in scenario.names:
            return True
        for argument in fixture.args.args:
            if not self._inline(scenario, argument.arg, values, depth - 1):
                return False
        for node in fixture.body:
            match node:
                case (
                    ast.Return(value=ast.expr() as value)
                    | ast.Expr(value=ast.Yield(value=ast.expr() as value))
                ):
                    if ast.unparse(value) != name:
                        scenario.code.append(f"{name} = {_written(value, values)}")
                    scenario.names.add(name)
                    return True
                case _ if not self.add(scenario, node, values):
                    return False
        return False

    def add(self, scenario: Scenario, node: ast.stmt, values: Mapping[str, Any]) -> bool:
        """Whether a statement can be part of the code before a call."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Import() | ast.ImportFrom():
                return True
            case ast.Expr(value=ast.Call() as call):
                scenario.code.append(_written(call, values))
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                name = _written(target, {})
                if not name.isidentifier():
                    return False
                scenario.code.append(f"{name} = {_written(value, values)}")
                scenario.names.add(name)
            case _:
                return False
        return True

    def call(
        self, expression: ast.expr, scenario: Scenario, values: Mapping[str, Any]
    ) -> tuple[Path, str, str] | None:
        """The file, the method and the code of an input that ends in the expression."""
        text = "; ".join([*scenario.code, _written(expression, values)])
        owners: dict[str, str] = {}
        """Names of objects → their classes."""
        found: tuple[Path, str] | None = None
        for node in ast.parse(text).body:
            value = getattr(node, "value", None)
            for inner in _inside_out(value) if isinstance(value, ast.expr) else ():
                found = self._method(inner, owners) or found
            if isinstance(node, ast.Assign):
                made = ast.unparse(node.value.func if isinstance(node.value, ast.Call) else node.value)
                owners[ast.unparse(node.targets[0])] = owners.get(made, made)
        return (*found, text) if found is not None else None

    def _method(self, node: ast.expr, owners: Mapping[str, str]) -> tuple[Path, str] | None:
        """The method or property of the program that is used."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                owner = owners.get(name, name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id=owner)), attr=attribute):
                pass
            case _:
                return None
        file = self._file(owner)
        if file is None:
            return None
        known = Definitions(parsed(file))
        return (file, f"{owner}.{attribute}") if known.signature(f"{owner}.{attribute}") is not None else None

    def _file(self, owner: str) -> Path | None:
        start = self._imports.get(owner)
        if start is None or not start.name or start.name != owner:
            return None
        module = find_module(self._path, start.module, start.level)
        found = defining(module, owner, kinds=(ast.ClassDef,)) if module is not None else None
        return found[0] if found is not None and found[1] == owner else None


def _inside_out(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions in the order in which they are evaluated, as far as it matters here."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _inside_out(child)
    yield node


def _fixtures(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            marks = [ast.unparse(each).partition("(")[0] for each in node.decorator_list]
            if any(mark in ("pytest.fixture", "fixture") for mark in marks):
                found[node.name] = node
    return found


class _Literals(ast.NodeTransformer):
    """Names of constants become the constants, `self.account` becomes `account`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._values:
            try:
                return ast.parse(repr(self._values[node.id]), mode="eval").body
            except SyntaxError:
                return node
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node


def _written(node: ast.expr, values: Mapping[str, Any]) -> str:
    copied = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(_Literals(values).visit(copied))

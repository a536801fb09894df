"""The calls and expectations of a pytest test, read off its source: nothing of the test is run.

    assert discount(100, 3) == 270              a value, on either side
    assert average([1, 2]) == pytest.approx(1.5)
    assert is_prime(7) / assert not is_prime(9)
    with pytest.raises(ValueError): discount(-1, 3)
    self.assertEqual(discount(100, 3), 270)     and assertTrue, assertFalse, assertIsNone, assertRaises
    >>> discount(100, 3)                        in a docstring: `--test shop.py::discount`

Arguments and expectations are constants, names that the test or its module gives constants to, the rows of
`parametrize`, and what a `for` over constants binds. The imports of the test say where the function is.
Tests that work on objects are read with scenarios.py.
"""

from __future__ import annotations

import ast
import doctest
import itertools
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from learn2fix.domain.values import NOTHING, literal_value
from learn2fix.errors import UsageError
from learn2fix.languages.python.constants import NotConstant, constant
from learn2fix.languages.python.modules import Imported, find_function, imported, parsed
from learn2fix.languages.python.scenarios import Scenario, Scenarios
from learn2fix.languages.python.wishes import SIGNS, Compares, Equal, Near, Raises, Truth, Wish

MOST_ROWS = 500
MOST_TURNS = 200


class Unreadable(UsageError):
    """A test whose calls depend on a run."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a test calls: `shop.py:discount` and what stands between the parentheses."""

    file: Path
    function: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Expectation:
    call: Call
    wish: Wish
    line: int


# From a name on the command line to tests


@dataclass(frozen=True, slots=True)
class Named:
    """A test function of a file."""

    name: str
    node: ast.FunctionDef
    decorators: tuple[ast.expr, ...]


def read_test(node_id: str) -> list[Expectation]:
    """`tests/test_shop.py::test_discount`, with a class or a row in brackets, or a whole file."""
    file, _, rest = node_id.partition("::")
    path = Path(file)
    if path.suffix != ".py" or not path.is_file():
        raise UsageError(f"no test file {file}", "name a test as in --test tests/test_shop.py::test_discount")
    tree = parsed(path)
    if examples := list(_examples(path, tree, rest)):
        return examples
    tests = {test.name: test for test in _tests(tree)}
    name, _, row = rest.partition("[")
    if rest and name not in tests:
        known = ", ".join(tests) or "none"
        raise UsageError(f"no test {name} in {file}", f"it has: {known}")
    chosen = [tests[name]] if rest else list(tests.values())
    reader = _Reader(path, tree)
    found = [e for test in chosen for e in reader.read(test, row.removesuffix("]") if row else None)]
    if not found:
        why = reader.refused[0] if reader.refused else f"{node_id} asserts nothing"
        raise Unreadable(f"cannot read a call off {node_id}: {why}", 'give it: PROGRAM --failing "…"')
    return found


def _examples(path: Path, tree: ast.Module, name: str) -> Iterator[Expectation]:
    """The examples in the docstring of a function: `>>> discount(100, 3)` and what follows."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name != name or name.startswith("test"):
            continue
        for example in doctest.DocTestParser().get_examples(ast.get_docstring(node) or ""):
            call = example.source.strip()
            if call.startswith(f"{name}(") and call.endswith(")"):
                made = Call(_relative(path), name, call[len(name) + 1 : -1])
                wish: Wish = Equal(example.want.strip() or "None")
                if example.exc_msg is not None:
                    wish = Raises(example.exc_msg.partition(":")[0])
                yield Expectation(made, wish, node.lineno + example.lineno)


def _tests(tree: ast.Module) -> Iterator[Named]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield Named(node.name, node, tuple(node.decorator_list))
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                    decorators = (*node.decorator_list, *inner.decorator_list)
                    yield Named(f"{node.name}::{inner.name}", inner, decorators)


class _Reader:
    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path = path
        self.refused: list[str] = []
        """Why statements could not be read, the first first."""
        self._scenarios = Scenarios(path, tree)
        self._scenario: Scenario | None = None
        """What the test did so far with objects of the program; None once it cannot be followed."""
        self._imports = imported(tree)
        self._own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._names: dict[str, Any] = {}
        for node in tree.body:
            self._assign(node, self._names)
        self._found: list[Expectation] = []

    def read(self, test: Named, row: str | None) -> list[Expectation]:
        self._found = []
        try:
            rows = list(itertools.islice(_rows(test.decorators, self._names), MOST_ROWS))
        except NotConstant as problem:
            self._refuse(test.node, f"a row of parametrize is no constant: {problem}")
            return []
        if row is not None:
            known = [id for id, _ in rows]
            rows = [each for each in rows if each[0] == row]
            if not rows:
                raise UsageError(f"{test.name} has no row [{row}]", f"its rows are {', '.join(known)}")
        for _, values in rows:
            names = {**self._names, **values}
            self._scenario = self._scenarios.begin(test.node, test.name.rpartition("::")[0], names)
            self._block(test.node.body, names)
        return self._found

    def _refuse(self, node: ast.stmt, why: str) -> None:
        self.refused.append(f"line {node.lineno}: {why}")

    # Statements

    def _block(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> None:
        for node in body:
            try:
                self._statement(node, names)
            except NotConstant as problem:
                self._refuse(node, f"{problem} is no constant")
            asserts = isinstance(node, ast.Assert | ast.With | ast.For) or _is_unittest(node)
            if self._scenario is not None and not asserts:
                constants = {name: value for name, value in names.items() if not isinstance(value, Call)}
                if not self._scenarios.add(self._scenario, node, constants):
                    self._scenario = None

    def _statement(self, node: ast.stmt, names: dict[str, Any]) -> None:
        match node:
            case ast.Assert(test=test):
                self._assertion(test, node, names)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method)) as call
            ) if method.startswith("assert"):
                self._unittest(method, call, node, names)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name in names:
                names.pop(name)  # changed in place, as far as can be seen
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as manager)], body=body):
                error = self._raised(manager, names)
                if error is None:
                    self._block(body, names)
                else:
                    for inner in body:
                        self._raising(inner, error, names)
            case ast.For(target=target, iter=iterated, body=body):
                for value in itertools.islice(constant(iterated, names), MOST_TURNS):
                    _bind(target, value, names)
                    self._block(body, names)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assign(node, names)
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr():
                pass
            case _:
                for part in ast.walk(node):
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        names.pop(part.id, None)
                self._refuse(node, f"`{ast.unparse(node).splitlines()[0]}` depends on a run")

    def _assign(self, node: ast.stmt, names: dict[str, Any]) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case ast.AugAssign(target=ast.Name() as target, op=op, value=added):
                value = ast.BinOp(ast.Name(target.id, ast.Load()), op, added)
            case _:
                return
        try:
            call = self._call(value, names)
            _bind(target, call if call is not None else constant(value, names), names)
        except NotConstant:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name):
                    names.pop(inner.id, None)

    def _raising(self, node: ast.stmt, error: Raises, names: dict[str, Any]) -> None:
        value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        call = self._call(value, names) if value is not None else None
        if call is not None:
            self._found.append(Expectation(call, error, node.lineno))
        else:
            self._assign(node, names)

    def _raised(self, manager: ast.Call, names: Mapping[str, Any]) -> Raises | None:
        """The exception of `pytest.raises(…)` or `self.assertRaises(…)`."""
        word = _last(manager.func)
        if word not in ("raises", "assertRaises", "assertRaisesRegex") or not manager.args:
            return None
        match = next((word.value for word in manager.keywords if word.arg == "match"), None)
        return Raises(_last(manager.args[0]) or "", "" if match is None else str(constant(match, names)))

    def _unittest(self, method: str, call: ast.Call, node: ast.stmt, names: Mapping[str, Any]) -> None:
        match method, call.args:
            case (("assertEqual" | "assertEquals" | "assertListEqual" | "assertDictEqual"), [one, other, *_]):
                self._equality(one, other, node, names)
            case "assertIs", [one, other, *_]:
                self._equality(one, other, node, names)
            case "assertAlmostEqual", [one, other, *_]:
                self._near(one, constant(other, names), 5e-8, node, names)
            case "assertTrue", [one, *_]:
                self._assertion(one, node, names)
            case "assertFalse", [one, *_]:
                self._assertion(ast.UnaryOp(ast.Not(), one), node, names)
            case "assertIsNone", [one, *_]:
                self._equality(one, ast.Constant(None), node, names)
            case "assertRaises", [error, function, *arguments]:
                made = self._call(ast.Call(function, arguments, call.keywords), names)
                if made is not None:
                    self._found.append(Expectation(made, Raises(_last(error) or ""), node.lineno))
            case _:
                self._refuse(node, f"self.{method} is not understood")

    # Assertions

    def _assertion(self, test: ast.expr, node: ast.stmt, names: Mapping[str, Any]) -> None:
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                for value in values:
                    self._assertion(value, node, names)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                self._equality(left, right, node, names)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SIGNS:
                self._comparison(left, right, SIGNS[type(op)][0], node, names)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._wish(operand, Truth(False), node, names)
            case ast.Call() | ast.Name() | ast.Attribute():
                self._wish(test, Truth(True), node, names)
            case _:
                self._refuse(node, f"`{ast.unparse(test)}` is not f(…) == value")

    def _comparison(
        self, one: ast.expr, other: ast.expr, sign: str, node: ast.stmt, names: Mapping[str, Any]
    ) -> None:
        left = self._call(one, names) is not None
        call, value = (one, other) if left else (other, one)
        self._wish(call, Compares(sign, _spelled(constant(value, names)), left), node, names)

    def _equality(self, one: ast.expr, other: ast.expr, node: ast.stmt, names: Mapping[str, Any]) -> None:
        if self._call(one, names) is None:
            one, other = other, one
        if self._call(one, names) is None:
            called = f"`{ast.unparse(other)} == {ast.unparse(one)}`"
            self._refuse(node, f"{called} calls no function that the test imports")
            return
        if isinstance(other, ast.Call) and _last(other.func) == "approx":
            value = constant(other.args[0], names) if other.args else None
            if not isinstance(value, int | float):
                self._refuse(node, "approx of something that is no number")
                return
            given = {word.arg: constant(word.value, names) for word in other.keywords}
            rel, low = given.get("rel"), given.get("abs")
            within = max((1e-6 if rel is None and low is None else rel or 0) * abs(value), low or 1e-12)
            self._near(one, value, within, node, names)
            return
        value = constant(other, names)
        if isinstance(value, Call):
            self._refuse(node, "it compares two calls")
            return
        self._wish(one, Equal(_spelled(value)), node, names)

    def _near(
        self, call: ast.expr, value: Any, within: float, node: ast.stmt, names: Mapping[str, Any]
    ) -> None:
        if isinstance(value, int | float) and math.isfinite(value):
            self._wish(call, Near(value, within), node, names)

    def _wish(self, value: ast.expr, wish: Wish, node: ast.stmt, names: Mapping[str, Any]) -> None:
        call = self._call(value, names)
        if call is None:
            self._refuse(node, f"`{ast.unparse(value)}` is no call of an imported function")
        else:
            self._found.append(Expectation(call, wish, node.lineno))

    # Calls

    def _call(self, value: ast.expr, names: Mapping[str, Any]) -> Call | None:
        """The call that an expression is, or that a name was given; None for anything else."""
        if isinstance(value, ast.Name) and isinstance(names.get(value.id), Call):
            found: Call = names[value.id]
            return found
        if isinstance(value, ast.Call) and ast.unparse(value.func) in ("list", "asyncio.run") and value.args:
            inner = self._call(value.args[0], names)
            if inner is not None:
                return inner  # iterators answer as lists, coroutines with their result
        target = self._target(value.func) if isinstance(value, ast.Call) else None
        if target is None or not isinstance(value, ast.Call):
            return self._on_object(value, names)
        words = [_spelled(constant(argument, names)) for argument in value.args]
        for keyword in value.keywords:
            if keyword.arg is None:
                raise NotConstant(ast.unparse(value))
            words.append(f"{keyword.arg}={_spelled(constant(keyword.value, names))}")
        return Call(*target, ", ".join(words))

    def _on_object(self, value: ast.expr, names: Mapping[str, Any]) -> Call | None:
        """A method or attribute of an object that the test has made."""
        if self._scenario is None or isinstance(value, ast.Constant):
            return None
        constants = {name: each for name, each in names.items() if not isinstance(each, Call)}
        found = self._scenarios.call(value, self._scenario, constants)
        return None if found is None else Call(_relative(found[0]), *found[1:])

    def _target(self, callee: ast.expr) -> tuple[Path, str] | None:
        """The file and the function that a callee means."""
        dotted = ast.unparse(callee)
        if not re.fullmatch(r"[A-Za-z_][\w.]*", dotted):
            return None
        first, *rest = dotted.split(".")
        start = self._imports.get(first)
        if start is None:
            if not rest and first in self._own and not first.startswith("test"):
                return self.path, first
            return None
        name = rest[-1] if rest else start.name
        if not name or start.module in ("pytest", "unittest"):
            return None
        if len(rest) > 1:
            start = Imported(".".join([start.module, *rest[:-1]]), "", start.level)
        elif rest and start.name:
            # `from package import shop` and then `shop.discount(…)`
            start = Imported(".".join(filter(None, [start.module, start.name])), "", start.level)
        found = find_function(self.path, start, name)
        return (_relative(found[0]), found[1]) if found is not None else None


def _relative(path: Path) -> Path:
    """As the user would write it."""
    shorter = os.path.relpath(path)
    return Path(shorter) if not shorter.startswith("..") else path.absolute()


def _is_unittest(node: ast.stmt) -> bool:
    """`self.assertEqual(…)` and the like."""
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr.startswith("assert")


def _last(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return None


def _bind(target: ast.expr, value: Any, names: dict[str, Any]) -> None:
    match target:
        case ast.Name(id=name):
            names[name] = value
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            if not isinstance(value, list | tuple) or len(value) != len(targets):
                raise NotConstant(ast.unparse(target))
            for each, part in zip(targets, value, strict=True):
                _bind(each, part, names)
        case _:
            raise NotConstant(ast.unparse(target))


def _spelled(value: Any) -> str:
    """A value as it stands between the parentheses of a call."""
    text = repr(value)
    if isinstance(value, Call) or literal_value(text) is NOTHING:
        raise NotConstant(text if not isinstance(value, Call) else "what a call returns")
    return text


# Rows


Row = tuple[str, dict[str, Any]]
"""The name of a row, as pytest shows it, and its values by name."""


def _rows(decorators: Sequence[ast.expr], names: Mapping[str, Any]) -> Iterator[Row]:
    tables = [_table(each, names) for each in decorators if isinstance(each, ast.Call)]
    # The decorator nearest to the function comes first in the name of a row.
    for parts in itertools.product(*reversed([table for table in tables if table is not None])):
        values: dict[str, Any] = {}
        for _, part in parts:
            values.update(part)
        yield "-".join(id for id, _ in parts), values


def _table(decorator: ast.Call, names: Mapping[str, Any]) -> list[Row] | None:
    if _last(decorator.func) != "parametrize" or len(decorator.args) < 2:
        return None
    listed, table = decorator.args[:2]
    named = constant(listed, names)
    columns = [name.strip() for name in (named.split(",") if isinstance(named, str) else named)]
    columns = [name for name in columns if name]
    ids = next((word.value for word in decorator.keywords if word.arg == "ids"), None)
    given = ids.elts if isinstance(ids, ast.List | ast.Tuple) else []
    rows = []
    elements = table.elts if isinstance(table, ast.List | ast.Tuple) else None
    if elements is None:
        elements = [ast.Constant(value) for value in constant(table, names)]
    for number, element in enumerate(elements):
        id = constant(given[number], names) if number < len(given) else None
        if isinstance(element, ast.Call) and _last(element.func) == "param":
            values = [constant(argument, names) for argument in element.args]
            for word in element.keywords:
                if word.arg == "id":
                    id = constant(word.value, names)
        else:
            whole: Any = element.value if isinstance(element, ast.Constant) else constant(element, names)
            values = [whole] if len(columns) == 1 else list(whole)
        if len(values) != len(columns):
            raise NotConstant(ast.unparse(element))
        shown = [_shown(value, name, number) for value, name in zip(values, columns, strict=True)]
        rows.append((str(id) if id is not None else "-".join(shown), dict(zip(columns, values, strict=True))))
    return rows


def _shown(value: Any, name: str, number: int) -> str:
    """What pytest calls a value in the name of a row."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float) or value is None:
        return str(value)
    return f"{name}{number}"

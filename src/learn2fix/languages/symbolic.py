"""Where do two versions of a program part? Solved for, as far as they are arithmetic over whole numbers.

Both are read as Python's syntax trees, whatever their language. They are walked side by side: what is the
same is executed on symbols, and where an expression differs z3 is asked for values that reach it and make it
differ. What is not arithmetic (a call, an item, what a loop leaves behind) is a symbol of its own, so
an answer is a proposal: only a run tells whether it holds.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

SIZES = (10, 100, 1_000, 10_000, 1_000_000, 1_000_000_000)
RANGES = (*((0, size) for size in SIZES), *((-size, size) for size in SIZES))
"""Ranges of values, small ones first and none below zero as long as there are others …"""
OF_A_RANGE, OF_A_PLACE = 3, 6
"""… and the number of solutions of one range, and of all, that are taken."""
STEPS = 200_000
"""z3's resource count for one check, a hundredth of a second or so."""
MOST_PLACES = 4
"""Number of places at which two versions are compared."""

Block = Sequence[ast.stmt]
Environment = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A program as statements of Python.

    `global` stands for what is read from outside, `del` for what is unknown from then on.
    """

    tree: ast.Module
    truncates: bool
    """Whether a quotient is cut towards zero, as in C, where conditions are numbers too."""


def parting(one: Meaning, two: Meaning, known: Collection[str]) -> Iterator[dict[str, int]]:
    """Values at which the two may part: by name, an item of a list as `name[index]`.

    `known`: names of what is given from outside; nothing is proposed for others.
    """
    walk = _Walk(one.truncates)
    places = walk.differences({}, [], one.tree.body, two.tree.body)
    for _, conditions in zip(range(MOST_PLACES), places, strict=False):
        yield from walk.solutions(conditions, known)


def value(text: ast.expr, values: Mapping[str, int], truncates: bool) -> int:
    """What an expression is for these values: the symbolic reading, evaluated."""
    walk = _Walk(truncates)
    read = walk.number(walk.read(text, {}))
    pairs = [(walk.z3.Int(name, walk.context), walk.z3.IntVal(n, walk.context)) for name, n in values.items()]
    return int(walk.z3.simplify(walk.z3.substitute(read, *pairs)).as_long())


class _Walk:
    def __init__(self, truncates: bool) -> None:
        import z3

        self.z3: Any = z3
        self.context = z3.Context()
        self._truncates = truncates
        self._fresh = 0

    # Side by side.

    def differences(self, env: Environment, path: list[Any], one: Block, two: Block) -> Iterator[list[Any]]:
        """For each place that differs, the conditions under which it is reached and differs."""
        shared = len(list(takewhile(lambda pair: _same(*pair), zip(one, two, strict=False))))
        for statement in one[:shared]:
            self.execute(env, path, statement)
        one, two = one[shared:], two[shared:]
        while one and two and _same(one[-1], two[-1]):
            one, two = one[:-1], two[:-1]
        if len(one) == len(two):
            for first, second in zip(one, two, strict=True):
                if type(first) is type(second) and not _same(first, second):
                    yield from self._differing(env, path, first, second)
                self.execute(env, path, first)
        elif not (one and two) and isinstance(lone := (one or two)[0], ast.If):
            yield [*path, self.truth(self.read(lone.test, env))]

    def _differing(
        self, env: Environment, path: list[Any], one: ast.stmt, two: ast.stmt
    ) -> Iterator[list[Any]]:
        match one, two:
            case ast.FunctionDef(), ast.FunctionDef():
                yield from self.differences({}, [], one.body, two.body)
            case ((ast.If() | ast.While()), (ast.If() | ast.While())):
                if isinstance(one, ast.While):
                    self._forget(env, one, two)
                before = self.truth(self.read(one.test, env))
                if not _same(one.test, two.test):
                    yield [*path, before != self.truth(self.read(two.test, env))]
                yield from self.differences(dict(env), [*path, before], one.body, two.body)
                after = [*path, self.z3.Not(before)]
                yield from self.differences(dict(env), after, one.orelse, two.orelse)
            case ast.For(), ast.For():
                self._forget(env, one, two)
                yield from self.differences(dict(env), list(path), one.body, two.body)
            case _:
                for first, second in zip(_values(one), _values(two), strict=False):
                    if not _same(first, second):
                        values = self.number(self.read(first, env)), self.number(self.read(second, env))
                        yield [*path, values[0] != values[1]]

    # Execution on symbols.

    def execute(self, env: Environment, path: list[Any], statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                env[name] = self.number(self.read(value, env))
            case ast.AugAssign(target=ast.Name(id=name)):
                env[name] = self.number(self.read(_values(statement)[0], env))
            case ast.Global(names=names):
                for name in names:
                    env.pop(name, None)
            case ast.If():
                self._branch(env, path, statement)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                path.append(self.z3.BoolVal(False, self.context))
            case ast.FunctionDef() | ast.ClassDef():
                pass
            case _:
                self._forget(env, statement)

    def _branch(self, env: Environment, path: list[Any], statement: ast.If) -> None:
        holds = self.truth(self.read(statement.test, env))
        ends = []
        for block, condition in ((statement.body, holds), (statement.orelse, self.z3.Not(holds))):
            after, conditions = dict(env), [condition]
            for each in block:
                self.execute(after, conditions, each)
            ends.append((after, self.z3.And(conditions)))
        (first, one), (second, two) = ends
        # What leads nowhere from here, because it returns, is ruled out by its own conditions.
        path.append(self.z3.Or(one, two))
        for name in sorted(first.keys() | second.keys()):
            values = [end.get(name, self._symbol(name)) for end in (first, second)]
            env[name] = values[0] if values[0] is values[1] else self.z3.If(one, *values)

    def _forget(self, env: Environment, *statements: ast.stmt) -> None:
        for statement in statements:
            for name in sorted(_assigned(statement)):
                self._fresh += 1
                env[name] = self._symbol(f"?{name}{self._fresh}")

    def _symbol(self, name: str) -> Any:
        return self.z3.Int(name, self.context)

    # Expressions.

    def read(self, node: ast.expr, env: Environment) -> Any:
        match node:
            case ast.Constant(value=bool() as number):
                return self.z3.BoolVal(number, self.context)
            case ast.Constant(value=int() as number):
                return self.z3.IntVal(number, self.context)
            case ast.Name(id=name):
                return env.get(name, self._symbol(name))
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name not in env:
                return self._symbol(f"{name}[{ast.unparse(index)}]")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.z3.Not(self.truth(self.read(operand, env)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.number(self.read(operand, env))
            case ast.BinOp(left=left, op=op, right=right):
                both = self.number(self.read(left, env)), self.number(self.read(right, env))
                found = self._arithmetic(op, *both)
                if found is not None:
                    return found
            case ast.Compare(left=left, ops=ops, comparators=others):
                values = [self.number(self.read(each, env)) for each in (left, *others)]
                holds = [self._compared(*each) for each in zip(ops, values, values[1:], strict=False)]
                if all(each is not None for each in holds):
                    return self.z3.And(holds)
            case ast.BoolOp(op=op, values=parts):
                return self._joined(isinstance(op, ast.And), [self.read(each, env) for each in parts])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                ways = self.number(self.read(body, env)), self.number(self.read(orelse, env))
                return self.z3.If(self.truth(self.read(test, env)), *ways)
        # The same text means the same as long as nothing that it reads has changed.
        read = sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & env.keys())
        return self._symbol(f"?{ast.unparse(node)}{[str(env[name]) for name in read]}")

    def _joined(self, every: bool, values: list[Any]) -> Any:
        if self._truncates or all(self.z3.is_bool(each) for each in values):
            truths = [self.truth(each) for each in values]
            return self.z3.And(truths) if every else self.z3.Or(truths)
        found = self.number(values[-1])
        for each in reversed(values[:-1]):
            ways = (found, self.number(each)) if every else (self.number(each), found)
            found = self.z3.If(self.truth(each), *ways)
        return found

    def _arithmetic(self, op: ast.operator, a: Any, b: Any) -> Any:
        """z3's remainder is never negative."""
        choose = self.z3.If
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv() if self._truncates:
                return choose(a >= 0, a / b, -(-a / b))
            case ast.Mod() if self._truncates:
                return choose(a >= 0, a % b, -(-a % b))
            case ast.FloorDiv():
                return choose(b > 0, a / b, -a / -b)
            case ast.Mod():
                return choose(b > 0, a % b, -(-a % -b))
        return None

    def _compared(self, op: ast.cmpop, a: Any, b: Any) -> Any:
        match op:
            case ast.Lt():
                return a < b
            case ast.LtE():
                return a <= b
            case ast.Gt():
                return a > b
            case ast.GtE():
                return a >= b
            case ast.Eq():
                return a == b
            case ast.NotEq():
                return a != b
        return None

    def truth(self, read: Any) -> Any:
        return read if self.z3.is_bool(read) else read != 0

    def number(self, read: Any) -> Any:
        one, zero = self.z3.IntVal(1, self.context), self.z3.IntVal(0, self.context)
        return self.z3.If(read, one, zero) if self.z3.is_bool(read) else read

    # Solutions.

    def solutions(self, conditions: Sequence[Any], known: Collection[str]) -> Iterator[dict[str, int]]:
        names = sorted(
            str(each) for each in _symbols(self.z3, conditions) if str(each).split("[")[0] in known
        )
        found: list[dict[str, int]] = []
        for low, high in RANGES if names else ():
            solver = self.z3.Solver(ctx=self.context)
            solver.set("rlimit", STEPS)
            solver.set("random_seed", 1)
            symbols = [self._symbol(name) for name in names]
            solver.add(*conditions, *(self.z3.And(each >= low, each <= high) for each in symbols))
            for model in found:
                solver.add(self.z3.Or([s != model[name] for s, name in zip(symbols, names, strict=True)]))
            for _ in range(min(OF_A_RANGE, OF_A_PLACE - len(found))):
                if solver.check() != self.z3.sat:
                    break
                model = solver.model()
                values = [model.eval(each, model_completion=True).as_long() for each in symbols]
                found.append(dict(zip(names, values, strict=True)))
                yield found[-1]
                solver.add(self.z3.Or([s != v for s, v in zip(symbols, values, strict=True)]))


def _symbols(z3: Any, conditions: Sequence[Any]) -> set[Any]:
    found, seen, stack = set(), set(), list(conditions)
    while stack:
        node = stack.pop()
        if node.get_id() not in seen:
            seen.add(node.get_id())
            stack += node.children()
            if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                found.add(node)
    return found


def _same(one: ast.AST, two: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(two)


def _values(statement: ast.stmt) -> list[ast.expr]:
    """The expressions of a simple statement whose values matter."""
    match statement:
        case ast.AugAssign(target=target, op=op, value=value):
            return [ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, op, value)]
        case ast.Expr(value=ast.Call(args=values)):
            return values
        case ast.Assign(value=value):
            return [value]
        case ast.Return(value=value) | ast.Expr(value=value) if value is not None:
            return [value]
    return []


def _assigned(statement: ast.stmt) -> set[str]:
    """Names that hold something else afterwards, an item of a list counted for the list."""
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            inner: ast.expr = node
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            if isinstance(inner, ast.Name):
                names.add(inner.id)
    return names

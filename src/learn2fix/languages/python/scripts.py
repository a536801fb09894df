"""Inputs that are Python code: objects among the arguments, or statements that end in the call.

    Account('Ann', 100), 30                                 arguments, the object first
    Account('Ann', 100).withdraw(30)                        the call itself
    a = Account('Ann', 100); a.deposit(5); a.withdraw(30)   what leads to it

What is written as a literal varies, all else stays as it is. One method called several times in a row is a
list of what it is called with, which may become longer or shorter.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from learn2fix.domain import Domain
from learn2fix.domain.inputs import literal, shorten, typed, value_kind
from learn2fix.domain.ranges import ANYTHING, Range
from learn2fix.domain.shapes import Form, Shape, both, seen
from learn2fix.errors import UsageError
from learn2fix.languages.python.signatures import Definitions, Parameter, Signature, Target
from learn2fix.languages.python.writers import (
    DATES,
    Arguments,
    DecimalNumber,
    Fixed,
    Literal,
    Member,
    Quotient,
    Steps,
    Writer,
    builds,
    read_value,
    same_form,
)
from learn2fix.model import Kind, Variable

KINDS = {Form.INT: Kind.INT, Form.FLOAT: Kind.REAL, Form.BOOL: Kind.BOOL, Form.TEXT: Kind.TEXT}
CALLED = "_("
"""What arguments alone are put into to be read."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A value in the text of an input."""

    start: int
    end: int
    name: str
    value: Any
    writer: Writer
    shape: Shape


class Code:
    """The text of one input, read."""

    def __init__(self, text: str, target: Target, known: Definitions) -> None:
        self.text, self._target, self._known = text, target, known
        self._shift = 0
        self._classes: dict[str, str] = {}
        """The class of each object that has a name."""
        statements = self._statements()
        for node in (inner for each in statements for inner in ast.walk(each)):
            refuse_impossible(node, known)
        self.holes: list[Hole] = []
        self._lines = [0]
        for line in self._read.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line.encode()))
        for hole in sorted(self._of_statements(statements), key=lambda hole: hole.start):
            if not isinstance(hole.writer, Fixed):
                self.holes.append(self._unique(hole))
        ends = [0, *(hole.end for hole in self.holes)]
        starts = [*(hole.start for hole in self.holes), len(text)]
        self.pieces = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))

    def _statements(self) -> list[ast.stmt]:
        name = self._target.name.rpartition(".")[2]
        wrapped = _parsed(CALLED + self.text + "\n)")
        if wrapped is not None and len(wrapped) == 1 and isinstance(wrapped[0], ast.Expr):
            call = wrapped[0].value
            if isinstance(call, ast.Call) and not (
                len(call.args) == 1 and not call.keywords and _called(call.args[0]) == name
            ):
                self._refuse_unknown(call)
                self._read, self._shift = CALLED + self.text + "\n)", len(CALLED)
                return wrapped
        self._read = self.text
        found = _parsed(self.text)
        if not found or not isinstance(found[-1], ast.Expr):
            raise UsageError(
                f"cannot read {shorten(self.text)!r} as a call of {self._target.name}",
                example(self._target, self._known),
            )
        for each in found:
            simple = isinstance(each, ast.Expr) or (
                isinstance(each, ast.Assign)
                and len(each.targets) == 1
                and isinstance(each.targets[0], ast.Name)
            )
            if not simple:
                raise UsageError(
                    f"{shorten(ast.unparse(each))!r} is neither a call nor the name of an object",
                    example(self._target, self._known),
                )
        return found

    def _refuse_unknown(self, call: ast.Call) -> None:
        signature = self._target.signature
        for word in call.keywords:
            if not signature.others and signature.find(word.arg) is None:
                raise UsageError(
                    f"{self._target.name} has no parameter {word.arg or '**'}",
                    example(self._target, self._known),
                )
        if any(isinstance(each, ast.Starred) for each in call.args):
            return
        given = len(call.args) - self._target.on_object
        named = {word.arg for word in call.keywords}
        missing = [
            e.name for e in signature.positional[max(0, given) :] if e.required and e.name not in named
        ]
        if missing and None not in named:
            raise UsageError(
                f"{shorten(self.text)!r} gives {self._target.name} no {missing[0]}",
                example(self._target, self._known),
            )

    def _of_statements(self, statements: Sequence[ast.stmt]) -> Iterator[Hole]:
        for call, group in groupby(statements, key=_step):
            several = list(group)
            steps = self._steps(call, several) if call and len(several) > 1 else None
            if steps is not None:
                yield steps
                continue
            for each in several:
                yield from self._of_expression(each.value)  # type: ignore[attr-defined]
                if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call):
                    self._classes[ast.unparse(each.targets[0])] = ast.unparse(each.value.func)

    def _steps(self, call: str, several: Sequence[ast.stmt]) -> Hole | None:
        """`s.push(1); s.push(2)`; None where the calls are not alike."""
        rows = []
        for each in several:
            inner = each.value  # type: ignore[attr-defined]
            if inner.keywords or not inner.args:
                return None
            rows.append([read_value(argument, self._known, self._segment) for argument in inner.args])
        writers = {tuple(writer for _, writer in row) for row in rows}
        if len(writers) != 1 or any(isinstance(writer, Fixed) for writer in next(iter(writers))):
            return None
        (inner_writers,) = writers
        values = [row[0][0] if len(row) == 1 else tuple(value for value, _ in row) for row in rows]
        name = call.rpartition(".")[2]
        start, end = self._offset(several[0]), self._end(several[-1])
        return Hole(start, end, name, values, Steps(call, inner_writers), seen([values]))

    def _of_expression(self, node: ast.expr) -> Iterator[Hole]:
        if isinstance(node, ast.Attribute):
            yield from self._of_expression(node.value)
        if not isinstance(node, ast.Call):
            return
        if isinstance(node.func, ast.Attribute):
            yield from self._of_expression(node.func.value)
        signature, positional = self._signature(node)
        for place, argument in enumerate(node.args):
            if place < len(positional):
                yield from self._of_argument(argument, positional[place])
            elif signature is not None and signature.rest is not None:
                yield self._rest(node.args[place:], signature.rest)
                break
            else:
                yield from self._of_argument(argument, Parameter(f"i{place + 1}"))
        for word in node.keywords:
            found = signature.find(word.arg) if signature is not None else None
            yield from self._of_argument(word.value, found or Parameter(word.arg or "options"))

    def _rest(self, arguments: Sequence[ast.expr], rest: Parameter) -> Hole:
        rows = [read_value(each, self._known, self._segment) for each in arguments]
        writers = list(dict.fromkeys(writer for _, writer in rows))
        start, end = self._offset(arguments[0]), self._end(arguments[-1])
        if len(writers) != 1 or isinstance(writers[0], Fixed):
            return Hole(start, end, rest.name, None, Fixed(self.text[start:end]), Shape())
        values = [value for value, _ in rows]
        shape = Shape(Form.LIST, (both(rest.shape, seen(values)),))
        return Hole(start, end, rest.name, values, Arguments(writers[0]), shape)

    def _signature(self, node: ast.Call) -> tuple[Signature | None, list[Parameter]]:
        target, known = self._target, self._known
        if isinstance(node.func, ast.Name) and node.func.id == "_" and self._shift:
            first = [Parameter("self")] if target.on_object else []
            return target.signature, [*first, *target.signature.positional]
        if isinstance(node.func, ast.Name):
            found = known.signature(node.func.id)
        elif isinstance(node.func, ast.Attribute):
            owner = node.func.value
            name = ast.unparse(owner.func if isinstance(owner, ast.Call) else owner)
            owner_class = self._classes.get(name, name)
            if known.signature(f"{owner_class}.{node.func.attr}") is None:
                owner_class = known.with_method(node.func.attr)
            found = known.signature(f"{owner_class}.{node.func.attr}")
        else:
            found = None
        return found, found.positional if found is not None else []

    def _of_argument(self, node: ast.expr, parameter: Parameter) -> Iterator[Hole]:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in self._known.classes:
            yield from self._of_expression(node)
            return
        value, writer = read_value(node, self._known, self._segment)
        if isinstance(writer, Fixed) and isinstance(node, ast.List | ast.Tuple):
            # Items of several kinds: each is varied by itself, and there are as many as before.
            for place, item in enumerate(node.elts, 1):
                yield from self._of_argument(item, Parameter(f"{parameter.name}{place}"))
            return
        if value == [] and (found := builds(parameter.note, self._known)) is not None:
            yield Hole(self._offset(node), self._end(node), parameter.name, [], *found)
            return
        shape = both(parameter.shape, seen([value])) if isinstance(writer, Literal) else seen([value])
        yield Hole(self._offset(node), self._end(node), parameter.name, value, writer, shape)

    # -- places in the text ---------------------------------------------------------------------------------

    def _offset(self, node: ast.stmt | ast.expr) -> int:
        return self._characters(node.lineno, node.col_offset)

    def _end(self, node: ast.stmt | ast.expr) -> int:
        return self._characters(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _characters(self, line: int, column: int) -> int:
        data = self._read.encode()[: self._lines[line - 1] + column]
        return len(data.decode()) - self._shift

    def _segment(self, node: ast.AST) -> str:
        return self.text[self._offset(node) : self._end(node)]  # type: ignore[arg-type]

    def _unique(self, hole: Hole) -> Hole:
        taken = {other.name for other in self.holes}
        name, number = hole.name, 2
        if keyword.iskeyword(name) or not name.isidentifier():
            name = "value"
        base = name
        while name in taken:
            name, number = f"{base}{number}", number + 1
        return Hole(hole.start, hole.end, name, hole.value, hole.writer, hole.shape)


def refuse_impossible(node: ast.AST, known: Definitions) -> None:
    """What can be seen not to exist: a day, a member of an enum, an object without what its class needs."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in DATES:
            numbers = [each.value for each in args if isinstance(each, ast.Constant)]
            whole = [number for number in numbers if isinstance(number, int)]
            if 3 <= len(whole) == len(args) < 8 and (wrong := not_a_day(whole)):
                raise UsageError(f"there is no {ast.unparse(node)}: {wrong}", "write one that exists")
        case ast.Attribute(value=ast.Name(id=name), attr=member) if members := known.members(name):
            if member not in members and known.signature(f"{name}.{member}") is None:
                raise UsageError(f"{name} has no member {member}", f"it has: {', '.join(members)}")
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if says_its_fields(name, known):
            signature, named = known.signature(name), {word.arg for word in keywords}
            if signature is None or None in named or any(isinstance(each, ast.Starred) for each in args):
                return
            for each in signature.positional[len(args) :]:
                if each.required and each.name not in named:
                    raise UsageError(f"{shorten(ast.unparse(node))!r} gives {name} no {each.name}", "add it")
        case _:
            pass


def not_a_day(numbers: Sequence[int]) -> str:
    """What is wrong with a date; empty for one that exists."""
    year, month, day, hour, minute, second, part = (*numbers, 0, 0, 0, 0)[:7]
    try:
        datetime(year, month, day, hour, minute, second, part)
    except (ValueError, OverflowError) as problem:
        return str(problem)
    return ""


def says_its_fields(name: str, known: Definitions) -> bool:
    """Whether the class itself says what its objects are made from."""
    node = known.classes.get(name)
    if node is None or known.members(name):
        return False
    makers = [ast.unparse(each) for each in (*node.decorator_list, *node.bases)]
    own = any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in node.body)
    return own or any("dataclass" in each or "NamedTuple" in each for each in makers)


def _parsed(text: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _step(node: ast.stmt) -> str:
    """`s.push` of the statement `s.push(1)`; empty for any other."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        func = node.value.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            return ast.unparse(func)
    return ""


@dataclass(frozen=True)
class Script:
    """The layout of inputs that are code: what stands between the values never changes."""

    pieces: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    writers: tuple[Writer, ...]
    target: Target
    known: Definitions

    def split(self, text: str) -> tuple[Any, ...]:
        code = Code(text, self.target, self.known)
        alike = len(code.holes) == len(self.names) and all(
            same_form(one, hole.writer) for one, hole in zip(self.writers, code.holes, strict=True)
        )
        if not alike or [_bare(piece) for piece in code.pieces] != [_bare(piece) for piece in self.pieces]:
            form = "".join(
                f"{piece}{name}" for piece, name in zip(self.pieces, [*self.names, ""], strict=True)
            )
            raise UsageError(f"{shorten(text)!r} is not written like the failing call", f"write {form}")
        return tuple(
            _typed(hole, kind, name)
            for hole, kind, name in zip(code.holes, self.kinds, self.names, strict=True)
        )

    def join(self, values: Sequence[Any]) -> str:
        parts = (
            literal(value, kind) if isinstance(writer, Literal) else writer.write(value)
            for value, kind, writer in zip(values, self.kinds, self.writers, strict=True)
        )
        return "".join(piece + part for piece, part in zip(self.pieces, [*parts, ""], strict=True))


def _bare(piece: str) -> str:
    return "".join(piece.split())


def _typed(hole: Hole, kind: Kind, name: str) -> Any:
    return typed(hole.value, kind, name) if isinstance(hole.writer, Literal) else hole.value


def script_domain(examples: Sequence[str], target: Target, known: Definitions) -> Domain:
    """The first example says what stands where, all say the types."""
    first, *others = (Code(text, target, known) for text in examples)
    if not first.holes:
        raise UsageError(
            f"nothing in {shorten(examples[0])!r} can be varied: it has no literal", example(target, known)
        )
    alike = [first, *(code for code in others if len(code.holes) == len(first.holes))]
    kinds, shapes, ranges, lengths = [], [], [], []
    for column in zip(*(code.holes for code in alike), strict=True):
        hole = column[0]
        shape = hole.shape
        for other in column[1:]:
            shape = both(shape, other.shape)
        kind = _kind([each.value for each in column], hole.writer, shape)
        kinds.append(Kind.ANY if shape.optional else kind)
        shapes.append(shape)
        many = isinstance(hole.writer, Member)
        ranges.append(
            Range(0, len(hole.writer.names) - 1) if isinstance(hole.writer, Member) and many else ANYTHING
        )
        lengths.append(Range(1) if isinstance(hole.writer, Steps | Arguments) else ANYTHING)
    names = tuple(hole.name for hole in first.holes)
    layout = Script(
        first.pieces, names, tuple(kinds), tuple(hole.writer for hole in first.holes), target, known
    )
    domain = Domain(
        tuple(Variable(name, kind) for name, kind in zip(names, kinds, strict=True)),
        layout,
        tuple(ranges),
        shapes=tuple(shapes),
        lengths=tuple(lengths) if any(each != ANYTHING for each in lengths) else (),
    )
    for text in examples:
        domain.parse(text)
    return domain


def _kind(values: Sequence[Any], writer: Writer, shape: Shape) -> Kind:
    if isinstance(writer, DecimalNumber | Quotient):
        return Kind.REAL
    if isinstance(writer, Member):
        return Kind.INT
    if not isinstance(writer, Literal):
        return Kind.ANY
    kind = value_kind(values)
    noted = KINDS.get(shape.form)
    return Kind.REAL if (kind, noted) == (Kind.INT, Kind.REAL) else kind


def example(target: Target, known: Definitions) -> str:
    """What to type, in the user's own names."""
    given = ", ".join("…" for _ in target.signature.positional) or ("…" if target.signature.rest else "")
    if target.owner is None:
        return f'write what stands between the parentheses: --failing "{given}"'
    made = known.signature(target.owner.name)
    fields = ", ".join("…" for each in made.positional if each.required) if made is not None else ""
    head = f"{target.owner.name}({fields})" if target.on_object else target.owner.name
    call = f".{target.name.rpartition('.')[2]}" + ("" if target.is_property else f"({given})")
    return f'write the call: --failing "{head}{call}"'

"""Values that are written as Python code: each writer says how plain values stand for objects.

Fuzzing and learning know numbers, texts, lists, tuples and dicts. A date is to them a tuple of three numbers,
an object the tuple of what its constructor is given, a member of an enum its place among the others.
"""

from __future__ import annotations

import ast
import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Protocol

from learn2fix.domain.shapes import COLLECTIONS, Form, Shape, annotated
from learn2fix.languages.python.signatures import Definitions

DATES = frozenset({"date", "datetime"})
LIMITS = ((1, 9999), (1, 12), (1, 31), (0, 23), (0, 59), (0, 59), (0, 999999))
"""Of the year, the month and so on."""


class Writer(Protocol):
    def write(self, value: Any) -> str:
        """Python code of the value."""


@dataclass(frozen=True, slots=True)
class Literal:
    def write(self, value: Any) -> str:
        return repr(value)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Code that always stays as it is."""

    text: str

    def write(self, value: Any) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class DecimalNumber:
    places: int
    name: str = "Decimal"

    def write(self, value: Any) -> str:
        number = Fraction(value)
        places = self.places
        while places < 12 and (number * 10**places).denominator != 1:
            places += 1
        scaled = round(number * 10**places)
        return f"{self.name}('{Decimal(scaled).scaleb(-places):f}')"


@dataclass(frozen=True, slots=True)
class Quotient:
    name: str = "Fraction"

    def write(self, value: Any) -> str:
        number = Fraction(value)
        return f"{self.name}({number.numerator}, {number.denominator})"


@dataclass(frozen=True, slots=True)
class Member:
    enum: str
    names: tuple[str, ...]

    def write(self, value: Any) -> str:
        return f"{self.enum}.{self.names[int(value) % len(self.names)]}"


@dataclass(frozen=True, slots=True)
class Made:
    """An object: the tuple of what its constructor is given."""

    name: str
    keywords: tuple[str | None, ...]
    inner: tuple[Writer, ...]

    def write(self, value: Any) -> str:
        if self.name.rpartition(".")[2] in DATES:
            value = on_calendar(value)
        parts = (
            (f"{word}=" if word else "") + writer.write(each)
            for word, writer, each in zip(self.keywords, self.inner, value, strict=True)
        )
        return f"{self.name}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Many:
    """A list, set or the like of objects of one kind."""

    opening: str
    closing: str
    inner: Writer

    def write(self, value: Any) -> str:
        items = ", ".join(map(self.inner.write, value))
        if self.opening == "{" and not items:
            return "set()"
        return self.opening + items + ("," if self.opening == "(" and len(value) == 1 else "") + self.closing


@dataclass(frozen=True, slots=True)
class Places:
    """A tuple whose places differ."""

    inner: tuple[Writer, ...]

    def write(self, value: Any) -> str:
        items = [writer.write(each) for writer, each in zip(self.inner, value, strict=True)]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


@dataclass(frozen=True, slots=True)
class Mapping:
    inner: Writer

    def write(self, value: Any) -> str:
        return "{" + ", ".join(f"{key!r}: {self.inner.write(each)}" for key, each in value.items()) + "}"


@dataclass(frozen=True, slots=True)
class Arguments:
    """What `*args` takes, without brackets."""

    inner: Writer

    def write(self, value: Any) -> str:
        return ", ".join(map(self.inner.write, value))


@dataclass(frozen=True, slots=True)
class Steps:
    """One method called several times in a row, as a list of what it is given."""

    call: str
    inner: tuple[Writer, ...]

    def write(self, value: Any) -> str:
        single = len(self.inner) == 1
        rows = ((each,) if single else each for each in value)
        shown = (", ".join(w.write(v) for w, v in zip(self.inner, row, strict=True)) for row in rows)
        return "; ".join(f"{self.call}({arguments})" for arguments in shown)


def on_calendar(value: Sequence[Any]) -> tuple[Any, ...]:
    """The nearest date that exists."""
    parts = [min(max(int(part), low), high) for part, (low, high) in zip(value, LIMITS, strict=False)]
    if len(parts) >= 3:
        parts[2] = min(parts[2], calendar.monthrange(parts[0], parts[1])[1])
    return tuple(parts)


# From code.

Read = tuple[Any, Writer]


def read_value(node: ast.expr, known: Definitions, source: Callable[[ast.AST], str]) -> Read:
    """The plain value that stands for an expression, and how it is written; Fixed for what stays as it is."""
    try:
        return ast.literal_eval(node), Literal()
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        pass
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=member) if member in known.members(name):
            members = known.members(name)
            return members.index(member), Member(name, members)
        case ast.Call(func=func, args=args, keywords=keywords) if isinstance(func, ast.Name | ast.Attribute):
            return _made(ast.unparse(func), args, keywords, known, source) or (None, Fixed(source(node)))
        case ast.List(elts=items) | ast.Set(elts=items):
            ends = "[]" if isinstance(node, ast.List) else "{}"
            found = _alike(items, known, source)
            if found is not None and (isinstance(node, ast.List) or _hashable(found[0])):
                values = found[0] if isinstance(node, ast.List) else list(found[0])
                return values, Many(ends[0], ends[1], found[1])
        case ast.Tuple(elts=items):
            rows = [read_value(item, known, source) for item in items]
            if not any(isinstance(writer, Fixed) for _, writer in rows):
                return tuple(value for value, _ in rows), Places(tuple(writer for _, writer in rows))
        case ast.Dict(keys=keys, values=items) if None not in keys:
            found = _alike(items, known, source)
            try:
                names = [ast.literal_eval(key) for key in keys if key is not None]
            except (ValueError, TypeError, SyntaxError):
                found = None
            if found is not None:
                return dict(zip(names, found[0], strict=True)), Mapping(found[1])
        case _:
            pass
    return None, Fixed(source(node))


def builds(note: ast.expr | None, known: Definitions) -> tuple[Writer, Shape] | None:
    """For an annotation such as `list[Item]`, with a class or enum of the program: how its values are made
    where a call shows none, and of what; None for any other annotation."""
    match note:
        case ast.Constant(value=str(text)):
            try:
                return builds(ast.parse(text, mode="eval").body, known)
            except (SyntaxError, ValueError):
                return None
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            found = _builds_one(inner, known) if COLLECTIONS.get(name) is Form.LIST else None
            if found is None or isinstance(found[0], Literal):
                return None
            return Many("[", "]", found[0]), Shape(Form.LIST, (found[1],))
        case _:
            return None


def _builds_one(note: ast.expr | None, known: Definitions, deep: int = 3) -> tuple[Writer, Shape] | None:
    """An object from its constructor, a member of an enum, or what is written as a literal."""
    name = note.id if isinstance(note, ast.Name) else ""
    if members := known.members(name):
        return Member(name, members), Shape(Form.INT)
    if name not in known.classes:
        shape = annotated(note)
        return None if shape.form is Form.ANY else (Literal(), shape)
    signature = known.signature(name)
    if not deep or signature is None or signature.rest is not None:
        return None
    needed = [each for each in signature.parameters if each.required]
    found = [_builds_one(each.note, known, deep - 1) for each in needed]
    inner = [each for each in found if each is not None]
    if not inner or len(inner) < len(needed):
        return None
    words = tuple(each.name if each.keyword else None for each in needed)
    writers, shapes = zip(*inner, strict=True)
    return Made(name, words, writers), Shape(Form.TUPLE, shapes)


def _made(
    name: str,
    args: Sequence[ast.expr],
    keywords: Sequence[ast.keyword],
    known: Definitions,
    source: Callable[[ast.AST], str],
) -> Read | None:
    short = name.rpartition(".")[2]
    own = name in known.classes
    rows = [read_value(each, known, source) for each in (*args, *(word.value for word in keywords))]
    values, writers = [value for value, _ in rows], tuple(writer for _, writer in rows)
    if any(word.arg is None for word in keywords):
        return None
    if not own and short == "Decimal" and len(values) == 1:
        try:
            number = Decimal(values[0])
            return Fraction(number), DecimalNumber(max(0, -int(number.as_tuple().exponent)), name)
        except (InvalidOperation, ValueError, OverflowError, TypeError):
            return None
    if not own and short == "Fraction" and values and all(isinstance(each, int | str) for each in values):
        try:
            return Fraction(*values), Quotient(name)
        except (ValueError, ZeroDivisionError, TypeError):
            return None
    if not own and short in ("set", "frozenset", "deque", "Counter") and len(values) == 1:
        return values[0], Made1(name, writers[0])
    if any(isinstance(writer, Fixed) for writer in writers) or not values:
        return None
    words = [*(None for _ in args), *(word.arg for word in keywords)]
    signature = known.signature(name)
    if signature is not None and words[len(args) :] == signature.names[len(args) : len(words)]:
        words = [None] * len(words)  # `Item('a', price=2)` is `Item('a', 2)`
    return tuple(values), Made(name, tuple(words), writers)


@dataclass(frozen=True, slots=True)
class Made1:
    """A collection made from one value: `deque([1, 2])`."""

    name: str
    inner: Writer

    def write(self, value: Any) -> str:
        return f"{self.name}({self.inner.write(value)})"


def _alike(
    items: Sequence[ast.expr], known: Definitions, source: Callable[[ast.AST], str]
) -> tuple[list[Any], Writer] | None:
    """Values that are all written the same way."""
    rows = [read_value(item, known, source) for item in items]
    writers = list(dict.fromkeys(writer for _, writer in rows))
    if len(writers) > 1 and all(isinstance(writer, DecimalNumber) for writer in writers):
        writers = [max(writers, key=lambda writer: getattr(writer, "places", 0))]
    if len(writers) != 1 or isinstance(writers[0], Fixed):
        return None
    return [value for value, _ in rows], writers[0]


def _hashable(values: Sequence[Any]) -> bool:
    try:
        return len(set(values)) >= 0
    except TypeError:
        return False


def same_form(one: Writer, other: Writer) -> bool:
    """Whether both write the same kind of object; how many decimals a number has is its own business."""
    if isinstance(one, DecimalNumber) and isinstance(other, DecimalNumber):
        return True
    return one == other or (type(one) is type(other) and isinstance(one, Many | Mapping | Arguments | Steps))

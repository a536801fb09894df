"""The form of an input: fields and groups that repeat, in a notation that people can write.

    n, a[n], s                  a count, that many numbers, a word
    n, m, g[n][m]               a table
    n, (x, y:real)[n]           pairs, a line each
    t, (n, a[n])[t]             several lists, each with its length
    n, s:word{n}                a count, and a word of that length
    a[until 0], b[...]          numbers up to a 0, then all that follow

A type follows a colon: `int`, `real`, `word`, `char` or `line`. A count is a constant or made of numbers read
before it with + - * /, as in `a[n - 1]`, `a[n * m]` or `a[n * (n - 1) / 2]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from learn2fix.errors import UsageError


class Atom(StrEnum):
    """What one field holds."""

    INT = "int"
    REAL = "real"
    WORD = "word"
    CHAR = "char"
    LINE = "line"

    @property
    def number(self) -> bool:
        return self in (Atom.INT, Atom.REAL)


@dataclass(frozen=True, slots=True)
class Count:
    """A polynomial in numbers read before: a coefficient for each product of names."""

    terms: tuple[tuple[Fraction, tuple[str, ...]], ...]

    @classmethod
    def of(cls, terms: Mapping[tuple[str, ...], Fraction | int]) -> Count:
        kept = {tuple(sorted(names)): Fraction(factor) for names, factor in terms.items() if factor}
        ordered = sorted(kept.items(), key=lambda item: (-len(item[0]), item[0]))
        return cls(tuple((factor, names) for names, factor in ordered))

    @classmethod
    def read(cls, text: str) -> Count:
        try:
            return cls.of(_polynomial(ast.parse(text.strip(), mode="eval").body))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise UsageError(f"cannot read the count {text!r}", "as in a[n], a[n - 1] or a[2 * n]") from None

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for _, names in self.terms for name in names)

    def value(self, known: Mapping[str, int]) -> int:
        """Never below 0; KeyError when a name is not known."""
        total = Fraction(0)
        for factor, names in self.terms:
            product = factor
            for name in names:
                product *= known[name]
            total += product
        return max(0, int(total))

    def solved(self, count: int) -> tuple[str, int] | None:
        """The name and its value at this count, where there is but one name, and not squared."""
        if len(self.names) != 1 or any(len(names) > 1 for _, names in self.terms):
            return None
        factor = next(factor for factor, names in self.terms if names)
        rest = sum((factor for factor, names in self.terms if not names), Fraction(0))
        # A length in between is cut down to one that the count can have.
        return next(iter(self.names)), int((count - rest) // factor) if factor > 0 else 0

    @property
    def solvable(self) -> str | None:
        """The one name that the count determines."""
        found = self.solved(0)
        positive = all(factor > 0 for factor, names in self.terms if names)
        return found[0] if found is not None and positive else None

    def __str__(self) -> str:
        if self.names and self == triangle(name := next(iter(self.names))):
            return f"{name} * ({name} - 1) / 2"
        parts: list[str] = []
        for factor, names in self.terms:
            size = abs(factor)
            word = " * ".join([str(size.numerator)] * (size.numerator != 1 or not names) + list(names))
            if size.denominator != 1:
                word += f" / {size.denominator}"
            sign = "-" if factor < 0 else "+"
            parts.append(f" {sign} {word}" if parts else (f"-{word}" if factor < 0 else word))
        return "".join(parts) or "0"


def triangle(name: str) -> Count:
    """Number of pairs among `name` things."""
    return Count.of({(name, name): Fraction(1, 2), (name,): Fraction(-1, 2)})


def _polynomial(node: ast.expr) -> dict[tuple[str, ...], Fraction]:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return {(): Fraction(number)}
        case ast.Name(id=name):
            return {(name,): Fraction(1)}
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
            return {(f"len({name})",): Fraction(1)}
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return {names: -factor for names, factor in _polynomial(inner).items()}
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            sign = 1 if isinstance(operator, ast.Add) else -1
            total = dict(_polynomial(left))
            for names, factor in _polynomial(right).items():
                total[names] = total.get(names, Fraction(0)) + sign * factor
            return total
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            product: dict[tuple[str, ...], Fraction] = {}
            for one, first in _polynomial(left).items():
                for other, second in _polynomial(right).items():
                    names = tuple(sorted((*one, *other)))
                    product[names] = product.get(names, Fraction(0)) + first * second
            return product
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv(), right=ast.Constant(value=int(number))) if (
            number
        ):
            return {names: factor / number for names, factor in _polynomial(left).items()}
    raise ValueError("no count")


@dataclass(frozen=True, slots=True)
class UntilEnd:
    """Repeats as long as there is more."""

    def __str__(self) -> str:
        return "..."


@dataclass(frozen=True, slots=True)
class UntilLineEnd:
    """Repeats to the end of the line."""

    def __str__(self) -> str:
        return "line"


@dataclass(frozen=True, slots=True)
class UntilMark:
    """Repeats until this stands where the next turn would begin; it is read too."""

    mark: str

    def __str__(self) -> str:
        return f"until {self.mark}"


Repetition = Count | UntilEnd | UntilLineEnd | UntilMark


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    atom: Atom = Atom.INT
    before: str = " "
    """What stands between it and what precedes it: white space, and literal text that the program expects."""
    digits: int | None = None
    """Minimum number of characters, filled up with leading zeros."""
    length: Count | None = None
    """Of a word or line: its number of characters."""
    example: str = "1"

    def __str__(self) -> str:
        atom = "" if self.atom is Atom.INT else f":{self.atom}"
        return f"{self.name}{atom}{'' if self.length is None else '{' + str(self.length) + '}'}"


@dataclass(frozen=True, slots=True)
class Group:
    """Items that repeat together."""

    items: tuple[Item, ...]
    times: Repetition
    before: str = "\n"
    """What stands before the first turn; between turns it is what stands before the first item."""

    @property
    def name(self) -> str:
        """One name for all of it."""
        return "_".join(each.name for each in self.items)

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.items))
        if len(self.items) == 1 and (isinstance(self.items[0], Field) or "(" not in inner[:1]):
            return _indexed(inner, str(self.times))
        return f"({inner})[{self.times}]"


Item = Field | Group


def _indexed(inner: str, times: str) -> str:
    """`g[m]` repeated n times is written `g[n][m]`; a type stays behind the name."""
    head = re.match(r"[^\[{:]*(?::\w+)?", inner)
    cut = head.end() if head else 0
    return f"{inner[:cut]}[{times}]{inner[cut:]}"


@dataclass(frozen=True, slots=True)
class Form:
    items: tuple[Item, ...]
    after: str = "\n"
    """What stands behind the last item."""

    def __str__(self) -> str:
        return ", ".join(map(str, self.items))

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(fields_of(self.items))

    def with_atom(self, name: str, atom: Atom) -> Form:
        """The same form, one of its fields of another type."""
        return replace(self, items=_with_atom(self.items, name, atom))

    @property
    def constant(self) -> int | None:
        """The number of fields in every input, None where it varies."""
        return _constant(self.items)


def fields_of(items: tuple[Item, ...]) -> Iterator[Field]:
    for item in items:
        if isinstance(item, Field):
            yield item
        else:
            yield from fields_of(item.items)


def _with_atom(items: tuple[Item, ...], name: str, atom: Atom) -> tuple[Item, ...]:
    changed: list[Item] = []
    for item in items:
        if isinstance(item, Group):
            changed.append(replace(item, items=_with_atom(item.items, name, atom)))
        elif item.name == name:
            changed.append(replace(item, atom=atom, example="1" if atom.number else "a"))
        else:
            changed.append(item)
    return tuple(changed)


def _constant(items: tuple[Item, ...]) -> int | None:
    total = 0
    for item in items:
        if isinstance(item, Field):
            total += 1
            continue
        inner = _constant(item.items)
        if inner is None or not isinstance(item.times, Count) or item.times.names:
            return None
        total += inner * item.times.value({})
    return total


@dataclass(frozen=True, slots=True)
class Span:
    """Where a field stands in a text."""

    field: Field
    start: int
    end: int


# Reading the notation.

TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)(?:\s*:\s*(?P<atom>\w+))?|(?P<sign>[(),]))")


def read_form(text: str) -> Form:
    """The form that a person wrote; fields without a type are whole numbers."""
    reader = _Notation(text)
    items = reader.items()
    if reader.rest:
        raise reader.error()
    if not items:
        raise UsageError("the form is empty", 'as in --form "n, a[n], s:word"')
    names = [field.name for field in fields_of(items)]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the form {text!r} has two fields named {name}")
    _check_names(items, frozenset())
    return Form((replace(items[0], before=""), *items[1:]))


def _check_names(items: tuple[Item, ...], known: frozenset[str]) -> None:
    for item in items:
        counts = [item.length] if isinstance(item, Field) else [item.times]
        for count in counts:
            unknown = sorted(count.names - known) if isinstance(count, Count) else []
            if unknown:
                raise UsageError(f"{unknown[0]} is used as a count before it is read", "as in n, a[n]")
        if isinstance(item, Group):
            _check_names(item.items, known)
        elif item.atom is Atom.INT:
            known |= {item.name}
        else:
            known |= {f"len({item.name})"}


class _Notation:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    @property
    def rest(self) -> str:
        return self.text[self.at :].strip()

    def error(self) -> UsageError:
        return UsageError(f"cannot read the form at {self.rest[:20]!r}", "as in n, a[n], (x, y)[n], s:word")

    def items(self) -> tuple[Item, ...]:
        found = [self.item()]
        while self.rest.startswith(","):
            self.skip(",")
            found.append(self.item())
        return tuple(found)

    def skip(self, sign: str) -> None:
        if not self.rest.startswith(sign):
            raise self.error()
        self.at = self.text.index(sign, self.at) + len(sign)

    def item(self) -> Item:
        inner: tuple[Item, ...]
        if self.rest.startswith("("):
            self.skip("(")
            inner = self.items()
            self.skip(")")
        else:
            match = TOKEN.match(self.text, self.at)
            if match is None or match["name"] is None:
                raise self.error()
            self.at = match.end()
            try:
                atom = Atom(match["atom"] or "int")
            except ValueError:
                raise UsageError(
                    f"no type {match['atom']!r} in a form", f"the types are {', '.join(Atom)}"
                ) from None
            inner = (Field(match["name"], atom, example="1" if atom.number else "a"),)
        repetitions: list[Repetition] = []
        while self.rest.startswith("["):
            repetitions.append(self.repetition(self.enclosed("[", "]")))
        if self.rest.startswith("{") and isinstance(inner[0], Field) and len(inner) == 1:
            field = inner[0]
            if field.atom not in (Atom.WORD, Atom.LINE):
                raise UsageError(f"{field.name} has no length", "only a word or a line has: s:word{n}")
            length = Count.read(self.enclosed("{", "}"))
            inner = (Field(field.name, field.atom, length=length, example="a"),)
        if not repetitions:
            if len(inner) != 1:
                raise UsageError("a group in (…) needs to say how often it repeats", "as in (x, y)[n]")
            return _spaced(inner[0])
        for times in reversed(repetitions):
            inner = (Group(inner, times),)
        return _spaced(inner[0])

    def enclosed(self, opening: str, closing: str) -> str:
        self.skip(opening)
        end = self.text.find(closing, self.at)
        if end < 0:
            raise self.error()
        inside = self.text[self.at : end]
        self.at = end + 1
        return inside

    def repetition(self, text: str) -> Repetition:
        text = text.strip()
        if text in ("...", "…"):
            return UntilEnd()
        if text == "line":
            return UntilLineEnd()
        if text.startswith("until ") and text.removeprefix("until ").strip():
            return UntilMark(text.removeprefix("until ").strip())
        return Count.read(text)


def _spaced(item: Item) -> Item:
    """Usual white space: rows, texts and records stand on lines of their own."""
    if isinstance(item, Field):
        return replace(item, before="\n") if item.atom is Atom.LINE else item
    inner = tuple(_spaced(each) for each in item.items)
    own_line = len(inner) > 1 or isinstance(inner[0], Group) or inner[0].atom in (Atom.WORD, Atom.LINE)
    first = replace(inner[0], before="\n" if own_line else " ")
    return replace(item, items=(first, *inner[1:]), before="\n")

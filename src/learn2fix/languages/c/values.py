"""C functions that take more than numbers: their values as Python literals, and as words on stdin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from learn2fix.domain import Domain
from learn2fix.domain.inputs import Call, call_domain, literal, read_call, shorten
from learn2fix.domain.ranges import ANYTHING, Range
from learn2fix.domain.shapes import ANYTHING as ANY_SHAPE
from learn2fix.domain.shapes import Form, Shape
from learn2fix.errors import UsageError
from learn2fix.languages.c.harness import QUALIFIERS, kind_of, range_of
from learn2fix.languages.c.layout import parts
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import parse_number
from learn2fix.languages.names import missing_arguments
from learn2fix.model import Kind
from learn2fix.wording import plural

MOST = 30_000
"""Characters of a text: its word on stdin has twice as many."""
WORKS = "numbers, enums, bool, char *, arrays and pointers of these, and structs of these can be given"
FORMS = {Kind.INT: Form.INT, Kind.REAL: Form.FLOAT, Kind.BOOL: Form.BOOL}
SIZES = frozenset(("n", "len", "length", "size", "count", "num", "cnt"))
"""Names of parameters that say how long an array is."""


@dataclass(frozen=True, slots=True)
class Number:
    written: str
    kind: Kind
    range: Range = ANYTHING
    """What the type can hold."""
    named: frozenset[int] = frozenset()
    """The values of an enum; empty for other types."""


@dataclass(frozen=True, slots=True)
class Text:
    """Characters up to a 0."""

    room: int = 0
    """Of an array; 0 for a pointer."""


@dataclass(frozen=True, slots=True)
class Record:
    written: str
    members: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A pointer or an array: to one, which is written as such, or to several, which are a list."""

    of: Number | Record
    size: int = 0
    """Of an array; 0 for a pointer."""


Value = Number | Text | Record | Items


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Value
    const: bool
    """What it points to is not written to."""

    @property
    def kind(self) -> Kind:
        if isinstance(self.type, Number):
            return self.type.kind
        return Kind.ANY

    @property
    def range(self) -> Range:
        if not isinstance(self.type, Number):
            return ANYTHING
        named = self.type.named
        return Range(min(named), max(named)) if named else self.type.range

    @property
    def answers(self) -> bool:
        """What it points to is part of the answer."""
        return isinstance(self.type, Text | Items) and not self.const


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    parameters: tuple[Parameter, ...]
    result: Value | None
    """None for void."""

    def encode(self, call: str) -> bytes:
        """What the harness reads for a call."""
        values = read_call(call, [parameter.name for parameter in self.parameters])
        words = [word for p in self.parameters for word in _words(values.get(p.name), p.type)]
        return (" ".join(words) + "\n").encode()

    def check(self, values: Mapping[str, Any]) -> None:
        """Raises UsageError where a value cannot be given to its parameter."""
        for parameter in self.parameters:
            _check(values[parameter.name], parameter.type, parameter.name)

    def sizes(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Parameters that say how long another one is → that other one, as the calls show it."""
        found: dict[str, str] = {}
        listed = list(self.parameters)
        for before, after in [*pairwise(listed), *pairwise(listed[::-1])]:
            if not isinstance(before.type, Items | Text) or not isinstance(after.type, Number):
                continue
            lengths = [(call[after.name], _length(call[before.name])) for call in calls]
            if after.type.kind is not Kind.INT or after.name in found or before.name in found.values():
                continue
            if all(size == length for size, length in lengths):
                found[after.name] = before.name
            elif after.name in SIZES:
                size, length = next(pair for pair in lengths if pair[0] != pair[1])
                raise UsageError(
                    f"{before.name} has {plural(length, 'item')} and {after.name} is {size}",
                    "give as many as it says",
                )
        return found

    def domain(self, examples: Sequence[str]) -> Domain:
        """The calls, where what says how long another argument is follows from that."""
        names = [parameter.name for parameter in self.parameters]
        kinds = {parameter.name: parameter.kind for parameter in self.parameters}
        calls = []
        for text in examples:
            given = read_call(text, names)
            if missing := [name for name in names if name not in given]:
                raise missing_arguments(self.name, missing, names, text)
            self.check(given)
            calls.append(given)
        sizes = self.sizes(calls)
        kept = [name for name in names if name not in sizes]
        shown = [", ".join(f"{name}={call[name]!r}" for name in kept) for call in calls]
        types = [parameter for parameter in self.parameters if parameter.name in kept]
        shapes = {parameter.name: _shape(parameter.type) for parameter in types}
        domain = call_domain(shown, kept, kinds, shapes=shapes)
        declared = Declared(tuple(parameter.type for parameter in types))
        # Who calls it with what no enum names wants others of that kind, too.
        if all(declared.hold([call[name] for name in kept]) for call in calls):
            domain = replace(domain, types=declared, ranges=tuple(parameter.range for parameter in types))
        layout = SizedCall(
            tuple(kept),
            tuple(kinds[name] for name in kept),
            len(kept),
            parameters=tuple(kept),
            sizes=tuple(sizes.items()),
            every=tuple(kinds.items()),
        )
        return replace(domain, layout=layout)


@dataclass(frozen=True, slots=True)
class Declared:
    """The types of the arguments that a call gives."""

    types: tuple[Value, ...]

    def hold(self, values: Sequence[Any]) -> bool:
        return all(map(_holds, self.types, values))


def _holds(type: Value, value: Any) -> bool:
    match type:
        case Number():
            return type.range.covers(value) and (not type.named or value in type.named)
        case Record():
            known = dict(type.members)
            return (
                isinstance(value, dict)
                and value.keys() == known.keys()
                and all(_holds(known[name], each) for name, each in value.items())
            )
        case Items():
            several = isinstance(value, list | tuple)
            return value is None or all(_holds(type.of, each) for each in (value if several else [value]))
        case Text():
            return value is None or isinstance(value, str)


def _shape(type: Value) -> Shape:
    """What is known of its values beyond what calls show."""
    match type:
        case Record():
            return Shape(Form.DICT, fields=tuple((name, _shape(member)) for name, member in type.members))
        case Number() if type.kind in FORMS:
            return Shape(FORMS[type.kind])
        case Text(room=room) if room:
            return Shape(Form.TEXT)
        case _:
            return ANY_SHAPE


@dataclass(frozen=True, slots=True)
class SizedCall(Call):
    """The arguments of a call, where some say how long another one is: these follow from it."""

    sizes: tuple[tuple[str, str], ...] = ()
    every: tuple[tuple[str, Kind], ...] = ()
    """All parameters in order, those that follow from others included."""

    def split(self, text: str) -> tuple[Any, ...]:
        order = tuple(name for name, _ in self.every)
        given = Call(order, tuple(kind for _, kind in self.every), 0, order).split(text)
        values = dict(zip(order, given, strict=True))
        for size, of in self.sizes:
            if values[size] != _length(values[of]):
                items = plural(_length(values[of]), "item")
                raise UsageError(f"{of} has {items} and {size} is {values[size]} in ({shorten(text)})")
        return tuple(values[name] for name in self.names)

    def join(self, values: Sequence[Any]) -> str:
        known = dict(zip(self.names, values, strict=True))
        known |= {size: _length(known[of]) for size, of in self.sizes}
        return ", ".join(literal(known[name], kind) for name, kind in self.every)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple | str) else 1


def _words(value: Any, type: Value) -> Iterator[str]:
    """As the harness reads it; what does not fit is made to."""
    match type:
        case Number():
            yield _number(value, type.kind)
        case Text():
            data = str(value).encode("utf-8", "surrogateescape").replace(b"\0", b"")
            yield "-" if value is None and not type.room else "x" + data[: (type.room or MOST) - 1].hex()
        case Record():
            known = value if isinstance(value, dict) else {}
            for name, member in type.members:
                yield from _words(known.get(name, 0), member)
        case Items():
            if value is None:
                yield "-"
                return
            several = isinstance(value, list | tuple)
            yield ("l" if several else "v") + str(len(value) if several else 1)
            for item in value if several else [value]:
                yield from _words(item, type.of)


def _number(value: Any, kind: Kind) -> str:
    number = value if isinstance(value, int | float | Fraction) else 0
    if kind is Kind.REAL:
        return repr(float(number))
    return str(int(number))


def letter_hint(value: Any) -> str:
    """What to write for a `char`."""
    letter = isinstance(value, str) and len(value) == 1
    return f"for the letter {value!r} write {ord(value)}" if letter else ""


def _check(value: Any, type: Value, name: str) -> None:
    match type:
        case Number() if not isinstance(value, int | float) or (
            type.kind is not Kind.REAL and isinstance(value, float)
        ):
            wanted = "a number" if type.kind is Kind.REAL else "a whole number"
            raise UsageError(f"{name} must be {wanted}, not {shorten(repr(value))}", letter_hint(value))
        case Number() if not type.range.covers(value):
            ends = f"from {type.range.low} to {type.range.high}"
            raise UsageError(f"{name} must be {ends} (it is `{type.written}`), not {value}")
        case Text() if value is not None and not isinstance(value, str):
            raise UsageError(f"{name} must be a text, as in 'abc', not {shorten(repr(value))}")
        case Record():
            names = [member for member, _ in type.members]
            if not isinstance(value, dict) or set(value) != set(names):
                shape = ", ".join(f"'{member}': …" for member in names)
                raise UsageError(f"{name} must be {{{shape}}}, not {shorten(repr(value))}")
            for member, inner in type.members:
                _check(value[member], inner, f"{name}['{member}']")
        case Items():
            for item in value if isinstance(value, list | tuple) else [] if value is None else [value]:
                _check(item, type.of, f"an item of {name}" if isinstance(value, list | tuple) else name)


class Types:
    """What the names of types in a source stand for."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.root = parse(source)
        self._structs: dict[str, Node] = {}
        self._enums: dict[str, Node] = {}
        self._typedefs: dict[str, tuple[Node, Node]] = {}
        for node in self.root.walk():
            if node.type == "struct_specifier" and (name := node.child("name")) and node.child("body"):
                self._structs[self.text(name)] = node
            elif node.type == "enum_specifier" and (name := node.child("name")) and node.child("body"):
                self._enums[self.text(name)] = node
            elif node.type == "type_definition":
                for declarator in node.each("declarator"):
                    self._typedefs[self.text(_named(declarator) or declarator)] = (node, declarator)

    def text(self, node: Node) -> str:
        return self._source[node.start : node.end].decode("utf-8", "replace")

    def of(self, node: Node, declarator: Node | None, depth: int = 0) -> Value | None:
        """The type that a declaration gives to a declarator; None where its values cannot be written."""
        pointers, sizes = 0, []
        while declarator is not None and declarator.type not in (
            "identifier",
            "field_identifier",
            "type_identifier",
        ):
            if declarator.type in ("pointer_declarator", "abstract_pointer_declarator"):
                pointers += 1
            elif declarator.type in ("array_declarator", "abstract_array_declarator"):
                size = declarator.child("size")
                text = self.text(size) if size is not None else "0"
                if not text.isdigit() and depth:
                    return None
                sizes.append(int(text) if text.isdigit() else 0)
            else:
                return None
            declarator = declarator.child("declarator")
        base = self._base(node, depth)
        if base is None or pointers + len(sizes) > 1:
            return None
        if not pointers and not sizes:
            return base
        if isinstance(base, Text | Items) or (depth and pointers):
            return None
        if isinstance(base, Number) and base.written == "char":
            return Text(*sizes)
        return Items(base, *sizes)

    def _base(self, node: Node, depth: int) -> Value | None:
        kind = node.child("type")
        if kind is None or depth > 8:
            return None
        if kind.type == "enum_specifier":
            name = kind.child("name")
            found = kind if kind.child("body") else self._enums.get(self.text(name) if name else "")
            return Number("int", Kind.INT, range_of("int"), self._named(found) if found else frozenset())
        if kind.type == "struct_specifier":
            name = kind.child("name")
            found = kind if kind.child("body") else self._structs.get(self.text(name) if name else "")
            written = f"struct {self.text(name)}" if name else ""
            return self._record(found, written, depth) if found is not None else None
        written = " ".join(word for word in self.text(kind).split() if word not in QUALIFIERS)
        number = kind_of(written)
        if number is not None:
            return Number(written, number, range_of(written))
        if written in self._typedefs:
            definition, declarator = self._typedefs[written]
            found_type = self.of(definition, declarator, depth + 1)
            if isinstance(found_type, Record):
                return Record(written, found_type.members)
            return replace(found_type, written=written) if isinstance(found_type, Number) else None
        return None

    def _named(self, node: Node) -> frozenset[int]:
        """What the names of an enum stand for; nothing where one is no plain number."""
        found: set[int] = set()
        value = -1
        for each in node.of("body").inner():
            if each.type == "enumerator":
                given = each.child("value")
                known = parse_number(self.text(given)) if given is not None else value + 1
                if known is None:
                    return frozenset()
                value = known
                found.add(value)
        return frozenset(found)

    def _record(self, node: Node, written: str, depth: int) -> Record | None:
        members: list[tuple[str, Value]] = []
        for field in node.of("body").inner():
            if field.type == "comment":
                continue
            for declarator in field.each("declarator"):
                name, found = _named(declarator), self.of(field, declarator, depth + 1)
                if found is None or name is None or isinstance(found, Items):
                    return None
                members.append((self.text(name), found))
        return Record(written, tuple(members)) if members else None


def _named(declarator: Node) -> Node | None:
    found: Node | None = declarator
    while found is not None and found.type not in ("identifier", "field_identifier", "type_identifier"):
        found = found.child("declarator")
    return found


def find_signature(source: bytes, name: str, file: str) -> Signature:
    """The function of this name in the last file of a source."""
    types = Types(source)
    first = parts(source)[-1].start if parts(source) else 0
    for node in types.root.walk():
        if node.type != "function_definition" or node.start < first:
            continue
        declarator, stars = node.child("declarator"), 0
        while declarator is not None and declarator.type == "pointer_declarator":
            declarator, stars = declarator.child("declarator"), stars + 1
        if declarator is None or declarator.type != "function_declarator":
            continue
        if types.text(declarator.of("declarator")) == name:
            return _signature(types, node, declarator, stars, file)
    raise UsageError(f"no function {name} in {file}")


def _signature(types: Types, node: Node, declarator: Node, stars: int, file: str) -> Signature:
    name = types.text(declarator.of("declarator"))
    parameters = []
    listed = [child for child in declarator.of("parameters").inner() if child.type != "comment"]
    for number, child in enumerate(listed, 1):
        written = types.text(child)
        if written == "void" and len(listed) == 1:
            continue
        found = types.of(child, child.child("declarator")) if child.type == "parameter_declaration" else None
        if found is None:
            raise UsageError(f"`{written}` of {name} in {file} cannot be written as a value", WORKS)
        named = _named(child.of("declarator")) if child.child("declarator") is not None else None
        const = any(types.text(part) == "const" for part in child.children if part.type == "type_qualifier")
        parameters.append(Parameter(types.text(named) if named is not None else f"i{number}", found, const))
    if not parameters:
        raise UsageError(f"{name} in {file} takes no parameters", "give the whole program instead")
    shown = " ".join([types.text(node.of("type")), *("*" * stars)])
    result: Value | None = None
    if shown != "void":
        result = types.of(node, None)
        if stars:
            character = isinstance(result, Number) and result.written == "char" and stars == 1
            result = Text() if character else None
        if result is None:
            raise UsageError(f"{name} in {file} returns `{shown}`, not a value", WORKS)
    elif not any(parameter.answers for parameter in parameters):
        raise UsageError(
            f"{name} in {file} gives no answer", "it returns nothing and writes through no pointer"
        )
    return Signature(name, tuple(parameters), result)

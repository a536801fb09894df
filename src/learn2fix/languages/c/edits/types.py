"""Types: wider ones, with the formats and declarations that must follow them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from learn2fix.edits.catalogue import Change, Piece, Proposals
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.formats import formatted, wanted
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, INT, LONG, Type, named_type

IDENTIFIER = "identifier"
NARROW = frozenset(
    (
        "int",
        "long",
        "unsigned",
        "unsigned int",
        "long int",
        "short",
        "short int",
        "signed",
        "signed int",
        "unsigned long",
    )
)
WIDER = ((INT, "long long"), (FLOAT, "double"))
MEMBERS = {"int": "long long", "float": "double"}
OTHERS = (
    (CHAR, "int"),
    (INT, "double"),
    (LONG, "double"),
    (DOUBLE, "long double"),
    (DOUBLE, "long long"),
    (FLOAT, "long long"),
    (INT, "unsigned"),
    (INT, "unsigned long long"),
    (LONG, "unsigned long long"),
)


@operator(
    "every type made wider",
    why="Numbers grow beyond an int, or a float is too coarse; all declarations, casts and formats follow.",
    before='int f(int a) { return a; } int main(void) { int n = 9; printf("%d", f(n)); }',
    after='long long f(long long a) { return a; } int main(void) { long long n = 9; printf("%lld", f(n)); }',
)
def every_type_made_wider(program: Program) -> Proposals:
    for narrow, wide in WIDER:
        if not _groups(program, narrow):
            continue
        places = {place.start: place for place in _groups(program, narrow)}
        overrides = _overrides(program, places.values(), wide)
        for node in program.root.walk():
            if node.type == "field_declaration" and narrow == INT:
                place = node.child("type")
                if place is not None and program.of(place) == "int":
                    places[place.start] = place
            if node.type == "type_descriptor":
                place = node.child("type")
                if place is not None and program.of(place) in (NARROW if narrow == INT else ("float",)):
                    places[place.start] = place
                    parent = node.parent
                    if parent is not None and parent.type == "cast_expression":
                        overrides[parent.start] = Type(
                            named_type(wide, {}).base, program.of(node).count("*"), wide
                        )
        pieces = [(place.start, place.end, _spelled(program, place, wide)) for place in places.values()]
        yield (*pieces, *_formats(program, overrides))


@operator(
    "type made wider",
    why="A variable, or all that its values flow into, grows beyond an int, or is too coarse as a float.",
    before="int f(int a) { return a; } int main(void) { int m = 1; int n; return f(n); }",
    after="long long f(long long a) { return a; } int main(void) { int m = 1; long long n; return f(n); }",
)
def type_made_wider(program: Program) -> Proposals:
    flows = _Flows(program)
    for narrow, wide in WIDER:
        for place, closed in flows.closed(_groups(program, narrow), wide):
            yield _retyped(program, [place], wide)
            if len(closed) > 1:
                yield _retyped(program, closed, wide)
    for node in program.root.walk():
        place_of_member = node.child("type") if node.type == "field_declaration" else None
        wider = MEMBERS.get(program.of(place_of_member)) if place_of_member is not None else None
        if place_of_member is not None and wider is not None:
            yield ((place_of_member.start, place_of_member.end, wider),)
    yield from _casts(program, "long long")


@operator(
    "another type",
    why="A variable cuts off what stands behind the point, or keeps it; or it may be negative, or may not.",
    before='int main(void) { int n = 5; printf("%d", n / 2); }',
    after='int main(void) { double n = 5; printf("%f", n / 2); }',
)
def another_type(program: Program) -> Proposals:
    for base, wide in OTHERS:
        for place in _groups(program, base):
            if wide not in program.of(place) and not ("double" in wide and _whole_only(program, [place])):
                yield _retyped(program, [place], wide)
    for place in [*_groups(program, INT), *_groups(program, LONG)]:
        words = program.of(place).split()
        if "unsigned" in words:
            words.remove("unsigned")
            yield _retyped(program, [place], " ".join(words) or "int")


def _casts(program: Program, *wider: str) -> Proposals:
    """Another type in a cast, with the format that prints it."""
    for node in program.expressions:
        described = node.child("type") if node.type == "cast_expression" else None
        place = described.child("type") if described is not None else None
        if described is None or place is None or "*" in program.of(described):
            continue
        for wide in wider:
            kind = named_type(wide, {})
            if kind.base != program.type_of(node).base:
                yield ((place.start, place.end, wide), *_formats(program, {node.start: kind}))


@operator(
    "cast removed or to another type",
    why="A cast makes the wrong type, or there should be none.",
    before="x = (int)x / 2;",
    after="x = x / 2;",
)
def cast_removed_or_changed(program: Program) -> Proposals:
    yield from _casts(program, "double", "int")
    for node in program.expressions:
        if node.type == "cast_expression":
            value = node.of("value")
            yield (program.put(node, program.of(value), program.level(value)),)


def _retyped(program: Program, places: list[Node], wide: str) -> Change:
    overrides = _overrides(program, places, wide)
    pieces: list[Piece] = [(place.start, place.end, _spelled(program, place, wide)) for place in places]
    return (*pieces, *_formats(program, overrides))


def _groups(program: Program, base: str) -> list[Node]:
    """The type words of declarations of a base type (one for each declaration)."""
    found: dict[int, Node] = {}
    for symbol in program.scope.symbols:
        place = symbol.declaration.child("type")
        if (
            place is None
            or symbol.type.base != base
            or not program.can_run(symbol)
            or place.type not in ("primitive_type", "sized_type_specifier")
        ):
            continue
        if symbol.name == "main" and symbol.role == "function":
            continue
        found[place.start] = place
    return list(found.values())


@once
def _declared_by(program: Program) -> dict[int, list[int]]:
    """Where type words stand → the numbers of the symbols that they declare."""
    found: dict[int, list[int]] = {}
    for number, symbol in enumerate(program.scope.symbols):
        place = symbol.declaration.child("type")
        if place is not None:
            found.setdefault(place.start, []).append(number)
    return found


def _symbols(program: Program, places: Iterable[Node]) -> list[Symbol]:
    """All that some type words declare, in the order of the program."""
    numbers = {number for place in places for number in _declared_by(program).get(place.start, ())}
    return [program.scope.symbols[number] for number in sorted(numbers)]


def _overrides(program: Program, places: Iterable[Node], wide: str) -> dict[int, Type]:
    base = named_type(wide, {}).base
    return {s.declarator.start: Type(base, s.type.depth, wide) for s in _symbols(program, places)}


def _whole_only(program: Program, places: list[Node]) -> bool:
    """Whether a variable of some declarations is used where only a whole number can stand."""
    starts = {symbol.declarator.start for symbol in _symbols(program, places)}
    for node in program.nodes:
        if node.type == "identifier" and program.type_of(node).integral and program.needs_integer(node):
            symbol = program.scope.find(program.of(node), node.start)
            if symbol is not None and symbol.declarator.start in starts:
                return True
    return False


def _spelled(program: Program, place: Node, wide: str) -> str:
    if wide == "long long" and "unsigned" in program.of(place).split():
        return "unsigned long long"
    return wide


def _formats(program: Program, overrides: dict[int, Type]) -> list[Piece]:
    """The directives that no longer fit under the new types."""
    pieces = []
    for directive, argument in formatted(program):
        kind = program.type_under(argument, overrides)
        if kind != program.type_of(argument):
            need = wanted(directive, kind)
            if need is not None:
                pieces.append(directive.with_type(*need))
    return pieces


@dataclass(frozen=True, slots=True)
class _Flow:
    """A value that gets into a variable: assigned to it, passed to it or returned by it."""

    value: Node
    target: Symbol
    names: frozenset[int]
    """Where the names in the value are declared: its type depends on nothing else."""


class _Flows:
    """All flows of a program, found once: each declaration asks where its values get to."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._flows = list(_all_flows(program))
        self._by_name: dict[int, list[int]] = {}
        for number, flow in enumerate(self._flows):
            for name in flow.names:
                self._by_name.setdefault(name, []).append(number)

    def closed(self, groups: list[Node], wide: str) -> Iterator[tuple[Node, list[Node]]]:
        """Each declaration, and with it all that its values are assigned to, passed to or returned by."""
        base = named_type(wide, {}).base
        already = {n for n, flow in enumerate(self._flows) if self._program.type_of(flow.value).base == base}
        by_start = {group.start: group for group in groups}
        for place in groups:
            yield place, self._from(place, by_start, wide, base, already)

    def _from(
        self, place: Node, by_start: dict[int, Node], wide: str, base: str, already: set[int]
    ) -> list[Node]:
        program, chosen = self._program, {place.start: place}
        for _ in range(4):
            overrides = _overrides(program, chosen.values(), wide)
            touched = {number for name in overrides for number in self._by_name.get(name, ())}
            changed = False
            for number in sorted(already | touched):
                flow = self._flows[number]
                if number in touched and program.type_under(flow.value, overrides).base != base:
                    continue
                target = flow.target.declaration.child("type")
                if target is not None and target.start in by_start and target.start not in chosen:
                    chosen[target.start] = target
                    changed = True
            if not changed:
                break
        return list(chosen.values())


def _all_flows(program: Program) -> Iterator[_Flow]:
    symbols = program.scope.symbols
    by_initial = {id(s.initial): s for s in reversed(symbols) if s.initial is not None}
    by_function = {id(s.declaration): s for s in reversed(symbols) if s.role == "function"}
    parameters = sorted((s for s in symbols if s.role == "parameter"), key=lambda s: s.begin)
    begins = [symbol.begin for symbol in parameters]

    def flow(value: Node, target: Symbol | None) -> Iterator[_Flow]:
        if target is not None:
            found = (program.scope.find(program.of(n), n.start) for n in value.walk() if n.type == IDENTIFIER)
            yield _Flow(value, target, frozenset(s.declarator.start for s in found if s is not None))

    for node in program.nodes:
        match node.type:
            case "assignment_expression":
                yield from flow(node.of("right"), _root_symbol(program, node.of("left")))
            case "init_declarator":
                value = node.of("value")
                yield from flow(value, by_initial.get(id(value)))
            case "return_statement":
                inner, function = node.inner(), program.body_of(node)
                if inner and function is not None:
                    yield from flow(inner[0], by_function.get(id(function)))
            case "call_expression":
                function = program.functions.get(program.of(node.of("function")))
                if function is None:
                    continue
                own = parameters[bisect_left(begins, function.start) : bisect_left(begins, function.end)]
                for argument, parameter in zip(program.arguments(node), own, strict=False):
                    yield from flow(argument, parameter)


def _root_symbol(program: Program, node: Node) -> Symbol | None:
    while node.type in ("subscript_expression", "parenthesized_expression", "pointer_expression"):
        inner = node.child("argument")
        node = inner if inner is not None else node.inner()[0]
    return program.scope.find(program.of(node), node.start) if node.type == "identifier" else None

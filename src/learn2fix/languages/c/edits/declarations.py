"""Declarations: wider types with everything that must follow them, initial values, sizes of arrays."""

from __future__ import annotations

from collections.abc import Iterable

from learn2fix.languages.c.edits.program import Drafts, Piece, Program, one
from learn2fix.languages.c.edits.texts import directives, wanted
from learn2fix.languages.c.edits.values import needs_integer
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, INT, LONG, Type, named_type
from learn2fix.languages.c.words import READERS, WRITERS, parse_number

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


def widening(program: Program) -> Drafts:
    """int → long long, float → double: a declaration, one with all that it flows into, the whole file."""
    for weight, narrow, wide in ((1.2, INT, "long long"), (1.2, FLOAT, "double")):
        groups = _groups(program, narrow)
        if not groups:
            continue
        yield from _whole_file(program, weight, narrow, wide)
        for place in groups:
            yield from _retyped(program, weight + 0.2, [place], wide)
            closed = _flows(program, place, groups, wide)
            if len(closed) > 1:
                yield from _retyped(program, weight + 0.1, closed, wide)
    for base, wide, weight in (
        (INT, "double", 2.4),
        (INT, "unsigned", 2.6),
        (LONG, "double", 2.6),
        (CHAR, "int", 2.3),
        (DOUBLE, "long double", 2.4),
        (DOUBLE, "long long", 2.6),
        (FLOAT, "long long", 2.7),
        (INT, "unsigned long long", 2.6),
        (LONG, "unsigned long long", 2.4),
    ):
        for place in _groups(program, base):
            if wide not in program.of(place) and not ("double" in wide and _whole_only(program, [place])):
                yield from _retyped(program, weight, [place], wide)
    for place in [*_groups(program, INT), *_groups(program, LONG)]:
        words = program.of(place).split()
        if "unsigned" in words:
            words.remove("unsigned")
            yield from _retyped(program, 2.0, [place], " ".join(words) or "int")


def casts(program: Program) -> Drafts:
    """(int)x → (long long)x and the like, with the format that prints it."""
    for node in program.expressions:
        described = node.child("type") if node.type == "cast_expression" else None
        place = described.child("type") if described is not None else None
        if described is None or place is None or "*" in program.of(described):
            continue
        own = program.type_of(node)
        for wide in ("long long", "double", "int"):
            kind = named_type(wide, {})
            if kind.base == own.base:
                continue
            pieces = [(place.start, place.end, wide), *_formats(program, {node.start: kind})]
            yield (1.3 if wide == "long long" else 1.8, "cast", tuple(sorted(pieces)))


def members(program: Program) -> Drafts:
    """A member of a struct made wider."""
    for node in program.root.walk():
        place = node.child("type") if node.type == "field_declaration" else None
        if place is None:
            continue
        if program.of(place) == "int":
            yield one(1.6, "type", (place.start, place.end, "long long"))
        elif program.of(place) == "float":
            yield one(1.6, "type", (place.start, place.end, "double"))


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


def _symbols(program: Program, places: Iterable[Node]) -> list[Symbol]:
    starts = {place.start for place in places}
    return [
        symbol
        for symbol in program.scope.symbols
        if (place := symbol.declaration.child("type")) is not None and place.start in starts
    ]


def _overrides(program: Program, places: Iterable[Node], wide: str) -> dict[int, Type]:
    base = named_type(wide, {}).base
    return {s.declarator.start: Type(base, s.type.depth, wide) for s in _symbols(program, places)}


def _retyped(program: Program, weight: float, places: list[Node], wide: str) -> Drafts:
    overrides = _overrides(program, places, wide)
    pieces: list[Piece] = [(place.start, place.end, _spelled(program, place, wide)) for place in places]
    pieces += _formats(program, overrides)
    if all(program.text[start:end] == text for start, end, text in pieces):
        return
    yield (weight, "type", tuple(sorted(pieces)))


def _whole_only(program: Program, places: list[Node]) -> bool:
    """Whether a variable of some declarations is used where only a whole number can stand."""
    starts = {symbol.declarator.start for symbol in _symbols(program, places)}
    for node in program.nodes:
        if node.type == "identifier" and program.type_of(node).integral and needs_integer(program, node):
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
    for call in program.calls:
        if program.of(call.of("function")) not in READERS | WRITERS:
            continue
        for directive in directives(program, call):
            if directive.argument is None:
                continue
            kind = program.type_under(directive.argument, overrides)
            if kind == program.type_of(directive.argument):
                continue
            need = wanted(directive, kind)
            if need is not None:
                pieces.append(directive.with_type(*need))
    return pieces


def _whole_file(program: Program, weight: float, narrow: str, wide: str) -> Drafts:
    """Every declaration, cast and sizeof of a type."""
    places: dict[int, Node] = {place.start: place for place in _groups(program, narrow)}
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
    pieces += _formats(program, overrides)
    if pieces:
        yield (weight, "type", tuple(sorted(pieces)))


def _flows(program: Program, place: Node, groups: list[Node], wide: str) -> list[Node]:
    """A declaration and the ones that its values are assigned to, passed to or returned by."""
    chosen = {place.start: place}
    base = named_type(wide, {}).base
    by_start = {group.start: group for group in groups}

    def add(symbol: Symbol | None) -> bool:
        target = symbol.declaration.child("type") if symbol is not None else None
        if target is None or target.start in chosen or target.start not in by_start:
            return False
        chosen[target.start] = target
        return True

    for _ in range(4):
        overrides = _overrides(program, chosen.values(), wide)
        changed = False
        for node in program.nodes:
            match node.type:
                case "assignment_expression":
                    target, value = node.of("left"), node.of("right")
                    if program.type_under(value, overrides).base == base:
                        changed |= add(_root_symbol(program, target))
                case "init_declarator":
                    value = node.of("value")
                    if program.type_under(value, overrides).base == base:
                        changed |= add(next((s for s in program.scope.symbols if s.initial is value), None))
                case "return_statement":
                    inner, function = node.inner(), program.body_of(node)
                    if (
                        inner
                        and function is not None
                        and program.type_under(inner[0], overrides).base == base
                    ):
                        changed |= add(
                            next(
                                (
                                    s
                                    for s in program.scope.symbols
                                    if s.declaration is function and s.role == "function"
                                ),
                                None,
                            )
                        )
                case "call_expression":
                    function = program.functions.get(program.of(node.of("function")))
                    if function is None:
                        continue
                    parameters = [
                        s
                        for s in program.scope.symbols
                        if s.role == "parameter" and function.start <= s.begin < function.end
                    ]
                    for argument, parameter in zip(program.arguments(node), parameters, strict=False):
                        if program.type_under(argument, overrides).base == base:
                            changed |= add(parameter)
        if not changed:
            break
    return list(chosen.values())


def _root_symbol(program: Program, node: Node) -> Symbol | None:
    while node.type in ("subscript_expression", "parenthesized_expression", "pointer_expression"):
        inner = node.child("argument")
        node = inner if inner is not None else node.inner()[0]
    return program.scope.find(program.of(node), node.start) if node.type == "identifier" else None


def initialisation(program: Program) -> Drafts:
    """A variable without a first value gets one."""
    bare: dict[int, list[tuple[Symbol, str]]] = {}
    for symbol in program.scope.symbols:
        if symbol.role != "local" or symbol.initial is not None or symbol.declaration.type != "declaration":
            continue
        if not any(body.start <= symbol.begin < body.end for body in program.bodies):
            continue
        declarator = _outermost(symbol)
        if symbol.dimensions:
            if symbol.pointers == 0 and all(_constant(program, size) for size in symbol.dimensions):
                yield one(1.5, "initialisation", (declarator.end, declarator.end, " = {0}"))
                bare.setdefault(symbol.declaration.start, []).append((symbol, " = {0}"))
            continue
        if not symbol.type.numeric:
            continue
        weight = 2.0 if _set_at_first_use(program, symbol) else 0.9
        bare.setdefault(symbol.declaration.start, []).append((symbol, " = 0"))
        for extra, text in ((0.0, "0"), (0.3, "1"), (1.2, "-1")):
            yield one(weight + extra, "initialisation", (declarator.end, declarator.end, f" = {text}"))
        for text in program.constants:
            if text not in ("0", "1", "-1"):
                yield one(weight + 1.2, "initialisation", (declarator.end, declarator.end, f" = {text}"))
    for group in bare.values():
        scalars = [(_outermost(symbol).end, text) for symbol, text in group if not symbol.dimensions]
        if len(scalars) > 1:
            yield (1.2, "initialisation", tuple((end, end, text) for end, text in sorted(scalars)))
    everything = [(_outermost(symbol).end, text) for group in bare.values() for symbol, text in group]
    if len(everything) > 1:
        yield (1.4, "initialisation", tuple((end, end, text) for end, text in sorted(everything)))


def _constant(program: Program, size: Node) -> bool:
    """Whether a size is known to the compiler: a variable-length array takes no initialiser."""
    return all(
        program.of(node) in program.macros or not program.scope.find(program.of(node), node.start)
        for node in size.walk()
        if node.type == "identifier"
    )


def _outermost(symbol: Symbol) -> Node:
    node = symbol.declarator
    while node.parent is not None and node.parent.type in (
        "array_declarator",
        "pointer_declarator",
        "parenthesized_declarator",
    ):
        node = node.parent
    return node


def _set_at_first_use(program: Program, symbol: Symbol) -> bool:
    """Whether the first thing that the text does with a variable is to set it outside of a condition."""
    for node in program.nodes:
        if node.type == "identifier" and node.start >= symbol.begin and program.of(node) == symbol.name:
            parent = node.parent
            if parent is None or parent is symbol.declaration:
                continue
            if (
                parent.type == "assignment_expression"
                and node.field == "left"
                and program.operator(parent) == "="
            ):
                return True
            return parent.type == "pointer_expression" and program.operator(parent) == "&"
    return True


def sizes(program: Program) -> Drafts:
    """Larger arrays: one, or all."""
    places: list[tuple[Node, int]] = []
    for symbol in filter(program.can_run, program.scope.symbols):
        if symbol.initial is not None and program.of(symbol.initial).startswith('"'):
            continue
        for size in symbol.dimensions:
            value = parse_number(program.of(size)) if size.type == "number_literal" else None
            if value is not None:
                places.append((size, value))
            elif size.type in ("identifier", "binary_expression"):
                for step in ("1", "5"):
                    yield one(2.1, "size", (size.end, size.end, f" + {step}"))
                yield one(2.4, "size", (size.start, size.end, f"({program.of(size)}) * 2"))
    for size, value in places:
        for weight, larger in (
            (1.8, value + 1),
            (1.8, value * 10),
            (2.0, value + 5),
            (2.0, value * 2),
            (2.3, value * 100),
        ):
            if larger <= 4_000_000:
                yield one(weight, "size", (size.start, size.end, str(larger)))
        for text in program.constants:
            other = parse_number(text)
            if other is not None and value < other <= 4_000_000:
                yield one(2.3, "size", (size.start, size.end, text))
    if len(places) > 1:
        for weight, factor, extra in ((1.8, 1, 5), (1.7, 10, 0), (2.0, 2, 0)):
            pieces = tuple((size.start, size.end, str(value * factor + extra)) for size, value in places)
            if sum(value * factor for _, value in places) <= 8_000_000:
                yield (weight, "size", pieces)

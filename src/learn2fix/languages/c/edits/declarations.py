"""First values of variables, and sizes of arrays."""

from __future__ import annotations

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import parse_number

SET_BEFORE_USE = ("set before it is used",)
ROOM = ("1000", "200000")
"""Items that an array has where the program has no array to take the size from."""
LARGEST_ARRAY, LARGEST_ARRAYS = 4_000_000, 8_000_000
"""Items that one array, and all of them together, may be made to have."""


@once
def _bare(program: Program) -> list[tuple[Symbol, int]]:
    """Local variables without a first value, and the place where one can be put."""
    found = []
    for symbol in program.scope.symbols:
        if symbol.role != "local" or symbol.initial is not None or symbol.declaration.type != "declaration":
            continue
        if not any(body.start <= symbol.begin < body.end for body in program.bodies):
            continue
        array = symbol.pointers == 0 and all(_constant(program, size) for size in symbol.dimensions)
        if array if symbol.dimensions else symbol.type.numeric:
            found.append((symbol, _outermost(symbol).end))
    return found


def _set(program: Program, *values: str) -> Proposals:
    """One variable set to each of some values where it is declared."""
    for symbol, end in _bare(program):
        if symbol.dimensions:
            continue
        late = SET_BEFORE_USE if _set_at_first_use(program, symbol) else ()
        for value in values:
            yield Unusual(((end, end, f" = {value}"),), late)


@operator(
    "variable starts at 0",
    why="A variable is used before anything was put into it.",
    before="int s; s += a;",
    after="int s = 0; s += a;",
)
def variable_starts_at_0(program: Program) -> Proposals:
    yield from _set(program, "0")
    for symbol in filter(program.can_run, program.scope.symbols):
        bare = symbol.role == "local" and symbol.initial is None and symbol.declaration.type == "declaration"
        if bare and symbol.pointers and not symbol.dimensions:
            end = _outermost(symbol).end
            late = SET_BEFORE_USE if _set_at_first_use(program, symbol) else ()
            yield Unusual(((end, end, " = 0"),), late)


@operator(
    "variable starts at 1",
    why="A product is used before anything was put into it.",
    before="int s; s *= a;",
    after="int s = 1; s *= a;",
)
def variable_starts_at_1(program: Program) -> Proposals:
    yield from _set(program, "1")


@operator(
    "variable starts at a constant",
    why="A smallest or largest value is used before anything was put into it.",
    before="int s; if (a > s) s = 100;",
    after="int s = 100; if (a > s) s = 100;",
)
def variable_starts_at_constant(program: Program) -> Proposals:
    yield from _set(program, "-1", *(text for text in program.constants if text not in ("0", "1", "-1")))


@operator(
    "array starts with zeros",
    why="Items of an array are used before anything was put into them.",
    before="int s[9]; s[a]++;",
    after="int s[9] = {0}; s[a]++;",
)
def array_starts_with_zeros(program: Program) -> Proposals:
    for symbol, end in _bare(program):
        if symbol.dimensions:
            yield ((end, end, " = {0}"),)


@operator(
    "several variables start at 0",
    why="Variables of a declaration, or all there are, are used before anything was put into them.",
    before="int s, u; s += a; u += b;",
    after="int s = 0, u = 0; s += a; u += b;",
)
def several_variables_start_at_0(program: Program) -> Proposals:
    groups: dict[int, list[int]] = {}
    for symbol, end in _bare(program):
        if not symbol.dimensions:
            groups.setdefault(symbol.declaration.start, []).append(end)
    for ends in groups.values():
        if len(ends) > 1:
            yield tuple((end, end, " = 0") for end in ends)
    bare = _bare(program)
    if len(bare) > 1:
        yield tuple((end, end, " = {0}" if symbol.dimensions else " = 0") for symbol, end in bare)


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


@once
def _by_name(program: Program) -> dict[str, list[Node]]:
    """Every use of a name, in the order of the program."""
    found: dict[str, list[Node]] = {}
    for node in program.nodes:
        if node.type == "identifier":
            found.setdefault(program.of(node), []).append(node)
    return found


def _set_at_first_use(program: Program, symbol: Symbol) -> bool:
    """Whether the first thing that the text does with a variable is to set it outside of a condition."""
    for node in _by_name(program).get(symbol.name, ()):
        if node.start >= symbol.begin:
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


@once
def _sizes(program: Program) -> list[tuple[Node, int | None]]:
    """The sizes of arrays, with their values when they are numbers."""
    found: list[tuple[Node, int | None]] = []
    for symbol in filter(program.can_run, program.scope.symbols):
        if symbol.initial is not None and program.of(symbol.initial).startswith('"'):
            continue
        for size in symbol.dimensions:
            value = parse_number(program.of(size)) if size.type == "number_literal" else None
            if value is not None or size.type in ("identifier", "binary_expression"):
                found.append((size, value))
    return found


@operator(
    "array made larger",
    why="An array, or every one, has too few items.",
    before="int s[100]; s[a]++;",
    after="int s[101]; s[a]++;",
)
def array_made_larger(program: Program) -> Proposals:
    for size, value in _sizes(program):
        if value is None:
            for step in ("1", "5"):
                yield ((size.end, size.end, f" + {step}"),)
            yield ((size.start, size.end, f"({program.of(size)}) * 2"),)
            continue
        values = {
            str(larger): larger for larger in (value + 1, value * 10, value + 5, value * 2, value * 100)
        }
        values |= {text: other for text in program.constants if (other := parse_number(text)) is not None}
        for text, larger in values.items():
            if value < larger <= LARGEST_ARRAY:
                yield ((size.start, size.end, text),)
    sizes = [(size, value) for size, value in _sizes(program) if value is not None]
    for factor, extra in ((10, 0), (1, 5), (2, 0)):
        if len(sizes) > 1 and sum(value * factor for _, value in sizes) <= LARGEST_ARRAYS:
            yield tuple((size.start, size.end, str(value * factor + extra)) for size, value in sizes)


@operator(
    "pointer made an array",
    why="A pointer is used as if there were memory behind it, and nothing ever gives it any.",
    before='char *s; scanf("%s", s);',
    after='char s[1000]; scanf("%s", s);',
)
def pointer_made_an_array(program: Program) -> Proposals:
    sizes = [program.of(size) for size, value in _sizes(program) if value is not None]
    for symbol in filter(program.can_run, program.scope.symbols):
        bare = symbol.role in ("local", "global") and symbol.initial is None
        if not bare or symbol.pointers != 1 or symbol.dimensions or _given(program, symbol.name):
            continue
        star = _outermost(symbol)
        if star.type == "pointer_declarator":
            for size in dict.fromkeys((*sizes, *ROOM)):
                yield ((star.start, star.end, f"{symbol.name}[{size}]"),)


def _given(program: Program, name: str) -> bool:
    """Whether a variable is ever given a value, or its address is handed to somebody who could."""
    return any(
        node.type == "identifier" and program.of(node) == name and program.is_target(node)
        for node in program.nodes
    )

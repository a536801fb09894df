"""One variable, element, member or function for another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.constants import literals, put
from learn2fix.languages.c.edits.program import Leaf, Program, once
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.syntax import loop_macros
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import Type
from learn2fix.languages.c.words import LOOPS, READERS, RELATIONAL, UNARY

ROUNDING = ("ceil", "floor", "round", "trunc", "sqrt", "fabs", "abs")
SAME_SHAPE = (
    frozenset(("ceil", "floor", "round", "trunc")),
    frozenset(("abs", "labs", "llabs", "fabs")),
    frozenset(("islower", "isupper", "isalpha", "isdigit", "isalnum")),
    frozenset(("tolower", "toupper")),
    frozenset(("sin", "cos", "tan")),
    frozenset(("sqrt", "cbrt", "fabs")),
    frozenset(("fmin", "fmax")),
    frozenset(("gets", "puts")),
)
OTHER_TYPE, ELEMENT = "of another type", "an element or member"
FOR_VARIABLE, LATER = ("for a variable",), "a later value of the tests"
TEXTS = ("string_literal", "concatenated_string")
PLACES = ("identifier", "subscript_expression", "field_expression")
TEN_VALUES = 10
MOST_PLACES, MOST_SWAPPED = 6, 24
MOST_ARGUMENTS = 8
MOST_CONSTANTS = 12
"""Constants of an enum that are tried for one, those that stand nearest to it."""
MOST_OTHERS = 6
"""Variables that are tried for each of two."""


@once
def _uses(program: Program) -> list[tuple[Node, Symbol]]:
    """Names of variables, and the variables."""
    found = []
    for node in program.expressions:
        symbol = program.scope.find(program.of(node), node.start) if node.type == "identifier" else None
        if symbol is not None and symbol.role != "function":
            found.append((node, symbol))
    return found


@once
def numeric_uses(program: Program) -> list[tuple[Node, Symbol]]:
    """Names of variables that are numbers, where another number may stand."""
    return [
        (node, symbol)
        for node, symbol in _uses(program)
        if symbol.type.numeric and (not program.is_base(node) or program.is_target(node))
    ]


def _fitting(program: Program, node: Node) -> list[Leaf]:
    """Small values that can stand where a node stands: no real number as an index, nor beside `%`."""
    leaves = program.leaves(node)
    if all(leaf.type.integral for leaf in leaves) or not program.needs_integer(node):
        return leaves
    return [leaf for leaf in leaves if leaf.type.integral]


def _traits(leaf: Leaf, kind: Type) -> tuple[str, ...]:
    other = leaf.type.base != kind.base
    if "[" in leaf.text or "." in leaf.text:
        return (ELEMENT, OTHER_TYPE) if other else (ELEMENT,)
    return (OTHER_TYPE,) if other else ()


@operator("another variable", why="Two variables were mixed up.", before="a = b;", after="a = c;")
def another_variable(program: Program) -> Proposals:
    for node, symbol in numeric_uses(program):
        written = program.is_target(node)
        for leaf in _fitting(program, node):
            if leaf.text != symbol.name and not (written and leaf.text in program.constants):
                yield Unusual((program.put(node, leaf.text),), _traits(leaf, symbol.type))


@operator(
    "variable for a value",
    why="A number, an element or the result of a call was to be a variable.",
    before="a = 5;",
    after="a = b;",
)
def variable_for_value(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type in ("number_literal", "subscript_expression", "call_expression"):
            if id(node) not in program.value_ids:
                continue
        elif node.type != "identifier" or not _is_macro(program, node):
            continue
        word, kind = "".join(program.of(node).split()), program.type_of(node)
        for leaf in _fitting(program, node):
            if leaf.text != word:
                other = leaf.type.base != kind.base
                yield Unusual((program.put(node, leaf.text),), (OTHER_TYPE,) if other else ())


@operator(
    "first element for a number",
    why="The smallest or largest so far was to start as the first of all.",
    before="a = 0; if (t[b] > a) a = t[b];",
    after="a = t[0]; if (t[b] > a) a = t[b];",
)
def first_element_for_number(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type != "number_literal" or id(node) not in program.value_ids:
            continue
        parent = node.parent
        if parent is None or parent.type not in ("assignment_expression", "init_declarator"):
            continue
        for symbol in program.scope.visible(node.start):
            if len(symbol.dimensions) == 1 and symbol.role != "function":
                yield (program.put(node, f"{symbol.name}[0]"),)


def _is_macro(program: Program, node: Node) -> bool:
    name = program.of(node)
    return (
        name in program.macros
        and program.scope.find(name, node.start) is None
        and not program.is_target(node)
    )


@operator(
    "constant for a variable",
    why="A variable was to be a number.",
    before="a = b; c = 12;",
    after="a = 12; c = 12;",
)
def constant_for_variable(program: Program) -> Proposals:
    for node, _ in numeric_uses(program):
        if not program.is_target(node):
            for text in dict.fromkeys(("1", "0", "2", *program.constants)):
                yield put(program, node, text)


@operator(
    "value of a failing test",
    why="A number should be one that a failing test reads or expects, or one next to it.",
    before="a = 7;",
    after="a = 4123;",
)
def value_of_failing_test(program: Program) -> Proposals:
    places: list[tuple[Node, tuple[str, ...]]] = [(node, ()) for node in literals(program)]
    places += [(node, FOR_VARIABLE) for node, _ in numeric_uses(program) if not program.is_target(node)]
    for node, traits in places:
        few = traits or program.in_table(node)
        for index, text in enumerate(program.known[:12] if few else program.known):
            yield Unusual(put(program, node, text), (*traits, *(LATER,) * (index // TEN_VALUES)))


def identifiers(program: Program, node: Node) -> dict[str, list[Node]]:
    """The names in a node, and where each stands."""
    found: dict[str, list[Node]] = {}
    for child in node.walk():
        if child.type == "identifier":
            found.setdefault(program.of(child), []).append(child)
    return found


def renamed(program: Program, node: Node, places: Sequence[Node], name: str) -> str:
    """The text of a node with another name at these places."""
    text = program.of(node)
    for place in reversed(places):
        text = text[: place.start - node.start] + name + text[place.end - node.start :]
    return text


def twins(program: Program, symbol: Symbol, at: Node) -> list[str]:
    """Names of the other variables of its type that can stand where a node stands."""
    return [
        other.name
        for other in program.scope.visible(at.start)
        if other.name != symbol.name
        and other.role != "function"
        and other.type.depth == symbol.type.depth
        and other.type.base == symbol.type.base
        and other.type.name.split()[:2] == symbol.type.name.split()[:2]
    ]


@operator(
    "another array or member",
    why="Two arrays, or two members of a struct, were mixed up.",
    before="int u[9]; a = t[b];",
    after="int u[9]; a = u[b];",
)
def another_array_or_member(program: Program) -> Proposals:
    for node, symbol in _uses(program):
        for name in () if symbol.type.numeric else twins(program, symbol, node):
            yield (program.put(node, name),)
    for node in program.expressions:
        place = node.child("field") if node.type == "field_expression" else None
        for members in program.scope.members.values() if place is not None else ():
            own = members.get(program.of(place)) if place is not None else None
            for name, kind in members.items():
                if own is not None and kind.depth == own.depth and (kind.base == own.base or kind.numeric):
                    yield (program.put(place or node, name),)


@operator(
    "another constant of an enum",
    why="Two constants of an enum were mixed up.",
    before="enum state { OPEN, CLOSED }; enum state s = OPEN; if (s == OPEN) a++;",
    after="enum state { OPEN, CLOSED }; enum state s = OPEN; if (s == CLOSED) a++;",
)
def another_constant_of_enum(program: Program) -> Proposals:
    for node in program.nodes:
        symbol = program.scope.find(program.of(node), node.start) if node.type == "identifier" else None
        if symbol is None or symbol.declaration.type != "enumerator":
            continue
        every = symbol.declaration.parent
        others = [each.of("name") for each in every.children if each.type == "enumerator"] if every else []
        place = symbol.declaration.start
        near = sorted(others, key=lambda other: abs(other.start - place))[1 : MOST_CONSTANTS + 1]
        for other in near:
            yield (program.put(node, program.of(other)),)


@operator(
    "another variable in a whole statement",
    why="Two variables were mixed up throughout a statement.",
    before="t[a] = a * 2;",
    after="t[b] = b * 2;",
)
def another_variable_in_statement(program: Program) -> Proposals:
    groups: dict[tuple[int, str], list[tuple[Node, Symbol]]] = {}
    for node, symbol in _uses(program):
        nearest = program.statement_of(node)
        for statement in (nearest, _only_statement_of(nearest)):
            if statement is not None:
                groups.setdefault((statement.start, symbol.name), []).append((node, symbol))
    for (_, name), uses in groups.items():
        if 1 < len(uses) <= MOST_PLACES:
            node, symbol = uses[0]
            for other in twins(program, symbol, node) if not symbol.type.numeric else _whole(program, node):
                if other != name:
                    yield tuple(program.put(use, other) for use, _ in uses)


@operator(
    "two variables of a statement",
    why="Other variables were meant throughout a statement, one for each that stands there.",
    before="int d = 0; t[a] = abs(a - 2) + abs(b - 2);",
    after="int d = 0; t[a] = abs(c - 2) + abs(d - 2);",
)
def two_variables_of_statement(program: Program) -> Proposals:
    groups: dict[int, list[tuple[Node, Symbol]]] = {}
    for node, symbol in numeric_uses(program):
        if symbol.type.integral and not program.is_target(node):
            groups.setdefault(program.statement_of(node).start, []).append((node, symbol))
    for uses in groups.values():
        for (first, one), (second, two) in itertools.combinations(uses[:MOST_PLACES], 2):
            others = [name for name in _whole(program, first) if name not in (one.name, two.name)]
            if one.name != two.name:
                for this, that in itertools.permutations(others[:MOST_OTHERS], 2):
                    yield program.put(first, this), program.put(second, that)


def _only_statement_of(node: Node) -> Node | None:
    """The `if` or loop whose only statement this is: both say one thing."""
    parent = node.parent
    return parent if parent is not None and parent.type in ("if_statement", *LOOPS) else None


def _whole(program: Program, node: Node) -> list[str]:
    return [leaf.text for leaf in program.leaves(node) if leaf.text.isidentifier() and leaf.type.integral]


@operator(
    "two values of a statement exchanged",
    why="Two values of one statement stand in each other's place.",
    before="a = b / c;",
    after="a = c / b;",
)
def two_values_exchanged(program: Program) -> Proposals:
    groups: dict[int, list[tuple[Node, bool]]] = {}
    for node in program.expressions:
        if node.type in (
            "identifier",
            "number_literal",
            "subscript_expression",
            "field_expression",
            "char_literal",
        ):
            written = program.is_target(node)
            if program.type_of(node).numeric and (written or not program.is_base(node)):
                groups.setdefault(program.statement_of(node).start, []).append((node, written))
    for nodes in groups.values():
        if len(nodes) > MOST_SWAPPED:
            continue
        for (first, one_written), (second, two_written) in itertools.combinations(nodes, 2):
            if second.start < first.end or program.of(first) == program.of(second):
                continue
            if (one_written or two_written) and "literal" in first.type + second.type:
                continue
            whole = program.type_of(first).integral and program.type_of(second).integral
            if whole or program.needs_integer(first) == program.needs_integer(second):
                yield (program.put(first, program.of(second)), program.put(second, program.of(first)))


@once
def _own(program: Program) -> dict[str, int]:
    """Functions and macros of the file → their parameters."""
    functions = {
        symbol.name: symbol.parameters
        for symbol in program.scope.symbols
        if symbol.role == "function" and symbol.declaration.type == "function_definition"
    }
    loops = loop_macros(program.source)
    macros = {
        name: macro.parameters
        for name, macro in program.macros.items()
        if macro.parameters >= 0 and name.encode("latin-1") not in loops
    }
    return functions | macros


@operator(
    "another function of the same kind",
    why="ceil was written for floor, max for min, or the like.",
    before="x = ceil(x);",
    after="x = floor(x);",
)
def another_function(program: Program) -> Proposals:
    own = _own(program)
    for call in program.calls:
        place = call.of("function")
        name = program.of(place)
        for group in SAME_SHAPE:
            for other in sorted(group) if name in group else ():
                yield ((place.start, place.end, other),)
        for other, count in own.items() if name in own else ():
            if other != "main" and count == own[name] and program.declares(other, place):
                yield ((place.start, place.end, other),)


@operator(
    "arguments exchanged",
    why="Two arguments were mixed up, or two values are read into each other's place.",
    before='scanf("%d%d", &a, &b);',
    after='scanf("%d%d", &b, &a);',
)
def arguments_exchanged(program: Program) -> Proposals:
    groups: list[Iterator[tuple[Node, Node]]] = [
        itertools.combinations(places, 2) for places in _read(program)
    ]
    for call in program.calls:
        name = program.of(call.of("function"))
        if name in (*_own(program), "pow", "fmod", "atan2"):
            groups.append(itertools.pairwise(program.arguments(call)))
        elif name == "printf":
            groups.append(itertools.combinations(program.arguments(call)[1 : MOST_PLACES + 1], 2))
    for first, second in itertools.chain.from_iterable(groups):
        yield ((first.start, first.end, program.of(second)), (second.start, second.end, program.of(first)))


@operator(
    "argument of another call",
    why="A row or place that is handed over elsewhere in the function was to be handed over here.",
    before='char s[9]; scanf("%s", s); a = strlen(s + 1); puts(s);',
    after='char s[9]; scanf("%s", s); a = strlen(s + 1); puts(s + 1);',
)
def argument_of_another_call(program: Program) -> Proposals:
    given: dict[int, list[Node]] = {}
    for call in program.calls:
        body = program.body_of(call)
        if body is not None and program.of(call.of("function")) not in READERS:
            handed = (node for node in program.arguments(call) if node.type not in TEXTS)
            given.setdefault(body.start, []).extend(p for p in handed if program.type_of(p).depth)
    for places in given.values():
        others = {program.of(place): place for place in reversed(places)}
        for node in places:
            kind, own = program.type_of(node), program.of(node)
            same = [each for each in others.values() if program.type_of(each) == kind]
            for other in same[-MOST_ARGUMENTS:]:
                names = node.type == other.type == "identifier"
                if program.of(other) != own and not names:
                    yield (program.put(node, program.of(other), program.level(other)),)


@operator(
    "call replaced by an argument",
    why="There was nothing to round or to compute: an argument was meant.",
    before="x = floor(x);",
    after="x = x;",
)
def call_replaced_by_argument(program: Program) -> Proposals:
    own = _own(program)
    for call in program.calls:
        name, arguments = program.of(call.of("function")), program.arguments(call)
        if name in ROUNDING and len(arguments) == 1:
            kept = arguments
        elif name in own and len(arguments) == 2 and program.type_of(call).numeric:
            kept = [inner for inner in arguments if program.type_of(inner).numeric]
        else:
            continue
        for inner in kept:
            yield (program.put(call, program.of(inner), program.level(inner)),)


def _read(program: Program) -> list[list[Node]]:
    """What each scanf reads into."""
    calls = [c for c in program.calls if program.of(c.of("function")) in ("scanf", "sscanf", "fscanf")]
    return [[node for node in program.arguments(call) if node.type not in TEXTS] for call in calls]


@operator(
    "& missing from scanf", why="scanf needs an address.", before='scanf("%d", a);', after='scanf("%d", &a);'
)
def address_missing(program: Program) -> Proposals:
    for places in _read(program):
        for node in places:
            if node.type in PLACES and program.type_of(node).numeric:
                yield ((node.start, node.start, "&"),)


@operator(
    "name of a called function missing",
    why="Values in parentheses behind commas were to be handed to a function that takes as many.",
    before="int f(int n, int m) { return n > m ? n : m; } int main(void) { int a = 3; return (a, 5); }",
    after="int f(int n, int m) { return n > m ? n : m; } int main(void) { int a = 3; return f(a, 5); }",
)
def called_name_missing(program: Program) -> Proposals:
    for node in program.expressions:
        inner = node.inner() if node.type == "parenthesized_expression" else []
        if len(inner) == 1 and inner[0].type == "comma_expression":
            values = _behind_commas(inner[0])
            for name, count in _own(program).items():
                if name != "main" and count == values and program.declares(name, node):
                    yield ((node.start, node.start, name),)


def _behind_commas(node: Node) -> int:
    """How many values stand behind one another."""
    if node.type != "comma_expression":
        return 1
    return _behind_commas(node.of("left")) + _behind_commas(node.of("right"))


@operator(
    "pointer followed",
    why="What a pointer points to was meant, not the address.",
    before="int *p = t; if (p < 1) a = 1;",
    after="int *p = t; if (*p < 1) a = 1;",
)
def pointer_followed(program: Program) -> Proposals:
    for node, symbol in _uses(program):
        parent = node.parent
        if symbol.type.depth != 1 or parent is None or program.is_target(node) or program.is_base(node):
            continue
        if parent.type == "binary_expression" or (parent.type == "assignment_expression"):
            yield (program.put(node, f"*{symbol.name}", UNARY),)
    for node in program.expressions:
        # Rows of a table are compared by where they stand.
        if node.type == "binary_expression" and program.operator(node) in RELATIONAL:
            sides = node.of("left"), node.of("right")
            if all(
                side.type == "subscript_expression" and program.type_of(side).depth == 1 for side in sides
            ):
                for item in ("[0]", "[1]"):
                    yield tuple((side.end, side.end, item) for side in sides)

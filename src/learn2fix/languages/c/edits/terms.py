"""Something done to one value: ±1, a factor, a remainder, a bound, a cast, a rounding."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import LONG
from learn2fix.languages.c.words import LEVEL, RELATIONAL, TERNARY, UNARY, WRITERS, parse_number, strip

PLUS, TIMES = LEVEL["+"], LEVEL["*"]
SMALL_MODULUS = 10
SIMPLE = ("identifier", "subscript_expression", "field_expression", "number_literal", "call_expression")
PART = ("a part of an expression",)
FROM_ONE = ("a remainder counted from one",)
OF_PART = ("a remainder of a part",)
BOUNDED_PART = ("a bound on a part of an expression",)
SMALL, NEW_MODULUS = ("a small modulus",), ("a modulus that no other remainder is taken by",)
FILE_CONSTANT, BEYOND = ("a constant of the file as a bound",), ("a bound beyond a variable",)


def outer(program: Program, node: Node) -> bool:
    """Whether a value is all that is assigned, printed, returned, passed, indexed with or compared."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "binary_expression":
        return program.operator(parent) in RELATIONAL
    if parent.type == "assignment_expression":
        return node.field == "right"
    return parent.type in ("init_declarator", "return_statement", "argument_list", "subscript_expression")


def _boolean(program: Program, node: Node) -> bool:
    """Whether a value is a truth value, on which arithmetic makes no sense."""
    node = strip(node)
    if node.type == "binary_expression":
        return program.operator(node) in RELATIONAL or program.operator(node) in ("&&", "||")
    return node.type == "unary_expression" and program.operator(node) == "!"


@once
def numbers(program: Program) -> list[tuple[Node, bool]]:
    """Values worth doing something to (of `(E)` only E, of `x = E` only E), and whether each is `outer`."""
    return [
        (node, outer(program, node))
        for node in program.values
        if node.type not in ("assignment_expression", "update_expression", "char_literal", "true", "false")
        and not _boolean(program, node)
    ]


@once
def computed(program: Program) -> list[tuple[Node, bool]]:
    """The same without numbers that are written down."""
    return [(node, whole) for node, whole in numbers(program) if node.type != "number_literal"]


@once
def results(program: Program) -> list[Node]:
    """Values that are all that is assigned, returned or printed."""
    return [node for node, _ in numbers(program) if _is_result(program, node)]


def _is_result(program: Program, node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "argument_list":
        call = parent.parent
        return call is not None and program.of(call.of("function")) in WRITERS
    if parent.type == "assignment_expression":
        return node.field == "right"
    return parent.type in ("init_declarator", "return_statement")


def _around(program: Program, before: str, after: str, level: int) -> Proposals:
    """Every value with something before and behind it, which binds on a level."""
    for node, whole in computed(program):
        piece = program.put(node, f"{before}{program.wrap(node, level)}{after}", level)
        yield (piece,) if whole else Unusual((piece,), PART)


@operator(
    "value off by one",
    why="A value is one too small or too large.",
    before="a = t[b];",
    after="a = t[b - 1];",
)
def value_off_by_one(program: Program) -> Proposals:
    yield from _around(program, "", " + 1", PLUS)
    yield from _around(program, "", " - 1", PLUS)


@operator(
    "value off by two", why="A value is two too small or too large.", before="a = b;", after="a = b + 2;"
)
def value_off_by_two(program: Program) -> Proposals:
    yield from _around(program, "", " + 2", PLUS)
    yield from _around(program, "", " - 2", PLUS)


@operator(
    "value scaled",
    why="A value was to be doubled, halved, squared or negated.",
    before="a = b;",
    after="a = b * 2;",
)
def value_scaled(program: Program) -> Proposals:
    yield from _around(program, "", " * 2", TIMES)
    yield from _around(program, "", " / 2", TIMES)
    yield from _around(program, "-", "", UNARY)
    for node, whole in computed(program):
        texts = [f"({program.wrap(node, PLUS)} + 1) / 2"]
        if node.type in SIMPLE:
            texts.append(f"{program.wrap(node, TIMES)} * {program.wrap(node, TIMES + 1)}")
        for text in texts:
            yield Unusual((program.put(node, text, TIMES),), () if whole else PART)


@once
def _moduli(program: Program) -> dict[str, tuple[str, ...]]:
    """Numbers that the file takes remainders by, or could → what makes each unusual."""
    moduli: dict[str, tuple[str, ...]] = {}
    for node in program.nodes:
        if node.type in ("binary_expression", "assignment_expression") and "%" in program.operator(node):
            right = strip(node.of("right"))
            if right.type in ("number_literal", "identifier", "field_expression"):
                # What is tested for being even, or taken apart into digits, is seldom itself the remainder:
                # few values are possible then, so that many a wrong patch passes few tests.
                value = parse_number(program.of(right))
                moduli[program.of(right)] = SMALL if value is not None and value <= SMALL_MODULUS else ()
    for word in program.moduli:
        moduli.setdefault(word, NEW_MODULUS)
    return moduli


@once
def _symbols(program: Program) -> frozenset[str]:
    return frozenset(symbol.name for symbol in program.scope.symbols)


def _moduli_for(program: Program, node: Node, whole: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a remainder of a value may be taken by, and what makes that unusual."""
    if not program.type_of(node).integral:
        return
    moduli, own = _moduli(program), program.of(node)
    names = [leaf.text for leaf in program.leaves(node)]
    for modulus, traits in moduli.items():
        if modulus != own and (modulus in names or modulus not in _symbols(program)):
            yield modulus, traits
    for name in names if whole else ():
        if name not in moduli and name != own:
            yield name, NEW_MODULUS


@operator(
    "remainder taken",
    why="A value was to be kept below a modulus, also when it is negative.",
    before="b %= 12; a = b - c;",
    after="b %= 12; a = (b - c + 12) % 12;",
)
def remainder_taken(program: Program) -> Proposals:
    for node, whole in computed(program):
        for modulus, traits in _moduli_for(program, node, whole):
            texts = [
                f"{program.wrap(node, TIMES)} % {modulus}",
                f"({program.wrap(node, PLUS)} + {modulus}) % {modulus}",
            ]
            if traits != SMALL and modulus in _moduli(program):
                texts.append(f"({program.wrap(node, TIMES)} % {modulus} + {modulus}) % {modulus}")
            for text in texts:
                yield Unusual((program.put(node, text, TIMES),), traits if whole else traits + OF_PART)
            # What follows the last one is the first one, and the first one is number 1.
            for more in ("", f" + {modulus}") if whole else ():
                text = f"({program.wrap(node, PLUS)} - 1{more}) % {modulus} + 1"
                yield Unusual((program.put(node, text, PLUS),), traits + FROM_ONE)


def _bounded(program: Program, node: Node, relation: str, bound: str) -> str:
    return (
        f"{program.wrap(node, LEVEL['<'] + 1)} {relation} {bound} ? {bound} : {program.wrap(node, TERNARY)}"
    )


@operator(
    "value not below 0 or 1",
    why="A value was not to become negative, or zero.",
    before="a = b - c;",
    after="a = b - c < 0 ? 0 : b - c;",
)
def value_not_below(program: Program) -> Proposals:
    for node, whole in computed(program):
        if whole or node.type != "call_expression":
            for bound in ("0", "1"):
                piece = program.put(node, _bounded(program, node, "<", bound), TERNARY)
                yield Unusual((piece,), () if whole else BOUNDED_PART)


@operator(
    "value kept within a bound",
    why="A value was not to exceed a variable or a constant, or to fall below it.",
    before="a = b;",
    after="a = b > c ? c : b;",
)
def value_kept_within_bound(program: Program) -> Proposals:
    constants = [(text, FILE_CONSTANT) for text in ("0", "1", *program.constants)]
    for node, whole in computed(program):
        if not whole:
            continue
        inside = program.of(node)
        names = [leaf.text for leaf in program.leaves(node) if leaf.text != inside]
        bounds = [(name, ()) for name in names] + constants
        bounds += [(f"{name} {sign} 1", BEYOND) for name in names for sign in "+-"]
        for bound, traits in bounds:
            for relation in "<>":
                yield Unusual((program.put(node, _bounded(program, node, relation, bound), TERNARY),), traits)


def _beside(program: Program, node: Node) -> str:
    """The operator whose operand a value is."""
    parent = node.parent
    return program.operator(parent) if parent is not None and parent.type == "binary_expression" else ""


@operator(
    "product made long long",
    why="A product or sum overflows an int before it is assigned.",
    before="a = b * c;",
    after="a = (long long)b * c;",
)
def product_made_long_long(program: Program) -> Proposals:
    for node, _ in numbers(program):
        kind = program.type_of(node)
        narrow = kind.integral and kind.base != LONG
        if narrow and node.field == "left" and _beside(program, node) in ("*", "<<", "+", "-"):
            yield (program.put(node, f"(long long){program.wrap(node, UNARY)}", UNARY),)


@operator(
    "value made long long",
    why="A value is too narrow where it is used.",
    before="a = b * c;",
    after="a = b * (long long)c;",
)
def value_made_long_long(program: Program) -> Proposals:
    for node, whole in numbers(program):
        kind = program.type_of(node)
        operand = _beside(program, node) in ("*", "<<", "+", "-") and kind.base != LONG
        if kind.integral and (operand or (whole and node.type in ("binary_expression", "identifier"))):
            yield (program.put(node, f"(long long){program.wrap(node, UNARY)}", UNARY),)


@operator(
    "quotient made real",
    why="A division of whole numbers cuts off what stands behind the point.",
    before="x = a / b;",
    after="x = (double)a / b;",
)
def quotient_made_real(program: Program) -> Proposals:
    for node, _ in numbers(program):
        if (
            _beside(program, node) == "/"
            and program.type_of(node).integral
            and not program.needs_integer(node)
        ):
            yield (program.put(node, f"(double){program.wrap(node, UNARY)}", UNARY),)


@operator(
    "quotient rounded",
    why="A part that is not full counts as well, or from one half on.",
    before="a = b / c;",
    after="a = (b + c - 1) / c;",
)
def quotient_rounded(program: Program) -> Proposals:
    for node, _ in numbers(program):
        whole = node.type == "binary_expression" and program.type_of(node).integral
        if not whole or program.operator(node) != "/":
            continue
        left, right = node.of("left"), node.of("right")
        above, below = program.wrap(left, PLUS), program.wrap(right, TIMES + 1)
        for more in (f"{program.wrap(right, PLUS + 1)} - 1", f"{program.wrap(right, PLUS + 1)} / 2"):
            yield (program.put(node, f"({above} + {more}) / {below}", TIMES),)
        rest = f"({program.wrap(left, TIMES)} % {below} != 0)"
        yield (program.put(node, f"{program.of(node)} + {rest}", PLUS),)


@operator(
    "value rounded",
    why="A value was to be rounded, to be cut off, or to lose its sign.",
    before="x = x / 2;",
    after="x = ceil(x / 2);",
)
def value_rounded(program: Program) -> Proposals:
    for node, whole in computed(program):
        traits, text = () if whole else PART, program.of(node)
        if not whole and node.type == "call_expression":
            continue
        if not program.type_of(node).floating:
            name = "llabs" if program.type_of(node).base == LONG else "abs"
            yield Unusual((program.put(node, f"{name}({text})"),), traits)
            continue
        for name in ("ceil", "floor", "round", "fabs") if not program.needs_integer(node) else ():
            yield Unusual((program.put(node, f"{name}({text})"),), traits)
        for kind in ("int", "long long") if whole else ():
            yield (program.put(node, f"({kind}){program.wrap(node, UNARY)}", UNARY),)
        if node.type == "binary_expression" and node.of("right").type == "number_literal":
            # x + 0.9 and x + 1 are what people write for ceil(x).
            for name in ("ceil", "floor", "round") if program.operator(node) in ("+", "-") else ():
                yield (program.put(node, f"{name}({program.of(node.of('left'))})"),)


@operator(
    "function of the file applied",
    why="A value was to be handed to a function that the file has.",
    before="int sq(int n) { return n * n; } int main(void) { int a = 3; return a; }",
    after="int sq(int n) { return n * n; } int main(void) { int a = 3; return sq(a); }",
)
def function_of_file_applied(program: Program) -> Proposals:
    own = [
        symbol.name
        for symbol in program.scope.symbols
        if symbol.role == "function" and symbol.parameters == 1 and symbol.type.numeric
    ]
    own += [name for name, macro in program.macros.items() if macro.parameters == 1]
    for node, whole in computed(program) if own else ():
        for name in own if whole or node.type != "call_expression" else ():
            if name == "main" or not program.declares(name, node):
                continue
            if program.body_of(node) is not program.functions.get(name):
                yield Unusual((program.put(node, f"{name}({program.of(node)})"),), () if whole else PART)

"""Something done to a value: ±1, ± a term, a remainder, a clamp, a cast, a rounding."""

from __future__ import annotations

from learn2fix.languages.c.edits.program import Drafts, Leaf, Program, one
from learn2fix.languages.c.edits.values import needs_integer
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import LONG
from learn2fix.languages.c.words import (
    ARITHMETIC,
    LEVEL,
    RELATIONAL,
    TERNARY,
    UNARY,
    WRITERS,
    parse_number,
    strip,
)

PLUS, TIMES = LEVEL["+"], LEVEL["*"]
MOST_LEAVES = 7
SMALL_MODULUS = 10
SIMPLE = ("identifier", "subscript_expression", "field_expression", "number_literal", "call_expression")


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


def numbers(program: Program) -> list[Node]:
    """Values worth doing something to; of `(E)` only E, of `x = E` only E."""
    return [
        node
        for node in program.values
        if node.type not in ("assignment_expression", "update_expression", "char_literal", "true", "false")
        and not _boolean(program, node)
    ]


def off_by_one(program: Program) -> Drafts:
    """E → E + 1 and E - 1."""
    for node in numbers(program):
        if node.type == "number_literal":
            continue
        weight = 1.4 if outer(program, node) else 1.6 if node.type in SIMPLE else 1.9
        body = program.wrap(node, PLUS)
        for sign in "+-":
            yield one(weight, "off by one", program.put(node, f"{body} {sign} 1", PLUS))


def scaled(program: Program) -> Drafts:
    """-E, E * 2, E / 2, (E + 1) / 2, E * E."""
    for node in numbers(program):
        if node.type == "number_literal":
            continue
        weight = 2.2 if outer(program, node) else 2.4
        body = program.wrap(node, TIMES)
        tight = program.wrap(node, TIMES + 1)
        yield one(weight, "scaled", program.put(node, f"{body} * 2", TIMES))
        yield one(weight, "scaled", program.put(node, f"{body} / 2", TIMES))
        yield one(weight, "sign", program.put(node, f"-{program.wrap(node, UNARY)}", UNARY))
        yield one(weight + 0.2, "scaled", program.put(node, f"({program.wrap(node, PLUS)} + 1) / 2", TIMES))
        if node.type in SIMPLE:
            yield one(weight + 0.3, "scaled", program.put(node, f"{body} * {tight}", TIMES))
        for step in ("2",):
            for sign in "+-":
                yield one(
                    weight, "off by two", program.put(node, f"{program.wrap(node, PLUS)} {sign} {step}", PLUS)
                )


def remainders(program: Program) -> Drafts:
    """E % M, (E + M) % M, (E % M + M) % M for the numbers that the file takes remainders by, or could."""
    moduli: dict[str, float] = {}
    for node in program.nodes:
        if node.type in ("binary_expression", "assignment_expression") and "%" in program.operator(node):
            right = strip(node.of("right"))
            if right.type in ("number_literal", "identifier", "field_expression"):
                # What is tested for being even, or taken apart into digits, is seldom itself the remainder:
                # few values are possible then, so that many a wrong patch passes few tests.
                value = parse_number(program.of(right))
                moduli[program.of(right)] = 0.0 if value is None or value > SMALL_MODULUS else 0.6
    for word in program.moduli:
        moduli.setdefault(word, 0.3)
    symbols = {symbol.name for symbol in program.scope.symbols}
    for node in numbers(program):
        if not program.type_of(node).integral or node.type == "number_literal":
            continue
        weight = 1.8 if outer(program, node) else 2.9
        names = [leaf.text for leaf in program.leaves(node)]
        choices = [(text, extra) for text, extra in moduli.items() if text not in symbols or text in names]
        choices += [(text, 0.5) for text in names if text not in moduli and outer(program, node)]
        for modulus, extra in choices:
            if modulus == program.of(node):
                continue
            sum_text = program.wrap(node, PLUS)
            yield one(
                weight + extra,
                "remainder",
                program.put(node, f"{program.wrap(node, TIMES)} % {modulus}", TIMES),
            )
            yield one(
                weight + extra + 0.1,
                "remainder",
                program.put(node, f"({sum_text} + {modulus}) % {modulus}", TIMES),
            )
            if outer(program, node):
                # Counted from 1: what follows the last one is the first one.
                yield one(
                    weight + extra + 0.6,
                    "remainder",
                    program.put(node, f"({sum_text} - 1) % {modulus} + 1", PLUS),
                )
                text = f"({sum_text} - 1 + {modulus}) % {modulus} + 1"
                yield one(weight + extra + 0.7, "remainder", program.put(node, text, PLUS))
            if extra < 0.5:
                text = f"({program.wrap(node, TIMES)} % {modulus} + {modulus}) % {modulus}"
                yield one(weight + extra + 0.3, "remainder", program.put(node, text, TIMES))


def clamps(program: Program) -> Drafts:
    """E < 0 ? 0 : E and the like, with constants and variables as bounds."""
    for node in numbers(program):
        if node.type == "number_literal":
            continue
        place = outer(program, node)
        if not place and node.type == "call_expression":
            continue
        base = 1.9 if place else 2.5
        body = program.wrap(node, LEVEL["<"] + 1)
        last = program.wrap(node, TERNARY)
        for bound, weight in (("0", 0.0), ("1", 0.1)):
            yield one(
                base + weight, "clamp", program.put(node, f"{body} < {bound} ? {bound} : {last}", TERNARY)
            )
        if not place:
            continue
        bounds = [(leaf.text, 1.0) for leaf in program.leaves(node)]
        bounds += [(text, 1.3) for text in program.constants if text not in ("0", "1")]
        bounds += [("0", 0.5), ("1", 0.6)]
        inside = program.of(node)
        for bound, weight in bounds:
            if bound == inside:
                continue
            near = 0.0 if bound in inside else 0.1
            if bound not in ("0", "1"):
                yield one(
                    base + weight + near,
                    "clamp",
                    program.put(node, f"{body} < {bound} ? {bound} : {last}", TERNARY),
                )
            yield one(
                base + weight + near,
                "clamp",
                program.put(node, f"{body} > {bound} ? {bound} : {last}", TERNARY),
            )
        for leaf in program.leaves(node):
            if leaf.text != inside:
                for sign in "+-":
                    bound = f"{leaf.text} {sign} 1"
                    for relation in "<>":
                        text = f"{body} {relation} {bound} ? {bound} : {last}"
                        yield one(base + 1.4, "clamp", program.put(node, text, TERNARY))


def casts(program: Program) -> Drafts:
    """(long long)E, (double)E, (int)E; E * 1.0; integer division made real, and rounded up."""
    for node in numbers(program):
        kind = program.type_of(node)
        parent = node.parent
        body = program.wrap(node, UNARY)
        operator = (
            program.operator(parent) if parent is not None and parent.type == "binary_expression" else ""
        )
        if operator in ("*", "<<", "+", "-") and kind.integral and kind.base != LONG:
            first = parent is not None and parent.of("left") is node
            yield one(1.3 if first else 2.2, "cast", program.put(node, f"(long long){body}", UNARY))
        if operator == "/" and kind.integral and not needs_integer(program, node):
            yield one(1.5, "cast", program.put(node, f"(double){body}", UNARY))
        if kind.floating and node.type != "number_literal" and outer(program, node):
            yield one(1.9, "cast", program.put(node, f"(int){body}", UNARY))
            yield one(1.9, "cast", program.put(node, f"(long long){body}", UNARY))
        if kind.integral and outer(program, node) and node.type in ("binary_expression", "identifier"):
            yield one(2.5, "cast", program.put(node, f"(long long){body}", UNARY))
        if node.type == "binary_expression" and program.operator(node) == "/" and kind.integral:
            left, right = node.of("left"), node.of("right")
            below = program.wrap(right, TIMES + 1)
            minus = program.wrap(right, PLUS + 1)
            text = f"({program.wrap(left, PLUS)} + {minus} - 1) / {below}"
            yield one(1.7, "round up", program.put(node, text, TIMES))
            text = f"{program.of(node)} + ({program.wrap(left, TIMES)} % {below} != 0)"
            yield one(1.9, "round up", program.put(node, text, PLUS))
            text = f"({program.wrap(left, PLUS)} + {minus} / 2) / {below}"
            yield one(2.3, "round up", program.put(node, text, TIMES))


def wrapped(program: Program) -> Drafts:
    """A library function around a value: abs, ceil, floor, round, sqrt; a function of the file."""
    own = [
        symbol.name
        for symbol in program.scope.symbols
        if symbol.role == "function"
        and symbol.parameters == 1
        and symbol.type.numeric
        and symbol.name != "main"
    ]
    own += [name for name, macro in program.macros.items() if macro.parameters == 1]
    for node in numbers(program):
        if node.type == "number_literal" or not (outer(program, node) or node.type != "call_expression"):
            continue
        place = 0.0 if outer(program, node) else 0.3
        kind = program.type_of(node)
        text = program.of(node)
        if kind.floating and node.type == "binary_expression" and node.of("right").type == "number_literal":
            # E + 0.9 and E + 1 are what people write for ceil(E).
            inner = program.of(node.of("left"))
            for name in ("ceil", "floor", "round") if program.operator(node) in ("+", "-") else ():
                yield one(2.0, "rounding", program.put(node, f"{name}({inner})"))
        if kind.floating:
            for name in ("ceil", "floor", "round", "fabs"):
                if not needs_integer(program, node):
                    yield one(1.8 + place, "rounding", program.put(node, f"{name}({text})"))
        else:
            name = "llabs" if kind.base == LONG else "abs"
            yield one(1.9 + place, "absolute", program.put(node, f"{name}({text})"))
        for name in own:
            if program.body_of(node) is not program.functions.get(name):
                yield one(2.3 + place, "call", program.put(node, f"{name}({text})"))


def sums(program: Program) -> Drafts:
    """E ± leaf, E * leaf, E / leaf, E % leaf, leaf - E for every leaf in scope."""
    for node in numbers(program):
        place = outer(program, node)
        inside = program.of(node)
        base = 2.6 if place else 2.9
        if node.type == "number_literal":
            base += 0.3
        loose, tight = program.wrap(node, PLUS), program.wrap(node, TIMES)
        whole = program.type_of(node).integral
        fussy = needs_integer(program, node)
        for leaf in program.leaves(node):
            if fussy and not leaf.type.integral:
                continue
            near = 0.0 if leaf.text != inside else 0.4
            for operator in "+-":
                yield one(base + near, "sum", program.put(node, f"{loose} {operator} {leaf.text}", PLUS))
            for operator in "*/%":
                if operator == "%" and not (whole and leaf.type.integral):
                    continue
                extra = near + (0.4 if operator == "*" else 0.5)
                yield one(
                    base + extra, "product", program.put(node, f"{tight} {operator} {leaf.text}", TIMES)
                )
            if place and near == 0.0:
                yield one(
                    base + 0.2,
                    "sum",
                    program.put(node, f"{leaf.text} - {program.wrap(node, PLUS + 1)}", PLUS),
                )


def result(program: Program, node: Node) -> bool:
    """Whether a value is all that is assigned, returned or printed."""
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


def pairs(program: Program, node: Node) -> list[tuple[float, str]]:
    """Terms of two leaves that can stand at a node (a*b, a/b, a%b, a/2, …), and how far-fetched each is."""
    top = program.statement_of(node)
    near = {program.of(child) for child in top.walk() if child.type in ("identifier", "number_literal")}
    leaves = program.leaves(node)
    ranked = sorted(((_far(leaf, near), index) for index, leaf in enumerate(leaves)))[:MOST_LEAVES]
    chosen = [(far, leaves[index]) for far, index in ranked]
    small = [
        text for text in program.constants if text in near and text not in ("0", "1", "2") and text[0] != "-"
    ]
    if node.type == "number_literal":
        small = ["3", "4", *small]
    found: dict[str, float] = {}
    for far, first in chosen:
        for text in ["2", *small[:4]]:
            for operator in "/*%" if first.type.integral else "/*":
                found.setdefault(f"{first.text} {operator} {text}", far)
        for other_far, second in chosen:
            both = far + other_far
            if first.text <= second.text:
                found.setdefault(f"{first.text} * {second.text}", both)
            if first is not second:
                found.setdefault(f"{first.text} / {second.text}", both)
                if first.type.integral and second.type.integral:
                    found.setdefault(f"{first.text} % {second.text}", both)
    return [(far, text) for text, far in found.items()]


def _far(leaf: Leaf, near: set[str]) -> float:
    root = leaf.text.split("[")[0].split(".")[0].split("-")[0]
    return (0.0 if root in near else 0.3) + (0.0 if root == leaf.text else 0.2)


def two_leaf_sums(program: Program) -> Drafts:
    """E ± a*b; E replaced by a ± b, a * b, a / b, a % b; a number replaced by those."""
    for node in numbers(program):
        whole = result(program, node)
        literal = node.type == "number_literal"
        if (not whole and not literal) or needs_integer(program, node) or node.type == "call_expression":
            continue
        if literal and program.of(node) in ("0", "1", "2") and not whole:
            continue
        loose = program.wrap(node, PLUS)
        for far, term in pairs(program, node):
            if not literal:
                for operator in "+-":
                    yield one(
                        3.7 + far, "two-leaf sum", program.put(node, f"{loose} {operator} {term}", PLUS)
                    )
            yield one(3.5 + far, "two leaves", program.put(node, term, TIMES))
        leaves = program.leaves(node)[:MOST_LEAVES]
        for first in leaves:
            for second in leaves:
                if first is second:
                    continue
                yield one(3.4, "two leaves", program.put(node, f"{first.text} - {second.text}", PLUS))
                if first.text < second.text:
                    yield one(3.4, "two leaves", program.put(node, f"{first.text} + {second.text}", PLUS))
            for constant in ("1", "2"):
                for operator in "+-":
                    text = f"{first.text} {operator} {constant}"
                    yield one(3.1, "two leaves", program.put(node, text, PLUS))


def rebuilt(program: Program) -> Drafts:
    """Small formulas with the same operands and operators, put together another way."""
    for node in numbers(program):
        if node.type != "binary_expression" or not outer(program, node):
            continue
        leaves, operators = _flatten(program, node)
        if not 3 <= len(leaves) <= 4 or any(operator not in ARITHMETIC for operator in operators):
            continue
        own = "".join(program.of(node).split())
        for text, level in _formulas(tuple(leaves), tuple(operators)):
            if "".join(text.split()) != own:
                yield one(3.5, "rebuilt", program.put(node, text, level))


def _flatten(program: Program, node: Node) -> tuple[list[str], list[str]]:
    node = strip(node)
    if node.type != "binary_expression":
        return [program.of(node)], []
    left, right = _flatten(program, node.of("left")), _flatten(program, node.of("right"))
    return [*left[0], *right[0]], [*left[1], program.operator(node), *right[1]]


def _formulas(leaves: tuple[str, ...], operators: tuple[str, ...]) -> list[tuple[str, int]]:
    """Every tree over the leaves and operators (each used once), commutative twins once."""
    if len(leaves) == 1:
        return [(leaves[0], 15)]
    found: dict[str, int] = {}
    for operator in dict.fromkeys(operators):
        rest = list(operators)
        rest.remove(operator)
        level = LEVEL[operator]
        for mask in range(1, 2 ** len(leaves) - 1):
            left = tuple(leaf for index, leaf in enumerate(leaves) if mask >> index & 1)
            right = tuple(leaf for index, leaf in enumerate(leaves) if not mask >> index & 1)
            if operator in "+*" and not mask & 1:
                continue
            for ops in _choose(rest, len(left) - 1):
                others = list(rest)
                for used in ops:
                    others.remove(used)
                for first, one_level in _formulas(left, ops):
                    for second, two_level in _formulas(right, tuple(others)):
                        a = first if one_level >= level else f"({first})"
                        b = second if two_level > level else f"({second})"
                        found.setdefault(f"{a} {operator} {b}", level)
    return list(found.items())


def _choose(items: list[str], count: int) -> list[tuple[str, ...]]:
    """Distinct sub-multisets of a size."""
    if count == 0:
        return [()]
    found: dict[tuple[str, ...], None] = {}
    for index, item in enumerate(items):
        for rest in _choose(items[index + 1 :], count - 1):
            found.setdefault((item, *rest))
    return list(found)

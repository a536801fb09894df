"""Operators: relational, logical, arithmetic, bitwise, assignment; what is grouped with what."""

from __future__ import annotations

from learn2fix.languages.c.edits.program import Draft, Drafts, Program, one
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ARITHMETIC, ASSIGN, LEVEL, RELATIONAL, UNARY, strip

NEIGHBOUR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
BITWISE = {
    "&": ("&&", "|", "^"),
    "|": ("||", "&", "^"),
    "^": ("&", "|"),
    "<<": ("<", ">>"),
    ">>": (">", "<<"),
}


def relational(program: Program) -> Drafts:
    """`<` → `<=` and the like; `a == b == c` → `a == b && b == c`."""
    for node in program.expressions:
        if node.type != "binary_expression":
            continue
        operator = program.operator(node)
        if operator not in RELATIONAL:
            continue
        yield from _unchained(program, node)
        place = node.of("operator")
        for other in RELATIONAL:
            if other == operator:
                continue
            weight = 0.8 if other == NEIGHBOUR[operator] else 1.2 if other == OPPOSITE.get(operator) else 1.3
            yield one(weight, "relational", (place.start, place.end, other))


def together(program: Program) -> Drafts:
    """Every comparison of one condition loosened or tightened; every && of it made ||, and back."""
    for condition in program.conditions:
        parts = [
            node
            for node in condition.walk()
            if node.type == "binary_expression"
            and (program.operator(node) in RELATIONAL or program.operator(node) in ("&&", "||"))
        ]
        for kinds, swapped, weight in (
            (("<", ">"), {"<": "<=", ">": ">="}, 1.5),
            (("<=", ">="), {"<=": "<", ">=": ">"}, 1.5),
            (("<", ">", "<=", ">="), OPPOSITE, 2.2),
            (("&&", "||"), {"&&": "||", "||": "&&"}, 1.5),
            (("==", "!="), {"==": "!=", "!=": "=="}, 2.2),
            (("==", "!=", "&&", "||"), {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}, 2.3),
        ):
            places = [node.of("operator") for node in parts if program.operator(node) in kinds]
            if len(places) > 1:
                yield (
                    weight,
                    "together",
                    tuple((p.start, p.end, swapped[p.type]) for p in sorted(places, key=_start)),
                )


def _start(node: Node) -> int:
    return node.start


def _unchained(program: Program, node: Node) -> Drafts:
    """Comparisons in a chain compare a truth value: compare neighbours instead."""
    parent = node.parent
    if parent is not None and parent.type == "binary_expression" and program.operator(parent) in RELATIONAL:
        return
    chain: list[Node] = []
    left = node
    while left.type == "binary_expression" and program.operator(left) in RELATIONAL:
        chain.append(left)
        left = left.of("left")
    if len(chain) < 2:
        return
    pieces = [
        (upper.of("left").end, upper.of("left").end, f" && {program.of(upper.of('left').of('right'))}")
        for upper in reversed(chain[:-1])
    ]
    draft: Draft = (0.3, "chain", tuple(pieces))
    if program.slot(node) > LEVEL["&&"]:
        first = (node.start, node.start, "(")
        last = (node.end, node.end, ")")
        draft = (0.3, "chain", (first, *pieces, last))
    yield draft


MOST_EXCHANGED = 4


def logical(program: Program) -> Drafts:
    """`&&` ↔ `||`, one or all, an operand dropped, negation added or removed, `=` meant as `==`."""
    for node in program.expressions:
        if node.type == "binary_expression" and program.operator(node) in ("&&", "||"):
            operator, place = program.operator(node), node.of("operator")
            yield one(1.0, "logical", (place.start, place.end, "||" if operator == "&&" else "&&"))
            for side in ("left", "right"):
                kept = node.of(side)
                yield one(1.9, "drop", program.put(node, program.of(kept), program.level(kept)))
            # a && b || c groups as (a && b) || c, which is not what everybody means.
            for side, other in (("left", "right"), ("right", "left")):
                inner = node.of(side)
                if inner.type == "binary_expression" and program.operator(inner) == "&&" and operator == "||":
                    near = inner.of(other)
                    first, last = sorted((near, node.of(other)), key=lambda child: child.start)
                    yield (1.7, "regroup", ((first.start, first.start, "("), (last.end, last.end, ")")))
        elif node.type == "unary_expression" and program.operator(node) == "!":
            inner = node.of("argument")
            yield one(1.3, "negation", program.put(node, program.of(inner), program.level(inner)))
    for condition in program.conditions:
        places = [
            node.of("operator")
            for node in condition.walk()
            if node.type == "binary_expression" and program.operator(node) in ("&&", "||")
        ]
        if len({program.of(place) for place in places}) == 2 and len(places) <= MOST_EXCHANGED:
            exchanged = {"&&": "||", "||": "&&"}
            pieces = sorted((place.start, place.end, exchanged[program.of(place)]) for place in places)
            yield (1.6, "logical", tuple(pieces))
        for node in condition.walk():
            if node.type == "assignment_expression" and program.operator(node) == "=":
                place = node.of("operator")
                yield one(0.4, "equality", (place.start, place.end, "=="))
        yield one(1.5, "negation", program.put(condition, f"!{program.wrap(condition, UNARY)}", UNARY))
        for value in ("1", "0"):
            yield one(2.4, "condition", program.put(condition, value))
    for statement in program.statements:
        inner_nodes = statement.inner()
        if statement.type == "expression_statement" and len(inner_nodes) == 1:
            node = strip(inner_nodes[0])
            if node.type == "binary_expression" and program.operator(node) == "==":
                place = node.of("operator")
                yield one(0.5, "equality", (place.start, place.end, "="))


def arithmetic(program: Program) -> Drafts:
    """`+ - * / %`, bitwise operators, assignment operators, `++` and `--`."""
    for node in program.expressions:
        match node.type:
            case "binary_expression":
                yield from _binary(program, node)
            case "assignment_expression":
                yield from _assignment(program, node)
            case "update_expression":
                yield from _update(program, node)
            case "unary_expression" if program.operator(node) in ("-", "+", "~"):
                inner = node.of("argument")
                yield one(1.7, "sign", program.put(node, program.of(inner), program.level(inner)))


def _binary(program: Program, node: Node) -> Drafts:
    operator, place = program.operator(node), node.of("operator")
    left, right = node.of("left"), node.of("right")
    if operator in ARITHMETIC:
        whole = program.type_of(left).integral and program.type_of(right).integral
        pointer = program.type_of(left).depth or program.type_of(right).depth
        for other in ARITHMETIC:
            if other == operator or (other == "%" and not whole) or (pointer and other not in "+-"):
                continue
            weight = 1.4 if operator in "+-" and other in "+-" else 1.6
            yield one(weight, "arithmetic", (place.start, place.end, other))
        for kept, weight in ((left, 2.1), (right, 2.3)):
            yield one(weight, "drop", program.put(node, program.of(kept), program.level(kept)))
        if left.type == "binary_expression" and program.operator(left) in ARITHMETIC:
            # x + y - z → x + z: the middle of a chain left out.
            yield one(2.2, "drop", (left.of("right").start, right.start, ""))
    if operator in ("-", "/", "%", "<<", ">>"):
        level = LEVEL[operator]
        swapped = f"{program.wrap(right, level)} {operator} {program.wrap(left, level + 1)}"
        yield one(1.9, "operands", program.put(node, swapped, level))
    for other in BITWISE.get(operator, ()):
        if program.type_of(left).numeric:
            yield one(1.5, "bitwise", (place.start, place.end, other))
    if operator in ("&&", "||"):
        yield one(2.4, "bitwise", (place.start, place.end, operator[0]))


def _assignment(program: Program, node: Node) -> Drafts:
    operator, place = program.operator(node), node.of("operator")
    if not program.type_of(node.of("left")).numeric:
        return
    whole = program.type_of(node.of("left")).integral and program.type_of(node.of("right")).integral
    for other in ("=", "+=", "-=", "*=", "/=", "%="):
        if other != operator and (whole or other != "%="):
            weight = 1.5 if {other, operator} in ({"=", "+="}, {"+=", "-="}) else 2.0
            yield one(weight, "assignment", (place.start, place.end, other))


def _update(program: Program, node: Node) -> Drafts:
    argument = node.of("argument")
    operator = program.operator(node)
    other = "--" if operator == "++" else "++"
    prefix = not node.children[0].named
    name = program.of(argument)
    place = node.of("operator")
    yield one(1.7, "update", (place.start, place.end, other))
    yield one(2.2, "update", program.put(node, f"{name} {operator[0]}= 2", ASSIGN))
    parent = node.parent
    if parent is not None and parent.type not in (
        "expression_statement",
        "for_statement",
        "comma_expression",
    ):
        moved = f"{name}{operator}" if prefix else f"{operator}{name}"
        yield one(1.5, "update", program.put(node, moved, UNARY))
        yield one(2.0, "update", program.put(node, name))
        if parent.type == "subscript_expression" and node.field == "index" and parent.field != "left":
            # count[i++] was to be count[i]++.
            array = program.of(parent.of("argument"))
            yield one(1.6, "update", program.put(parent, f"{array}[{name}]{operator}", UNARY))


def grouping(program: Program) -> Drafts:
    """`a+b/c` ↔ `(a+b)/c`, `f(x)/y` ↔ `f(x/y)`, `(double)(a/b)` ↔ `(double)a/b`."""
    for node in program.expressions:
        if node.type == "binary_expression":
            yield from _rotations(program, node)
            yield from _into_call(program, node)
        elif node.type == "call_expression":
            yield from _out_of_call(program, node)
        elif node.type == "cast_expression":
            yield from _casts_moved(program, node)
        elif node.type == "parenthesized_expression":
            inner = node.inner()
            parent = node.parent
            if (
                len(inner) == 1
                and parent is not None
                and parent.type in ("binary_expression", "cast_expression", "unary_expression")
                and program.level(inner[0]) < program.slot(node)
            ):
                yield (1.5, "regroup", ((node.start, node.start + 1, ""), (node.end - 1, node.end, "")))


def _rotations(program: Program, node: Node) -> Drafts:
    """Parentheses around a neighbour of an operator: other ways to group what stands side by side."""
    operator = program.operator(node)
    if operator not in ARITHMETIC and operator not in ("<<", ">>", "&", "|", "^"):
        return
    # The right edge of the left operand, at every depth: x*y+z → x*(y+z).
    child, right = node.of("left"), node.of("right")
    while child.type == "binary_expression" and program.operator(child) in LEVEL:
        inner = child.of("right")
        if program.operator(child) not in RELATIONAL and not _same_group(program.operator(child), operator):
            yield (1.6, "regroup", ((inner.start, inner.start, "("), (right.end, right.end, ")")))
        child = inner
    # The left edge of the right operand: x+y/z → (x+y)/z.
    left, child = node.of("left"), node.of("right")
    while child.type == "binary_expression" and program.operator(child) in LEVEL:
        inner = child.of("left")
        start = left
        if program.operator(child) not in RELATIONAL:
            yield (1.6, "regroup", ((start.start, start.start, "("), (inner.end, inner.end, ")")))
            # Only the last operand on the left: w*x+y/z → w*((x+y)/z) is rarer than its tail alone.
            if start.type == "binary_expression":
                tail = start.of("right")
                yield (1.9, "regroup", ((tail.start, tail.start, "("), (inner.end, inner.end, ")")))
        child = inner


def _same_group(upper: str, lower: str) -> bool:
    """(a + b) + c is a + (b + c) on numbers that do not overflow."""
    return (upper == lower and upper in "+*&|^") or (upper, lower) == ("+", "-")


def _into_call(program: Program, node: Node) -> Drafts:
    """`ceil(x)/y` → `ceil(x/y)`."""
    operator, left, right = program.operator(node), node.of("left"), node.of("right")
    if operator not in ARITHMETIC:
        return
    level = LEVEL[operator]
    call = strip(left)
    if call.type == "call_expression" and len(program.arguments(call)) == 1:
        inner = program.arguments(call)[0]
        if program.type_of(inner).numeric:
            body = f"{program.wrap(inner, level)}{operator}{program.wrap(right, level + 1)}"
            yield one(1.6, "regroup", program.put(node, f"{program.of(call.of('function'))}({body})"))
    call = strip(right)
    if call.type == "call_expression" and len(program.arguments(call)) == 1:
        inner = program.arguments(call)[0]
        if program.type_of(inner).numeric:
            body = f"{program.wrap(left, level)}{operator}{program.wrap(inner, level + 1)}"
            yield one(1.8, "regroup", program.put(node, f"{program.of(call.of('function'))}({body})"))


def _out_of_call(program: Program, node: Node) -> Drafts:
    """`ceil(x/y)` → `ceil(x)/y`."""
    arguments = program.arguments(node)
    if len(arguments) != 1 or not program.type_of(node).numeric:
        return
    inner = strip(arguments[0])
    if inner.type == "binary_expression" and program.operator(inner) in ARITHMETIC:
        operator = program.operator(inner)
        level, name = LEVEL[operator], program.of(node.of("function"))
        left, right = inner.of("left"), inner.of("right")
        if operator == "%" and program.type_of(node).floating:
            return
        out = f"{name}({program.of(left)}){operator}{program.wrap(right, level + 1)}"
        yield one(1.9, "regroup", program.put(node, out, level))
        out = f"{program.wrap(left, level)}{operator}{name}({program.of(right)})"
        yield one(1.9, "regroup", program.put(node, out, level))


def _casts_moved(program: Program, node: Node) -> Drafts:
    """A cast holds tighter than an operator: `(double)(a/b)` → `(double)a/b`, and back."""
    value = node.of("value")
    inner = strip(value)
    if inner is not value and inner.type == "binary_expression":
        yield (1.3, "cast", ((value.start, value.start + 1, ""), (value.end - 1, value.end, "")))
    parent = node.parent
    if parent is not None and parent.type == "binary_expression" and node.field == "left":
        right = parent.of("right")
        if program.operator(parent) in ARITHMETIC:
            yield (1.4, "cast", ((value.start, value.start, "("), (right.end, right.end, ")")))
    yield one(1.8, "cast", program.put(node, program.of(value), program.level(value)))


def ternaries(program: Program) -> Drafts:
    """Swapped or dropped branches of `?:`."""
    for node in program.expressions:
        if node.type != "conditional_expression":
            continue
        then, other = node.child("consequence"), node.of("alternative")
        if then is None:
            continue
        swapped = ((then.start, then.end, program.of(other)), (other.start, other.end, program.of(then)))
        yield (1.6, "ternary", swapped)
        for kept in (then, other):
            yield one(2.4, "ternary", program.put(node, program.of(kept), program.level(kept)))

"""Edits of operators: relational, logical, arithmetic, identity, membership, grouping, conditionals."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from learn2fix.languages.python.edits.names import MAPPING, NUMBER, SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.program import (
    AND,
    COMPARE,
    NOT,
    OR,
    PLUS,
    POWER,
    TIMES,
    Drafts,
    Program,
    one,
)

RELATIONAL = ("<", "<=", ">", ">=", "==", "!=")
NEIGHBOUR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
WORDS = {"is": "==", "is not": "!=", "in": "not in", "not in": "in"}
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
LIKELY = {("/", "//"), ("//", "/"), ("+", "-"), ("-", "+"), ("//", "%"), ("%", "//"), ("*", "+"), ("*", "**")}
BITWISE = {"&": ("|", "^", "and"), "|": ("&", "^", "or"), "^": ("&", "|", "**"), "<<": (">>",), ">>": ("<<",)}
NOT_COMMUTATIVE = ("-", "/", "//", "%", "**")


def relational(program: Program) -> Drafts:
    """`<` for `<=`, `is` for `==`, `in` for `not in`; each link of a chain by itself."""
    for node in program.expressions:
        if not isinstance(node, cst.Comparison):
            continue
        for link in node.comparisons:
            start, end = program.tree.span(link.operator)
            old = " ".join(program.of(link.operator).split())
            if old in WORDS:
                kind = "membership" if old.endswith("in") else "identity"
                yield one(1.0, kind, (start, end, WORDS[old]))
                if old.startswith("is"):
                    yield one(1.6, kind, (start, end, "is" if old == "is not" else "is not"))
                continue
            for other in RELATIONAL:
                if other == old:
                    continue
                weight = 1.0 if NEIGHBOUR[old] == other else 1.3 if OPPOSITE.get(old) == other else 1.7
                yield one(weight, "relational", (start, end, other))
            if old in ("==", "!=") and program.of(link.comparator) == "None":
                yield one(1.8, "identity", (start, end, "is" if old == "==" else "is not"))
            if old in ("==", "!=") and program.kind(link.comparator) in (SEQUENCE, MAPPING, UNKNOWN):
                yield one(2.3, "membership", (start, end, "in" if old == "==" else "not in"))
        yield from _chains(program, node)


def _chains(program: Program, node: cst.Comparison) -> Drafts:
    """A chain taken apart, shortened, or its outer ends exchanged."""
    if len(node.comparisons) < 2:
        return
    parts = [
        program.wrap(node.left, COMPARE + 1),
        *(program.wrap(c.comparator, COMPARE + 1) for c in node.comparisons),
    ]
    signs = [program.of(c.operator) for c in node.comparisons]
    links = [f"{a} {sign} {b}" for a, sign, b in zip(parts, signs, parts[1:], strict=False)]
    yield one(1.9, "chain", program.put(node, " or ".join(links), OR))
    for place in range(len(links)):
        kept = [link for index, link in enumerate(links) if index != place]
        yield one(2.0, "chain", program.put(node, " and ".join(kept), AND if len(kept) > 1 else COMPARE))
    if len(links) == 2:
        for first in (signs[0], NEIGHBOUR.get(signs[0], signs[0])):
            for second in (signs[1], NEIGHBOUR.get(signs[1], signs[1])):
                if (first != signs[0]) and (second != signs[1]):
                    text = f"{parts[0]} {first} {parts[1]} {second} {parts[2]}"
                    yield one(1.6, "chain", program.put(node, text, COMPARE))


def conditions(program: Program) -> list[cst.BaseExpression]:
    """Expressions whose truth decides something."""
    found = []
    for node in program.expressions:
        match program.tree.parent(node):
            case cst.If() | cst.While() | cst.CompIf() | cst.Assert():
                found.append(node)
            case cst.IfExp() as parent if node is parent.test:
                found.append(node)
            case cst.Return() if isinstance(node, cst.Comparison | cst.BooleanOperation):
                found.append(node)
            case cst.UnaryOperation() as parent if isinstance(parent.operator, cst.Not):
                found.append(node)
            case cst.BooleanOperation():
                found.append(node)
            case _:
                pass
    return found


def negated(program: Program, node: cst.BaseExpression) -> tuple[str, int]:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return program.wrap(node.expression, NOT), program.level(node.expression)
    return f"not {program.wrap(node, NOT)}", NOT


def logical(program: Program) -> Drafts:
    """`and` for `or`, a part dropped, `not` put in or taken out, `x == a or b` read as people mean it."""
    for node in program.expressions:
        match node:
            case cst.BooleanOperation():
                start, end = program.tree.span(node.operator)
                other = "or" if isinstance(node.operator, cst.And) else "and"
                yield one(1.1, "logical", (start, end, other))
                for kept in (node.left, node.right):
                    yield one(1.9, "drop", program.put(node, program.of(kept), program.level(kept)))
                if isinstance(node.left, cst.BooleanOperation) and not node.left.lpar:
                    # a or b and c  ↔  (a or b) and c
                    yield from _regrouped(program, node, node.left)
                if isinstance(node.right, cst.BooleanOperation) and not node.right.lpar:
                    left_start = program.tree.outer(node.left)[0]
                    inner_end = program.tree.outer(node.right.left)[1]
                    yield 1.6, "regroup", ((left_start, left_start, "("), (inner_end, inner_end, ")"))
                yield from _meant(program, node)
            case cst.UnaryOperation() if isinstance(node.operator, cst.Not):
                yield one(
                    1.3,
                    "negation",
                    program.put(node, program.of(node.expression), program.level(node.expression)),
                )
                inner = node.expression
                if isinstance(inner, cst.BooleanOperation):
                    # not (a and b): the `not` was meant for the first part alone
                    first = program.wrap(inner.left, NOT)
                    rest = f"{program.of(inner.operator)} {program.wrap(inner.right, AND)}"
                    yield one(2.0, "negation", program.put(node, f"not {first} {rest}", OR))
    for node in conditions(program):
        text, level = negated(program, node)
        if not isinstance(node, cst.UnaryOperation):
            yield one(1.5, "negation", program.put(node, text, level))
        if not isinstance(program.tree.parent(node), cst.BooleanOperation | cst.UnaryOperation):
            for value in ("True", "False"):
                if program.of(node) not in ("True", "False"):
                    yield one(2.4, "condition", program.put(node, value))


def _regrouped(program: Program, node: cst.BooleanOperation, left: cst.BooleanOperation) -> Drafts:
    right_end = program.tree.outer(node.right)[1]
    inner = program.tree.outer(left.right)[0]
    yield 1.6, "regroup", ((inner, inner, "("), (right_end, right_end, ")"))


def _meant(program: Program, node: cst.BooleanOperation) -> Drafts:
    """`x == 1 or 2` → `x == 1 or x == 2`, and as `x in (1, 2)`."""
    left, right = node.left, node.right
    if isinstance(left, cst.BooleanOperation):
        left = left.right
    if isinstance(left, cst.Comparison) and not isinstance(right, cst.Comparison | cst.BooleanOperation):
        link = left.comparisons[-1]
        sides = program.wrap(left.left, COMPARE + 1), program.wrap(right, COMPARE + 1)
        text = f"{sides[0]} {program.of(link.operator)} {sides[1]}"
        yield one(1.2, "logical", program.put(right, text, COMPARE))


def arithmetic(program: Program) -> Drafts:
    """Another operator, operands exchanged, one of them dropped; the same for augmented assignments."""
    for node in program.nodes:
        match node:
            case cst.BinaryOperation():
                yield from _binary(program, node)
            case cst.AugAssign():
                yield from _augmented(program, node)
            case cst.Assign() if len(node.targets) == 1:
                yield from _plain(program, node)
            case cst.UnaryOperation() if isinstance(node.operator, cst.Minus):
                inner = node.expression
                yield one(1.6, "sign", program.put(node, program.of(inner), program.level(inner)))
            case _:
                pass


def _binary(program: Program, node: cst.BinaryOperation) -> Drafts:
    start, end = program.tree.span(node.operator)
    old = program.of(node.operator)
    left, right = program.kind(node.left), program.kind(node.right)
    for other in BITWISE.get(old, ()):
        yield one(1.6, "bitwise", (start, end, other))
    level = program.level(node)
    textual = TEXT in (left, right) or SEQUENCE in (left, right)
    if old in ARITHMETIC and not (textual and old in ("+", "%", "*")):
        for other in ARITHMETIC:
            if other == old:
                continue
            weight = 1.1 if (old, other) in LIKELY else 1.6
            new_level = PLUS if other in "+-" else POWER if other == "**" else TIMES
            if new_level == level:
                yield one(weight, "arithmetic", (start, end, other))
            else:
                # The operands keep together as they are read now.
                text = _joined(program, node.left, other, node.right, new_level)
                yield one(weight, "arithmetic", program.put(node, text, new_level))
    if old in NOT_COMMUTATIVE or textual:
        yield one(
            1.7, "operands", program.put(node, _joined(program, node.right, old, node.left, level), level)
        )
    for kept, weight in ((node.left, 1.9), (node.right, 2.0)):
        yield one(weight, "drop", program.put(node, program.of(kept), program.level(kept)))
    yield from _grouping(program, node)


def _joined(program: Program, one_side: cst.CSTNode, sign: str, other_side: cst.CSTNode, level: int) -> str:
    left = program.wrap(one_side, level + 1 if level == POWER else level)
    right = program.wrap(other_side, level if level == POWER else level + 1)
    return f"{left} {sign} {right}"


def _grouping(program: Program, node: cst.BinaryOperation) -> Drafts:
    """`a + b * c` ↔ `(a + b) * c`, `a / b * c` → `a / (b * c)`."""
    tree = program.tree
    left, right = node.left, node.right
    if isinstance(right, cst.BinaryOperation):
        if not right.lpar:
            start = tree.outer(left)[0]
            inner: cst.BaseExpression = right
            while isinstance(inner, cst.BinaryOperation) and not inner.lpar:
                end = tree.outer(inner.left)[1]
                yield 1.5, "regroup", ((start, start, "("), (end, end, ")"))
                inner = inner.left
        elif len(right.lpar) == 1:
            (s, _), (_, e) = tree.span(right.lpar[0]), tree.span(right.rpar[0])
            inner_start, inner_end = tree.span(right)
            yield 1.5, "regroup", ((s, inner_start, ""), (inner_end, e, ""))
    if isinstance(left, cst.BinaryOperation):
        if not left.lpar:
            start, end = tree.outer(left.right)[0], tree.outer(right)[1]
            yield 1.6, "regroup", ((start, start, "("), (end, end, ")"))
        elif len(left.lpar) == 1:
            (s, _), (_, e) = tree.span(left.lpar[0]), tree.span(left.rpar[0])
            inner_start, inner_end = tree.span(left)
            yield 1.5, "regroup", ((s, inner_start, ""), (inner_end, e, ""))


def _augmented(program: Program, node: cst.AugAssign) -> Drafts:
    start, end = program.tree.span(node.operator)
    old = program.of(node.operator)
    textual = program.kind(node.value) in (TEXT, SEQUENCE)
    for sign in ("+", "-", "*", "/", "//", "%", "**"):
        if f"{sign}=" != old and not textual:
            weight = 1.2 if (old[:-1], sign) in LIKELY else 1.8
            yield one(weight, "assignment", (start, end, f"{sign}="))
    yield one(1.5, "assignment", (start, end, "="))
    if old in ("+=", "-=", "/=", "//="):
        target, value = program.of(node.target), program.wrap(node.value, PLUS)
        if old == "+=" and not textual:
            return
        yield one(2.0, "operands", (*program.tree.span(node), f"{target} = {value} {old[:-1]} {target}"))


def _plain(program: Program, node: cst.Assign) -> Drafts:
    """`x = y` where `x += y` was meant: only when x has a value already."""
    target = node.targets[0]
    if not isinstance(target.target, cst.Name | cst.Subscript | cst.Attribute):
        return
    if isinstance(target.target, cst.Name) and target.target.value not in program.visible(node):
        return
    sign = program.tree.span(target)[1]
    value = program.tree.outer(node.value)[0]
    kinds: Sequence[str] = ("+", "-", "*")
    if program.kind(node.value) in (TEXT, SEQUENCE):
        kinds = ("+",)
    value_text, target_text = program.of(node.value), program.of(target.target)
    if program.kind(node.value) in (NUMBER, UNKNOWN) and not isinstance(node.value, cst.Integer | cst.Tuple):
        # A best so far that forgets what it was.
        for function in ("max", "min"):
            yield one(1.7, "clamp", program.put(node.value, f"{function}({target_text}, {value_text})"))
    for word in kinds:
        yield one(1.6 if word == "+" else 2.1, "assignment", (sign, value, f" {word}= "))


def ternaries(program: Program) -> Drafts:
    for node in program.expressions:
        if isinstance(node, cst.IfExp):
            body, orelse = program.wrap(node.body, OR), program.wrap(node.orelse, OR)
            (a, b), (c, d) = program.tree.outer(node.body), program.tree.outer(node.orelse)
            yield 1.6, "ternary", ((a, b, orelse), (c, d, body))
            for kept in (node.body, node.orelse):
                yield one(2.4, "ternary", program.put(node, program.of(kept), program.level(kept)))

"""Whole formulas: special cases, mirrored terms, rounding to multiples, comparisons with their bounds."""

from __future__ import annotations

import re
from itertools import pairwise

from learn2fix.languages.c.edits.conditions import comparisons
from learn2fix.languages.c.edits.program import Drafts, Program, one
from learn2fix.languages.c.edits.terms import PLUS, TIMES, numbers, result
from learn2fix.languages.c.edits.values import needs_integer
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import (
    ARITHMETIC,
    ATOM,
    LEVEL,
    RELATIONAL,
    TERNARY,
    UNARY,
    parse_number,
    strip,
)


def special_cases(program: Program) -> Drafts:
    """E → X ? K : E, for what is assigned, returned or printed."""
    known = [text for text in program.known if re.fullmatch(r"-?\d{1,9}", text)][:4]
    for node in numbers(program):
        if not result(program, node) or node.type == "number_literal":
            continue
        last = program.wrap(node, TERNARY)
        values = dict.fromkeys(
            ["0", "1", "-1", "2", *known, *(leaf.text for leaf in program.leaves(node)[:4])]
        )
        own = program.of(node)
        for extra, text in comparisons(program, node, 60):
            for rank, value in enumerate(values):
                if value != own:
                    # A special case is one case, rarely a range.
                    cost = 3.4 + extra + 0.05 * rank + (0.0 if " == " in text else 0.05)
                    yield one(cost, "special case", program.put(node, f"{text} ? {value} : {last}", TERNARY))


def mirrored(program: Program) -> Drafts:
    """E → E ± E with one variable replaced by another, or by another ± 1 (a count less another)."""
    for node in numbers(program):
        if not result(program, node) or node.type != "binary_expression" or node.end - node.start > 40:
            continue
        own = program.of(node)
        names = {program.of(child): child for child in node.walk() if child.type == "identifier"}
        leaves = [leaf for leaf in program.leaves(node)[:6] if leaf.text.isidentifier()]
        loose = program.wrap(node, PLUS)
        for name, child in names.items():
            if not program.type_of(child).numeric:
                continue
            for leaf in leaves:
                for text in (leaf.text, f"({leaf.text} - 1)", f"({leaf.text} + 1)"):
                    if text == name:
                        continue
                    copy = re.sub(rf"\b{re.escape(name)}\b", text, own)
                    for whole in (
                        f"{loose} - ({copy})",
                        f"{loose} + ({copy})",
                        f"({copy}) - {program.wrap(node, PLUS + 1)}",
                        f"{loose} - ({copy}) + 1",
                        f"({copy}) - {program.wrap(node, PLUS + 1)} + 1",
                    ):
                        yield one(3.4, "mirrored", program.put(node, whole, PLUS))


def multiples(program: Program) -> Drafts:
    """E → E / m * m, (E + m - 1) / m * m; E ± v ± 1."""
    for node in numbers(program):
        if not result(program, node) or node.type == "number_literal":
            continue
        loose, tight = program.wrap(node, PLUS), program.wrap(node, TIMES)
        for leaf in program.leaves(node)[:7]:
            for text in (f"{loose} - {leaf.text} + 1", f"{loose} + {leaf.text} - 1"):
                yield one(3.2, "sum", program.put(node, text, PLUS))
            if leaf.type.integral and program.type_of(node).integral:
                yield one(3.2, "multiple", program.put(node, f"{tight} / {leaf.text} * {leaf.text}", TIMES))
                text = f"({loose} + {leaf.text} - 1) / {leaf.text}"
                yield one(3.0, "round up", program.put(node, text, TIMES))
                yield one(3.2, "multiple", program.put(node, f"{text} * {leaf.text}", TIMES))


def bounds(program: Program) -> Drafts:
    """v < c → v <= c': operator and constant changed together; a tolerance for real numbers."""
    for node in program.expressions:
        if node.type != "binary_expression" or program.operator(node) not in RELATIONAL:
            continue
        operator, place = program.operator(node), node.of("operator")
        left, right = node.of("left"), node.of("right")
        if program.type_of(left).floating or program.type_of(right).floating:
            body = program.wrap(right, PLUS)
            for tolerance in ("1e-9", "1e-6", "1e-12"):
                for sign in "+-":
                    yield one(2.0, "tolerance", program.put(right, f"{body} {sign} {tolerance}", PLUS))
        if right.type != "number_literal":
            continue
        word = program.of(right)
        value = parse_number(word)
        near = [] if value is None else [str(value + step) for step in (1, -1, 2, -2)]
        texts = dict.fromkeys([*near, *program.constants, *program.known[:12]])
        for other in RELATIONAL:
            if other == operator:
                continue
            for text in texts:
                if text != word:
                    pieces = (
                        (place.start, place.end, other),
                        program.put(right, text, UNARY if text[0] == "-" else ATOM),
                    )
                    yield (3.0, "bound", pieces)


def loops(program: Program) -> Drafts:
    """for (i = 1; i <= n; …) ↔ for (i = 0; i < n; …)."""
    for node in program.statements:
        if node.type != "for_statement":
            continue
        start, condition = node.child("initializer"), node.child("condition")
        if start is None or condition is None or condition.type != "binary_expression":
            continue
        first = next(
            (child for child in reversed(list(start.walk())) if child.type == "number_literal"), None
        )
        value = parse_number(program.of(first)) if first is not None else None
        operator, place = program.operator(condition), condition.of("operator")
        shift = {"<": ("<=", 1), "<=": ("<", -1), ">": (">=", -1), ">=": (">", 1)}.get(operator)
        if first is None or value is None or shift is None:
            continue
        pieces = ((first.start, first.end, str(value + shift[1])), (place.start, place.end, shift[0]))
        yield (1.9, "loop", pieces)


MORE_ITEMS = (1, 2, 3, 4, 6, 10)


def tables(program: Program) -> Drafts:
    """A number missing from a list, or one too many."""
    for node in program.nodes:
        if node.type != "initializer_list":
            continue
        items = node.inner()
        if not 2 < len(items) <= 300 or any(item.type != "number_literal" for item in items):
            continue
        values = [parse_number(program.of(item)) for item in items]
        sorted_up = all(a is not None and b is not None and a <= b for a, b in pairwise(values))
        last = program.of(items[-1])
        if last == program.of(items[-2]):
            for more in MORE_ITEMS:
                yield one(2.5, "table", (items[-1].end, items[-1].end, f", {last}" * more))
        for index, item in enumerate(items):
            value = values[index]
            following = values[index + 1] if index + 1 < len(values) else None
            texts: dict[str, None] = {}
            if value is not None and following is not None and sorted_up and following - value <= 12:
                texts |= dict.fromkeys(str(between) for between in range(value + 1, following))
            elif value is not None and sorted_up:
                texts |= dict.fromkeys(str(value + step) for step in (1, 2, 4, 6))
            else:
                texts |= dict.fromkeys(("0", "1"))
            texts |= dict.fromkeys(program.known[:6])
            for text in texts:
                yield one(2.6, "table", (item.end, item.end, f", {text}"))
            end = items[index + 1].start if index + 1 < len(items) else item.end
            yield one(2.7, "table", (item.start, end, ""))


def digits(program: Program) -> Drafts:
    """A digit of a number mistyped, missing or too many."""
    for node in program.nodes:
        if node.type != "number_literal" or program.in_table(node):
            continue
        word = program.of(node)
        if not re.fullmatch(r"\d{1,7}", word):
            continue
        texts = {word + digit for digit in "0123456789"}
        if len(word) > 1:
            for index in range(len(word)):
                texts |= {word[:index] + digit + word[index + 1 :] for digit in "0123456789"}
                texts.add(word[:index] + word[index + 1 :])
        for text in sorted(texts):
            if text != word and (text == "0" or text[0] != "0"):
                yield one(3.0, "digit", (node.start, node.end, text))


def regrouped(program: Program) -> Drafts:
    """Parentheses moved: (a * b) / c → a * (b / c); a / (b * c) → a / b / c."""
    for node in program.expressions:
        if node.type != "binary_expression" or program.operator(node) not in ARITHMETIC:
            continue
        operator, left, right = program.operator(node), node.of("left"), node.of("right")
        inner = strip(left)
        if inner is not left and inner.type == "binary_expression" and program.operator(inner) in ARITHMETIC:
            first, second = inner.of("left"), inner.of("right")
            tail = f"({program.of(second)} {operator} {program.of(right)})"
            text = f"{program.of(first)} {program.operator(inner)} {tail}"
            yield one(1.8, "regroup", program.put(node, text, LEVEL[program.operator(inner)]))
        inner = strip(right)
        if inner is not right and inner.type == "binary_expression" and program.operator(inner) in ARITHMETIC:
            first, second = inner.of("left"), inner.of("right")
            head = f"({program.of(left)} {operator} {program.of(first)})"
            text = f"{head} {program.operator(inner)} {program.of(second)}"
            yield one(1.8, "regroup", program.put(node, text, LEVEL[program.operator(inner)]))
            if operator == "/" and program.operator(inner) == "*":
                parts = (program.wrap(left, TIMES), program.wrap(first, UNARY), program.wrap(second, UNARY))
                text = " / ".join(parts)
                yield one(1.8, "regroup", program.put(node, text, TIMES))


ROUNDING = ("ceil", "floor", "round", "trunc", "sqrt", "fabs", "abs")


def absorbed(program: Program) -> Drafts:
    """What follows a call goes inside, or the other way round: ceil(x) / 2 * r → ceil(x / (2 * r))."""
    for call in program.calls:
        name = program.of(call.of("function"))
        arguments = program.arguments(call)
        if name not in ROUNDING or len(arguments) != 1:
            continue
        (inside,) = arguments
        node, text, grouped = call, program.wrap(inside, TIMES), ""
        while (
            (above := node.parent) is not None
            and above.type == "binary_expression"
            and program.operator(above) in ARITHMETIC
            and above.of("left").start == node.start
        ):
            operator, right = program.operator(above), program.of(above.of("right"))
            before, grouped = grouped, f"{grouped} {operator} {right}" if grouped else right
            text = f"{text if LEVEL[operator] == TIMES else program.of(inside)} {operator} {right}"
            yield one(2.0, "inside a call", program.put(above, f"{name}({text})", ATOM))
            first = program.operator(call.parent) if call.parent is not None else ""
            if before and first in "/-":
                whole = f"{program.wrap(inside, TIMES)} {first} ({grouped})"
                yield one(2.0, "inside a call", program.put(above, f"{name}({whole})", ATOM))
            node = above
        if inside.type == "binary_expression" and program.operator(inside) in ARITHMETIC:
            operator = program.operator(inside)
            text = f"{name}({program.of(inside.of('left'))}) {operator} {program.of(inside.of('right'))}"
            yield one(2.4, "outside a call", program.put(call, text, LEVEL[operator]))


def shifted(program: Program) -> Drafts:
    """E + M and E - M for large constants."""
    moduli = program.moduli[:6]
    for node in numbers(program):
        if node.type == "number_literal" or (
            needs_integer(program, node) and not _beside_remainder(program, node)
        ):
            continue
        loose = program.wrap(node, PLUS)
        for text in moduli:
            for operator in "+-":
                yield one(2.9, "sum", program.put(node, f"{loose} {operator} {text}", PLUS))


def _beside_remainder(program: Program, node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and parent.type == "binary_expression" and program.operator(parent) == "%"

"""Formulas with another value in scope: added, multiplied, compared with, put together anew."""

from __future__ import annotations

import re

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.conditions import comparisons, distance
from learn2fix.languages.c.edits.names import FOR_VARIABLE, numeric_uses
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.edits.terms import PART, PLUS, TIMES, computed, numbers, results
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ARITHMETIC, LEVEL, TERNARY, strip

MOST_LEAVES = 7
BESIDE_NUMBER = "beside a number"
TEST_RESULT, VARIABLE_RESULT, RANGE = "a value of a test as the result", "a variable as the result", "a range"


@once
def _places(program: Program) -> list[tuple[Node, tuple[str, ...]]]:
    """Values that another one may be put beside, and what makes that unusual."""
    found = []
    for node, whole in numbers(program):
        number = (BESIDE_NUMBER,) if node.type == "number_literal" else ()
        found.append((node, (*number, *(() if whole else PART))))
    return found


def _beside(program: Program, operators: str, level: int) -> Proposals:
    """Each value, an operator, and a small value in scope."""
    for node, traits in _places(program):
        body, fussy = program.wrap(node, level), program.needs_integer(node)
        whole = program.type_of(node).integral
        for leaf in program.leaves(node):
            for own in operators if leaf.type.integral or not fussy else ():
                if own != "%" or (whole and leaf.type.integral):
                    yield Unusual((program.put(node, f"{body} {own} {leaf.text}", level),), traits)


@operator(
    "variable added or subtracted",
    why="A formula lacks a term, or what is left of a variable was meant.",
    before="a = b * 2;",
    after="a = b * 2 + c;",
)
def variable_added_or_subtracted(program: Program) -> Proposals:
    yield from _beside(program, "+-", PLUS)
    for node, traits in _places(program):
        inside, fussy = program.of(node), program.needs_integer(node)
        for leaf in program.leaves(node) if PART[0] not in traits else ():
            if leaf.text != inside and (leaf.type.integral or not fussy):
                piece = program.put(node, f"{leaf.text} - {program.wrap(node, PLUS + 1)}", PLUS)
                yield Unusual((piece,), traits)


@operator(
    "variable multiplied by", why="A formula lacks a factor.", before="a = b + 2;", after="a = (b + 2) * c;"
)
def variable_multiplied_by(program: Program) -> Proposals:
    yield from _beside(program, "*/%", TIMES)


@operator(
    "large constant added",
    why="A remainder was to be kept from becoming negative.",
    before="b = 1007; a = c;",
    after="b = 1007; a = c + 1007;",
)
def large_constant_added(program: Program) -> Proposals:
    moduli = program.moduli[:6]
    for node, _ in computed(program) if moduli else ():
        if program.needs_integer(node) and not _beside_remainder(program, node):
            continue
        loose = program.wrap(node, PLUS)
        for text in moduli:
            for own in "+-":
                yield (program.put(node, f"{loose} {own} {text}", PLUS),)


def _beside_remainder(program: Program, node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and parent.type == "binary_expression" and program.operator(parent) == "%"


@once
def _replaceable(program: Program) -> list[Node]:
    """Results, and numbers that say more than 0, 1 or 2: what a formula of two values may stand for."""
    whole = set(map(id, results(program)))
    return [
        node
        for node, _ in numbers(program)
        if (id(node) in whole or (node.type == "number_literal" and program.of(node) not in ("0", "1", "2")))
        and not program.needs_integer(node)
        and node.type != "call_expression"
    ]


def _pairs(program: Program, node: Node) -> dict[str, tuple[str, ...]]:
    """Products and quotients of two values at hand (a*b, a/b, a%b, a/2, …) → what makes each unusual."""
    top = program.statement_of(node)
    near = {program.of(child) for child in top.walk() if child.type in ("identifier", "number_literal")}
    ranked = sorted(program.leaves(node), key=lambda leaf: len(distance(leaf, near)))[:MOST_LEAVES]
    chosen = [(leaf, distance(leaf, near)) for leaf in ranked]
    small = [t for t in program.constants if t in near and t not in ("0", "1", "2") and t[0] != "-"]
    if node.type == "number_literal":
        small = ["3", "4", *small]
    found: dict[str, tuple[str, ...]] = {}
    for first, far in chosen:
        for text in ["2", *small[:4]]:
            for own in "/*%" if first.type.integral else "/*":
                found.setdefault(f"{first.text} {own} {text}", far)
        for second, other in chosen:
            both = tuple(dict.fromkeys(far + other))
            if first.text <= second.text:
                found.setdefault(f"{first.text} * {second.text}", both)
            if first is not second:
                found.setdefault(f"{first.text} / {second.text}", both)
                if first.type.integral and second.type.integral:
                    found.setdefault(f"{first.text} % {second.text}", both)
    return found


@operator(
    "product of two values",
    why="A formula lacks a product or a quotient, or was to be one.",
    before="a = b - c;",
    after="a = b - c + a * b;",
)
def product_of_two_values(program: Program) -> Proposals:
    for node in _replaceable(program):
        loose = program.wrap(node, PLUS)
        for term, traits in _pairs(program, node).items():
            yield Unusual((program.put(node, term, TIMES),), traits)
            for own in "+-" if node.type != "number_literal" else "":
                yield Unusual((program.put(node, f"{loose} {own} {term}", PLUS),), traits)


@operator(
    "sum of two values for a value",
    why="A result, or a number, was to be a sum or a difference.",
    before="a = b * 5;",
    after="a = b - c;",
)
def sum_for_value(program: Program) -> Proposals:
    for node in _replaceable(program):
        leaves = program.leaves(node)[:MOST_LEAVES]
        for first in leaves:
            for second in leaves:
                if first is not second:
                    yield (program.put(node, f"{first.text} - {second.text}", PLUS),)
                    if first.text < second.text:
                        yield (program.put(node, f"{first.text} + {second.text}", PLUS),)


@operator(
    "variable and a step for a value",
    why="A result, or a number, was to be a variable plus or minus one or two.",
    before="a = b * 5;",
    after="a = c - 1;",
)
def variable_and_step_for_value(program: Program) -> Proposals:
    for node in _replaceable(program):
        for leaf in program.leaves(node)[:MOST_LEAVES]:
            for step in ("+ 1", "- 1", "+ 2", "- 2"):
                yield (program.put(node, f"{leaf.text} {step}", PLUS),)
    for node, symbol in numeric_uses(program):
        for leaf in () if program.is_target(node) else program.leaves(node)[:MOST_LEAVES]:
            if leaf.text != symbol.name and leaf.text.isidentifier():
                for step in ("+ 1", "- 1"):
                    yield Unusual((program.put(node, f"{leaf.text} {step}", PLUS),), FOR_VARIABLE)


@operator(
    "formula put together another way",
    why="The operands and operators are right, but not which belongs to which.",
    before="a = b / 2 * b + 1;",
    after="a = (b * b + 1) / 2;",
)
def formula_put_together_another_way(program: Program) -> Proposals:
    for node, whole in numbers(program):
        if node.type != "binary_expression" or not whole:
            continue
        leaves, operators = _flatten(program, node)
        if 3 <= len(leaves) <= 4 and all(own in ARITHMETIC for own in operators):
            for text, level in _formulas(tuple(leaves), tuple(operators)):
                yield (program.put(node, text, level),)


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
    for own in dict.fromkeys(operators):
        rest = list(operators)
        rest.remove(own)
        level = LEVEL[own]
        for mask in range(1, 2 ** len(leaves) - 1):
            left = tuple(leaf for index, leaf in enumerate(leaves) if mask >> index & 1)
            right = tuple(leaf for index, leaf in enumerate(leaves) if not mask >> index & 1)
            if own in "+*" and not mask & 1:
                continue
            for ops in _choose(rest, len(left) - 1):
                others = list(rest)
                for used in ops:
                    others.remove(used)
                for first, one_level in _formulas(left, ops):
                    for second, two_level in _formulas(right, tuple(others)):
                        a = first if one_level >= level else f"({first})"
                        b = second if two_level > level else f"({second})"
                        found.setdefault(f"{a} {own} {b}", level)
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


@operator(
    "special case",
    why="For some inputs the result is another one.",
    before="a = b / 2;",
    after="a = b == 1 ? 0 : b / 2;",
)
def special_case(program: Program) -> Proposals:
    known = [text for text in program.known if re.fullmatch(r"-?\d{1,9}", text)][:4]
    for node in results(program):
        if node.type == "number_literal":
            continue
        last, own = program.wrap(node, TERNARY), program.of(node)
        values: dict[str, tuple[str, ...]] = dict.fromkeys(("0", "1", "-1", "2"), ())
        for text in known:
            values.setdefault(text, (TEST_RESULT,))
        for leaf in program.leaves(node)[:4]:
            values.setdefault(leaf.text, (VARIABLE_RESULT,))
        for traits, condition in comparisons(program, node, 60):
            # A special case is one case, rarely a range.
            traits = traits if " == " in condition else (*traits, RANGE)
            for value, more in values.items():
                if value != own:
                    piece = program.put(node, f"{condition} ? {value} : {last}", TERNARY)
                    yield Unusual((piece,), (*traits, *more))


@operator(
    "distance with both ends",
    why="Of a range that is counted, both ends belong to it, or neither.",
    before="a = b;",
    after="a = b - c + 1;",
)
def distance_with_both_ends(program: Program) -> Proposals:
    for node in results(program):
        if node.type != "number_literal":
            loose = program.wrap(node, PLUS)
            for leaf in program.leaves(node)[:7]:
                for text in (f"{loose} - {leaf.text} + 1", f"{loose} + {leaf.text} - 1"):
                    yield (program.put(node, text, PLUS),)


@operator(
    "rounded to a multiple",
    why="A result was to be divided by a variable and rounded up, or rounded to a multiple of it.",
    before="a = b;",
    after="a = b / c * c;",
)
def rounded_to_multiple(program: Program) -> Proposals:
    for node in results(program):
        if node.type == "number_literal" or not program.type_of(node).integral:
            continue
        loose, tight = program.wrap(node, PLUS), program.wrap(node, TIMES)
        for name in [leaf.text for leaf in program.leaves(node)[:7] if leaf.type.integral]:
            up = f"({loose} + {name} - 1) / {name}"
            for text in (up, f"{tight} / {name} * {name}", f"{up} * {name}"):
                yield (program.put(node, text, TIMES),)

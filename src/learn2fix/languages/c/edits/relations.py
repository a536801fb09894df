"""Comparisons and what joins them: one operator for another, negation, `=` and `==`."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import combinations

from learn2fix.edits.catalogue import Change, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ARITHMETIC, LEVEL, LOOPS, RELATIONAL, UNARY, strip

LOOSER, STRICTER = {"<": "<=", ">": ">="}, {"<=": "<", ">=": ">"}
OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
NEGATED = {"==": "!=", "!=": "=="}
NEIGHBOUR = LOOSER | STRICTER
DUAL = {"&&": "||", "||": "&&"}
MOST_CHOSEN = 5
"""Number of operators of a condition up to which every choice of several is tried."""
ORDER, EQUALITY = ("an order for an equality",), ("an equality for an order",)
WHOLE_CONDITION, LOOP = ("every operator of a condition",), ("a loop that goes on while the opposite holds",)


def binary(program: Program, among: Container[str]) -> Iterator[tuple[Node, str]]:
    """Expressions with one of some operators, and the operator."""
    for node in program.expressions:
        if node.type == "binary_expression" and (found := program.operator(node)) in among:
            yield node, found


def instead(node: Node, text: str) -> Change:
    """Another operator."""
    place = node.of("operator")
    return ((place.start, place.end, text),)


def _together(program: Program, *swaps: Mapping[str, str]) -> Proposals:
    """All operators of a condition that are among some exchanged, or several of them where there are few."""
    for condition in program.conditions:
        nodes = [node for node in condition.walk() if node.type == "binary_expression"]
        for swap in swaps:
            places = [node.of("operator") for node in nodes if program.operator(node) in swap]
            most = len(places) if len(places) <= MOST_CHOSEN else 2
            for count in {len(places), *range(2, most)} if len(places) > 1 else ():
                for chosen in combinations(places, count):
                    change = tuple((place.start, place.end, swap[place.type]) for place in chosen)
                    yield Unusual(change, WHOLE_CONDITION)


def _repeats(node: Node) -> bool:
    """Whether it is the condition of a loop, or a part of it."""
    below = node
    for above in node.above():
        if above.type in LOOPS:
            return strip(above.of("condition")) is strip(below) if above.child("condition") else False
        if above.type not in ("binary_expression", "parenthesized_expression"):
            return False
        below = above
    return False


@operator(
    "comparison off by one",
    why="A bound was meant to be included, or not to be.",
    before="if (a < b) c = 1;",
    after="if (a <= b) c = 1;",
)
def comparison_off_by_one(program: Program) -> Proposals:
    for node, own in binary(program, RELATIONAL):
        if own in NEIGHBOUR:
            yield instead(node, NEIGHBOUR[own])
    yield from _together(program, LOOSER, STRICTER)


@operator(
    "another comparison",
    why="The smaller was taken for the larger, or two values were compared in another wrong way.",
    before="if (a < b) c = 1;",
    after="if (a > b) c = 1;",
)
def another_comparison(program: Program) -> Proposals:
    for node, own in binary(program, RELATIONAL):
        for other in RELATIONAL:
            if other not in (own, NEIGHBOUR.get(own)):
                traits: tuple[str, ...] = ()
                if own not in NEIGHBOUR:
                    traits = () if other in NEGATED else ORDER
                elif _repeats(node):
                    traits = () if other == "!=" else LOOP
                elif other in NEGATED:
                    traits = EQUALITY
                yield Unusual(instead(node, other), traits)
    yield from _together(program, OPPOSITE, NEGATED, NEGATED | DUAL)


@operator(
    "chained comparison",
    why="Comparisons in a chain compare a truth value; each two neighbours were meant.",
    before="if (1 < a < 5) c = 1;",
    after="if (1 < a && a < 5) c = 1;",
)
def chained_comparison(program: Program) -> Proposals:
    for node, _ in binary(program, RELATIONAL):
        parent = node.parent
        if parent is not None and _operator(program, parent) in RELATIONAL:
            continue
        chain: list[Node] = []
        left = node
        while _operator(program, left) in RELATIONAL:
            chain.append(left)
            left = left.of("left")
        if len(chain) < 2:
            continue
        pieces = [
            (upper.of("left").end, upper.of("left").end, f" && {program.of(upper.of('left').of('right'))}")
            for upper in reversed(chain[:-1])
        ]
        if program.slot(node) > LEVEL["&&"]:
            pieces = [(node.start, node.start, "("), *pieces, (node.end, node.end, ")")]
        yield tuple(pieces)


def _operator(program: Program, node: Node) -> str:
    return program.operator(node) if node.type == "binary_expression" else ""


@operator(
    "&& and || exchanged",
    why="Both conditions were asked for where one was enough, or the other way round.",
    before="if (a && b) c = 1;",
    after="if (a || b) c = 1;",
)
def connective_exchanged(program: Program) -> Proposals:
    for node, own in binary(program, DUAL):
        yield instead(node, DUAL[own])
    yield from _together(program, DUAL)


@operator(
    "|| grouped before &&",
    why="&& holds tighter than ||, which is not what everybody means.",
    before="if (a && b || c) c = 1;",
    after="if (a && (b || c)) c = 1;",
)
def or_grouped_before_and(program: Program) -> Proposals:
    for node, _ in binary(program, ("||",)):
        for side, other in (("left", "right"), ("right", "left")):
            inner = node.of(side)
            if _operator(program, inner) == "&&":
                near = inner.of(other)
                first, last = sorted((near, node.of(other)), key=lambda child: child.start)
                yield ((first.start, first.start, "("), (last.end, last.end, ")"))


@operator(
    "operand dropped",
    why="A formula has a term too many, or a condition a part too many.",
    before="if (a && b) c = 1;",
    after="if (a) c = 1;",
)
def operand_dropped(program: Program) -> Proposals:
    for node, own in binary(program, (*DUAL, *ARITHMETIC)):
        left, right = node.of("left"), node.of("right")
        for kept in (left, right):
            yield (program.put(node, program.of(kept), program.level(kept)),)
        if own in ARITHMETIC and _operator(program, left) in ARITHMETIC:
            # x + y - z → x + z: the middle of a chain left out.
            yield ((left.of("right").start, right.start, ""),)


@operator(
    "condition negated",
    why="The opposite was meant.",
    before="if (a > b) c = 1;",
    after="if (!(a > b)) c = 1;",
)
def condition_negated(program: Program) -> Proposals:
    for node in program.conditions:
        yield (program.put(node, f"!{program.wrap(node, UNARY)}", UNARY),)
    for node in program.expressions:
        if node.type == "unary_expression" and program.operator(node) == "!":
            inner = node.of("argument")
            yield (program.put(node, program.of(inner), program.level(inner)),)


@operator(
    "sum compared for each of its terms",
    why="Values that may make up for one another were each to be 0.",
    before="if (a + b == 0) c = 1;",
    after="if (a == 0 && b == 0) c = 1;",
)
def sum_compared_for_terms(program: Program) -> Proposals:
    for node, own in binary(program, NEGATED):
        terms = _terms(program, strip(node.of("left")))
        if len(terms) > 1 and program.of(node.of("right")) == "0":
            joined = " && " if own == "==" else " || "
            text = joined.join(f"{program.wrap(term, LEVEL[own] + 1)} {own} 0" for term in terms)
            yield (program.put(node, text, LEVEL[joined.strip()]),)


def _terms(program: Program, node: Node) -> list[Node]:
    """What a sum adds up; of anything else, that."""
    if _operator(program, node) == "+":
        return [*_terms(program, strip(node.of("left"))), node.of("right")]
    return [node]


@operator(
    "condition always or never true",
    why="What depends on a condition should always happen, or never.",
    before="if (a > b) c = 1;",
    after="if (1) c = 1;",
)
def condition_always_or_never(program: Program) -> Proposals:
    for node in program.conditions:
        for value in ("1", "0"):
            yield (program.put(node, value),)


@operator(
    "= and == mixed up",
    why="An assignment was written where a comparison was meant, or the other way round.",
    before="if (a = b) c = 1;",
    after="if (a == b) c = 1;",
)
def assignment_and_comparison_mixed_up(program: Program) -> Proposals:
    for condition in program.conditions:
        for node in condition.walk():
            if node.type == "assignment_expression" and program.operator(node) == "=":
                yield instead(node, "==")
    for statement in program.statements:
        inner = statement.inner() if statement.type == "expression_statement" else []
        if len(inner) == 1 and _operator(program, node := strip(inner[0])) == "==":
            yield instead(node, "=")


@operator(
    "comma for &&",
    why="Conditions behind commas are not asked: only the last one counts.",
    before="if (a > 1, b > 1) c = 1;",
    after="if (a > 1 && b > 1) c = 1;",
)
def comma_for_and(program: Program) -> Proposals:
    for condition in program.conditions:
        commas = [
            child
            for node in condition.walk()
            if node.type == "comma_expression"
            for child in node.children
            if child.type == ","
        ]
        for joined in (" &&", " ||") if commas else ():
            yield tuple((comma.start, comma.end, joined) for comma in commas)

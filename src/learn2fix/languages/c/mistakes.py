"""Mistakes that C programmers make: bugs to seed into correct programs (docs/experiments.md)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from learn2fix.edits.catalogue import Catalogue, Proposals
from learn2fix.edits.mistakes import mistakes
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.catalogue import CATALOGUE
from learn2fix.languages.c.edits.places import is_block_child, own, position, separator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS, READERS, WRITERS, parse_number, strip
from learn2fix.model import Candidate

MISTAKES: Catalogue[Program] = Catalogue("mistakes in c", CATALOGUE.framed)
mistake = MISTAKES.operator

EDGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "=="}
OPERATIONS = {"+": ("-",), "-": ("+",), "*": ("+",), "/": ("*", "%"), "%": ("/",)}
NARROWER = {"long long": "int", "double": "int", "float": "int", "long": "int"}
MOST_NAMES = 2
"""Variables that each one is confused with."""


def _reads_or_prints(program: Program, node: Node) -> bool:
    """Nobody forgets to read the input or to print the answer without noticing at once."""
    called = (inner for inner in node.walk() if inner.type == "call_expression")
    return any(program.of(call.of("function")) in READERS | WRITERS for call in called)


def _whole_statements(program: Program) -> Iterator[Node]:
    for node in own(program):
        if is_block_child(node) and not _reads_or_prints(program, node):
            yield node


@mistake(
    "statement forgotten",
    why="A counter is not counted, a value not kept.",
    before="a = 1; b = a + 1; return b;",
    after="a = 1; return b;",
)
def statement_forgotten(program: Program) -> Proposals:
    for node in _whole_statements(program):
        if node.type == "expression_statement" and program.of(node) != ";":
            yield ((node.start, node.end, ""),)


@mistake(
    "case forgotten",
    why="Nobody thought of it.",
    before="if (a == 0) return 1; return b / a;",
    after="return b / a;",
)
def case_forgotten(program: Program) -> Proposals:
    for node in _whole_statements(program):
        if node.type == "if_statement" and node.child("alternative") is None:
            yield ((node.start, node.end, ""),)


@mistake(
    "guard forgotten",
    why="What should happen sometimes happens always.",
    before="if (a > b) b = a;",
    after="b = a;",
)
def guard_forgotten(program: Program) -> Proposals:
    for node in _whole_statements(program):
        if node.type == "if_statement" and node.child("alternative") is None:
            yield ((node.start, node.end, program.of(node.of("consequence"))),)


@mistake(
    "else forgotten",
    why="The second branch is executed after the first.",
    before="if (a) b = 1; else b = 2;",
    after="if (a) b = 1; b = 2;",
)
def else_forgotten(program: Program) -> Proposals:
    for node in own(program):
        other = node.child("alternative") if node.type == "if_statement" else None
        if other is not None and other.inner() and is_block_child(node):
            yield ((other.start, other.inner()[0].start, ""),)


@mistake(
    "condition forgotten",
    why="Half of what must hold is not asked for.",
    before="if (a > 0 && b > 0) c = 1;",
    after="if (a > 0) c = 1;",
)
def condition_forgotten(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "binary_expression" and program.operator(node) in ("&&", "||"):
            for side in ("left", "right"):
                kept = node.of(side)
                yield (program.put(node, program.of(kept), program.level(kept)),)


def _comparisons(program: Program, others: dict[str, str]) -> Iterator[tuple[Node, str]]:
    for node in program.expressions:
        operator = node.child("operator")
        if node.type == "binary_expression" and operator is not None and operator.type in others:
            yield operator, others[operator.type]


@mistake("edge", why="The limit itself is on the wrong side.", before="if (a < b) c;", after="if (a <= b) c;")
def edge(program: Program) -> Proposals:
    for operator, other in _comparisons(program, EDGES):
        yield ((operator.start, operator.end, other),)


@mistake("turned round", why="Smaller for larger.", before="if (a < b) c;", after="if (a > b) c;")
def turned_round(program: Program) -> Proposals:
    for operator, other in _comparisons(program, TURNED):
        yield ((operator.start, operator.end, other),)


@mistake("negation forgotten", why="Found for not found.", before="if (!a) b = 1;", after="if (a) b = 1;")
def negation_forgotten(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "unary_expression" and program.operator(node) == "!":
            inner = node.of("argument")
            yield (program.put(node, program.of(inner), program.level(inner)),)


def _numbers(program: Program) -> Iterator[tuple[Node, int]]:
    for node in program.values:
        value = parse_number(program.of(node)) if node.type == "number_literal" else None
        if value is not None:
            yield node, value


@mistake("one off", why="Counted from the wrong end.", before="a = b + 2;", after="a = b + 3;")
def one_off(program: Program) -> Proposals:
    for node, value in _numbers(program):
        for other in (value + 1, value - 1):
            yield (program.put(node, str(other)),)


@mistake(
    "another number",
    why="Seven days, twelve months, sixty minutes: one for the other.",
    before="a = b * 10;",
    after="a = b * 5;",
)
def another_number(program: Program) -> Proposals:
    for node, value in _numbers(program):
        if value > 3:
            for other in (value // 2, value * 2, 10 * value):
                yield (program.put(node, str(other)),)


@mistake(
    "another start",
    why="The largest so far begins at nought, the product as well.",
    before="int s = t[0];",
    after="int s = 0;",
)
def another_start(program: Program) -> Proposals:
    for node in program.nodes:
        value = node.child("value") if node.type == "init_declarator" else None
        if node.type == "assignment_expression" and program.operator(node) == "=":
            value = node.child("right")
        if value is not None and program.type_of(value).numeric and not _reads_or_prints(program, value):
            for other in ("0", "1"):
                yield (program.put(value, other),)


@mistake(
    "another variable",
    why="One name for another.",
    before="a = b;",
    after="a = c;",
)
def another_variable(program: Program) -> Proposals:
    for node in program.values:
        if node.type != "identifier":
            continue
        name, kind = program.of(node), program.type_of(node)
        others = [
            symbol.name
            for symbol in program.variables(node.start)
            if symbol.name != name and symbol.type == kind and not symbol.dimensions and not symbol.pointers
        ]
        for other in dict.fromkeys(others[-MOST_NAMES:]):
            yield (program.put(node, other),)


@mistake("another operation", why="Plus for minus.", before="a = b + c;", after="a = b - c;")
def another_operation(program: Program) -> Proposals:
    for node in program.expressions:
        operator = node.child("operator")
        if node.type == "binary_expression" and operator is not None:
            for other in OPERATIONS.get(operator.type, ()):
                if other != "%" or not program.type_of(node).floating:
                    yield ((operator.start, operator.end, other),)


@mistake("not added up", why="Only the last one counts.", before="a += b;", after="a = b;")
def not_added_up(program: Program) -> Proposals:
    for node in program.nodes:
        operator = node.child("operator") if node.type == "assignment_expression" else None
        if operator is not None and operator.type != "=":
            yield ((operator.start, operator.end, "="),)


@mistake("wrong neighbour", why="The element beside.", before="a = t[b];", after="a = t[b + 1];")
def wrong_neighbour(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "subscript_expression":
            index = node.of("index")
            for step in (" + 1", " - 1"):
                yield ((index.start, index.end, program.of(index) + step),)


@mistake(
    "too narrow a type",
    why="What is large, or has a fraction, does not fit.",
    before="long long s = a;",
    after="int s = a;",
)
def too_narrow(program: Program) -> Proposals:
    for node in program.nodes:
        if node.field == "type" and node.parent is not None and node.parent.type == "declaration":
            other = NARROWER.get(program.of(node))
            # What scanf writes into must be as wide as its format says.
            if other is not None and not _is_read(program, node.parent):
                yield ((node.start, node.end, other),)


def _is_read(program: Program, declaration: Node) -> bool:
    names = {program.of(each) for each in declaration.walk() if each.type == "identifier"}
    return any(
        program.of(inner) in names
        for call in program.calls
        if program.of(call.of("function")) in READERS
        for inner in call.walk()
        if inner.type == "identifier"
    )


@mistake("cast forgotten", why="Divided as whole numbers.", before="x = (double)a / b;", after="x = a / b;")
def cast_forgotten(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "cast_expression":
            inner = node.of("value")
            yield (program.put(node, program.of(inner), program.level(inner)),)


@mistake("arguments exchanged", why="In the other order.", before="c = f(a, b);", after="c = f(b, a);")
def arguments_exchanged(program: Program) -> Proposals:
    for call in program.calls:
        if program.of(call.of("function")) not in READERS | WRITERS:
            given = program.arguments(call)
            for one, other in itertools.pairwise(given):
                yield (
                    (one.start, one.end, program.of(other)),
                    (other.start, other.end, program.of(one)),
                )


@mistake(
    "in the wrong order",
    why="Used before it is set, set after it was used.",
    before="a = b; b = c;",
    after="b = c; a = b;",
)
def wrong_order(program: Program) -> Proposals:
    for node in _whole_statements(program):
        beside, index = position(node)
        following = beside[index + 1] if index + 1 < len(beside) else None
        if following is not None and following.type == node.type == "expression_statement":
            yield (
                (node.start, node.end, program.of(following)),
                (following.start, following.end, program.of(node)),
            )


@mistake(
    "outside of its block",
    why="The closing brace stands a line too early.",
    before="while (a) { a--; b++; }",
    after="while (a) { a--; } b++;",
)
def outside_of_its_block(program: Program) -> Proposals:
    for node in _whole_statements(program):
        block = node.parent
        owner = block.parent if block is not None else None
        if owner is None or owner.type not in (*LOOPS, "if_statement") or not is_block_child(owner):
            continue
        beside, index = position(node)
        if index and index == len(beside) - 1:
            gap = separator(program, owner)
            yield ((node.start, node.end, ""), (owner.end, owner.end, gap + program.of(node)))


@mistake(
    "inside of the loop",
    why="The closing brace stands a line too late.",
    before="while (a) { a--; } b++;",
    after="while (a) { a--; b++; }",
)
def inside_of_the_loop(program: Program) -> Proposals:
    for node in own(program):
        body = node.child("body") if node.type in LOOPS else None
        if body is None or body.type != "compound_statement" or not is_block_child(node):
            continue
        beside, index = position(node)
        if index + 1 < len(beside) and beside[index + 1].type in ("expression_statement", "return_statement"):
            following = beside[index + 1]
            yield ((body.end - 1, body.end - 1, program.of(following)), (following.start, following.end, ""))


@mistake(
    "stops too soon",
    why="The loop ends with what was found first.",
    before="while (a) { if (b) { c++; } a--; }",
    after="while (a) { if (b) { c++; break; } a--; }",
)
def stops_too_soon(program: Program) -> Proposals:
    for node in own(program):
        inside = next((above for above in node.above() if above.type in LOOPS), None)
        if node.type != "if_statement" or inside is None:
            continue
        then = strip(node.of("consequence"))
        if then.type == "compound_statement":
            yield ((then.end - 1, then.end - 1, "break;"),)
        elif then.type == "expression_statement":
            yield ((then.start, then.end, f"{{ {program.of(then)} break; }}"),)


def mistakes_in(source: bytes, function: str | None) -> Iterator[Candidate]:
    """All of them; only in a function and what it calls, where one is named."""
    return mistakes(MISTAKES, Program(source, Hints(function=function)))

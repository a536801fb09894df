"""Statements inserted: jumps, assignments, steps, reads, copies of others."""

from __future__ import annotations

from itertools import permutations, product

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.conditions import NOT_NEARBY
from learn2fix.languages.c.edits.names import identifiers, renamed, twins
from learn2fix.languages.c.edits.places import (
    CONTROL,
    SIMPLE,
    Point,
    before_else,
    enclosing,
    is_block_child,
    is_body,
    jumps,
    own,
    points,
    returns,
    siblings,
    used,
)
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.edits.statements import WHOLE_BLOCK
from learn2fix.languages.c.edits.texts import escape
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import SCANNED
from learn2fix.languages.c.words import LOOPS, parse_number

LATER_RETURN = ("another value returned than the usual one",)
NOT_AFTER_BRANCH = ("not at the end of a branch",)
FOUR_LINES, SUM = "four lines away", "a sum"
JUMPS = ("break_statement", "continue_statement", "goto_statement", "return_statement")
PRINTS = ("printf", "puts", "putchar")
LONGEST_COPY = 120
LONGEST_ANSWER = 20
FARTHEST = 3
"""Beyond so many times four lines, a copy is not less likely."""


def _in_if(node: Node) -> bool:
    parent = node.parent
    if parent is not None and parent.type == "compound_statement":
        parent = parent.parent
    return parent is not None and parent.type in ("if_statement", "else_clause", "case_statement")


def _starts_loop(node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.parent is None:
        return False
    if is_body(node):
        return parent.type in LOOPS
    return parent.type == "compound_statement" and parent.parent.type in LOOPS and siblings(node)[0] is node


def _written_in(program: Program, top: Node) -> set[str]:
    return {program.of(node) for node in top.walk() if node.type == "identifier" and program.is_target(node)}


def _never_set(program: Program) -> set[str]:
    """Local scalars that nothing ever gives a value."""
    written = {name for body in program.bodies for name in _written_in(program, body)}
    return {
        symbol.name
        for symbol in program.scope.symbols
        if symbol.role in ("local", "global") and symbol.initial is None and symbol.name not in written
    }


@operator(
    "jump inserted",
    why="A loop or function was to be left here, mostly at the end of a branch.",
    before="while (a) { a--; if (b) { c = 1; } }",
    after="while (a) { a--; if (b) { c = 1; break; } }",
)
def jump_inserted(program: Program) -> Proposals:
    for point in points(program):
        traits = () if point.after and _in_if(point.node) else NOT_AFTER_BRANCH
        ways = ["break;", "continue;"] if enclosing(point.node, LOOPS) is not None else []
        if not ways and enclosing(point.node, ("switch_statement",)) is not None:
            ways = ["break;"]
        for text in ways:
            yield Unusual(point.insert(text), traits)
        for index, text in enumerate(returns(program, point.node)):
            yield Unusual(point.insert(text), traits + LATER_RETURN if index else traits)


def _variables(program: Program, point: Point) -> list[tuple[Symbol, tuple[str, ...]]]:
    """Numbers in scope, and what makes each unusual at a point."""
    return [
        (symbol, () if symbol.name in point.names else (NOT_NEARBY,))
        for symbol in program.variables(point.node.start)
        if symbol.name != "argc"
    ]


@operator(
    "variable reset at the start of a loop",
    why="A count or sum of each round goes on from the round before.",
    before="while (a) { a--; b++; }",
    after="while (a) { b = 0; a--; b++; }",
)
def variable_reset(program: Program) -> Proposals:
    for point in points(program):
        loop = enclosing(point.node, LOOPS)
        if loop is not None and not point.after and _starts_loop(point.node):
            written = _written_in(program, loop)
            for symbol, _ in _variables(program, point):
                for value in _first_values(program, symbol) if symbol.name in written else ():
                    yield point.insert(f"{symbol.name} = {value};")


def _first_values(program: Program, symbol: Symbol) -> list[str]:
    """What a variable may start with: 0, 1, and the number that it is declared with."""
    declared = program.of(symbol.initial) if symbol.initial is not None else ""
    return list(dict.fromkeys(["0", "1", *([declared] if parse_number(declared) is not None else [])]))


@operator(
    "variable set or stepped",
    why="A variable was to start anew, or a count was forgotten.",
    before="b = c;",
    after="b = c; a++;",
)
def variable_set_or_stepped(program: Program) -> Proposals:
    for point in points(program):
        for symbol, traits in _variables(program, point):
            for action in (" = 0;", " = 1;", "++;", "--;"):
                yield Unusual(point.insert(f"{symbol.name}{action}"), traits)


@operator(
    "element set or stepped",
    why="An element of an array, or a member, was to be marked, cleared or counted.",
    before="if (t[a] == 0) b++;",
    after="if (t[a] == 0) { b++; t[a] = 1; }",
)
def element_set_or_stepped(program: Program) -> Proposals:
    for point in points(program):
        for leaf in program.leaves(point.node):
            if leaf.text.isidentifier():
                continue
            near = leaf.text.replace(".", "[").replace("-", "[").partition("[")[0] in point.names
            for action in (" = 1;", " = 0;", "++;", "--;"):
                yield Unusual(point.insert(f"{leaf.text}{action}"), () if near else (NOT_NEARBY,))


@operator(
    "variable set to another",
    why="A value was to be kept for later, or to be added to a sum.",
    before="b = 1;",
    after="b = 1; a = b;",
)
def variable_set_to_another(program: Program) -> Proposals:
    for point in points(program):
        for (symbol, traits), (other, more) in permutations(_variables(program, point), 2):
            yield Unusual(point.insert(f"{symbol.name} = {other.name};"), traits + more)
            for own_operator in ("+=", "-="):
                text = f"{symbol.name} {own_operator} {other.name};"
                yield Unusual(point.insert(text), (*traits, *more, SUM))


@operator(
    "variable set to an element",
    why="What is worked out for each item was to start from that item.",
    before="while (t[a]) { b += t[a]; }",
    after="while (t[a]) { c = t[a]; b += t[a]; }",
)
def variable_set_to_an_element(program: Program) -> Proposals:
    for point in points(program):
        elements = [leaf for leaf in program.leaves(point.node) if not leaf.text.isidentifier()]
        for (symbol, traits), leaf in product(_variables(program, point), elements):
            if symbol.type.integral or not leaf.type.integral:
                yield Unusual(point.insert(f"{symbol.name} = {leaf.text};"), traits)


@operator(
    "missing read",
    why="A variable that nothing ever sets was to be read.",
    before="int n; a = n;",
    after='int n; scanf("%d", &n); a = n;',
)
def missing_read(program: Program) -> Proposals:
    missing = _never_set(program)
    for point in points(program) if missing else ():
        for symbol, _ in _variables(program, point):
            if symbol.name in missing:
                yield point.insert(f'scanf("{SCANNED[symbol.type.base]}", &{symbol.name});')


@operator(
    "line end printed",
    why="A line of output was to be ended here.",
    before='if (a) { printf("%d", b); }',
    after='if (a) { printf("%d", b); } printf("\\n");',
)
def line_end_printed(program: Program) -> Proposals:
    for point in points(program):
        if point.after or point.node.type in CONTROL:
            yield point.insert('printf("\\n");')


@operator(
    "blank printed",
    why="What is printed before and behind was to be kept apart.",
    before='while (a--) { printf("%d", b); }',
    after='while (a--) { printf("%d", b); printf(" "); }',
)
def blank_printed(program: Program) -> Proposals:
    for point in points(program):
        if enclosing(point.node, LOOPS) is not None:
            yield point.insert('printf(" ");')


@operator(
    "missing answer printed",
    why="A case ends without any output: what a test expects is printed there.",
    before='if (a) { printf("7"); }',
    after='if (a) { printf("7"); } printf("Impossible");',
)
def missing_answer_printed(program: Program) -> Proposals:
    texts = _missing_answers(program)
    for point in points(program) if texts else ():
        if point.after or point.node.type in CONTROL:
            for text in texts:
                yield point.insert(f'printf("{text}");')


def _missing_answers(program: Program) -> list[str]:
    """Texts that tests expect, as they stand in a literal: the only line of an answer, the first or the
    last."""
    outputs = [output.split("\n") for output in program.hints.expected[:4]]
    lines = dict.fromkeys(line for output in outputs for line in output[-1:])
    lines |= dict.fromkeys(f"{output[0]}\n" for output in outputs if len(output) > 1)
    return [text for text in map(escape, lines) if 0 < len(text) <= LONGEST_ANSWER]


@operator(
    "else added",
    why="A loop or function was to be left, or a variable to change, when the condition does not hold.",
    before="if (a > b) c = 1;",
    after="if (a > b) c = 1; else c = 0;",
)
def else_added(program: Program) -> Proposals:
    for node in program.statements:
        if node.type != "if_statement" or node.child("alternative") is not None or before_else(node):
            continue
        for jump in jumps(program, node, 1):
            yield ((node.end, node.end, f" else {jump}"),)
        names = used(program, node)
        for symbol in program.variables(node.start):
            traits = () if symbol.name in names else (NOT_NEARBY,)
            for action in (" = 0", " = 1", "++", "--"):
                yield Unusual(((node.end, node.end, f" else {symbol.name}{action};"),), traits)


@operator(
    "answer printed by an else",
    why="What is to be printed when the condition does not hold was forgotten.",
    before='if (a) { printf("7"); }',
    after='if (a) { printf("7"); } else printf("Impossible");',
)
def answer_printed_by_else(program: Program) -> Proposals:
    said = dict.fromkeys(program.of(node) for node in program.statements if _says_one_thing(program, node))
    printed = [*(f'printf("{text}");' for text in _missing_answers(program)), *said]
    for node in program.statements:
        if node.type == "if_statement" and node.child("alternative") is None and not before_else(node):
            for text in printed:
                yield ((node.end, node.end, f" else {text}"),)


def _says_one_thing(program: Program, node: Node) -> bool:
    """Whether a statement prints a text, and nothing that depends on anything."""
    call = node.inner()[0] if node.type == "expression_statement" and node.inner() else None
    if call is None or call.type != "call_expression" or program.of(call.of("function")) not in PRINTS:
        return False
    return [argument.type for argument in program.arguments(call)] == ["string_literal"]


@operator(
    "statement repeated with another variable",
    why="What is done with one of two alike variables was to be done with the other one as well.",
    before="int u[9]; t[a] = 0;",
    after="int u[9]; t[a] = 0; u[a] = 0;",
)
def statement_repeated(program: Program) -> Proposals:
    for node in filter(is_block_child, own(program)):
        if node.end - node.start > LONGEST_COPY or node.type in JUMPS:
            continue
        uses = identifiers(program, node)
        for name, places in uses.items():
            symbol = program.scope.find(name, places[0].start)
            if symbol is None or symbol.role == "function" or node.start <= symbol.begin < node.end:
                continue
            for other in twins(program, symbol, node):
                if other not in uses:
                    yield ((node.end, node.end, f" {renamed(program, node, places, other)}"),)


@operator(
    "statement copied",
    why="What is done elsewhere in the function was to be done here as well.",
    before="a = b; while (c) { c--; }",
    after="a = b; while (c) { c--; a = b; }",
)
def statement_copied(program: Program) -> Proposals:
    by_function: dict[int, list[Node]] = {}
    for node in own(program):
        function = program.body_of(node)
        if function is not None and node.end - node.start <= LONGEST_COPY and program.of(node) != ";":
            by_function.setdefault(function.start, []).append(node)
    free = {id(node): program.free_names(node) for nodes in by_function.values() for node in nodes}
    for point in points(program):
        function = program.body_of(point.node)
        visible = {symbol.name for symbol in program.scope.visible(point.node.start)}
        in_loop = enclosing(point.node, LOOPS) is not None
        for node in by_function.get(function.start, []) if function is not None else []:
            text = program.of(node)
            if node.type in ("break_statement", "continue_statement", "goto_statement") or (
                not in_loop and ("break;" in text or "continue;" in text)
            ):
                continue
            if free[id(node)] <= visible:
                lines = abs(program.lines.at(node.start) - program.lines.at(point.node.start))
                traits = (FOUR_LINES,) * min(FARTHEST, lines // 4)
                yield Unusual(point.insert(text), traits if node.type in SIMPLE else traits + WHOLE_BLOCK)

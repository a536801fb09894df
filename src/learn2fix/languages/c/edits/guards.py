"""Statements that are done only sometimes: guards around them, jumps and bounds behind a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from learn2fix.edits.catalogue import Change, Proposals, Unusual
from learn2fix.edits.priors import priors
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.conditions import TERM, Comparison, comparisons
from learn2fix.languages.c.edits.insertions import LONGEST_ANSWER
from learn2fix.languages.c.edits.places import (
    SIMPLE,
    before_else,
    is_block_child,
    is_body,
    jumps,
    near_points,
    own,
    points,
)
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.edits.statements import WHOLE_BLOCK
from learn2fix.languages.c.edits.texts import escape
from learn2fix.languages.c.tree import Node
from learn2fix.model import Candidate, Edit

TERM_COMPARED = (TERM,)
LONGEST_TERM, MOST_TERMS = 20, 3
MOST_CASES = 80
MOST_GUARDS = 100
INSERTED = re.compile(rb"(\s*)((?!if\b|else\b|while\b|for\b)[^;{}]+;)(\s*)")
"""A simple statement, as it is put between others."""
BY_VARIABLE = ("bounded by a variable",)
SEVERAL = re.compile(r"-?[\d.]+( +-?[\d.]+)+ *")
SEVERAL_NUMBERS = ("a number as text",)
"""Where an answer is several numbers, they are rarely the same for a whole case."""


@operator(
    "statement guarded",
    why="A statement was to be done only sometimes.",
    before="a = b / c;",
    after="if (c != 0) a = b / c;",
)
def statement_guarded(program: Program) -> Proposals:
    for node in own(program):
        simple = node.type in SIMPLE
        if not simple and not is_block_child(node):
            continue
        # A dangling else would change its owner: the guard is put in braces.
        braces = is_body(node) and before_else(node)
        parts = _parts_not_zero(program, node) if simple else []
        for traits, text in (*comparisons(program, node, 120 if simple else 60), *parts):
            guard = f"if ({text}) "
            change: Change = ((node.start, node.start, guard),)
            if not simple:
                change = ((node.start, node.start, f"{guard}{{ "), (node.end, node.end, " }"))
            elif braces:
                change = ((node.start, node.start, f"{{ {guard}"), (node.end, node.end, " }"))
            yield Unusual(change, traits if simple else traits + WHOLE_BLOCK)


def _parts_not_zero(program: Program, node: Node) -> list[Comparison]:
    """Whether a remainder, quotient or difference that the statement is about is anything at all."""
    parts = [
        program.of(part)
        for part in node.walk()
        if part.type == "binary_expression"
        and program.operator(part) in ("%", "/", "-")
        and part.end - part.start <= LONGEST_TERM
        and program.type_of(part).integral
    ]
    plain = (text for text in dict.fromkeys(parts) if not any(mark in text for mark in ("++", "--", "\n")))
    return [(TERM_COMPARED, f"{text} != 0") for text in list(plain)[:MOST_TERMS]]


@operator(
    "guarded jump",
    why="A loop or function was to be left in some case.",
    before="while (a) { a -= b; }",
    after="while (a) { if (a < b) break; a -= b; }",
)
def guarded_jump(program: Program) -> Proposals:
    for point in points(program):
        ways = jumps(program, point.node, 2)
        for traits, text in comparisons(program, point.node, 60, point.names) if ways else ():
            for jump in ways:
                yield Unusual(point.insert(f"if ({text}) {jump}"), traits)


@operator(
    "answer of a case of its own",
    why="A case that needs no work was forgotten: what a test expects is printed, and that is all.",
    before="a = b / 2;",
    after='if (b == 0) { printf("Impossible"); return 0; } a = b / 2;',
)
def answer_of_a_case(program: Program) -> Proposals:
    main = program.functions.get("main")
    lines = dict.fromkeys(output for output in program.hints.expected[:4] if "\n" not in output)
    texts = [text for text in map(escape, lines) if 0 < len(text) <= LONGEST_ANSWER]
    for point in points(program) if main is not None and texts else ():
        if point.after or program.body_of(point.node) is not main:
            continue
        for traits, text in comparisons(program, point.node, MOST_CASES, point.names):
            for answer in texts:
                more = SEVERAL_NUMBERS if SEVERAL.fullmatch(answer) else ()
                yield Unusual(point.insert(f'if ({text}) {{ printf("{answer}"); return 0; }}'), traits + more)


@operator(
    "variable kept within bounds",
    why="A variable was not to become negative or to exceed another one, or was to come back into its range.",
    before="b = c;",
    after="b = c; if (b > a) b = a;",
)
def variable_kept_within_bounds(program: Program) -> Proposals:
    for point, symbol in near_points(program):
        name = symbol.name
        for bound in ("0", "1"):
            yield point.insert(f"if ({name} < {bound}) {name} = {bound};")
        yield point.insert(f"if ({name} < 0) {name} = -{name};")
        for other in program.variables(point.node.start):
            if other is symbol:
                continue
            bound = other.name
            texts = [f"if ({name} {relation} {bound}) {name} = {bound};" for relation in "<>"]
            if symbol.type.integral and other.type.integral:
                texts.append(f"if ({name} > {bound}) {name} %= {bound};")
            texts += [
                f"if ({name} {relation} {bound}) {name} = {bound} {sign} 1;"
                for relation, sign in ((">", "+"), ("<", "-"), (">=", "-"), ("<=", "+"))
            ]
            for text in (*texts, f"if ({name} < 0) {name} += {bound};"):
                yield Unusual(point.insert(text), BY_VARIABLE)


@operator(
    "variable kept below a modulus",
    why="A variable was to be kept below the modulus that the file uses.",
    before="b = c + 1007;",
    after="b = c + 1007; b %= 1007;",
)
def variable_kept_below_modulus(program: Program) -> Proposals:
    words = [word for word in program.moduli if word in program.macros or len(word) > 2]
    for point, symbol in near_points(program):
        for word in words if symbol.type.integral else ():
            yield point.insert(f"{symbol.name} %= {word};")
            yield point.insert(f"if ({symbol.name} < 0) {symbol.name} += {word};")


def guarded_insertions(program: Program, near: Sequence[Candidate]) -> list[Candidate]:
    """The statements that near misses insert, each behind a condition; the cheapest first.

    A forgotten statement is often one that is to be done only sometimes: done always, it is right on some
    of the answers.
    """
    starts = {node.start: node for node in reversed(program.statements)}
    ends = {node.end: node for node in program.statements}
    costs, found = priors("c"), []
    for candidate in near:
        edit = candidate.edits[0]
        inserted = INSERTED.fullmatch(edit.text)
        node = starts.get(edit.start) or ends.get(edit.start)
        if len(candidate.edits) > 1 or edit.start != edit.end or inserted is None or node is None:
            continue
        before, statement, after = inserted.groups()
        for traits, condition in comparisons(program, node, MOST_GUARDS):
            text = before + f"if ({condition}) ".encode("latin-1") + statement + after
            cost = candidate.cost + costs.guarded + sum(costs.traits[trait] for trait in traits)
            kind = f"{candidate.kind} + statement guarded"
            edits = (Edit(edit.start, edit.end, text),)
            found.append(Candidate(edits, kind, round(cost, 4)))
    return sorted(found, key=lambda each: each.cost)

"""Statements put in: a step that was forgotten, a guard, an early way out."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator

import libcst as cst

from learn2fix.edits.catalogue import Piece, Proposals, Unusual
from learn2fix.languages.python.edits.atoms import REMOTE, atoms
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import CALLABLE, MAPPING, NUMBER, SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.program import Program, number
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import JUMPS, at_fault, small

SINGLE = (cst.Assign, cst.AugAssign, cst.Expr, *JUMPS)
Put = Callable[..., Piece]
RAISES = re.compile(r"⟨raises (?P<kind>\w+)(?:: (?P<message>.*))?⟩")
LONGEST_RAISE = 100
TABLES = (MAPPING, SEQUENCE, UNKNOWN)
MOST_RESULTS = 3
"""Each result of an early return goes with every condition, so there may be few."""


def places(program: Program) -> Iterator[tuple[Statement, Put]]:
    """Before every statement, and after the last of every block."""
    for node in at_fault(program):
        yield node, program.before
        if program.block(node)[-1:] == [node] and not isinstance(small(node), JUMPS):
            yield node, program.after


def _locals(program: Program, node: Statement) -> Iterator[tuple[str, str]]:
    """The variables of a function that have a value at a statement, and their types."""
    scope = program.scope(node)
    return ((name, scope.type(name)) for name in program.visible(node) if name in scope.bound)


def _once(program: Program, node: Statement) -> tuple[str, ...]:
    return () if program.loops(node) else ("not in a loop",)


@CATALOGUE.operator(
    "step of a counter put in",
    why="A counter is not counted.",
    before="def f(n):\n    i = 0\n    while i < n:\n        n -= 2\n    return i\n",
    after="def f(n):\n    i = 0\n    while i < n:\n        n -= 2\n        i += 1\n    return i\n",
)
def counter_put_in(program: Program) -> Proposals:
    for node, put in places(program):
        for name, kind in _locals(program, node):
            if kind == NUMBER:
                for sign in ("+=", "-="):
                    yield Unusual((put(node, f"{name} {sign} 1"),), _once(program, node))


def _assignable(program: Program, node: Statement) -> Iterator[tuple[str, str, str]]:
    """Variables with others that they may be set to, and their type."""
    parameters = program.scope(node).parameters
    looped = bool(program.loops(node))
    for name, kind in _locals(program, node):
        for other in program.visible(node):
            other_kind = program.name_type(other, node)
            same = kind == other_kind and kind != UNKNOWN
            if (
                other != name
                and name not in parameters
                and (same or (looped and UNKNOWN in (kind, other_kind)))
            ):
                yield name, other, kind


@CATALOGUE.operator(
    "assignment put in",
    why="A variable is not brought up to date.",
    before="def f(xs):\n    last = 0\n    for x in xs:\n        print(last)\n    return last\n",
    after=(
        "def f(xs):\n    last = 0\n    for x in xs:\n        print(last)\n        last = x\n    return last\n"
    ),
)
def assignment_put_in(program: Program) -> Proposals:
    for node, put in places(program):
        for name, other, _ in _assignable(program, node):
            yield Unusual((put(node, f"{name} = {other}"),), _once(program, node))


@CATALOGUE.operator(
    "augmented assignment put in",
    why="A sum or product lacks a part.",
    before="def f(xs):\n    t = 0\n    for x in xs:\n        print(x)\n    return t\n",
    after="def f(xs):\n    t = 0\n    for x in xs:\n        print(x)\n        t += x\n    return t\n",
)
def augmented_assignment_put_in(program: Program) -> Proposals:
    for node, put in places(program):
        for name, other, kind in _assignable(program, node):
            if kind == NUMBER:
                for sign in ("+=", "-=", "*="):
                    yield (put(node, f"{name} {sign} {other}"),)


@CATALOGUE.operator(
    "what is missing added",
    why="An answer is off by an amount that a failing test shows; often in some cases only.",
    before="def f(a: int, b: int):\n    return b - a\n",
    after="def f(a: int, b: int):\n    b += 12\n    return b - a\n",
)
def what_is_missing_added(program: Program) -> Proposals:
    amounts = [number(each) for each in program.hints.missing if not -1 <= each <= 1][:MOST_RESULTS]
    for node, put in places(program) if amounts else ():
        for name, kind in _locals(program, node):
            if kind == NUMBER:
                for amount in amounts:
                    sign, size = ("-=", amount[1:]) if amount.startswith("-") else ("+=", amount)
                    yield (put(node, f"{name} {sign} {size}"),)


@CATALOGUE.operator(
    "remainder taken first",
    why="A number that goes round, such as an index, is not brought back into its range.",
    before="def f(xs: list, by: int):\n    return xs[by]\n",
    after="def f(xs: list, by: int):\n    by %= len(xs)\n    return xs[by]\n",
)
def remainder_taken_first(program: Program) -> Proposals:
    for node, put in places(program):
        numbers = [name for name, kind in _locals(program, node) if kind == NUMBER]
        many = [name for name, kind in _locals(program, node) if kind in (SEQUENCE, TEXT)]
        moduli = [text for text in program.numbers if text.isdigit() and int(text) > 1]
        for name in numbers:
            for other in (*(f"len({each})" for each in many), *(n for n in numbers if n != name), *moduli):
                yield (put(node, f"{name} %= {other}"),)


@CATALOGUE.operator(
    "item appended",
    why="An item is not put into its list.",
    before="def f(xs):\n    found = []\n    for x in xs:\n        print(x)\n    return found\n",
    after=(
        "def f(xs):\n    found = []\n    for x in xs:\n        print(x)\n        found.append(x)\n"
        "    return found\n"
    ),
)
def item_appended(program: Program) -> Proposals:
    for node, put in places(program):
        for name, kind in _locals(program, node):
            if kind == SEQUENCE:
                for other in program.visible(node):
                    if other != name and program.name_type(other, node) != CALLABLE:
                        yield (put(node, f"{name}.append({other})"),)


@CATALOGUE.operator(
    "items of a table put in",
    why="What a table says of the present item is not put into its list: a graph is not followed.",
    before=(
        "def f(graph, start):\n    todo = [start]\n    for node in todo:\n        print(node)\n"
        "    return todo\n"
    ),
    after=(
        "def f(graph, start):\n    todo = [start]\n    for node in todo:\n        print(node)\n"
        "        todo.extend(graph[node])\n    return todo\n"
    ),
)
def table_put_in(program: Program) -> Proposals:
    for node, put in places(program):
        if not program.loops(node):
            continue
        names = [(name, program.name_type(name, node)) for name in program.visible(node)]
        given = program.scope(node).parameters
        for table in (name for name, kind in names if name in given and kind in TABLES):
            for item, kind in names:
                if item != table and kind in (NUMBER, TEXT, UNKNOWN):
                    for name, holds in _locals(program, node):
                        if holds == SEQUENCE:
                            yield (put(node, f"{name}.extend({table}[{item}])"),)


@CATALOGUE.operator(
    "list or text put in order first",
    why="A list should be sorted, reversed or copied, or a text stripped or in one case, before it is used.",
    before="def f(xs: list):\n    return xs[0]\n",
    after="def f(xs: list):\n    xs.sort()\n    return xs[0]\n",
)
def put_in_order(program: Program) -> Proposals:
    for node, put in places(program):
        for name, kind in _locals(program, node):
            if kind == SEQUENCE:
                for method in ("sort", "reverse"):
                    yield (put(node, f"{name}.{method}()"),)
                for function in ("sorted", "list"):
                    yield (put(node, f"{name} = {function}({name})"),)
            if kind == TEXT:
                for method in ("strip", "lower", "upper"):
                    yield (put(node, f"{name} = {name}.{method}()"),)


@CATALOGUE.operator(
    "guard",
    why="A statement should be done only if something holds.",
    before="def f(a: int):\n    print(a)\n",
    after="def f(a: int):\n    if a > 0:\n        print(a)\n",
)
def guard(program: Program) -> Proposals:
    for node in at_fault(program):
        if isinstance(small(node), SINGLE):
            place, indent = program.lines(node), program.indent(node)
            body = program.shifted(node, indent + program.unit)
            for atom, traits in atoms(program, node):
                yield Unusual(((*place, f"{indent}if {atom}:{program.tree.newline}{body}"),), traits)


@CATALOGUE.operator(
    "early jump",
    why="A loop should end or go on before something is done.",
    before="def f(xs):\n    for x in xs:\n        print(x)\n",
    after="def f(xs):\n    for x in xs:\n        if not x:\n            break\n        print(x)\n",
)
def early_jump(program: Program) -> Proposals:
    for node in at_fault(program):
        if program.loops(node):
            for atom, traits in atoms(program, node):
                for jump in ("continue", "break"):
                    lines = (f"if {atom}:", f"{program.unit}{jump}")
                    yield Unusual((program.before(node, *lines),), traits)


@CATALOGUE.operator(
    "early return",
    why="A case should be settled before the rest is done.",
    before="def f(a):\n    print(a)\n    return 0\n",
    after="def f(a):\n    if not a:\n        return 0\n    print(a)\n    return 0\n",
)
def early_return(program: Program) -> Proposals:
    for node in at_fault(program):
        if program.owner(node) is not None:
            results = _results(program, node)
            for atom, traits in atoms(program, node):
                # With the likelier conditions only: there are very many.
                if traits != REMOTE:
                    for result in results:
                        lines = (f"if {atom}:", f"{program.unit}return {result}")
                        yield Unusual((program.before(node, *lines),), traits)


def _results(program: Program, node: Statement) -> list[str]:
    """What the function returns elsewhere and what is expected."""
    short = cst.Integer | cst.Float | cst.SimpleString | cst.List | cst.Name
    owner = program.owner(node)
    found: dict[str, None] = {}
    for inner in program.every(cst.Return):
        if isinstance(inner.value, short) and program.owner(inner) is owner:
            text = program.of(inner.value)
            if len(text) < 20 and "\n" not in text:
                found[text] = None
    for text in program.expected_literals((int, float, str, bool, type(None), list, tuple)):
        found[text] = None
    known = {*program.visible(node), "True", "False", "None"}
    return [text for text in found if not text.isidentifier() or text in known][:MOST_RESULTS]


TAKES = frozenset({"pop", "popleft", "popitem"})


@CATALOGUE.operator(
    "what is taken out compared",
    why="An item is taken out and thrown away where it should be asked whether it is the expected one.",
    before=(
        "PAIRS = {')': '('}\ndef f(text):\n    todo = ['(']\n    for c in text:\n        todo.pop()\n"
        "    return False\n"
    ),
    after=(
        "PAIRS = {')': '('}\ndef f(text):\n    todo = ['(']\n    for c in text:\n"
        "        if todo.pop() != PAIRS[c]:\n            return False\n    return False\n"
    ),
)
def what_is_taken_out_compared(program: Program) -> Proposals:
    for node in at_fault(program):
        match small(node):
            case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name(value=method))) as call):
                if method not in TAKES or program.owner(node) is None:
                    continue
            case _:
                continue
        names = [(name, program.name_type(name, node)) for name in program.visible(node)]
        items = [name for name, kind in names if kind in (NUMBER, TEXT, UNKNOWN)]
        tables = [name for name, kind in names if kind == MAPPING]
        for other in (*items, *(f"{table}[{item}]" for table in tables for item in items)):
            for result in _results(program, node):
                lines = (f"if {program.of(call)} != {other}:", f"{program.unit}return {result}")
                before = program.before(node, *lines)
                yield ((*program.lines(node), before[2]),)


@CATALOGUE.operator(
    "early raise",
    why="What cannot be done should be refused: an exception that is raised elsewhere, or was expected.",
    before="def f(a: int):\n    if a > 9:\n        raise ValueError\n    return a\n",
    after=(
        "def f(a: int):\n    if a < 0:\n        raise ValueError\n    if a > 9:\n        raise ValueError\n"
        "    return a\n"
    ),
)
def early_raise(program: Program) -> Proposals:
    for node in at_fault(program):
        if program.owner(node) is not None:
            raised = _raised(program)
            for atom, traits in atoms(program, node) if raised else ():
                if traits != REMOTE:
                    for text in raised:
                        yield Unusual((program.before(node, f"if {atom}:", program.unit + text),), traits)


def _raised(program: Program) -> list[str]:
    """Statements that raise what is expected, or what the functions raise already."""
    found: dict[str, None] = {}
    for text in program.hints.expected:
        told = RAISES.fullmatch(text)
        if told and (told["kind"] in vars(builtins) or told["kind"] in program.names.fields):
            message = f"({told['message']!r})" if told["message"] else ""
            found[f"raise {told['kind']}{message}"] = None
    for inner in program.every(cst.Raise):
        if inner.exc is not None and len(text := program.of(inner)) < LONGEST_RAISE and "\n" not in text:
            found[text] = None
    return list(found)[:MOST_RESULTS]

"""Edits of what functions return and are given: results, base cases, defaults."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import MAPPING, NUMBER, SEQUENCE, TEXT, TRUTH, UNKNOWN
from learn2fix.languages.python.edits.precedence import number_level
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import bodies, is_docstring, is_statement, small

CONSTANTS = ("0", "1", "-1", "None", "True", "False", "[]", "''")
UNLIKELY = ("a less likely base case",)


@CATALOGUE.operator(
    "return forgotten",
    why="A result is computed and not returned.",
    before="def f(a):\n    a + 1\n",
    after="def f(a):\n    return a + 1\n",
)
def return_forgotten(program: Program) -> Proposals:
    for node in program.statements:
        inner = small(node)
        if not isinstance(inner, cst.Expr) or isinstance(inner.value, cst.Yield | cst.Await):
            continue
        if not is_docstring(node) and program.owner(node) is not None:
            start = program.tree.span(node)[0]
            yield ((start, start, "return "),)


def _constants(program: Program) -> list[str]:
    kinds = (int, float, str, bool, type(None), list, tuple, dict)
    return list(dict.fromkeys([*CONSTANTS, *program.expected_literals(kinds)]))


@CATALOGUE.operator(
    "result for a bare return",
    why="A function returns early and without its result.",
    before="def f(a):\n    if a:\n        return\n    return 1\n",
    after="def f(a):\n    if a:\n        return a\n    return 1\n",
)
def result_for_a_bare_return(program: Program) -> Proposals:
    for node in program.every(cst.Return):
        if node.value is None:
            end = program.tree.span(node)[1]
            for text in (*program.visible(node), *_constants(program)):
                yield ((end, end, f" {text}"),)


@CATALOGUE.operator(
    "another result",
    why="A function returns something else than what it has computed.",
    before="def f(xs):\n    xs.sort()\n    return len(xs)\n",
    after="def f(xs):\n    xs.sort()\n    return xs\n",
)
def another_result(program: Program) -> Proposals:
    for node in program.every(cst.Return):
        if node.value is not None:
            if not isinstance(node.value, cst.Name):
                for name in program.visible(node):
                    yield (program.put(node.value, name),)
            for text in _constants(program):
                yield (program.put(node.value, text, number_level(text)),)


def _ends(program: Program) -> Iterator[Statement]:
    """The last statements of functions that end without a return."""
    for node in program.every(cst.FunctionDef):
        if isinstance(node.body, cst.IndentedBlock) and node.body.body:
            last = node.body.body[-1]
            returns = isinstance(small(last), cst.Return | cst.Raise)
            if is_statement(last) and program.own_lines(last) and not returns:
                yield last


@CATALOGUE.operator(
    "return at the end",
    why="A function ends without a result.",
    before="def f(a):\n    t = a + 1\n",
    after="def f(a):\n    t = a + 1\n    return t\n",
)
def return_at_the_end(program: Program) -> Proposals:
    for last in _ends(program):
        names = [name for name in program.scope(last).bound if name not in ("self", "cls")]
        inner = small(last)
        if isinstance(inner, cst.Assign) and "\n" not in program.of(inner.targets[0].target):
            names.insert(0, program.of(inner.targets[0].target))
        for text in (*names, *_constants(program)):
            yield (program.after(last, f"return {text}"),)


def _conditions(name: str, kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Cases that a function often has to treat first, and how unlikely they are."""
    if kind in (SEQUENCE, TEXT, MAPPING, UNKNOWN):
        yield f"not {name}", ()
        for rest in ("== 1", "<= 1", "< 2"):
            yield f"len({name}) {rest}", UNLIKELY
    if kind in (NUMBER, UNKNOWN):
        for rest in ("== 0", "<= 0", "< 0", "<= 1", "== 1", "< 2"):
            yield f"{name} {rest}", () if kind == NUMBER else UNLIKELY
    if kind == UNKNOWN:
        yield f"{name} is None", UNLIKELY
    if kind == TRUTH:
        yield name, UNLIKELY
        yield f"not {name}", UNLIKELY


def _simple_results(program: Program, function: cst.FunctionDef) -> list[str]:
    """Short constants that a function returns elsewhere."""
    literals = cst.Integer | cst.Float | cst.SimpleString | cst.List | cst.Tuple | cst.Dict
    found = []
    for node in program.every(cst.Return):
        if isinstance(node.value, literals) and program.owner(node) is function:
            text = program.of(node.value)
            if len(text) < 20 and "\n" not in text:
                found.append(text)
    return found


def _nested(program: Program) -> list[str]:
    """A list of one empty list, where lists of lists are expected."""
    lists = [value for value in program.expected_values if isinstance(value, list)]
    return ["[[]]"] if any(isinstance(item, list) for value in lists for item in value) else []


def _as_a_result(program: Program, name: str, kind: str) -> Iterator[str]:
    """A parameter as a value of the kind that is expected: its digits as a text, a list of it alone."""
    expected = {type(value) for value in program.expected_values}
    if str in expected and kind in (NUMBER, UNKNOWN):
        yield f"str({name})"
    if list in expected:
        yield f"[{name}]"
    if kind in (SEQUENCE, TEXT, UNKNOWN):
        yield f"{name}[0]"


@CATALOGUE.operator(
    "base case",
    why="The smallest case is not treated by itself.",
    before="def f(n):\n    return n * f(n - 1)\n",
    after="def f(n):\n    if n == 0:\n        return 1\n    return n * f(n - 1)\n",
)
def base_case(program: Program) -> Proposals:
    for function, first in bodies(program):
        scope = program.scope(first)
        known = [*_simple_results(program, function), *_constants(program), "{}", *_nested(program)]
        for parameter in scope.parameters:
            if parameter in ("self", "cls"):
                continue
            for condition, traits in _conditions(parameter, scope.type(parameter)):
                itself = _as_a_result(program, parameter, scope.type(parameter))
                for text in dict.fromkeys([*known, parameter, *itself]):
                    lines = (f"if {condition}:", f"{program.unit}return {text}")
                    yield Unusual((program.before(first, *lines),), traits)


@CATALOGUE.operator(
    "default made anew",
    why="A list, dictionary or set as a default is shared by all calls.",
    before="def f(x, seen=[]):\n    seen.append(x)\n    return seen\n",
    after=(
        "def f(x, seen=None):\n    if seen is None:\n        seen = []\n    seen.append(x)\n    return seen\n"
    ),
)
def default_made_anew(program: Program) -> Proposals:
    for function, first in bodies(program):
        for parameter in (*function.params.params, *function.params.kwonly_params):
            value, name = parameter.default, parameter.name.value
            if isinstance(value, cst.List | cst.Dict | cst.Set) or (
                isinstance(value, cst.Call) and program.of(value.func) in ("list", "dict", "set")
            ):
                text = program.tree.outer_code(value)
                guard = program.before(first, f"if {name} is None:", f"{program.unit}{name} = {text}")
                yield program.put(value, "None"), guard

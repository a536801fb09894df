"""What is missing at one place is often written at another: statements, expressions and parts taken over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.insertions import places
from learn2fix.languages.python.edits.kinds import CALLABLE, MAPPING, NUMBER, SEQUENCE, TEXT, TRUTH, UNKNOWN
from learn2fix.languages.python.edits.precedence import AND, BIT_OR, COMPARE, OR, PLUS, TERNARY, level
from learn2fix.languages.python.edits.program import SECOND_CHOICE, Program, choice, unsure
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import at_fault, bodies, small
from learn2fix.languages.python.edits.terms import (
    about_others,
    free_names,
    is_plain,
    lengths,
    readable,
    renamed,
    terms,
)

LONGEST = 60
MOST_COPIED = 12
FIRST_VALUES = ("0", "[]", "1", "''", "{}", "set()", "None", "False", "True")


def _copied(program: Program) -> list[Statement]:
    """Assignments and calls on one short line."""
    found: dict[str, Statement] = {}
    for node in at_fault(program):
        inner = small(node)
        text = program.of(node).strip()
        if isinstance(inner, cst.Assign | cst.AugAssign | cst.Expr) and len(text) <= LONGEST:
            found.setdefault(text, node)
    return list(found.values())[:MOST_COPIED]


def _read(program: Program, node: Statement, at: Statement) -> bool:
    """Whether what a statement reads is there at a place; what it sets need not be."""
    inner = small(node)
    value = inner.value if isinstance(inner, cst.Assign) else inner
    targets = [each.target for each in inner.targets] if isinstance(inner, cst.Assign) else []
    deeper = [each for each in targets if not isinstance(each, cst.Name)]
    return value is not None and all(readable(program, each, at) for each in (value, *deeper))


@CATALOGUE.operator(
    "statement copied",
    why="Something is done at one place that must be done at another, too: a reset, a step, a last item.",
    before=(
        "def f(xs):\n    run = []\n    for x in xs:\n        if not x:\n            print(run)\n"
        "        run.append(x)\n"
    ),
    after=(
        "def f(xs):\n    run = []\n    for x in xs:\n        if not x:\n            print(run)\n"
        "            run = []\n        run.append(x)\n"
    ),
)
def statement_copied(program: Program) -> Proposals:
    copied = _copied(program)
    for node, put in places(program):
        for other in copied:
            if program.owner(other) is program.owner(node) and _read(program, other, node):
                yield (put(node, program.of(other).strip()),)


@CATALOGUE.operator(
    "statement copied about another variable",
    why="What is done with one variable must be done with another, too.",
    before="def f(a, b):\n    a = a.strip()\n    return a + b\n",
    after="def f(a, b):\n    a = a.strip()\n    b = b.strip()\n    return a + b\n",
)
def statement_copied_about_another(program: Program) -> Proposals:
    copied = _copied(program)
    for node, put in places(program):
        for other in copied:
            if program.owner(other) is program.owner(node) and _read(program, other, node):
                for text in _about_another(program, other, node):
                    yield (put(node, text),)


def _about_another(program: Program, node: Statement, at: Statement) -> Iterator[str]:
    inner = small(node)
    assert inner is not None
    for name in dict.fromkeys(place.value for place in free_names(program, inner)):
        kind = program.name_type(name, at)
        for other in program.local(at):
            other_kind = program.name_type(other, at)
            if other != name and "." not in other and (other_kind == kind or UNKNOWN in (kind, other_kind)):
                yield renamed(program, inner, {name: other})


def _sets(program: Program, node: Statement) -> list[str]:
    """Variables that hold a set: made as one, or something is added to them."""
    found: dict[str, None] = {}
    for each in program.every(cst.Assign):
        target = each.targets[0].target
        made = isinstance(each.value, cst.Set | cst.SetComp) or program.of(each.value).startswith(
            ("set(", "{*")
        )
        if isinstance(target, cst.Name) and made:
            found[target.value] = None
    scope = program.scope(node)
    return [
        name for name in program.visible(node) if name in found or isinstance(scope.samples.get(name), set)
    ]


@CATALOGUE.operator(
    "item put into a set",
    why="What has been seen is not remembered.",
    before="def f(xs):\n    seen = set()\n    for x in xs:\n        print(x)\n    return seen\n",
    after=(
        "def f(xs):\n    seen = set()\n    for x in xs:\n        print(x)\n        seen.add(x)\n"
        "    return seen\n"
    ),
)
def item_put_into_a_set(program: Program) -> Proposals:
    for node, put in places(program):
        for name in _sets(program, node):
            for other in program.local(node):
                if other != name and program.name_type(other, node) not in (CALLABLE, MAPPING):
                    yield (put(node, f"{name}.add({other})"),)


@CATALOGUE.operator(
    "entry put into a table",
    why="What was found is not written into the table.",
    before="def f(xs):\n    at = {}\n    for i, x in enumerate(xs):\n        print(x)\n    return at\n",
    after=(
        "def f(xs):\n    at = {}\n    for i, x in enumerate(xs):\n        print(x)\n        at[x] = i\n"
        "    return at\n"
    ),
)
def entry_put_in(program: Program) -> Proposals:
    for node, put in places(program):
        sets = _sets(program, node)
        names = [n for n in program.local(node) if program.name_type(n, node) not in (CALLABLE, MAPPING)]
        scope = program.scope(node)
        for table in program.local(node):
            kind = program.name_type(table, node)
            if kind != MAPPING or table in sets or table in scope.parameters:
                continue
            for key in (name for name in names if program.name_type(name, node) != SEQUENCE):
                for value in (*(name for name in names if name != key), "True"):
                    yield (put(node, f"{table}[{key}] = {value}"),)


@CATALOGUE.operator(
    "first value put in",
    why="A variable is added to before it has a value.",
    before="def f(xs):\n    for x in xs:\n        total += x\n    return total\n",
    after="def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n",
)
def first_value_put_in(program: Program) -> Proposals:
    for function, first in bodies(program):
        scope = program.scope(first)
        begun = {
            name.value
            for each in program.every(cst.Assign)
            for name in (target.target for target in each.targets)
            if isinstance(name, cst.Name)
        }
        stepped = [
            each.target.value
            for each in program.every(cst.AugAssign)
            if isinstance(each.target, cst.Name) and program.owner(each) is function
        ]
        for name in dict.fromkeys(stepped):
            if name not in begun and name not in scope.parameters and name not in scope.constants:
                for value in FIRST_VALUES:
                    yield (program.before(first, f"{name} = {value}"),)


@CATALOGUE.operator(
    "another expression of the function",
    why="A value is confused with another one that the function computes.",
    before="def f(xs, i, j):\n    if xs[i] > xs[j]:\n        return len(xs)\n    return i\n",
    after="def f(xs, i, j):\n    if xs[i] > xs[j]:\n        return len(xs)\n    return xs[j]\n",
)
def another_expression(program: Program) -> Proposals:
    for node, kind in program.values:
        text = program.of(node)
        for other, other_kind in terms(program, node):
            if program.of(other) != text and (kind == other_kind or UNKNOWN in (kind, other_kind)):
                sure = kind if kind == other_kind else UNKNOWN
                yield unsure((program.put_node(node, other),), sure)


@CATALOGUE.operator(
    "expression about other variables",
    why="An expression was copied, and not all of its variables were changed.",
    before="def f(a, b, i, j): return a[i] + a[i]",
    after="def f(a, b, i, j): return a[i] + b[j]",
)
def expression_about_others(program: Program) -> Proposals:
    for node in program.expressions:
        compound = cst.Subscript | cst.Call | cst.BinaryOperation | cst.Comparison | cst.Tuple
        if not isinstance(node, compound) or len(program.of(node)) > LONGEST:
            continue
        if len({name.value for name in free_names(program, node)}) > 1 and is_plain(program, node):
            for text in about_others(program, node, node):
                yield (program.put(node, text, level(node)),)


@CATALOGUE.operator(
    "part repeated about other variables",
    why="A sum lacks a part that is like another one: the rest of the second list.",
    before="def f(a: list, b: list, i: int, j: int): return a[i:]",
    after="def f(a: list, b: list, i: int, j: int): return a[i:] + b[j:]",
)
def part_repeated(program: Program) -> Proposals:
    for node in program.expressions:
        if isinstance(node, cst.Subscript | cst.Call | cst.Name) and isinstance(
            program.tree.parent(node), cst.Return | cst.Assign | cst.AugAssign | cst.BinaryOperation | cst.Arg
        ):
            kind = program.kind(node)
            if kind not in (SEQUENCE, TEXT, NUMBER, UNKNOWN) or not is_plain(program, node):
                continue
            for text in dict.fromkeys(about_others(program, node, node)):
                for sign in ("+",) if kind in (SEQUENCE, TEXT) else ("+", "-", "*"):
                    if sign == "+" and _ends_a_sum(program, node):
                        end = program.tree.outer(node)[1]
                        yield unsure(((end, end, f" + {text}"),), kind)
                    else:
                        made = f"{program.wrap(node, PLUS)} {sign} {text}"
                        yield unsure((program.put(node, made, PLUS),), kind)


def _ends_a_sum(program: Program, node: cst.BaseExpression) -> bool:
    """Whether another part can follow without parentheses."""
    parent = program.tree.parent(node)
    return (
        isinstance(parent, cst.BinaryOperation)
        and isinstance(parent.operator, cst.Add)
        and parent.right is node
    )


@CATALOGUE.operator(
    "condition repeated about other variables",
    why="What is asked of one variable must be asked of another, too.",
    before="def f(a, b):\n    if a > 0:\n        return b\n",
    after="def f(a, b):\n    if a > 0 and b > 0:\n        return b\n",
)
def condition_repeated(program: Program) -> Proposals:
    for node in program.conditions:
        if isinstance(node, cst.BooleanOperation) or not is_plain(program, node):
            continue
        if not free_names(program, node):
            continue
        for text in dict.fromkeys(about_others(program, node, node)):
            yield (program.put(node, f"{program.wrap(node, AND)} and {text}", AND),)
            yield (program.put(node, f"{program.wrap(node, OR)} or {text}", OR),)


@CATALOGUE.operator(
    "bound off by a variable and one",
    why="A loop, slice or index must leave room for something: the last place where a window fits.",
    before="def f(xs, size: int):\n    for i in range(len(xs)):\n        print(xs[i:i + size])\n",
    after="def f(xs, size: int):\n    for i in range(len(xs) - size + 1):\n        print(xs[i:i + size])\n",
)
def bound_off_by_a_variable(program: Program) -> Proposals:
    for node in program.expressions:
        if not _is_bound(program, node) or program.kind(node) not in (NUMBER, UNKNOWN):
            continue
        text = program.wrap(node, PLUS)
        for name in lengths(program, node):
            if name != text:
                for rest in (f"- {name} + 1", f"- {name} - 1", f"+ {name} - 1", f"+ {name} + 1"):
                    yield (program.put(node, f"{text} {rest}", PLUS),)
                for rest in (f"- {name}", f"+ {name}"):
                    yield (program.put(node, f"{text} {rest}", PLUS),)


def _is_bound(program: Program, node: cst.BaseExpression) -> bool:
    parent = program.tree.parent(node)
    if isinstance(parent, cst.Arg):
        call = program.tree.parent(parent)
        return isinstance(call, cst.Call) and program.of(call.func) == "range"
    return isinstance(parent, cst.Slice | cst.Index)


@CATALOGUE.operator(
    "bounded by an expression of the function",
    why="A value must not pass another one that the function computes: the end of a joined span.",
    before="def f(last, end):\n    if end > last[0]:\n        return (last[1], end)\n",
    after="def f(last, end):\n    if end > last[0]:\n        return (last[1], max(end, last[1]))\n",
)
def bounded_by_an_expression(program: Program) -> Proposals:
    for node, kind in program.values:
        if kind not in (NUMBER, UNKNOWN):
            continue
        text = program.of(node)
        names = [name for name in program.local(node) if program.name_type(name, node) in (NUMBER, UNKNOWN)]
        pool = [program.of(other) for other, held in terms(program, node) if held in (NUMBER, UNKNOWN)]
        for other in dict.fromkeys([*pool, *names]):
            if other != text and "\n" not in text:
                for function in ("max", "min"):
                    yield unsure((program.put(node, f"{function}({text}, {other})"),), kind)


@CATALOGUE.operator(
    "value in a list, or taken out of one",
    why="A list of one item is confused with the item, or an empty list with a list of nothing.",
    before="def f(xs):\n    if not xs:\n        return []\n    return xs\n",
    after="def f(xs):\n    if not xs:\n        return [[]]\n    return xs\n",
)
def value_in_a_list(program: Program) -> Proposals:
    for node in program.expressions:
        parent = program.tree.parent(node)
        only = node.elements[0] if isinstance(node, cst.List) and len(node.elements) == 1 else None
        if isinstance(only, cst.Element):
            yield (program.put_node(node, only.value),)
        whole = isinstance(
            parent, cst.Return | cst.Assign | cst.AugAssign | cst.Arg | cst.Yield | cst.BinaryOperation
        )
        if whole and isinstance(node, cst.List | cst.Name | cst.Subscript | cst.Tuple | cst.Call | cst.Dict):
            text = f"[{program.wrap(node, TERNARY)}]"
            yield (
                (program.put(node, text),)
                if isinstance(node, cst.List)
                else Unusual((program.put(node, text),), SECOND_CHOICE)
            )


@CATALOGUE.operator(
    "item, largest, smallest or sum",
    why="One item of a list is taken for its largest, or the list itself for what it comes to.",
    before="def f(xs): return xs[-1]",
    after="def f(xs): return max(xs)",
)
def item_or_largest(program: Program) -> Proposals:
    for node, kind in program.values:
        if isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Index):
            base, held = program.of(node.value), program.kind(node.value)
        elif isinstance(node, cst.Name) and isinstance(program.tree.parent(node), cst.Return):
            base, held = node.value, kind
        else:
            continue
        if held in (SEQUENCE, UNKNOWN):
            for function in ("max", "min", "sum", "len"):
                yield unsure((program.put(node, f"{function}({base})"),), held)


@CATALOGUE.operator(
    "length of a row",
    why="A table is counted in the wrong direction, or the wrong one of two.",
    before="def f(a: list, b: list):\n    for i in range(len(a)):\n        print(i)\n",
    after="def f(a: list, b: list):\n    for i in range(len(b[0])):\n        print(i)\n",
)
def length_of_a_row(program: Program) -> Proposals:
    for node in program.reads(cst.Call):
        if program.of(node.func) != "len" or len(node.args) != 1:
            continue
        counted = node.args[0].value
        for name in program.local(node):
            if program.name_type(name, node) in (SEQUENCE, UNKNOWN):
                yield choice((program.put(counted, f"{name}[0]"),), likely=program.of(counted) == name)
        if isinstance(counted, cst.Subscript):
            yield (program.put_node(counted, counted.value),)


@CATALOGUE.operator(
    "set only if it is better",
    why="A value is set that may be worse than the one that is there.",
    before="def f(best, x, new):\n    if x not in best:\n        best[x] = new + 1\n    return best\n",
    after=(
        "def f(best, x, new):\n    if x not in best or new + 1 < best[x]:\n        best[x] = new + 1\n"
        "    return best\n"
    ),
)
def set_only_if_better(program: Program) -> Proposals:
    for node in at_fault(program):
        inner = small(node)
        if not isinstance(inner, cst.Assign) or len(inner.targets) != 1:
            continue
        target, value = inner.targets[0].target, inner.value
        if not isinstance(target, cst.Name | cst.Subscript | cst.Attribute) or not is_plain(program, value):
            continue
        if isinstance(value, cst.Integer | cst.Float | cst.BaseString | cst.List | cst.Dict | cst.Tuple):
            continue
        around = program.tree.parent(program.tree.parent(node) or node)
        for sign in ("<", ">", "<=", ">="):
            better = f"{program.wrap(value, BIT_OR)} {sign} {program.of(target)}"
            if isinstance(around, cst.If):
                test = around.test
                yield (program.put(test, f"{program.wrap(test, OR)} or {better}", OR),)
                yield (program.put(test, f"{program.wrap(test, AND)} and {better}", AND),)
            lines = program.lines(node)
            body = program.shifted(node, program.indent(node) + program.unit)
            yield ((*lines, f"{program.indent(node)}if {better}:{program.tree.newline}{body}"),)


@CATALOGUE.operator(
    "argument passed on",
    why="A function that calls itself, or another, does not hand on what it was given.",
    before="def f(tree, depth=0):\n    return [f(each) for each in tree] or depth\n",
    after="def f(tree, depth=0):\n    return [f(each, depth) for each in tree] or depth\n",
)
def argument_passed_on(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        name = program.of(node.func)
        function = program.names.functions.get(name)
        if function is None or any(each.keyword is not None or each.star for each in node.args):
            continue
        if len(node.args) >= len(function.params.params):
            continue
        end = program.tree.span(node)[1] - 1
        missing = function.params.params[len(node.args)].name.value
        near = [missing] if missing in program.visible(node) else []
        for text in dict.fromkeys([*near, *program.local(node)]):
            kind = program.name_type(text, node)
            if kind == CALLABLE:
                continue
            comma = ", " if node.args else ""
            yield ((end, end, f"{comma}{text}"),)
            if kind in (NUMBER, UNKNOWN):
                for step in ("+ 1", "- 1"):
                    yield Unusual(((end, end, f"{comma}{text} {step}"),), SECOND_CHOICE)


@CATALOGUE.operator(
    "truth of a value for a constant",
    why="A constant is returned where it depends on what is left.",
    before="def f(xs):\n    while xs:\n        xs.pop()\n    return True\n",
    after="def f(xs):\n    while xs:\n        xs.pop()\n    return not xs\n",
)
def truth_for_a_constant(program: Program) -> Proposals:
    for node in program.reads(cst.Name):
        if node.value in ("True", "False") and isinstance(program.tree.parent(node), cst.Return | cst.Assign):
            for name in program.local(node):
                kind = program.name_type(name, node)
                if kind == NUMBER:
                    for rest in ("== 0", "!= 0", "> 0"):
                        yield (program.put(node, f"{name} {rest}", COMPARE),)
                elif kind != CALLABLE:
                    yield (program.put(node, f"not {name}", AND),)
                    if kind == TRUTH:
                        yield (program.put(node, name),)
                    elif kind != UNKNOWN:
                        yield (program.put(node, f"bool({name})"),)

"""What must be done once more: for the other side, or for what is inside."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import NUMBER
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import at_fault, small
from learn2fix.languages.python.edits.terms import about_others, free_names
from learn2fix.languages.python.tree import walk

WORD = re.compile(r"\w+")
OPPOSITE = {cst.Add: "-", cst.Subtract: "+"}


def _deeper(program: Program, function: cst.FunctionDef) -> Iterator[tuple[cst.Name, str]]:
    """Variables of a function, other than its parameters, with a call of the function on each."""
    parameters = [each.name.value for each in function.params.params]
    given = parameters[1:] if parameters[:1] in (["self"], ["cls"]) else parameters
    if not given:
        return
    name = function.name.value if given is parameters else f"{parameters[0]}.{function.name.value}"
    for node in program.reads(cst.Name):
        if program.owner(node) is function and node.value not in parameters and _may_be_deep(program, node):
            rest = "".join(f", {each}" for each in given[1:])
            yield node, f"{name}({node.value}{rest})"


def _may_be_deep(program: Program, node: cst.Name) -> bool:
    parent = program.tree.parent(node)
    called = isinstance(parent, cst.Call) and parent.func is node
    return not called and node.value in program.visible(node) and program.kind(node) != NUMBER


@CATALOGUE.operator(
    "done for what is inside, too",
    why="What a function does must be done for the parts of what it is given, too: it does not call itself.",
    before="def f(xs):\n    t = []\n    for x in xs:\n        t.append(x)\n    return t\n",
    after="def f(xs):\n    t = []\n    for x in xs:\n        t.append(f(x))\n    return t\n",
)
def done_inside(program: Program) -> Proposals:
    for function in program.every(cst.FunctionDef):
        for node, text in _deeper(program, function):
            yield (program.put(node, text),)


@CATALOGUE.operator(
    "statement repeated the other way",
    why="What is done for the neighbour on one side must be done for the one on the other side, too.",
    before="def f(todo, i):\n    todo.append(i + 1)\n    return todo\n",
    after="def f(todo, i):\n    todo.append(i + 1)\n    todo.append(i - 1)\n    return todo\n",
)
def repeated_the_other_way(program: Program) -> Proposals:
    for node in at_fault(program):
        if isinstance(small(node), cst.Assign | cst.Expr):
            for text in _the_other_way(program, node):
                yield (program.after(node, text),)


def _the_other_way(program: Program, node: Statement) -> Iterator[str]:
    """The statement with one sum for a difference, or one difference for a sum."""
    start, text = program.tree.span(node)[0], program.of(node)
    if "\n" in text:
        return
    for part in walk(node):
        sign = OPPOSITE.get(type(part.operator)) if isinstance(part, cst.BinaryOperation) else None
        if sign is not None:
            assert isinstance(part, cst.BinaryOperation)
            # The operator's own place, without the blanks around it.
            begin, end = (place - start for place in program.tree.span(part.operator))
            yield f"{text[:begin]}{sign}{text[end:]}".strip()


@CATALOGUE.operator(
    "statement repeated about the other side",
    why="What is done with one list and its index must be done with the other list and its index, too.",
    before="def f(a, b, i, j):\n    t = []\n    t += a[i:]\n    return t\n",
    after="def f(a, b, i, j):\n    t = []\n    t += a[i:]\n    t += b[j:]\n    return t\n",
)
def repeated_about_the_other_side(program: Program) -> Proposals:
    for node in at_fault(program):
        inner = small(node)
        if isinstance(inner, cst.AugAssign | cst.Expr):
            names = {place.value for place in free_names(program, inner)}
            for text in about_others(program, inner, node):
                # With two variables exchanged at once: what one alone gives stands elsewhere.
                if len(names - set(WORD.findall(text))) == 2:
                    yield (program.after(node, text),)
